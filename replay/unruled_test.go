package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
)

// Every event of play is one that the rules lead to: none passes as what belongs to an epoch, or in the place of
// another behind the word of which rules go on.
func TestUnruled(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("unruled", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n")
	f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
	fact := list[len(list)-1]
	var opened events.CampaignOpened
	list[0].Read(&opened)
	is := events.EncodePayload(&events.RulesChanged{Was: opened.Rules, Rules: opened.Rules, Requires: opened.Requires})
	rules := with(fact, func(e *events.Event) {
		e.Type, e.Payload, e.Command, e.Request = "rules_changed", is, "rules/5", `{"verb":"rules","entry":{}}`
	})
	another := with(fact, func(e *events.Event) {
		e.Payload, e.Command = events.EncodePayload(&events.FactReported{Fact: "usjt", Number: 44}), "another"
	})
	cases := map[string][]events.Event{"by another program": {rules}}
	for _, p := range []events.Payload{&events.FactReported{Fact: "usjt", Number: 44}, &events.CardAdded{Deck: "Ultra"},
		&events.UnitsLost{Power: "Germany"}, &events.WarDeclared{By: "Germany", On: "United States"}} {
		cases["of an epoch: "+string(p.Type())] = []events.Event{with(fact, func(e *events.Event) {
			e.Type, e.Payload, e.Command, e.Request = p.Type(), events.EncodePayload(p), "epoch/2",
				`{"verb":"epoch","entry":{}}`
		})}
	}
	for name, request := range map[string]string{"": "", "with a request": `{"verb":"correct","entry":{}}`} {
		cases["corrects "+name] = []events.Event{rules, with(another, func(e *events.Event) {
			e.Corrects, e.Request = fact.Index, request
			if request == "" {
				e.Command = "rules/5"
			}
		})}
		cases["replaces "+name] = []events.Event{rules, with(another, func(e *events.Event) {
			e.Replaces, e.Request = fact.Index, request
			if request == "" {
				e.Command = "rules/5"
			}
		})}
	}
	cases["rules that correct"] = []events.Event{with(rules, func(e *events.Event) { e.Corrects = fact.Index })}
	cases["rules of a side"] = []events.Event{with(rules, func(e *events.Event) { e.Side = "Japan" })}
	for name, more := range cases {
		found := c.found(rechained(f, append(slices.Clone(list), more...)))
		if honest := name == "by another program"; honest != (len(found) == 0) {
			t.Errorf("%s: %q", name, found)
		}
	}
}

// The step that opens a campaign takes seats, and plays nothing.
func TestUnruledOpening(t *testing.T) {
	t.Parallel()
	for _, signed := range []bool{false, true} {
		c := newHost(t).openWith(replay.NewCampaign{Name: "unruled", System: "awaw", Seats: atTable["awaw"],
			Signed: signed})
		f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
		for _, p := range []events.Payload{&events.FactReported{Fact: "usjt", Number: 44}, &events.TurnAdvanced{},
			&events.UnitsLost{Power: "Germany"}, &events.WarDeclared{By: "Germany", On: "United States"}} {
			x := with(list[indexOf(t, list, "seat_taken")], func(e *events.Event) {
				e.Type, e.Payload = p.Type(), events.EncodePayload(p)
			})
			for at := 1; at <= len(list); at++ {
				forged := rechained(f, slices.Insert(slices.Clone(list), at, x))
				if found := c.found(forged); len(found) == 0 {
					t.Errorf("%s at #%d, signed %t: nothing is found", p.Type(), at, signed)
				}
				envelopes := 0
				for _, x := range forged.Check(bundle.Options{}).Findings {
					if x.Check == bundle.CheckEnvelopes {
						envelopes++
					}
				}
				if signed != (envelopes > 0) {
					t.Errorf("%s at #%d, signed %t: %d findings without the rules", p.Type(), at, signed, envelopes)
				}
			}
		}
	}
}

// What somebody says in a dispute is what the entry says, whatever else that has.
func TestUnsaid(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("unsaid", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: d, dispute: {event: 3, claim: it was Spring}}\n" +
		"  - {id: s, statement: {dispute: 4, text: it was}}\n")
	f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
	at := len(list) - 1
	for _, request := range []string{list[at].Request, "", `{"verb":"statement","entry":{"statement":5}}`,
		`{"verb":"statement","entry":{"statement":{"dispute":4,"text":"it was"},"x":"y"}}`} {
		for _, says := range []string{"it was", "it was not"} {
			own := slices.Clone(list)
			own[at].Request = request
			own[at].Payload = events.EncodePayload(&events.StatementMade{Dispute: 4, Text: says})
			found := c.found(rechained(f, own))
			if said := strings.Contains(request, says+`"`); said != (len(found) == 0) {
				t.Errorf("%s leads to %q: %q", request, says, found)
			}
		}
	}
}

// with is an event after a change.
func with(e events.Event, change func(*events.Event)) events.Event {
	change(&e)
	return e
}
