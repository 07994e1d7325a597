package aar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// exactly are entries that edition 3 hears and edition 4 refuses, by the rule named (GEN-CARRY), on what was entered
// before.
var exactly = []heldEntry{
	{nil, alone, step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"destroyer escort":1}}}`}, "INPUT"},
	{nil, alone, step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"infantry":1}}}`}, "INPUT"},
	{nil, alone, step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"d\u200be\u200bs\u200btroyer":1}}}`},
		"AAR-7-ROLL"},
	{nil, append(due[:3:3], italyTaken...), overland, "AAR-5-OVERLAND"},
	{nil, append(due[:3:3], italyTaken[0], step{"facts", `{"facts":{"control":{"Italy":"neutral"}}}`}, italyTaken[1]),
		overland, "AAR-5-OVERLAND"},
	{nil, append(due[:3:3], step{"phase", `{"phase":"combat move","player":"US"}`}, italyTaken[1]), overland,
		"AAR-5-OVERLAND"},
	{nil, append([]step{due[0], {"facts", `{"facts":{"used":{"UK":["Ho\u200bod"]}}}`}}, due[1:]...),
		step{"d-day", `{"d-day":{"units":[{"unit":"Hood","power":"UK","type":"battleship"},` +
			`{"unit":"P-38","power":"US","type":"fighter"}]}}`}, "AAR-5-UK-USED"},
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"1st","power":"US","type":"fighter"},` +
		`{"unit":"1ST","power":"US","type":"fighter"}]}}`}, "INPUT"},
	{nil, []step{hunted[0], {"facts", `{"facts":{"submerged":{"UK":{"SZ 8":1}}}}`}},
		step{"facts", `{"facts":{"submerged":{"UK":{"SZ 8":2}}}}`}, "INPUT"},
	{nil, []step{{"facts", `{"facts":{"submarines":{"Germany":{"U-7":"SZ 8","SZ 8":1}}}}`}},
		step{"facts", `{"facts":{"submerged":{"UK":{"SZ 8":2,"U-7":1}}}}`}, "INPUT"},
	{nil, nil, step{"facts", `{"facts":{"prices":{"super destroyers":5}}}`}, "AAR-6-PRICES"},
	{nil, append(alone[:2:2], step{"facts", `{"facts":{"submerged":{"US":["SZ 60 #1"]}}}`}),
		step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"carrier":2}}}`}, "AAR-7-SHOTS"},
	{nil, append(hunted[:2:2], step{"facts", `{"facts":{"submerged":{"UK":["SZ 8 #1"]}}}`}),
		step{"submerge", `{"submerge":["SZ 8 #2"]}`}, "AAR-7-SUBMERGE"},
	{nil, down, step{"facts", `{"facts":{"submarines":{"Germany":{"SZ 8 #1":"SZ 5","SZ 8 #2":"SZ 8"}}}}`},
		"AAR-4-SUBMERGED"},
	{nil, append(due[:3:3], landed), step{"aa fire", `{"aa fire":{"at":"France","attacker":"US","aircraft":` +
		`{"bomber":1}}}`}, "AAR-5-AA"},
	{nil, []step{{"phase", `{"phase":"purchase units","player":"UK"}`}, {"facts", `{"facts":{"new":{"UK":["3rd"]}}}`}},
		due[0], "AAR-5-DECLARE"},
	{nil, due, step{"d-day", `{"d-day":{"units":[{"unit":"A","power":"US","type":"infantry","battle":"Germany"},` +
		`{"unit":"P-38","power":"US","type":"fighter"},` +
		`{"unit":"LST","power":"UK","type":"transport","carries":["A"]}]}}`}, "AAR-5-UK-FRANCE"},
	{nil, append([]step{boats}, append(due[:3:3], step{"sub detection",
		`{"sub detection":{"zone":"SZ 60","attacker":"US"}}`})...), sailing, "GEN-CARRY"},
	{nil, append([]step{boats}, append(due[:3:3], sailing)...),
		step{"sub detection", `{"sub detection":{"zone":"SZ 60","attacker":"US"}}`}, "GEN-CARRY"},
	{nil, append([]step{{"facts", `{"facts":{"artillery":{"US":{"EUS":1}}}}`}}, append(due[:3:3], step{"d-day",
		`{"d-day":{"units":[{"unit":"G","power":"US","type":"artillery"},` +
			`{"unit":"L","power":"US","type":"transport","carries":["G"]}]}}`})...),
		step{"artillery move", `{"artillery move":{"power":"US","from":"EUS","to":"Canada","pieces":1}}`},
		"GEN-CARRY"},
	{nil, append(gunsUp[:1:1], step{"artillery move",
		`{"artillery move":{"power":"UK","from":"India","to":"Caucasus","pieces":1}}`}),
		step{"facts", `{"facts":{"artillery":{"UK":{"NW Europe":2,"Russia":1}}}}`}, "AAR-6-ARTY-MOVE"},
	{nil, append([]step{{"facts", `{"facts":{"control":{"France":"neutral"}}}`}}, due...),
		step{"d-day", `{"d-day":{"units":[{"unit":"P-38","power":"US","type":"fighter"}],"aa gun":1}}`},
		"AAR-5-CASUALTIES"},
	{nil, hunted[:1], step{"sub detection", `{"sub detection":{"zone":"SZ 8","attacker":"UK","cycle":0}}`}, "INPUT"},
	{nil, append([]step{{"facts", `{"facts":{"submarines":{"US":{"SZ 7":1}}}}`}}, append(due[:3:3],
		step{"sub detection", `{"sub detection":{"zone":"SZ 7","attacker":"US"}}`},
		step{"call shots", `{"call shots":{"zone":"SZ 7","targets":{"carrier":1}}}`})...),
		step{"d-day", strings.Replace(overSea, `,"aa gun":1`, "", 1)},
		"AAR-7-SHOTS"},
	{nil, []step{rich, {"purchase", `{"purchase":{"power":"UK","units":{"artillery":1}}}`},
		{"mobilize", `{"mobilize":{"power":"UK","units":{"UK":{"artillery":1}}}}`}},
		step{"facts", `{"facts":{"artillery":{"UK":{"India":1}}}}`}, "AAR-6-ARTY-MOVE"},
	{nil, nil, step{"roll", `{"roll":{"dice":"2d6 UK destroyers at 3","for":"Norway","side":"UK"}}`}, "AAR-6-DD"},
	{nil, nil, step{"roll", `{"roll":{"dice":"2d6 CVE at 3","for":"Norway","side":"UK"}}`}, "AAR-6-AC"},
	{nil, []step{hunted[0], {"facts", `{"facts":{"submerged":{"UK":["SZ 8"]}}}`}},
		step{"facts", `{"facts":{"submarines":{"Germany":{"U-1":"SZ 6","U-2":"SZ 6"}}}}`}, "AAR-4-SUBMERGED"},
	{nil, append([]step{due[0], {"facts", `{"facts":{"used":{"UK":["Hood"]}}}`}}, due[1:]...),
		step{"d-day", `{"d-day":{"units":[{"unit":"HMS Hood","power":"UK","type":"battleship"},` +
			`{"unit":"P-38","power":"US","type":"fighter"}]}}`}, "AAR-5-UK-USED"},
	{nil, nil, step{"facts", `{"facts":{"prices":{"British aircraft-carriers":1}}}`}, "AAR-6-PRICES"},
	{nil, []step{rich, {"purchase", `{"purchase":{"power":"UK","units":{"destroyer":1}}}`}}, rich, "GEN-CARRY"},
	{nil, []step{rich, {"purchase", `{"purchase":{"power":"UK","units":{"infantry":1}}}`}},
		step{"facts", `{"facts":{"prices":{"infantry":1}}}`}, "GEN-CARRY"},
	{nil, []step{{"facts", `{"facts":{"techs":{"Germany":["rockets"]}}}`},
		{"rockets", `{"rockets":{"attacker":"Germany","territory":"UK"}}`}},
		step{"facts", `{"facts":{"techs":{"Germany":[]}}}`}, "GEN-CARRY"},
	{nil, append(gunsUp[:1:1], step{"artillery fire",
		`{"artillery fire":{"power":"UK","from":"NW Europe","at":"France","pieces":2}}`}),
		step{"facts", `{"facts":{"artillery":{"UK":{"NW Europe":3,"India":1}}}}`}, "GEN-CARRY"},
	{nil, []step{{"sbr", `{"sbr":{"attacker":"Germany","territory":"UK","bombers":2}}`}},
		step{"facts", `{"facts":{"complexes":{"UK":0}}}`}, "GEN-CARRY"},
	{nil, []step{rich, {"purchase", `{"purchase":{"power":"UK","units":{"infantry":1}}}`},
		{"facts", `{"facts":{"control":{"Germany":"UK"}}}`}},
		step{"mobilize", `{"mobilize":{"power":"UK","units":{"Germany":{"infantry":1}}}}`}, "INPUT"},
	{nil, append([]step{boats}, append(due[:3:3], step{"sub detection",
		`{"sub detection":{"zone":"SZ 60","attacker":"US"}}`},
		step{"facts", `{"facts":{"submarines":{"US":{"Bass":"SZ 60"}}}}`})...), sailing, "GEN-CARRY"},
	{nil, append(alone[:2:2], step{"facts", `{"facts":{"submerged":{"US":["I-19"]}}}`}),
		step{"call shots", `{"call shots":{"zone":"SZ 60","targets":{"carrier":1}}}`}, "AAR-7-SHOTS"},
}

// boats are submarines of the US, and sailing a D-Day with one of them.
var (
	boats   = step{"facts", `{"facts":{"submarines":{"US":{"Cod":"SZ 60"}}}}`}
	sailing = step{"d-day", `{"d-day":{"units":[{"unit":"P-38","power":"US","type":"fighter"},` +
		`{"unit":"cod","power":"US","type":"submarine","role":"sea combat"}]}}`}
)

// overSea is a D-Day with an aircraft over France and one over SZ 7.
const overSea = `{"d-day":{"units":[{"unit":"P-38","power":"US","type":"fighter"},` +
	`{"unit":"P-39","power":"US","type":"fighter","battle":"SZ 7"}],"aa gun":1}}`

// rich is a UK that may buy what it likes.
var rich = step{"facts", `{"facts":{"treasury":{"UK":200}}}`}

// italyTaken is a TURN of the US in which Italy is captured, and overland an attack on D-Day from there.
var (
	italyTaken = []step{{"phase", `{"phase":"conduct combat","player":"US"}`},
		{"facts", `{"facts":{"control":{"Italy":"US"}}}`}}
	overland = step{"d-day", `{"d-day":{"units":[{"unit":"Patton","power":"US","type":"armor","role":"overland",` +
		`"from":"Italy"}]}}`}
)

// TestExact: what edition 3 lets through, edition 4 holds to what became of the things named, and an older campaign
// goes on as it was.
func TestExact(t *testing.T) { refusedFrom(t, "3", "4", exactly) }

// TestFlakOverFrance: the AA gun in France fires at aircraft that attack France, from edition 4 on at no others
// (AAR-5-AA).
func TestFlakOverFrance(t *testing.T) {
	for edition, want := range map[string]int{"3": 2, "4": 1} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		for _, s := range due {
			c.Stand(s.verb, s.body)
		}
		o, _ := c.Judge(rules.Command{ID: "x", Verb: "d-day", Body: []byte(overSea)})
		for _, d := range o.Drafts {
			if p, ok := d.Payload.(*events.RollDeclared); ok && p.Throws[0].Dice != want {
				t.Errorf("edition %s: %d dice", edition, p.Throws[0].Dice)
			}
		}
	}
}

// TestNoArtillery: a power without any reports it in every edition, as the form of the fact has it.
func TestNoArtillery(t *testing.T) {
	for _, edition := range []string{"1", "2", "3", "4"} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		o := c.Stand("facts", `{"facts":{"artillery":{"Germany":{}}}}`)
		p, ok := o.Drafts[0].Payload.(*events.UnitsReported)
		if len(o.Drafts) != 1 || !ok || p.Power != "Germany" || p.Space != "Germany" || len(p.Units) != 0 {
			t.Errorf("edition %s: %+v", edition, o.Drafts)
		}
		o = c.Stand("purchase", `{"purchase":{"power":"Germany","units":{"artillery":1},"cost":4}}`)
		if strings.Contains(fmt.Sprint(o.Warnings), "was reported") {
			t.Errorf("edition %s: %q", edition, o.Warnings)
		}
	}
}

// TestArtilleryGone: what was bought and not placed in its ROUND, or stood where an enemy has taken the ground, does
// not count towards ten from edition 4 on (AAR-6-ARTY-CAP).
func TestArtilleryGone(t *testing.T) {
	c := rulestest.OpenOn(t, System(), "4", rulestest.Board(t, "straits"), nil)
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand(rich.verb, rich.body)
	c.Stand("facts", `{"facts":{"artillery":{"UK":{"India":4}}}}`)
	c.Stand("purchase", `{"purchase":{"power":"UK","units":{"artillery":6}}}`)
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Stand("facts", `{"facts":{"control":{"India":"Japan"}}}`)
	c.Stand("purchase", `{"purchase":{"power":"UK","units":{"artillery":10}}}`)
	c.Stand("mobilize", `{"mobilize":{"power":"UK","units":{"UK":{"artillery":10}}}}`)
}

// TestGroundReportedAgain: artillery reported on an enemy's ground stands there, however often his control is reported.
func TestGroundReportedAgain(t *testing.T) {
	for _, edition := range []string{"3", "4"} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts", `{"facts":{"control":{"India":"Japan"}}}`)
		c.Stand("facts", `{"facts":{"artillery":{"UK":{"India":2}}}}`)
		c.Stand("facts", `{"facts":{"control":{"India":"Japan"}}}`)
		c.Stand("artillery move", `{"artillery move":{"power":"UK","from":"India","to":"Caucasus","pieces":1}}`)
	}
}

// TestFlakOnceFranceWasAllied: no D-Day is due any more, and the AA gun in France fires like any (AAR-5-FRANCE).
func TestFlakOnceFranceWasAllied(t *testing.T) {
	for _, edition := range []string{"1", "2", "3", "4"} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand(due[0].verb, due[0].body)
		c.Stand("facts", `{"facts":{"control":{"France":"UK"}}}`)
		c.Stand("facts", `{"facts":{"control":{"France":"Germany"}}}`)
		c.Stand("aa fire", `{"aa fire":{"at":"France","attacker":"US","aircraft":{"fighter":1}}}`)
	}
}

// TestOneNameOfABoat: a submarine keeps its name however it is spelt, and what submerged adds up (AAR-4-SUBMERGED).
func TestOneNameOfABoat(t *testing.T) {
	for _, edition := range []string{"3", "4"} {
		c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts", `{"facts":{"submarines":{"Germany":{"U-7":"SZ 8","SZ 8":2}}}}`)
		c.Stand("facts", `{"facts":{"submerged":{"UK":{"SZ 8":1}}}}`)
		c.Stand("facts", `{"facts":{"submerged":{"UK":{"SZ 8":1}}}}`)
		o := c.Stand("facts", `{"facts":{"submarines":{"Germany":{"u-7":"SZ 8","SZ 8":2}}}}`)
		boats := o.Drafts[0].Payload.(*events.SubmarinesReported).Submarines
		raids := 0
		for _, d := range c.Stand("collect income", `{"collect income":"UK"}`).Drafts {
			if _, ok := d.Payload.(*events.ConvoyRaided); ok {
				raids++
			}
		}
		name, want := map[string]string{"3": "u-7", "4": "U-7"}[edition], map[string]int{"3": 3, "4": 1}[edition]
		if boats[0].Name != name || raids != want {
			t.Errorf("edition %s: %s, %d raids", edition, boats[0].Name, raids)
		}
	}
}

// TestExactWarnings: where the text is silent, and the record speaks against an entry, that is said.
func TestExactWarnings(t *testing.T) {
	for _, w := range []struct {
		before []step
		entry  step
		want   string
	}{
		{hunted[:1], step{"sub detection", `{"sub detection":{"zone":"SZ 8","attacker":"UK","destroyers":{"US":1}}}`},
			"whether those of US and its aircraft are of it"}, // AAR-7-ROLL
		{append([]step{hunted[0]}, due...),
			step{"sub detection", `{"sub detection":{"zone":"SZ 8","attacker":"US","air":["UK"]}}`},
			"aircraft of the UK are in 8 Sea Zone"}, // AAR-5-UK-FRANCE
		{due, step{"d-day", `{"d-day":{"units":[{"unit":"P-38","power":"US","type":"fighter","from":"Germany"}]}}`},
			"starts from Germany"}, // AAR-5-AIR
		{append([]step{due[0], {"facts", `{"facts":{"used":{"UK":["Hood"]}}}`}}, due[1:]...),
			step{"d-day", `{"d-day":{"units":[{"unit":"hood","power":"US","type":"fighter"}]}}`},
			"one of the UK of this name was used"}, // AAR-5-UK-USED
		{nil, step{"facts", `{"facts":{"prices":{"destroyer escort":1}}}`}, "know a unit"},
		{append(hunted[:2:2], step{"submerge", `{"submerge":["SZ 8 #2"]}`}),
			step{"facts", `{"facts":{"submarines":{"Germany":{"SZ 8":1}}}}`},
			"the report keeps SZ 8 #1"}, // AAR-4-SUBMERGED
		{[]step{due[0], {"sbr", `{"sbr":{"attacker":"UK","territory":"Germany","bombers":2}}`}, due[1], due[2]},
			step{"d-day", `{"d-day":{"units":[{"unit":"Lanc","power":"UK","type":"bomber"}]}}`},
			"2 bombers of the UK raided"}, // AAR-5-UK-USED
		{[]step{{"phase", `{"phase":"purchase units","player":"Russia"}`}},
			step{"facts", `{"facts":{"complexes":{"UK":0}}}`}, "no rule takes it off"},
		{nil, step{"aa fire", `{"aa fire":{"at":"Russia","attacker":"Germany","power":"US","aircraft":{"bomber":1}}}`},
			"one of US here, and Russia holds it"}, // AAR-6-BB
		{append([]step{boats}, due...),
			step{"d-day", `{"d-day":{"units":[{"unit":"Cod","power":"US","type":"bomber"}]}}`},
			"goes by that name"}, // GEN-CARRY
		{[]step{hunted[0], {"sub detection",
			`{"sub detection":{"zone":"SZ 8","attacker":"UK","destroyers":{"UK":50}}}`}},
			step{"facts", `{"facts":{"submerged":{"UK":["SZ 8 #1"]}}}`}, "counts as detected"}, // AAR-7-DETECTED
	} {
		c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
		c.Stand("turn", `{"turn":"Round 1"}`)
		for _, s := range w.before {
			c.Stand(s.verb, s.body)
		}
		if o := c.Stand(w.entry.verb, w.entry.body); !strings.Contains(fmt.Sprint(o.Warnings), w.want) {
			t.Errorf("%s: %q, want %q", w.entry.body, o.Warnings, w.want)
		}
	}
}
