package g40

import (
	"encoding/json"

	"github.com/watu-ledger/watu/rules"
)

// combatVerbs are what a turn file may say of combat.
func combatVerbs() []rules.Verb { return nil }

// combatFacts are the facts that combat adds, in the order in which one entry's are reported.
func combatFacts() []string { return nil }

// fight decides the entries of combat, and reports whether this is one.
func (d *decision) fight() bool {
	switch d.Command.Verb {
	}
	return false
}

// reportCombat reports a fact of combat.
func (d *decision) reportCombat(_ string, _ json.RawMessage) {}
