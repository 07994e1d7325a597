package income

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Compensation is what the umpire gave a treasury, or took from it, for what could not be corrected.
type Compensation struct {
	projections.Place
	Power   string `json:"power"` // the treasury's name
	IPCs    int    `json:"ipcs"`  // less than 0 for what was taken
	Reason  string `json:"reason"`
	Dispute uint64 `json:"dispute,omitempty"` // that it settles
}

type compensation struct {
	entry
	events.Compensated
}

// compensate takes in what a treasury was given; what else is compensated other views show.
func (v *View) compensate(e *events.Event, at entry) {
	x := compensation{entry: at}
	read := e.Read(&x.Compensated)
	projections.AppendIf(&v.compensations, &x, read && x.What == events.CompensatedTreasury)
}

// addCompensations fills in what was given and taken.
func (v *View) addCompensations(r *Report) {
	for _, x := range projections.InReportOrder(v.compensations) {
		r.Compensations = append(r.Compensations, Compensation{x.Place, x.Of, x.By, x.Reason, x.Dispute})
	}
}

// CompensationTable shows what treasuries were given, or had taken.
func (r *Report) CompensationTable() document.Table {
	t := document.Table{Title: "Given and taken in compensation", Columns: document.Columns("Turn", "Power", "#",
		"IPCs", "Dispute", "Reason")}
	lead := heading{}
	for _, x := range r.Compensations {
		dispute := document.Text{}
		if x.Dispute != 0 {
			dispute = document.Text{document.Event(x.Dispute)}
		}
		t.Add(lead.of(x.Ordinal, x.Turn), x.Power, x.Cell(x.Event), words.Signed(x.IPCs), dispute, x.Reason)
	}
	return t.WithoutEmpty("Dispute")
}
