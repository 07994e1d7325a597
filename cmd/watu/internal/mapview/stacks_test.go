package mapview

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/situation"
)

// TestStacks: reported units stand within their space and cover neither names nor each other.
func TestStacks(t *testing.T) {
	m := Plot(maptest.Bundled(t, "straits"))
	units := func(power, space string, list ...events.Unit) timeline.Garrison {
		return timeline.Garrison{Power: power, Space: space, Units: list, Event: 7}
	}
	in := input(situation.Report{})
	in.Units = append(in.Units,
		units("UK", "Eastern Canada", events.Unit{Name: "infantry", Count: 3}),
		units("US", "Eastern Canada", events.Unit{Name: "fighter", Count: 2}, events.Unit{Name: "tank", Count: 11}),
		units("Japan", "60 Sea Zone", events.Unit{Name: "carrier", Count: 1}, events.Unit{Name: "submarine", Count: 4}),
		units("Germany", "Japan", events.Unit{Name: "infantry", Count: 1}, events.Unit{Name: "tank", Count: 1},
			events.Unit{Name: "fighter", Count: 1}), units("UK", "Atlantis", events.Unit{Name: "tank", Count: 1}))
	p, shown := m.Draw(in), 0
	for i, s := range p.Stacks {
		if !s.Off && !s.Hidden {
			shown++
		}
		land := m.lands[s.Space]
		if land != nil && !s.Off && !land.rings[0].Inside(spotOf(s)) {
			t.Errorf("%s stands outside of %s", s.Says, s.Space)
		}
		for _, o := range p.Stacks[:i] {
			if !s.Off && !o.Off && !s.Hidden && !o.Hidden && frameOf(m, s).Meets(frameOf(m, o)) {
				t.Errorf("%s lies on %s", s.Says, o.Says)
			}
		}
	}
	if shown < 3 || !p.Stacks[4].Off || p.Stacks[1].Says != "2 fighters and 11 tanks" {
		t.Errorf("%d are shown: %+v", shown, p.Stacks)
	}
}

func spotOf(s stack) coast.Spot { return coast.SpotOf(s.At) }

func frameOf(m *Board, s stack) coast.Frame {
	unit := float64(m.Size) / mapLetters
	return coast.FrameAt(spotOf(s), float64(s.W)*unit-1, float64(s.H)*unit-1)
}
