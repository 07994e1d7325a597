package service

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
)

// A turn file submitted an entry at a time comes to the same events as one submitted whole; each
// answer hears one entry more and names those that are left.
func TestMostHearsSoManyEntries(t *testing.T) {
	t.Parallel()
	whole, slowly := began(t), began(t)
	for _, k := range fixtures.Campaigns() {
		opened(t, whole, k)
		opened(t, slowly, k)
		for _, file := range k.Files {
			submitted(t, whole, k, file)
			if file.Kind != fixtures.Turn {
				submitted(t, slowly, k, file)
				continue
			}
			var left []string
			for first := true; ; first = false {
				sent := Submission{Name: file.Name, Text: string(file.Data), Most: 1}
				done, err := slowly.Submit(t.Context(), k.Name, umpire, sent)
				if err != nil {
					t.Fatal(err)
				}
				heard := 0
				for _, h := range done.Entries {
					if h.State != Stands {
						heard++
					}
				}
				if heard != 1 {
					t.Fatalf("%s: %d entries are heard, want 1", file.Name, heard)
				}
				if !first && !slices.Equal(done.NotHeard, left[1:]) {
					t.Fatalf("%s: %q are left behind %q", file.Name, done.NotHeard, left)
				}
				if left = done.NotHeard; len(left) == 0 || done.Problem != nil {
					break
				}
			}
		}
		want, got := logOf(t, whole, k.Name), logOf(t, slowly, k.Name)
		same := func(a, b timeline.LogEvent) bool {
			return a.Type == b.Type && a.Narration == b.Narration && a.CommandID == b.CommandID
		}
		if len(got) == 0 || !slices.EqualFunc(want, got, same) {
			t.Errorf("%s: %d events came of its entries one by one, %d of its files", k.Name, len(got), len(want))
		}
	}
}
