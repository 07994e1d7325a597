package projections

import "testing"

func TestCounted(t *testing.T) {
	for _, c := range []struct {
		n          int
		unit, want string
	}{
		{1, "fighter", "1 fighter"}, {2, "fighter", "2 fighters"}, {0, "AA gun", "0 AA guns"},
		{3, "mechanized infantry", "3 mechanized infantry"}, {2, "artillery", "2 artillery"}, {2, "armor", "2 armor"},
		{2, "bomber (lost)", "2 bombers (lost)"}, {2, "industrial complex", "2 industrial complexes"},
	} {
		if got := CountUnits(c.n, c.unit); got != c.want {
			t.Errorf("Counted(%d, %q) = %q, want %q", c.n, c.unit, got, c.want)
		}
	}
}
