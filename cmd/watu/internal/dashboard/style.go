package dashboard

import (
	"net/http"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// style is every part of the pages in every state that it has, with figures of bundled campaigns: what /style shows.
type style struct {
	Revised, Open, Begun board // on a board: at its head, while a dispute was open, before anything happened
	War, Asked, Thrown   board // without one: at its head, when a question waited for an answer, at the first result
	Result               described
}

// style draws the parts, as the public sees them. A ledger without the bundled campaigns has none to show.
func (d *Dashboard) style(r *http.Request) (page, error) {
	p, s := page{name: "style", Title: "Every part in every state"}, style{}
	for _, x := range []struct {
		into     *board
		campaign string
		at       events.Type // the first event of the type; the last event, if it is empty
	}{
		{&s.Revised, "straits-1942", ""}, {&s.Open, "straits-1942", "dispute_opened"},
		{&s.Begun, "straits-1942", "campaign_opened"}, {&s.War, "atlantic-and-pacific", ""},
		{&s.Asked, "atlantic-and-pacific", "choice_asked"}, {&s.Thrown, "atlantic-and-pacific", "result_adjudicated"},
	} {
		c, err := d.service.Campaign(x.campaign)
		if err != nil || !c.Demo {
			return p, nil // without a body
		}
		list, err := d.service.Log(r.Context(), c.ID, 0, c.Events)
		if err != nil {
			return p, err
		}
		at := slices.IndexFunc(list, func(l timeline.LogEvent) bool { return l.Type == x.at })
		if at < 0 {
			at = len(list) - 1
		}
		if *x.into, err = d.boardAt(r.Context(), c, timeline.Viewer{As: timeline.Public}, text(at),
			story.English); err != nil {
			return p, err
		}
	}
	e, err := explain.Event(r.Context(), d.service, s.War.Campaign.ID, s.Thrown.Moment.Event)
	s.Result = described{links: links{name: s.War.Campaign.Name}, Event: s.Thrown.Moment.Event, Document: e.Document}
	p.Body = s
	return p, err
}
