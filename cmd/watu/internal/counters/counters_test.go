package counters

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/events"
)

// Units of an arm stand together, two arms abreast; submarines at sea are drawn one by one elsewhere.
func TestStack(t *testing.T) {
	units := []events.Unit{{Name: "fighter", Count: 2}, {Name: "infantry", Count: 12}, {Name: "submarine", Count: 3},
		{Name: "mechanized infantry", Count: 1}, {Name: "strategic bomber", Count: 1}, {Name: "AA gun", Count: 1}}
	s := Of(units, true)
	want := []Counter{{Arm: "foot", N: 13}, {Arm: "guns", N: 1}, {Arm: "planes", N: 3}}
	if len(s.Counters) != len(want) || s.H != high+row {
		t.Fatalf("%+v", s)
	}
	for i, c := range s.Counters {
		if c.Arm != want[i].Arm || c.N != want[i].N {
			t.Errorf("%+v, want %+v", c, want[i])
		}
		if c.X < s.Left() || c.Text()+digits(c.N)*digit > s.Left()+s.W || c.Y < s.Top() || c.Foot() > s.Top()+s.H {
			t.Errorf("%+v is outside of %+v", c, s)
		}
	}
	if s := Of(units[2:3], true); len(s.Counters) != 0 {
		t.Errorf("%+v", s)
	}
	if s := Of(units[2:3], false); s.Counters[0].Arm != "boats" {
		t.Errorf("%+v", s)
	}
}

// A stack stands within its space, beside its name and what else is there; where it has no room on the whole map it
// has some on a larger one.
func TestPlace(t *testing.T) {
	box := func(l, t, r, b int) coast.Ring {
		return coast.Ring{{X: l, Y: t}, {X: r, Y: t}, {X: r, Y: b}, {X: l, Y: b}}
	}
	name := coast.Frame{Left: 80, Top: 40, Right: 120, Bottom: 60}
	in := Space{Outlines: []coast.Ring{box(0, 0, 200, 100)}, Names: []Name{{name, 100}},
		Taken: []coast.Frame{{Right: 200, Bottom: 50}}}
	s := Of([]events.Unit{{Name: "tank", Count: 1}}, false)
	if !s.Place(in, 1) || s.Room != 100 {
		t.Fatalf("%+v", s)
	}
	own := coast.FrameAt(coast.SpotOf(s.At), float64(s.W), float64(s.H))
	if own.Meets(name) || own.Meets(in.Taken[0]) || own.Left < 0 || own.Bottom > 100 {
		t.Errorf("it stands at %+v", own)
	}
	small := Of([]events.Unit{{Name: "tank", Count: 1}}, false)
	in = Space{Outlines: []coast.Ring{box(0, 0, 16, 12)}}
	if !small.Place(in, 1) || small.Room >= 100 || small.Room < 40 {
		t.Errorf("%+v", small)
	}
	none := Of([]events.Unit{{Name: "tank", Count: 1}}, false)
	if in = (Space{Outlines: []coast.Ring{box(0, 0, 2, 2)}}); none.Place(in, 1) {
		t.Errorf("%+v", none)
	}
}
