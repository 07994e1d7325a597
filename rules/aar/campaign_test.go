package aar

import (
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// campaigns are campaigns at points where different things may be done.
func campaigns(t testing.TB) []*rulestest.Harness {
	t.Helper()
	opened := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	first := opened.Clone(t, 1)
	first.Stand("turn", `{"turn":"Round 1"}`)
	asking := rulestest.Open(t, System(), rulestest.Board(t, "straits"),
		map[string]string{"tiers": rules.Ask, "convoy_raid_cap": rules.Ask, "income_floor": rules.Ask})
	other := rulestest.Open(t, System(), rulestest.Board(t, "straits"),
		map[string]string{"tiers": "cumulative", "convoy_raid_cap": "double_ipc_value", "income_floor": "none",
			"bombing_damage": "stated"})
	for _, c := range []*rulestest.Harness{asking, other} {
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts",
			`{"facts":{"submarines":{"Germany":{"U-96":"SZ 9","SZ 8":5,"SZ 7":2},"Japan":{"SZ 60":1,"SZ 55":2},`+
				`"US":{"SZ 60":2}},"complexes":{"Canada":1},"submerged":{"UK":["SZ 7"]}}}`)
	}
	late := other.Clone(t, 1)
	late.Stand("sbr", `{"sbr":{"attacker":"Germany","territory":"UK","damage":11}}`)
	late.Stand("collect income", `{"collect income":"UK"}`)
	late.Stand("facts", `{"facts":{"control":{"UK":"Germany","India":"Japan","Italy":"neutral"}}}`)
	hunted := other.Clone(t, 2)
	hunted.Stand("facts",
		`{"facts":{"techs":{"US":["long range aircraft"],"Germany":["super submarines","super destroyers"]},`+
			`"prices":{"infantry":3,"artillery":4},"artillery":{"UK":{"NW Europe":3}},`+
			`"control":{"NW Europe":"UK"}}}`)
	hunted.Stand("artillery fire", `{"artillery fire":{"power":"UK","from":"NW Europe","at":"France","pieces":2}}`)
	hunted.Stand("sub detection", `{"sub detection":{"zone":"SZ 9","attacker":"UK"}}`)
	thrown := first.Clone(t, 5)
	thrown.Stand("facts",
		`{"facts":{"techs":{"Germany":["rockets"],"UK":["radar sonar"]},"treasury":{"UK":40},`+
			`"prices":{"submarine":8,"infantry":3}}}`)
	thrown.Stand("purchase", `{"purchase":{"power":"UK","units":{"industrial complex":1,"submarine":1}}}`)
	alone := other.Clone(t, 3)
	alone.Stand("sub detection", `{"sub detection":{"zone":"SZ 60","attacker":"US"}}`)
	due := asking.Clone(t, 4)
	due.Stand("declare d-day", `{"declare d-day":"France"}`)
	due.Stand("facts", `{"facts":{"used":{"UK":["Rodney"]}}}`)
	unsettled := rulestest.Open(t, System(), rulestest.Board(t, "straits"),
		map[string]string{"baseline": rules.Ask, "super_destroyers": rules.Ask, "sz7_empty": rules.Ask})
	unsettled.Stand("turn", `{"turn":"Round 1"}`)
	unsettled.Stand("facts",
		`{"facts":{"submarines":{"Germany":{"U-96":"SZ 8"},"US":{"SZ 60":2}},"techs":{"Germany":["super submarines"],`+
			`"UK":["super destroyers"]}}}`)
	unsettled.Stand("declare d-day", `{"declare d-day":"France"}`)
	boardless := rulestest.New(t, System(), nil)
	return []*rulestest.Harness{opened, first, asking, other, late, hunted, thrown, alone, due, unsettled, boardless}
}

func FuzzDecide(f *testing.F) { rulestest.FuzzDecide(f, campaigns(f)) }

func FuzzEvolve(f *testing.F) { rulestest.FuzzEvolve(f, campaigns(f)) }

func TestEntries(t *testing.T) { rulestest.EveryEntry(t, campaigns(t)) }

func TestOddEntries(t *testing.T) {
	rulestest.OddEntries(t, campaigns(t), "UK", "SZ 8", "8 Sea Zone", "U-96", "neutral")
}
