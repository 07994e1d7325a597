package timeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Garrison is the units of a power in a space: as they were reported, and as they came and went since. Event is the
// last by which that is so.
type Garrison struct {
	Power, Space string
	Units        []events.Unit
	Event        uint64
}

// moving is an event that puts units into a space, or takes them away.
type moving struct {
	index, place uint64 // place is that of what it corrects
	payload      events.Payload
}

// move notes units that come or go.
func (it *Index) move(e *events.Event, p events.Payload) {
	switch p.(type) {
	case *events.UnitsReported, *events.UnitsMobilized, *events.UnitsLost, *events.UnitsMoved, *events.AircraftLanded,
		*events.TerritoryCaptured:
		m := moving{e.Index, e.Index, p}
		if e.Corrects != 0 {
			m.place = e.Corrects
			for _, x := range it.moving {
				if x.index == e.Corrects {
					m.place = x.place
				}
			}
		}
		it.moving = append(it.moving, m)
	}
}

// Garrisons lists the units on the board after the first so many events, of each power in each space for which they
// were reported at some time. What is reported is public.
func (r *Reader) Garrisons(ctx context.Context, campaign string, at uint64) ([]Garrison, error) {
	_, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	then := it.History().At(at)
	var list []moving
	for _, m := range it.moving {
		if m.index < at && then.Stands(m.index) {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b moving) int { return cmp.Compare(a.place, b.place) })
	var g garrisons
	for _, m := range list {
		g.enter(m.index, m.payload)
	}
	return slices.DeleteFunc(g, func(x Garrison) bool { return len(x.Units) == 0 }), nil
}

// unitTable shows the units on the board.
func unitTable(list []Garrison) document.Table {
	t := document.Table{Title: "Units, where they were reported", Columns: document.Columns("Power", "Space", "Units",
		"#"), Note: document.Noted("In spaces that a report named: with what was placed and lost there since, and " +
		"without what moved by an entry or went with ground that was taken.")}
	for _, x := range list {
		t.Add(x.Power, x.Space, projections.UnitsText(x.Units), document.Event(x.Event))
	}
	return t
}

// garrisons are those of a board while they are gathered.
type garrisons []Garrison

// enter lets an event have its effect.
func (g *garrisons) enter(index uint64, p events.Payload) {
	switch p := p.(type) {
	case *events.UnitsReported:
		i := g.of(p.Power, p.Space)
		if i < 0 {
			i, *g = len(*g), append(*g, Garrison{Power: p.Power, Space: p.Space})
		}
		(*g)[i].Units, (*g)[i].Event = slices.Clone(p.Units), index
	case *events.UnitsMobilized:
		g.add(index, p.Power, p.Space, p.Units, 1)
	case *events.UnitsLost:
		g.add(index, p.Power, p.Space, p.Units, -1)
	case *events.UnitsMoved:
		g.add(index, p.Power, p.From, p.Units, -1)
		g.add(index, p.Power, p.To, p.Units, 1)
	case *events.AircraftLanded:
		g.add(index, p.Power, p.From, p.Fallen, -1)
		g.add(index, p.Power, p.From, p.Gone, -1)
		for _, l := range p.Diverted {
			g.add(index, p.Power, p.From, l.Units, -1)
			g.add(index, p.Power, l.Space, l.Units, 1)
		}
	case *events.TerritoryCaptured: // who held it holds nothing there
		if i := g.of(p.From, p.Territory); i >= 0 && p.From != p.By {
			*g = slices.Delete(*g, i, i+1)
		}
	}
}

func (g *garrisons) of(power, space string) int {
	return slices.IndexFunc(*g, func(x Garrison) bool { return x.Power == power && x.Space == space })
}

// add adds units where some were reported, or takes them away as far as they are there.
func (g *garrisons) add(index uint64, power, space string, units []events.Unit, sign int) {
	i := g.of(power, space)
	if i < 0 || len(units) == 0 {
		return
	}
	x := &(*g)[i]
	x.Event = index
	for _, u := range units {
		k := slices.IndexFunc(x.Units, func(o events.Unit) bool { return o.Name == u.Name })
		if k < 0 {
			k, x.Units = len(x.Units), append(x.Units, events.Unit{Name: u.Name})
		}
		x.Units[k].Count = min(max(x.Units[k].Count+sign*max(u.Count, 0), 0), 1_000_000)
	}
	x.Units = slices.DeleteFunc(x.Units, func(u events.Unit) bool { return u.Count == 0 })
}
