package service

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// TestHonestFiles verifies the file of every bundled campaign for every reader, whole and as parts that end at many
// events: nothing is found wrong in what a host has written as it is.
func TestHonestFiles(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		whole := fileOf(t, c, k.Name, "umpire")
		n := len(whole.Events)
		for _, reader := range readersOf(t, c, k.Name) {
			for to := n - 1; to >= 0; to -= partsApart(n, reader) {
				x := ExportRequest{For: reader}
				if to < n-1 {
					first, last := uint64(to/2), uint64(to)
					x.From, x.To = &first, &last
				}
				f := fetched(t, c, k.Name, x)
				v, err := Verify(f, "", nil)
				if err != nil || !v.Verified {
					e, _ := events.Decode(whole.Events[to])
					t.Errorf("%s for %s up to #%d (%s): %v %+v", k.Name, reader, to, e.Type, err, v.Findings)
				}
			}
		}
	}
}

// partsApart is how far apart the ends of parts lie: at night every event for the umpire of a short
// campaign, some in a long run, a few otherwise.
func partsApart(n int, reader string) int {
	if reader == "umpire" {
		return max(1, n/longrun.Of(8, 40, 100))
	}
	return max(1, n/4)
}
