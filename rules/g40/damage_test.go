package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestOperative: from how much damage on a facility does not operate, by each reading (AMB-G40-4).
func TestOperative(t *testing.T) {
	for _, c := range []struct {
		reading string
		f       events.Facility
		want    bool
	}{
		{"maximum", events.Facility{Kind: "air_base", Damage: 5}, true},
		{"maximum", events.Facility{Kind: "air_base", Damage: 6}, false},
		{"maximum", events.Facility{Kind: "major_ic", Damage: 19}, true},
		{"maximum", events.Facility{Kind: "major_ic", Damage: 20}, false},
		{"maximum", events.Facility{Kind: "minor_ic", Damage: 6}, false},
		{"maximum", events.Facility{Kind: "air_base", Inoperative: true}, true},
		{"3", events.Facility{Kind: "naval_base", Damage: 2}, true},
		{"3", events.Facility{Kind: "naval_base", Damage: 3}, false},
		{"3", events.Facility{Kind: "minor_ic", Damage: 3}, true},
		{"3", events.Facility{Kind: "minor_ic", Damage: 6}, false},
		{"stated", events.Facility{Kind: "air_base", Damage: 6}, true},
		{"stated", events.Facility{Kind: "air_base", Inoperative: true}, false},
		{"", events.Facility{Kind: "air_base", Damage: 6}, true},
		{"", events.Facility{Kind: "air_base", Inoperative: true}, false},
	} {
		if got := operative(c.f, c.reading); got != c.want {
			t.Errorf("%+v by %q: %t", c.f, c.reading, got)
		}
	}
}

// ruins is the first ROUND with an air base at its maximum in Scotland, and one short of it in the United Kingdom.
func ruins(t *testing.T, options map[string]string) *rulestest.Harness {
	c := world(t, options)
	c.Stand("facts", `{"facts":{"technologies":{"UK":["rockets"]},"facilities":{"Scotland":{"air base":6},
		"UK":{"air base":5,"major ic":20},"Quebec":{"minor ic":5}}}}`)
	return c
}

// TestRuins: what does not operate sends up nothing, fires nothing, and builds nothing (G40-SCR-BASE, G40-TECH-ROCKETS,
// G40-SBR-AFTER); what is damaged and operates does.
func TestRuins(t *testing.T) {
	c := ruins(t, nil)
	older := rulestest.OpenOn(t, System(), "1", rulestest.Board(t, "two-oceans"), nil)
	older.Stand("turn", `{"turn":"Round 1"}`)
	older.Stand("facts", `{"facts":{"facilities":{"Scotland":{"air base":6}}}}`)
	rocket := `{"rockets":{"from":"Scotland","at":"Western Germany","facility":"air base"}}`
	if got := c.Refused("rockets", rocket); !slices.Equal(got, []string{"AMB-G40-4", "G40-TECH-ROCKETS"}) {
		t.Error(got)
	}
	c.Clone(t, 1).Stand("rockets", `{"rockets":{"from":"UK","at":"Western Germany","facility":"air base"}}`)
	bought := c.Clone(t, 1)
	bought.Stand("purchase", `{"purchase":{"power":"UK Europe","cost":6,"units":{"infantry":2}}}`)
	got := bought.Refused("mobilize", `{"mobilize":{"power":"UK Europe","units":{"UK":{"infantry":1}}}}`)
	if !slices.Equal(got, []string{"G40-SBR-AFTER"}) {
		t.Error(got)
	}
	bought.Stand("mobilize", `{"mobilize":{"power":"UK Europe","units":{"Quebec":{"infantry":1}}}}`)

	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
	up := `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":1}}}`
	if got := c.Refused("scramble", up); !slices.Equal(got, []string{"AMB-G40-4", "G40-SCR-BASE"}) {
		t.Error(got)
	}
	c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`)
	older.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
	older.Stand("scramble", up)
}

// TestAskedWhetherItOperates: where the campaign has no answer the umpire is asked, if the base turns on it
// (AMB-G40-4).
func TestAskedWhetherItOperates(t *testing.T) {
	c := ruins(t, map[string]string{OptionOperative: rules.Ask})
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
	judge := func(verb, body string) rules.Outcome {
		o, _ := c.Judge(rules.Command{ID: "asked", Verb: verb, Body: []byte(body)})
		return o
	}
	up := `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`
	o := judge("scramble", up)
	if o.Verdict != rules.Referred || o.Need.Refer.Option != OptionOperative {
		t.Errorf("%+v", o)
	}
	c.Stand("rule", `{"rule":{"option":"operative","value":3,"reason":"as in the box"}}`)
	if got := c.Refused("scramble", up); !slices.Contains(got, "G40-SCR-BASE") {
		t.Error(got)
	}
}

// TestDamageIsKnown: after a raid, a rocket or a repair a report of other damage is refused (G40-SBR-AFTER); so is one
// by which a base does not operate that does (AMB-G40-4).
func TestDamageIsKnown(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"facilities":{"UK":{"naval base":4}}}}`)
	c.Stand("facts", `{"facts":{"facilities":{"UK":{"naval base":3}}}}`) // reported only, so it may be reported anew
	c.Stand("bombing raid",
		`{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"naval base":1},"interceptors":0}}`,
		dice([]int{6}), dice([]int{2}))
	for body, want := range map[string]string{
		`{"facts":{"facilities":{"UK":{"naval base":4}}}}`:                               "[G40-SBR-AFTER]",
		`{"facts":{"facilities":{"UK":{"naval base":6}}}}`:                               "[G40-SBR-AFTER]",
		`{"facts":{"facilities":{"UK":["naval base"]}}}`:                                 "[G40-SBR-AFTER]",
		`{"facts":{"facilities":{"UK":["air base"]}}}`:                                   "[G40-SBR-AFTER]",
		`{"facts":{"facilities":{"UK":{"naval base":{"damage":5,"operative":false}}}}}`:  "[AMB-G40-4]",
		`{"facts":{"facilities":{"Malta":{"air base":{"damage":6,"operative":true}}}}}`:  "[AMB-G40-4]",
		`{"facts":{"facilities":{"Malta":{"air base":{"damage":1,"operative":false}}}}}`: "[AMB-G40-4]",
	} {
		if got := fmt.Sprint(c.Clone(t, 1).Refused("facts", body)); got != want {
			t.Errorf("%s: %s, want %s", body, got, want)
		}
	}
	c.Stand("facts", `{"facts":{"facilities":{"UK":{"naval base":{"damage":5,"operative":true},"air base":1}}}}`)
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Stand("repair", `{"repair":{"power":"UK Europe","cost":5,"facilities":{"UK":{"naval base":5}}}}`)
	c.Stand("facts", `{"facts":{"facilities":{"UK":["naval base","air base"]}}}`)
	g := c.Game().(game)
	s, _ := g.Board.Territory("UK")
	if f, _ := g.facility(s, NavalBase); f.Damage != 0 {
		t.Errorf("%+v", f)
	}
}
