package awaw

import (
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// firstProductionYear is when cards may first be added (48.21-C).
const firstProductionYear = 1940

// ProductionInput asks for one codebreaking result and the card that it adds. A nil pool is
// the initial one; ResearchPoints are those in this project.
type ProductionInput struct {
	Faction               Faction `json:"faction"`
	Year                  int     `json:"year"`
	Breakthroughs         int     `json:"general_intelligence_breakthroughs"`
	ResearchPoints        int     `json:"research_points"`
	ResultsThisYear       int     `json:"results_this_year"`
	OtherProjectTriggered bool    `json:"other_project_triggered_this_turn"`
	Pool                  *Pool   `json:"pool"`
	Card                  Card    `json:"card"`
	Options               Options `json:"options"`
}

// ProductionOutcome is the pool with the card added. The type of the card is never announced
// (48.241-B).
type ProductionOutcome struct {
	Deck               Deck `json:"deck"`
	Cost               int  `json:"cost"` // in RPs, 1 to 3
	ResearchPointsLeft int  `json:"research_points_left"`
	Pool               Pool `json:"pool"`
	PoolSize           int  `json:"pool_size"`
	CardTypeAnnounced  bool `json:"card_type_announced"`
}

func (in ProductionInput) pool() Pool {
	if in.Pool == nil {
		return InitialPool(in.Faction)
	}
	return *in.Pool
}

// ResultCost is the price of one result in RPs: 3, or 2 after one breakthrough in general
// intelligence research, or 1 after more (48.11-B).
func ResultCost(breakthroughs int) int { return max(1, 3-max(0, breakthroughs)) }

// CheckProduction finds what forbids the result: year, theater limit, RPs, the Western
// Allies' other project, an unlawful pool, and the choice of card.
func CheckProduction(in ProductionInput) rules.Findings {
	f := checkYear(in.Year)
	f.Add(checkCost(in.Breakthroughs, in.ResearchPoints))
	f.Add(checkLimits(in.Faction, in.ResultsThisYear > 0, in.OtherProjectTriggered))
	f.Add(CheckPool(in.Faction, in.pool(), in.Options))
	f.Add(CheckSelection(in.Faction, in.pool(), in.Card, in.Options))
	return f
}

func checkYear(year int) (f rules.Findings) {
	if year < firstProductionYear {
		f.ViolateField("year", "AWAW-48.21-C", "cards are added from %d on, not in %d", firstProductionYear, year)
	}
	return f
}

func checkCost(breakthroughs, points int) (f rules.Findings) {
	if cost := ResultCost(breakthroughs); points < cost {
		f.ViolateField("research_points", "AWAW-48.11-B", "a result costs %s after %s; the project has %d",
			words.Count(cost, "RP"), words.Count(breakthroughs, "breakthrough"), points)
	}
	return f
}

// checkLimits holds a result to the limits of its year and turn.
func checkLimits(faction Faction, thisYear, otherTriggered bool) (f rules.Findings) {
	if thisYear { // its own (AMB-AWAW-21)
		f.ViolateField("results_this_year", "AWAW-48.11-C",
			"%s had its codebreaking result of the year in this theater", faction.Name())
	}
	// The others have one project only, so the question does not arise.
	if faction.WesternAllies() && otherTriggered {
		f.Violate("AWAW-48.15-B",
			"the Western Allies trigger Ultra and Magic in different turns; the other one was triggered this turn")
	}
	return f
}

// CheckSelection finds what forbids adding a card of the chosen type to the pool (48.242).
func CheckSelection(faction Faction, pool Pool, c Card, o Options) rules.Findings {
	var f rules.Findings
	if Prohibited(faction, c) { // 48.242-A, 48.242-B, 48.242-C; 48.23-B, 48.23-C, 48.23-D; 48.22-A, 48.22-B, 48.22-E
		f.ViolateField("card", selectionRule(c), "%s may not select %s", faction.Name(), c.one())
		f.ViolateField("card", prohibitionRule(faction), "%s may never have %s", faction.Name(), c.one())
		f.ViolateField("card", c.rule(), "%s has no %s cards", faction.Name(), c.Name())
		return f
	}
	if c == Wild {
		f.ViolateField("card", "AWAW-48.242-C", "nobody selects a wild card; the American pool keeps its one")
		f.ViolateField("card", c.rule(), "there is one wild card, and the American pool has it")
		return f
	}
	if c == Blank && o.BlankCards != "allowed" { // AMB-AWAW-1
		f.ViolateField("card", "AWAW-48.242-D",
			"a blank may not be added: the pool holds %d blanks, the limit is %d of a type", pool.Blank, typeLimit)
		return f
	}
	if limit, limited := typeMaximum(faction, c, o); limited && pool.Count(c) >= limit {
		f.ViolateField("card", "AWAW-48.242-D", "the pool holds %s; %d of a type is the limit",
			c.several(pool.Count(c)), limit)
	}
	return f
}

// Produce rules on one codebreaking result (48.11, 48.15, 48.24). Its derivation states what
// is secret in play: the RPs and the type of the card.
func Produce(in ProductionInput) (ProductionOutcome, rules.Findings) {
	f := CheckProduction(in)
	if f.Refused() {
		return ProductionOutcome{}, f
	}
	cost := ResultCost(in.Breakthroughs)
	pool := in.pool().With(in.Card, 1)
	out := ProductionOutcome{
		Deck:               in.Faction.Deck(),
		Cost:               cost,
		ResearchPointsLeft: in.ResearchPoints - cost,
		Pool:               pool,
		PoolSize:           pool.Size(),
	}
	if in.Pool == nil {
		consultInitial(&f, in.Faction, Cards()...)
		f.Cite("AWAW-48.23-A", "no card was added before: the pool is the initial one of %d cards", out.PoolSize-1)
	} else {
		consultInitial(&f, in.Faction, in.Card)
	}
	f.Cite("AWAW-48.11-B", "after %s in general intelligence a result costs %s: %d of %d stay",
		words.Count(in.Breakthroughs, "breakthrough"), words.Count(cost, "RP"), out.ResearchPointsLeft,
		in.ResearchPoints)
	f.Cite("AWAW-48.11-C", "it is the first result of %d in this theater", in.Year)
	if in.Faction.WesternAllies() {
		f.Cite("AWAW-48.15-A", "the RPs are those of %s; those of the other project pay nothing here", out.Deck.Name())
		f.Cite("AWAW-48.15-B", "the other project was not triggered this turn")
	}
	f.Cite("AWAW-48.241-A", "%s joins the %s pool, which grows from %d to %d cards", in.Card.one(), out.Deck.Name(),
		out.PoolSize-1, out.PoolSize)
	f.Cite("AWAW-48.242-D", "the pool now holds %d of that type", pool.Count(in.Card))
	f.Cite("AWAW-48.241-B", "the type is not announced")
	f.Cite("AWAW-48.11-D", "the result is announced ahead of the draw, so the card is in the pool of this turn's draw")
	return out, f
}
