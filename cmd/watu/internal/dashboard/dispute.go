package dashboard

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
)

// dispute is what the page of a dispute shows: what is public, and what the viewer holds of a refused command.
type dispute struct {
	Shown service.DisputeShown
	Pleas []plea // statements and evidence, in the order in which they came

	Pending *pending // what follows from the ruling, and stands as it is recorded
	tied
}

// plea is a statement, or evidence with the events that it points at.
type plea struct {
	Event    uint64
	By, Text string
	Events   []service.Line
}

// dispute draws a dispute.
func (d *Dashboard) dispute(r *http.Request) (page, error) {
	c, looks, index, err := d.asked(r)
	if err != nil {
		return page{}, err
	}
	shown, err := d.service.Dispute(r.Context(), c.ID, index, looks)
	if err != nil {
		return page{}, err
	}
	x := dispute{Shown: shown, Pleas: pleas(shown), tied: tied{links(c.Name), c.Events}}
	x.Pending = pendingOf(x.tied, shown.Pending, 0, true)
	title := fmt.Sprintf("Dispute #%d of %s", index, c.Name)
	return page{name: "dispute", Title: title, Campaign: c.Name, Viewer: looks, Live: pathTo("campaigns", c.Name,
		"live"), Body: x}, nil
}

func pleas(s service.DisputeShown) []plea {
	var list []plea
	for _, x := range s.Dispute.Statements {
		list = append(list, plea{Event: x.Event, By: x.By, Text: x.Text})
	}
	for _, x := range s.Dispute.Evidence {
		p := plea{Event: x.Event, By: x.By, Text: x.Note}
		for _, index := range x.Events {
			at := slices.IndexFunc(s.Shown, func(l service.Line) bool { return l.Index == index })
			if at >= 0 {
				p.Events = append(p.Events, s.Shown[at])
			}
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b plea) int { return cmp.Compare(a.Event, b.Event) })
	return list
}

// other is a dispute of another campaign, or of this one, and the way to it.
type other struct {
	service.Disputed
	Path string
}

// Rule is a rule's id and its page in the campaign of the dispute.
func (o other) Rule(id string) ruleLink { return ruleTo(o.Campaign, id) }

// Precedents are earlier rulings on the same rules.
func (x dispute) Precedents() []other {
	var list []other
	for _, p := range x.Shown.Precedents {
		list = append(list, other{p, pathTo("campaigns", p.Campaign, "disputes", p.Index)})
	}
	return list
}

// Ruled says a ruling in words: "precedent for the league; the dice stand".
func (tied) Ruled(r *replay.Ruling) string {
	said := r.Ruling
	if r.Scope != "event" {
		said += " for the " + r.Scope
	}
	switch r.Dice {
	case "":
	case "stand":
		said += "; the dice stand"
	default:
		said += "; the dice are " + r.Dice
	}
	return said
}
