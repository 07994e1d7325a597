package dashboard

import (
	"math"
	"net/http"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// spacePage is what was recorded of a space of the board: a page at a time, the newest first.
type spacePage struct {
	moment
	links
	Space   string
	Beside  []string // the spaces next to it
	Complex bool     // as the board is set up
	timeline.SpaceHistory
}

// space draws the history of a space.
func (d *Dashboard) space(r *http.Request) (page, error) {
	m, err := d.momentOf(r)
	if err != nil {
		return page{}, err
	}
	b, err := d.boards.of(d.service, m.Campaign.ID)
	if err != nil {
		return page{}, err
	}
	p := spacePage{moment: m, links: links{name: m.Campaign.Name}, Space: r.PathValue("space")}
	before, err := strconv.ParseUint(r.FormValue("before"), 10, 64)
	if err != nil {
		before = math.MaxUint64
	}
	if b == nil || b.Board == nil || !b.Has(p.Space) {
		return page{}, noSuch("the board has no space %q", p.Space)
	}
	p.Beside, p.Complex = b.About(p.Space)
	p.SpaceHistory, err = d.service.SpaceHistory(r.Context(), m.Campaign.ID, p.Space, m.behind, before, perLeaf/4)
	return m.page("space", p.Space+" in "+m.Campaign.Name, p), err
}

// Lines are the events on the page.
func (p spacePage) Lines() (list []eventLine) {
	for _, e := range p.Events {
		list = append(list, eventLine{p.Campaign.Name, e, p.moment.in})
	}
	return list
}

// Older is the page of the events before.
func (p spacePage) Older() string {
	path := pathTo("campaigns", p.Campaign.Name, "spaces", p.Space) + "?before=" + text(*p.Before)
	if p.Standing {
		path += "&at=" + text(p.Event())
	}
	return path
}
