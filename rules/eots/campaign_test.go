package eots

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// theMap is a map for a campaign: two HQs, four hexes, and what lies about two of them.
const theMap = `{"facts":{
	"american hqs":{"SWPac":{"hex":2919,"range":15,"from":{"2813":8,"3727":14,"4024":20}},
	"CenPac":{"range":20,"from":{"2813":30,"3727":9,"4024":10,"5108":2}}},
	"hexes":{"2813":["port","friendly","supply"],"3727":["port","friendly","supply"],
	"4024":["airfield","coastal","friendly","supply"],"5108":["port","friendly","supply"]},
	"sloc":{"2813":{"range":12,"home island ports":{"3407":9,"3506":12},"pusan":11,"resources":{"2220":5,"3407":9},
	"japanese hqs":{"Combined Fleet":9}},
		"3727":{"range":12,"resources":{"2220":8,"2415":6,"2616":6},"japanese hqs":{"South Seas":4}},
		"4024":{"range":12},"5108":{"range":12,"japanese hqs":{"Combined Fleet":40}}},
	"asps":5,"china divisions":9}}`

// begun is a campaign at the beginning of a turn.
func begun(t testing.TB, turn string, options map[string]string) *rulestest.Harness {
	t.Helper()
	c := rulestest.Open(t, System(), nil, options)
	c.Stand("turn", `{"turn":"`+turn+`"}`)
	c.Stand("facts", theMap)
	return c
}

var asking = map[string]string{"die": rules.Ask, "swm_timing": rules.Ask, "spaces_counted": rules.Ask,
	"card_again": rules.Ask}

// campaigns are campaigns at points where different things may be done.
func campaigns(t testing.TB) []*rulestest.Harness {
	t.Helper()
	opened := rulestest.Open(t, System(), nil, nil)
	y41, y42 := begun(t, "Turn 1, 1941", asking), begun(t, "Turn 3, 1942", nil)
	y43, y44 := begun(t, "Turn 6, 1943", nil),
		begun(t, "Turn 8, 1944",
			map[string]string{"swm_timing": "immediate", "die": "1-10", "spaces_counted": "each_condition"})
	ask44 := begun(t, "Turn 8, 1944", asking)
	offensive := y42.Clone(t, 1)
	offensive.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	hit := offensive.Clone(t, 1)
	hit.Stand("attack", `{"attack":{"base":"Wilkes","battle hex":2813,"hits":15}}`)
	taken := offensive.Clone(t, 1)
	taken.Stand("occupied", `{"occupied":{"base":"Wilkes","by sea":true,"escorted":true}}`)
	late := hit.Clone(t, 1)
	late.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	late.Stand("compensate", `{"compensate":{"swm":-6,"reason":"a slip"}}`)
	six := y43.Clone(t, 1)
	six.Stand("replace", `{"replace":"Lockwood"}`)
	political := y44.Clone(t, 1)
	political.Stand("phase", `{"phase":"political"}`)
	return []*rulestest.Harness{opened, y41, y42, y43, y44, ask44, offensive, hit, taken, late, six, political}
}

func FuzzDecide(f *testing.F) { rulestest.FuzzDecide(f, campaigns(f)) }

func FuzzEvolve(f *testing.F) { rulestest.FuzzEvolve(f, campaigns(f)) }

func TestEntries(t *testing.T) { rulestest.EveryEntry(t, campaigns(t)) }

func TestOddEntries(t *testing.T) {
	rulestest.OddEntries(t, campaigns(t), "Wilkes", "Lockwood", "2813", "SWPac", "asp", "port")
}

// die answers a roll of one die.
func die(face int) rules.Answer { return rules.Answer{Dice: [][]int{{face}}} }

func says(option string) rules.Answer { return rules.Answer{Options: []string{option}} }

// refused holds an entry to the rules that it breaks, in order.
func refused(t *testing.T, c *rulestest.Harness, want, verb, body string) {
	t.Helper()
	if got := c.Refused(verb, body); strings.Join(got, " ") != want {
		t.Errorf("%s %s breaks %v, want %s", verb, body, got, want)
	}
}

// TestSchedule plays the replacements of 11.21.B: in situ on the map, in situ on the Turn Record
// Track, and the new Lockwood.
func TestSchedule(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	refused(t, c, "EOTS-11.21.B-3", "replace", `{"replace":"Wilkes"}`)
	refused(t, c, "EOTS-11.21.B-1", "place", `{"place":{"base":"Lockwood","hex":3727}}`)
	refused(t, c, "EOTS-11.21.B-1 EOTS-11.21.B-8", "submarine warfare", `{"submarine warfare":["Wilkes","Lockwood"]}`)
	c.Stand("submarine warfare", `{"submarine warfare":{"Wilkes":"asp"}}`, die(9))
	refused(t, c, "EOTS-11.22.A-5", "submarine warfare", `{"submarine warfare":"Wilkes"}`)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	c.Stand("attack", `{"attack":{"base":"Wilkes","battle hex":2813,"hits":15}}`)
	refused(t, c, "EOTS-11.21.D-1", "attack", `{"attack":{"base":"Wilkes","battle hex":2813,"hits":15}}`)
	refused(t, c, "EOTS-11.21.D-6", "place", `{"place":{"base":"Wilkes","hex":2813}}`)

	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	refused(t, c, "EOTS-11.21.B-2", "submarine warfare", `{"submarine warfare":"Lockwood"}`)
	refused(t, c, "EOTS-11.21.B-2", "turn", `{"turn":"Turn 5, 1943"}`)
	refused(t, c, "EOTS-11.21.B-3", "replace", `{"replace":"Lockwood"}`)
	c.Stand("replace", `{"replace":"Wilkes"}`)
	refused(t, c, "EOTS-11.21.B-3", "replace", `{"replace":"Wilkes"}`)
	c.Stand("place", `{"place":{"base":"Lockwood","hex":3727}}`)
	refused(t, c, "EOTS-11.22.A-4 EOTS-11.21.B-5", "submarine warfare", `{"submarine warfare":"Lockwood"}`)

	c.Stand("turn", `{"turn":"Turn 5, 1943"}`)
	c.Stand("submarine warfare", `{"submarine warfare":"Lockwood"}`, die(9))
	c.Stand("turn", `{"turn":"Turn 6, 1943"}`)
	refused(t, c, "EOTS-11.21.B-3", "phase", `{"phase":"political"}`)
	c.Stand("replace", `{"replace":"lockwood"}`)
	c.Stand("place", `{"place":{"base":"Lockwood","hex":2813}}`)
	refused(t, c, "EOTS-11.21.B-6 EOTS-11.21.B-8 EOTS-11.22.A-4", "submarine warfare",
		`{"submarine warfare":["Fife","Lockwood"]}`)
	c.Stand("submarine warfare", `{"submarine warfare":"Fife"}`, die(9))
	c.Stand("turn", `{"turn":"Turn 7, 1943"}`)
	c.Stand("submarine warfare", `{"submarine warfare":["Fife","Lockwood"]}`, die(9), die(9))
}

// TestSpending: the limits of 11.23 hold over a whole turn, whichever way the bases roll.
func TestSpending(t *testing.T) {
	both := begun(t, "Turn 8, 1944", nil)
	both.Stand("facts",
		`{"facts":{"american hqs":{"CenPac":{"from":{"4024":10}},"SoPac":{"range":9,"from":{"5108":5}}},`+
			`"sloc":{"4024":{"range":9,"resources":{"2220":1,"2221":1,"2222":1}},"5108":{"range":9,`+
			`"resources":{"2220":1,"2221":1,"2222":1}}}}}`)
	for choice, want := range map[string]string{"asp": "[asp none]", "swm": "[swm none]"} {
		c := both.Clone(t, 1) // both succeed: the second takes nothing (EOTS-11.23-4, EOTS-11.23-5)
		entry := fmt.Sprintf(`{"submarine warfare":{"Fife":%q,"Lockwood":%[1]q}}`, choice)
		c.Stand("submarine warfare", entry, die(1), die(1))
		var on []string
		for _, e := range c.Log() {
			if p := new(events.SuccessSpent); e.Read(p) {
				on = append(on, p.On)
			}
		}
		if fmt.Sprint(on) != want {
			t.Errorf("both %s: %v", choice, on)
		}
	}

	c := both.Clone(t, 1)
	c.Stand("submarine warfare", `{"submarine warfare":{"Fife":"asp"}}`, die(1))
	refused(t, c, "EOTS-11.23-4", "submarine warfare", `{"submarine warfare":{"Lockwood":"asp"}}`)
	asked, _ := c.Judge(rules.Command{ID: "x", Verb: "submarine warfare",
		Body: []byte(`{"submarine warfare":"Lockwood"}`)}, die(1))
	if asked.Need == nil || asked.Need.Choice == nil ||
		!slices.Equal(asked.Need.Choice.Options, []string{"swm", "none"}) {
		t.Errorf("after an ASP: %+v", asked.Need)
	}
	c.Stand("submarine warfare", `{"submarine warfare":"Lockwood"}`, die(1), says("swm"))
	c.Stand("card draw", `{"card draw":{"base":7,"b29s":2}}`)
	refused(t, c, "INPUT", "card draw", `{"card draw":7}`)
	if last := payloads[events.StrategyCardsDrawn](c); last[0].Draw != 4 || last[0].Submarines != 2 {
		t.Errorf("%+v", last)
	}

	few := both.Clone(t, 1)
	few.Stand("facts", `{"facts":{"asps":1,"swm marker":-5}}`)
	refused(t, few, "EOTS-11.23-8 EOTS-11.23-7", "submarine warfare",
		`{"submarine warfare":{"Fife":"swm","Lockwood":"asp"}}`)
	few.Stand("submarine warfare", `{"submarine warfare":"Fife"}`, die(1)) // there is nothing to ask
	if spent := payloads[events.SuccessSpent](few); len(spent) != 1 || spent[0].On != "none" ||
		spent[0].Modifier != -5 {
		t.Errorf("%+v", spent)
	}
}

// payloads gives every payload of a kind in a campaign's log.
func payloads[T any](c *rulestest.Harness) []T {
	var list []T
	for _, e := range c.Log() {
		p, _ := events.PayloadOf(&e)
		if x, ok := any(p).(*T); ok {
			list = append(list, *x)
		}
	}
	return list
}

// TestTiming: the SWM that one success lowers helps the next die at once, or not before the next
// segment (AMB-EOTS-4), in one entry and in two.
func TestTiming(t *testing.T) {
	for timing, want := range map[string]int{"segment_start": 0, "immediate": -1} {
		for _, entries := range [][]string{{`{"submarine warfare":["Fife","Lockwood"]}`},
			{`{"submarine warfare":"Fife"}`, `{"submarine warfare":"Lockwood"}`}} {
			c := begun(t, "Turn 8, 1944", map[string]string{"swm_timing": timing})
			c.Stand("facts", `{"facts":{"american hqs":{"SoPac":{"range":9,"from":{"5108":5}}}}}`)
			answers := []rules.Answer{die(0), says("swm"), die(1)}
			if want < 0 {
				answers = append(answers, says("none")) // the second succeeds too
			}
			if len(entries) > 1 {
				c.Stand("submarine warfare", entries[0], answers[:2]...)
				c.Stand("submarine warfare", entries[1], answers[2:]...)
			} else {
				c.Stand("submarine warfare", entries[0], answers...)
			}
			results := payloads[events.ResultAdjudicated](c)
			if len(results) != 2 || results[1].Net != want || results[0].Net != 0 {
				t.Errorf("%s, %d entries: %+v", timing, len(entries), results)
			}
		}
	}
}

// stated lets card 80 be played as often as entries say so.
var stated = map[string]string{"card_again": "stated"}

// TestMarker: an SWM set by hand moves with cards, years and successes, and stops at −5; summed
// afresh it stops at −5 only in the end (AMB-EOTS-3).
func TestMarker(t *testing.T) {
	c := begun(t, "Turn 4, 1942", stated)
	swm := func() int { return c.Game().(game).swmNow() }
	c.Stand("facts", `{"facts":{"swm marker":0}}`)
	c.Stand("replace", `{"replace":"Wilkes"}`)
	for i, want := range []int{-2, -4, -5} {
		if c.Stand("card", `{"card":80}`); swm() != want {
			t.Errorf("play %d: %d, want %d", i+1, swm(), want)
		}
	}
	if c.Stand("card", `{"card":37}`); swm() != -3 {
		t.Errorf("marker and card 37: %d", swm())
	}
	if c.Stand("turn", `{"turn":"Turn 5, 1943"}`); swm() != -4 {
		t.Errorf("marker in 1943: %d", swm())
	}
	refused(t, c, "AMB-EOTS-13", "card", `{"card":37}`)
	sum := begun(t, "Turn 3, 1942", stated)
	for range 4 {
		sum.Stand("card", `{"card":80}`)
	}
	sum.Stand("card", `{"card":38}`)
	if n := sum.Game().(game).swmNow(); n != -4 { // 2 - 8 + 2
		t.Errorf("sum: %d", n)
	}
}

// TestMoves: relocation and emergency moves with what a campaign knows beyond the ruling.
func TestMoves(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	to := func(more string) string { return `{"relocate":{"base":"Wilkes","hex":3727,"by":"SWPac"` + more + `}}` }
	refused(t, c, "EOTS-11.21.C-MOVE", "relocate", to(""))
	refused(t, c, "EOTS-11.21.E-3", "emergency move", `{"emergency move":{"base":"Wilkes","cause":"iai offensive"}}`)
	early := c.Clone(t, 1)
	early.Stand("emergency move",
		`{"emergency move":{"base":"Wilkes","cause":"start of 1942","hex":3727,"distance":9}}`)
	early.Stand("submarine warfare", `{"submarine warfare":"Wilkes"}`, die(9)) // it never left the map
	c.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
	refused(t, c, "EOTS-11.21.C-MOVE", "relocate", to(`,"activations":1`))
	refused(t, c, "EOTS-11.21.C-MOVE", "relocate", `{"relocate":{"base":"Wilkes","hex":3727,"by":"CenPac"}}`)
	refused(t, c, "INPUT", "relocate", `{"relocate":{"base":"Wilkes","hex":3728,"by":"SWPac"}}`)
	refused(t, c, "EOTS-11.21.E-1", "emergency move", `{"emergency move":{"base":"Wilkes","cause":"political phase"}}`)
	refused(t, c, "EOTS-11.21.E-3", "emergency move", `{"emergency move":{"base":"Wilkes","cause":"start of 1942"}}`)
	c.Stand("relocate", to(""))
	refused(t, c, "EOTS-11.24.A-0 EOTS-11.24.A-3", "card",
		`{"card":{"number":5,"as":"cryptographic intercepts","base":"Wilkes","when":"before combat"}}`)
	refused(t, c, "EOTS-11.21.E-1", "emergency move",
		`{"emergency move":{"base":"Wilkes","cause":"end of offensive","hex":2813,"distance":11}}`)
	lost := c.Clone(t, 1)
	lost.Stand("emergency move", `{"emergency move":{"base":"Wilkes","cause":"end of offensive"}}`)
	refused(t, lost, "EOTS-11.21.E-1", "emergency move",
		`{"emergency move":{"base":"Wilkes","cause":"end of offensive"}}`)
	refused(t, c, "EOTS-11.21.D-8", "occupied", `{"occupied":{"base":"Wilkes","by sea":true}}`)
	c.Stand("occupied", `{"occupied":"Wilkes"}`)
	refused(t, c, "EOTS-11.21.E-4", "emergency move", `{"emergency move":{"base":"Wilkes","cause":"end of offensive"}}`)
	refused(t, c, "EOTS-11.21.E-4 EOTS-11.21.D-7", "emergency move",
		`{"emergency move":{"base":"Wilkes","cause":"end of offensive","hex":2813,"distance":1}}`)
	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	c.Stand("replace", `{"replace":"Wilkes"}`)
	c.Stand("facts", `{"facts":{"hexes":{"3727":["port","friendly","zoi","recaptured"]}}}`)
	refused(t, c, "EOTS-11.21.C-SUPPLY EOTS-11.21.C-ZOI", "place", `{"place":{"base":"Lockwood","hex":3727}}`)
	c.Stand("place", `{"place":{"base":"Lockwood","hex":2813}}`)
}

// TestSharedHQ: two bases may not lean on one HQ, nor stand in one hex.
func TestSharedHQ(t *testing.T) {
	c := begun(t, "Turn 6, 1943", nil)
	c.Stand("replace", `{"replace":"Lockwood"}`)
	refused(t, c, "EOTS-11.21.C-UNIQUE", "place", `{"place":{"base":"Lockwood","hex":4024}}`)
	refused(t, c, "EOTS-11.21.C-STACK EOTS-11.21.C-UNIQUE", "place", `{"place":{"base":"Lockwood","hex":3727}}`)
	c.Stand("place", `{"place":{"base":"Lockwood","hex":2813}}`)
	c.Stand("facts",
		`{"facts":{"american hqs":{"SWPac":{"hex":3000,"from":{"2813":1,"3727":30}},"CenPac":{"from":{"2813":1}}}}}`)
	c.Stand("turn", `{"turn":"Turn 7, 1943"}`)
	c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"range":0}}}}`)
	refused(t, c, "EOTS-11.22.A-3", "submarine warfare", `{"submarine warfare":["Fife","Lockwood"]}`)
	warned(t, c.Clone(t, 1), "EOTS-11.22.A-3", "submarine warfare", `{"submarine warfare":{"Fife":"none"}}`)
	c.Stand("facts",
		`{"facts":{"american hqs":{"SWPac":{"range":2,"activates":false}},"hexes":{"2813":["port","friendly"]}}}`)
	c.Stand("facts", `{"facts":{"american hqs":{"CenPac":{"activates":false}}}}`)
	refused(t, c, "EOTS-11.22.A-1 EOTS-11.22.A-2", "submarine warfare", `{"submarine warfare":"Lockwood"}`)
}

// TestCard5: one form, once, at its time; China keeps two divisions.
func TestCard5(t *testing.T) {
	const play = `{"card":{"number":5,"as":"cryptographic intercepts","base":"Wilkes","when":"before combat"}}`
	c := begun(t, "Turn 3, 1942", nil)
	refused(t, c, "EOTS-11.24.A-2", "card", play)
	refused(t, c, "EOTS-11.24.A-0", "card", `{"card":{"number":5,"as":"operation matador"}}`)
	refused(t, c, "EOTS-11.24.A-1", "card", `{"card":{"number":6,"as":"cryptographic intercepts"}}`)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	other := c.Clone(t, 1)
	other.Stand("attack", `{"attack":{"base":"Wilkes","battle hex":2813,"hits":3}}`)
	refused(t, other, "EOTS-11.24.A-2", "card", play)
	other.Stand("card", `{"card":{"number":5,"as":"operation matador"}}`)
	refused(t, other, "EOTS-11.24.A-2 AMB-EOTS-13 EOTS-11.24.A-1", "card", play)
	c.Stand("facts", `{"facts":{"china divisions":3}}`)
	c.Stand("card", play, die(0))
	if n := c.Game().(game).figures[factChina]; n != 2 {
		t.Errorf("%d divisions in China", n)
	}
	refused(t, c, "AMB-EOTS-13", "card", play)
	refused(t, c, "AMB-EOTS-13 EOTS-11.24.A-1", "card", `{"card":{"number":5,"as":"operation matador"}}`)
}

// TestCorrected: a corrected event takes the place of the first, and everything since follows.
func TestCorrected(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("submarine warfare", `{"submarine warfare":{"Wilkes":"asp"}}`, die(0))
	at := func(kind events.Type) uint64 {
		list := c.Log()
		for i := len(list) - 1; i >= 0; i-- {
			if list[i].Type == kind {
				return list[i].Index
			}
		}
		t.Fatal(kind)
		return 0
	}
	if n := c.Game().(game).figures[factASPs]; n != 5 { // SLOC PV 1, SWM +2: no success
		t.Fatalf("%d ASPs", n)
	}
	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	c.Stand("replace", `{"replace":"Wilkes"}`)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	c.Stand("attack", `{"attack":{"base":"Lockwood","battle hex":2813,"hits":15}}`)
	c.Correct(at("base_attacked"), &events.BaseAttacked{Base: "Lockwood", Hex: "2813", Hits: 14, Needed: 15})
	if b, _ := c.Game().(game).base("Lockwood"); b.hex != "2813" {
		t.Errorf("%+v", b)
	}
}

// TestScenarios: the first turn chooses the scenario, and comes at its time.
func TestScenarios(t *testing.T) {
	c := rulestest.Open(t, System(), nil, nil)
	for turn, want := range map[string]string{
		"Turn 5, 1942": "EOTS-11.21.B-7", "Turn 4, 1943": "EOTS-11.21.B-7", "Turn 6, 1944": "EOTS-11.21.B-7",
		"Turn 10, 1945": "INPUT", "Turn 2": "INPUT", "Turn 0, 1941": "INPUT",
	} {
		refused(t, c, want, "turn", `{"turn":"`+turn+`"}`)
	}
	for turn, want := range map[string]int{"Turn 1, 1941": 1, "Turn 2, 1942": 1, "Turn 5, 1943": 1, "Turn 8, 1944": 2} {
		scenario := c.Clone(t, 1)
		scenario.Stand("turn", `{"turn":"`+turn+`"}`)
		if n := len(scenario.Game().(game).bases); n != want {
			t.Errorf("%s: %d bases", turn, n)
		}
	}
}
