package income

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
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
	note(&v.compensations, &x, read && x.What == events.CompensatedTreasury)
}

// addCompensations fills in what was given and taken.
func (v *View) addCompensations(r *Report) {
	for _, x := range projections.Listed(v.compensations) {
		r.Compensations = append(r.Compensations, Compensation{x.Place, x.Of, x.By, x.Reason, x.Dispute})
	}
}

func compensationTable(list []Compensation) projections.Table {
	t := projections.Table{Title: "Given and taken in compensation", Columns: []string{"Turn", "Power", "#", "IPCs", "Dispute", "Reason"}}
	var notes remarks
	lead := heading{}
	disputes := int64(0)
	for _, x := range list {
		dispute := ""
		if x.Dispute != 0 {
			dispute = event(x.Dispute, projections.Fate{})
			disputes++
		}
		t.Rows = append(t.Rows, []string{
			lead.of(x.Ordinal, x.Turn), x.Power, event(x.Event, x.Fate), fmt.Sprintf("%+d", x.IPCs), dispute, x.Reason,
		})
		notes.mark(x.Event, x.Fate)
	}
	t.Note = notes.text()
	return unless(t, "Dispute", disputes)
}
