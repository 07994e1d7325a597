package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
)

// Nothing is played before a question is answered: a host who goes on takes the answer from whom he asked, and what he
// attacked with comes to nothing. What may be said meanwhile is said.
func TestPlayedOnUnanswered(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("unanswered", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n  - {id: d, draw: Ultra}\n")
	fact := c.all()[indexOf(t, c.all(), "fact_reported")]
	c.must("entries:\n  - {id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}\n")
	asked := c.now().Open
	if asked == nil {
		t.Fatal("nobody is asked")
	}
	f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
	fact.Command, fact.Phase = "another", list[len(list)-1].Phase
	found := strings.Join(c.found(rechained(f, append(slices.Clone(list), fact))), "\n")
	if !strings.Contains(found, "nothing else is played before") {
		t.Errorf("%q", found)
	}
	c.must("entries:\n  - {id: s, dispute: {event: 3, claim: it was Spring}}\n")
	c.must("entries:\n  - {id: a, answer: {European Axis: pass}}\n  - {id: b, answer: {Britain: pass}}\n")
	if found := c.found(c.fileFor(bundle.Umpire, c.now().Next)); len(found) > 0 {
		t.Errorf("an honest host: %q", found)
	}
}
