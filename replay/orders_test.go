package replay_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules"
)

// order signs a standing order on the record as it stands.
func (p signer) order(change func(o *envelope.Order)) string {
	p.t.Helper()
	k := p.command("any", nil)
	o := envelope.Order{Campaign: k.Campaign, Seat: p.name, Seen: k.Seen, NotAfter: k.NotAfter, Side: "European Axis",
		Answer: "pass"}
	if change != nil {
		change(&o)
	}
	text, err := o.Sign(p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	return text
}

// besieges has Anna's boats attack in a turn.
func (p signer) besieges(turn string) {
	p.t.Helper()
	p.must("turn: " + turn + "\nentries: []\n")
	p.signs(turn+"/d", "{id: d, draw: Ultra}")
	p.signs(turn+"/w", "{id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}")
}

func (p signer) signs(id, text string) {
	p.t.Helper()
	if a := p.enters(id, text); a.Verdict == rules.Refused {
		p.t.Fatalf("%s: %+v", text, a)
	}
}

// A standing order answers in its player's absence: what was open, and what is asked later. It stands in the record as
// what he signed, and nobody else can make an answer of it.
func TestStandingOrder(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	ben := anna.harness.signer("Ben", 2)
	for name, x := range map[string]struct{ want, text string }{
		"no envelope": {"no signed command", "{}"},
		"a command": {"its payload is", anna.sign(anna.command("a",
			[]byte(`{"verb":"a","entry":{}}`))).Envelope},
		"another key":      {"has no key", ben.order(func(o *envelope.Order) { o.Seat = "Ben" })},
		"another's name":   {"another key signed", ben.order(func(o *envelope.Order) { o.Seat = "Anna" })},
		"another's side":   {"does not speak for Britain", anna.order(func(o *envelope.Order) { o.Side = "Britain" })},
		"no side":          {"for no side", anna.order(func(o *envelope.Order) { o.Side = "" })},
		"another campaign": {"signed for campaign", anna.order(func(o *envelope.Order) { o.Campaign = "01" })},
		"expired": {"sign it again",
			anna.order(func(o *envelope.Order) { o.NotAfter = time.Unix(1, 0).UTC() })},
		"a longer record": {"older copy", anna.order(func(o *envelope.Order) { o.Seen.Events += 5 })},
		"a fork":          {"another record", anna.order(func(o *envelope.Order) { o.Seen.Root[0]++ })},
		"a book":          {"may have", anna.order(func(o *envelope.Order) { o.Answer = strings.Repeat("a", 5000) })},
	} {
		a, err := anna.umpire.HearOrder(anna.id.ID, x.text)
		said := ""
		if err != nil {
			said = err.Error()
		} else if a.Verdict == rules.Refused {
			said = a.Violations[0].Message
		}
		if !strings.Contains(said, x.want) {
			t.Errorf("%s: %q (%s)", name, said, a.Verdict)
		}
	}

	anna.besieges("Winter 1939")
	open := anna.now().Open
	if open == nil || open.Of() != "European Axis" {
		t.Fatalf("%+v", open)
	}
	order := anna.order(nil)
	a, err := anna.umpire.HearOrder(anna.id.ID, order)
	if err != nil || a.Ordered == 0 || anna.now().Open.Of() != "Britain" {
		t.Fatalf("%+v, %v; %+v", a, err, anna.now().Open)
	}
	anna.must("entries:\n  - {id: b, answer: {Britain: pass}}\n")
	anna.vouchedFor(t)
	f, err := bundle.Read(bytes.NewReader(anna.exported()))
	if err != nil {
		t.Fatal(err)
	}

	// The host cannot make another answer of it, nor an answer of another question after its time.
	for i, e := range anna.all() {
		if e.Signed != order {
			continue
		}
		for name, change := range map[string]func(){
			"payload": func() { e.Payload = e.Payload[:len(e.Payload)-1] }, "seat": func() { e.Seat = "Ben" },
			"side":    func() { e.Side = "Britain" },
			"command": func() { e.Command = "order/0" }, "signed": func() { e.Signed = "" },
			"request":  func() { e.Request = strings.Replace(e.Request, "pass", "submarine", 1) },
			"recorded": func() { e.Recorded = e.Recorded.Add(2 * time.Hour) },
		} {
			own := e
			change()
			if r := rehashed(t, f, i, e).Check(bundle.Options{}); (&r).Wrongs(bundle.CheckEnvelopes) == 0 {
				t.Errorf("%s of #%d: nothing is found", name, i)
			}
			e = own
		}
	}

	// What is asked while it stands is answered at once.
	anna.besieges("Spring 1940")
	if q := anna.now().Open; q == nil || q.Of() != "Britain" {
		t.Errorf("%+v", q)
	}
	anna.must("entries:\n  - {id: b, answer: {Britain: pass}}\n")

	// An empty answer withdraws it; the player answers himself then.
	withdrawn := anna.order(func(o *envelope.Order) { o.Answer = "" })
	if a, err := anna.umpire.HearOrder(anna.id.ID, withdrawn); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	anna.besieges("Summer 1940")
	if q := anna.now().Open; q == nil || q.Of() != "European Axis" {
		t.Errorf("%+v", q)
	}

	// Whoever reads the log has the order that answered there, and cannot put it back.
	a, err = anna.umpire.HearOrder(anna.id.ID, order)
	if err != nil || a.Verdict != rules.Refused ||
		!strings.Contains(a.Violations[0].Message, "has another order since") {
		t.Errorf("%+v, %v", a, err)
	}
	if q := anna.now().Open; q == nil || q.Of() != "European Axis" {
		t.Errorf("%+v", q)
	}
}
