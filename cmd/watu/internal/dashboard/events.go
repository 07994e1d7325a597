package dashboard

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/forum"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

// leaf is a page of the list of a campaign's events: those of one turn, or all.
type leaf struct {
	Campaign timeline.Campaign
	Turn     string // empty for all
	Turns    []timeline.TurnPlayed
	Events   []eventLine // the newest first
	First    uint64      // of those on the page; Last too
	Last     uint64

	Posts        []forum.Copy // of a turn
	Older, Newer *uint64      // where the pages beside it begin
}

// perLeaf is how many events a page of the list has.
const perLeaf = 100

// events draws the list of events, a page at a time: the newest if the reader does not say from where.
func (d *Dashboard) events(r *http.Request) (page, error) {
	c, viewer, err := d.looks(r)
	if err != nil {
		return page{}, err
	}
	l := leaf{Campaign: c}
	if l.Turns, err = d.service.Turns(c.ID); err != nil {
		return page{}, err
	}
	l.Turns = strip.UpTo(l.Turns, c.Events)
	from, to, err := l.asked(r)
	if err != nil {
		return page{}, err
	}
	list, err := d.service.MarkedEvents(r.Context(), c.ID, from, to, c.Events)
	if err != nil {
		return page{}, err
	}
	l.First, l.Last, l.Events = from, to-1, newestFirst(c.Name, list, languageOf(r))
	if l.Turn != "" {
		l.Posts, err = forum.Copies(r.Context(), d.service, c.Name, d.site(r), [2]uint64{l.First, l.Last})
		if err != nil {
			return page{}, err
		}
	}
	title := c.Name + ", " + story.LinesOf(languageOf(r)).Within("events")
	return page{name: "events", Title: title, Campaign: c.Name, Viewer: viewer,
		Live: pathTo("campaigns", c.Name, "live"), Body: l}, nil
}

// asked reads which events the reader wants to see, from <= index < to, and finds the pages beside.
func (l *leaf) asked(r *http.Request) (from, to uint64, err error) {
	low, high := uint64(0), l.Campaign.Events
	if name := r.FormValue("turn"); name != "" {
		p, err := l.turn(name)
		if err != nil {
			return 0, 0, err
		}
		l.Turn, low, high = p.Label, p.First, p.First+p.Events
	}
	from = max(low, high-min(high, perLeaf))
	if text := r.FormValue("from"); text != "" {
		if from, err = strconv.ParseUint(text, 10, 64); err != nil || from < low || from >= high {
			return 0, 0, noSuch("there are no events from %q: there are #%d to #%d", text, low, high-1)
		}
	}
	to = min(from+perLeaf, high)
	if from > low {
		l.Older = new(uint64)
		*l.Older = max(low, from-min(from, perLeaf))
	}
	if to < high {
		l.Newer = &to
	}
	return from, to, nil
}

// turn finds a turn by its label.
func (l *leaf) turn(name string) (timeline.TurnPlayed, error) {
	var known []string
	for _, p := range l.Turns {
		if p.Label != "" && strings.EqualFold(p.Label, name) {
			return p, nil
		}
		known = append(known, strip.LabelOf(p))
	}
	return timeline.TurnPlayed{}, noSuch("there is no turn %q; %s", name, words.There(known))
}
