package desk

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Due is something that waits for the umpire, or that he waits for.
type Due struct {
	What  string // "Japan must answer"
	Says  string
	Since time.Time // zero where no time counts
	Leads string    // where it is done
	Link  string    // what its link says
}

// queue lists what waits in a campaign: the open question, disputes, entries that a correction would change and that
// are not as it has them, and treasuries that owe.
func (d *Desk) queue(ctx context.Context, v View) (list []Due, err error) {
	found, err := d.service.Find(v.Campaign.ID)
	if err != nil {
		return nil, err
	}
	if m := v.Move; m != nil {
		e, err := d.service.Event(found.ID, m.Index)
		if err != nil {
			return nil, err
		}
		list = append(list, Due{m.Of + " must answer", m.Question, e.Recorded, "#move", "look at the question"})
	}
	for _, x := range v.Disputes {
		e, err := d.service.Event(found.ID, x.Index)
		if err != nil {
			return nil, err
		}
		list = append(list, Due{x.By + " disputes", x.Claim.Claim, e.Recorded,
			at(v.Campaign.Name, "", "disputes", number(x.Index)), "dispute #" + number(x.Index)})
	}
	left, known, err := d.service.PendingIfKnown(ctx, v.Campaign.ID, v.Viewer)
	if err != nil { // what keeps it from being found out, an audit says
		left.Pending = nil
	} else if !known {
		list = append(list, Due{What: "Corrections", Says: "what they left is being found out: look again in a moment"})
	}
	for _, x := range left.Pending {
		what := "Kept as it is recorded"
		if x.Decision != review.Keep {
			what = "Not decided"
		}
		list = append(list, Due{What: what, Says: fmt.Sprintf("entry %s, which #%d would change", x.Entry, x.Cause),
			Leads: at(v.Campaign.Name, "", "events", number(x.Event)), Link: "event #" + number(x.Event)})
	}
	state, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, err
	}
	return append(list, owed(state.Game)...), ctx.Err()
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// owed are the treasuries below 0.
func owed(g rules.Game) (list []Due) {
	lister, listed := g.(rules.Lister)
	purse, kept := g.(interface{ Treasury(name string) int })
	if !listed || !kept {
		return nil
	}
	for _, name := range lister.Names("treasury") {
		if n := purse.Treasury(name); n < 0 {
			list = append(list, Due{What: name + " owes " + strconv.Itoa(-n) + " IPCs", Leads: "#picks",
				Link: "report its treasury, or compensate"})
		}
	}
	return list
}

// Queue is what waits, with what was refused of the text at hand.
func (p Page) Queue() []Due {
	list := slices.Clone(p.Due)
	for _, f := range p.Findings() {
		if f.Refused {
			list = append(list, Due{What: "Refused in the text", Says: f.Message, Leads: "#findings",
				Link: fmt.Sprintf("line %d", max(1, f.Line))})
		}
	}
	return list
}

// When is since when it waits, for people.
func (x Due) When() string { return x.Since.UTC().Format("2006-01-02 15:04 UTC") }

// Stamp is since when it waits, for programs.
func (x Due) Stamp() string { return x.Since.UTC().Format(time.RFC3339) }

// confirmed is the answer to dice that somebody typed, in words of a page.
func confirmed(w timeline.Waiting, choice Choice) Choice {
	if w.Table {
		choice.Words = map[string]string{"yes": "Confirm: they fell so", "no": "Deny: they did not"}[choice.Value]
	}
	return choice
}
