package g40

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// treasuries holds what is in hand.
func treasuries(t *testing.T, c *rulestest.Harness, want map[string]int) {
	t.Helper()
	for name, ipcs := range want {
		if got := c.Game().(game).Treasury(name); got != ipcs {
			t.Errorf("%s has %d, want %d", name, got, ipcs)
		}
	}
}

func captured(t *testing.T, c *rulestest.Harness, territory, by string) *events.TerritoryCaptured {
	t.Helper()
	c.Stand("capture", `{"capture":{"territory":"`+territory+`","by":"`+by+`"}}`)
	return last(t, c, &events.TerritoryCaptured{})
}

// TestLondonFalls: the captor takes what Europe has not spent, and only that (G40-UK-LOOT, AMB-G40-7);
// the complex is reduced (G40-IC-REDUCE); until London is free again Europe does nothing, Pacific
// plays on (G40-UK-HELD), and an ally who retakes what was the United Kingdom's holds it
// (G40-UK-LIBERATE).
func TestLondonFalls(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts",
		`{"facts":{"treasury":{"UK Europe":11,"UK Pacific":6,"Germany":2},"control":{"Egypt":"Italy"},"at `+
			`war":{"Japan":["China","UK","US","ANZAC"]}}}`)
	got := captured(t, c, "UK", "Germany")
	if got.Was != "major_ic" || got.Complex != "minor_ic" || got.Holder != "Germany" || got.Loot != 11 ||
		got.LootTo != "Germany" || got.Capital != "UK Europe" {
		t.Errorf("%+v", got)
	}
	treasuries(t, c, map[string]int{"UK Europe": 0, "UK Pacific": 6, "Germany": 13})
	g := c.Game().(game)
	s, _ := g.Board.Territory("UK")
	if g.complexOf(s) != MinorComplex || !g.heldByAxis(Europe) || g.heldByAxis(Pacific) {
		t.Error("London has not fallen")
	}
	if got := captured(t, c, "Egypt", "US"); got.Holder != "US" || got.Loot != 0 {
		t.Errorf("Egypt: %+v", got)
	}
	c.Stand("collect income", `{"collect income":"UK Pacific"}`)
	treasuries(t, c, map[string]int{"UK Pacific": 13})
	c.Stand("turn", `{"turn":"Round 2"}`)
	if got := captured(t, c, "London", "US"); got.Holder != "UK" || got.LootFrom != "" {
		t.Errorf("London is free: %+v", got)
	}
	c.Stand("collect income", `{"collect income":"UK Europe"}`)
	treasuries(t, c, map[string]int{"UK Europe": 12}) // with Egypt, which goes back (AMB-G40-10)
}

// TestTemporaryControl: what an ally held while London was in enemy hands goes back when it is free, and incomes follow
// (G40-UK-LIBERATE, AMB-G40-10). What falls under Calcutta, and what the enemy has, stays where it is.
func TestTemporaryControl(t *testing.T) {
	for reading, want := range map[string][2]int{"returned": {28, 52}, "kept": {26, 54}, rules.Ask: {}} {
		c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"),
			map[string]string{OptionTemporaryControl: reading})
		c.Stand("turn", `{"turn":"Round 1"}`)
		c.Stand("facts", `{"facts":{
			"control":{"Egypt":"Italy","UK":"Germany","Malaya":"US","Malta":"Italy"},
			"economies":{"Malaya":"UK Pacific"}}}`)
		captured(t, c, "Egypt", "US")
		if got := c.Game().(game).holder(c.Game().(game).At("Egypt")); got != "US" {
			t.Fatalf("%s holds Egypt", got)
		}
		if reading == rules.Ask {
			body := []byte(`{"capture":{"territory":"UK","by":"US"}}`)
			if o, _ := c.Judge(rules.Command{ID: "free", Verb: "capture", Body: body}); o.Verdict != rules.Referred {
				t.Errorf("%+v", o)
			}
			continue
		}
		captured(t, c, "UK", "US")
		c.Stand("facts", `{"facts":{"control":{"Malaya":"UK"}}}`)
		c.Stand("collect income", `{"collect income":"US"}`)
		us := last(t, c, &events.IncomeCollected{}).Base
		c.Stand("collect income", `{"collect income":"UK Europe"}`)
		if uk := last(t, c, &events.IncomeCollected{}).Base; uk != want[0] || us != want[1] {
			t.Errorf("%s: UK Europe collects %d, US %d", reading, uk, us)
		}
		if got := c.Game().(game).holder(c.Game().(game).At("Malta")); got != "Italy" {
			t.Errorf("%s holds Malta", got)
		}
	}
}

// TestOtherCapitalsFreed: other powers are treated alike (AMB-G40-10), whoever frees the capital; under
// Calcutta's economy nothing moves when London is free.
func TestOtherCapitalsFreed(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"control":{"France":"Germany","Sahara":"UK","Szechwan":"Japan","Kiangsu":"US",
		"UK":"Germany","Burma":"ANZAC"}}}`)
	captured(t, c, "France", "US")
	captured(t, c, "London", "US")
	g := c.Game().(game)
	for territory, want := range map[string]string{"France": "France", "Kiangsu": "US", "Burma": "ANZAC"} {
		if got := g.holder(g.At(territory)); got != want {
			t.Errorf("%s holds %s, want %s", got, territory, want)
		}
	}
	captured(t, c, "Szechwan", "China")
	g = c.Game().(game)
	if got := g.holder(g.At("Kiangsu")); got != "China" {
		t.Errorf("%s holds Kiangsu", got)
	}
}

// TestAxisCapitals: Berlin's IPCs go to Europe though London is held, Tokyo's to Pacific
// (G40-UK-AXIS-CAPITAL); another ally keeps what it takes.
func TestAxisCapitals(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts",
		`{"facts":{"treasury":{"UK Europe":1,"UK Pacific":2,"Germany":20,"Japan":17,"Italy":9},`+
			`"control":{"UK":"Italy"}}}`)
	if got := captured(t, c, "Berlin", "UK"); got.LootTo != "UK Europe" || got.Loot != 20 {
		t.Errorf("%+v", got)
	}
	if got := captured(t, c, "Tokyo", "UK"); got.LootTo != "UK Pacific" || got.Loot != 17 {
		t.Errorf("%+v", got)
	}
	c.Stand("turn", `{"turn":"Round 2"}`)
	if got := captured(t, c, "Rome", "US"); got.LootTo != "US" || got.Loot != 9 {
		t.Errorf("%+v", got)
	}
	treasuries(t, c, map[string]int{"UK Europe": 21, "UK Pacific": 19, "Germany": 0, "Japan": 0, "Italy": 0})
}

// TestRebuilding: a captured complex is not upgraded by its captor, and is by its owner after the
// recapture (G40-IC-CAPTURED, G40-IC-RECAPTURE).
func TestRebuilding(t *testing.T) {
	c := world(t, nil)
	captured(t, c, "Western Germany", "US")
	c.Stand("turn", `{"turn":"Round 2"}`)
	if got := c.Refused("build",
		`{"build":{"power":"US","territory":"Western Germany","facility":"major ic",
			"cost":3}}`); got[0] != "G40-IC-CAPTURED" {
		t.Error(got)
	}
	captured(t, c, "Western Germany", "Germany")
	c.Stand("turn", `{"turn":"Round 3"}`)
	c.Stand("facts", `{"facts":{"treasury":{"Germany":27}}}`)
	c.Stand("build", `{"build":{"power":"Germany","territory":"Western Germany","facility":"major ic","cost":20}}`)
	if got := last(t, c, &events.FacilityBuilt{}); got.Was != "minor_ic" || got.Treasury != 7 {
		t.Errorf("%+v", got)
	}
}

// TestCorrection: what is corrected changes where it stands, and what came later follows.
func TestCorrection(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"treasury":{"UK Europe":11,"Germany":2},"technologies":{"Germany":["rockets"]}}}`)
	c.Stand("rockets", `{"rockets":{"from":"Western Germany","at":"Scotland","facility":"air base"}}`)
	damaged := c.Log()[len(c.Log())-1].Index
	captured(t, c, "UK", "Germany")
	taken := c.Log()[len(c.Log())-1].Index
	c.Correct(taken,
		&events.TerritoryCaptured{Territory: "United Kingdom", By: "Germany", Holder: "Italy", LootFrom: "UK Europe",
			LootTo: "Germany", Loot: 4})
	now := c.Game().(game)
	s, _ := now.Board.Territory("UK")
	if now.Treasury("UK Europe") != 7 || now.Treasury("Germany") != 6 || now.holder(s) != "Italy" ||
		now.complexOf(s) != MajorComplex {
		t.Errorf("%d, %d, %s, %s", now.Treasury("UK Europe"), now.Treasury("Germany"), now.holder(s), now.complexOf(s))
	}
	c.Correct(damaged,
		&events.FacilityDamaged{Territory: "United Kingdom", Facility: "air_base", Attacker: "Germany",
			Cause: causeRockets, From: "Western Germany", Damage: 2})
	now = c.Game().(game)
	scotland, _ := now.Board.Territory("Scotland")
	was, _ := now.facility(scotland, AirBase)
	is, _ := now.facility(s, AirBase)
	if was.Damage != 0 || is.Damage != 2 || !(&decision{game: now}).hasFired("Germany", "Western Germany") {
		t.Errorf("Scotland %+v, United Kingdom %+v", was, is)
	}
}
