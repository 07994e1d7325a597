package strip

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

func TestSpark(t *testing.T) {
	series := []story.Point{{N: 10}, {N: 0}, {N: -3}, {N: 20}}
	if got := Spark(series, 20); got != "2,12 34,22 66,22 98,2" {
		t.Error(got)
	}
	if got := Spark(series[:1], 20); got != "" {
		t.Error(got)
	}
}

// TestFoot: a turn that was left and taken up again stands there once, and none before the first turn.
func TestFoot(t *testing.T) {
	turns := []timeline.TurnPlayed{{First: 0, Events: 3}, {Ordinal: 1, Label: "Round 1", First: 3, Events: 4},
		{Ordinal: 1, Label: "Round 1", First: 7, Events: 2}, {Ordinal: 2, Label: "Round 2", First: 9, Events: 5}}
	foot, on := Foot(turns, 8)
	want := []picture.Turn{{Ordinal: 1, Label: "Round 1", End: 8}, {Ordinal: 2, Label: "Round 2", End: 13}}
	if !slices.Equal(foot, want) || on != 1 {
		t.Errorf("%+v, on %d", foot, on)
	}
}
