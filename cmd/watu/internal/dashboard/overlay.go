package dashboard

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
)

// overlay is what a stream shows of a campaign over its own picture.
type overlay struct {
	Size   string
	Moment timeline.Moment
	shown  []string
	Result *timeline.LogEvent // the latest that stands; nil where none came lately
	Hands  []income.Treasury  // what each treasury has in hand
	Story  storyView          // for the band
	links
}

// What an overlay may be asked for, each in the order in which it is tried or shown; the first of the
// sizes, and all but the last of the parts, where nobody asks.
var (
	overlaySizes = []string{"medium", "small", "large", "huge"}
	overlayParts = []string{"band", "turn", "last", "result", "income", "disputes"}
)

// Shows reports whether the overlay has a part.
func (o overlay) Shows(part string) bool { return slices.Contains(o.shown, part) }

// Latest is the event that last changed the treasury, 0 for none.
func (overlay) Latest(t income.Treasury) (event uint64) {
	for _, m := range t.Movements {
		event = max(event, m.Event)
	}
	return event
}

// overlay draws a campaign for a stream, in the size and with the parts that the query asks for.
func (d *Dashboard) overlay(r *http.Request) (page, error) {
	s, err := d.scene(r, d.who, r.FormValue("at"))
	if err != nil {
		return page{}, err
	}
	c, views := s.Campaign, s.Views
	o := overlay{links: links{c.Name, s.Story.Lang}, Moment: s.Moment, Story: s.Story}
	if err := o.ask(r.FormValue("size"), r.FormValue("show")); err != nil {
		return page{}, err
	}
	if views.Income != nil {
		o.Hands = views.Income.Treasuries
	}
	if o.Result, err = d.latestResult(r.Context(), c, o.Moment); err != nil {
		return page{}, err
	}
	p := page{name: "overlay", Title: c.Name, Campaign: c.Name, Viewer: s.Viewer, Body: o}
	if r.FormValue("at") == "" {
		p.Live = pathTo("campaigns", c.Name, "live")
	}
	return p, nil
}

// ask takes the size and the parts of an overlay.
func (o *overlay) ask(size, parts string) error {
	o.Size, o.shown = overlaySizes[0], overlayParts[:len(overlayParts)-1]
	if size != "" {
		o.Size = size
	}
	if parts != "" {
		o.shown = strings.Split(parts, ",")
	}
	if !slices.Contains(overlaySizes, o.Size) {
		return &problem.Problem{Kind: problem.Input, Message: "an overlay has the size " + strings.Join(overlaySizes,
			", ") + "; that is, size=large"}
	}
	for _, part := range o.shown {
		if !slices.Contains(overlayParts, part) {
			return &problem.Problem{Kind: problem.Input, Message: "an overlay shows " + strings.Join(overlayParts,
				", ") + ", with commas between; that is, show=turn,last"}
		}
	}
	return nil
}

// lookBack is how many events back the latest result may lie.
const lookBack = 300

// latestResult finds the latest event that came to a figure and stands, other than the last one,
// which is listed anyway.
func (d *Dashboard) latestResult(ctx context.Context, c timeline.Campaign,
	m timeline.Moment) (*timeline.LogEvent, error) {
	list, err := d.service.Log(ctx, c.ID, m.Events-min(lookBack, m.Events), m.Events)
	if err != nil {
		return nil, err
	}
	figures := []events.Type{"result_adjudicated", "economic_attack_made", "facility_damaged", "convoy_disrupted",
		"income_collected", "dispute_ruled"}
	for _, l := range slices.Backward(list) {
		if slices.Contains(figures, l.Type) && l.Index != m.Here.Index && stoodAt(l, m.Event) {
			return &l, nil
		}
	}
	return nil, nil
}

// stoodAt reports whether nothing had taken the event's place by then.
func stoodAt(l timeline.LogEvent, event uint64) bool {
	gone := func(by uint64) bool { return by != 0 && by <= event }
	return !gone(l.VoidedBy) && !gone(l.CorrectedBy)
}
