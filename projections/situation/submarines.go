package situation

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// submarine enters reports of submarines: by their names, or as units that are counted.
func (b *board) submarine(x *entry, p events.Payload) {
	switch p := p.(type) {
	case *events.SubmarinesReported:
		b.report(x, p)
	case *events.SubmarinesHunted:
		for _, g := range p.Groups {
			if g.Detected {
				b.mark(x, g.Submarines, func(s *Submarine) { s.Detected = x.event })
			}
		}
	case *events.SubmarinesSubmerged:
		b.dive(x, p.Submarines)
	case *events.UnitsReported:
		b.count(x, p.Power, p.Space, p.Units, 0, 1)
	case *events.UnitsMobilized:
		b.count(x, p.Power, p.Space, p.Units, 1, 1)
	case *events.UnitsLost:
		b.count(x, p.Power, p.Space, p.Units, 1, -1)
	}
}

// report puts all submarines of a power where they are reported; what is not named is not on the
// board.
func (b *board) report(x *entry, p *events.SubmarinesReported) {
	b.Submarines = slices.DeleteFunc(b.Submarines, func(s Station) bool { return s.Power == p.Power })
	for _, boat := range p.Submarines {
		s := b.station(x, p.Power, boat.Zone)
		s.Submarines = append(s.Submarines, Submarine{Name: boat.Name})
		s.Count++
	}
}

// count gives a power so many submarines in a space: keep times those that it has there, and times
// those among the units.
func (b *board) count(x *entry, power, space string, units []events.Unit, keep, times int) {
	was, sum := 0, 0
	for _, s := range b.Submarines {
		if s.Power == power && s.Zone == space {
			was = s.Count
		}
	}
	for _, u := range units {
		if u.Name == submarine {
			sum = min(sum+min(max(u.Count, 0), most), most)
		}
	}
	is := min(max(was*keep+sum*times, 0), most)
	if is == was && sum == 0 {
		return // the units are others
	}
	s := b.station(x, power, space)
	s.Place, s.Count = x.place(), is
	s.Submarines = s.Submarines[:min(len(s.Submarines), is)]
}

// most bounds a count: more is nonsense, and its sum would not be the same on every machine.
const most = 1_000_000

func (b *board) station(x *entry, power, zone string) *Station {
	fresh := Station{Place: x.place(), Power: power, Zone: zone, Submarines: []Submarine{}}
	return projections.FindOrAdd(&b.Submarines, fresh, func(s Station) bool {
		return s.Power == power && s.Zone == zone
	})
}

func (b *board) dive(x *entry, names []string) {
	b.mark(x, names, func(s *Submarine) { s.Submerged = x.event })
}

// mark changes submarines by their names, if it happened in the game turn that is on.
func (b *board) mark(x *entry, names []string, change func(*Submarine)) {
	if x.ordinal != b.Ordinal {
		return
	}
	for i := range b.Submarines {
		list := b.Submarines[i].Submarines
		for j := range list {
			if slices.Contains(names, list[j].Name) {
				change(&list[j])
			}
		}
	}
}
