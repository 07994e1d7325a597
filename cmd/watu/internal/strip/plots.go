package strip

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Spark draws a series as the points of a line in a box of 100 to 24, where top is the largest figure of all lines that
// stand beside it. A series of one point has no line.
func Spark(series []story.Point, top int64) string {
	if len(series) < 2 {
		return ""
	}
	var points []string
	for i, p := range series {
		points = append(points, fmt.Sprintf("%d,%d", 2+96*i/(len(series)-1), 22-20*max(p.N, 0)/top))
	}
	return strings.Join(points, " ")
}

// Foot are the turns below plots, each with its last event, and the ordinal of the turn of an event.
func Foot(turns []timeline.TurnPlayed, event uint64) (foot []picture.Turn, on uint64) {
	for _, x := range turns {
		n := len(foot)
		switch {
		case x.Ordinal == 0 || n > 0 && foot[n-1].Ordinal > x.Ordinal:
			continue
		case n > 0 && foot[n-1].Ordinal == x.Ordinal:
			foot[n-1].End = LastOf(x)
		default:
			foot = append(foot, picture.Turn{Ordinal: x.Ordinal, Label: x.Label, End: LastOf(x)})
		}
		if x.First <= event {
			on = x.Ordinal
		}
	}
	return foot, on
}
