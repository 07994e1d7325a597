// Package sums says what the sums of a table are made of: which events, and how much each adds.
//
//	t = sums.MadeOf(t, "Made of", "income", false, parts, "Net")
//
// Each figure in the column Net leads to a cell below its row, "#12 +16, #57 +11". Of many events the last twenty are
// named, and those before them counted and added up. Where the parts come from is the caller's business.
package sums

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
)

// Part is what one event adds to a sum.
type Part struct {
	Event  uint64
	Label  string // stands before the values: "purchase", "16 + 5 − 4 ="
	Values []int64
}

// Most is how many events of a sum are named.
const Most = 20

// partsOf lists the parts of a sum where the sum's figures lead, under an id: the last of them one by one,
// those before them counted and added up. bare values are written without a sign: "2/5".
func partsOf(id string, list []Part, bare bool) document.Text {
	if len(list) == 0 {
		return nil
	}
	out := document.Text{document.Span{ID: id}}
	if n := len(list) - Most; n > 0 {
		before := make([]int64, len(list[0].Values))
		for _, p := range list[:n] {
			for i, v := range p.Values {
				before[i] += v
			}
		}
		out = append(out, document.Span{Text: words.Count(n, "event") + " before",
			To: document.Link{Kind: document.ToEvents, Event: list[0].Event}},
			plain(" "+values(before, bare)))
		list = list[n:]
	}
	for _, p := range list {
		if len(out) > 1 {
			out = append(out, plain(", "))
		}
		out = append(out, document.Event(p.Event))
		if p.Label != "" {
			out = append(out, plain(" "+p.Label))
		}
		out = append(out, plain(" "+values(p.Values, bare)))
	}
	return out
}

// MadeOf adds a column of what the sums of each row are made of, and links the sums to it. id begins its cells' ids.
func MadeOf(t document.Table, column, id string, bare bool, parts func(row int) []Part, sums ...string) document.Table {
	t.Columns = append(slices.Clone(t.Columns), document.Column{Name: column, Kind: document.Below})
	for n, row := range t.Rows {
		id, list := fmt.Sprintf("made-%s-%d", id, n), parts(n)
		for i := range row {
			if !slices.Contains(sums, t.Columns[i].Name) {
				continue
			}
			t.Columns[i].Kind = document.Figures
			if len(list) > 0 {
				row[i] = document.Text{{Text: row[i].String(), To: document.Link{Kind: document.ToPart, Name: id}}}
			}
		}
		t.Rows[n] = append(row, partsOf(id, list, bare))
	}
	return t
}

// values are "+5", or of several bare ones "2/5".
func values(list []int64, bare bool) (s string) {
	for i, n := range list {
		if i > 0 {
			s += "/"
		}
		if bare {
			s += fmt.Sprint(n)
		} else {
			s += words.Modifier(n)
		}
	}
	return s
}

// Movements are the parts of what a treasury has in hand. What the first figure stated implies comes first.
func Movements(t *income.Treasury) (list []Part) {
	for i, m := range t.Movements {
		if i == 0 && m.What != "opening" && t.Opening != 0 {
			list = append(list, Part{m.Event, "implies at the opening", []int64{t.Opening}})
		}
		list = append(list, Part{m.Event, narrator.Movement(m.What), []int64{m.Change + m.Adjusted}})
	}
	return list
}

func plain(text string) document.Span { return document.Span{Text: text} }
