package dashboard

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

// described is what the page of an event or a dispute shows: its document.
type described struct {
	links
	Event    uint64 // the event, or the one that opened the dispute
	Hash     events.Hash
	Document document.Document
	events   uint64 // of the campaign
}

// why draws why an event is as it is. It is drawn from the log alone, whoever looks.
func (d *Dashboard) why(r *http.Request) (page, error) {
	c, viewer, index, err := d.asked(r)
	if err != nil {
		return page{}, err
	}
	x, err := explain.Event(r.Context(), d.service, c.ID, index)
	if err != nil {
		return page{}, err
	}
	return describedBy("why", c, viewer, described{Event: index, Hash: x.Event.Hash, Document: x.Document}), nil
}

// dispute draws a dispute: what is public, and what the viewer holds of a refused command.
func (d *Dashboard) dispute(r *http.Request) (page, error) {
	c, viewer, index, err := d.asked(r)
	if err != nil {
		return page{}, err
	}
	x, err := d.service.Dispute(r.Context(), c.ID, index, viewer)
	if err != nil {
		return page{}, err
	}
	return describedBy("dispute", c, viewer, described{Event: index, Document: explain.Dispute(x)}), nil
}

func describedBy(name string, c timeline.Campaign, viewer timeline.Viewer, x described) page {
	x.links, x.events = links(c.Name), c.Events
	return page{name: name, Title: x.Document.Title, Campaign: c.Name, Viewer: viewer, Live: pathTo("campaigns", c.Name,
		"live"),
		Body: x}
}

// Previous is the event before; there is one behind every event but the first.
func (x described) Previous() uint64 { return x.Event - 1 }

// Next is the event after, 0 if there is none yet.
func (x described) Next() uint64 {
	if x.Event+1 >= x.events {
		return 0
	}
	return x.Event + 1
}
