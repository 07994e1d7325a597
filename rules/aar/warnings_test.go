package aar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestWarnings: what no rule forbids, and may be a slip, is said to whoever hands it in. The record has nothing of it.
func TestWarnings(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	for _, step := range []struct{ verb, body, want string }{
		{"purchase", `{"purchase":{"power":"Germany","units":{"infantry":2,"submarine":1}}}`,
			"[Germany begins its TURN in Round 1 before its time: Russia has not had one, and none comes in this " +
				"ROUND any more]"},
		{"mobilize", `{"mobilize":{"power":"Germany","units":{"Germany":{"infantry":1}}}}`, "[]"},
		{"collect income", `{"collect income":"Germany"}`,
			"[Germany bought 1 infantry and 1 submarine in Round 1 and has not placed it; after its TURN nothing of " +
				"it can be " +
				"placed]"},
		{"collect income", `{"collect income":{"power":"UK","base":99}}`,
			"[UK collects on a base of 99, and its territories on the board come to 16]"},
		{"sbr", `{"sbr":{"attacker":"US","territory":"Germany","bombers":1}}`,
			"[US begins its TURN in Round 1 before its time: Japan has not had one, and none comes in this ROUND any " +
				"more]"},
	} {
		o, _ := c.Judge(rules.Command{ID: "x", Verb: step.verb, Body: []byte(step.body)})
		if got := fmt.Sprint(o.Warnings); got != step.want || o.Verdict == rules.Refused {
			t.Errorf("%s: %s %s, want %s", step.body, o.Verdict, got, step.want)
		}
		if step.verb != "sbr" {
			c.Stand(step.verb, step.body)
		}
	}
	shots := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	shots.Stand("turn", `{"turn":"Round 1"}`)
	shots.Stand("facts", `{"facts":{"submarines":{"US":{"SZ 60":2}}}}`)
	shots.Stand("sub detection", `{"sub detection":{"zone":"SZ 60","attacker":"US"}}`)
	both := shots.Stand("call shots", `{"call shots":{"zone":"SZ 60","targets":{"transport":1,"carrier":1}}}`)
	if len(both.Warnings) != 1 || !strings.Contains(both.Warnings[0], "escorted transports") { // AAR-7-TRANSPORT
		t.Errorf("a transport beside a carrier: %q", both.Warnings)
	}
	built := c.Stand("facts", `{"facts":{"complexes":{"India":1}}}`)
	if len(built.Warnings) != 1 || !strings.Contains(built.Warnings[0], "paid for") {
		t.Errorf("a complex that nobody bought: %q", built.Warnings)
	}
	o, _ := c.Judge(rules.Command{ID: "late", Verb: "sbr",
		Body: []byte(`{"sbr":{"attacker":"Germany","territory":"UK",` +
			`"bombers":1}}`)})
	if o.Verdict != rules.Refused || o.Violations[0].Rule != "AAR-4-TURNS" || len(o.Warnings) > 0 {
		t.Errorf("Germany's TURN is over: %+v", o)
	}
}
