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
