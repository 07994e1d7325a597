package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestWhoseAircraft: an American fighter is not taken for a British one, in going up or in landing (G40-SCR-LAND).
func TestWhoseAircraft(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"units":{"US":{"UK":{"fighter":2}}}}}`)
	raid := `{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"air base":1},"interceptors":1}}`
	if got := c.Refused("bombing raid", raid); !slices.Equal(got, []string{"INPUT"}) {
		t.Error(got)
	}
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
	up := `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":1}}}`
	if got := c.Refused("scramble", up); !slices.Equal(got, []string{"INPUT"}) {
		t.Error(got)
	}
	c.Stand("scramble", `{"scramble":{"power":"US","from":"UK","to":"SZ 109","units":{"fighter":1}}}`)
	c.Stand("land", `{"land":{"from":"UK"}}`)
	if got := last(t, c, &events.AircraftLanded{}); got.Power != "US" || got.Returned != 1 {
		t.Errorf("%+v", got)
	}
}

// TestLandingMoves: what falls is gone from its base, what lands elsewhere stands there (G40-SCR-LAND). Older editions
// leave it to the umpire's reports.
func TestLandingMoves(t *testing.T) {
	for edition, want := range map[string]string{
		"1": "Scotland [{fighter 4} {tactical bomber 1}], UK [{fighter 1}]",
		"3": "Scotland [{fighter 2}], UK [{fighter 2} {tactical bomber 1}]",
	} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts",
			`{"facts":{"units":{"UK":{"Scotland":{"fighter":4,"tactical bomber":1},"UK":{"fighter":1}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"SZ 109"}}`)
		c.Stand("scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":2,"tactical bomber":1}}}`)
		c.Stand("capture", `{"capture":{"territory":"Scotland","by":"Germany"}}`)
		c.Stand("land",
			`{"land":{"from":"Scotland","survivors":{"fighter":1,"tactical bomber":1},"at":{"UK":2}}}`)
		g := c.Game().(game)
		got := fmt.Sprintf("Scotland %v, UK %v", g.unitsOf("UK", "Scotland"), g.unitsOf("UK", "United Kingdom"))
		if got != want {
			t.Errorf("edition %s: %s, want %s", edition, got, want)
		}
	}
}

// TestStillToLand: the TURN does not go on before all that flew has landed (G40-SCR-LAND); interceptors stay where they
// are (G40-SBR-INTERCEPT), unless their territory has fallen.
func TestStillToLand(t *testing.T) {
	c := north(t, nil)
	c.Stand("scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":1}}}`)
	c.Stand("bombing raid", `{"bombing raid":{"on":"UK","targets":{"air base":1},"interceptors":1}}`,
		dice([]int{6}), dice([]int{6}), dice([]int{6}), dice([]int{1}))
	fallen := c.Clone(t, 1)
	for _, verb := range []string{`{"collect income":"Germany"}`, `{"phase":"research","player":"Japan"}`,
		`{"turn":"Round 2"}`} {
		key := map[byte]string{'c': "collect income", 'p': "phase", 't': "turn"}[verb[2]]
		if got := c.Refused(key, verb); !slices.Equal(got, []string{"G40-SCR-LAND"}) {
			t.Errorf("%s: %v", verb, got)
		}
	}
	c.Stand("land", `{"land":{"from":"Scotland","survivors":0}}`)
	c.Stand("turn", `{"turn":"Round 2"}`)

	fallen.Stand("capture", `{"capture":{"territory":"UK","by":"Germany"}}`)
	fallen.Stand("land", `{"land":{"from":"Scotland"}}`)
	if got := fallen.Refused("turn", `{"turn":"Round 2"}`); !slices.Equal(got, []string{"G40-SCR-LAND"}) {
		t.Error(got)
	}
}

// TestInReach: aircraft of one base that went to different places land one space from where each is, and only those
// without a place there are lost (G40-SCR-LAND). Older editions ask it of any of them, or of all.
func TestInReach(t *testing.T) {
	for edition, carries := range map[string]bool{"1": false, "3": true} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts", `{"facts":{"units":{"UK":{"UK":{"fighter":3,"tactical bomber":1},"France":{}}}}}`)
		c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 110"}}`)
		c.Stand("attack", `{"attack":{"on":"SZ 109"}}`)
		c.Stand("scramble", `{"scramble":[{"from":"UK","to":"SZ 110","units":{"fighter":1}},
			{"from":"UK","to":"SZ 109","units":{"fighter":1,"tactical bomber":1}}]}`)
		c.Stand("capture", `{"capture":{"territory":"UK","by":"Germany"}}`)
		for _, land := range []string{
			`{"land":{"from":"UK"}}`, // each has a place, though not the same
			`{"land":{"from":"UK","at":{"France":3}}}`,
			`{"land":{"from":"UK","at":{"France":{"tactical bomber":1},"Scotland":{"fighter":2}}}}`,
			`{"land":{"from":"UK","at":{"Scotland":{"fighter":1,"tactical bomber":1}}}}`,
		} {
			each := c.Clone(t, 1)
			if !carries {
				each.Stand("land", land)
			} else if got := each.Refused("land", land); !slices.Equal(slices.Compact(got), []string{"G40-SCR-LAND"}) {
				t.Errorf("%s: %v", land, got)
			}
		}
		c.Stand("land",
			`{"land":{"from":"UK","at":{"France":{"fighter":1},"Scotland":{"fighter":1,"tactical bomber":1}}}}`)
	}
}

// TestLandingWords: how many aircraft are there to land is said in words that go with the number (G40-SCR-LAND).
func TestLandingWords(t *testing.T) {
	c := north(t, nil)
	c.Stand("scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":1}}}`)
	for survivors, want := range map[string]string{
		`{"tactical bomber":1}`: "there are no tactical bombers to land, not 1",
		`{"fighter":2}`:         "there is 1 fighter to land, not 2",
	} {
		o, _ := c.Judge(rules.Command{ID: "land", Verb: "land",
			Body: []byte(`{"land":{"from":"Scotland","survivors":` + survivors + `}}`)})
		if len(o.Violations) != 1 || o.Violations[0].Message != want {
			t.Errorf("%s: %v", survivors, o.Violations)
		}
	}
}

// TestArticles: a noun has the article that its first sound wants.
func TestArticles(t *testing.T) {
	for noun, want := range map[string]string{"AA gun": "an AA gun", "air base": "an air base",
		"infantry": "an infantry",
		"fighter":  "a fighter", "": ""} {
		if got := one(noun); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
