package narrator

import (
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// Every type of event has a sentence, also where nothing is filled in.
func TestEveryTypeIsTold(t *testing.T) {
	for _, p := range events.Payloads() {
		for _, filled := range []bool{false, true} {
			if filled {
				fill(reflect.ValueOf(p).Elem())
			}
			e := &events.Event{Index: 7, Type: p.Type(), Side: "Britain", Payload: events.EncodePayload(p)}
			text := Sentence(e)
			if text == "" || strings.Contains(text, "later version") || strings.Contains(text, "%!") ||
				strings.Contains(text, "\n") {
				t.Errorf("the sentence of %s is %q", p.Type(), text)
			}
			if !filled {
				continue // nonsense, but a sentence
			}
			if !strings.Contains(".?!)", text[len(text)-1:]) || strings.Contains(text, "  ") {
				t.Errorf("%s does not end like a sentence, or has a gap: %q", p.Type(), text)
			}
		}
	}
}

// fill sets every field to something.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("word")
	case reflect.Int:
		v.SetInt(2)
	case reflect.Uint64:
		v.SetUint(3)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

func TestWhatIsNotKnownIsToldToo(t *testing.T) {
	if text := Sentence(&events.Event{Type: "ship_renamed"}); text != "An event of a later version: ship renamed." {
		t.Error(text)
	}
	if text := Sentence(&events.Event{Type: "dice_rolled", Payload: "\xff"}); !strings.Contains(text, "does not read") {
		t.Error(text)
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct {
		payload events.Payload
		side    string
		want    string
	}{
		{&events.TurnAdvanced{Label: "Winter 1941"}, "", "Winter 1941 begins."},
		{&events.CardPlayed{Card: "asw"}, "Britain", "Britain plays an ASW card."},
		{&events.CardPlayed{Card: "wild", As: "strategic"}, "United States", "United States plays a wild card " +
			"as strategic."},
		{&events.FactReported{Fact: "controls", Subject: "Japan"}, "Japan", "Reported: held by Japan: none."},
		{&events.FactReported{Fact: "cves", Subject: "Atlantic", Number: 7}, "",
			"Reported: escort carriers, Atlantic: 7."},
		{&events.DiceRolled{Throw: "asw", Dice: []int{3, 4}}, "Britain", "Britain rolls 3 and 4 for asw."},
		{&events.ContestSettled{Kind: "search", Acting: "Japan", Opposing: "United States"}, "Japan",
			"Search: Japan 0 cards, United States 0 cards; no advantage."},
		{&events.Opened{Event: 9, Slot: "american cards", Fact: `["wild"]`, Reason: "it is over"}, "",
			"Disclosed: american cards of #9: wild. Reason: it is over."},
	} {
		e := &events.Event{Type: c.payload.Type(), Side: c.side, Seat: "umpire",
			Payload: events.EncodePayload(c.payload)}
		if got := Sentence(e); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Dice of a table are marked in every sentence, with who vouches for them.
func TestAttestedDice(t *testing.T) {
	for _, c := range []struct {
		payload events.Payload
		seat    string
		want    string
	}{
		{&events.SeatTaken{Seat: "umpire", Role: "umpire", Sides: []string{"Japan", "Britain"}}, "umpire",
			"The umpire speaks for Japan and Britain."},
		{&events.SeatTaken{Seat: "Anna", Role: "player", Sides: []string{"Japan"}}, "umpire", "Anna speaks for Japan."},
		{&events.CampaignOpened{Name: "a", System: "awaw", Edition: "1", Dice: "attested"}, "umpire",
			"Campaign a opens: rules awaw, edition 1, dice attested: thrown at a table, typed by one seat and " +
				"confirmed by another."},
		{&events.RollDeclared{Purpose: "submarine warfare", Throws: []events.Throw{{Name: "asw", Dice: 2, Sides: 6}},
			Mode: "attested"}, "Anna",
			"Declared: submarine warfare: asw 2d6, at a table (attested)."},
		{&events.DiceTyped{Fell: []events.Fallen{{Throw: "submarines", Dice: []int{3, 4}},
			{Throw: "asw", Dice: []int{6, 1}}}}, "Anna",
			"Anna says: 3 and 4 for submarines; 6 and 1 for asw (attested, to be confirmed)."},
		{&events.DiceDenied{Declared: 13, Reason: "it was a 2"}, "umpire", "The umpire denies the dice typed for " +
			"#13: it was a 2."},
		{&events.DiceRolled{Throw: "asw", Dice: []int{6, 1}, Typed: "Anna", Confirmed: "umpire"}, "umpire",
			"Britain rolls 6 and 1 for asw (attested: Anna says so, the umpire confirms it)."},
	} {
		e := &events.Event{Type: c.payload.Type(), Side: "Britain", Seat: c.seat,
			Payload: events.EncodePayload(c.payload)}
		if got := Sentence(e); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Results are called what players call them, and say of what came to nothing that it did.
func TestResults(t *testing.T) {
	for _, c := range []struct {
		payload events.Payload
		want    string
	}{
		{&events.ResultAdjudicated{Procedure: "aar.d-day", Subject: "France",
			Figures: []events.Figure{{Name: "aircraft hit of UK"}}},
			"Result, France (AA fire on D-Day): nothing."},
		{&events.ResultAdjudicated{Procedure: "g40.sbr", Subject: "Malta",
			Figures: []events.Figure{{Name: "interceptors lost"}, {Name: "damage to the air base", Value: 3}}},
			"Result, Malta (bombing raid): damage to the air base: 3."},
		{&events.ResultAdjudicated{Procedure: "eots.sub-warfare", Subject: "Fife",
			Readings: []events.Reading{{Name: "die", Dice: []int{5}, Total: 5, Modified: 3, Result: "no success"}}},
			"Result, Fife (submarine warfare): die 5 -2 = 3: no success."},
		{&events.FacilityBuilt{Power: "Germany", Facility: "air_base", Territory: "France"},
			"Germany builds an air base in France."},
		{&events.UnitsReported{Power: "UK", Space: "Malta", Units: []events.Unit{{Name: "fighter", Count: 2},
			{Name: "infantry", Count: 3}}},
			"Reported: UK in Malta: 2 fighters and 3 infantry."},
	} {
		e := events.Event{Type: c.payload.Type(), Payload: events.EncodePayload(c.payload)}
		if got := Sentence(&e); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestEconomy(t *testing.T) {
	for _, c := range []struct {
		payload events.Payload
		want    string
	}{
		{&events.SubmarinesReported{Power: "Germany", Submarines: []events.Submarine{{Zone: "8 Sea Zone"},
			{Zone: "9 Sea Zone"}, {Zone: "8 Sea Zone"}}},
			"Reported: submarines of Germany: 2 in 8 Sea Zone and 1 in 9 Sea Zone."},
		{&events.SubmarinesReported{Power: "Japan"}, "Reported: submarines of Japan: none."},
		{&events.EconomicAttackMade{Kind: "sbr", Attacker: "UK", Victim: "Germany", Territory: "Germany", Rolled: 9,
			Before: 4, Limit: 10, Damage: 6},
			"UK bombs Germany (Germany): 9 rolled, 6 IPCs damage (at most 10 a turn, 4 of them before)."},
		{&events.EconomicAttackMade{Kind: "rockets", Attacker: "Germany", Victim: "UK", Territory: "United Kingdom",
			Rolled: 1, Limit: 8, Damage: 1},
			"Germany fires rockets at United Kingdom (UK): 1 rolled, 1 IPC damage."},
		{&events.ConvoyRaided{Victim: "UK", Territory: "United Kingdom", Submarine: "8 Sea Zone #1", Owner: "Germany",
			Zone: "8 Sea Zone", Distance: 1, Reach: 3, Damage: 3},
			"Submarine 1 of Germany in 8 Sea Zone raids United Kingdom (UK), next to it: 3 IPCs."},
		{&events.ConvoyRaided{Victim: "UK", Territory: "United Kingdom", Submarine: "U 47", Owner: "Germany",
			Zone: "9 Sea Zone", Distance: 2, Reach: 2, Damage: 1, Cap: "AAR-4-CAP-1", Limit: 8, Declared: true},
			"Submarine U 47 of Germany in 9 Sea Zone raids United Kingdom (UK), 2 sea zones away: 1 IPC of the 2 " +
				"in its reach; the limit is 8 (AAR-4-CAP-1); the raider chose it."},
		{&events.IncomeCollected{Power: "UK", Base: 30, Board: 30, Damage: 5, Net: 25, Treasury: 40},
			"UK collects 25 IPCs: 30 less 5 lost; 40 IPCs in hand."},
		{&events.IncomeCollected{Power: "UK", Base: 31, Board: 30, Typed: true, Net: 31, Treasury: 31},
			"UK collects 31 IPCs: 31, none lost; 31 IPCs in hand. Warning: the base of 31 was typed in, and its " +
				"territories on the board come to 30."},
		{&events.IncomeCollected{Power: "UK", Base: 30, Board: 30, Typed: true, Net: 30, Treasury: 30},
			"UK collects 30 IPCs: 30, none lost; 30 IPCs in hand. The base was typed in, and is the board's."},
		{&events.UnitsPurchased{Power: "UK", Cost: 11, Units: []events.Unit{{Name: "infantry", Count: 2},
			{Name: "tank", Count: 1}}, Treasury: 1},
			"UK buys 2 infantry and 1 tank for 11 IPCs; 1 IPC in hand."},
	} {
		e := &events.Event{Type: c.payload.Type(), Payload: events.EncodePayload(c.payload)}
		if got := Sentence(e); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestControlByRule: a control fact with a derivation is no report, but follows from an entry.
func TestControlByRule(t *testing.T) {
	p := &events.FactReported{Fact: "control", Subject: "Egypt", Names: []string{"UK"}}
	e := &events.Event{Type: p.Type(), Payload: events.EncodePayload(p),
		Derivation: []events.Citation{{Rule: "G40-UK-LIBERATE"}}}
	if got := Sentence(e); got != "Control of Egypt passes to UK." {
		t.Error(got)
	}
}

func TestRules(t *testing.T) {
	got := Rules([]events.Citation{{Rule: "B"}, {Rule: "A"}, {Rule: "B"}})
	if !reflect.DeepEqual(got, []string{"B", "A"}) {
		t.Error(got)
	}
}

// What a reader would stumble over: units are counted as people count them, and an empty list is
// none.
func TestUnitsAndListsAreTold(t *testing.T) {
	for want, p := range map[string]events.Payload{
		"Reported: technologies of Japan: none.": &events.FactReported{Fact: "technologies", Subject: "Japan"},
		"Reported: control of Java: none.":       &events.FactReported{Fact: "control", Subject: "Java"},
		"Reported: convoys, 109 Sea Zone: 0.": &events.FactReported{Fact: "convoys",
			Subject: "109 Sea Zone"},
		"UK sends up 1 fighter over Malta to intercept.": &events.FightersIntercepted{Power: "UK", Territory: "Malta",
			Fighters: 1},
		"Reported: UK in Malta: 2 AA guns, 1 fighter and 3 mechanized infantry.": &events.UnitsReported{Power: "UK",
			Space: "Malta",
			Units: []events.Unit{{Name: "AA gun", Count: 2}, {Name: "fighter", Count: 1}, {Name: "mechanized infantry",
				Count: 3}}},
	} {
		if got := Sentence(&events.Event{Type: p.Type(), Payload: events.EncodePayload(p)}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
