package web_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// The reader presses a button, and his own browser comes to the hash and the dice, step by step.
func TestVerifyInThePage(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	result := g.event(t, "atlantic-and-pacific", "result_adjudicated")
	b.visit(fmt.Sprintf("/campaigns/atlantic-and-pacific/events/%d", result))
	ask[bool](b, `document.getElementById("verify").click(), true`)
	b.until("the verdict", `document.getElementById("verified").dataset.verdict`)
	if got := ask[string](b, `document.getElementById("verified").dataset.verdict`); got != "holds" {
		t.Errorf("the verdict is %s:\n%s", got, b.text("#verified"))
	}
	for _, step := range []string{"so does the page say", "names #", "the anchor that #2 stated",
		"The seed is HMAC-SHA256", "Royal Oak: the bytes"} {
		if !strings.Contains(b.text("#verified"), step) {
			t.Errorf("no step %q in\n%s", step, b.text("#verified"))
		}
	}
	// A page that was not fetched securely has no cryptography: it says so.
	ask[bool](b,
		`Object.defineProperty(globalThis, "crypto", { value: {} }), document.getElementById("verify").click(), true`)
	b.until("the verdict", `document.getElementById("verified").dataset.verdict === "cannot"`)
	if message := b.text("#verified"); !strings.Contains(message, "HTTPS") {
		t.Errorf("why it cannot is not said:\n%s", message)
	}
}

// examined is what the module says of a proof.
type examined struct {
	Index   uint64 `json:"index"`
	Verdict string `json:"verdict"`
	Rolled  bool   `json:"rolled"` // it threw dice again
	Steps   []struct {
		Good *bool  `json:"good"`
		Text string `json:"text"`
	} `json:"steps"`
}

func (x examined) String() string {
	var lines []string
	for _, s := range x.Steps {
		mark := "note"
		if s.Good != nil {
			mark = fmt.Sprint(*s.Good)
		}
		lines = append(lines, mark+" "+s.Text)
	}
	return x.Verdict + "\n" + strings.Join(lines, "\n")
}

// Every event of every bundled campaign holds, and the dice of every roll are thrown again.
func TestEveryEventVerifiesInTheBrowser(t *testing.T) {
	beside(t)
	g := played(t)
	for _, k := range fixtures.Campaigns()[:longrun.Of(1, len(fixtures.Campaigns()))] {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			verified(t, g, k)
		})
	}
}

func verified(t *testing.T, g *ground, k fixtures.Campaign) {
	t.Helper()
	b := browse(t, g.url)
	b.visit("/join") // which loads what checks
	c, err := g.service.Campaign(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	list := ask[[]examined](b, fmt.Sprintf(`(async () => {
		const { checkProof } = await import(document.querySelector("script[type=module]").src);
		const look = async (i) => {
			const proof = await (await fetch("/campaigns/%s/events/" + i + "/proof")).json();
			const { verdict, steps } = await checkProof(proof, proof.hash);
			const rolled = steps.some((s) => s.good && s.text.includes(": the bytes "));
			return { index: i, verdict, rolled, steps };
		};
		const list = [];
		while (list.length < %[2]d) { // some at a time, for most of it is waiting
			const some = Array.from({ length: Math.min(8, %[2]d - list.length) }, (_, i) => look(list.length + i));
			list.push(...(await Promise.all(some)));
		}
		return list;
	})()`, k.Name, c.Events))
	rolled := 0
	for _, x := range list {
		if x.Verdict != "holds" {
			t.Errorf("%s #%d: %s", k.Name, x.Index, x)
		}
		explained, err := g.service.Explain(t.Context(), k.Name, x.Index)
		if err != nil {
			t.Fatal(err)
		}
		if r := explained.Roll; x.Rolled != (r != nil && r.Follows) {
			t.Errorf("%s #%d: dice were thrown again: %v", k.Name, x.Index, x.Rolled)
		}
		if x.Rolled {
			rolled++
		}
	}
	t.Logf("%s: %d events, %d of rolls", k.Name, len(list), rolled)
}

// A record that was forged throughout, with every hash after what was changed made anew, fails of the
// very thing that was changed.
func TestForgedProofsFailInTheBrowser(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/join") // which loads what checks
	first := g.event(t, "atlantic-and-pacific", "result_adjudicated")
	at, err := g.find("atlantic-and-pacific", func(l timeline.LogEvent) bool {
		return l.Type == "result_adjudicated" && l.Index > first
	})
	if err != nil {
		t.Fatal(err)
	}
	proof, err := g.service.Proof(t.Context(), "atlantic-and-pacific", at)
	if err != nil {
		t.Fatal(err)
	}
	if proof.Stated == nil || proof.Earlier == nil {
		t.Fatalf("#%d: nothing states its anchor, or no link came before", at)
	}
	if x := examine(b, proof, proof.Hash); x.Verdict != "holds" {
		t.Fatalf("the record itself: %s", x)
	}
	for name, f := range forgeries {
		x := examine(b, forged(t, proof, f.change), events.Hash{})
		if x.Verdict != "fails" || !strings.Contains(x.String(), f.says) {
			t.Errorf("%s: want it to fail of %q: %s", name, f.says, x)
		}
	}
	for i := range proof.Events {
		for _, place := range []int{0, 20, len(proof.Events[i].Bytes) / 2, len(proof.Events[i].Bytes) - 1} {
			p := copied(proof)
			p.Events[i].Bytes[place] ^= 1
			last := i == len(p.Events)-1 && i > 0 // nothing here names the hash of that one
			if x := examine(b, p, proof.Hash); x.Verdict != "fails" && !last {
				t.Errorf("byte %d of #%d: %s", place, proof.Events[i].Index, x)
			}
		}
	}
	p := copied(proof)
	p.Events = p.Events[1:] // the declaration
	if x := examine(b, p, proof.Hash); x.Verdict != "fails" {
		t.Errorf("without its declaration: %s", x)
	}
}

// What a card was is held against what was committed when it was drawn.
func TestOpeningsVerifyInTheBrowser(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/join") // which loads what checks
	proof, err := g.service.Proof(t.Context(), "atlantic-and-pacific", g.event(t, "atlantic-and-pacific",
		"card_played"))
	if err != nil {
		t.Fatal(err)
	}
	if x := examine(b, proof, proof.Hash); x.Verdict != "holds" || !strings.Contains(x.String(),
		"made with the salt now told") {
		t.Errorf("the record itself: %s", x)
	}
	other := forged(t, proof, func(e *events.Event) {
		for i := range e.Openings {
			e.Openings[i].Fact = "wild"
		}
	})
	if x := examine(b, other, events.Hash{}); x.Verdict != "fails" || !strings.Contains(x.String(), "to wild, is not") {
		t.Errorf("another card: %s", x)
	}
	proof.Committed = nil
	if x := examine(b, proof, proof.Hash); x.Verdict != "fails" {
		t.Errorf("without the draw: %s", x)
	}
}

// forgery changes one thing wherever it stands.
type forgery struct {
	change func(*events.Event)
	says   string
}

var forgeries = map[string]forgery{
	"another die": {func(e *events.Event) {
		var p events.DiceRolled
		if e.Read(&p) {
			p.Dice[0] = p.Dice[0]%6 + 1
			e.Payload = events.EncodePayload(&p)
		}
	}, "false submarines: the bytes"},
	"another link": {func(e *events.Event) {
		var p events.DiceRolled
		if e.Read(&p) {
			p.Links[0].Link[7] ^= 1
			e.Payload = events.EncodePayload(&p)
		}
	}, "does not give"},
	"another position": {func(e *events.Event) {
		var p events.DiceRolled
		if e.Read(&p) {
			p.Links[0].Position++
			e.Payload = events.EncodePayload(&p)
		}
	}, "does not reveal the link that was declared"},
	"other dice declared": {func(e *events.Event) {
		var p events.RollDeclared
		if e.Read(&p) {
			p.Throws[0].Dice++
			e.Payload = events.EncodePayload(&p)
		}
	}, "false submarines: the bytes"},
	"another epoch": {func(e *events.Event) { e.Epoch++ }, "What states the anchor"},
	"a result read from other dice": {func(e *events.Event) {
		var p events.ResultAdjudicated
		if e.Read(&p) {
			p.Readings[0].Dice[0] = p.Readings[0].Dice[0]%6 + 1
			e.Payload = events.EncodePayload(&p)
		}
	}, "The result reads submarines from"},
}

// forged changes the events of a proof, and makes every hash anew that follows.
func forged(t *testing.T, p service.Proof, change func(*events.Event)) service.Proof {
	t.Helper()
	p = copied(p)
	var before events.Hash
	for i := range p.Events {
		e, err := events.Decode(p.Events[i].Bytes)
		if err != nil {
			t.Fatal(err)
		}
		change(&e)
		if i > 0 {
			e.Previous = before
		}
		p.Events[i].Bytes = e.Encode()
		before = events.LeafHash(p.Events[i].Bytes)
		if e.Index == p.Index {
			p.Hash = before
		}
	}
	return p
}

func copied(p service.Proof) service.Proof {
	list := p.Events
	p.Events = nil
	for _, e := range list {
		e.Bytes = append([]byte{}, e.Bytes...)
		p.Events = append(p.Events, e)
	}
	return p
}

// examine has the page's module check a proof against a hash that was seen, or its own.
func examine(b *tab, p service.Proof, shown events.Hash) examined {
	b.Helper()
	if shown.IsZero() {
		shown = p.Hash
	}
	text, err := json.Marshal(p)
	if err != nil {
		b.Fatal(err)
	}
	return ask[examined](b,
		fmt.Sprintf(`import(document.querySelector("script[type=module]").src).then((m) => m.checkProof(%s, %q))`, text,
			shown))
}

// Who vouches for dice of a table is said, for no chain does.
func TestAttestedDiceInTheBrowser(t *testing.T) {
	beside(t)
	g := played(t)
	n := replay.NewCampaign{Name: "attested", System: "awaw", Seed: "watu attested", Dice: "attested",
		Seats: []campaign.Seat{
			{Name: "Anna", Sides: []string{"European Axis", "Japan"}},
			{Name: "Ben", Sides: []string{"Britain", "United States"}},
		}}
	if err := g.client.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
	g.submit(t, "attested", "turn: Spring 1940\nfacts:\n  cves: {Atlantic: 0}\nentries:\n  - {id: draw, draw: Ultra}\n"+
		"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}\n"+
		"  - {id: d1, dice: [[3, 4], [6, 1]], by: Anna}\n  - {id: c1, confirm: yes, by: Ben}\n")
	b := browse(t, g.url)
	b.visit("/join") // which loads what checks
	for _, kind := range []events.Type{"roll_declared", "dice_typed", "dice_rolled", "result_adjudicated"} {
		p, err := g.service.Proof(t.Context(), "attested", g.event(t, "attested", kind))
		if err != nil {
			t.Fatal(err)
		}
		x := examine(b, p, p.Hash)
		if x.Verdict != "holds" || !strings.Contains(x.String(), "Anna typed them in and Ben confirmed them") {
			t.Errorf("%s: %s", kind, x)
		}
	}
}

// Dice of a campaign with a secret of its own, whose seeds hold the position of the link.
func TestDiceByPositionInTheBrowser(t *testing.T) {
	beside(t)
	g := played(t)
	n := replay.NewCampaign{Name: "secret", System: "awaw"}
	if err := g.client.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
	g.submit(t, "secret", "turn: Spring 1940\nfacts:\n  cves: {Atlantic: 0}\nentries:\n"+
		"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}\n")
	b := browse(t, g.url)
	b.visit("/join") // which loads what checks
	p, err := g.service.Proof(t.Context(), "secret", g.event(t, "secret", "dice_rolled"))
	if err != nil {
		t.Fatal(err)
	}
	x := examine(b, p, p.Hash)
	const seed = "watu/chain-dice/v2, the campaign, epoch 1 and position 1"
	if x.Verdict != "holds" || !strings.Contains(x.String(), seed) {
		t.Error(x)
	}
}
