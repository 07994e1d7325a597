package replay_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// GEN-SECRET: a refused entry that names a card is disputed, ruled on and recorded, and no byte of
// the record tells the card, nor does a ruling that corrects what is sealed beside another figure.
func TestDisputedRefusalIsSealed(t *testing.T) {
	c := newHost(t).open("sealed", "s95", nil)
	c.must(`
turn: Spring 1940
entries:
  - {id: ultra, draw: Ultra}
`)
	after := c.at().Next
	const late = `{produce: {side: Britain, project: Ultra, card: tactical}}`
	text := c.submit("entries:\n  - {id: p1, " + late[1:])
	if text == "" || c.at().Next != after {
		t.Fatalf("the entry should be refused, and nothing recorded: %s", text)
	}
	c.must(`
entries:
  - {id: d1, dispute: {refused: p1, claim: it was announced in time}}
  - {id: s1, statement: {dispute: 8, text: it was}}
  - {id: k1, ruling: {dispute: 8, ruling: void, reason: it was}}
`)
	list := c.records(after, campaign.Everything)
	for _, r := range list {
		for _, word := range []string{"tactical", "Britain", "too late", "AWAW-48.11"} {
			if bytes.Contains(r.Bytes, []byte(word)) {
				t.Errorf("event %d tells %q of a refused entry", r.Index, word)
			}
		}
	}
	if len(list) != 3 {
		t.Errorf("%d events of a dispute, not 3", len(list))
	}
	sealed := c.openings()[events.Ref{Index: after, Slot: "entry"}].Fact
	if sealed != `{"produce":{"card":"tactical","project":"Ultra","side":"Britain"}}` {
		t.Errorf("committed is %s", sealed)
	}
	if sentence := c.openings()[events.Ref{Index: after, Slot: "violations"}].Fact; !strings.Contains(sentence,
		`"rule":"AWAW-48.11-D"`) {
		t.Errorf("committed is that %s", sentence)
	}
	info, err := os.Stat(filepath.Join(c.dir, "refusals", c.id.ID.String()))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file of refusals: %v, %v", info, err)
	}
}

// A player's seat has twenty disputes open at a time. One that was opened is answered as before, a ruling makes room,
// and the umpire may type more.
func TestOpenDisputesAreBounded(t *testing.T) {
	c := newHost(t).openWith(replay.NewCampaign{Name: "quarrel", System: "awaw", Seed: "s95",
		Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"Britain"}}, {Name: "Ben", Sides: []string{"Japan"}}}})
	opens := func(n int, seat, by string) replay.Answer {
		t.Helper()
		a, err := c.hear(rules.Command{ID: fmt.Sprint("d", n), Seat: seat, Verb: campaign.VerbDispute,
			Body: []byte(fmt.Sprintf(`{"dispute":{"event":0,"claim":"no %d"%s}}`, n, by))})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := c.at().Next
	for n := range 20 {
		if a := opens(n, "Anna", ""); a.Verdict != rules.Allowed {
			t.Fatalf("dispute %d: %+v", n, a)
		}
	}
	if a := opens(20, "Anna", ""); a.Verdict != rules.Refused ||
		!strings.Contains(a.Violations[0].Message, "20 disputes of Anna wait") {
		t.Errorf("the 21st: %+v", a)
	}
	if a := opens(7, "Anna", ""); a.Verdict != rules.Allowed || !a.Again {
		t.Errorf("one of them again: %+v", a)
	}
	if a, b := opens(30, "Ben", ""), opens(31, campaign.UmpireSeat, `,"by":"Anna"`); a.Verdict != rules.Allowed ||
		b.Verdict != rules.Allowed {
		t.Errorf("of others: %+v, %+v", a, b)
	}
	for i := range uint64(2) {
		c.must(fmt.Sprintf("entries:\n  - {id: r%d, ruling: {dispute: %d, ruling: upheld, reason: so it is}}", i,
			first+i))
	}
	if a := opens(21, "Anna", ""); a.Verdict != rules.Allowed {
		t.Errorf("when there is room: %+v", a)
	}
}

// The last 200 refusals are kept, also by who begins anew, and also behind a line cut short.
func TestRefusalsAreBounded(t *testing.T) {
	c := newHost(t).open("bounded", "s95", nil)
	refuse := func(n int) {
		a, err := c.hear(rules.Command{ID: fmt.Sprint("no ", n), Seat: campaign.UmpireSeat, Verb: "draw",
			Body: []byte(`{"draw":"Enigma"}`)})
		if err != nil || a.Verdict != rules.Refused {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	path := filepath.Join(c.dir, "refusals", c.id.ID.String())
	for n := range 450 {
		if refuse(n); n == 300 {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString(`{"command":"half`)
			}
			if err != nil || f.Close() != nil {
				t.Fatal(err)
			}
			c.replaceUmpire()
		}
	}
	list, err := replay.NewRefusals(filepath.Dir(path)).List(c.id.ID)
	if err != nil || len(list) != 200 || list[0].Command != "no 250" || list[199].Command != "no 449" {
		t.Fatalf("%d refusals, %v", len(list), err)
	}
	for i, x := range list {
		if x.Command != fmt.Sprint("no ", 250+i) || len(x.Violations) != 1 || x.Verb != "draw" {
			t.Errorf("refusal %d is %+v", i, x)
		}
	}
	text, err := os.ReadFile(path)
	if lines := bytes.Count(text, []byte("\n")); err != nil || lines > 400 {
		t.Errorf("%d lines, %v", lines, err)
	}
}

// Earlier versions left the ids of the rules in the clear beside what was said of them, which was sealed: that
// is read as ever. An opening, or a disclosure in the record, tells the whole.
func TestDocketUnseals(t *testing.T) {
	clear := []events.Citation{{Rule: "AWAW-48.11-D"}}
	for name, violations := range map[string][]events.Citation{"earlier": clear, "now": nil} {
		var d campaign.Docket
		v := lengthy(13)
		p := &events.DisputeOpened{Event: 7, Refused: "p1", Claim: "no", Violations: violations}
		d.Add(&events.Event{Index: 8, Type: p.Type(), Payload: events.EncodePayload(p),
			Commitments: []events.Commitment{{Slot: "entry"}, {Slot: "violations"}}})
		x, _ := d.Dispute(v, 8)
		if !slices.Equal(x.Sealed, []string{"entry", "violations"}) ||
			x.Broke("awaw-48.11-d", 9) != (violations != nil) {
			t.Errorf("%s: %+v", name, x)
		}
		const fact = `[{"rule":"AWAW-48.11-D","message":"too late"}]`
		held := x
		held.Unseal([]events.Opening{{Index: 8, Slot: "violations", Fact: fact},
			{Index: 9, Slot: "entry", Fact: "another's"}})
		if len(held.Claim.Violations) != 1 || held.Claim.Violations[0].Step != "too late" ||
			!slices.Equal(held.Sealed, []string{"entry"}) || held.Claim.Entry != "" {
			t.Errorf("%s, with the opening: %+v", name, held)
		}
		o := &events.Opened{Event: 8, Slot: "violations", Fact: fact}
		d.Add(&events.Event{Index: 12, Type: o.Type(), Payload: events.EncodePayload(o)})
		x, _ = d.Dispute(v, 8)
		if x.Claim.Violations[0].Step != "too late" || !x.Broke("AWAW-48.11-D", 13) || x.Broke("AWAW-48.11-D", 12) &&
			violations == nil {
			t.Errorf("%s, disclosed: %+v", name, x)
		}
	}
}

// lengthy gives a view of so many events that name nothing.
func lengthy(n uint64) history.View {
	var x history.Index
	for i := range n {
		x.Add(&events.Event{Index: i})
	}
	return x.Head()
}

// A dispute whose ruling does not stand is open again, one that was voided is none, and what voids
// the voiding brings it back.
func TestDocket(t *testing.T) {
	var d campaign.Docket
	var x history.Index
	for i := range uint64(5) {
		x.Add(&events.Event{Index: i})
	}
	add := func(p events.Payload) {
		e := &events.Event{Index: x.Head().Len(), Type: p.Type(), Seat: "Anna", Payload: events.EncodePayload(p)}
		d.Add(e)
		x.Add(e)
	}
	is := func(index uint64, open bool) {
		t.Helper()
		if is, ok := d.Dispute(x.Head(), index); !ok || is.Open() != open {
			t.Errorf("after %d events: %+v, open %t is wanted", x.Head().Len(), is, open)
		}
	}
	add(&events.DisputeOpened{Event: 3, Claim: "no", Rule: "AAR-4-CAP"})
	add(&events.StatementMade{Dispute: 5, Text: "well"})
	add(&events.EvidenceBrought{Dispute: 5, Events: []uint64{2}})
	add(&events.PhaseAdvanced{Phase: "income"})
	is(5, true)
	add(&events.DisputeRuled{Dispute: 5, Ruling: events.RulingPrecedent, Rules: []string{"AAR-4-CAP", "AAR-4-RANGE"},
		Scope: events.ScopeLeague})
	is(5, false)
	add(&events.Voided{Events: []uint64{9}})
	is(5, true)
	add(&events.Voided{Events: []uint64{10}})
	is(5, false)
	of, _ := d.Dispute(x.Head(), 5)
	if !of.Contests(3) || of.Contests(5) || !of.Precedent() || !of.TurnsOn("aar-4-range") || of.TurnsOn("AAR-4") ||
		len(of.Rules()) != 2 || len(of.Statements) != 1 || len(of.Evidence) != 1 {
		t.Errorf("%+v", of)
	}
	add(&events.Voided{Events: []uint64{5}})
	if list := d.Disputes(x.Head()); len(list) != 0 {
		t.Errorf("a voided dispute is there: %+v", list)
	}
}
