package explain

import (
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/projections/document"
)

// territories breaks an income down by the territories that it was collected from.
func (e *evidence) territories() document.Section {
	s := document.Section{ID: "worth", Title: "Its territories on the board"}
	w := e.earnings
	if w == nil {
		return s
	}
	if len(w.Territories) == 0 {
		s.Paragraph(fmt.Sprintf("They come to %d. %s", w.Board, w.Why))
		return s
	}
	t := sums("Held by " + w.Treasury + " right before")
	for _, x := range w.Territories {
		since := document.Plainly("since the set-up")
		if x.Event != 0 {
			since = document.Concat("since ", document.Event(x.Event))
		}
		t.Add(x.IPCs, x.Territory, since)
	}
	t.Add(document.Span{Text: fmt.Sprint(w.Board), Mark: document.Sum}, "IPCs in all")
	s.Table(t)
	return s
}

// treasuries shows what the event did to what is in hand.
func (e *evidence) treasuries() document.Section {
	s := document.Section{ID: "hands", Title: "In hand"}
	if e.Event.Index == 0 {
		return s // the section of the opening lists them
	}
	for _, h := range e.balances {
		t := sums(h.Treasury + ", in IPCs")
		before := document.Plainly("nothing was recorded of it before")
		if h.Said {
			before = document.Concat(document.Event(h.By))
		}
		t.Add(h.Before, "before", before)
		if h.Change != 0 || h.Adjusted == 0 {
			t.Add(added(h.Change), narrator.Movement(h.What))
		}
		if h.Adjusted != 0 {
			t.Add(added(h.Adjusted), "as it is stated here")
		}
		t.Add(document.Span{Text: fmt.Sprint(h.Now), Mark: document.Sum}, "now")
		s.Table(t)
	}
	return s
}

// added is a figure as it is added: "+ 12", "− 3".
func added(n int64) string {
	if n < 0 {
		return fmt.Sprintf("− %d", -n)
	}
	return fmt.Sprintf("+ %d", n)
}
