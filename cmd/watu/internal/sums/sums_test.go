package sums

import (
	"testing"

	"github.com/watu-ledger/watu/projections/document"
)

// The last twenty events of a sum are named, those before them are added up.
func TestMadeOf(t *testing.T) {
	var list []Part
	for i := range 22 {
		list = append(list, Part{Event: uint64(i + 1), Label: "raid", Values: []int64{2}})
	}
	x := document.Table{Columns: document.Columns("Power", "Net"), Rows: [][]document.Text{document.Row("Japan", 44)}}
	x = MadeOf(x, "Made of", "income", false, func(int) []Part { return list }, "Net")
	sum, made := x.Rows[0][1], x.Rows[0][2]
	if len(sum) != 1 || sum[0].To != (document.Link{Kind: document.ToPart, Name: "made-income-0"}) ||
		x.Columns[2].Kind != document.Below {
		t.Errorf("the sum is %+v", x)
	}
	const want = "2 events before +4, #3 raid +2, #4 raid +2"
	if got := made.String(); len(got) < len(want) || got[:len(want)] != want {
		t.Error(got)
	}
	if got := values([]int64{2, -5}, true); got != "2/-5" {
		t.Error(got)
	}
}
