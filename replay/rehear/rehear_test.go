package rehear_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// ambush is a ruling that needs every kind of answer: a roll, a draw, another roll, and a choice in secret.
type ambush struct{}

func (g ambush) Evolve(*events.Event, []events.Opening) rules.Game { return g }

func (ambush) TurnNow() (events.Turn, string) { return events.Turn{}, "" }

func (ambush) Decide(_ rules.Command, h *rules.Hearing) {
	h.Cite("RULE-1", "both sides search")
	search, ok := h.Roll("Japan", &events.RollDeclared{Purpose: "search", Throws: []events.Throw{
		{Name: "a", Side: "Japan", Dice: 2, Sides: 6}, {Name: "b", Side: "Britain", Dice: 1, Sides: 6},
	}})
	if !ok {
		return
	}
	drawn, ok := h.Draw("Britain", &events.DrawDeclared{Deck: "Ultra", Count: 2, PoolSize: 9})
	if !ok {
		return
	}
	if _, ok := rules.Value(h, drawn); !ok {
		return
	}
	fire, ok := h.Roll("Britain", &events.RollDeclared{Purpose: "fire",
		Throws: []events.Throw{{Name: "c", Side: "Britain", Dice: 3, Sides: 10}}})
	if !ok {
		return
	}
	chosen, ok := h.ChooseInSecret(&events.ChoiceAsked{Of: "Japan", Question: "withdraw?",
		Options: []string{"yes", "no"}})
	if !ok {
		return
	}
	h.Cite("RULE-2", "what was found, and what fell")
	h.Record("Britain", &events.FactReported{Fact: "losses", Number: search[0][0] + fire[0][0]})
	if options, ok := rules.Value(h, chosen); ok {
		h.Record("Japan", &events.PhaseAdvanced{Phase: options[0]})
	}
}

// ruling is a system of one ruling.
type ruling func(h *rules.Hearing)

func (r ruling) Evolve(*events.Event, []events.Opening) rules.Game { return r }
func (ruling) TurnNow() (events.Turn, string)                      { return events.Turn{}, "" }
func (r ruling) Decide(_ rules.Command, h *rules.Hearing)          { r(h) }

var campaign = ulid.MustParse("01JD0000000000000000000000")

// chains gives a host's chains with the first links spent.
func chains(spent map[string]uint64) rehear.Chain {
	taken := map[string]uint64{}
	return rehear.Chain{Campaign: campaign, Epoch: 1, Next: func(name string) (events.Source, events.Hash, error) {
		taken[name]++
		s := events.Source{Chain: name, Position: spent[name] + taken[name]}
		return s, link(s), nil
	}}
}

// link is the link at a source.
func link(s events.Source) events.Hash {
	return chance.NewChain(chance.ChainSeed(events.Hash{7}, campaign, 1, s.Chain), 100).Link(s.Position)
}

// drawn repeats a draw from its link.
func drawn(e *events.Event, p *events.DrawDeclared) (rules.Answer, error) {
	return rehear.SampleDraw(link(p.Source), chance.ByIndex.Draw(campaign, 1, e.Index, 0), p)
}

func place(n int) uint64 { return 20 + uint64(n) }

func run(t *testing.T, s rules.Source) rules.Outcome {
	t.Helper()
	o, err := rehear.Run(ambush{}, rules.Command{ID: "x"}, s, place)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// recorded makes events of drafts, and what opens their commitments.
func recorded(drafts []rules.Draft) (list []events.Event, known rehear.Openings) {
	known = rehear.Openings{}
	for i, d := range drafts {
		e := events.Event{
			Index: place(i), Type: d.Payload.Type(), Side: d.Side, Payload: events.EncodePayload(d.Payload),
			Derivation: d.Derivation,
		}
		for _, s := range d.Secrets {
			fact, _ := s.Fact.Get()
			e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot})
			known[events.Ref{Index: e.Index, Slot: s.Slot}] = events.Opening{Index: e.Index, Slot: s.Slot, Fact: fact}
		}
		list = append(list, e)
	}
	return list, known
}

// played is the ruling as it goes in play: its events, and the answers that they record.
func played(t *testing.T) ([]events.Event, rehear.Openings, []rules.Answer) {
	t.Helper()
	choice := rules.Given(rules.Answer{Options: []string{"no"}})
	o := run(t, rehear.FirstOf(choice, chains(nil)))
	if o.Verdict != rules.Allowed || choice.Left() != 0 {
		t.Fatalf("%+v", o)
	}
	list, known := recorded(o.Drafts)
	answers, err := rehear.Recorded(list, known, drawn)
	if err != nil || len(answers) != 4 {
		t.Fatalf("%+v, %v", answers, err)
	}
	return list, known, answers
}

// TestDeclines: where a source has no answer the next is asked, and where none has, the judgement waits.
func TestDeclines(t *testing.T) {
	o := run(t, chains(nil))
	if o.Verdict != rules.Asked || o.Need.Choice == nil || len(o.Drafts) != 7 {
		t.Errorf("a chain chooses: %+v", o)
	}
	if o := run(t, rules.Given()); o.Need == nil || o.Need.Roll == nil || len(o.Drafts) != 1 {
		t.Errorf("dice of nobody: %+v", o)
	}
	table := chains(nil)
	table.Attested = true
	o = run(t, rehear.FirstOf(rules.Given(rules.Answer{Positions: []int{1}}), table)) // an answer to something else
	if r := o.Drafts[0].Payload.(*events.RollDeclared); o.Need.Roll != r || r.Mode != rehear.Attested ||
		r.Sources != nil {
		t.Errorf("dice of a table: %+v", r)
	}
	typed := rules.Answer{Dice: [][]int{{1, 6}, {3}}, Typed: "umpire", Confirmed: "Anna"}
	o = run(t, rehear.FirstOf(rules.Given(typed), table))
	if p := o.Drafts[2].Payload.(*events.DiceRolled); p.Typed != "umpire" || p.Confirmed != "Anna" || p.Links != nil ||
		o.Need.Roll == nil {
		t.Errorf("%+v", p)
	}
}

// TestRecordedThenChain: wherever a record is cut between two answers, it is completed to what play made of it.
func TestRecordedThenChain(t *testing.T) {
	list, _, answers := played(t)
	for n := range answers {
		spent := map[string]uint64{}
		for _, a := range answers[:n] {
			if a.Dice != nil {
				spent[chance.Dice]++
			} else {
				spent[chance.Draws("Britain")]++
			}
		}
		given, last := rules.Given(answers[:n]...), rules.Given(answers[3])
		o := run(t, rehear.FirstOf(given, chains(spent), last))
		again, _ := recorded(o.Drafts)
		if given.Left() != 0 || len(again) != len(list) {
			t.Fatalf("after %d answers: %+v", n, o)
		}
		for i := range list {
			own := 0 // what was declared before is recorded, and not made again
			for _, a := range answers[:n] {
				own += map[bool]int{true: 1 + len(a.Dice), false: 1}[a.Dice != nil]
			}
			if i >= own && !reflect.DeepEqual(again[i], list[i]) {
				t.Errorf("after %d answers: %+v, in play %+v", n, again[i], list[i])
			}
		}
		if found, _ := rehear.Compare(rehear.Recording{Events: list}, o.Drafts, false); len(found) > 0 {
			t.Errorf("after %d answers: %v", n, found)
		}
	}
}

// TestCompare finds what is otherwise, and what is derived in its place.
func TestCompare(t *testing.T) {
	list, known, answers := played(t)
	answers[2].Dice[0][0]++
	drafts := run(t, rules.Given(answers...)).Drafts
	found, instead := rehear.Compare(rehear.Recording{Events: list, Known: known}, drafts, false)
	var fields []string
	for _, f := range found {
		fields = append(fields, string(f.Type)+" "+f.Field+" "+f.Rule)
	}
	if got := strings.Join(fields, "; "); !strings.HasPrefix(got, "dice_rolled dice[0]") ||
		!strings.HasSuffix(got, "fact_reported number RULE-2") || len(instead) != 2 {
		t.Errorf("%s; instead %v", got, instead)
	}
	found, instead = rehear.Compare(rehear.Recording{Events: list[:4], Known: known}, drafts, false)
	if last := list[3].Index; len(found) != 1 || found[0].Recorded != "nothing more" ||
		len(instead[last]) != len(drafts)-3 {
		t.Errorf("%v; instead %v", found, instead)
	}
	found, instead = rehear.Compare(rehear.Recording{Events: list, Known: known}, drafts[:1], false)
	if len(found) != 1 || found[0].Derived != "nothing more" || len(instead) != len(list)-1 {
		t.Errorf("%v; instead %v", found, instead)
	}
	if found, _ := rehear.Compare(rehear.Recording{Events: list[:1], Known: known}, drafts, true); len(found) > 0 {
		t.Errorf("a hearing that waits: %v", found)
	}
}

// TestSealed: an answer that is sealed to the reader accuses nobody, and the outcome names what it rests on.
func TestSealed(t *testing.T) {
	list, known, _ := played(t)
	blind := func(*events.Event, *events.DrawDeclared) (rules.Answer, error) {
		return rules.Answer{}, rehear.ErrUnknown
	}
	for name, x := range map[string]struct {
		known  rehear.Openings
		drawn  rehear.Drawn
		sealed events.Ref
		cut    int
	}{
		"choice": {nil, drawn, events.Ref{Index: place(7), Slot: rules.SlotChoice}, 9},
		"draw":   {known, blind, events.Ref{Index: place(3), Slot: rules.SlotLink}, 4},
	} {
		answers, err := rehear.Recorded(list, x.known, x.drawn)
		if err != nil {
			t.Fatal(err)
		}
		o := run(t, rules.Given(answers...))
		if len(o.Sealed) != 1 || o.Sealed[0] != x.sealed || !o.Cut || len(o.Drafts) != x.cut {
			t.Errorf("%s: sealed %v, %d drafts, cut %t", name, o.Sealed, len(o.Drafts), o.Cut)
		}
		if found, _ := rehear.Compare(rehear.Recording{Events: list[:len(o.Drafts)], Known: x.known}, o.Drafts,
			false); len(found) > 0 {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestBroken: what fails, and what breaks the contract of a system, is an error and no outcome.
func TestBroken(t *testing.T) {
	lost := errors.New("the chain is lost")
	broken := chains(nil)
	broken.Next = func(string) (events.Source, events.Hash, error) { return events.Source{}, events.Hash{}, lost }
	if _, err := rehear.Run(ambush{}, rules.Command{}, broken, place); !errors.Is(err, lost) {
		t.Errorf("%v", err)
	}
	die := func() *events.RollDeclared {
		return &events.RollDeclared{Throws: []events.Throw{{Name: "a", Dice: 1, Sides: 6}}}
	}
	for want, r := range map[string]ruling{
		"more than 10,000 answers": func(h *rules.Hearing) {
			for ok := true; ok; {
				_, ok = h.Roll("Japan", die())
			}
		},
		"a ruling is asked for after dice fell": func(h *rules.Hearing) {
			h.Roll("Japan", die())
			h.Refer(rules.Command{Body: []byte(`{}`)}, &events.Referred{Option: "o"})
		},
		"two secrets in slot": func(h *rules.Hearing) {
			for range 2 {
				h.Record("Japan", &events.PhaseAdvanced{}).Secrets = []rules.Secret{{Slot: "points"}}
			}
		},
	} {
		chain := chains(nil)
		chain.Next = func(name string) (events.Source, events.Hash, error) {
			return events.Source{Chain: name, Position: 1}, events.Hash{1}, nil
		}
		if _, err := rehear.Run(r, rules.Command{ID: "x"}, chain, place); err == nil || !strings.Contains(err.Error(),
			want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
