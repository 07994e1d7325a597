package recordtest

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

type side struct{ name, deck string }

var sides = []side{{"European Axis", "Ultra"}, {"Britain", "Ultra"}, {"Japan", "Magic"}, {"United States", "Magic"}}

// War writes a campaign of so many turns, in which everything happens that the views show:
// cards added and drawn, played, negated and returned, secret plays disclosed, all three boxes,
// corrections, harbor attacks and Pearl Harbor. The number distinguishes wars.
func War(number, turns int) *Campaign {
	c := Begin(number)
	c.Add("", &events.CampaignOpened{
		Name: fmt.Sprintf("war %d", number), System: "awaw", Dice: "chain",
		Sides: []string{"European Axis", "Britain", "Japan", "United States"},
		Pools: []events.Pool{
			{Side: "European Axis", Deck: "Ultra",
				Cards: counts("submarine", 1, "tactical", 1, "strategic", 1, "blank", 5)},
			{Side: "Britain", Deck: "Ultra", Cards: counts("ASW", 1, "tactical", 1, "strategic", 1, "blank", 5)},
			{Side: "Japan", Deck: "Magic",
				Cards: counts("submarine", 1, "ASW", 0, "tactical", 1, "strategic", 0, "blank", 6)},
			{Side: "United States", Deck: "Magic",
				Cards: counts("submarine", 1, "ASW", 1, "tactical", 1, "strategic", 1, "wild", 1, "blank", 3)},
		},
	})
	c.Add("", &events.SeatTaken{Seat: "umpire", Role: "umpire"})
	for t := 1; t <= turns; t++ {
		c.playTurn(number, t)
	}
	return c
}

func counts(pairs ...any) []events.Count {
	var list []events.Count
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, events.Count{Card: pairs[i].(string), Count: pairs[i+1].(int)})
	}
	return list
}

func (c *Campaign) playTurn(number, t int) {
	seasons := []string{"Winter", "Spring", "Summer", "Fall"}
	c.Turn(uint64(t), fmt.Sprintf("%s %d", seasons[t%4], 1939+t/4))
	c.Add("", &events.PhaseAdvanced{Phase: "research"})
	if s := sides[(t+number)%4]; t%3 == 1 && t <= 48 { // a pool holds no more than three cards of a type
		c.Add(s.name, &events.ResultProduced{Project: s.deck, Year: 1939 + t/4}, "cost", "3")
		c.Add(s.name, &events.CardAdded{Deck: s.deck, PoolSize: 9}, "card", []string{"tactical", "strategic"}[t%2])
	}
	draws := map[string]uint64{}
	for i, s := range sides {
		c.Add(s.name, &events.DrawDeclared{Deck: s.deck, Count: 4, PoolSize: 8})
		draws[s.name] = c.Add(s.name, &events.CardsDrawn{Deck: s.deck, Count: 4, Declared: c.Index()},
			s.name+" 1", "strategic", s.name+" 2", hunter(i), s.name+" 3", "blank", s.name+" 4", "tactical")
	}
	c.Add("", &events.PhaseAdvanced{Phase: "combat", Player: "European Axis"})
	c.box(sides[0], sides[1], "Atlantic", draws, 8+t%5, 34, number+t)
	c.box(sides[2], sides[3], "Indian Ocean", draws, 3, 4, number+t+1)
	c.box(sides[3], sides[2], "Pacific", nil, 6+t%3, 5, number+t+2)
	switch t % 4 {
	case 0:
		c.surprise(draws)
	case 2:
		c.Add("Japan", &events.ResultAdjudicated{
			Procedure: "awaw.harbor-attack", Subject: "Truk", Attacker: "United States", Defender: "Japan",
			Modifiers: []events.Modifier{{Name: "tactical lead", Value: 1, Rule: "AWAW-48.51-C"}}, Net: 1,
			Readings: []events.Reading{{Name: "Yamato", Table: "harbor attack", Dice: []int{3, 4, t%6 + 1},
				Total: 8 + t%6, Modified: 9 + t%6, Column: "9", Result: "3"}},
		})
	}
	for _, s := range sides {
		c.Add(s.name, &events.CardsReturned{Deck: s.deck, Count: 4})
	}
}

// hunter is the second card that a side draws.
func hunter(i int) string { return []string{"submarine", "ASW", "submarine", "wild"}[i] }

// box resolves one box, with a contest of cards if draws are given, and corrects it now and then.
func (c *Campaign) box(acting, opposing side, box string, draws map[string]uint64, factors, asw, luck int) {
	var contest uint64
	if draws != nil {
		contest = c.contest(acting, opposing, box, draws)
	}
	declared := c.Add(acting.name, &events.RollDeclared{
		Purpose: "awaw.sw.submarine", Subject: box, Net: 1,
		Throws: []events.Throw{{Name: "submarines", Side: acting.name, Dice: 2, Sides: 6},
			{Name: "asw", Side: opposing.name, Dice: 2, Sides: 6}},
	})
	d := func(n int) int { return (luck*7+n*5)%6 + 1 }
	c.Add(acting.name, &events.DiceRolled{Declared: declared, Throw: "submarines", Dice: []int{d(0), d(1)}})
	c.Add(opposing.name, &events.DiceRolled{Declared: declared, Throw: "asw", Dice: []int{d(2), d(3)}})
	result := func(net int) *events.ResultAdjudicated {
		return &events.ResultAdjudicated{
			Procedure: "awaw.sw.submarine", Subject: box, Attacker: acting.name, Defender: opposing.name,
			Contest: contest, Net: net, Declared: declared,
			Modifiers: []events.Modifier{
				{Name: "French Atlantic ports", Value: net, Rule: "AWAW-SW-ATL-2"},
				{Name: "escort carriers", Value: -1, Rule: "AWAW-SW-ATL-1"},
				{Name: "Ultra", Value: 1, Rule: "AWAW-SW-ATL-8"},
			},
			Readings: []events.Reading{
				{Name: "submarines", Side: acting.name, Table: "24.62", Factors: factors, Dice: []int{d(0), d(1)},
					Total: d(0) + d(1), Modified: d(0) + d(1) + net, Column: "9", Rows: []int{factors}, First: 1,
					Second: 4 + luck%3, Result: "1/" + fmt.Sprint(4+luck%3)},
				{Name: "asw", Side: opposing.name, Table: "24.62", Factors: asw, Dice: []int{d(2), d(3)},
					Total: d(2) + d(3), Modified: d(2) + d(3) - net, Column: "5", Rows: []int{30, asw % 30}, First: 8,
					Second: 14, Result: "8/14"},
			},
		}
	}
	first := c.Add(acting.name, result(1))
	if luck%3 == 0 {
		c.Add("", &events.Corrected{Event: first, Code: "input", Reason: "a port was overlooked"})
		c.Correct(first, acting.name, result(2))
	}
}

// contest plays submarine against ASW and settles at no effect.
func (c *Campaign) contest(acting, opposing side, box string, draws map[string]uint64) uint64 {
	contest := c.Add(acting.name,
		&events.ContestOpened{Kind: "submarine warfare", Deck: acting.deck, Acting: acting.name,
			Opposing: opposing.name, Scope: []string{box}})
	play := func(s side, as string) uint64 {
		drawn := events.Ref{Index: draws[s.name], Slot: s.name + " 2"}
		return c.Disclose(s.name,
			&events.CardPlayed{Contest: contest, Deck: s.deck, Card: c.opening(drawn).Fact, As: as, Drawn: drawn},
			drawn)
	}
	as := ""
	if opposing.name == "United States" {
		as = "ASW"
	}
	first := play(acting, "")
	second := play(opposing, as)
	c.Add(acting.name, &events.CardNegated{Contest: contest, Card: "submarine", Played: first, By: second})
	c.Add(acting.name, &events.Passed{Contest: contest})
	c.Add("", &events.ContestSettled{
		Contest: contest, Kind: "submarine warfare", Acting: acting.name, Opposing: opposing.name,
		ActingCards: 1, OpposingCards: 1, Scope: []string{box},
	})
	return contest
}

// surprise plays a strategic card in secret at Pearl Harbor (AWAW-48.71-B), rolls, and discloses it.
func (c *Campaign) surprise(draws map[string]uint64) {
	contest := c.Add("Japan",
		&events.ContestOpened{Kind: "Pearl Harbor", Deck: "Magic", Acting: "Japan", Opposing: "United States"})
	hidden := c.Add("United States", &events.PlayCommitted{Contest: contest, Deck: "Magic"}, "american cards",
		`["strategic"]`)
	c.Disclose("United States",
		&events.Opened{Event: hidden, Slot: "american cards", Fact: `["strategic"]`, Reason: "51.31"},
		events.Ref{Index: hidden, Slot: "american cards"})
	drawn := events.Ref{Index: draws["United States"], Slot: "United States 1"}
	c.Disclose("United States", &events.CardPlayed{Contest: contest, Deck: "Magic", Card: "strategic", Drawn: drawn},
		drawn)
	c.Add("", &events.ContestSettled{Contest: contest, Kind: "Pearl Harbor", Acting: "Japan", Opposing: "United States",
		OpposingCards: 1, Advantage: "United States", Modifier: -1,
		Effects: []events.Figure{{Name: "tension", Value: 37}}})
	c.Add("Japan", &events.ResultAdjudicated{
		Procedure: "awaw.pearl-harbor.surprise", Subject: "Pearl Harbor", Attacker: "Japan", Defender: "United States",
		Contest: contest,
		Readings: []events.Reading{
			{Name: "Enterprise", Side: "United States", Table: "51.31", Dice: []int{4, 3}, Total: 7, Modified: 7,
				Column: "36-37", Result: "6"},
			{Name: "Lexington", Side: "United States", Table: "51.31", Dice: []int{1, 3}, Total: 4, Modified: 4,
				Column: "36-37", Result: "Pacific"},
		},
		Figures: []events.Figure{{Name: "surprise", Value: 6}},
	})
}
