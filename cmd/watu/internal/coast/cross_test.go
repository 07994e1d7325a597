package coast

import "testing"

func TestCross(t *testing.T) {
	o, e, s, z := Spot{0, 0}, Spot{10, 0}, Spot{0, 10}, Spot{10, 10}
	for _, x := range []struct {
		a, b, c, d Spot
		want       bool
	}{{o, z, e, s, true}, {o, e, s, z, false}, {o, z, o, s, false}, {o, e, o, Spot{5, 0}, false}, {o, s, Spot{-5, 5}, z,
		true}} {
		if got := Cross(x.a, x.b, x.c, x.d); got != x.want {
			t.Errorf("%v to %v and %v to %v: %v", x.a, x.b, x.c, x.d, got)
		}
	}
	f := Frame{Left: 2, Top: 2, Right: 8, Bottom: 4}
	for _, x := range []struct {
		a, b Spot
		want bool
	}{{o, z, true}, {o, e, false}, {s, Spot{2, 10}, false}, {Spot{5, 3}, Spot{6, 3}, true}, {Spot{5, 3}, z, true}} {
		if got := f.Cut(x.a, x.b); got != x.want {
			t.Errorf("%v to %v: %v", x.a, x.b, got)
		}
	}
}
