package dashboard

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/projections/situation"
)

// TestFills: all that play have a fill of their own, and nobody has another. In both schemes the fills of neighbours
// differ in lightness, so that a print without colours and people who see few of them tell them apart.
func TestFills(t *testing.T) {
	seen := map[string]string{}
	for power, fill := range fillsOn(t, "two-oceans") {
		if other, twice := seen[fill]; twice && fill != picture.Other {
			t.Errorf("%s and %s have the same fill", power, other)
		}
		seen[fill] = power
	}
	if len(seen) < 10 || seen[picture.Nobody] != "" {
		t.Errorf("%d fills: %v", len(seen), seen)
	}
	fills := fillsOf(t)
	for _, board := range []string{"two-oceans", "straits"} {
		b := maptest.Bundled(t, board)
		of, pairs := fillsOn(t, board), map[[2]string]bool{}
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
					pairs[[2]string{of[a], of[x]}] = true
				}
			}
		}
		for pair := range pairs {
			for scheme := range 2 {
				if slices.Contains(pair[:], picture.Other) || pair == [2]string{"uk", "uk-pacific"} {
					continue // who does not play, and two treasuries of one power
				}
				if c := contrast(fills[pair[0]][scheme], fills[pair[1]][scheme]); c < 1.455 {
					t.Errorf("%s: %s and %s differ by %.2f to 1 in scheme %d", board, pair[0], pair[1], c, scheme)
				}
			}
		}
	}
}

// fillsOn are the fills of those who hold land on a board as it is set up.
func fillsOn(t *testing.T, board string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, x := range mapview.Plot(maptest.Bundled(t, board)).Draw(mapOf("a", situation.Report{})).Lands {
		list[x.Holder] = x.Fill
	}
	return list
}

// fillsOf reads the fills of the style sheet, in light and dark.
func fillsOf(t *testing.T) map[string][2]string {
	t.Helper()
	rule := regexp.MustCompile(`\.f-([\w-]+) \{ --fill: (?:light-dark\((#\w+), (#\w+)\)|(#\w+));`)
	list := map[string][2]string{}
	for _, x := range rule.FindAllStringSubmatch(string(loaded()["watu.css"].Data), -1) {
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
