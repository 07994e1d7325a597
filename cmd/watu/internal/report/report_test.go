package report

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// played is a record under construction.
type played struct {
	list []events.Event
	turn events.Turn
}

// add appends an event and gives its index.
func (c *played) add(side, seat, command string, corrects uint64, p events.Payload) uint64 {
	if t, ok := p.(*events.TurnAdvanced); ok {
		c.turn = events.Turn{Ordinal: t.Ordinal, Label: t.Label}
	}
	index := uint64(len(c.list))
	c.list = append(c.list, events.Event{
		Campaign: ulid.ULID{1}, Index: index, Type: p.Type(), Turn: c.turn, Seat: seat, Side: side, Command: command,
		Corrects: corrects, Payload: events.EncodePayload(p),
		Derivation: []events.Citation{{Rule: "TEST-RULE", Step: "a step"}},
	})
	return index
}

func (c *played) record() Record {
	return Record{Campaign: "war", Title: "A Test of War", As: "public", Events: c.list}
}

// written is the report of a campaign.
func written(t *testing.T, c *played) Report {
	t.Helper()
	r, err := New(t.Context(), c.record())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const hostile = "<script>alert(1)</script> *bold* _it_ [link](http://x.example) `code` | # 1. ~~gone~~ <!-- --> ]]> " +
	"& \u202e\x1b[31m"

// disputed is a campaign with a correction, a voided raid, and disputes that are ruled and open, by
// people who try what a text can do.
func disputed() *played {
	c := &played{}
	c.add("", "umpire", "open", 0, &events.CampaignOpened{Name: "war", System: "test", Edition: "1", Dice: "chain",
		Sides: []string{"Red", "Blue"}, Note: hostile})
	c.add("", "umpire", "t", 0, &events.TurnAdvanced{Ordinal: 1, Label: "Turn 1"})
	// 2
	c.add("Red", "umpire", "income", 0, &events.IncomeCollected{Power: "Red", Base: 12, Board: 12, Damage: 5, Net: 7,
		Treasury: 19})
	roll := c.add("Blue", "umpire", "shot", 0, &events.RollDeclared{Purpose: "shot",
		Throws: []events.Throw{{Name: "gun", Side: "Blue", Dice: 2, Sides: 6}}})
	// 4
	c.add("Blue", "umpire", "shot", 0, &events.DiceRolled{Declared: roll, Throw: "gun", Dice: []int{6, 6}})
	// 5
	c.add("Blue", "umpire", "shot", 0, &events.UnitsLost{Power: "Red", Space: "Sea 1",
		Units: []events.Unit{{Name: "cruiser", Count: 1}}, Cause: "gunfire"})
	d := c.add("", "carol", "d1", 0, &events.DisputeOpened{Event: 5, Claim: hostile, Rule: "TEST-RANGE"}) // 6
	c.add("", "dave", "d1", 0, &events.StatementMade{Dispute: d, Text: "first line\n# second line"})
	c.add("", "carol", "d1", 0, &events.EvidenceBrought{Dispute: d, Events: []uint64{2, 4}, Note: "see the dice"})
	// 9
	c.add("", "umpire", "d1", 0, &events.DisputeRuled{Dispute: d, Ruling: events.RulingVoid, Reason: "out of range",
		Scope: events.ScopeCampaign, Rules: []string{"TEST-RANGE"}, Dice: "thrown again"})
	// 10
	c.add("", "umpire", "d1", 0, &events.Voided{Command: "shot", Events: []uint64{3, 4, 5}, Code: "dispute",
		Reason: "out of range", Dispute: d})
	// 11
	c.add("", "umpire", "fix", 0, &events.Corrected{Event: 2, Command: "income", Code: "mistyped",
		Reason: "one submarine less", Changes: []events.Change{{Field: "damage", Was: "5", Now: "3"}}})
	// 12
	c.add("Red", "umpire", "fix", 2, &events.IncomeCollected{Power: "Red", Base: 12, Board: 12, Damage: 3, Net: 9,
		Treasury: 21})
	c.add("", "dave", "d2", 0, &events.DisputeOpened{Event: 2, Claim: "it is 8"})
	c.add("", "dave", "d3", 0, &events.DisputeOpened{Event: 4, Claim: "the dice were cocked"})
	return c
}

func TestOriginalsAreStruck(t *testing.T) {
	r := written(t, disputed())
	text := r.Markdown("war")
	for _, want := range []string{
		"Red collects ~~7~~ **9** IPCs: 12 less ~~5~~ **3** lost; ~~19~~ **21** IPCs in hand. (#2, #12; " +
			"TEST-RULE) – *corrected by #12; disputed in #13, which is open*",
		"- ~~Red loses 1 cruiser to gunfire in Sea 1.~~ (#5; TEST-RULE) – *voided by #10; disputed in #6: " +
			"what was contested is struck out*",
		"- ~~Shot – gun: 6 and 6.~~ (#3, #4; TEST-RULE) – *voided by #10; disputed in #14, which is open*",
		"### Dispute #6, opened by carol: what was contested is struck out for the campaign",
		"### Dispute #13, opened by dave: open", "Carol claims, by TEST-RANGE (#6):",
		"> first line\n> \\# second line",
		"**Ruled in Turn 1: what was contested is struck out for the campaign. " +
			"The dice are thrown again.** (#9; TEST-RANGE)",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "~~~~") || strings.Contains(text, "****") {
		t.Error("an empty mark")
	}
}

// A dispute whose event was corrected before the ruling reads as settled by that, and nowhere that it stands.
func TestSettledByCorrection(t *testing.T) {
	c := disputed()
	c.add("", "umpire", "r2", 0, &events.DisputeRuled{Dispute: 13, Ruling: events.RulingUpheld, Scope: "event",
		Reason: "it was corrected"})
	r := written(t, c)
	text := r.Markdown("war")
	for _, want := range []string{"*corrected by #12; disputed in #13: settled by correction #11*",
		"### Dispute #13, opened by dave: settled by correction #11",
		"**Ruled in Turn 1: settled by correction #11.** (#15)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if strings.Contains(text, "what was contested stands") {
		t.Errorf("it stands:\n%s", text)
	}
}

// What people wrote means itself: nothing of it is markup, in either format.
func TestPlayersTextIsEscaped(t *testing.T) {
	r := written(t, disputed())
	page, err := r.HTML()
	if err != nil {
		t.Fatal(err)
	}
	text := r.Markdown("war")
	for name, s := range map[string]string{"html": page, "markdown": text} {
		for _, bad := range []string{"<script", "\u202e", "\x1b", "http://x.example"} {
			if strings.Contains(s, bad) && !(name == "html" && strings.HasPrefix(bad, "http")) {
				t.Errorf("%s holds %q", name, bad)
			}
		}
		if !strings.Contains(s, "&lt;script&gt;alert(1)&lt;/script&gt;") {
			t.Errorf("%s does not show what was written", name)
		}
	}
	if want := "> &lt;script&gt;alert(1)&lt;/script&gt; \\*bold\\* \\_it\\_ \\[link\\](http:&#47;&#47;x.example) " +
		"\\`code\\` \\| # 1. \\~\\~gone\\~\\~ &lt;!-- --&gt; \\]\\]&gt; &amp;"; !strings.Contains(text, want) {
		t.Errorf("%q is not in\n%s", want, text)
	}
	wellFormed(t, page)
}

// wellFormed reads a page or drawing as XML, tag by tag, and wants one that asks for nothing.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>\n")))
	ids := map[string]bool{}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "script", "img", "link", "iframe", "object", "base", "form", "image", "use":
			t.Errorf("there is a <%s>", start.Name.Local)
		}
		for _, a := range start.Attr {
			switch name := a.Name.Local; {
			case name == "id" && ids[a.Value]:
				t.Errorf("two elements have the id %q", a.Value)
			case name == "id":
				ids[a.Value] = true
			case name == "href" && !strings.HasPrefix(a.Value, "#"), name == "src", strings.HasPrefix(name, "on"):
				t.Errorf("<%s %s=%q>", start.Name.Local, name, a.Value)
			}
		}
	}
	for _, m := range regexp.MustCompile(`url\(#([^)]*)\)`).FindAllStringSubmatch(page, -1) {
		if !ids[m[1]] {
			t.Errorf("there is no %q", m[1])
		}
	}
}

func TestSameRecordSameBytes(t *testing.T) {
	once, again := written(t, disputed()), written(t, disputed())
	if once.Markdown("x") != again.Markdown("x") {
		t.Error("the Markdown differs")
	}
	a, _ := once.HTML()
	if b, _ := again.HTML(); a != b {
		t.Error("the page differs")
	}
}

// A record of events that make no sense is reported as far as it goes.
func TestOddRecords(t *testing.T) {
	for _, p := range events.Payloads() {
		c := &played{}
		c.add("", "umpire", "a", 0, &events.CampaignOpened{Name: "war"})
		c.add("", "umpire", "b", 0, p)
		c.add("", "umpire", "c", 1, p)
		c.add("Red", "umpire", "d", 99, p)
		r := written(t, c)
		if _, err := r.HTML(); err != nil || r.Markdown("") == "" {
			t.Errorf("%s: %v", p.Type(), err)
		}
	}
	if r, err := New(t.Context(), Record{Campaign: "none"}); err != nil || r.Markdown("") == "" {
		t.Error("nothing is reported of nothing")
	}
}

func TestChanged(t *testing.T) {
	for _, c := range []struct{ was, now, want string }{
		{"a b c", "a b c", "a b c"},
		{"UK collects 7 IPCs, 8 in hand.", "UK collects 9 IPCs, 10 in hand.", "UK collects ~~7~~ **9** IPCs, ~~8~~ " +
			"**10** in hand."},
		{"Japan draws 6 cards.", "Japan draws 7 cards.", "Japan draws ~~6~~ **7** cards."},
		{"Japan draws 6 cards of 7: submarines cut 1.", "Japan draws 6 cards.",
			"Japan draws 6 cards ~~of 7: submarines cut 1~~."},
		{"Japan draws 6.", "Japan draws 6, cut by 1.", "Japan draws 6<strong>, cut by 1</strong>."},
		{"2 boats (3 each): it loses 6.", "1 boat: it loses 3.", "~~2 boats (3 each): it loses 6.~~ " +
			"**1 boat: it loses 3.**"},
		{"one thing", "quite another matter", "~~one thing~~ **quite another matter**"},
		{"", "new", "**new**"},
	} {
		if got := strings.TrimSpace(changed(c.was, c.now).Markdown()); got != c.want {
			t.Errorf("%q to %q: %s, not %s", c.was, c.now, got, c.want)
		}
	}
}
