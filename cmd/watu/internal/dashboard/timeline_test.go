package dashboard

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/strip"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// However long a campaign is, its strip is light.
func TestTimelineIsLight(t *testing.T) {
	for _, c := range []struct{ turns, each uint64 }{{1, 1}, {13, 40}, {500, 20}, {10000, 1}, {2, 5000}} {
		var played []timeline.TurnPlayed
		var marks []timeline.Position
		for i := range c.turns {
			played = append(played, timeline.TurnPlayed{Ordinal: i, Label: fmt.Sprintf("Turn %d", i), First: i * c.each,
				Events: c.each})
			for j := i * c.each; j < (i+1)*c.each; j += 3 {
				marks = append(marks, timeline.Position{Index: j, Kind: timeline.MarkResult})
			}
		}
		if got := weight(t, strip.Of("long", 0, c.turns*c.each-1, played, marks)); got > 150_000 {
			t.Errorf("%d turns of %d: %d bytes", c.turns, c.each, got)
		}
	}
}

// weight is how many bytes the strip, its controls and its table have.
func weight(t *testing.T, of strip.Strip) int {
	t.Helper()
	var b bytes.Buffer
	body := board{Timeline: of, Moment: timeline.Moment{Of: of.Last + 1, Event: of.Event,
		Events: of.Event + 1}}
	if err := sets()["campaign.html"].ExecuteTemplate(&b, "timeline", body); err != nil {
		t.Fatal(err)
	}
	return b.Len()
}
