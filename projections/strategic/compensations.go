package strategic

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Compensation is what the umpire made good, or took, for what could not be corrected.
type Compensation struct {
	projections.Place
	What    string `json:"what"`    // "factors", "figure"
	Of      string `json:"of"`      // the box, or the side
	Subject string `json:"subject"` // kind of factors, name of the figure
	By      int    `json:"by"`
	Reason  string `json:"reason"`
	Dispute uint64 `json:"dispute,omitempty"` // that it settles
}

// MadeGood is the sum of compensations: factors in a box, or strategy cards of a side. The losses
// themselves stay as they were rolled: the rules do not say which number of a cell of table 24.62 is
// a loss (AWAW-24.62-G).
type MadeGood struct {
	Of      string `json:"of"`
	Subject string `json:"subject"`
	By      int64  `json:"by"`
}

type compensation struct {
	projections.Entry
	events.Compensated
}

// compensate takes in what strategic warfare is compensated for.
func (v *View) compensate(e history.Row, at projections.Entry) {
	x := compensation{Entry: at}
	read := e.Read(&x.Compensated) && (x.What == events.CompensatedFactors || x.What == events.CompensatedFigure)
	projections.AppendIf(&v.compensations, &x, read)
}

// followed are the figures that are shown as they stand, and not added up.
func followed(figure string) bool {
	return figure == figureASPs || figure == figureSWM || figure == figureChina
}

// addCompensations fills in what was made good.
func (v *View) addCompensations(r *Report) {
	for _, x := range projections.InReportOrder(v.compensations) {
		r.Compensations = append(r.Compensations, Compensation{x.Place, x.What, x.Of, x.Subject, x.By, x.Reason,
			x.Dispute})
		if !x.Counts() || followed(x.Subject) {
			continue
		}
		i := slices.IndexFunc(r.MadeGood, func(m MadeGood) bool { return m.Of == x.Of && m.Subject == x.Subject })
		if i < 0 {
			i = len(r.MadeGood)
			r.MadeGood = append(r.MadeGood, MadeGood{Of: x.Of, Subject: x.Subject})
		}
		r.MadeGood[i].By += int64(x.By)
	}
	r.MadeGood = slices.DeleteFunc(r.MadeGood, func(m MadeGood) bool { return m.By == 0 })
}

// CompensationTable shows what the umpire made good, or took.
func (r *Report) CompensationTable() document.Table {
	t := document.Table{Title: "Compensations", Columns: document.Columns("Turn", "#", "Of", "What", "", "Dispute",
		"Reason")}
	for _, x := range r.Compensations {
		dispute := document.Span{}
		if x.Dispute != 0 {
			dispute = document.Event(x.Dispute)
		}
		t.Add(x.Turn, x.Cell(x.Event), x.Of, x.Subject, words.Signed(x.By), dispute, x.Reason)
	}
	return t.WithoutEmpty()
}

func madeGoodTable(list []MadeGood) document.Table {
	t := document.Table{Title: "Made good over all turns", Columns: document.Columns("Of", "What", "")}
	factors := false
	for _, x := range list {
		t.Add(x.Of, x.Subject, words.Signed(int(x.By)))
		factors = factors || x.Subject != figureCards
	}
	if factors {
		t.Note = document.Noted("To be taken off the losses. The totals stay as rolled: 24.62 does not say which of " +
			"its two numbers is a loss.")
	}
	return t
}
