package timeline

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
)

// Difference is `watu diff --json`: a campaign at one moment
// beside the same at another. From and to are named as the moments of a [Moment] are.
type Difference struct {
	Version  int              `json:"version"`
	Campaign string           `json:"campaign"`
	As       string           `json:"as"`
	From     MomentRef        `json:"from"`
	To       MomentRef        `json:"to"`
	Views    []ViewDifference `json:"views"`            // all that the campaign has
	Partly   bool             `json:"partly,omitempty"` // the way is so long that not every cause was looked for
}

// MomentRef is a moment of a campaign.
type MomentRef struct {
	Events uint64 `json:"events"` // how many have happened
	Event  uint64 `json:"event"`  // the last of them
	Turn   string `json:"turn"`
	Phase  string `json:"phase"`
}

// ViewDifference lists the figures of one view that differ.
type ViewDifference struct {
	Projection string         `json:"projection"`
	Changes    []FigureChange `json:"changes"`
}

// FigureChange is a figure that differs and the events that changed it, ascending.
type FigureChange struct {
	projections.Change
	Events []uint64 `json:"events"`
}

// Difference sets a campaign at one moment beside the same at another, as the viewer may know it.
func (r *Reader) Difference(ctx context.Context, campaign string, viewer Viewer, from, to string) (Difference, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return Difference{}, err
	}
	out := Difference{Version: maintenance.Version, Campaign: c.Name, As: viewer.As, Views: []ViewDifference{}}
	way := walk{ctx: ctx, f: r, c: c, as: viewer}
	if out.From, err = r.named(ctx, c, "from", from); err != nil {
		return out, err
	}
	if out.To, err = r.named(ctx, c, "to", to); err != nil {
		return out, err
	}
	s, err := r.Rules(c.ID)
	if err != nil {
		return out, err
	}
	for _, name := range s.Views {
		t := tracing{way: way, view: name, causes: map[string][]uint64{}, folds: mostFolds}
		d, err := t.differ(out.From.Events, out.To.Events)
		if err != nil {
			return out, err
		}
		out.Views = append(out.Views, d)
		out.Partly = out.Partly || t.folds < 0
	}
	return out, nil
}

// named finds one of the two moments of a difference.
func (r *Reader) named(ctx context.Context, c ledger.Campaign, name, place string) (MomentRef, error) {
	if place == "" {
		return MomentRef{}, problem.New(problem.Input, "two moments are to be compared: %s is missing", name)
	}
	n, err := r.instant(ctx, c, place)
	if err != nil {
		return MomentRef{}, err
	}
	last, err := r.Event(c.ID, n-1)
	return MomentRef{Events: n, Event: n - 1, Turn: last.Turn.Label, Phase: last.Phase}, err
}

// mostFolds bounds how often a view is folded to find what changed its figures.
const mostFolds = 2000

// tracing finds the events that changed the figures of a view: it halves the way as long as
// anything differs between its ends.
type tracing struct {
	way    walk
	view   string
	causes map[string][]uint64 // by path
	folds  int                 // that are left
}

func (t *tracing) differ(from, to uint64) (ViewDifference, error) {
	out := ViewDifference{Projection: t.view, Changes: []FigureChange{}}
	_, was, err := t.way.report(t.view, from)
	if err != nil {
		return out, err
	}
	_, now, err := t.way.report(t.view, to)
	if err != nil {
		return out, err
	}
	changes := projections.Changes(was, now)
	earlier, later := was, now
	if from > to {
		earlier, later = later, earlier
	}
	if err := t.trace(min(from, to), max(from, to), earlier, later); err != nil {
		return out, err
	}
	for _, c := range changes {
		out.Changes = append(out.Changes, FigureChange{c, t.of(c.Path)})
	}
	return out, nil
}

// trace notes the events from <= index < to that changed anything.
func (t *tracing) trace(from, to uint64, was, now json.RawMessage) error {
	if bytes.Equal(was, now) || t.folds < 0 {
		return nil
	}
	if to-from == 1 {
		for _, c := range projections.Changes(was, now) {
			t.causes[c.Path] = append(t.causes[c.Path], from)
		}
		return nil
	}
	t.folds--
	middle := from + (to-from)/2
	_, half, err := t.way.report(t.view, middle)
	if err != nil {
		return err
	}
	if err := t.trace(from, middle, was, half); err != nil {
		return err
	}
	return t.trace(middle, to, half, now)
}

// of gives the events that changed what a path names, or a part of it. An entry of a list that lies
// under another event at the other end is called by its name, and on the way by the event that it had
// there. What came and went again on the way is called otherwise; its path then names its event itself.
func (t *tracing) of(path string) []uint64 {
	list := []uint64{}
	for changed, causes := range t.causes {
		if changed == path || strings.HasPrefix(changed, path+" / ") {
			list = append(list, causes...)
		}
	}
	if len(list) == 0 {
		for changed, causes := range t.causes {
			if namedByEvent(changed, path) {
				list = append(list, causes...)
			}
		}
	}
	for part := range strings.SplitSeq(path, " / ") {
		event, ok := strings.CutPrefix(part, "#")
		if n, err := strconv.ParseUint(event, 10, 64); ok && err == nil && len(list) == 0 {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// namedByEvent reports whether changed is path but for entries that it calls by their event.
func namedByEvent(changed, path string) bool {
	a, b := strings.Split(changed, " / "), strings.Split(path, " / ")
	return slices.EqualFunc(a, b, func(x, y string) bool {
		return x == y || strings.HasPrefix(x, "#") && !strings.HasPrefix(y, "#")
	})
}
