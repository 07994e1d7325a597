package recordtest

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// economy writes a campaign about money; hand is what each power has, so that the events state
// what they would in play.
type economy struct {
	*Campaign
	number int
	hand   map[string]int
}

var powers = []string{"Germany", "UK", "Japan", "US"}

// Convoys writes a campaign of so many rounds in which everything happens that the views of money
// show: submarines reported, raids within and over the caps, typed bases, purchases, bombing and
// rockets, treasuries reported, corrections. The number distinguishes campaigns.
func Convoys(number, rounds int) *Campaign {
	g := economy{Begin(number), number, map[string]int{"Germany": 40, "UK": 30, "Japan": 30, "US": 42}}
	opened := events.CampaignOpened{
		Name: fmt.Sprintf("convoys %d", number), System: "aar", Dice: "attested", Sides: powers,
		Board: events.Board{Title: "Test Map", Hash: events.Hash{7},
			Files: []events.BoardFile{{Name: "map.xml", Hash: events.Hash{8}}}},
	}
	for _, p := range powers {
		opened.Treasuries = append(opened.Treasuries, events.Treasury{Power: p, IPCs: g.hand[p]})
	}
	g.Add("", &opened)
	g.Add("", &events.SeatTaken{Seat: "umpire", Role: "umpire"})
	for r := 1; r <= rounds; r++ {
		g.round(r)
	}
	return g.Campaign
}

func (g *economy) round(r int) {
	g.Turn(uint64(r), fmt.Sprintf("Round %d", r))
	for i, p := range powers {
		luck := g.number + r*3 + i
		g.Add("", &events.PhaseAdvanced{Phase: "purchase units", Player: p})
		bought := g.buy(p, 3+luck%4)
		g.Add("", &events.PhaseAdvanced{Phase: "combat", Player: p})
		if p == "Germany" {
			g.wage(r, luck)
		}
		g.Add("", &events.PhaseAdvanced{Phase: "collect income", Player: p})
		g.collect(p, 24+luck%9, r, luck)
		if luck%5 == 0 {
			g.returnOne(p, bought)
		}
	}
	if r%4 == 3 {
		g.hand["Japan"] += 5 // a house rule's bonus
		g.Add("Japan", &events.FactReported{Fact: "treasury", Subject: "Japan", Number: g.hand["Japan"]})
	}
}

func (g *economy) buy(p string, infantry int) uint64 {
	infantry = min(infantry, g.hand[p]/3)
	g.hand[p] -= 3 * infantry
	return g.Add(p, &events.UnitsPurchased{
		Power: p, Cost: 3 * infantry, Units: []events.Unit{{Name: "infantry", Count: infantry}}, Treasury: g.hand[p],
	})
}

// returnOne corrects a purchase to one unit less.
func (g *economy) returnOne(p string, bought uint64) {
	var x events.UnitsPurchased
	if !g.Events[bought].Read(&x) || x.Cost == 0 {
		return
	}
	g.Add("", &events.Corrected{Event: bought, Code: "mistyped", Reason: "one less was bought"})
	x.Cost, x.Units[0].Count, x.Treasury = x.Cost-3, x.Units[0].Count-1, x.Treasury+3
	g.hand[p] += 3
	g.Correct(bought, p, &x)
}

// wage is Germany's turn: submarines move, London is bombed to the limit.
func (g *economy) wage(r, luck int) {
	g.Add("Germany", &events.SubmarinesReported{Power: "Germany", Submarines: []events.Submarine{
		{Name: "8 Sea Zone #1", Zone: "8 Sea Zone"}, {Name: "9 Sea Zone #1", Zone: "9 Sea Zone"},
		{Name: "U-47", Zone: fmt.Sprintf("%d Sea Zone", 1+r%12)},
	}})
	before := 0
	for _, kind := range []string{"sbr", "rockets"} {
		rolled := 3 + luck%15
		damage := min(rolled, 16-before)
		g.Add("Germany", &events.EconomicAttackMade{
			Kind: kind, Attacker: "Germany", Victim: "UK", Territory: "United Kingdom", Rolled: rolled, Before: before,
			Limit: 16, Damage: damage,
		})
		before += damage
		g.hand["UK"] = max(0, g.hand["UK"]-damage)
	}
}

// collect collects the income of a power, raided by Germany unless it is of its own side, and
// corrects it now and then.
func (g *economy) collect(p string, base, r, luck int) {
	damage := 0
	if p == "UK" || p == "US" {
		damage = 3
		g.Add(p, &events.ConvoyRaided{
			Victim: p, Territory: p, Submarine: "9 Sea Zone #1", Owner: "Germany", Zone: "9 Sea Zone", Distance: 1,
			Reach: 2, Damage: 2,
		})
		g.Add(p, &events.ConvoyRaided{
			Victim: p, Territory: p, Submarine: "U-47", Owner: "Germany", Zone: fmt.Sprintf("%d Sea Zone", 1+r%12),
			Distance: 1, Reach: 2, Damage: 1, Cap: "AAR-4-CAP", Limit: 3, Declared: luck%2 == 0,
		})
	}
	x := &events.IncomeCollected{Power: p, Base: base, Board: base - luck%2, Typed: luck%2 == 1, Damage: damage,
		Net: base - damage}
	g.hand[p] += x.Net
	x.Treasury = g.hand[p]
	at := g.Add(p, x)
	if luck%4 == 0 {
		g.Add("", &events.Corrected{Event: at, Code: "mistyped", Reason: "a territory was overlooked"})
		x.Base, x.Board, x.Net, x.Treasury = x.Base+1, x.Board+1, x.Net+1, x.Treasury+1
		g.hand[p]++
		g.Correct(at, p, x)
	}
}
