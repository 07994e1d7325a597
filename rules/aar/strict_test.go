package aar

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// step is an entry of a test, by its verb and body.
type step struct{ verb, body string }

// heldEntry is an entry that an edition refuses by a rule, after others, and the one before it hears.
type heldEntry struct {
	options map[string]string
	before  []step
	entry   step
	rule    string
}

// strictly are entries that edition 2 hears and edition 3 refuses, by the rule named (GEN-CARRY), on what was entered
// before.
var strictly = []heldEntry{
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"T","power":"US","type":"transport"}]}}`},
		"AAR-5-NO-CALL-OFF"},
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"Texas","power":"US","type":"battleship"}]}}`},
		"AAR-5-NO-CALL-OFF"},
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"P-38","power":"US","type":"fighter","role":"air",` +
		`"battle":"SZ 7"}]}}`}, "AAR-5-NO-CALL-OFF"},
	{stated, nil, step{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":2,"damage":13}}`}, "AMB-AAR-13"},
	{stated, nil, step{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":2,"damage":1}}`}, "AMB-AAR-13"},
	{stated, []step{{"aa fire", `{"aa fire":{"at":"UK","attacker":"Germany","aircraft":{"bomber":1}}}`},
		{"sbr", `{"sbr":{"attacker":"Germany","territory":"Russia","damage":4}}`}},
		step{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","damage":12}}`}, "GEN-CARRY"},
	{nil, []step{{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":2}}`}},
		step{"aa fire", `{"aa fire":{"at":"UK","attacker":"Germany","aircraft":{"bomber":2}}}`}, "GEN-CARRY"},
	{nil, gunsUp,
		step{"artillery move", `{"artillery move":{"power":"UK","from":"NW Europe","to":"Germany","pieces":1}}`},
		"AAR-6-ARTY-FIRE"},
	{nil, gunsUp, step{"artillery move", `{"artillery move":{"power":"UK","from":"India","to":"Russia","pieces":1}}`},
		"INPUT"},
	{nil, append(gunsUp[:1:1], step{"artillery move",
		`{"artillery move":{"power":"UK","from":"India","to":"Caucasus","pieces":1}}`}),
		step{"artillery move", `{"artillery move":{"power":"UK","from":"Caucasus","to":"Russia","pieces":1}}`},
		"GEN-CARRY"},
	{nil, append(gunsUp[:1:1], step{"facts", `{"facts":{"control":{"NW Europe":"Germany"}}}`}),
		step{"artillery move", `{"artillery move":{"power":"UK","from":"NW Europe","to":"UK","pieces":1}}`},
		"GEN-CARRY"},
	{nil, append(gunsUp[:1:1], step{"facts", `{"facts":{"control":{"NW Europe":"Germany"}}}`}),
		step{"artillery fire", `{"artillery fire":{"power":"UK","from":"NW Europe","at":"France","pieces":1}}`},
		"GEN-CARRY"},
	{nil, alone, step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"destroyer":1}}}`}, "AAR-7-ROLL"},
	{nil, append(alone[:1:1], step{"facts", `{"facts":{"submerged":{"US":["SZ 60"]}}}`}),
		step{"sub detection", `{"sub detection":{"zone":"SZ 60","attacker":"US"}}`}, "AAR-4-SUBMERGED"},
	{nil, nil, step{"facts", `{"facts":{"prices":{"factory":15}}}`}, "AAR-6-PRICES"},
	{nil, []step{hunted[0], hunted[1], {"facts", `{"facts":{"submarines":{"Germany":{"SZ 9":2}}}}`}},
		step{"sub detection", `{"sub detection":{"zone":"SZ 9","attacker":"UK"}}`}, "AAR-7-ROLL"},
	{nil, []step{hunted[0], hunted[1], {"facts", `{"facts":{"submarines":{"Germany":{"U-7":"SZ 8","U-8":"SZ 8"}}}}`},
		{"facts", `{"facts":{"submarines":{"Germany":{"U-7":"SZ 9"}}}}`}},
		step{"sub detection", `{"sub detection":{"zone":"SZ 9","attacker":"UK"}}`}, "AAR-7-ROLL"},
	{nil, down, step{"facts", `{"facts":{"submarines":{"Germany":{"SZ 9":2}}}}`}, "AAR-4-SUBMERGED"},
	{nil, down, step{"facts", `{"facts":{"submarines":{"Germany":{"SZ 8":1,"U-7":"SZ 9"}}}}`}, "AAR-4-SUBMERGED"},
	{nil, append(due[:3:3], landed), step{"facts", `{"facts":{"used":{"UK":["hood"]}}}`}, "AAR-5-UK-USED"},
	{nil, append(due[:3:3], landed), step{"facts", `{"facts":{"new":{"UK":["Bomber  Command"]}}}`}, "AAR-5-UK-NEW"},
	{nil, []step{{"purchase", `{"purchase":{"power":"UK","units":{"industrial complex":1}}}`},
		{"mobilize", `{"mobilize":{"power":"UK","units":{"India":{"industrial complex":1}}}}`}},
		step{"facts", `{"facts":{"complexes":{"India":0}}}`}, "GEN-CARRY"},
}

var landed = step{"d-day", `{"d-day":{"units":[{"unit":"Hood","power":"UK","type":"battlecruiser"},` +
	`{"unit":"Bomber Command","power":"UK","type":"bomber"}]}}`}

// alone is a combat in which submarines of the US attack alone.
var alone = []step{{"facts", `{"facts":{"submarines":{"US":{"SZ 60":2},"Japan":{"I-19":"SZ 60"}}}}`},
	{"sub detection", `{"sub detection":{"zone":"SZ 60","attacker":"US"}}`}}

// hunted is a TURN of the UK in which two submarines of Germany are in a combat, and down one in which they submerged.
var (
	hunted = []step{{"facts", `{"facts":{"submarines":{"Germany":{"SZ 8":2}}}}`},
		{"sub detection", `{"sub detection":{"zone":"SZ 8","attacker":"UK"}}`}}
	down = append(hunted[:2:2], step{"submerge", `{"submerge":["SZ 8"]}`})
)

// gunsUp is a campaign with artillery of the UK.
var gunsUp = []step{{"facts", `{"facts":{"artillery":{"UK":{"NW Europe":2,"India":1}},"control":{"NW Europe":"US"}}}`}}

var stated = map[string]string{"bombing_damage": "stated"}

// due is a campaign in which the US is to carry D-Day out.
var due = []step{
	{"declare d-day", `{"declare d-day":"France"}`},
	{"collect income", `{"collect income":"UK"}`},
	{"collect income", `{"collect income":"Japan"}`},
}

// TestStrict: what edition 2 lets through, edition 3 holds to what became of the things named, and an older campaign
// goes on as it was.
func TestStrict(t *testing.T) { refusedFrom(t, "2", "3", strictly) }

// refusedFrom plays what the older edition hears and the newer one refuses, by the rule named.
func refusedFrom(t *testing.T, older, newer string, list []heldEntry) {
	t.Helper()
	for _, h := range list {
		for _, edition := range []string{older, newer} {
			c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), h.options)
			c.Stand("turn", `{"turn":"Round 1"}`)
			for _, s := range h.before {
				c.Stand(s.verb, s.body)
			}
			if edition == older {
				c.Stand(h.entry.verb, h.entry.body)
			} else if broken := c.Refused(h.entry.verb, h.entry.body); !slices.Contains(broken, h.rule) {
				t.Errorf("%s: %v, want %s", h.entry.body, broken, h.rule)
			}
		}
	}
}

// TestRocketsUnderFlak: rockets do not fly through AA fire, however few bombers it left of those that raided before it
// (GEN-CARRY).
func TestRocketsUnderFlak(t *testing.T) {
	c := rulestest.OpenOn(t, System(), "2", rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"techs":{"Germany":["rockets"]}}}`)
	c.Stand("sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":3}}`)
	c.Stand("aa fire", `{"aa fire":{"at":"UK","attacker":"Germany","aircraft":{"bomber":1}}}`)
	c.Stand("rockets", `{"rockets":{"attacker":"Germany","territory":"UK"}}`)
	again := c.Stand("rockets", `{"rockets":{"attacker":"Germany","territory":"UK"}}`)
	want := "[rockets of Germany have hit United Kingdom in this TURN: the text does not say how often they may]"
	if got := fmt.Sprint(again.Warnings); got != want {
		t.Errorf("warned of %s", got)
	}
}

// TestNewBoatsBesideSubmerged: with the names of those that submerged, new submarines are reported at any time, and
// without them once the TURN's power has collected.
func TestNewBoatsBesideSubmerged(t *testing.T) {
	c := rulestest.OpenOn(t, System(), "3", rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	for _, s := range down {
		c.Stand(s.verb, s.body)
	}
	c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 8":2,"SZ 9":1}}}}`)
	c.Stand("collect income", `{"collect income":"UK"}`)
	c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 9":3}}}}`)
}

// TestTableNames: a factory is an industrial complex at 12 IPCs, whatever the board asks for it, and AA guns are
// counted like any unit (AAR-6-PRICES).
func TestTableNames(t *testing.T) {
	c := rulestest.OpenOn(t, System(), "3", rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"prices":{"aa gun":5},"treasury":{"UK":40}}}`)
	got := c.Refused("purchase", `{"purchase":{"power":"UK","units":{"artillery pieces":11}}}`)
	if !slices.Contains(got, "AAR-6-ARTY-CAP") {
		t.Errorf("11 pieces: %v", got)
	}
	bought := c.Stand("purchase", `{"purchase":{"power":"UK","units":{"factory":1,"AA guns":2,"infantries":1}}}`)
	paid, _ := bought.Drafts[len(bought.Drafts)-1].Payload.(*events.UnitsPurchased)
	want := []events.Unit{{Name: aaGun, Count: 2}, {Name: industrialComplex, Count: 1}, {Name: "infantry", Count: 1}}
	if paid == nil || paid.Treasury != 40-12-2*5-3 || !slices.Equal(paid.Units, want) {
		t.Errorf("bought %+v", paid)
	}
	c.Stand("mobilize", `{"mobilize":{"power":"UK","units":{"India":{"factory":1}}}}`)
}

// TestHuntsInOneTurn: submarines that were on the board at the first hunt are hunted in the second, whatever became of
// those of the first; so is a new one while none of those is gone (AAR-7-ROLL).
func TestHuntsInOneTurn(t *testing.T) {
	c := rulestest.OpenOn(t, System(), "3", rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 8":2,"SZ 9":3},"Japan":{"SZ 9":1}}}}`)
	c.Stand("sub detection", `{"sub detection":{"zone":"SZ 8","attacker":"UK"}}`)
	c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 8":2,"SZ 9":3,"U-1":"SZ 7"}}}}`)
	c.Stand("sub detection", `{"sub detection":{"zone":"SZ 7","attacker":"UK"}}`)
	c.Stand("facts", `{"facts":{"submarines":{"Germany":{"SZ 9":2},"Japan":{"I-1":"SZ 9"}}}}`)
	c.Stand("sub detection", `{"sub detection":{"zone":"SZ 9","attacker":"UK"}}`)
}
