package narrator

import (
	"testing"

	"github.com/watu-ledger/watu/events"
)

// sentences holds events of one side to their sentences.
func sentences(t *testing.T, side string, want map[string]events.Payload) {
	t.Helper()
	for text, p := range want {
		if got := Sentence(&events.Event{Type: p.Type(), Side: side, Payload: events.EncodePayload(p)}); got != text {
			t.Errorf("got  %s\nwant %s", got, text)
		}
	}
}

func TestBattles(t *testing.T) {
	zone := func(nth int, ship string) events.Strike {
		return events.Strike{Zone: "6 Sea Zone", Owner: "US", Ship: ship, Nth: nth}
	}
	sentences(t, "Japan", map[string]events.Payload{
		"US scrambles 1 fighter and 2 tactical bombers from Philippines to 35 Sea Zone.": &events.AircraftScrambled{
			Power: "US", From: "Philippines", Zone: "35 Sea Zone", Units: []events.Unit{{Name: "fighter", Count: 1},
				{Name: "tactical bomber", Count: 2}}},
		"Aircraft of UK that defended from Scotland: 2 return, 1 lands in 109 Sea Zone and 1 is lost with " +
			"no place to land.": &events.AircraftLanded{
			Power: "UK", From: "Scotland", Returned: 2, Lost: 1,
			Diverted: []events.Landing{{Space: "109 Sea Zone", Aircraft: 1}}},
		"Aircraft of UK that defended from Scotland: 1 tactical bomber lands in France and 1 fighter fell in " +
			"battle.": &events.AircraftLanded{
			Power: "UK", From: "Scotland", Fallen: []events.Unit{{Name: "fighter", Count: 1}},
			Diverted: []events.Landing{{Space: "France", Aircraft: 1,
				Units: []events.Unit{{Name: "tactical bomber", Count: 1}}}}},
		"Aircraft of UK that defended from Scotland: none is left to land.": &events.AircraftLanded{Power: "UK",
			From: "Scotland"},
		"Japan declares 3 kamikaze strikes: in 6 Sea Zone 2 at the US carrier; in 19 Sea Zone 1 at ANZAC cruiser #2. " +
			"Tokens left: 1.": &events.StrikesDeclared{
			Power: "Japan", Left: 1, Strikes: []events.Strike{zone(1, "carrier"), zone(1, "carrier"),
				{Zone: "19 Sea Zone", Owner: "ANZAC", Ship: "cruiser", Nth: 2}}},
		"Japan declares 2 kamikaze strikes: in 6 Sea Zone 1 at US carrier #1 and 1 at US carrier #2. " +
			"Tokens left: 4.": &events.StrikesDeclared{
			Power: "Japan", Left: 4, Strikes: []events.Strike{zone(1, "carrier"), zone(2, "carrier")}},
		"Japan declares 1 kamikaze strike: in 6 Sea Zone 1 at the US destroyer. " +
			"Tokens left: 5.": &events.StrikesDeclared{
			Power: "Japan", Left: 5, Strikes: []events.Strike{zone(1, "destroyer")}},
		"Japan makes no kamikaze strikes. Tokens left: 6.": &events.StrikesDeclared{Power: "Japan", Left: 6},
		"US raids Japan, escorted by 1 fighter: 2 strategic bombers on the major industrial complex; 1 tactical " +
			"bomber on the naval base.": &events.RaidDeclared{
			Attacker: "US", Defender: "Japan", Territory: "Japan", Escorts: 1,
			Targets: []events.RaidTarget{{Facility: "major_ic", Strategic: 2}, {Facility: "naval_base", Tactical: 1}}},
		"Germany raids Scotland (UK), without escorts: 1 strategic bomber on the air base.": &events.RaidDeclared{
			Attacker: "Germany", Defender: "UK", Territory: "Scotland",
			Targets: []events.RaidTarget{{Facility: "air_base", Strategic: 1}}},
		"Japan sends up 1 fighter over Japan to intercept.": &events.FightersIntercepted{Power: "Japan",
			Territory: "Japan", Fighters: 1},
		"Transports of UK unload from 110 Sea Zone onto France, past 2 submarines; 1 " +
			"ship bombards.": &events.TransportsUnloaded{
			Power: "UK", From: "110 Sea Zone", Onto: "France", Submarines: 2, Warships: 1, Bombarding: 1},
		"Transports of UK unload from 110 Sea Zone onto France.": &events.TransportsUnloaded{Power: "UK",
			From: "110 Sea Zone", Onto: "France"},
		"US loses 2 fighters in an air battle in Japan, chosen by US.": &events.UnitsLost{
			Power: "US", Space: "Japan", Units: []events.Unit{{Name: "fighter", Count: 2}}, Cause: "an air battle",
			Chosen: "US"},
		"US loses 1 carrier, reported in 54 Sea Zone, to a kamikaze strike.": &events.UnitsLost{
			Power: "US", Space: "54 Sea Zone", Units: []events.Unit{{Name: "carrier", Count: 1}},
			Cause: "a kamikaze strike"},
		"UK loses 1 bomber (Bomber Command) to AA fire in Western Europe.": &events.UnitsLost{
			Power: "UK", Space: "Western Europe", Units: []events.Unit{{Name: "bomber (Bomber Command)", Count: 1}},
			Cause: "AA fire"},
		"Reported: US in 26 Sea Zone: 2 carriers; damaged: 1 carrier.": &events.UnitsReported{
			Power: "US", Space: "26 Sea Zone", Units: []events.Unit{{Name: "carrier", Count: 2}},
			Damaged: []events.Unit{{Name: "carrier", Count: 1}}},
		"Reported: UK in Malta: 2 infantry, 3 AA guns, 2 mechanized infantry and 2 artillery.": &events.UnitsReported{
			Power: "UK", Space: "Malta", Units: []events.Unit{{Name: "infantry", Count: 2}, {Name: "aa_gun", Count: 3},
				{Name: "mechanized infantry", Count: 2}, {Name: "artillery", Count: 2}}},
		"Japan rolls 2, 1 and 5 for escorts.": &events.DiceRolled{Throw: "escorts", Dice: []int{2, 1, 5}},
		"Result, Japan (bombing raid): nothing.": &events.ResultAdjudicated{
			Procedure: "g40.sbr", Subject: "Japan", Figures: []events.Figure{{Name: "interceptors lost"}}},
	})
}

func TestFacilities(t *testing.T) {
	sentences(t, "Germany", map[string]events.Payload{
		"Reported: in Egypt stands a minor industrial complex with 2 damage.": &events.FacilitiesReported{
			Territory: "Egypt", Facilities: []events.Facility{{Kind: "minor_ic", Damage: 2}}},
		"Reported: in Malta stand an air base and a naval base, not operative.": &events.FacilitiesReported{
			Territory: "Malta", Facilities: []events.Facility{{Kind: "air_base"},
				{Kind: "naval_base", Inoperative: true}}},
		"Bombing raid of US: the naval base in Japan takes 6 damage of the 11 rolled; it has 6 " +
			"of at most 6.": &events.FacilityDamaged{
			Territory: "Japan", Facility: "naval_base", Victim: "Japan", Attacker: "US", Cause: "bombing raid",
			Rolled: 11, Limit: 6, Damage: 6},
		"Rockets of Germany from France, 1 space away: the air base in Scotland (UK) takes 2 damage; it has 3 " +
			"of at most 6.": &events.FacilityDamaged{
			Territory: "Scotland", Facility: "air_base", Victim: "UK", Attacker: "Germany", Cause: "rockets",
			From: "France", Distance: 1, Rolled: 2, Before: 1, Limit: 6, Damage: 2},
		"UK captures Germany; its major industrial complex becomes a minor industrial complex; UK Europe takes 1 IPC " +
			"from Germany.": &events.TerritoryCaptured{
			Territory: "Germany", By: "UK", From: "Germany", Holder: "UK", Was: "major_ic", Complex: "minor_ic",
			Loot: 1, LootFrom: "Germany", LootTo: "UK Europe"},
		"US captures India from Japan, which goes back to UK.": &events.TerritoryCaptured{Territory: "India",
			By: "US", From: "Japan", Holder: "UK"},
		"Germany mobilizes 2 submarines in 112 Sea Zone, at the industrial complex of " +
			"Western Germany.": &events.UnitsMobilized{
			Power: "Germany", Space: "112 Sea Zone", Complex: "Western Germany", Bought: "Germany",
			Units: []events.Unit{{Name: "submarine", Count: 2}}},
		"UK mobilizes 1 AA gun in India, bought by UK Pacific.": &events.UnitsMobilized{
			Power: "UK", Space: "India", Complex: "India", Bought: "UK Pacific",
			Units: []events.Unit{{Name: "AA gun", Count: 1}}},
		"Germany pays 5 IPCs for research; 9 IPCs in hand.": &events.ResearchPaid{Power: "Germany", Cost: 5,
			Payments: []events.Payment{{Treasury: "Germany", Paid: 5, Left: 9}}},
		"Convoys in 39 Sea Zone are disrupted by 2 submarines of Japan (2 each) and 1 destroyer of Japan: ANZAC " +
			"loses 2 IPCs (New South Wales is worth 2; the raiders could take 5).": &events.ConvoyDisrupted{
			Zone: "39 Sea Zone", Victim: "ANZAC", Territory: "New South Wales", Potential: 5, Damage: 2, Worth: 2,
			Raiders: []events.Raid{{Unit: "submarine", Power: "Japan", Count: 2, Each: 2},
				{Unit: "destroyer", Power: "Japan", Count: 1, Each: 1}}},
	})
}

// The Allies are several.
func TestAllies(t *testing.T) {
	sentences(t, "Allies", map[string]events.Payload{
		"The Allies roll 5 for Fife.": &events.DiceRolled{Throw: "Fife", Dice: []int{5}},
		"The Allies answer: asp.":     &events.ChoiceMade{Options: []string{"asp"}},
		"Question to the Allies: which? (asp, none).": &events.ChoiceAsked{Of: "Allies",
			Question: "which?", Options: []string{"asp", "none"}},
		"The Allies play card 80: New Submarine Doctrine.": &events.StrategyCardPlayed{Card: 80,
			Event: "New Submarine Doctrine"},
		"The success of Fife costs an ASP as well: 1 is left.": &events.SuccessSpent{Base: "Fife", On: "asp",
			Shipping: 1},
		"Fife in hex 2417 takes 1 hit; 15 would displace it.": &events.BaseAttacked{Base: "Fife", Hex: "2417", Hits: 1,
			Needed: 15},
	})
	sentences(t, "Japan", map[string]events.Payload{
		"Japan draws 7 Strategy Cards.": &events.StrategyCardsDrawn{Base: 7,
			Draw: 7},
		"Japan draws 5 Strategy Cards of 7: submarines cut 2.": &events.StrategyCardsDrawn{Base: 7,
			Draw: 5, Submarines: 2},
		"Japan draws 4 Strategy Cards of 7: submarines cut 2 and bombers cut 1.": &events.StrategyCardsDrawn{Base: 7,
			Draw: 4, Submarines: 2, Bombers: 1},
	})
}
