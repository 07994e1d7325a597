package dashboard

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/waterfall"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
)

// Each modifier of a result stands on its page, step by step from the dice to what is read, and every sum comes out.
// The hashes of an opening are folded.
func TestModifiersStepByStep(t *testing.T) {
	d, all := pages(t)
	shown := 0
	for _, k := range fixtures.Campaigns() {
		list, err := all.service.Log(t.Context(), k.Name, 0, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			x, path := waterfall.Of(e.Payload), links{name: k.Name}.To(e.Index)
			if x == nil {
				continue
			}
			if shown++; !x.Fits {
				t.Errorf("%s: the modifiers do not come to what is recorded: %+v", path, x)
			}
			if shown%9 != 1 && len(x.Heads) < 3 {
				continue // not every page is drawn
			}
			text := textOf(byID(read(t, d, path), "result"))
			r := e.Payload.(*events.ResultAdjudicated)
			for _, m := range r.Modifiers {
				if !strings.Contains(text, m.Name) {
					t.Errorf("%s does not name %s", path, m.Name)
				}
			}
			if !strings.Contains(text, "read as") || strings.Contains(text, "net") {
				t.Errorf("%s: %s", path, text)
			}
		}
		opening := read(t, d, links{name: k.Name}.To(0))
		for n := range opening.Descendants() {
			if n.Data != "code" {
				continue
			}
			above := n.Parent
			for above != nil && above.Data != "details" {
				above = above.Parent
			}
			if above == nil {
				t.Errorf("%s: a hash is in sight at the opening: %s", k.Name, textOf(n))
			}
		}
	}
	if shown < 20 {
		t.Errorf("only %d results have modifiers", shown)
	}
}
