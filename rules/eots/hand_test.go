package eots

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestByHand plays two campaigns whose figures were worked out from the text first: half ranges of odd and least HQs,
// a space under three conditions, a die that just succeeds, the last divisions, a draw at its least, two years.
func TestByHand(t *testing.T) {
	c := rulestest.Open(t, System(), nil, nil)
	var last int
	figures := map[string]func() int{
		"SWM":   func() int { return c.Game().(game).swmNow() },
		"ASPs":  func() int { return c.Game().(game).figures[factASPs] },
		"China": func() int { return c.Game().(game).figures[factChina] },
		"draw":  func() int { list := payloads[events.StrategyCardsDrawn](c); return list[len(list)-1].Draw },
		"result": func() int {
			list := payloads[events.ResultAdjudicated](c)
			return list[len(list)-1].Readings[0].Modified
		},
		"returns": func() int {
			g := c.Game().(game)
			for _, b := range g.bases {
				last = max(last, int(b.returns))
			}
			return last
		},
	}
	hand := func(entries, figure string, want int) {
		t.Helper()
		play(t, c, entries)
		if got := figures[figure](); got != want {
			t.Errorf("%s: %s is %d, by hand %d", entries, figure, got, want)
		}
	}
	hand("turn: 'Turn 6, 1943'", "SWM", 1)
	hand(`facts: {asps: 2, china divisions: 3}
		facts: {american hqs: {SWPac: {hex: 3700, range: 17, from: {3727: 9, 5108: 40}}}}
		facts: {american hqs: {CenPac: {range: 1, from: {5108: 1, 3727: 30}}}}
		facts: {hexes: {5108: [airfield, coastal, friendly, supply, zoi, neutralized]}}
		facts: {hexes: {3727: [port, friendly, supply]}}
		facts: {sloc: {3727: {range: 12, home island ports: {3407: 12, 3506: 13}, pusan: 12}}}
		facts: {sloc: {3727: {resources: {2220: 1, 2221: 2, 2222: 12, 3407: 12}}}}
		facts: {sloc: {3727: {japanese hqs: {South: 12, South Seas: 0, Far: 13}}}}
		facts: {sloc: {5108: {range: 0, resources: {5108: 0, 2220: 1}, japanese hqs: {Here: 0}}}}
		card: 80`, "SWM", -1)
	sloc, _ := c.Game().(game).sloc("3727")
	once, _ := SLOCPV(sloc) // 3407, Pusan, three resources, two HQs
	sloc.Options.SpacesCounted = "each_condition"
	each, _ := SLOCPV(sloc)
	if once.Count != 7 || once.SLOCPV != 1 || each.Count != 8 || each.SLOCPV != 2 {
		t.Errorf("once %+v, each %+v", once, each)
	}
	play(t, c, "replace: Lockwood\nplace: {base: Lockwood, hex: 5108}")
	at := c
	c = at.Clone(t, 1)
	hand("submarine warfare: {Fife: swm} ! 3", "result", 1)
	hand("", "SWM", -1)
	c = at.Clone(t, 1)
	hand("submarine warfare: {Fife: swm} ! 2", "result", 0)
	hand("", "SWM", -2)
	at = c
	for base, want := range map[string]int{"4, b29s: 1": 4, "3": 3, "5": 4, "7, b29s: 2": 4, "6": 5, "0, b29s: 9": 0} {
		c = at.Clone(t, 1)
		hand("card draw: {base: "+base+"}", "draw", want)
	}
	play(t, c, "phase: offensive, player: Japan")
	at = c
	for die, want := range map[string]int{"0": 2, "1": 2, "2": 2, "3": 3} { // of three, two never leave
		c = at.Clone(t, 1)
		hand("card: {number: 5, as: cryptographic intercepts, base: Fife, when: before combat} ! "+die, "China", want)
	}
	hand("attack: {base: Lockwood, battle hex: 5108, hits: 15, unreduced: 3, critical hit: true}", "returns", 7)
	hand("occupied: {base: Fife, by sea: true, escorted: true}", "returns", 7)
	hand("turn: 'Turn 7, 1944'", "SWM", -3)
	refused(t, c, "EOTS-11.21.C-SPACE EOTS-11.21.C-SUPPLY", "place", `{"place":{"base":"Lockwood","hex":3727}}`)
	play(t, c, "place: {base: Fife, hex: 5108}")
	refused(t, c, "EOTS-11.22.A-4 EOTS-11.22.A-4", "submarine warfare", `{"submarine warfare":["Fife","Lockwood"]}`)
	play(t, c, "turn: 'Turn 8, 1944'")
	hand("submarine warfare: {Fife: asp} ! 3", "result", 0) // the base's own hex is no Japanese resource: 1 / 5 is 0
	hand("", "ASPs", 1)
	hand("card draw: 7\nturn: 'Turn 9, 1944'\ncard: 80", "SWM", -5)
	refused(t, c, "EOTS-11.23-7", "submarine warfare", `{"submarine warfare":{"Fife":"asp"}}`)
	refused(t, c, "EOTS-11.23-8", "submarine warfare", `{"submarine warfare":{"Fife":"swm"}}`)
	hand("submarine warfare: {Fife: none} ! 6", "result", 1)
	hand("turn: 'Turn 10, 1945'\ncard: 80", "SWM", -5) // -7, held to -5
	hand("card: 37", "SWM", -5)
	hand("card: 38", "SWM", -3)

	c = rulestest.Open(t, System(), nil, map[string]string{"die": "1-10"})
	hand("turn: 'Turn 3, 1941'", "SWM", 2)
	c.Stand("facts", theMap)
	hand("submarine warfare: {Wilkes: none} ! 10", "result", 11)
	play(t, c, "phase: offensive, player: Japan")
	hand("card: {number: 5, as: cryptographic intercepts, base: Wilkes, when: end of offensive} ! 10", "China", 7)
	hand("turn: 'Turn 4, 1942'\nreplace: Wilkes\nturn: 'Turn 5, 1943'", "SWM", 1)
}

// play hears entries that have to stand, one a line.
func play(t *testing.T, c *rulestest.Harness, entries string) {
	t.Helper()
	for line := range strings.Lines(entries) {
		if strings.TrimSpace(line) != "" {
			e, answers := rulestest.Written(t, line)
			c.Stand(e.Verb, string(e.Body), diceAndChoices(answers)...)
		}
	}
}
