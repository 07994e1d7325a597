package desk

import (
	"context"
	"strconv"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Due is something that waits for the umpire, or that he waits for.
type Due struct {
	What  string    // "Japan must answer"
	Says  string    // in the language of the page
	Words string    // of the record
	Since time.Time // zero where no time counts
	Leads string    // where it is done
	Link  string    // what its link says
	Left  *Left     // what a correction left to decide on; nil for anything else
}

// Left is a later entry that a correction would change and that stands as it is recorded.
type Left struct {
	service.Consequence
	Here   string // where its forms go
	Events uint64 // that the campaign had
}

// Undecided reports whether nobody has decided yet that it stays as it is recorded.
func (l Left) Undecided() bool { return l.Decision != review.Keep }

// queue lists what waits in a campaign: the open question, disputes, entries that a correction would change and that
// are not as it has them, and treasuries that owe.
func (d *Desk) queue(ctx context.Context, v View) (list []Due, err error) {
	found, err := d.service.Find(v.Campaign.ID)
	if err != nil {
		return nil, err
	}
	say := v.Say
	if m := v.Move; m != nil {
		list = append(list, Due{What: say.Name(m.Of) + " " + say.Within("must-answer"), Words: m.Question,
			Since: m.Since, Leads: "#move", Link: say.Within("to-question")})
	}
	for _, x := range v.Disputes {
		e, err := d.service.Event(found.ID, x.Index)
		if err != nil {
			return nil, err
		}
		list = append(list, Due{What: say.Word(say.Name(x.By)) + " " + say.Within("disputes-it"),
			Words: x.Claim.Claim, Since: e.Recorded, Leads: at(v.Campaign.Name, "", "disputes", number(x.Index)),
			Link: say.Within("dispute-n", "n", x.Index)})
	}
	left, known, err := d.service.PendingIfKnown(ctx, v.Campaign.ID, v.Viewer)
	if err != nil { // what keeps it from being found out, an audit says
		left.Pending = nil
	} else if !known {
		list = append(list, Due{What: say.Says("corrections"), Says: say.Within("finding-out")})
	}
	for _, x := range left.Pending {
		if x.Quiet() {
			continue
		}
		l := &Left{x, at(v.Campaign.Name, "", "desk"), v.Campaign.Events}
		what := say.Says("kept-recorded")
		if l.Undecided() {
			what = say.Says("not-decided")
		}
		list = append(list, Due{What: what, Says: say.Within("would-change", "entry", x.Entry, "n", x.Cause), Left: l,
			Leads: at(v.Campaign.Name, "", "events", number(x.Event)), Link: say.Within("event-n", "n", x.Event)})
	}
	state, err := d.service.Umpire().AtHead(found.ID)
	if err != nil {
		return nil, err
	}
	return append(list, owed(state.Game, say)...), ctx.Err()
}

func number(n uint64) string { return strconv.FormatUint(n, 10) }

// owed are the treasuries below 0.
func owed(g rules.Game, say story.Lines) (list []Due) {
	lister, listed := g.(rules.Lister)
	purse, kept := g.(interface{ Treasury(name string) int })
	if !listed || !kept {
		return nil
	}
	for _, name := range lister.Names("treasury") {
		if n := purse.Treasury(name); n < 0 {
			list = append(list, Due{What: say.Name(name) + " " + say.Within("owes", "n", say.Counted("ipc", -n)),
				Leads: "#picks", Link: say.Within("to-treasury")})
		}
	}
	return list
}

// waits is how much of a view's lists waits for the umpire: what he decided on stays listed, and waits no more.
func (v View) waits() int {
	n := len(v.Due)
	for _, x := range v.Due {
		if x.Left != nil && !x.Left.Undecided() {
			n--
		}
	}
	if v.Umpire {
		n += len(v.Requests)
	}
	return n
}

// RefusedLines is what was refused of the text at hand.
func (p Page) RefusedLines() (list []Due) {
	for _, f := range p.Findings() {
		if !f.Refused {
			continue
		}
		x := Due{Words: f.Message, Leads: "#findings", Link: p.Say.Within("line-n", "n", max(1, f.Line))}
		if f.Line == 0 && p.Form != nil {
			x.Leads, x.Link = "#entry", p.Form.Key
		}
		list = append(list, x)
	}
	return list
}
