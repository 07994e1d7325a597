package g40

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
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

// TestFallenAbroad: an escort that fell over the United Kingdom does not scramble at home, nor escort again; a report
// of what is left accounts for it (G40-SBR-ESCORT, G40-SCR-BASE). Older editions count it until it is reported.
func TestFallenAbroad(t *testing.T) {
	for _, edition := range []string{"1", "3"} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts", `{"facts":{"units":{"Germany":{"Western Germany":{"fighter":2}}}}}`)
		c.Stand("bombing raid", `{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"major ic":1},"escorts":2,
			"interceptors":1}}`, dice([]int{6}, []int{6, 6}), dice([]int{1}), chosen("escort"), dice([]int{6}),
			dice([]int{1}))
		c.Stand("attack", `{"attack":{"attacker":"UK","on":"SZ 112"}}`)
		up := `{"scramble":{"from":"Western Germany","to":"SZ 112","units":{"fighter":2}}}`
		if edition == "1" {
			c.Stand("scramble", up)
			continue
		}
		if got := c.Refused("scramble", up); !slices.Equal(got, []string{"G40-SCR-BASE"}) {
			t.Error(got)
		}
		c.Stand("turn", `{"turn":"Round 2"}`)
		again := `{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"major ic":1},"escorts":2,
			"interceptors":0}}`
		if got := c.Refused("bombing raid", again); !slices.Equal(got, []string{"G40-SBR-ESCORT"}) {
			t.Error(got)
		}
		c.Stand("facts", `{"facts":{"units":{"Germany":{"Western Germany":{"fighter":2}}}}}`) // one is new
		c.Stand("bombing raid", again)
	}
}
