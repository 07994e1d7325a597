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
	got := warned(t, c, "facts", `{"facts":{"treasury":{"US":3}}}`)
	if !strings.Contains(got, "by its incomes and payments on record, and 3 from here on") {
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
