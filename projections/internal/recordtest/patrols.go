package recordtest

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// Patrols writes a campaign of so many turns in which everything happens that the views of submarine
// bases show: bases placed, moved, attacked, displaced and replaced, their dice and what successes are
// spent on, strategy cards, troop transports, hunts, losses, corrections. The number tells campaigns
// apart.
func Patrols(number, turns int) *Campaign {
	c := Begin(number)
	c.Add("", &events.CampaignOpened{Name: fmt.Sprintf("patrols %d", number), System: "eots", Dice: "chain",
		Sides: []string{"Allies", "Japan"}})
	c.Add("", &events.SeatTaken{Seat: "umpire", Role: "umpire"})
	c.Turn(2, "Turn 2, 1942")
	c.Add("Allies", &events.BasePlaced{Base: "Wilkes", Hex: "2813", How: "scenario"})
	c.Add("", &events.FactReported{Fact: "china divisions", Number: 8})
	c.Add("", &events.FactReported{Fact: "asps", Number: 40})
	base, swm, asps, china := "Wilkes", 2, 40, 8
	for t := 3; t < 3+turns; t++ {
		luck := number + t
		c.Turn(uint64(t), fmt.Sprintf("Turn %d, %d", t, 1942+t/3))
		if t%3 == 0 {
			c.Add("Allies", &events.BasePlaced{Base: base, Hex: fmt.Sprint(2200 + t), From: fmt.Sprint(2199 + t),
				How: "relocation"})
		}
		c.patrol(base, swm, luck, &asps)
		swm = max(-5, swm-luck%2)
		drawn := c.Add("Japan", &events.StrategyCardsDrawn{Base: 6, Submarines: luck % 2, Draw: 6 - luck%2})
		c.Add("Japan", &events.StrategyCardPlayed{Card: 37 + luck%2, Event: "First Convoy Escort Fleet"})
		switch t % 4 {
		case 0:
			c.Add("", &events.Corrected{Event: drawn, Code: "mistyped", Reason: "seven, not six"})
			c.Correct(drawn, "Japan", &events.StrategyCardsDrawn{Base: 7, Submarines: luck % 2, Draw: 7 - luck%2})
		case 1:
			china--
			c.Add("Allies", &events.ResultAdjudicated{
				Procedure: "eots.troop-transports", Subject: base, Attacker: "Allies", Defender: "Japan",
				Readings: []events.Reading{{Name: "die", Side: "Allies", Table: "11.24.C", Dice: []int{luck % 10},
					Total: luck % 10, Modified: luck % 10, Column: "0", Result: "1"}},
				Figures: []events.Figure{{Name: "divisions that leave China", Value: 1},
					{Name: "divisions in China", Value: china}},
			})
		case 2:
			hit := c.Add("Japan",
				&events.BaseAttacked{Base: base, Hex: "2220", Hits: 16, Needed: 15, Displaced: true, Returns: t + 1})
			if luck%2 == 0 {
				c.Correct(hit, "Japan", &events.BaseAttacked{Base: base, Hex: "2220", Hits: 14, Needed: 15})
			}
		case 3:
			next := map[string]string{"Wilkes": "Lockwood", "Lockwood": "Fife", "Fife": "Wilkes"}[base]
			c.Add("Allies", &events.BaseReplaced{Base: base, By: next, Hex: "2220", Joined: base})
			c.Add("Allies", &events.BaseDisplaced{Base: base, Hex: "2220", Cause: "emergency", Returns: t + 1})
			base = next
		}
		c.hunt(luck)
	}
	return c
}

// patrol is the die of a base, what its success is spent on, and now and then another reading of both.
func (c *Campaign) patrol(base string, swm, luck int, asps *int) {
	die := luck * 7 % 10
	declared := c.Add("Allies",
		&events.RollDeclared{Purpose: "submarine warfare", Subject: base, Net: swm - 3,
			Throws: []events.Throw{{Name: base, Side: "Allies", Dice: 1, Sides: 10, FromZero: true}}})
	c.Add("Allies", &events.DiceRolled{Declared: declared, Throw: base, Dice: []int{die}})
	word := map[bool]string{true: "success", false: "no success"}
	result := func(swm int) *events.ResultAdjudicated {
		return &events.ResultAdjudicated{
			Procedure: "eots.sub-warfare", Subject: base, Attacker: "Allies", Defender: "Japan", Net: swm - 3,
			Declared: declared,
			Modifiers: []events.Modifier{{Name: "SWM", Value: swm, Rule: "EOTS-11.22.B-1"},
				{Name: "SLOC PV", Value: -3, Rule: "EOTS-11.22.C-5"}},
			Readings: []events.Reading{{Name: "die", Side: "Allies", Dice: []int{die}, Total: die,
				Modified: die + swm - 3, Result: word[luck%2 == 1]}},
		}
	}
	at := c.Add("Allies", result(swm))
	if luck%2 == 1 {
		*asps--
		spent := c.Add("Allies", &events.SuccessSpent{Base: base, On: "asp", Shipping: *asps, Modifier: swm})
		if luck%3 == 0 {
			*asps++
			c.Correct(spent, "Allies", &events.SuccessSpent{Base: base, On: "swm", Shipping: *asps, Modifier: swm - 1})
		}
	}
	if luck%5 == 0 {
		c.Correct(at, "Allies", result(swm+1))
	}
}

// hunt is a hunt and what a battle costs, as other games have them.
func (c *Campaign) hunt(luck int) {
	c.Add("UK", &events.SubmarinesHunted{Zone: "8 Sea Zone", Attacker: "UK", Groups: []events.HuntedGroup{
		{Power: "Germany", Submarines: []string{"U-96", "8 Sea Zone #1"},
			Values: []events.Figure{{Name: "UK", Value: 3}}, Detected: luck%2 == 0, MaySubmerge: luck%2 == 1},
		{Power: "Japan", Submarines: []string{"I-19"}, MaySubmerge: true, MayCallShots: true},
	}})
	c.Add("UK", &events.UnitsLost{Power: "UK", Space: "8 Sea Zone", Units: []events.Unit{{Name: "destroyer", Count: 1}},
		Cause: "AA fire", Chosen: "Germany"})
}
