package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// System is Axis & Allies Global 1940 as a system of rules. A campaign is played on a board.
func System() rules.System {
	return rules.System{
		Name: "g40", Title: "Axis & Allies Global 1940", Sides: sides(), Editions: Editions(), Options: OptionList(),
		Verbs: verbs.Verbs(), Views: []string{"income", "strategic", "situation"}, Boards: true,
		New: newGame, Open: openCampaign, Survey: survey,
		Table: tables.Named, Procedures: Procedures(),
		Revision: 2, StrategicTitle: "Hunts, losses and further results",
		Earnings: func(g rules.Game, treasury string) []rules.Earning {
			now := g.(game)
			return axisallies.EarningsOf(now.territories(now.purse(treasury)))
		},
		Types: []events.Type{
			"aircraft_landed", "aircraft_scrambled", "attack_declared", "convoy_disrupted",
			"facilities_repaired", "facilities_reported", "facility_built", "facility_damaged",
			"fighters_intercepted", "income_collected", "raid_declared", "research_paid", "strikes_declared",
			"territory_captured", "transports_unloaded", "units_lost", "units_mobilized", "units_purchased",
			"units_reported",
		},
	}
}

func sides() []string {
	return rules.Each(powers(), func(p Power) string { return string(p) })
}

// newGame gives the state before the first event; without a board it can apply events alone.
func newGame(files []rules.BoardFile) (rules.Game, error) {
	s, err := axisallies.New(files, phases())
	return game{State: s}, err
}

// openCampaign writes the board, its powers, their treasuries and the options into the first event.
// The United Kingdom is one power with two treasuries, also where the board has two players for it
// (G40-UK-COLLECT).
func openCampaign(e rules.Edition, options map[string]string,
	files []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
	p, used, f := axisallies.Open("g40", playing(files), OptionList(), e, options, files)
	p.Sides = slices.DeleteFunc(p.Sides, isPacific)
	united := game{State: axisallies.State{Powers: p.Sides}}.united()
	at := slices.IndexFunc(p.Treasuries, func(t events.Treasury) bool { return t.Power == united })
	if united == "" || at < 0 {
		return p, used, f
	}
	pacific := events.Treasury{Power: Pacific.title()}
	if i := slices.IndexFunc(p.Treasuries, func(t events.Treasury) bool { return isPacific(t.Power) }); i >= 0 {
		pacific.IPCs = p.Treasuries[i].IPCs
		p.Treasuries = slices.Delete(p.Treasuries, i, i+1)
		at = slices.IndexFunc(p.Treasuries, func(t events.Treasury) bool { return t.Power == united })
	}
	p.Treasuries[at].Power = Europe.title()
	p.Treasuries = slices.Insert(p.Treasuries, at+1, pacific)
	return p, used, f
}

// playing are the powers of a board that play by these rules, as the table calls them.
func playing(files []rules.BoardFile) []string {
	b, err := axisallies.ReadBoard(files)
	if err != nil {
		return sides() // whoever opens the board says what is wrong with it
	}
	var list []string
	for _, p := range b.Powers() {
		name := b.TablePower(p.Name)
		if _, ok := PowerNamed(name); ok || isPacific(name) {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return sides()
	}
	return list
}
