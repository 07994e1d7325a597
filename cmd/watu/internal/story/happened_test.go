package story

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/corpus"
	"github.com/watu-ledger/watu/replay/bundle"
)

// TestHappenedAsNarrated: where an event has a sentence in languages, English says of it what package narrator does,
// but for its own names of sides and its minus; of most events there is one, also in a corpus that tries what is rare.
func TestHappenedAsNarrated(t *testing.T) {
	signs := strings.NewReplacer("−1 IPC ", "-1 IPCs ", "−1 IPC:", "-1 IPCs:", "−", "-")
	plain := *English
	plain.names = nil
	said, all, lacking := 0, 0, map[events.Type]int{}
	for _, name := range corpus.Archives() {
		a, err := corpus.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, campaign := range a.Campaigns() {
			file := a.Of(campaign, "public.watu")
			if len(file) == 0 {
				continue
			}
			f, err := bundle.Read(bytes.NewReader(file))
			if err != nil {
				t.Fatal(err)
			}
			for _, b := range f.Events {
				e, err := events.Decode(b)
				if err != nil {
					t.Fatal(err)
				}
				all++
				s, ok := Happened(&e)
				if !ok {
					lacking[e.Type]++
					continue
				}
				said++
				got := ""
				for _, x := range plain.Full(s) {
					got += x.Text
				}
				got = signs.Replace(got)
				if want := narrator.Sentence(&e); got != want {
					t.Errorf("%s %s #%d:\ngot  %s\nwant %s", name, campaign, e.Index, got, want)
				}
			}
		}
	}
	t.Logf("%d of %d events are said in languages", said, all)
	if said < all/2 {
		kinds := slices.SortedFunc(maps.Keys(lacking), func(a, b events.Type) int { return lacking[b] - lacking[a] })
		t.Errorf("%d of %d events alone are said in languages; without are %v", said, all, kinds)
	}
}
