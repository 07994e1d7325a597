package awaw

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// System is A World at War as a system of rules.
func System() rules.System {
	return rules.System{
		Name: "awaw", Title: "A World at War", Sides: factionTitles(), Editions: Editions(), Options: OptionList(),
		Verbs: verbs.Verbs(), Views: []string{"pools", "strategic"},
		New: func([]rules.BoardFile) (rules.Game, error) { return newGame(), nil }, Open: openCampaign,
		Table:      tables.Named,
		Procedures: Procedures(),
		Revision:   2, StrategicTitle: "Strategic warfare", SideNamed: SideOf,
		Lagging: []events.Type{"result_adjudicated"}, // the boxes fought in this turn
		Types: []events.Type{
			"card_added", "card_negated", "card_played", "cards_drawn", "cards_returned", "contest_opened",
			"contest_settled", "draw_declared", "passed", "play_committed", "research_allocated",
			"result_produced", "war_declared",
		},
	}
}

// SideOf gives the side that plays for a power, or that goes by another name, as turn files take it too: Germany and
// Italy are the European Axis, US is the United States. Powers that share no side's cards, or bear a side's own name,
// have none.
func SideOf(power string) (side string, ok bool) {
	if f, other := factionNamed(power); other && words.Plain(f.Title()) != words.Plain(power) {
		return f.Title(), true
	}
	p, known := powerNamed(power)
	if !known || p.player() != EuropeanAxis.Title() {
		return "", false
	}
	return EuropeanAxis.Title(), true
}

// Editions gives the editions of the rules.
func Editions() []rules.Edition {
	return rules.LoadEditions("awaw", files, OptionList(), "5", "4", "3", "2", "1")
}

// openCampaign writes every option with its value, and the initial pools, into the first
// event. The value "ask" puts an option to the umpire when it first matters.
func openCampaign(e rules.Edition, options map[string]string,
	board []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
	chosen, f := OptionList().Choose(e, options)
	if len(board) > 0 {
		f.ViolateField("board", rules.Input,
			"A World at War has no board file: what stands on the board is reported as facts")
	}
	p := &events.CampaignOpened{System: "awaw", Edition: e.Name, Dice: "chain", Sides: factionTitles(), Options: chosen}
	for _, faction := range Factions() {
		pool := events.Pool{Side: faction.Title(), Deck: faction.Deck().Name()}
		for _, c := range Cards() {
			if n := InitialPool(faction).Count(c); n > 0 {
				pool.Cards = append(pool.Cards, events.Count{Card: string(c), Count: n})
			}
		}
		p.Pools = append(p.Pools, pool)
	}
	return p, nil, f
}
