package narrator

import (
	"cmp"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// economyText says what concerns money: damage to income, income, purchases.
func economyText(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.SubmarinesReported:
		return submarinesText(p)
	case *events.EconomicAttackMade:
		return attackText(p)
	case *events.ConvoyRaided:
		return raidText(p)
	case *events.IncomeCollected:
		return incomeText(p)
	case *events.UnitsPurchased:
		bought := "units"
		if len(p.Units) > 0 {
			bought = units(p.Units)
		}
		return fmt.Sprintf("%s buys %s for %s; %s in hand.", p.Power, bought, ipcs(p.Cost), ipcs(p.Treasury))
	}
	return ""
}

// submarinesText counts the submarines of each sea zone, in the order reported.
func submarinesText(p *events.SubmarinesReported) string {
	var zones, parts []string
	count := map[string]int{}
	for _, s := range p.Submarines {
		if count[s.Zone]++; count[s.Zone] == 1 {
			zones = append(zones, s.Zone)
		}
	}
	for _, zone := range zones {
		parts = append(parts, fmt.Sprintf("%d in %s", count[zone], zone))
	}
	return fmt.Sprintf("Reported: submarines of %s: %s.", p.Power, and(parts))
}

func attackText(p *events.EconomicAttackMade) string {
	kind := cmp.Or(map[string]string{"sbr": "bombs", "rockets": "fires rockets at"}[p.Kind], "attacks the economy of")
	text := fmt.Sprintf("%s %s %s (%s): %d rolled, %s damage", p.Attacker, kind, p.Territory, p.Victim, p.Rolled,
		ipcs(p.Damage))
	if p.Damage != p.Rolled {
		text += fmt.Sprintf(" (at most %d a turn", p.Limit)
		if p.Before != 0 {
			text += fmt.Sprintf(", %d of them before", p.Before)
		}
		text += ")"
	}
	return text + "."
}

func raidText(p *events.ConvoyRaided) string {
	away := "next to it"
	if p.Distance != 1 {
		away = fmt.Sprintf("%d sea zones away", p.Distance)
	}
	text := fmt.Sprintf("%s of %s in %s raids %s (%s), %s: %s", words.Sentence(boat(p.Submarine)), p.Owner, p.Zone,
		p.Territory, p.Victim, away, ipcs(p.Damage))
	if p.Damage != p.Reach {
		text += fmt.Sprintf(" of the %d in its reach", p.Reach)
	}
	if p.Cap != "" {
		text += fmt.Sprintf("; the limit is %d (%s)", p.Limit, p.Cap)
	}
	if p.Declared {
		text += "; the raider chose it"
	}
	return text + "."
}

// incomeText warns where a base was given that is not what the board comes to.
func incomeText(p *events.IncomeCollected) string {
	text := fmt.Sprintf("%s collects %s: %d", p.Power, ipcs(p.Net), p.Base)
	if p.Bonus != 0 {
		text += fmt.Sprintf(" and %d of objectives", p.Bonus)
	}
	if p.Damage != 0 {
		text += fmt.Sprintf(" less %d lost", p.Damage)
	} else {
		text += ", none lost"
	}
	text += fmt.Sprintf("; %s in hand.", ipcs(p.Treasury))
	switch {
	case p.Typed && p.Base != p.Board:
		text += fmt.Sprintf(" Warning: the base of %d was typed in, and its territories on the board come to %d.",
			p.Base, p.Board)
	case p.Typed:
		text += " The base was typed in, and is the board's."
	}
	return text
}

// ipcs is "1 IPC", "-2 IPCs".
func ipcs(n int) string {
	if n == 1 {
		return "1 IPC"
	}
	return fmt.Sprintf("%d IPCs", n)
}

// Movement is what a movement of a treasury is called, which package income names.
func Movement(what string) string {
	if words, ok := movements[what]; ok {
		return words
	}
	return what // a word already: "income"
}

var movements = map[string]string{
	"opening": "at the opening", "reported": "as the umpire reported it", "repair": "repairs", "facility": "a facility",
	"loot": "taken with a capital", "sbr": "bombing",
}
