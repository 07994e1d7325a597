package g40

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
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
	if o, _ := campaign("3").Judge(rules.Command{ID: "heard", Verb: verb, Body: []byte(body)}); len(o.Violations) > 0 {
		t.Errorf("edition 3: %s: %v", body, o.Violations)
	}
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

// TestAllDeclaredAreFiredAt: AA fire spares no aircraft that was declared to attack there (G40-AA-DICE).
func TestAllDeclaredAreFiredAt(t *testing.T) {
	declared := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"units":{"UK":{"UK":{"AA gun":1,"infantry":1}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","units":{"fighter":1,"strategic bomber":1}}}`)
		c.Stand("attack", `{"attack":{"on":"UK","units":{"fighter":1}}}`)
		return c
	}
	refused(t, declared, "aa fire", `{"aa fire":{"at":"UK","aircraft":{"fighter":1}}}`, "G40-AA-DICE")
	refused(t, declared, "aa fire", `{"aa fire":{"at":"UK","aircraft":{"fighter":2}}}`, "G40-AA-DICE")
	declared("5").Stand("aa fire", `{"aa fire":{"at":"UK","aircraft":{"fighter":2,"strategic bomber":1}}}`,
		dice([]int{6, 6, 6}))
}

// TestFallenDoNotDefend: no more fighters are asked for, scramble or intercept than a power has left in all, wherever
// it lost the others (GEN-CARRY, G40-SBR-INTERCEPT, G40-SCR-BASE).
func TestFallenDoNotDefend(t *testing.T) {
	fallen := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"units":{"Germany":{"Western Germany":{"fighter":3}},`+
			`"UK":{"UK":{"AA gun":1,"infantry":1,"strategic bomber":2},"SZ 112":{"destroyer":1}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","units":{"fighter":3}}}`)
		c.Stand("aa fire", `{"aa fire":{"at":"UK"}}`, dice([]int{1, 1, 6}))
		return c
	}
	raid := `{"bombing raid":{"attacker":"UK","on":"Western Germany","targets":{"air base":1}}}`
	for edition, want := range map[string]int{"3": 4, "5": 2} {
		o, _ := fallen(edition).Judge(rules.Command{ID: "raid", Verb: "bombing raid", Body: []byte(raid)})
		if got := len(o.Need.Choice.Options); got != want {
			t.Errorf("edition %s: %d options, want %d", edition, got, want)
		}
	}
	attacked := func(edition string) *rulestest.Harness {
		c := fallen(edition)
		c.Stand("attack", `{"attack":{"attacker":"UK","on":"SZ 112","units":{"destroyer":1}}}`)
		c.Stand("attack", `{"attack":{"on":"Western Germany","from":"SZ 112"}}`)
		c.Stand("scramble", `{"scramble":{"from":"Western Germany","to":"SZ 112","units":{"fighter":1}}}`)
		return c
	}
	refused(t, attacked, "bombing raid",
		`{"bombing raid":{"on":"Western Germany","targets":{"air base":1},"interceptors":1}}`, "G40-SBR-INTERCEPT")
}

// TestUnreportedDefendBeside: fighters of a territory for which none were reported intercept and fall without those of
// another having to (G40-SBR-INTERCEPT, G40-SCR-BASE).
func TestUnreportedDefendBeside(t *testing.T) {
	c := on(t, "5", `{"facts":{"units":{"UK":{"Scotland":{"fighter":2}}}}}`)
	c.Stand("bombing raid", `{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"air base":6},`+
		`"interceptors":1}}`)
	second := `{"bombing raid":{"on":"Scotland","targets":{"air base":1}}}`
	o, _ := c.Judge(rules.Command{ID: "raid", Verb: "bombing raid", Body: []byte(second)})
	if o.Need == nil || o.Need.Choice == nil || len(o.Need.Choice.Options) != 3 {
		t.Errorf("%s %v: %+v, want 0 to 2 interceptors", o.Verdict, o.Violations, o.Need)
	}
	c = on(t, "5", `{"facts":{"units":{"UK":{"Scotland":{"fighter":2}},"Germany":{"SZ 110":{"battleship":1},`+
		`"SZ 119":{"battleship":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 110"}}`)
	c.Stand("attack", `{"attack":{"on":"Scotland","from":"SZ 119"}}`)
	c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 110","units":{"fighter":2}}}`)
	c.Stand("scramble", `{"scramble":{"from":"Scotland","to":"SZ 119","units":{"fighter":2}}}`)
}

// TestNewTurnBeginsAfresh: what intercepted or fired in a TURN does so again in the next one, also where a raid or a
// shot is the first entry of that (G40-SBR-INTERCEPT, G40-AA-ONCE).
func TestNewTurnBeginsAfresh(t *testing.T) {
	raid := `{"bombing raid":{"attacker":"%s","on":"UK","targets":{"air base":1},"interceptors":2}}`
	shot := `{"aa fire":{"attacker":"%s","at":"UK","aircraft":{"fighter":1}}}`
	for edition, want := range map[string][]string{"3": {"G40-AA-ONCE", "G40-AA-RAID", "G40-SBR-INTERCEPT"}, "5": nil} {
		c := on(t, edition, `{"facts":{"units":{"UK":{"UK":{"fighter":2,"infantry":1,"AA gun":1}}}}}`)
		c.Stand("aa fire", fmt.Sprintf(shot, "Germany"), dice([]int{6}))
		c.Stand("bombing raid", fmt.Sprintf(raid, "Germany"), dice([]int{6}), dice([]int{6, 6}), dice([]int{6}),
			dice([]int{1}))
		var got []string
		for verb, body := range map[string]string{"bombing raid": raid, "aa fire": shot} {
			o, _ := c.Judge(rules.Command{ID: verb, Verb: verb, Body: []byte(fmt.Sprintf(body, "Italy"))})
			for _, v := range o.Violations {
				got = append(got, v.Rule)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("edition %s: %v, want %v", edition, got, want)
		}
	}
}

// TestDamagedShipIsNotHidden: a damaged ship does not leave the reports without a word, to come back whole in the next;
// of one that sank it is said (G40-KAM-SUNK).
func TestDamagedShipIsNotHidden(t *testing.T) {
	fleet := func(edition string) *rulestest.Harness { return hurt(t, edition) }
	refused(t, fleet, "facts", `{"facts":{"units":{"US":{"SZ 35":{"carrier":0,"destroyer":1}}}}}`, "G40-KAM-SUNK")
	refused(t, fleet, "facts", `{"facts":{"units":{"US":{"SZ 35":{}}}}}`, "G40-KAM-SUNK")
	c := hurt(t, "5")
	c.Clone(t, 1).Stand("facts",
		`{"facts":{"units":{"US":{"SZ 35":{"carrier":1,"damaged carrier":0}}}}}`)
	c.Clone(t, 2).Stand("facts",
		`{"facts":{"units":{"US":{"SZ 35":{},"SZ 26":{"carrier":2,"damaged carrier":1}}}}}`)
	c.Stand("facts", `{"facts":{"units":{"US":{"SZ 26":{"carrier":1}}}}}`) // reported first, and whole
	got := c.Refused("facts", `{"facts":{"units":{"US":{"SZ 35":{}}}}}`)
	if !slices.Equal(got, []string{"G40-KAM-SUNK"}) {
		t.Error(got)
	}
}

// TestHitsAlone: a report of a space that names its damaged ships alone leaves the others there. The damaged sink, or
// are repaired in their owner's Purchase & Repair (G40-KAM-SUNK, AMB-G40-6).
func TestHitsAlone(t *testing.T) {
	said := `{"facts":{"units":{"US":{"SZ 35":{"damaged carrier":0}}}}}`
	for edition, want := range map[string]string{"3": "[]", "5": "[{destroyer 1} {carrier 1}]"} {
		c := hurt(t, edition)
		c.Stand("facts", said)
		g := c.Game().(game)
		if got := fmt.Sprint(g.unitsOf("US", "35 Sea Zone")); got != want || len(g.damagedAt("US", "35 Sea Zone",
			carrier)) > 0 {
			t.Errorf("edition %s: %s, want %s", edition, got, want)
		}
	}
	c := hurt(t, "5")
	c.Clone(t, 1).Stand("facts", `{"facts":{"units":{"US":{"SZ 35":{"damaged carrier":1}}}}}`)
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Stand("phase", `{"phase":"purchase and repair","player":"US"}`)
	c.Stand("facts", said)
	g := c.Game().(game)
	got := fmt.Sprint(g.unitsOf("US", "35 Sea Zone"), g.damagedAt("US", "35 Sea Zone", carrier))
	if got != "[{destroyer 1} {carrier 2}] []" {
		t.Error(got)
	}
}

// TestCapturedComplexStaysMinor: a report does not make a captured complex a major one again (G40-IC-MAJOR,
// G40-IC-REDUCE); its own power's may be one.
func TestCapturedComplexStaysMinor(t *testing.T) {
	taken := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"treasury":{"Germany":0}}}`)
		c.Stand("capture", `{"capture":{"by":"UK","territory":"Germany"}}`)
		return c
	}
	refused(t, taken, "facts", `{"facts":{"facilities":{"Germany":["major ic"]}}}`, "G40-IC-MAJOR")
	refused(t, taken, "facts", `{"facts":{"facilities":{"Germany":{"major ic":0}}}}`, "G40-IC-MAJOR")
	c := taken("5")
	c.Stand("facts", `{"facts":{"facilities":{"Germany":["minor ic","air base"],"Quebec":["major ic"]}}}`)
	c.Stand("facts", `{"facts":{"control":{"Persia":"UK"}}}`)
	if got := c.Refused("facts", `{"facts":{"facilities":{"Persia":["major ic"]}}}`); !slices.Equal(got,
		[]string{"G40-IC-MAJOR"}) {
		t.Error(got)
	}
}

// TestEconomyOfCapturedCapital: no report moves a territory of an economy whose capital the Axis holds to the other
// (G40-UK-NO-TRANSFER), nor one whose income was collected in the ROUND to the one that has still to collect
// (G40-UK-COLLECT).
func TestEconomyOfCapturedCapital(t *testing.T) {
	fallen := func(edition string) *rulestest.Harness {
		return on(t, edition, `{"facts":{"control":{"UK":"Germany"}}}`)
	}
	moved := `{"facts":{"economies":{"Egypt":"Pacific"}}}`
	refused(t, fallen, "facts", moved, "G40-UK-NO-TRANSFER")
	collected := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"control":{"Java":"UK"}}}`)
		c.Stand("collect income", `{"collect income":"UK Europe"}`)
		return c
	}
	refused(t, collected, "facts", moved, "G40-UK-COLLECT")
	c := fallen("5")
	c.Stand("facts", `{"facts":{"economies":{"Egypt":"Europe","India":"Europe","Persia":"Pacific"}}}`)
	c.Stand("facts", `{"facts":{"control":{"UK":"UK"}}}`)
	c.Stand("facts", moved)
	c = collected("5")
	c.Stand("facts", `{"facts":{"economies":{"Java":"Europe"}}}`) // which has collected without it
	c.Stand("collect income", `{"collect income":"UK Pacific"}`)
	c.Stand("facts", moved)
}

// TestDefendersFallWithTheirTerritory: what stood in a territory that was captured is not there when it is retaken, but
// for aircraft that have still to land (GEN-CARRY, G40-SCR-LAND).
func TestDefendersFallWithTheirTerritory(t *testing.T) {
	for edition, want := range map[string]string{"3": "[{infantry 1} {AA gun 1} {fighter 2}]", "5": "[{fighter 1}]"} {
		c := on(t, edition, `{"facts":{"units":{"UK":{"UK":{"fighter":2,"infantry":1,"AA gun":1}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109"}}`)
		c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`)
		c.Stand("capture", `{"capture":{"territory":"UK","by":"Germany"}}`)
		if got := fmt.Sprint(c.Game().(game).unitsOf("UK", "United Kingdom")); got != want {
			t.Errorf("edition %s: %s, want %s", edition, got, want)
		}
		c.Stand("land", `{"land":{"from":"UK","at":{"Scotland":1}}}`)
		if got := c.Game().(game).unitsOf("UK", "Scotland"); fmt.Sprint(got) != "[{fighter 1}]" {
			t.Errorf("edition %s: %v landed", edition, got)
		}
	}
}

// TestOutOfStep: what the text has decided earlier in a TURN is heard with a warning: a second raid on a territory
// (G40-SBR-ASSIGN), rockets from a base that fell in the TURN (G40-TECH-ROCKETS), a capture that nobody declared before
// aircraft scrambled (G40-SCR-TIME).
func TestOutOfStep(t *testing.T) {
	c := on(t, "5", `{"facts":{"technologies":{"Germany":["rockets"]},"units":{"UK":{"UK":{"fighter":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109"}}`)
	c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`)
	c.Stand("bombing raid", `{"bombing raid":{"on":"UK","targets":{"air base":1},"interceptors":0}}`, dice([]int{6}),
		dice([]int{1}))
	c.Stand("capture", `{"capture":{"territory":"France","by":"Germany","ipcs":0}}`)
	for body, want := range map[string]string{
		`{"bombing raid":{"on":"UK","targets":{"air base":1},"interceptors":0}}`: "United Kingdom was raided",
		`{"rockets":{"from":"France","at":"UK","facility":"air base"}}`:          "France was captured in this TURN",
		`{"capture":{"territory":"Scotland","by":"Germany"}}`:                    "no attack on Scotland was declared",
		`{"capture":{"territory":"UK","by":"Germany"}}`:                          "",
	} {
		verb := strings.Split(body, `"`)[1]
		o, _ := c.Judge(rules.Command{ID: verb, Verb: verb, Body: []byte(body)})
		if got := strings.Join(o.Warnings, "; "); len(o.Violations) > 0 || !strings.Contains(got, want) || want == "" &&
			got != "" {
			t.Errorf("%s: %v %v, want %q", body, o.Warnings, o.Violations, want)
		}
	}
}
