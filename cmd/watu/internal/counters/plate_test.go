package counters

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// A plate never adds damage, which is repaired, to money.
func TestPlate(t *testing.T) {
	for _, c := range []struct {
		p          Plate
		head, more string
	}{
		{Plate{Boats: 5, Bombs: 7}, "Britain −12 IPCs", "boats 5, bombs 7"},
		{Plate{Raided: 2, Damage: 17}, "Britain −2 IPCs", "raids 2, damage 17"},
		{Plate{Boats: 2, Raided: 1, Damage: 17}, "Britain −3 IPCs", "boats 2, raids 1, damage 17"},
		{Plate{Damage: 4}, "Britain", "damage 4"},
	} {
		c.p.Write("Britain", story.Lines{}.Within)
		if c.p.Head != c.head || c.p.More != c.more || c.p.W < 50 || c.p.Left() != -c.p.W/2 {
			t.Errorf("%+v, not %q and %q", c.p, c.head, c.more)
		}
	}
	p := Plate{Boats: 2, Damage: 17}
	if p.Write("Großbritannien", story.LinesOf(story.LanguageOf("de")).Within); p.More != "U-Boote 2, Schaden 17" {
		t.Errorf("%+v", p)
	}
}
