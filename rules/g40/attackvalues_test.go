package g40

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestAttackValues: an attack says with what its units attack where the attacker's technologies improve them
// (G40-TECH-JET, G40-TECH-SUPER, G40-TECH-MECH), and of nothing else; the editions before say nothing.
func TestAttackValues(t *testing.T) {
	const attack = `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109","units":{"fighter":1,"submarine":2,
		"mechanized infantry":3,"tank":1,"artillery":1}}}`
	cited := func(c *rulestest.Harness) string {
		c.Stand("attack", attack)
		log := c.Log()
		var rules []string
		for _, s := range log[len(log)-1].Derivation {
			rules = append(rules, s.Rule)
		}
		return fmt.Sprint(rules)
	}
	c := world(t, nil)
	if got := cited(c.Clone(t, 1)); got != "[G40-SCR-TIME]" {
		t.Error(got)
	}
	c.Stand("facts", `{"facts":{"technologies":{"Germany":["jet fighters","super submarines",
		"improved mechanized infantry"]}}}`)
	want := "[G40-SCR-TIME G40-TECH-JET G40-TECH-SUPER G40-TECH-MECH G40-TECH-MECH AMB-G40-8]"
	if got := cited(c); got != want {
		t.Error(got)
	}
	log := c.Log()
	for i, step := range map[int]string{
		1: "a fighter attacks with 4, with Jet Fighters 4 instead of 3",
		2: "a submarine attacks with 3, as a Super Submarine 3 instead of 2",
		3: "paired with tank, improved mechanized infantry attacks with 2",
		4: "beside 1 tank and 1 artillery, 2 of 3 mechanized infantry attack paired",
	} {
		if got := log[len(log)-1].Derivation[i].Step; got != step {
			t.Errorf("%d: %s", i, got)
		}
	}
	old := rulestest.OpenOn(t, System(), "1", rulestest.Board(t, "two-oceans"), nil)
	old.Stand("turn", `{"turn":"Round 1"}`)
	old.Stand("facts", `{"facts":{"technologies":{"Germany":["jet fighters"]}}}`)
	if got := cited(old); got != "[G40-SCR-TIME]" {
		t.Error(got)
	}
}
