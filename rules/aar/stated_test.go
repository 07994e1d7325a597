package aar

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestCarried: what edition 1 takes as it is stated, edition 2 holds to what the record holds, by the rule named
// (GEN-CARRY). So an older campaign goes on as it was.
func TestCarried(t *testing.T) {
	carried := rulestest.OpenOn(t, System(), "2", rulestest.Board(t, "straits"), nil)
	stated := rulestest.OpenOn(t, System(), "1", rulestest.Board(t, "straits"), nil)
	for _, c := range []*rulestest.Harness{carried, stated} {
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 8":2},"US":{"SZ 60":1},"Japan":{"I-19":"SZ 60"}},`+
			`"artillery":{"UK":{"NW Europe":2}},"control":{"NW Europe":"UK"}}}`)
	}
	for _, step := range []struct{ verb, body, rule string }{
		{"facts", `{"facts":{"used":{"UK":["Rodney"]}}}`, "AAR-5-UK-USED"},
		{"purchase", `{"purchase":{"power":"Germany","cost":1,"units":{"infantry":5}}}`, "AAR-6-PRICES"},
		{"purchase", `{"purchase":{"power":"Germany","cost":9}}`, "AAR-6-UNKNOWN"},
		{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","damage":6}}`, "AMB-AAR-13"},
		{"sbr", `{"sbr":{"attacker":"Germany","territory":"India","damage":6}}`, "AMB-AAR-14"},
		{"rockets", `{"rockets":{"attacker":"Germany","territory":"UK","damage":6}}`, "AAR-5-TECH"},
		{"roll", `{"roll":{"dice":"1d6 destroyer at 3","for":"a battle","side":"Germany"}}`, "AAR-6-DD"},
	} {
		if broken := carried.Refused(step.verb, step.body); !slices.Contains(broken, step.rule) {
			t.Errorf("%s: %v, want %s", step.body, broken, step.rule)
		}
		stated.Stand(step.verb, step.body)
	}
}
