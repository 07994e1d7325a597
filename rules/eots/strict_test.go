package eots

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// carriedOnly is a campaign on edition 2, which carries and is not strict.
func carriedOnly(t *testing.T, turn string) *rulestest.Harness {
	t.Helper()
	c := rulestest.OpenOn(t, System(), "2", nil, nil)
	c.Stand("turn", `{"turn":"`+turn+`"}`)
	c.Stand("facts", theMap)
	return c
}

// warned is an entry that stands with one warning, by a rule.
func warned(t *testing.T, c *rulestest.Harness, rule, verb, body string) {
	t.Helper()
	if o := c.Stand(verb, body); len(o.Warnings) != 1 || !strings.HasSuffix(o.Warnings[0], "("+rule+")") {
		t.Errorf("%s %s: warned of %q, want one of %s", verb, body, o.Warnings, rule)
	}
}

// TestOwnHex: an HQ is no hex away from where it stands, and nobody need report it (EOTS-11.21.C-HQ, EOTS-11.22.A-2,
// EOTS-11.22.A-3).
func TestOwnHex(t *testing.T) {
	for edition, c := range map[string]*rulestest.Harness{
		"2": carriedOnly(t, "Turn 3, 1942"), "3": begun(t, "Turn 3, 1942", nil)} {
		strict := edition == "3"
		c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":2919,"range":0},"Here":{"hex":2813,"range":1}}}}`)
		c.Stand("phase", `{"phase":"strategic warfare"}`)
		if strict {
			c.Stand("submarine warfare", `{"submarine warfare":{"Wilkes":"none"}}`, die(9))
		} else {
			refused(t, c, "EOTS-11.22.A-2 EOTS-11.22.A-3", "submarine warfare", `{"submarine warfare":"Wilkes"}`)
		}
		c.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
		const there = `{"relocate":{"base":"Wilkes","hex":3727,"by":"Here"}}`
		if strict {
			c.Stand("relocate", there)
		} else {
			refused(t, c, "EOTS-11.21.C-MOVE", "relocate", there)
		}
	}
}

// TestHexesDoNotMove: an HQ that comes back to a hex, or to one of which another HQ was reported, is as far from others
// as was reported (EOTS-11.21.C-HQ).
func TestHexesDoNotMove(t *testing.T) {
	const away, back = `{"facts":{"american hqs":{"SWPac":{"hex":2918,"from":{"2813":9}}}}}`,
		`{"facts":{"american hqs":{"SWPac":{"hex":2919,"from":{"2813":3}}}}}`
	before := carriedOnly(t, "Turn 3, 1942")
	before.Stand("facts", away)
	before.Stand("facts", back)
	before.Stand("facts", `{"facts":{"american hqs":{"CenPac":{"from":{"5108":1}}}}}`)
	c := begun(t, "Turn 3, 1942", nil)
	warned(t, c.Clone(t, 1), "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"CenPac":{"from":{"5108":1}}}}}`)
	c.Stand("facts", away)
	refused(t, c, "EOTS-11.21.C-HQ", "facts", back)
	refused(t, c, "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"SWPac":{"hex":2917,"from":{"2813":0}}}}}`)
	refused(t, c, "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"CenPac":{"hex":2813,"from":{"2919":7}}}}}`)
	c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":2919}}}}`)
	if n, known := c.Game().(game).away(c.Game().(game).hqs[1], "3727"); !known || n != 14 {
		t.Errorf("SWPac is %d from 3727, known is %t", n, known)
	}
}

// TestJapaneseHQsStand: where none is given those that were reported stand, and {} takes them away (EOTS-11.22.C-4).
func TestJapaneseHQsStand(t *testing.T) {
	const farther = `{"facts":{"sloc":{"2813":{"range":13}}}}`
	inReach := func(c *rulestest.Harness, want int) {
		t.Helper()
		in, _ := c.Game().(game).sloc("2813")
		if n := in.within(JapaneseHQ); n != want || in.Range != 13 {
			t.Errorf("%d HQs within %d, want %d", n, in.Range, want)
		}
	}
	before := carriedOnly(t, "Turn 3, 1942")
	warned(t, before, "EOTS-11.22.C-4", "facts", farther)
	inReach(before, 0)
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("facts", farther)
	inReach(c, 1)
	c.Stand("facts", `{"facts":{"sloc":{"2813":{"japanese hqs":{"South Seas":3,"South":13}}}}}`)
	inReach(c, 2)
	c.Stand("facts", `{"facts":{"sloc":{"2813":{"japanese hqs":{}}}}}`)
	inReach(c, 0)
}

// TestRangeOfTheReplaced: the SLOC Proximity Range is the base's, and the one that came in place of another may have
// another (EOTS-11.22.C-1): who rolls with what was reported before is warned.
func TestRangeOfTheReplaced(t *testing.T) {
	const patrol = `{"submarine warfare":{"Lockwood":"none"}}`
	c := begun(t, "Turn 3, 1942", nil)
	if o := c.Clone(t, 1).Stand("submarine warfare", `{"submarine warfare":{"Wilkes":"none"}}`); len(o.Warnings) > 0 {
		t.Errorf("warned of %q", o.Warnings)
	}
	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	c.Stand("replace", `{"replace":"Wilkes"}`)
	warned(t, c.Clone(t, 1), "EOTS-11.22.C-1", "submarine warfare", patrol)
	card := c.Clone(t, 1)
	card.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	warned(t, card, "EOTS-11.22.C-1", "card",
		`{"card":{"number":5,"as":"cryptographic intercepts","base":"Lockwood","when":"before combat"}}`)
	c.Stand("facts", `{"facts":{"sloc":{"2813":{"range":14}}}}`)
	if o := c.Stand("submarine warfare", patrol); len(o.Warnings) > 0 {
		t.Errorf("warned of %q", o.Warnings)
	}
}

// TestTurnsOf1941: Turn 4, on which Lockwood comes, is none of 1941 (EOTS-11.21.B-7).
func TestTurnsOf1941(t *testing.T) {
	const four = `{"turn":"Turn 4, 1941"}`
	before := carriedOnly(t, "Turn 3, 1941")
	before.Stand("turn", four)
	rulestest.OpenOn(t, System(), "2", nil, nil).Stand("turn", four)
	c := begun(t, "Turn 3, 1941", nil)
	refused(t, c, "EOTS-11.21.B-7", "turn", four)
	c.Stand("turn", `{"turn":"Turn 4, 1942"}`)
	refused(t, rulestest.Open(t, System(), nil, nil), "EOTS-11.21.B-7", "turn", four)
}

// TestGainedAndBack: an emergency move says that Japan has gained a hex (EOTS-11.21.E-1), and one that is recaptured at
// once has been lost for nothing (EOTS-11.21.C-SPACE): the text forbids neither, and both are warned of.
func TestGainedAndBack(t *testing.T) {
	const back = `{"facts":{"hexes":{"2813":["port","friendly","supply","recaptured"]}}}`
	c := begun(t, "Turn 3, 1942", nil)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	warned(t, c.Clone(t, 1), "EOTS-11.21.E-1", "emergency move", toPerth)
	c.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy"]}}}`)
	if o := c.Stand("emergency move", toPerth); len(o.Warnings) > 0 {
		t.Errorf("warned of %q", o.Warnings)
	}
	warned(t, c.Clone(t, 1), "EOTS-11.21.C-SPACE", "facts", back)
	c.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
	if o := c.Stand("facts", back); len(o.Warnings) > 0 {
		t.Errorf("warned of %q", o.Warnings)
	}
}

// TestSaidOfHQs: another range is warned of (EOTS-11.21.C-HQ), nothing is no report, and a distance that is asked for
// again has its reason.
func TestSaidOfHQs(t *testing.T) {
	const nothing = `{"facts":{"american hqs":{"SWPac":null}}}`
	carriedOnly(t, "Turn 3, 1942").Stand("facts", nothing)
	c := begun(t, "Turn 3, 1942", nil)
	refused(t, c, "INPUT", "facts", nothing)
	warned(t, c, "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"SWPac":{"range":99}}}}`)
	c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":3000},"CenPac":{"hex":3001}}}}`)
	o, _ := c.Judge(rules.Command{ID: "x", Verb: "submarine warfare", Body: []byte(`{"submarine warfare":"Wilkes"}`)})
	const want = "no American HQ's distance from 2813 is reported, and the HQs of which it was have moved since; " +
		"report it, facts: {american hqs: {CenPac: {range: …, from: {2813: …}}}}"
	if len(o.Violations) != 1 || o.Violations[0].Message != want {
		t.Errorf("%+v", o.Violations)
	}
}

// TestTooLate: of a base that came in this turn's Reinforcement Segment nothing need be reported to hear that it waits
// (EOTS-11.22.A-4, EOTS-11.21.B-6).
func TestTooLate(t *testing.T) {
	c := begun(t, "Turn 6, 1943", nil)
	c.Stand("facts", `{"facts":{"hexes":{"2417":["port","friendly","supply"]},
		"american hqs":{"Near":{"hex":2417,"range":1}}}}`)
	c.Stand("replace", `{"replace":"Lockwood"}`)
	c.Stand("place", `{"place":{"base":"Lockwood","hex":2417}}`)
	refused(t, c, "EOTS-11.21.B-6 EOTS-11.21.B-8 EOTS-11.22.A-4", "submarine warfare",
		`{"submarine warfare":"Lockwood"}`)
}

// TestFlightIsMeasured: a base flees as far as was reported of an HQ in one of the two hexes (EOTS-11.21.E-1).
func TestFlightIsMeasured(t *testing.T) {
	for edition, c := range map[string]*rulestest.Harness{
		"2": carriedOnly(t, "Turn 3, 1942"), "3": begun(t, "Turn 3, 1942", nil)} {
		c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":3727,"from":{"2813":11,"3727":0}}}}}`)
		c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":3726,"from":{"3727":1}}}}}`)
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		if edition == "3" {
			refused(t, c, "EOTS-11.21.E-1", "emergency move", toPerth)
		} else {
			c.Stand("emergency move", toPerth)
		}
	}
}

// TestSpacesAreMeasured: what lies about a base is as far as was reported of an HQ, and a hex or more from it
// (EOTS-11.22.C-1 to C-3).
func TestSpacesAreMeasured(t *testing.T) {
	const hq, near, none = `{"facts":{"american hqs":{"SWPac":{"hex":2919,"from":{"2216":7}}}}}`,
		`{"facts":{"sloc":{"2919":{"range":9,"resources":{"2216":6}}}}}`,
		`{"facts":{"sloc":{"2813":{"resources":{"2318":0}}}}}`
	for edition, c := range map[string]*rulestest.Harness{
		"2": carriedOnly(t, "Turn 3, 1942"), "3": begun(t, "Turn 3, 1942", nil)} {
		if c.Stand("facts", hq); edition == "2" {
			c.Stand("facts", near)
			c.Stand("facts", none)
			continue
		}
		refused(t, c, "INPUT", "facts", near)
		refused(t, c, "INPUT", "facts", none)
	}
}

// TestUnseenInNames: an HQ is one however its name is spaced: two bases have one of their own each
// (EOTS-11.21.C-UNIQUE), and a Japanese one counts once (EOTS-11.22.C-4).
func TestUnseenInNames(t *testing.T) {
	const again, spaced = `{"facts":{"american hqs":{" SWPac ":{"hex":2919,"range":15},"Sw\u200bPac":{}}}}`,
		`{"facts":{"sloc":{"2813":{"japanese hqs":{"South":9,"South ":9}}}}}`
	before := carriedOnly(t, "Turn 3, 1942")
	before.Stand("facts", spaced)
	c := begun(t, "Turn 3, 1942", nil)
	refused(t, c, "INPUT", "facts", again)
	refused(t, c, "INPUT", "facts", spaced)
	hqs := len(c.Game().(game).hqs)
	c.Stand("facts", `{"facts":{"american hqs":{" swpac":{"range":14}}}}`)
	if n := len(c.Game().(game).hqs); n != hqs {
		t.Errorf("%d HQs, were %d", n, hqs)
	}
}

// TestStrandedBase: a base whose HQ is gone keeps none from another that goes where an HQ is free
// (EOTS-11.21.C-UNIQUE).
func TestStrandedBase(t *testing.T) {
	c := begun(t, "Turn 8, 1944", nil)
	c.Stand("facts", `{"facts":{"hexes":{"4122":["port","friendly","supply"]},"american hqs":{
		"SWPac":{"hex":3000,"range":15,"from":{"4024":30,"5108":30,"4122":30}},
		"CenPac":{"hex":4123,"range":15,"from":{"4024":2,"5108":20,"4122":1}}}}}`)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	const flight = `{"emergency move":{"base":"Fife","cause":"end of offensive","hex":4122,"distance":2}}`
	flown := c.Clone(t, 1)
	flown.Stand("emergency move", flight)
	c.Stand("relocate", `{"relocate":{"base":"Fife","hex":4122,"by":"CenPac"}}`)
	c.Stand("facts", `{"facts":{"american hqs":{"CenPac":{"hex":4100,"from":{"4122":2,"5108":2,"4024":2}}}}}`)
	refused(t, c, "EOTS-11.21.C-UNIQUE", "emergency move",
		`{"emergency move":{"base":"Fife","cause":"end of offensive","hex":4024,"distance":2}}`)
}

// TestMarkerShown: who reports the marker as it stands changes nothing: the SWM is summed, and then held to −5
// (AMB-EOTS-3).
func TestMarkerShown(t *testing.T) {
	for edition, c := range map[string]*rulestest.Harness{
		"2": carriedOnly(t, "Turn 8, 1944"), "3": begun(t, "Turn 8, 1944", nil)} {
		c.Stand("card", `{"card":80}`)
		c.Stand("turn", `{"turn":"Turn 9, 1944"}`)
		c.Stand("card", `{"card":80}`)
		c.Stand("turn", `{"turn":"Turn 10, 1944"}`)
		c.Stand("card", `{"card":80}`)
		c.Stand("facts", `{"facts":{"swm marker":-5}}`)
		c.Stand("card", `{"card":37}`)
		want := map[string]int{"2": -3, "3": -4}[edition]
		if n := c.Game().(game).swmNow(); n != want {
			t.Errorf("edition %s: the SWM is %d, want %d", edition, n, want)
		}
	}
}

// TestOneIAIOffensive: 1941 starts with the one IAI offensive, and Wilkes does not flee from it twice (EOTS-11.21.E-3).
func TestOneIAIOffensive(t *testing.T) {
	const away, back = `{"emergency move":{"base":"Wilkes","cause":"iai offensive","hex":3727,"distance":9}}`,
		`{"emergency move":{"base":"Wilkes","cause":"iai offensive","hex":2813,"distance":9}}`
	for edition, c := range map[string]*rulestest.Harness{
		"2": carriedOnly(t, "Turn 1, 1941"), "3": begun(t, "Turn 1, 1941", nil)} {
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		c.Stand("emergency move", away)
		refused(t, c, "EOTS-11.21.E-1", "emergency move", back)
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		if edition == "2" {
			c.Stand("emergency move", back)
			continue
		}
		refused(t, c, "EOTS-11.21.E-3", "emergency move", back)
		c.Stand("facts", `{"facts":{"hexes":{"3727":["port","enemy"]}}}`)
		later := c.Clone(t, 1)
		later.Stand("emergency move", `{"emergency move":{"base":"Wilkes","cause":"end of offensive"}}`)
		later.Stand("turn", `{"turn":"Turn 2, 1941"}`)
		later.Stand("place", `{"place":{"base":"Wilkes","hex":2813}}`)
		later.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		refused(t, later, "EOTS-11.21.E-3", "emergency move",
			`{"emergency move":{"base":"Wilkes","cause":"iai offensive"}}`)
		c.Stand("emergency move",
			`{"emergency move":{"base":"Wilkes","cause":"end of offensive","hex":2813,"distance":9}}`)
	}
}

// TestSpacesMeasure: what was reported of the spaces about a base holds of its flight (EOTS-11.21.E-1), of an HQ
// (EOTS-11.21.C-HQ), and the other way round (EOTS-11.22.C-3).
func TestSpacesMeasure(t *testing.T) {
	for edition, c := range map[string]*rulestest.Harness{
		"2": carriedOnly(t, "Turn 3, 1942"), "3": begun(t, "Turn 3, 1942", nil)} {
		c.Stand("facts", `{"facts":{"sloc":{"2813":{"resources":{"3727":12,"2222":4}}}}}`)
		for rule, body := range map[string]string{
			"EOTS-11.21.C-HQ": `{"facts":{"american hqs":{"New":{"hex":2222,"range":9,"from":{"2813":5}}}}}`,
			"INPUT":           `{"facts":{"sloc":{"3727":{"range":10,"resources":{"2813":9}}}}}`,
		} {
			if edition == "2" {
				c.Clone(t, 1).Stand("facts", body)
			} else {
				refused(t, c, rule, "facts", body)
			}
		}
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		if edition == "2" {
			c.Stand("emergency move", toPerth)
			continue
		}
		refused(t, c, "EOTS-11.21.E-1", "emergency move", toPerth)
		refused(t, c, "EOTS-11.21.E-1", "emergency move",
			`{"emergency move":{"base":"Wilkes","cause":"end of offensive","hex":3727,"distance":12}}`)
	}
}

// TestMarkerAtMost: a year and two cards are all that raises the SWM (EOTS-11.22.B-1, EOTS-11.22.B-2).
func TestMarkerAtMost(t *testing.T) {
	carriedOnly(t, "Turn 8, 1944").Stand("facts", `{"facts":{"swm marker":5}}`)
	c := begun(t, "Turn 8, 1944", nil)
	refused(t, c, "EOTS-11.22.B-2", "facts", `{"facts":{"swm marker":5}}`)
	c.Stand("facts", `{"facts":{"swm marker":4}}`)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	warned(t, c, "EOTS-11.22.B-2", "card", `{"card":37}`)
	refused(t, begun(t, "Turn 5, 1943", nil), "EOTS-11.22.B-2", "facts", `{"facts":{"swm marker":6}}`)
	begun(t, "Turn 3, 1942", nil).Stand("facts", `{"facts":{"swm marker":6}}`)
}

// TestLostAgainstHexes: reports of lost resources and of the hexes themselves may differ, and is warned of
// (EOTS-11.22.C-3).
func TestLostAgainstHexes(t *testing.T) {
	const none, one = `{"facts":{"resources lost":[]}}`, `{"facts":{"resources lost":[2220]}}`
	c := begun(t, "Turn 3, 1942", nil)
	counts := func(want bool) {
		t.Helper()
		in, _ := c.Game().(game).sloc("2813")
		if n := in.within(Resource); n != 1+once(want) {
			t.Errorf("%d resources count, 2220 among them should be %t", n, want)
		}
	}
	if o := c.Stand("facts", none); len(o.Warnings) > 0 {
		t.Errorf("warned of %q", o.Warnings)
	}
	c.Stand("facts", `{"facts":{"hexes":{"2220":["port","friendly"]}}}`)
	warned(t, c, "EOTS-11.22.C-3", "facts", none)
	counts(false)
	c.Stand("facts", one)
	warned(t, c, "EOTS-11.22.C-3", "facts", none)
	counts(true)
	c.Stand("facts", `{"facts":{"hexes":{"2220":["port","enemy"]}}}`)
	warned(t, c, "EOTS-11.22.C-3", "facts", one)
	counts(false)
}

// TestUnknownASPs: where no success is to be spent on an ASP nobody need know how many there are (EOTS-11.23-3).
func TestUnknownASPs(t *testing.T) {
	for edition, rule := range map[string]string{"5": "", "4": "INPUT"} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"Turn 8, 1944"}`)
		c.Stand("facts", strings.Replace(theMap, `"asps":5,`, "", 1))
		c.Stand("facts", `{"facts":{"american hqs":{"SoPac":{"hex":5109,"range":9,"from":{"5108":1}}}}}`)
		refused(t, c, "INPUT", "submarine warfare", `{"submarine warfare":{"Fife":"none","Lockwood":"asp"}}`)
		refused(t, c, "INPUT", "submarine warfare", `{"submarine warfare":"Lockwood"}`)
		const body = `{"submarine warfare":{"Lockwood":"swm"}}`
		if rule != "" {
			refused(t, c, rule, "submarine warfare", body)
			continue
		}
		c.Stand("submarine warfare", body, die(0))
		c.Stand("facts", `{"facts":{"asps":3}}`)
		c.Stand("submarine warfare", `{"submarine warfare":{"Fife":"asp"}}`, die(0))
	}
}

// TestVoidReport: what an entry moved, and no report states any more, is reported anew in its turn as if it never had
// been. Until then 0 count, with a warning, and no ASP is spent (EOTS-11.23-3, EOTS-11.24.A-4).
func TestVoidReport(t *testing.T) {
	c := rulestest.Open(t, System(), nil, nil)
	c.Stand("turn", `{"turn":"Turn 8, 1944"}`)
	c.Stand("facts", strings.Replace(theMap, `"asps":5,"china divisions":9`, `"resources lost":[]`, 1))
	c.Stand("facts", `{"facts":{"sloc":{"5108":{"resources":{"2220":1,"2221":1,"2222":1}},`+
		`"4024":{"japanese hqs":{"Combined Fleet":9}}}}}`)
	reported := uint64(len(c.Log()))
	c.Stand("facts", `{"facts":{"asps":3,"china divisions":9}}`)
	c.Stand("submarine warfare", `{"submarine warfare":{"Lockwood":"asp"}}`, die(1))
	c.Stand("phase", `{"phase":"card draw"}`)
	c.Stand("card draw", `{"card draw":7}`)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	c.Stand("card", `{"card":{"number":5,"as":"cryptographic intercepts","base":"Fife","when":"before combat"}}`,
		die(0))
	refused(t, c, "EOTS-11.23-3", "facts", `{"facts":{"asps":4}}`)
	refused(t, c, "EOTS-11.24.A-4", "facts", `{"facts":{"china divisions":10}}`)

	c.Correct(reported, &events.FactReported{Fact: factLost})
	c.Correct(reported+1, &events.FactReported{Fact: factLost})
	warned(t, c, "EOTS-11.23-3", "compensate", `{"compensate":{"asps":1,"reason":"a slip"}}`)
	c.Stand("facts", `{"facts":{"china divisions":10}}`)
	next := c.Clone(t, 1)
	next.Stand("turn", `{"turn":"Turn 9, 1944"}`)
	refused(t, next, "INPUT", "submarine warfare", `{"submarine warfare":{"Lockwood":"asp"}}`)
	o := next.Stand("submarine warfare", `{"submarine warfare":{"Lockwood":"none"}}`, die(9))
	if len(o.Warnings) == 0 || !strings.HasSuffix(o.Warnings[0], "(EOTS-11.23-3)") {
		t.Errorf("warned of %q", o.Warnings)
	}
	c.Stand("facts", `{"facts":{"asps":4}}`)
	if o := c.Stand("compensate", `{"compensate":{"asps":-1,"reason":"a slip"}}`); len(o.Warnings) > 0 {
		t.Errorf("warned of %q", o.Warnings)
	}
	refused(t, c, "EOTS-11.23-3", "facts", `{"facts":{"asps":4}}`)
}

// TestAttackedAgain: of an attack that did not displace for want of hits a second one says so, and of one that did and
// was made good not (AMB-EOTS-15).
func TestAttackedAgain(t *testing.T) {
	for hits, few := range map[string]bool{"14": true, "15": false} {
		c := begun(t, "Turn 3, 1942", nil)
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		body := `{"attack":{"base":"Wilkes","battle hex":2813,"hits":` + hits + `}}`
		c.Stand("attack", body)
		if !few {
			c.Stand("compensate", `{"compensate":{"base":{"Wilkes":2813},"reason":"a slip"}}`)
		}
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "attack", Body: []byte(body)})
		if len(o.Violations) != 1 || strings.Contains(o.Violations[0].Message, "do nothing") != few {
			t.Errorf("%s: %+v", body, o.Violations)
		}
	}
}

// TestCardAskedTwice: where the umpire is asked whether a card may be played again, the entry says that he has no
// reading by which it is played twice in a turn, but for card 80 (AMB-EOTS-13).
func TestCardAskedTwice(t *testing.T) {
	c := begun(t, "Turn 8, 1944", asking)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	for body, want := range map[string]int{`{"card":{"number":5,"as":"operation matador"}}`: 1, `{"card":37}`: 1,
		`{"card":80}`: 0} {
		c.Stand("card", body)
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "card", Body: []byte(body)})
		if o.Verdict != rules.Referred || len(o.Warnings) != want {
			t.Errorf("%s: %s, warned of %q", body, o.Verdict, o.Warnings)
		}
	}
}
