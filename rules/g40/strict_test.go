package g40

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// on is a campaign on an edition, in its first ROUND, after some facts.
func on(t testing.TB, edition, facts string) *rulestest.Harness {
	t.Helper()
	c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", facts)
	return c
}

// refused wants an entry refused for some rules in the strict editions, and heard in those that carry.
func refused(t *testing.T, campaign func(edition string) *rulestest.Harness, verb, body string, want ...string) {
	t.Helper()
	for _, edition := range []string{"5", "6"} {
		if got := campaign(edition).Refused(verb, body); !slices.Equal(slices.Compact(got), want) {
			t.Errorf("edition %s: %s: %v, want %v", edition, body, got, want)
		}
	}
	campaign("3").Stand(verb, body)
}

// TestAircraftAttackOnce: an attack is not declared with aircraft that attack elsewhere in the TURN, nor with those
// that fell (GEN-CARRY), so AA guns throw no dice at them (G40-AA-DICE).
func TestAircraftAttackOnce(t *testing.T) {
	declared := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"units":{"Germany":{"Western Germany":{"fighter":3}},`+
			`"UK":{"UK":{"AA gun":1,"infantry":1}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","units":{"fighter":2}}}`)
		return c
	}
	refused(t, declared, "attack", `{"attack":{"on":"Malta","units":{"fighter":2}}}`, "GEN-CARRY")
	fallen := func(edition string) *rulestest.Harness {
		c := declared(edition)
		c.Stand("aa fire", `{"aa fire":{"at":"UK"}}`, dice([]int{1, 1}))
		c.Stand("turn", `{"turn":"Round 2"}`)
		return c
	}
	refused(t, fallen, "attack", `{"attack":{"attacker":"Germany","on":"Malta","units":{"fighter":2}}}`, "GEN-CARRY")
	for _, c := range []*rulestest.Harness{declared("5"), fallen("5")} { // the third is there
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"Malta","units":{"fighter":1}}}`)
	}
}
