package waterfall

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

func result(net int, modifiers []int, readings ...events.Reading) *events.ResultAdjudicated {
	r := &events.ResultAdjudicated{Net: net, Readings: readings}
	for _, m := range modifiers {
		r.Modifiers = append(r.Modifiers, events.Modifier{Name: "modifier", Value: m, Rule: "AAR-4-CAP"})
	}
	return r
}

// printed are the words of a table, and its bars.
func printed(x *Table) (text string) {
	if x == nil {
		return ""
	}
	for _, r := range x.Rows {
		for _, c := range r.Cells {
			text += fmt.Sprintf("%s[%d,%d] ", c.Text, c.At, c.At+c.Big)
		}
	}
	return text
}

// Modifiers lead from the dice to what is read: upwards for one side, and downwards for the other.
func TestSteps(t *testing.T) {
	x := Of(result(3, []int{1, 2}, events.Reading{Name: "submarines", Dice: []int{2, 5}, Total: 7, Modified: 10},
		events.Reading{Name: "asw", Dice: []int{2, 3}, Total: 5, Modified: 2}))
	want := "2+5=7[0,70] 2+3=5[0,50] +1[70,80] −1[40,50] +2[80,100] −2[20,40] 10[0,100] 2[0,20] "
	if got := printed(x); got != want || !x.Fits || x.Heads[1] != "asw" || !x.Rows[2].Cells[1].Less || !x.Rows[3].Sum {
		t.Errorf("%s, not %s: %+v", got, want, x)
	}
	below := Of(result(-3, []int{-3}, events.Reading{Dice: []int{1}, Total: 1, Modified: -2}))
	if got := printed(below); got != "1[66,100] −3[0,100] −2[0,66] " || !below.Fits {
		t.Errorf("below zero: %s", got)
	}
}

// What does not add up is said.
func TestMisfit(t *testing.T) {
	x := Of(result(2, []int{1, 2}, events.Reading{Dice: []int{4}, Total: 4, Modified: 6}))
	if x == nil || x.Fits {
		t.Errorf("1 and 2 come to 2: %+v", x)
	}
}

func TestNone(t *testing.T) {
	five := make([]events.Reading, most+1)
	for _, payload := range []any{nil, &events.DiceRolled{}, result(0, nil, events.Reading{}), result(1, []int{1}),
		result(1, []int{1}, five...)} {
		if x := Of(payload); x != nil {
			t.Errorf("%T: %+v", payload, x)
		}
	}
	left := Without([]document.Block{{Table: &document.Table{Title: "Modifiers"}}, {Table: &document.Table{}}, {}})
	if len(left) != 2 {
		t.Errorf("%d blocks are left", len(left))
	}
}
