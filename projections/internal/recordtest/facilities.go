package recordtest

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// Facilities writes a campaign of so many rounds in which everything happens that the views of money
// show beside [Convoys]: one power with two treasuries, objectives, convoys disrupted by several
// powers, facilities bombed, rocketed, repaired, built and upgraded, research shared, capitals taken,
// antiaircraft fire and raids as results, corrections. The number distinguishes campaigns.
func Facilities(number, rounds int) *Campaign {
	g := economy{Begin(number), number,
		map[string]int{"Germany": 30, "Japan": 26, "UK Europe": 28, "UK Pacific": 17, "US": 52}}
	g.Add("", &events.CampaignOpened{
		Name: fmt.Sprintf("facilities %d", number), System: "g40", Dice: "chain",
		Sides: []string{"Germany", "Japan", "UK", "US"},
		Treasuries: []events.Treasury{{Power: "Germany", IPCs: 30}, {Power: "Japan", IPCs: 26},
			{Power: "UK Europe", IPCs: 28}, {Power: "UK Pacific", IPCs: 17}, {Power: "US", IPCs: 52}},
	})
	g.Add("", &events.SeatTaken{Seat: "umpire", Role: "umpire"})
	for r := 1; r <= rounds; r++ {
		g.Turn(uint64(r), fmt.Sprintf("Round %d", r))
		g.germany(r)
		g.united(r)
		if r%4 == 3 {
			g.capital(r)
		}
	}
	return g.Campaign
}

func (g *economy) pay(treasury string, cost int) (paid, left int) {
	cost = min(cost, g.hand[treasury])
	g.hand[treasury] -= cost
	return cost, g.hand[treasury]
}

// germany bombs Malta's air base and London's complex, launches a rocket, and collects.
func (g *economy) germany(r int) {
	luck := g.number + r
	if r%3 == 1 {
		cost, left := g.pay("Germany", 5)
		g.Add("Germany",
			&events.ResearchPaid{Power: "Germany", Cost: cost,
				Payments: []events.Payment{{Treasury: "Germany", Paid: cost, Left: left}}})
	}
	declared := g.Add("Germany",
		&events.RollDeclared{Purpose: "bombing", Subject: "United Kingdom",
			Throws: []events.Throw{{Name: "major industrial complex", Side: "Germany", Dice: 2, Sides: 6}}})
	g.Add("Germany",
		&events.DiceRolled{Declared: declared, Throw: "major industrial complex", Dice: []int{1 + luck%6, 2}})
	g.Add("Germany", &events.ResultAdjudicated{
		Procedure: "g40.sbr", Subject: "United Kingdom", Attacker: "Germany", Defender: "UK", Declared: declared,
		Figures: []events.Figure{{Name: "interceptors lost", Value: luck % 2},
			{Name: "attackers lost in the air battle", Value: 1},
			{Name: "damage to the major industrial complex", Value: 3 + luck%6}},
	})
	hit := &events.FacilityDamaged{
		Territory: "United Kingdom", Facility: "major_ic", Victim: "UK", Attacker: "Germany", Cause: "bombing raid",
		Rolled: 3 + luck%6, Limit: 20, Damage: 3 + luck%6, Declared: declared,
	}
	raid := g.Add("Germany", hit)
	if r%2 == 0 {
		g.Add("Germany", &events.FacilityDamaged{
			Territory: "Malta", Facility: "air_base", Victim: "UK", Attacker: "Germany", Cause: "rockets",
			From: "Southern Italy", Distance: 2, Rolled: 4, Before: 3, Limit: 6, Damage: 3,
		})
	}
	g.Add("UK", &events.ResultAdjudicated{
		Procedure: "g40.aa-fire", Subject: "Egypt", Attacker: "Germany", Defender: "UK",
		Figures: []events.Figure{{Name: "dice", Value: 3}, {Name: "hits", Value: luck % 3},
			{Name: "air units left", Value: 3 - luck%3}},
	})
	g.hand["Germany"] += 35
	g.Add("Germany",
		&events.IncomeCollected{Power: "Germany", Base: 30, Board: 30, Bonus: 5, Net: 35, Treasury: g.hand["Germany"]})
	if luck%3 == 0 {
		g.Add("", &events.Corrected{Event: raid, Code: "mistyped", Reason: "a bomber had been shot down"})
		hit.Rolled, hit.Damage = hit.Rolled-1, hit.Damage-1
		g.Correct(raid, "Germany", hit)
	}
}

// united is the turn of the United Kingdom: it researches from both treasuries, repairs, builds, and
// collects for each what the raiders leave.
func (g *economy) united(r int) {
	if r%2 == 1 {
		a, left := g.pay("UK Europe", 3)
		b, rest := g.pay("UK Pacific", 2)
		g.Add("UK", &events.ResearchPaid{Power: "UK", Cost: a + b,
			Payments: []events.Payment{{Treasury: "UK Europe", Paid: a, Left: left},
				{Treasury: "UK Pacific", Paid: b, Left: rest}}})
	}
	cost, left := g.pay("UK Europe", 4)
	repaired := g.Add("UK",
		&events.FacilitiesRepaired{Power: "UK Europe", Cost: cost, Treasury: left, Repairs: []events.Repair{
			{Territory: "United Kingdom", Facility: "major_ic", Damage: 3, Left: r % 4},
			{Territory: "Malta", Facility: "air_base", Damage: 1, Left: 2},
		}})
	cost, left = g.pay("UK Pacific", 12)
	built := &events.FacilityBuilt{Power: "UK Pacific", Territory: "India", Facility: "minor_ic", Cost: cost,
		Treasury: left}
	if r%2 == 0 {
		built.Facility, built.Was = "major_ic", "minor_ic"
	}
	g.Add("UK", built)
	g.Add("UK", &events.FacilityBuilt{Power: "UK Europe", Territory: "Egypt", Facility: "naval_base",
		Treasury: g.hand["UK Europe"]})
	g.disrupt("UK Europe", "109 Sea Zone", "United Kingdom", 4, 6,
		[]events.Raid{{Power: "Germany", Unit: "submarine", Count: 2, Each: 2},
			{Power: "Italy", Unit: "cruiser", Count: 1, Each: 1}})
	g.disrupt("UK Europe", "109 Sea Zone", "Scotland", 1, 2,
		[]events.Raid{{Power: "Germany", Unit: "submarine", Count: 2, Each: 2},
			{Power: "Italy", Unit: "cruiser", Count: 1, Each: 1}})
	at := g.earn("UK Europe", 25, 5, 5)
	g.disrupt("UK Pacific", "39 Sea Zone", "India", 2, 3,
		[]events.Raid{{Power: "Japan", Unit: "submarine", Count: 1, Each: 2}})
	g.earn("UK Pacific", 14, 0, 2)
	if (g.number+r)%2 == 0 {
		g.Add("", &events.Corrected{Event: at, Code: "forgotten", Reason: "an objective was met"})
		x := &events.IncomeCollected{Power: "UK Europe", Base: 25, Board: 25, Bonus: 10, Damage: 5, Net: 30,
			Treasury: g.hand["UK Europe"] + 5}
		g.hand["UK Europe"] += 5
		g.Correct(at, "UK", x)
		g.Add("", &events.Corrected{Event: repaired, Code: "mistyped", Reason: "one point less was repaired"})
		g.hand["UK Europe"]++
		g.Correct(repaired, "UK",
			&events.FacilitiesRepaired{Power: "UK Europe", Cost: 3, Treasury: left,
				Repairs: []events.Repair{{Territory: "United Kingdom", Facility: "major_ic", Damage: 3, Left: r % 4}}})
	}
}

func (g *economy) disrupt(victim, zone, territory string, damage, worth int, raiders []events.Raid) {
	potential := 0
	for _, r := range raiders {
		potential += r.Count * r.Each
	}
	g.Add("UK", &events.ConvoyDisrupted{Victim: victim, Territory: territory, Zone: zone, Raiders: raiders,
		Potential: potential, Damage: damage, Worth: worth})
}

func (g *economy) earn(treasury string, base, bonus, damage int) uint64 {
	net := base + bonus - damage
	g.hand[treasury] += net
	return g.Add("UK",
		&events.IncomeCollected{Power: treasury, Base: base, Board: base, Bonus: bonus, Damage: damage, Net: net,
			Treasury: g.hand[treasury]})
}

// capital falls to Japan with its money, and is liberated.
func (g *economy) capital(r int) {
	loot := g.hand["UK Pacific"]
	g.hand["UK Pacific"] = 0
	g.hand["Japan"] += loot
	taken := &events.TerritoryCaptured{
		Territory: "India", By: "Japan", From: "UK", Holder: "Japan", Was: "major_ic", Complex: "minor_ic",
		Capital: "UK Pacific", LootFrom: "UK Pacific", LootTo: "Japan", Loot: loot,
	}
	g.Add("Japan", taken)
	g.Add("US", &events.TerritoryCaptured{Territory: "India", By: "US", From: "Japan", Holder: "UK", Was: "minor_ic",
		Complex: "minor_ic"})
	g.Add("", &events.FactReported{Fact: "treasury", Subject: "UK Pacific", Number: r})
	g.hand["UK Pacific"] = r
}
