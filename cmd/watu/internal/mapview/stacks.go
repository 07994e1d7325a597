package mapview

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/counters"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// stack is the units of a power in a space, as they were reported.
type stack struct {
	counters.Stack
	timeline.Garrison
	Fill, Says, Why string
	Small           counters.Stack // until the stack has room
	Hidden          bool           // on the whole map: it has room on a larger one
	Off             bool           // it has none: the sheet tells
}

// stack puts reported units on the map, where there is room beside names, boats and plates.
func (w *marking) stack(list []timeline.Garrison) {
	for _, g := range list {
		s := w.lands[g.Space]
		x := stack{Garrison: g, Fill: w.fill(g.Power), Says: w.Figures.Listed(g),
			Why: w.Figures.To(g.Event), Off: true}
		if s != nil {
			x.Stack = counters.Of(g.Units, s.Water)
			in := counters.Space{Outlines: w.about(s), Taken: w.taken, Ways: w.drawn}
			for _, l := range s.Names {
				in.Names = append(in.Names, counters.Name{Frame: w.frame(l), Room: l.Room})
			}
			x.Off = len(x.Counters) == 0 || !x.Place(in, w.unit)
			small := x.Stack.Small()
			switch fits := x.Room < 100 && small.N() > 0 && small.Place(in, w.unit) && small.Room > x.Room; {
			case fits && x.Off:
				x.Stack, x.Off = small, false
			case fits:
				x.Small = small
			}
		}
		x.Hidden = x.Room < 100
		for _, shown := range []counters.Stack{x.Stack, x.Small} {
			if shown.Room >= 100 {
				w.taken = append(w.taken, shown.Frame(w.unit))
			}
		}
		w.Stacks = append(w.Stacks, x)
	}
}

// Listed names the units of a garrison: "3 infantry and 1 tank".
func (f Figures) Listed(g timeline.Garrison) string {
	var parts story.List
	for _, u := range g.Units {
		parts = append(parts, story.Count{Of: u.Name, N: int64(u.Count)})
	}
	return f.Says("name", "name", parts)
}
