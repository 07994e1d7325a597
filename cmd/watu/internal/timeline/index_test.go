package timeline

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// written gives events of a campaign, a payload each; what is no payload is the event to correct.
func written(payloads ...any) []events.Event {
	var list []events.Event
	corrects := uint64(0)
	for _, p := range payloads {
		switch p := p.(type) {
		case int:
			corrects = uint64(p)
		case events.Payload:
			e := events.Event{Index: uint64(len(list)), Corrects: corrects, Type: p.Type(),
				Payload: events.EncodePayload(p)}
			list, corrects = append(list, e), 0
		}
	}
	return list
}

func TestMarks(t *testing.T) {
	it := newIndex()
	list := written(
		&events.CampaignOpened{},
		// #1
		&events.RollDeclared{Throws: []events.Throw{{Name: "a", Dice: 3, Sides: 6}, {Name: "b", Dice: 1, Sides: 6}}},
		&events.DiceRolled{Declared: 1, Throw: "a", Dice: []int{6, 6, 5}},
		&events.DiceRolled{Declared: 1, Throw: "b", Dice: []int{6}},
		&events.ResultAdjudicated{Declared: 1}, // #4
		&events.DisputeOpened{Event: 4, Claim: "the cap", Rule: "AAR-4-CAP"},
		4, &events.ResultAdjudicated{Declared: 1}, // #6
		&events.DisputeRuled{Dispute: 5, Ruling: events.RulingCorrected},
		&events.DisputeOpened{Event: 4, Claim: "again"},
		&events.Voided{Events: []uint64{4, 6}}, // #9
		&events.DisputeRuled{Dispute: 8, Ruling: events.RulingVoid},
		&events.DisputeOpened{Event: 10, Claim: "a refusal", Refused: "x"},
		&events.ResultAdjudicated{Declared: 1}, // #12
	)
	list[12].Replaces = 6
	for i := range list {
		it.add(&list[i])
	}
	for _, c := range []struct {
		at    uint64
		event int
		want  []Mark
	}{
		{5, 4, []Mark{
			{Kind: MarkDisputed, By: 5, Ruling: "corrected", Ruled: 7, Later: true},
			{Kind: MarkDisputed, By: 8, Ruling: "void", Ruled: 10, Later: true},
			{Kind: MarkCorrected, By: 6, Later: true}, {Kind: MarkVoided, By: 9, Later: true},
		}},
		{7, 4, []Mark{
			{Kind: MarkDisputed, By: 5}, {Kind: MarkDisputed, By: 8, Ruling: "void", Ruled: 10, Later: true},
			{Kind: MarkCorrected, By: 6}, {Kind: MarkVoided, By: 9, Later: true},
		}},
		{12, 4, []Mark{
			{Kind: MarkDisputed, By: 5, Ruling: "corrected", Ruled: 7}, {Kind: MarkDisputed, By: 8, Ruling: "void",
				Ruled: 10},
			{Kind: MarkCorrected, By: 6}, {Kind: MarkVoided, By: 9},
		}},
		{12, 6, []Mark{{Kind: MarkVoided, By: 9}, {Kind: MarkReplaced, By: 12, Later: true}}},
		{13, 6, []Mark{{Kind: MarkVoided, By: 9}, {Kind: MarkReplaced, By: 12}}},
		{12, 10, nil}, // a refusal behind it is disputed, not it
		{12, 1, nil},
	} {
		if got := it.marks(c.at)(&list[c.event]); !reflect.DeepEqual(got, c.want) {
			t.Errorf("#%d after %d events: %+v, want %+v", c.event, c.at, got, c.want)
		}
	}
	for at, want := range map[uint64]int{5: 0, 6: 1, 7: 1, 8: 0, 9: 1, 11: 0, 12: 1} {
		if got := it.open(at); len(got) != want {
			t.Errorf("after %d events %d disputes are open: %+v", at, want, got)
		}
	}
	far := big.NewRat(5, 100)
	if u := it.fell(2, far); u == nil || u.Sum != 17 || u.Mean != 10.5 || u.Chance*216 < 7.999 || u.Chance*216 > 8.001 {
		t.Errorf("17 of three dice: %+v", u)
	}
	if u := it.fell(3, far); u != nil {
		t.Errorf("a six is told as far from expectation: %+v", u)
	}
	if u := it.fell(3, big.NewRat(1, 3)); u == nil {
		t.Error("a six is not told at one chance in three")
	}
}

// A ruling that is voided is none, and what it corrected is not told as corrected: from the moment on at which it was.
func TestMarksOfVoidedRuling(t *testing.T) {
	it := newIndex()
	list := written(
		&events.CampaignOpened{},
		&events.ResultAdjudicated{},     // #1
		&events.DisputeOpened{Event: 1}, // #2
		&events.DisputeRuled{Dispute: 2, Ruling: events.RulingCorrected},
		&events.Corrected{Event: 1},          // #4
		1, &events.ResultAdjudicated{Net: 1}, // #5
		&events.DisputeOpened{Event: 3}, // #6
		&events.DisputeRuled{Dispute: 6, Ruling: events.RulingVoid},
		&events.Voided{Events: []uint64{3, 4, 5}, Scope: events.VoidRuling}, // #8
	)
	for i := range list {
		it.add(&list[i])
	}
	for at, want := range map[uint64][]Mark{
		6: {{Kind: MarkDisputed, By: 2, Ruling: "corrected", Ruled: 3}, {Kind: MarkCorrected, By: 5}},
		9: {{Kind: MarkDisputed, By: 2}},
	} {
		if got := it.marks(at)(&list[1]); !reflect.DeepEqual(got, want) {
			t.Errorf("after %d events: %+v, want %+v", at, got, want)
		}
	}
	for at, want := range map[uint64]uint64{3: 2, 7: 6, 9: 2} {
		if open := it.open(at); len(open) != 1 || open[0].Dispute != want {
			t.Errorf("after %d events %+v are open, not #%d", at, open, want)
		}
	}
}

// Steps lead from stop to stop, either way, and nowhere else.
func TestSteps(t *testing.T) {
	it := Index{Events: 20, turns: []uint64{3, 12}, phases: []uint64{3, 5, 9, 12, 15},
		disputes: []uint64{6, 10}}
	for _, by := range []string{byEvent, byPhase, byTurn, byDispute, byUnlikely} {
		var there []uint64
		for at, ok := it.step(by, 0, false, farthest); ok; at, ok = it.step(by, at, false, farthest) {
			there = append(there, at)
		}
		i := len(there)
		for at, ok := it.step(by, 21, true, farthest); ok; at, ok = it.step(by, at, true, farthest) {
			if i--; i < 0 || there[i] != at {
				t.Fatalf("by %s there are %v, and back comes %d", by, there, at)
			}
		}
		if i != 0 {
			t.Errorf("by %s %d stops are left out on the way back", by, i)
		}
	}
	for _, c := range []struct {
		by       string
		at, want uint64
		back     bool
	}{{byTurn, 4, 12, false}, {byTurn, 12, 20, false}, {byTurn, 12, 3, true}, {byTurn, 13, 12, true},
		{byDispute, 0, 7, false}, {byDispute, 8, 7, true}} {
		if got, ok := it.step(c.by, c.at, c.back, farthest); !ok || got != c.want {
			t.Errorf("by %s from %d: %d, want %d", c.by, c.at, got, c.want)
		}
	}
}

var farthest = big.NewRat(1, 20)
