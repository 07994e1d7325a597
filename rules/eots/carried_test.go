package eots

import (
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// released is a campaign on edition 1, whose ledger leaves to the umpire what entries decide.
func released(t *testing.T, turn string) *rulestest.Harness {
	t.Helper()
	c := rulestest.OpenOn(t, System(), "1", nil, nil)
	c.Stand("turn", `{"turn":"`+turn+`"}`)
	c.Stand("facts", theMap)
	return c
}

const toPerth = `{"emergency move":{"base":"Wilkes","cause":"end of offensive","hex":3727,"distance":9}}`

// TestLostHex: a hex that a base was driven from is Japanese until its recapture is reported.
func TestLostHex(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	refused(t, c, "EOTS-11.21.C-SPACE", "emergency move", strings.Replace(toPerth, "3727", "2813", 1))
	taken := c.Clone(t, 1)
	c.Stand("emergency move", toPerth)
	refused(t, c, "EOTS-11.21.E-1", "emergency move",
		`{"emergency move":{"base":"Wilkes","cause":"end of offensive","hex":4024,"distance":9}}`)
	refused(t, c, "EOTS-11.21.E-1", "emergency move", `{"emergency move":{"base":"Wilkes","cause":"end of offensive"}}`)
	taken.Stand("occupied", `{"occupied":"Wilkes"}`)
	refused(t, taken, "EOTS-11.21.C-SPACE", "compensate", `{"compensate":{"base":{"Wilkes":2813},"reason":"a slip"}}`)
	for _, c := range []*rulestest.Harness{c, taken} {
		c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
		c.Stand("replace", `{"replace":"Wilkes"}`)
		refused(t, c, "INPUT", "facts", `{"facts":{"hexes":{"4024":["airfield","coastal","friendly","recaptured"]}}}`)
		refused(t, c, "EOTS-11.21.C-SPACE", "facts", `{"facts":{"hexes":{"2813":["port","friendly","supply"]}}}`)
		c.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy"]}}}`) // says nothing new
		refused(t, c, "EOTS-11.21.C-SPACE", "facts", `{"facts":{"hexes":{"2813":["port","friendly","supply"]}}}`)
	}
	refused(t, taken, "EOTS-11.21.C-SPACE EOTS-11.21.C-SUPPLY", "place", `{"place":{"base":"Lockwood","hex":2813}}`)
	taken.Stand("facts", `{"facts":{"hexes":{"2813":["port","friendly","supply","recaptured"]}}}`)
	taken.Stand("place", `{"place":{"base":"Lockwood","hex":2813}}`)
	taken.Stand("facts", `{"facts":{"hexes":{"2813":["port","friendly","supply"]}}}`)

	before := released(t, "Turn 3, 1942")
	before.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	before.Stand("emergency move", toPerth)
	before.Stand("emergency move", toPerth)
	before.Stand("occupied", `{"occupied":"Wilkes"}`)
	before.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	before.Stand("replace", `{"replace":"Wilkes"}`)
	before.Stand("place", `{"place":{"base":"Lockwood","hex":3727}}`)
}

// TestStranded: a base whose hex Japan gains makes its emergency move before anything follows.
func TestStranded(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	c.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy"]}}}`)
	refused(t, c, "EOTS-11.21.E-1", "phase", `{"phase":"offensive","player":"Allies"}`)
	refused(t, c, "EOTS-11.21.E-1", "phase", `{"phase":"political"}`)
	refused(t, c, "EOTS-11.21.E-1", "turn", `{"turn":"Turn 4, 1942"}`)
	c.Stand("emergency move", toPerth)
	c.Stand("phase", `{"phase":"political"}`)
	c.Stand("facts", `{"facts":{"hexes":{"3727":["port","enemy"]}}}`)
	refused(t, c, "EOTS-11.21.E-1", "turn", `{"turn":"Turn 4, 1942"}`)
	c.Stand("emergency move", `{"emergency move":{"base":"Wilkes","cause":"political phase"}}`)
	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)

	early := begun(t, "Turn 3, 1942", nil)
	early.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy","supply"]}}}`)
	refused(t, early, "EOTS-11.21.E-1", "submarine warfare", `{"submarine warfare":"Wilkes"}`)
	early.Stand("phase", `{"phase":"political"}`) // so that it can move
	early.Stand("emergency move", `{"emergency move":{"base":"Wilkes","cause":"political phase"}}`)

	before := released(t, "Turn 3, 1942")
	before.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy","supply"]}}}`)
	before.Stand("submarine warfare", `{"submarine warfare":"Wilkes"}`, die(9))
	before.Stand("turn", `{"turn":"Turn 4, 1942"}`)
}

// TestCardAgain: one rule says of every card how often it is played (AMB-EOTS-13).
func TestCardAgain(t *testing.T) {
	cards := []string{`{"card":37}`, `{"card":38}`, `{"card":80}`, `{"card":{"number":5,"as":"operation matador"}}`}
	for again, want := range map[string][4]bool{
		"next_turn": {true, true, true, true}, "never": {}, "stated": {2: true},
	} {
		c := begun(t, "Turn 3, 1942", map[string]string{"card_again": again})
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		for i, card := range cards {
			c.Stand("card", card)
			if again != "stated" || i != 2 {
				refused(t, c, "AMB-EOTS-13", "card", card)
			}
		}
		c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
		c.Stand("replace", `{"replace":"Wilkes"}`)
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		for i, card := range cards {
			if want[i] {
				c.Stand("card", card)
			} else {
				refused(t, c, "AMB-EOTS-13", "card", card)
			}
		}
	}
	// With the marker too 37 and 38 count once (EOTS-11.22.B-2), and each play of 80 (EOTS-11.22.B-3).
	c := begun(t, "Turn 2, 1942", nil)
	c.Stand("facts", `{"facts":{"swm marker":2}}`)
	for i, turn := range []string{"Turn 2, 1942", "Turn 3, 1942"} {
		if i > 0 {
			c.Stand("turn", `{"turn":"`+turn+`"}`)
		}
		for _, card := range cards[:3] {
			c.Stand("card", card)
		}
	}
	if n := c.Game().(game).swmNow(); n != 2+2+2-2-2 {
		t.Errorf("SWM %+d", n)
	}
	asked := begun(t, "Turn 2, 1942", asking)
	asked.Stand("card", cards[0])
	if o, _ := asked.Judge(rules.Command{ID: "x", Verb: "card", Body: []byte(cards[0])}); o.Verdict != rules.Referred {
		t.Errorf("%+v", o)
	}
	before := released(t, "Turn 3, 1942")
	before.Stand("card", cards[2])
	before.Stand("card", cards[2])
	refused(t, before, "EOTS-11.24.A-0", "card", cards[3])
}

// TestMarkerIsKnown: once the campaign is under way the marker shows what the record comes to.
func TestMarkerIsKnown(t *testing.T) {
	c := begun(t, "Turn 2, 1942", nil)
	c.Stand("facts", `{"facts":{"swm marker":1}}`)
	c.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
	c.Stand("card", `{"card":80}`)
	refused(t, c, "EOTS-11.22.B-6", "facts", `{"facts":{"swm marker":1}}`)
	c.Stand("facts", `{"facts":{"swm marker":-1}}`)
	c.Stand("turn", `{"turn":"Turn 3, 1942"}`)
	refused(t, c, "EOTS-11.22.B-6", "facts", `{"facts":{"swm marker":-2}}`)
	c.Stand("compensate", `{"compensate":{"swm":-1,"reason":"the card is modified, by a paragraph that is lost"}}`)
	c.Stand("facts", `{"facts":{"swm marker":-2}}`)
	played := begun(t, "Turn 2, 1942", nil)
	played.Stand("card", `{"card":80}`)
	refused(t, played, "EOTS-11.22.B-6", "facts", `{"facts":{"swm marker":1}}`)
	before := released(t, "Turn 2, 1942")
	before.Stand("card", `{"card":80}`)
	before.Stand("facts", `{"facts":{"swm marker":1}}`)
}

// TestSegment: what is played between two rolls of a segment helps the second one only where the SWM counts at once
// (AMB-EOTS-4).
func TestSegment(t *testing.T) {
	net := func(c *rulestest.Harness) int {
		c.Stand("facts", `{"facts":{"american hqs":{"SoPac":{"range":9,"from":{"5108":5}}}}}`)
		c.Stand("submarine warfare", `{"submarine warfare":"Fife"}`, die(9))
		c.Stand("card", `{"card":80}`)
		c.Stand("submarine warfare", `{"submarine warfare":"Lockwood"}`, die(9))
		results := payloads[events.ResultAdjudicated](c)
		return results[len(results)-1].Net
	}
	for want, c := range map[int]*rulestest.Harness{
		0: begun(t, "Turn 8, 1944", nil), -2: begun(t, "Turn 8, 1944", map[string]string{"swm_timing": "immediate"}),
	} {
		if got := net(c); got != want {
			t.Errorf("net modifier %+d, want %+d", got, want)
		}
	}
	if got := net(released(t, "Turn 8, 1944")); got != -2 {
		t.Errorf("edition 1: net modifier %+d", got)
	}
}

// TestPlace: what is done after an offensive, or by the side that does not react, is refused; of what the text does not
// say whoever enters it is warned.
func TestPlace(t *testing.T) {
	const hits = `{"attack":{"base":"Wilkes","battle hex":2813,"hits":14}}`
	warned := func(c *rulestest.Harness, want bool, verb, body, rule string) {
		t.Helper()
		o := c.Stand(verb, body)
		if got := len(o.Warnings) == 1 && strings.HasSuffix(o.Warnings[0], "("+rule+")"); got != want {
			t.Errorf("%s %s: warned is %t: %q", verb, body, got, o.Warnings)
		}
	}
	away := `{"relocate":{"base":"Wilkes","hex":3727,"by":"SWPac"}}`
	back := `{"relocate":{"base":"Wilkes","hex":2813,"by":"CenPac"}}`
	matador := `{"card":{"number":5,"as":"operation matador"}}`
	japanese := begun(t, "Turn 3, 1942", nil)
	warned(japanese.Clone(t, 1), true, "card", `{"card":80}`, "EOTS-11.22.B-3")
	warned(japanese.Clone(t, 1), true, "card", `{"card":38}`, "EOTS-11.22.B-2")
	japanese.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	warned(japanese.Clone(t, 1), false, "card", `{"card":80}`, "EOTS-11.22.B-3")
	warned(japanese.Clone(t, 1), true, "relocate", away, "EOTS-11.21.C-MOVE")
	warned(japanese, false, "attack", hits, "EOTS-11.21.D-1")
	refused(t, japanese, "AMB-EOTS-15", "attack", hits) // not a second time for better luck
	japanese.Stand("emergency move", toPerth)
	refused(t, japanese, "EOTS-11.21.D-1 AMB-EOTS-15", "attack", strings.Replace(hits, "2813", "3727", 1))
	refused(t, japanese, "EOTS-11.21.D-7", "occupied", `{"occupied":"Wilkes"}`)
	refused(t, japanese, "EOTS-11.21.C-MOVE EOTS-11.21.C-SPACE EOTS-11.21.C-SUPPLY", "relocate",
		strings.Replace(back, "CenPac", "SWPac", 1))
	refused(t, japanese, "EOTS-11.24.A-2", "card",
		`{"card":{"number":5,"as":"cryptographic intercepts","base":"Wilkes","when":"before combat"}}`)
	japanese.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	japanese.Stand("attack", strings.Replace(hits, "2813", "3727", 1))
	japanese.Stand("card", matador)

	allied := begun(t, "Turn 3, 1942", nil)
	allied.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
	warned(allied.Clone(t, 1), true, "attack", hits, "EOTS-11.21.D-1")
	warned(allied.Clone(t, 1), true, "occupied", `{"occupied":"Wilkes"}`, "EOTS-11.21.D-7")
	warned(allied, false, "relocate", away, "EOTS-11.21.C-MOVE")
	warned(allied, true, "relocate", back, "EOTS-11.21.C-MOVE") // twice
	refused(t, allied, "EOTS-11.24.A-0", "card", matador)

	iai := begun(t, "Turn 1, 1941", nil)
	iai.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
	flight := strings.Replace(toPerth, "end of", "iai", 1)
	refused(t, iai, "EOTS-11.21.E-3", "emergency move", flight)
	iai.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	iai.Stand("emergency move", flight)

	before := released(t, "Turn 3, 1942")
	before.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
	warned(before, false, "attack", hits, "EOTS-11.21.D-1")
	before.Stand("attack", hits)
	warned(before, false, "relocate", away, "EOTS-11.21.C-MOVE")
	before.Stand("card", matador)
}

// TestMapStands: what does not move is reported once, and another distance for it is refused.
func TestMapStands(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	sloc := func() events.TargetsReported { return c.Game().(game).targets["2813"] }
	was := sloc()
	c.Stand("facts", `{"facts":{"sloc":{"2813":{"japanese hqs":{"Combined Fleet":9}}}}}`)
	if !reflect.DeepEqual(sloc(), was) {
		t.Errorf("%+v, want %+v", sloc(), was)
	}
	c.Stand("facts", `{"facts":{"sloc":{"2813":{"range":10,"pusan":11,"resources":{"2111":3}}}}}`)
	if got := sloc(); got.Range != 10 || len(got.Targets) != 7 || got.Targets[3].Name != "2111" {
		t.Errorf("%+v", got)
	}
	refused(t, c, "EOTS-11.22.C-1 EOTS-11.22.C-2 EOTS-11.22.C-3", "facts",
		`{"facts":{"sloc":{"2813":{"home island ports":{"3407":8},"pusan":10,"resources":{"2220":6}}}}}`)
	refused(t, c, "INPUT", "facts", `{"facts":{"sloc":{"2417":{"pusan":10}}}}`)
	refused(t, c, "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"SWPac":{"from":{"2813":7}}}}}`)
	c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":2918,"from":{"2813":7}}}}}`)
	before := released(t, "Turn 3, 1942")
	before.Stand("facts", `{"facts":{"sloc":{"2813":{"range":12,"home island ports":{"3407":8}}}}}`)
	if got := before.Game().(game).targets["2813"]; len(got.Targets) != 1 {
		t.Errorf("edition 1: %+v", got)
	}
	before.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"from":{"2813":7}}}}}`)
}

// TestResourceControl: what is reported of a hex, and what befalls it, says whose its resource is (EOTS-11.22.C-3).
func TestResourceControl(t *testing.T) {
	resources := func(c *rulestest.Harness) int {
		in, _ := c.Game().(game).sloc("2813")
		return in.within(Resource)
	}
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("facts", `{"facts":{"sloc":{"2813":{"resources":{"2813":0}}}}}`) // with 2220 and 3407
	for _, step := range []struct {
		verb, body string
		want       int
	}{
		{"facts", `{"facts":{"hexes":{"2220":["friendly"]}}}`, 1},
		{"facts", `{"facts":{"resources lost":["2220",3407]}}`, 0},
		{"facts", `{"facts":{"resources lost":["2220"]}}`, 1}, {"facts", `{"facts":{"hexes":{"2220":["enemy"]}}}`, 2},
		{"phase", `{"phase":"offensive","player":"Japan"}`, 2}, {"occupied", `{"occupied":"Wilkes"}`, 3},
		{"facts", `{"facts":{"hexes":{"2813":["port","friendly","recaptured"]}}}`, 2},
	} {
		if c.Stand(step.verb, step.body); resources(c) != step.want {
			t.Errorf("%s: %d resource hexes, want %d", step.body, resources(c), step.want)
		}
	}
	before := released(t, "Turn 3, 1942")
	before.Stand("facts", `{"facts":{"hexes":{"2220":["friendly"]}}}`)
	if n := resources(before); n != 2 {
		t.Errorf("edition 1: %d resource hexes", n)
	}
}

// TestYears: the scenario table says which turns are in which year, and no turn brings a year early or late.
func TestYears(t *testing.T) {
	c := begun(t, "Turn 3, 1942", nil)
	refused(t, c, "EOTS-11.21.B-7", "turn", `{"turn":"Turn 4, 1943"}`)
	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	c.Stand("replace", `{"replace":"Wilkes"}`)
	c.Clone(t, 1).Stand("turn", `{"turn":"Turn 5, 1943"}`)
	c.Stand("turn", `{"turn":"Turn 5, 1942"}`)
	refused(t, c, "EOTS-11.21.B-7", "turn", `{"turn":"Turn 6, 1942"}`)
	c.Stand("turn", `{"turn":"Turn 6, 1943"}`)
	c.Stand("replace", `{"replace":"Lockwood"}`)
	c.Clone(t, 1).Stand("turn", `{"turn":"Turn 7, 1944"}`)
	c.Stand("turn", `{"turn":"Turn 7, 1943"}`)
	before := released(t, "Turn 3, 1942")
	before.Stand("turn", `{"turn":"Turn 4, 1943"}`)
	before.Stand("replace", `{"replace":"Wilkes"}`)
	before.Stand("turn", `{"turn":"Turn 5, 1944"}`)
}
