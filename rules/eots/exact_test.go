package eots

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// editions are campaigns at the beginning of a turn, on the edition that is strict and not exact, and on the exact one.
func editions(t *testing.T, turn string) map[string]*rulestest.Harness {
	t.Helper()
	both := map[string]*rulestest.Harness{}
	for _, edition := range []string{"3", "4"} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"`+turn+`"}`)
		c.Stand("facts", theMap)
		both[edition] = c
	}
	return both
}

// TestOneReport: one entry of several facts is held to what its own say, as several entries are (EOTS-11.21.C-HQ,
// EOTS-11.22.C-3).
func TestOneReport(t *testing.T) {
	for edition, c := range editions(t, "Turn 3, 1942") {
		for rule, body := range map[string]string{
			"EOTS-11.21.C-HQ": `{"facts":{"american hqs":{"A":{"hex":2222,"range":9,"from":{"2444":4}},
				"B":{"hex":2222,"range":9,"from":{"2444":5}}}}}`,
			"INPUT": `{"facts":{"american hqs":{"A":{"hex":2222,"range":9,"from":{"2444":4}}},
				"sloc":{"2444":{"range":9,"resources":{"2222":5}}}}}`,
		} {
			if edition == "3" {
				c.Clone(t, 1).Stand("facts", body)
			} else {
				refused(t, c, rule, "facts", body)
			}
		}
		c.Stand("facts", `{"facts":{"american hqs":{"A":{"hex":2222,"range":9,"from":{"2444":4}},
			"B":{"hex":2222,"range":9}},"sloc":{"2444":{"range":9,"resources":{"2222":4}}}}}`)
		want := map[string]int{"3": 0, "4": 1}[edition]
		g := c.Game().(game)
		if n := len(g.hqs[g.hq("B")].Distances); n != want {
			t.Errorf("edition %s: B has %d distances, want %d", edition, n, want)
		}
	}
}

// TestFlightIsKept: how far a base flees is in its event, and hexes do not move (EOTS-11.21.E-1, EOTS-11.21.C-HQ).
func TestFlightIsKept(t *testing.T) {
	const nearer = `{"facts":{"american hqs":{"SWPac":{"hex":2813,"from":{"3727":8}}}}}`
	for edition, c := range editions(t, "Turn 3, 1942") {
		c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		c.Stand("emergency move", toPerth)
		flights := payloads[events.BasePlaced](c)
		distance := flights[len(flights)-1].Distance
		if edition == "3" {
			c.Stand("facts", nearer)
		} else {
			refused(t, c, "EOTS-11.21.C-HQ", "facts", nearer)
			c.Stand("facts", strings.Replace(nearer, ":8", ":9", 1))
		}
		if want := map[string]int{"3": 0, "4": 9}[edition]; distance != want {
			t.Errorf("edition %s: %d hexes, want %d", edition, distance, want)
		}
	}
}

// TestOneHQ: bases that have come to share an HQ are warned of, and one of them conducts submarine warfare in a turn
// (EOTS-11.21.C-UNIQUE, EOTS-11.22.A-3).
func TestOneHQ(t *testing.T) {
	const moved = `{"facts":{"american hqs":{"SWPac":{"hex":3000,"from":{"4024":30,"5108":30}},
		"CenPac":{"from":{"4024":10,"5108":2}}}}}`
	for edition, c := range editions(t, "Turn 8, 1944") {
		c.Stand("facts", `{"facts":{"american hqs":{"SWPac":{"hex":4025,"from":{"4024":1,"5108":20}}}}}`)
		if edition == "4" {
			warned(t, c, "EOTS-11.21.C-UNIQUE", "facts", moved)
		} else {
			c.Stand("facts", moved)
		}
		refused(t, c, "EOTS-11.22.A-3", "submarine warfare", `{"submarine warfare":["Fife","Lockwood"]}`)
		o := c.Stand("submarine warfare", `{"submarine warfare":"Fife"}`, die(9))
		if len(o.Warnings) != 1 || !strings.HasSuffix(o.Warnings[0], "(EOTS-11.22.A-3)") {
			t.Errorf("edition %s: warned of %q", edition, o.Warnings)
		}
		refused(t, c, "EOTS-11.22.A-3", "submarine warfare", `{"submarine warfare":"Lockwood"}`)
	}
}

// TestOffTheMap: a base off the map breaks no rule of HQs (EOTS-11.22.A-3, EOTS-11.22.A-4).
func TestOffTheMap(t *testing.T) {
	c := begun(t, "Turn 8, 1944", nil)
	c.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
	c.Stand("attack", `{"attack":{"base":"Fife","battle hex":4024,"hits":15}}`)
	c.Stand("occupied", `{"occupied":"Lockwood"}`)
	c.Stand("turn", `{"turn":"Turn 9, 1944"}`)
	refused(t, c, "EOTS-11.22.A-4 EOTS-11.22.A-4", "submarine warfare", `{"submarine warfare":["Fife","Lockwood"]}`)
}

// TestGainedStays: a hex that Japan holds is not given back by a report while a Sub Base stands in it (EOTS-11.21.E-1).
func TestGainedStays(t *testing.T) {
	const back = `{"facts":{"hexes":{"2813":["port","friendly","supply"]}}}`
	for edition, c := range editions(t, "Turn 3, 1942") {
		c.Stand("phase", `{"phase":"political"}`)
		c.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy"],"4024":["port","enemy"]}}}`)
		c.Stand("facts", strings.Replace(back, "2813", "4024", 1)) // no base is there
		if edition == "3" {
			c.Stand("facts", back)
			continue
		}
		refused(t, c, "EOTS-11.21.E-1", "facts", back)
		c.Stand("emergency move", `{"emergency move":{"base":"Wilkes","cause":"political phase"}}`)
	}
}

// TestDrawGiven: what cuts the Japanese draw does not say how large it is (EOTS-11.23-1).
func TestDrawGiven(t *testing.T) {
	for edition, c := range editions(t, "Turn 3, 1942") {
		for _, body := range []string{`{"card draw":{"b29s":1}}`, `{"card draw":{}}`} {
			if edition == "3" {
				c.Clone(t, 1).Stand("card draw", body)
			} else {
				refused(t, c, "INPUT", "card draw", body)
			}
		}
		c.Clone(t, 1).Stand("card draw", `{"card draw":0}`)
		c.Stand("card draw", `{"card draw":{"base":6,"b29s":1}}`)
	}
}

// TestSaidOfTheMap: what cannot be as it was reported is refused in a firm edition and warned of in the exact one:
// distances by way of a third hex (EOTS-11.21.E-1, EOTS-11.21.C-HQ, EOTS-11.22.C-1) and an American HQ in a hex of
// Japan's (EOTS-11.21.C-HQ). A SLOC Proximity Range that changes with the hex (EOTS-11.22.C-1), an American HQ by a
// name of Japan's (EOTS-11.21.C-HQ) and Operation Matador after the offensive are the umpire's to say.
func TestSaidOfTheMap(t *testing.T) {
	for edition, forbidden := range map[string]func(*testing.T, *rulestest.Harness, string, string, string){
		"4": warned, "5": refused} {
		c := rulestest.OpenOn(t, System(), edition, nil, nil)
		c.Stand("turn", `{"turn":"Turn 3, 1942"}`)
		c.Stand("facts", theMap)
		c.Stand("facts", `{"facts":{"sloc":{"3727":{"range":20}}}}`)
		far := c.Clone(t, 1)
		forbidden(t, far.Clone(t, 1), "EOTS-11.22.C-1", "facts",
			`{"facts":{"sloc":{"2813":{"resources":{"3727":23}}}}}`)
		far.Stand("facts", `{"facts":{"sloc":{"2813":{"resources":{"3727":13}}}}}`)
		forbidden(t, far, "EOTS-11.21.C-HQ", "facts",
			`{"facts":{"american hqs":{"A":{"hex":2222,"range":9,"from":{"2813":1,"3727":1}}}}}`)
		warned(t, c, "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"combined fleet":{"hex":4100,"range":9}}}}`)
		japan, allied := c.Clone(t, 1), c.Clone(t, 1)
		allied.Stand("phase", `{"phase":"offensive","player":"Allies"}`)
		warned(t, allied, "EOTS-11.22.C-1", "relocate",
			`{"relocate":{"base":"Wilkes","hex":3727,"by":" sw\u200bpac "}}`)
		japan.Stand("phase", `{"phase":"offensive","player":"Japan"}`)
		japan.Stand("facts", `{"facts":{"hexes":{"2813":["port","enemy"]},"sloc":{"3727":{"range":12}}}}`)
		forbidden(t, japan.Clone(t, 1), "EOTS-11.21.E-1", "emergency move", strings.Replace(toPerth, ":9", ":5", 1))
		if o := japan.Stand("emergency move", toPerth); len(o.Warnings) > 0 {
			t.Errorf("warned of %q", o.Warnings)
		}
		forbidden(t, japan.Clone(t, 1), "EOTS-11.21.C-HQ", "facts", `{"facts":{"american hqs":{"SWPac":{"hex":2813}}}}`)
		warned(t, japan, "EOTS-11.24.A-0", "card", `{"card":{"number":5,"as":"operation matador"}}`)
	}
}
