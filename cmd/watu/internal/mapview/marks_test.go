package mapview

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections/situation"
)

// input is a situation with paths of events.
func input(r situation.Report) Input {
	return Input{Situation: r, Event: func(index uint64) string { return fmt.Sprintf("/events/%d", index) }}
}

// What stands on the map covers nothing else: boats and plates lie on sea, apart from each other and from names.
func TestNothingOnTheMapIsCovered(t *testing.T) {
	for _, name := range fixtures.Boards() {
		b := maptest.Bundled(t, name)
		m := Plot(b)
		p := m.Draw(input(maptest.Every(b)))
		var all []coast.Frame
		for i, s := range m.Lands {
			for _, l := range s.Names {
				if !l.Hidden {
					all = append(all, m.frame(l))
				}
				if l.X < m.Lands[i].box[0].X || l.X > m.Lands[i].box[1].X {
					t.Errorf("%s: the name of %s is outside of it", name, s.Name)
				}
			}
		}
		if len(all) < len(m.Lands)/3 || len(p.Plates) == 0 || len(p.Ways) == 0 {
			t.Errorf("%s: %d names for %d lands, %d plates, %d ways", name, len(all), len(m.Lands), len(p.Plates),
				len(p.Ways))
		}
		unit := float64(m.Size) / mapLetters
		for _, x := range p.Plates {
			if x.W > 0 {
				all = append(all, coast.FrameAt(coast.SpotOf(x.At), float64(x.W)*unit-2, float64(x.H)*unit-2))
			}
		}
		for i, x := range all {
			if slices.ContainsFunc(all[:i], x.Meets) {
				t.Errorf("%s: %v lies on another", name, x)
			}
		}
	}
}

// The boats of several powers in one zone do not lie on each other.
func TestBoatsInOneZone(t *testing.T) {
	m := Plot(maptest.Bundled(t, "straits"))
	var r situation.Report
	for _, power := range []string{"Germany", "UK", "Japan", "US"} {
		r.Submarines = append(r.Submarines, situation.Station{Power: power, Zone: "9 Sea Zone", Count: 1})
	}
	p := m.Draw(input(r))
	unit := float64(m.Size) / mapLetters
	at := func(b boats) coast.Frame {
		return coast.FrameAt(coast.SpotOf(b.At), boatWide*unit-2, boatHigh*unit-2)
	}
	for i, a := range p.Boats {
		for _, b := range p.Boats[:i] {
			if at(a).Meets(at(b)) {
				t.Errorf("%s lies on %s", a.Title, b.Title)
			}
		}
	}
}

// Every name of the small board stands on the whole map, and every number of its zones, whatever lies there. Boats lie
// in their own zone, those that submerged apart from the others.
func TestNothingOnTheSmallMapIsMissing(t *testing.T) {
	m := Plot(maptest.Bundled(t, "straits"))
	r := situation.Report{Ordinal: 1}
	for _, x := range []struct{ power, zone string }{{"Germany", "5"}, {"Germany", "7"}, {"Germany", "8"},
		{"Germany", "10"}, {"Germany", "35"}, {"US", "55"}, {"Japan", "55"}, {"Japan", "35"}, {"UK", "35"}} {
		r.Submarines = append(r.Submarines, situation.Station{Power: x.power, Zone: x.zone + " Sea Zone", Count: 2})
	}
	r.Submarines[2].Submarines = []situation.Submarine{{Name: "U-96"}, {Name: "U-47", Submerged: 9}}
	p := m.Draw(input(r))
	for _, h := range p.Lands {
		for _, s := range h.Spaces {
			if !slices.ContainsFunc(s.Names, named) {
				t.Errorf("%s has no name", s.Name)
			}
		}
	}
	unit := float64(m.Size) / mapLetters
	var all []coast.Frame
	if len(p.Boats) != 10 || !p.Down() {
		t.Errorf("%d boats", len(p.Boats))
	}
	for _, b := range p.Boats {
		f := coast.FrameAt(coast.SpotOf(b.At), boatWide*unit-2, boatHigh*unit-2)
		if !m.lands[b.zone].rings[0].Inside(coast.SpotOf(b.At)) || slices.ContainsFunc(all, f.Meets) {
			t.Errorf("%s lies on others or elsewhere", b.Title)
		}
		all = append(all, f)
	}
	for _, s := range p.Waters {
		if !slices.ContainsFunc(s.Names, named) {
			t.Errorf("%s has no number", s.Name)
		}
		for _, l := range s.Names {
			if !l.Hidden && slices.ContainsFunc(all, m.frame(l).Meets) {
				t.Errorf("boats cover the number of %s", s.Name)
			}
		}
	}
}

// named reports whether a label that stands on the whole map says more than a worth.
func named(l label) bool { return !l.Hidden && l.Lines[0] != "" }

// A raid over the edge of the map comes in at the other edge, and says there whence.
func TestRaidOverTheEdge(t *testing.T) {
	m := Plot(maptest.Bundled(t, "straits"))
	r := situation.Report{Ordinal: 1, Raids: []situation.Raided{{Territory: "Japan", Victim: "Japan", Ordinal: 1,
		Raids: []situation.Raid{{Powers: []string{"US"}, Zone: "55 Sea Zone", Damage: 1}}}}}
	p := m.Draw(input(r))
	if len(p.Ways) != 1 || p.Ways[0].Tip.X < mapWide/2 || p.Ways[0].From != "from 55 Sea Zone" {
		t.Fatalf("%+v", p.Ways)
	}
	var x, y int
	if _, err := fmt.Sscanf(p.Ways[0].Path, "M%d %d", &x, &y); err != nil || x > mapWide || x < mapWide-20 {
		t.Errorf("it begins at %s", p.Ways[0].Path)
	}
	if at := p.Ways[0].At; at.X > mapWide || at.X < mapWide-200 || at.Y > y+100 || at.Y < y-100 {
		t.Errorf("it is written at %v", at)
	}
}
