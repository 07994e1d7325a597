package eots

import (
	"testing"

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
