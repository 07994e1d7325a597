package g40

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// campaignOn begins a campaign on an edition.
type campaignOn func(edition string) *rulestest.Harness

// exactly wants an entry refused for some rules in the exact editions, and heard in a strict one.
func exactly(t *testing.T, campaign campaignOn, verb, body string, want ...string) {
	t.Helper()
	for _, edition := range []string{"7", "8"} {
		if got := campaign(edition).Refused(verb, body); !slices.Equal(slices.Compact(got), want) {
			t.Errorf("edition %s: %s: %v, want %v", edition, body, got, want)
		}
	}
	if o, _ := campaign("5").Judge(rules.Command{ID: "heard", Verb: verb, Body: []byte(body)}); len(o.Violations) > 0 {
		t.Errorf("edition 5: %s: %v", body, o.Violations)
	}
}

// warned gives what an entry is warned of, joined.
func warned(t *testing.T, c *rulestest.Harness, verb, body string) string {
	t.Helper()
	o, _ := c.Judge(rules.Command{ID: "warned", Verb: verb, Body: []byte(body)})
	if len(o.Violations) > 0 {
		t.Errorf("%s: %v", body, o.Violations)
	}
	return strings.Join(o.Warnings, "; ")
}

// complexes is what stands in a territory.
func complexes(c *rulestest.Harness, territory string) string {
	g := c.Game().(game)
	s, _ := g.Board.Territory(territory)
	return fmt.Sprint(g.standing(s))
}

// TestNoMajorByFacts: a captor has no major complex, whether he captures by an entry or by a report, in one entry with
// the complex or with nobody in between; nor is one there again after it was left out (G40-IC-REDUCE, G40-IC-MAJOR).
func TestNoMajorByFacts(t *testing.T) {
	begun := func(edition string) *rulestest.Harness { return on(t, edition, `{"facts":{"treasury":{"Germany":9}}}`) }
	taken := func(edition string) *rulestest.Harness {
		c := begun(edition)
		c.Stand("capture", `{"capture":{"by":"UK","territory":"Germany"}}`)
		return c
	}
	back := func(edition string) *rulestest.Harness {
		c := taken(edition)
		c.Stand("phase", `{"phase":"research","player":"Italy"}`)
		c.Stand("facts", `{"facts":{"control":{"Germany":"Germany"}}}`)
		return c
	}
	out := func(edition string) *rulestest.Harness {
		c := back(edition)
		c.Stand("facts", `{"facts":{"facilities":{"Germany":["air base"]}}}`)
		return c
	}
	major := `{"facts":{"facilities":{"Germany":["major ic"]}}}`
	exactly(t, begun, "facts", `{"facts":{"control":{"Germany":"UK"},"facilities":{"Germany":["major ic"]}}}`,
		"G40-IC-MAJOR")
	exactly(t, begun, "facts", `{"facts":{"control":{"Persia":"UK"},"facilities":{"Persia":["major ic"]}}}`,
		"G40-IC-MAJOR")
	exactly(t, back, "facts", major, "G40-IC-REDUCE")
	exactly(t, out, "facts", major, "G40-IC-REDUCE")
	for edition, want := range map[string]string{"5": "[{major_ic 0 false}]", "7": "[{minor_ic 0 false}]"} {
		c := begun(edition)
		c.Stand("facts", `{"facts":{"control":{"Germany":"neutral"}}}`)
		c.Stand("facts", `{"facts":{"control":{"Germany":"UK"}}}`)
		if got := complexes(c, "Germany"); got != want {
			t.Errorf("edition %s: %s, want %s", edition, got, want)
		}
	}
	c := back("7") // its own power pays for the upgrade, and reports it from then on
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Stand("facts", `{"facts":{"treasury":{"Germany":30}}}`)
	c.Stand("build", `{"build":{"power":"Germany","territory":"Germany","facility":"major ic","cost":20}}`)
	c.Stand("facts", `{"facts":{"facilities":{"Germany":["major ic","air base"]}}}`)
}

// TestIncomeIsNotRestated: a report restates no treasury in the ROUND in which it collected, nor passes a territory on
// to a friend who has still to collect for it (GEN-CARRY). What an enemy took in between he collects for.
func TestIncomeIsNotRestated(t *testing.T) {
	collected := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"control":{"Malaya":"US"}}}`)
		c.Stand("collect income", `{"collect income":"US"}`)
		return c
	}
	neutral := func(edition string) *rulestest.Harness {
		c := collected(edition)
		c.Stand("facts", `{"facts":{"control":{"Philippines":"neutral"}}}`)
		return c
	}
	exactly(t, collected, "facts", `{"facts":{"treasury":{"US":99}}}`, "INPUT")
	exactly(t, collected, "facts", `{"facts":{"treasury":{"US":0}}}`, "INPUT")
	exactly(t, collected, "facts", `{"facts":{"control":{"Philippines":"ANZAC"}}}`, "INPUT")
	exactly(t, neutral, "facts", `{"facts":{"control":{"Philippines":"ANZAC"}}}`, "INPUT")
	c := collected("7")
	if got := warned(t, c, "facts", `{"facts":{"control":{"Malaya":"UK"}}}`); !strings.Contains(got, "AMB-G40-10") {
		t.Error(got)
	}
	c.Stand("facts", `{"facts":{"treasury":{"UK Europe":20}}}`) // which has still to buy
	c.Stand("facts", `{"facts":{"control":{"Philippines":"Japan"}}}`)
	c.Stand("facts", `{"facts":{"control":{"Philippines":"ANZAC"}}}`)
	c.Stand("collect income", `{"collect income":"ANZAC"}`)
	c.Stand("turn", `{"turn":"Round 2"}`)
	got := warned(t, c, "facts", `{"facts":{"treasury":{"US":99}}}`)
	if !strings.Contains(got, "by its incomes and payments on record, and 99 from here on") {
		t.Error(got)
	}
}

// TestNobodyToHelp: a scramble to a sea zone where every defender was reported to have nothing is warned of
// (G40-SCR-WHY).
func TestNobodyToHelp(t *testing.T) {
	for facts, want := range map[string]bool{
		`{"UK":{"SZ 109":{}}}`:                                         true,
		`{"UK":{"SZ 109":{},"UK":{"fighter":1}}}`:                      true,
		`{"UK":{"UK":{"fighter":1}}}`:                                  false, // nobody said that nothing is there
		`{"UK":{"SZ 109":{}},"US":{"SZ 109":{"transport":1}}}`:         false,
		`{"UK":{"SZ 109":{}},"Germany":{"SZ 109":{"submarine":1}}}`:    true,
		`{"UK":{"SZ 109":{"destroyer":1}},"France":{"SZ 109":{}}}`:     false,
		`{"France":{"SZ 109":{}},"Russia":{"SZ 109":{"submarine":0}}}`: true,
	} {
		c := on(t, "7", `{"facts":{"units":`+facts+`}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
		scramble := `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`
		if got := warned(t, c, "scramble", scramble); strings.Contains(got, "G40-SCR-WHY") != want {
			t.Errorf("%s: %q", facts, got)
		}
		c.Stand("attack", `{"attack":{"on":"Scotland","from":"SZ 109"}}`)
		if got := warned(t, c, "scramble", scramble); got != "" {
			t.Errorf("%s: %q", facts, got)
		}
	}
}

// TestHintsOfFireAreHeard: what a refusal of AA fire says to do is heard (G40-AA-TARGET).
func TestHintsOfFireAreHeard(t *testing.T) {
	c := on(t, "7", `{"facts":{"units":{"UK":{"UK":{"infantry":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109","units":{"infantry":1}}}`)
	for _, want := range []string{
		"no AA gun defends United Kingdom: report the units there anew",
		"no aircraft are known to attack United Kingdom: the attack there was declared without any: correct it",
	} {
		o, _ := c.Judge(rules.Command{ID: "fire", Verb: "aa fire", Body: []byte(`{"aa fire":{"at":"UK"}}`)})
		if !slices.ContainsFunc(o.Violations, func(v rules.Violation) bool { return v.Message == want }) {
			t.Errorf("%v, want %q", o.Violations, want)
		}
	}
}

// TestFactsAsCaptures: an enemy who is reported to hold a territory takes it from what stood there, and of a capital
// a warning names what a capture would have taken (GEN-CARRY, G40-UK-LOOT).
func TestFactsAsCaptures(t *testing.T) {
	for edition, want := range map[string]string{"5": "[{infantry 1} {fighter 2}]", "7": "[{fighter 1}]"} {
		c := on(t, edition, `{"facts":{"units":{"UK":{"UK":{"fighter":2,"infantry":1}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109"}}`)
		c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`)
		fell := `{"facts":{"control":{"UK":"Germany"}}}`
		if got := warned(t, c, "facts", fell); strings.Contains(got, "G40-UK-LOOT") != (edition == "7") {
			t.Errorf("edition %s: %q", edition, got)
		}
		c.Stand("facts", fell)
		if got := fmt.Sprint(c.Game().(game).unitsOf("UK", "United Kingdom")); got != want {
			t.Errorf("edition %s: %s, want %s", edition, got, want)
		}
		c.Stand("land", `{"land":{"from":"UK","at":{"Scotland":1}}}`)
	}
	both := func(edition string) *rulestest.Harness {
		return on(t, edition, `{"facts":{"treasury":{"UK Europe":1}}}`)
	}
	exactly(t, both, "facts", `{"facts":{"control":{"UK":"Germany"},"economies":{"Egypt":"Pacific"}}}`,
		"G40-UK-NO-TRANSFER")
}

// TestLossesAreOneStock: what fell does not fight again because another space was reported, or because its own was
// reported without it (G40-SBR-AFTER); a report of a space accounts for as many as it has fewer.
func TestLossesAreOneStock(t *testing.T) {
	fallen := func(facts string) campaignOn {
		return func(edition string) *rulestest.Harness {
			c := on(t, edition, `{"facts":{"units":{"Germany":{"Western Germany":{"strategic bomber":3}}}}}`)
			c.Stand("bombing raid", `{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"major ic":3},`+
				`"interceptors":0}}`, dice([]int{1, 1, 6}), dice([]int{1}))
			c.Stand("facts", `{"facts":{"units":{"Germany":`+facts+`}}}`)
			c.Stand("turn", `{"turn":"Round 2"}`)
			return c
		}
	}
	raid := func(n int) string {
		return fmt.Sprintf(`{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"major ic":%d},`+
			`"interceptors":0}}`, n)
	}
	exactly(t, fallen(`{"Germany":{"strategic bomber":1}}`), "bombing raid", raid(3), "G40-SBR-AFTER")
	exactly(t, fallen(`{"Western Germany":{"infantry":1}}`), "bombing raid", raid(1), "G40-SBR-AFTER")
	for _, facts := range []string{`{"Western Germany":{"strategic bomber":1}}`, `{"France":{"infantry":1}}`,
		`{"Western Germany":{},"Germany":{"strategic bomber":1}}`} {
		c := fallen(facts)("7")
		if got := c.Refused("bombing raid", raid(2)); !slices.Equal(got, []string{"G40-SBR-AFTER"}) {
			t.Errorf("%s: %v", facts, got)
		}
		c.Stand("bombing raid", raid(1), dice([]int{6}), dice([]int{1}))
	}
	c := on(t, "7", `{"facts":{"treasury":{"Germany":9}}}`) // of which nothing is known
	c.Stand("bombing raid", `{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"major ic":3},`+
		`"interceptors":0}}`, dice([]int{1, 1, 6}), dice([]int{1}))
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Clone(t, 1).Stand("bombing raid", raid(3), dice([]int{6, 6, 6}), dice([]int{1, 1, 1}))
	c.Stand("facts", `{"facts":{"units":{"Germany":{"Western Germany":{"strategic bomber":3}}}}}`)
	c.Stand("bombing raid", raid(3), dice([]int{1, 6, 6}), dice([]int{1, 1}))
	c.Stand("turn", `{"turn":"Round 3"}`)
	if got := c.Refused("bombing raid", raid(3)); !slices.Equal(got, []string{"G40-SBR-AFTER"}) {
		t.Error(got)
	}
	c.Stand("bombing raid", raid(2), dice([]int{6, 6}), dice([]int{1, 1}))
	c = fallen(`{"Western Germany":{"strategic bomber":3}}`)("7") // others came
	c.Stand("bombing raid", raid(3), dice([]int{6, 6, 6}), dice([]int{1, 1, 1}))
}

// TestShipsInOneZone: a warship is not declared in two sea zones of a TURN (GEN-CARRY), and so not there when
// transports unload past submarines (G40-SUB-UNLOAD); from the zone where it fights it supports an assault.
func TestShipsInOneZone(t *testing.T) {
	declared := func(ships int) campaignOn {
		return func(edition string) *rulestest.Harness {
			c := on(t, edition, fmt.Sprintf(`{"facts":{"units":{"UK":{"SZ 109":{"destroyer":%d}}}}}`, ships))
			c.Stand("attack", `{"attack":{"attacker":"UK","on":"SZ 110","units":{"destroyer":1}}}`)
			c.Stand("attack", `{"attack":{"on":"Western Germany","from":"SZ 110","units":{"destroyer":1}}}`)
			return c
		}
	}
	second := `{"attack":{"on":"Western Germany","from":"SZ 112","units":{"destroyer":1,"infantry":1}}}`
	exactly(t, declared(1), "attack", second, "GEN-CARRY")
	declared(2)("7").Stand("attack", second)
	declared(0)("7").Stand("attack", second) // nothing is known
}

// TestWorkedComplexKeepsItsSize: a report makes no major complex of a minor one that was raided (G40-IC-MAJOR).
func TestWorkedComplexKeepsItsSize(t *testing.T) {
	raided := func(edition string) *rulestest.Harness {
		c := on(t, edition, `{"facts":{"treasury":{"UK Europe":1}}}`)
		c.Stand("bombing raid", `{"bombing raid":{"attacker":"Germany","on":"Quebec","targets":{"minor ic":2},`+
			`"interceptors":0}}`, dice([]int{6, 6}), dice([]int{6, 6}))
		return c
	}
	exactly(t, raided, "facts", `{"facts":{"facilities":{"Quebec":{"major ic":6}}}}`, "G40-IC-MAJOR")
	raided("7").Stand("facts", `{"facts":{"facilities":{"Quebec":{"minor ic":6,"air base":0}}}}`)
}

// TestOthersLand: an attack is declared on a territory of a power that does not play, with which nobody is reported to
// be at war.
func TestOthersLand(t *testing.T) {
	c := on(t, "7", `{"facts":{"units":{"Japan":{"SZ 37":{"transport":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Japan","on":"Java","from":"SZ 37"}}`)
	c.Stand("unload", `{"unload":{"from":"SZ 37","onto":"Java"}}`)
	c.Stand("capture", `{"capture":{"by":"Japan","territory":"Java"}}`)
}

// TestWhoseAircraftWarned: aircraft of a power of which none is reported in a territory, beside those of a friend that
// are, are warned of: they may be the same (G40-SCR-BASE, G40-SBR-INTERCEPT).
func TestWhoseAircraftWarned(t *testing.T) {
	c := on(t, "7", `{"facts":{"units":{"UK":{"UK":{"fighter":1},"SZ 109":{"destroyer":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
	got := warned(t, c, "scramble", `{"scramble":{"power":"US","from":"UK","to":"SZ 109","units":{"fighter":1}}}`)
	if got != "no fighter of US is reported in United Kingdom, and some of UK are (G40-SCR-BASE)" {
		t.Error(got)
	}
	if got = warned(t, c, "scramble", `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`); got != "" {
		t.Error(got)
	}
}
