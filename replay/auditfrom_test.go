package replay_test

import "testing"

// TestAuditFromAnywhere: an audit that is to begin in the middle of a command begins with its first event, and accuses
// nobody; also in the middle of a ruling and of an undo of several acts.
func TestAuditFromAnywhere(t *testing.T) {
	c := corrected(t)
	c.ruleVoid(c.lastOf("Fall 1941/atlantic", "result_adjudicated"))
	last := c.must("entries:\n  - {id: one, facts: {torpedo: {Germany: 3}}}\n  - {id: two, facts: {radar: " +
		"{Germany: 3}}}\n")
	if a, err := c.umpire.Undo(c.id.ID, last[0].First, "both"); err != nil || a.Events != 2 {
		t.Fatal(a, err)
	}
	all := c.all()
	first := map[string]uint64{}
	for from, e := range all {
		if _, begun := first[e.Command]; !begun {
			first[e.Command] = e.Index
		}
		trial, err := c.umpire.Trial(c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		trial.From = uint64(from)
		a, err := trial.Audit(nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := first[e.Command]; a.From != want {
			t.Errorf("from #%d it begins with #%d, not #%d", from, a.From, want)
		}
		for _, f := range a.Findings {
			t.Errorf("from #%d: %v", from, f)
		}
	}
}
