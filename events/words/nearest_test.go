package words

import (
	"slices"
	"testing"
)

func TestNearest(t *testing.T) {
	known := []string{"convoy raid", "income", "AAR-4-CAP", "AAR-4-CASH", "AAR-4-RANGE", "Süd"}
	for s, want := range map[string][]string{
		"convoy riad":              {"convoy raid"},
		"incom":                    {"income"},
		"aar-4-cap":                {"AAR-4-CAP", "AAR-4-CASH"},
		"Sud":                      {"Süd"},
		"something else":           nil,
		string(make([]byte, 1000)): nil,
	} {
		if got := Nearest(s, known); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, x := range []struct {
		a, b string
		far  int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "ab", 1}, {"", "abc", 3}, {"Süd", "Sud", 1},
		{"kitten", "sitting", 3}} {
		if far := Distance(x.a, x.b); far != x.far {
			t.Errorf("%q and %q are %d apart, not %d", x.a, x.b, far, x.far)
		}
	}
}
