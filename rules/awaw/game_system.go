package awaw

import (
	"crypto/sha256"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// System is A World at War as a system of rules.
func System() rules.System {
	return rules.System{
		Name: "awaw", Title: "A World at War", Sides: factionTitles(), Editions: Editions(), Verbs: Verbs(), Views: []string{"pools", "strategic"},
		New: func([]rules.BoardFile) (rules.Game, error) { return newGame(), nil }, Open: openCampaign, Table: Table,
	}
}

// SideOf gives the side that plays for a power, as turn files take it too: Germany and Italy
// are the European Axis. Powers that share no side's cards, or bear a side's own name, have none.
func SideOf(power string) (side string, ok bool) {
	p, known := powerNamed(power)
	if !known || p.player() != EuropeanAxis.Title() {
		return "", false
	}
	return EuropeanAxis.Title(), true
}

// Editions gives the editions, the newest last. The hash of an edition covers its name, every
// printed table to the byte, and every option with its readings, the default first.
func Editions() []rules.Edition { return []rules.Edition{{Name: "1", Hash: editionHash("1")}} }

func editionHash(name string) events.Hash {
	d := sha256.New()
	fmt.Fprintf(d, "watu/edition/v1\nawaw\n%s\n", name)
	for _, table := range []string{TableStrategicWarfare, TablePearlHarbor, TableHarborAttack, TableInitialPools, TableCVEs} {
		text, err := tableText(table)
		if err != nil {
			panic(err) // the tables are part of the program
		}
		fmt.Fprintf(d, "table %s %d\n%s\n", table, len(text), text)
	}
	fmt.Fprint(d, OptionList().Edition())
	var h events.Hash
	d.Sum(h[:0])
	return h
}

// openCampaign writes every option with its value, and the initial pools, into the first
// event. The value "ask" puts an option to the umpire when it first matters.
func openCampaign(e rules.Edition, options map[string]string, board []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
	chosen, f := OptionList().Choose(options)
	if len(board) > 0 {
		f.ViolateField("board", rules.Input, "A World at War has no board file: what stands on the board is reported as facts")
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
