package g40

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// TestPassedOver: a power that acts before its TURN passes others over, and whoever hands the entry in reads which. The
// record says nothing of it, for no text has the order of play; those that had their TURN are not named, nor is anybody
// twice.
func TestPassedOver(t *testing.T) {
	c := world(t, nil)
	for _, step := range []struct{ body, want string }{
		{`{"collect income":"Germany"}`, "[]"},
		{`{"collect income":"US"}`, "[US begins its TURN in Round 1 before its time: Russia and Japan have not had " +
			"one, and none comes in this ROUND any more]"},
		{`{"collect income":"UK Europe"}`, "[UK begins its TURN in Round 1 before its time: China has not had one, " +
			"and none comes in this ROUND any more]"},
		{`{"collect income":"UK Pacific"}`, "[]"},
	} {
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "collect income", Body: []byte(step.body)})
		if got := fmt.Sprint(o.Warnings); got != step.want || o.Verdict != rules.Allowed {
			t.Errorf("%s: %s %s, want %s", step.body, o.Verdict, got, step.want)
		}
		c.Stand("collect income", step.body)
	}
	o, _ := c.Judge(rules.Command{ID: "late", Verb: "collect income", Body: []byte(`{"collect income":"Japan"}`)})
	if o.Verdict != rules.Refused || len(o.Warnings) > 0 {
		t.Errorf("Japan's TURN is over: %+v", o)
	}
}
