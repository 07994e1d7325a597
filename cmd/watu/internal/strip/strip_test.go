package strip

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// line is the timeline of a campaign of so many turns, each of so many events, every third a result,
// with a dispute in each turn.
func line(turns, each, at uint64) Strip {
	var played []timeline.TurnPlayed
	var marks []timeline.Position
	for i := range turns {
		played = append(played, timeline.TurnPlayed{Ordinal: i, Label: fmt.Sprintf("Turn %d", i), First: i * each,
			Events: each})
		for j := i * each; j < (i+1)*each; j += 3 {
			marks = append(marks, timeline.Position{Index: j, Kind: timeline.MarkResult})
		}
		marks = append(marks, timeline.Position{Index: (i+1)*each - 1, Kind: timeline.MarkDisputed})
	}
	return Of("long", at, turns*each-1, played, marks)
}

// However long a campaign is, its strip is short, covers every event once, and counts everything.
func TestStripIsWhole(t *testing.T) {
	for _, c := range []struct{ turns, each uint64 }{{1, 1}, {1, 5}, {3, 1}, {13, 40}, {100, 100}, {101, 99}, {500, 20},
		{10000, 1}, {2, 5000}} {
		for _, at := range []uint64{0, c.turns * c.each / 2, c.turns*c.each - 1} {
			strip := line(c.turns, c.each, at)
			if len(strip.Segments) > 120 {
				t.Errorf("%d turns of %d: %d segments", c.turns, c.each, len(strip.Segments))
			}
			next, turns, on, end := uint64(0), 0, 0, uint64(0)
			var disputes, results int
			for _, s := range strip.Segments {
				if s.First != next || s.Last < s.First || s.At.from != end {
					t.Fatalf("%d turns of %d: a segment of #%d to #%d at %v after #%d", c.turns, c.each, s.First,
						s.Last, s.At, next)
				}
				next, end = s.Last+1, s.At.from+s.At.width
				turns += s.Turns
				disputes += s.Disputes
				results += s.Results
				if s.When == "on" {
					on++
				}
			}
			if next != c.turns*c.each || turns != int(c.turns) || on != 1 || end != whole {
				t.Errorf("%d turns of %d: %d events in %d turns, %d lit, %d wide", c.turns, c.each, next, turns, on,
					end)
			}
			if disputes != int(c.turns) || disputes != strip.Counts.Disputes ||
				results != int(c.turns*((c.each+2)/3)) || results != strip.Counts.Results {
				t.Errorf("%d turns of %d: %d disputes, %d results; all: %+v", c.turns, c.each, disputes, results,
					strip.Counts)
			}
			if strip.On.First > at || LastOf(strip.On) < at || (strip.Back != nil) != (strip.On.First > 0) ||
				(strip.To != nil) != (LastOf(strip.On) < strip.Last) {
				t.Errorf("#%d is in %+v, between %v and %v", at, strip.On, strip.Back, strip.To)
			}
		}
	}
}

// At the head the cursor stands at the end of the strip, before it where the event begins.
func TestCursor(t *testing.T) {
	for event, want := range map[uint64]string{9: "99.70%", 5: "50.00%", 0: "0.00%"} {
		if got := Of("atlantic", event, 9, nil, nil).Cursor.X(); got != want {
			t.Errorf("at %d the cursor stands at %s, want %s", event, got, want)
		}
	}
}
