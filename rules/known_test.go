package rules_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

func at(index uint64, slot string) events.Ref { return events.Ref{Index: index, Slot: slot} }

// TestKnown: what is made of facts is one; what is made of anything else is unknown, and rests on all that is sealed in
// it.
func TestKnown(t *testing.T) {
	five, points, more := rules.Fact(5), rules.Unknown[int](at(7, "points")),
		rules.Unknown[int](at(9, "points"), at(3, "points"))
	if n, known := rules.Plus(five, rules.Fact(-2)).Get(); !known || n != 3 {
		t.Errorf("5 - 2 is %d, known %t", n, known)
	}
	sum := rules.Plus(rules.Plus(rules.Plus(five, points), more), points)
	if _, known := sum.Get(); known || !slices.Equal(sum.Sealed(), []events.Ref{at(3, "points"), at(7, "points"),
		at(9, "points")}) {
		t.Errorf("a sum rests on %v, known %t", sum.Sealed(), known)
	}
	read := rules.Map(sum, func(int) string { t.Error("an unknown figure was computed with"); return "" })
	if _, known := read.Get(); known || len(read.Sealed()) != 3 || len(five.Sealed()) != 0 {
		t.Errorf("what is made of it rests on %v", read.Sealed())
	}
}

// TestHearingKnown: a check of what is unknown lets the judgement go on, a value ends it, and both say so in what is
// drafted behind them. What a check finds among facts is refused all the same.
func TestHearingKnown(t *testing.T) {
	points := rules.Unknown[int](at(7, "points"))
	broken := func(n int) (f rules.Findings) {
		if n < 3 {
			f.Violate("R", "there are only %d", n)
		}
		return f
	}
	h := hearing()
	h.Record("", &events.PhaseAdvanced{Phase: "movement"})
	h.Weigh(rules.Map(points, broken))
	h.Record("", &events.PhaseAdvanced{Phase: "combat"})
	if _, ok := rules.Value(h, rules.Unknown[int](at(8, "card"))); ok {
		t.Error("an unknown figure has a value")
	}
	o := h.Outcome()
	if o.Verdict != rules.Allowed || !o.Cut || len(o.Drafts) != 2 || len(o.Drafts[0].Sealed) != 0 ||
		!slices.Equal(o.Drafts[1].Sealed, []events.Ref{at(7, "points")}) {
		t.Errorf("%+v", o)
	}
	if !slices.Equal(o.Sealed, []events.Ref{at(7, "points"), at(8, "card")}) {
		t.Errorf("read were %v", o.Sealed)
	}
	h.Weigh(rules.Map(rules.Fact(2), broken))
	if o := h.Outcome(); o.Verdict != rules.Refused || len(o.Sealed) != 2 {
		t.Errorf("%+v", o)
	}
}

// TestHearingUnanswered: a draw whose link and a choice whose opening are not known are unknown, and what they commit
// to is. Dice are in every record.
func TestHearingUnanswered(t *testing.T) {
	draw, choice := &rules.Unanswered{Draw: true, At: at(4, rules.SlotLink)},
		&rules.Unanswered{At: at(5, rules.SlotChoice)}
	h := hearing(rules.Answer{Unknown: draw}, rules.Answer{Unknown: choice}, rules.Answer{Unknown: choice})
	positions, ok := h.Draw("Japan", &events.DrawDeclared{Count: 4, PoolSize: 8})
	if _, known := positions.Get(); known || !ok {
		t.Errorf("%v %t", positions, ok)
	}
	options, ok := h.ChooseInSecret(&events.ChoiceAsked{Of: "Japan"})
	if _, known := options.Get(); known || !ok {
		t.Errorf("%v %t", options, ok)
	}
	o := h.Outcome()
	if made := o.Drafts[len(o.Drafts)-1]; o.Cut || !slices.Equal(made.Sealed, []events.Ref{choice.At}) ||
		len(o.Drafts[0].Sealed) != 0 {
		t.Errorf("%+v", o)
	}
	if _, ok := h.Roll("Japan", &events.RollDeclared{Throws: []events.Throw{{Dice: 1, Sides: 6}}}); ok ||
		h.Outcome().Need == nil {
		t.Error("a roll took an unknown answer")
	}
	h = hearing(rules.Answer{Unknown: choice})
	if _, ok := h.Choose(&events.ChoiceAsked{Of: "Japan"}); ok || !h.Outcome().Cut {
		t.Error("an open choice goes on without its answer")
	}
}

// TestWithSealed: in a recorded entry a figure may be sealed, where a commitment of the command stands behind it. In
// play nobody may say so, and nothing else may be sealed.
func TestWithSealed(t *testing.T) {
	type entry struct {
		Allocate struct {
			Side   string            `json:"side"`
			Points *rules.Known[int] `json:"points"`
		} `json:"allocate"`
	}
	recorded := rules.Command{Verb: "allocate",
		Body: json.RawMessage(`{"allocate":{"points":{"sealed":"points"},"side":"Japan"}}`)}
	commitment := []events.Ref{at(7, "points")}
	for _, c := range []struct {
		command rules.Command
		refused string
	}{
		{recorded.WithSealed(commitment), ""},
		{recorded, "a object is given, a whole number is expected"},
		{recorded.WithSealed([]events.Ref{at(7, "card")}), "a object is given, a whole number is expected"},
		{rules.Command{Verb: "allocate", Body: recorded.WithSealed(commitment).Body},
			"allocate.points: a mapping is given, a whole number is expected"},
		{rules.Command{Verb: "allocate",
			Body: json.RawMessage(`{"allocate":{"side":{"sealed":"points"},"points":1}}`)}.WithSealed(commitment),
			"a name is expected"},
		{rules.Command{Verb: "allocate", Body: json.RawMessage(`{"sealed":"points"}`)}.WithSealed(commitment),
			`knows no`},
	} {
		var e entry
		h := hearing()
		ok := h.Read(c.command, &e)
		if ok != (c.refused == "") || !ok && !strings.Contains(h.Violations[0].Message, c.refused) {
			t.Errorf("%s: %t, %v", c.command.Body, ok, h.Violations)
		}
		if ok && !slices.Equal(e.Allocate.Points.Sealed(), commitment) {
			t.Errorf("%s: points rest on %v", c.command.Body, e.Allocate.Points.Sealed())
		}
	}
	for entry, whole := range map[string]bool{
		`{"sealed":"entry for x"}`: true, `{"sealed":"entry for x","event":3}`: true, string(recorded.Body): false,
		`{"sealed":1}`: false, `[]`: false,
	} {
		if rules.WhollySealed(json.RawMessage(entry)) != whole {
			t.Errorf("%s is sealed as a whole: %t", entry, !whole)
		}
	}
}
