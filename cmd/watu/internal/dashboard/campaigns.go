package dashboard

import (
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// campaigns draws the list of all campaigns.
func (d *Dashboard) campaigns(*http.Request) (page, error) {
	list, err := d.office.Campaigns()
	return page{name: "campaigns", Title: "Campaigns", Body: list.Campaigns}, err
}

// campaign draws a campaign at a moment.
func (d *Dashboard) campaign(r *http.Request) (page, error) {
	name := r.PathValue("c")
	c, err := d.office.Campaign(name)
	if err != nil {
		return page{}, err
	}
	looks, err := d.who(r, c.ID)
	if err != nil {
		return page{}, err
	}
	b := board{Campaign: c}
	if b.Moment, err = d.office.Moment(c.ID, looks, office.Going{At: r.FormValue("at"), Back: true}); err != nil {
		return page{}, err
	}
	views, err := d.office.ViewsAt(c.ID, looks, b.Moment.Events)
	if err != nil {
		return page{}, err
	}
	if b.Map, err = d.mapPanel(c, views); err != nil {
		return page{}, err
	}
	if b.Panels, err = d.panels(c, looks, b.Moment, views); err != nil {
		return page{}, err
	}
	return page{name: "campaign", Title: c.Name, Campaign: c.Name, Viewer: looks, Live: pathTo("campaigns", c.Name, "live"), Body: b}, nil
}

// board is what the page of a campaign shows.
type board struct {
	Campaign office.Campaign
	Moment   office.Moment
	Map      *mapPanel
	Panels   panels
}
