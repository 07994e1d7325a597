package dashboard

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// TestFills: all that play have a fill of their own, and nobody has another. In both schemes the fills of neighbours
// differ in lightness, so that a print without colours and people who see few of them tell them apart.
func TestFills(t *testing.T) {
	m := plot(bundled(t, "two-oceans"))
	seen := map[string]string{}
	for _, power := range append(m.order, "", "Dutch") {
		fill := m.fill(power)
		if other, twice := seen[fill]; twice {
			t.Errorf("%s and %s have the same fill", power, other)
		}
		seen[fill] = power
	}
	fills := fillsOf(t)
	for _, board := range []string{"two-oceans", "straits"} {
		b := bundled(t, board)
		m, pairs := plot(b), map[[2]string]bool{}
		holder := map[string]string{}
		for _, s := range b.Spaces() {
			if !s.Water {
				holder[s.Name] = b.TablePower(s.Owner)
			}
		}
		for _, s := range b.Spaces() {
			for _, n := range s.Neighbours {
				a, x := holder[s.Name], holder[n]
				if a != "" && x != "" && a < x {
					pairs[[2]string{m.fill(a), m.fill(x)}] = true
				}
			}
		}
		for pair := range pairs {
			for scheme := range 2 {
				if slices.Contains(pair[:], tintOther) || pair == [2]string{"uk", "uk-pacific"} {
					continue // who does not play, and two treasuries of one power
				}
				if c := contrast(fills[pair[0]][scheme], fills[pair[1]][scheme]); c < 1.455 {
					t.Errorf("%s: %s and %s differ by %.2f to 1 in scheme %d", board, pair[0], pair[1], c, scheme)
				}
			}
		}
	}
}

// fillsOf reads the fills of the style sheet, in light and dark.
func fillsOf(t *testing.T) map[string][2]string {
	t.Helper()
	rule := regexp.MustCompile(`\.f-([\w-]+) \{ --fill: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));`)
	list := map[string][2]string{}
	for _, x := range rule.FindAllStringSubmatch(string(loaded["watu.css"].Data), -1) {
		list[x[1]] = [2]string{x[2] + x[4], x[3] + x[4]}
	}
	if len(list) < 17 {
		t.Fatalf("the style sheet has %d fills", len(list))
	}
	return list
}

// contrast is that of two colours, "#rrggbb", by WCAG.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(colour string) (sum float64) {
	n, _ := strconv.ParseUint(colour[1:], 16, 32)
	for i, weight := range []float64{.0722, .7152, .2126} {
		c := float64(n>>(8*i)&255) / 255
		if c <= .04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
