package story

import (
	"strings"

	"github.com/watu-ledger/watu/events"
)

// paid says what comes in, and what it is spent on.
func paid(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.IncomeCollected:
		return incomeOf(p)
	case *events.UnitsPurchased:
		if units := pieces(p.Units); units != nil {
			return Sentence{"ev-buys", Parts{"side": Name(p.Power), "units": units, "n": ipcs(int64(p.Cost), 0),
				"left": ipcs(int64(p.Treasury), 0)}}
		}
	case *events.UnitsReported:
		return garrison(p)
	}
	return Sentence{}
}

// garrison says which units stand in a place.
func garrison(p *events.UnitsReported) Sentence {
	units, harmed := Part(pieces(p.Units)), pieces(p.Damaged)
	switch {
	case len(p.Units) == 0:
		units = Sentence{Key: "ev-none"}
	case len(pieces(p.Units)) == 0, len(p.Damaged) > 0 && harmed == nil:
		return Sentence{}
	}
	s := Sentence{"ev-units", Parts{"side": Name(p.Power), "place": Name(p.Space), "units": units}}
	if harmed != nil {
		return Sentence{"ev-units-damaged", Parts{"said": s, "units": harmed}}
	}
	return s
}

func incomeOf(p *events.IncomeCollected) Sentence {
	of := Sentence{"ev-base", Parts{"n": number(p.Base)}}
	if p.Bonus != 0 {
		of = Sentence{"ev-bonus", Parts{"said": of, "n": number(p.Bonus)}}
	}
	if p.Damage != 0 {
		of = Sentence{"ev-damaged", Parts{"said": of, "n": number(p.Damage)}}
	} else {
		of = Sentence{"ev-undamaged", Parts{"said": of}}
	}
	s := Sentence{"ev-collects", Parts{"side": Name(p.Power), "n": ipcs(int64(p.Net), 0), "made": of,
		"left": ipcs(int64(p.Treasury), 0)}}
	switch {
	case p.Typed && p.Base != p.Board:
		return Sentence{"ev-typed", Parts{"said": s, "n": number(p.Base), "board": number(p.Board)}}
	case p.Typed:
		return Sentence{"ev-typed-so", Parts{"said": s}}
	}
	return s
}

// fought says what is raided, bombed and taken.
func fought(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.SubmarinesReported:
		var zones []string
		at := map[string]int{}
		for _, s := range p.Submarines {
			if at[s.Zone]++; at[s.Zone] == 1 {
				zones = append(zones, s.Zone)
			}
		}
		var list Part = Sentence{Key: "ev-none"}
		if len(zones) > 0 {
			list = each(zones, func(zone string) Part {
				return Sentence{"ev-in", Parts{"n": number(at[zone]), "zone": Name(zone)}}
			})
		}
		return Sentence{"ev-submarines", Parts{"side": Name(p.Power), "list": list}}
	case *events.EconomicAttackMade:
		return bombed(p)
	case *events.ConvoyRaided:
		return raided(p)
	case *events.ConvoyDisrupted:
		return disrupted(p)
	case *events.TerritoryCaptured:
		return captureOf(p)
	}
	return Sentence{}
}

func bombed(p *events.EconomicAttackMade) Sentence {
	s := Sentence{"ev-bombs", Parts{"side": Name(p.Attacker), "land": Name(p.Territory), "victim": Name(p.Victim),
		"rolled": number(p.Rolled), "n": ipcs(int64(p.Damage), 0)}}
	switch p.Kind {
	case "rockets":
		s.Key = "ev-rockets"
	case "sbr":
	default:
		return Sentence{}
	}
	if p.Damage == p.Rolled {
		return s
	}
	if p.Before == 0 {
		return Sentence{"ev-limit", Parts{"said": s, "n": number(p.Limit)}}
	}
	return Sentence{"ev-limit-before", Parts{"said": s, "n": number(p.Limit), "taken": number(p.Before)}}
}

func raided(p *events.ConvoyRaided) Sentence {
	away := Sentence{Key: "ev-adjacent"}
	if p.Distance != 1 {
		away = Sentence{"ev-away", Parts{"n": number(p.Distance)}}
	}
	s := Sentence{"ev-raids", Parts{"boat": boatNamed(p.Submarine), "side": Name(p.Owner), "zone": Name(p.Zone),
		"away": away, "land": Name(p.Territory), "victim": Name(p.Victim), "n": ipcs(int64(p.Damage), 0)}}
	if p.Damage != p.Reach {
		s = Sentence{"ev-reach", Parts{"said": s, "n": number(p.Reach)}}
	}
	if p.Cap != "" {
		s = Sentence{"ev-cap", Parts{"said": s, "n": number(p.Limit), "rule": ruleNamed(p.Cap)}}
	}
	if p.Declared {
		s = Sentence{"ev-chose", Parts{"said": s}}
	}
	return s
}

func disrupted(p *events.ConvoyDisrupted) Sentence {
	var list List
	for _, r := range p.Raiders {
		units := pieces([]events.Unit{{Name: r.Unit, Count: r.Count}})
		if units == nil {
			return Sentence{}
		}
		s := Sentence{"ev-raider", Parts{"units": units, "side": Name(r.Power)}}
		if r.Count > 1 {
			s = Sentence{"ev-each", Parts{"said": s, "n": number(r.Each)}}
		}
		list = append(list, s)
	}
	return Sentence{"ev-disrupted", Parts{"zone": Name(p.Zone), "raiders": list, "side": Name(p.Victim),
		"n": ipcs(int64(p.Damage), 0), "worth": number(p.Worth), "land": Name(p.Territory),
		"most": number(p.Potential)}}
}

// captureOf says who takes a territory from whom, and what else that brings.
func captureOf(p *events.TerritoryCaptured) Sentence {
	s := Sentence{"ev-captures", Parts{"side": Name(p.By), "land": Name(p.Territory)}}
	if p.From != "" && p.From != p.Territory {
		s = Sentence{"ev-captures-from", Parts{"side": Name(p.By), "land": Name(p.Territory), "from": Name(p.From)}}
	}
	switch {
	case p.Holder != p.By:
		s = Sentence{"ev-liberated", Parts{"said": s, "side": Name(p.Holder)}}
	case p.Was != p.Complex:
		s = Sentence{"ev-becomes", Parts{"said": s, "was": facility(p.Was), "is": one(p.Complex)}}
	}
	if p.LootFrom != "" {
		return Sentence{"ev-loot", Parts{"said": s, "side": Name(p.LootTo), "n": ipcs(int64(p.Loot), 0),
			"from": Name(p.LootFrom)}}
	}
	return s
}

// boat is a submarine.
func boat(name string) Part { return Sentence{"ev-boat", Parts{"name": boatNamed(name)}} }

// boatNamed is a submarine's name; one without a name of its own goes by its number in its sea zone.
func boatNamed(name string) Part {
	if zone, n, numbered := strings.Cut(name, " #"); numbered && strings.ContainsAny(zone, "0123456789") {
		name = n
	}
	return Verbatim{Text: name}
}
