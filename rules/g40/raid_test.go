package g40

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// TestWhatIsBombed: strategic bombers bomb complexes, air bases and naval bases (G40-SBR-STRAT), tactical ones bases
// alone (G40-SBR-TAC), and neither what is not there.
func TestWhatIsBombed(t *testing.T) {
	for _, f := range []Facility{MajorIC, MinorIC, AirBase, NavalBase} {
		for kind, barred := range map[string]bool{strategicBomber: false, tacticalBomber: f.complex()} {
			c := world(t, nil)
			c.Stand("facts", `{"facts":{"facilities":{"Malta":["`+f.title()+`"]}}}`)
			raid := `{"bombing raid":{"attacker":"Italy","on":"Malta","targets":{"` + f.title() + `":{"` + kind +
				`":1}},"interceptors":0}}`
			if barred {
				if got := c.Refused("bombing raid", raid); !slices.Equal(got, []string{"G40-SBR-TAC"}) {
					t.Errorf("a %s on a %s: %v", kind, f.title(), got)
				}
				continue
			}
			c.Stand("bombing raid", raid, dice([]int{6}), dice([]int{4}))
			if hit := last(t, c, &events.FacilityDamaged{}); hit.Facility != string(f) || hit.Damage != 4 {
				t.Errorf("a %s on a %s: %+v", kind, f.title(), hit)
			}
		}
	}
	c := world(t, nil)
	for raid, want := range map[string]string{
		`{"bombing raid":{"attacker":"Italy","on":"Malta","targets":{"minor ic":1},"interceptors":0}}`: "no minor " +
			"industrial complex stands in Malta: it has neither a complex nor a base, so nothing there is raided",
		`{"bombing raid":{"attacker":"Italy","on":"Malta","targets":{},"interceptors":0}}`: "no bombers: write " +
			"{targets: {major ic: 2}}; it has neither a complex nor a base, so nothing there is raided",
		`{"bombing raid":{"attacker":"Italy","on":"Egypt","targets":{"minor ic":1},"interceptors":0}}`: "no minor " +
			"industrial complex stands in Egypt: bombers raid the naval base there",
	} {
		o, _ := c.Judge(rules.Command{ID: "raid", Verb: "bombing raid", Body: []byte(raid)})
		if len(o.Violations) != 1 || !strings.Contains(o.Violations[0].Message, want) {
			t.Errorf("%s: %+v", raid, o.Violations)
		}
	}
}
