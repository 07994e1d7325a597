package awaw

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// campaigns are campaigns at points where different things may be done.
func campaigns(t testing.TB) []*rulestest.Harness {
	t.Helper()
	opened := rulestest.Open(t, System(), nil, nil)
	fall := rulestest.Open(t, System(), nil, nil)
	fall.Stand("turn", `{"turn":"Fall 1939"}`)
	asking := rulestest.Open(t, System(), nil, allAsked())
	asking.Stand("turn", `{"turn":"Spring 1941"}`)
	asking.Stand("allocate", `{"allocate":{"side":"Japan","project":"Magic","points":9}}`)
	asking.Stand("draw", `{"draw":"Ultra"}`)
	secret := rulestest.Open(t, System(), nil,
		map[string]string{"play_order": "simultaneous_secret", "campaign_scope": "per_box", "blank_cards": "allowed"})
	research := rulestest.Open(t, System(), nil, nil)
	for _, c := range []*rulestest.Harness{secret, research} {
		c.Stand("turn", `{"turn":"Spring 1941"}`)
		for _, side := range []string{"European Axis", "Britain", "Japan", "United States"} {
			project := map[bool]string{true: "Ultra", false: "Magic"}[side == "European Axis" || side == "Britain"]
			c.Stand("allocate", fmt.Sprintf(`{"allocate":{"side":%q,"project":%q,"points":9}}`, side, project))
		}
		c.Stand("produce", `{"produce":{"side":"Japan","project":"Magic","card":"strategic"}}`)
	}
	war := research.Clone(t, 5)
	war.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
	war.Stand("draw", `{"draw":"Ultra"}`)
	secret.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
	secret.Stand("draw", `{"draw":"Ultra"}`)
	combat := war.Clone(t, 6)
	combat.Stand("phase", `{"phase":"combat","player":"Japan"}`)
	combat.Stand("phase", `{"phase":"movement","player":"Western Allies"}`)
	return []*rulestest.Harness{opened, fall, asking, research, war, secret, combat}
}

func allAsked() map[string]string {
	options := map[string]string{}
	for _, o := range OptionList().Free() {
		options[o.Name] = rules.Ask
	}
	return options
}

func FuzzDecide(f *testing.F) { rulestest.FuzzDecide(f, campaigns(f)) }

func FuzzEvolve(f *testing.F) { rulestest.FuzzEvolve(f, campaigns(f)) }

func TestEntries(t *testing.T) { rulestest.EveryEntry(t, campaigns(t)) }

func TestOddEntries(t *testing.T) {
	rulestest.OddEntries(t, campaigns(t), "Japan", "strategic", "wild")
}
