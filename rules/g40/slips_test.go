package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestSlipsRefused: what a careless umpire or a cunning player might enter, and the ledger does not
// take.
func TestSlipsRefused(t *testing.T) {
	bought := world(t, map[string]string{OptionPrices: "house"})
	bought.Stand("purchase", `{"purchase":{"power":"Germany","cost":9}}`) // what, it does not say
	bought.Stand("facts", `{"facts":{"technologies":{"US":["improved shipyards"]}}}`)
	fired := pacific(t)
	fired.Stand("facts",
		`{"facts":{"technologies":{"US":["rockets"]},"facilities":{"Malaya":["air base"]},"control":{"Malaya":"US"}}}`)
	passed := `{"kamikaze":{"strikes":{"SZ 35":[]}}}`
	fired.Stand("kamikaze", passed)
	fired.Stand("rockets", `{"rockets":{"from":"Malaya","at":"Japan","facility":"air base"}}`)
	taken := pacific(t)
	taken.Stand("kamikaze", passed)
	taken.Stand("capture", `{"capture":{"territory":"Philippines","by":"US"}}`)
	parked := world(t, nil)
	parked.Stand("facts", `{"facts":{"units":{"Germany":{"Western Germany":{"strategic bomber":1}}}}}`)
	for _, c := range []struct {
		campaign   *rulestest.Harness
		verb, body string
		rules      []string
	}{
		// 14 together
		{bought, "purchase", `{"purchase":{"power":"US","cost":9,"units":{"AA gun":1,"cruiser":1}}}`,
			[]string{"G40-AA-COST", "G40-TECH-SHIPYARD"}},
		// no capital
		{bought, "capture", `{"capture":{"territory":"Egypt","by":"Germany","ipcs":5}}`, []string{"INPUT"}},
		// more than London has
		{bought, "capture", `{"capture":{"territory":"UK","by":"Germany","ipcs":500}}`, []string{"INPUT"}},
		{fired, "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["carrier"]}}}`,
			[]string{"G40-KAM-WHEN", "G40-KAM-DECLARE"}},
		{taken, "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["carrier"]}}}`,
			[]string{"G40-KAM-WHEN", "G40-KAM-DECLARE"}},
		{pacific(t), "kamikaze", `{"kamikaze":{"strikes":{"SZ 35":["carrier"]},"damaged":{"SZ 35":["carrier 2"]}}}`,
			[]string{"INPUT"}},
		{north(t, nil), "scramble",
			`{"scramble":{"power":"UK","from":"Western Germany","to":"SZ 109","units":{"fighter":1}}}`,
			[]string{"G40-SCR-ZONE", "G40-SCR-BASE"}},
		{north(t, nil), "aa fire", `{"aa fire":{"at":"Western Germany","aircraft":{"fighter":1},"guns":1}}`,
			[]string{"G40-AA-TARGET"}},
		{bought, "mobilize", `{"mobilize":{"power":"Germany","units":{"Germany":{"battleship":1}}}}`,
			[]string{"INPUT"}},
		{bought, "mobilize", `{"mobilize":{"power":"Germany","units":{"SZ 112":{"infantry":1}}}}`, []string{"INPUT"}},
		{bought, "mobilize", `{"mobilize":{"power":"Germany","units":{"SZ 112":{"strategic bomber":1}}}}`,
			[]string{"INPUT"}},
		// in the first entry of its TURN
		{parked, "bombing raid",
			`{"bombing raid":{"attacker":"Germany","on":"UK","targets":{"air base":2},"interceptors":0}}`,
			[]string{"G40-SBR-AFTER"}},
	} {
		if got := slices.Compact(c.campaign.Clone(t, 1).Refused(c.verb, c.body)); !slices.Equal(got, c.rules) {
			t.Errorf("%s %s: %v, want %v", c.verb, c.body, got, c.rules)
		}
	}
}

// TestUpgradeRepairsNothing: damage stands until it is repaired, also through an upgrade, and a base
// repaired wholly is operative again (G40-SBR-AFTER).
func TestUpgradeRepairsNothing(t *testing.T) {
	c := world(t, map[string]string{OptionOperative: "stated"})
	c.Stand("facts",
		`{"facts":{"treasury":{"Germany":40},"facilities":{"Western Germany":{"minor ic":4,"air base":{"damage":3,`+
			`"operative":false},"naval base":0}}}}`)
	c.Stand("repair", `{"repair":{"power":"Germany","cost":2,"facilities":{"Western Germany":{"air base":2}}}}`)
	standing := func() string {
		g := c.Game().(game)
		s, _ := g.Board.Territory("Western Germany")
		return fmt.Sprint(g.standing(s))
	}
	if got := standing(); got != "[{air_base 1 true} {minor_ic 4 false} {naval_base 0 false}]" {
		t.Error(got)
	}
	c.Stand("repair", `{"repair":{"power":"Germany","cost":1,"facilities":{"Western Germany":{"air base":1}}}}`)
	c.Stand("build", `{"build":{"power":"Germany","territory":"Western Germany","facility":"major ic","cost":20}}`)
	if got := standing(); got != "[{air_base 0 false} {naval_base 0 false} {major_ic 4 false}]" {
		t.Error(got)
	}
}

// TestGunsLeftAlone: fighters that scrambled do not defend their territory, so the AA guns there are
// alone (G40-SCR-FIGHT, G40-AA-ALONE); of an attack without aircraft there is nothing to fire at
// (G40-AA-TARGET).
func TestGunsLeftAlone(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"units":{"UK":{"UK":{"fighter":2,"AA gun":1}}}}}`)
	c.Stand("attack", `{"attack":{"attacker":"Germany","on":"UK","from":"SZ 109","units":{"infantry":1}}}`)
	if got := c.Refused("aa fire", `{"aa fire":{"at":"UK","aircraft":{"fighter":1}}}`); !slices.Equal(got,
		[]string{"G40-AA-TARGET"}) {
		t.Error(got)
	}
	c.Stand("attack", `{"attack":{"on":"UK","units":{"fighter":1}}}`)
	manned := c.Clone(t, 1)
	c.Stand("scramble", `{"scramble":{"from":"UK","to":"SZ 109","units":{"fighter":2}}}`)
	c.Stand("aa fire", `{"aa fire":{"at":"UK"}}`)
	if got := last(t, c, &events.UnitsLost{}); got.Power != "UK" || fmt.Sprint(got.Units) != "[{AA gun 1}]" {
		t.Errorf("the guns are not destroyed: %+v", got)
	}
	manned.Stand("aa fire", `{"aa fire":{"at":"UK"}}`)
	if got := last(t, manned, &events.ResultAdjudicated{}); got.Figures[0].Value != 1 {
		t.Errorf("the guns did not fire: %+v", got)
	}
}

// TestLostForWantOfAPlace: aircraft whose territory has fallen are lost only where no friendly
// territory is in their reach (G40-SCR-LAND).
func TestLostForWantOfAPlace(t *testing.T) {
	c := north(t, nil)
	c.Stand("attack", `{"attack":{"on":"Scotland","from":"SZ 109"}}`)
	c.Stand("scramble", `{"scramble":{"from":"Scotland","to":"SZ 109","units":{"fighter":2}}}`)
	c.Stand("capture", `{"capture":{"territory":"Scotland","by":"Germany"}}`)
	if got := c.Refused("land", `{"land":{"from":"Scotland"}}`); !slices.Equal(got, []string{"G40-SCR-LAND"}) {
		t.Error(got)
	}
	c.Clone(t, 1).Stand("land", `{"land":{"from":"Scotland","at":{"UK":2}}}`)
	c.Stand("capture", `{"capture":{"territory":"UK","by":"Germany"}}`)
	c.Stand("land", `{"land":{"from":"Scotland"}}`)
	if got := last(t, c, &events.AircraftLanded{}); got.Lost != 2 {
		t.Errorf("%+v", got)
	}
}

// TestOrdersMisread: what is wrong in an order to scramble is named.
func TestOrdersMisread(t *testing.T) {
	for body, want := range map[string]string{
		`{"scramble":{"from":"UK","to":109,"units":{"fighter":1}}}`: "scramble.to: a number is " +
			"given, a name is expected",
		`{"scramble":[{"from":"UK","to":"SZ 109","units":{"fighter":1}},{"form":"UK"}]}`: `scramble[1] knows no ` +
			`"form"; it knows from, to, power, units`,
		`{"scramble":[]}`:              "write {from: Scotland, to: SZ 109, units: {fighter: 2}}, or a list of these",
		`{"scramble":"Scotland"}`:      "write {from: Scotland, to: SZ 109, units: {fighter: 2}}, or a list of these",
		`{"scramble":{"to":"SZ 109"}}`: "scramble[0].from is missing: name a space of the board",
	} {
		o, _ := north(t, nil).Judge(rules.Command{ID: "misread", Verb: "scramble", Body: []byte(body)})
		if len(o.Violations) != 1 || o.Violations[0].Message != want {
			t.Errorf("%s: %v", body, o.Violations)
		}
	}
}

// TestConvoyOfTwoEconomies: what raiders took of one economy of the United Kingdom they do not take
// once more of the other, in a sea zone that touches both (G40-UK-COLLECT, G40-CONVOY-FLOW).
func TestConvoyOfTwoEconomies(t *testing.T) {
	c := world(t, nil)
	c.Stand("facts", `{"facts":{"convoys":{"SZ 80":1},"units":{"Italy":{"SZ 80":{"submarine":1,"cruiser":1}}}}}`)
	c.Stand("collect income", `{"collect income":"UK Europe"}`)
	first := last(t, c, &events.IncomeCollected{})
	c.Stand("collect income", `{"collect income":"UK Pacific"}`)
	second := last(t, c, &events.IncomeCollected{})
	if first.Damage != 2 || second.Damage != 1 { // Egypt is worth 2; 3 in all
		t.Errorf("Europe loses %d, Pacific %d", first.Damage, second.Damage)
	}
	c.Stand("turn", `{"turn":"Round 2"}`)
	c.Stand("collect income", `{"collect income":"UK Pacific"}`)
	if got := last(t, c, &events.IncomeCollected{}); got.Damage < 2 {
		t.Errorf("in the next ROUND Pacific loses %d", got.Damage)
	}
}

// TestRaiderThatTakesNothing: by option a surface warship takes nothing of a convoy (AMB-G40-1), and is
// not among those who disrupt it.
func TestRaiderThatTakesNothing(t *testing.T) {
	c := world(t, map[string]string{OptionSurfaceWarship: "0"})
	c.Stand("facts", `{"facts":{"units":{"Italy":{"SZ 109":{"submarine":1,"cruiser":1}}}}}`)
	c.Stand("collect income", `{"collect income":"UK Europe"}`)
	if got := last(t, c, &events.ConvoyDisrupted{}); fmt.Sprint(got.Raiders) != "[{Italy submarine 1 2}]" {
		t.Errorf("%+v", got.Raiders)
	}
}

// TestShipsOfPowers: a ship's owner goes by any of his names.
func TestShipsOfPowers(t *testing.T) {
	c := pacific(t)
	c.Stand("kamikaze",
		`{"kamikaze":{"strikes":{"SZ 35":["US carrier","American carrier 2","United States destroyer","anzac `+
			`cruiser","carrier #2"]}}}`)
	var owners []string
	for _, s := range last(t, c, &events.StrikesDeclared{}).Strikes {
		owners = append(owners, fmt.Sprintf("%s %s %d", s.Owner, s.Ship, s.Nth))
	}
	if want := []string{"US carrier 1", "US carrier 2", "US destroyer 1", "ANZAC cruiser 1",
		"US carrier 2"}; !slices.Equal(owners, want) {
		t.Errorf("%v", owners)
	}
}

// TestDebt: what was paid before may be placed by a power that owes IPCs, and settles nothing of it; in
// hand is what the event says.
func TestDebt(t *testing.T) {
	c := on(t, "5", `{"facts":{"treasury":{"Germany":15}}}`) // later ones hold a report to what was paid
	c.Stand("purchase", `{"purchase":{"power":"Germany","units":{"air base":1}}}`)
	c.Stand("facts", `{"facts":{"treasury":{"Germany":-4}}}`)
	c.Stand("facts", `{"facts":{"facilities":{"Western Germany":["minor ic"],"UK":["major ic"]}}}`)
	c.Stand("build", `{"build":{"power":"Germany","territory":"Western Germany","facility":"air base"}}`)
	built := last(t, c, &events.FacilityBuilt{})
	if in := c.Game().(game).Treasury("Germany"); in != -4 || built.Treasury != in {
		t.Errorf("%d in hand, the event says %d", in, built.Treasury)
	}
	c.Stand("facts", `{"facts":{"treasury":{"UK Europe":15}}}`)
	c.Stand("purchase", `{"purchase":{"power":"UK Europe","units":{"naval base":1}}}`)
	c.Stand("facts", `{"facts":{"treasury":{"UK Europe":-2}}}`)
	c.Stand("build", `{"build":{"power":"UK Europe","territory":"UK","facility":"naval base"}}`)
	if in := c.Game().(game).Treasury("UK Europe"); in != -2 {
		t.Errorf("%d in hand", in)
	}
	c.Stand("turn", `{"turn":"Round 2"}`)
	if got := c.Refused("purchase", `{"purchase":{"power":"UK Europe","units":{"infantry":1}}}`); !slices.Contains(got,
		"G40-UK-SEPARATE") {
		t.Error(got)
	}
}
