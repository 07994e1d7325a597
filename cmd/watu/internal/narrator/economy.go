package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// tellEconomy tells what concerns money: damage to income, income, purchases.
func tellEconomy(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.SubmarinesReported:
		return tellSubmarines(p)
	case *events.EconomicAttackMade:
		return tellAttack(p)
	case *events.ConvoyRaided:
		return tellRaid(p)
	case *events.IncomeCollected:
		return tellIncome(p)
	case *events.UnitsPurchased:
		bought := "units"
		if len(p.Units) > 0 {
			bought = units(p.Units)
		}
		return fmt.Sprintf("%s buys %s for %s; %s in hand.", p.Power, bought, ipcs(p.Cost), ipcs(p.Treasury))
	}
	return ""
}

// tellSubmarines counts the submarines of each sea zone, in the order reported.
func tellSubmarines(p *events.SubmarinesReported) string {
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

func tellAttack(p *events.EconomicAttackMade) string {
	kind := map[string]string{"sbr": "bombs", "rockets": "fires rockets at"}[p.Kind]
	if kind == "" {
		kind = "attacks the economy of"
	}
	said := fmt.Sprintf("%s %s %s (%s): %d rolled, %s damage", p.Attacker, kind, p.Territory, p.Victim, p.Rolled,
		ipcs(p.Damage))
	if p.Damage != p.Rolled {
		said += fmt.Sprintf(" (it takes %d a turn", p.Limit)
		if p.Before != 0 {
			said += fmt.Sprintf(", and has taken %d", p.Before)
		}
		said += ")"
	}
	return said + "."
}

func tellRaid(p *events.ConvoyRaided) string {
	away := "adjacent"
	if p.Distance != 1 {
		away = fmt.Sprintf("%d sea zones away", p.Distance)
	}
	said := fmt.Sprintf("Submarine %s of %s, in %s, %s, raids %s (%s): %s", p.Submarine, p.Owner, p.Zone, away,
		p.Territory, p.Victim, ipcs(p.Damage))
	if p.Damage != p.Reach {
		said += fmt.Sprintf(" of the %d in its reach", p.Reach)
	}
	if p.Cap != "" {
		said += fmt.Sprintf(", for %s leaves no more (limit %d)", p.Cap, p.Limit)
	}
	if p.Declared {
		said += "; the raider chose it"
	}
	return said + "."
}

// tellIncome warns where a base was given that is not what the board comes to.
func tellIncome(p *events.IncomeCollected) string {
	said := fmt.Sprintf("%s collects %s: %d", p.Power, ipcs(p.Net), p.Base)
	if p.Bonus != 0 {
		said += fmt.Sprintf(" and %d of objectives", p.Bonus)
	}
	if p.Damage != 0 {
		said += fmt.Sprintf(" less %d of damage", p.Damage)
	} else {
		said += ", without damage"
	}
	said += fmt.Sprintf("; %s in hand.", ipcs(p.Treasury))
	switch {
	case p.Typed && p.Base != p.Board:
		said += fmt.Sprintf(" Warning: the base of %d was typed in, and its territories on the board come to %d.",
			p.Base, p.Board)
	case p.Typed:
		said += " The base was typed in, and is the board's."
	}
	return said
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
