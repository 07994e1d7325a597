package story

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// battled says what is declared for a battle, and what flies and sails to it.
func battled(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.AttackDeclared:
		return attack(p)
	case *events.AircraftScrambled:
		if units := pieces(p.Units); units != nil {
			return Sentence{"ev-scrambles", Parts{"side": Name(p.Power), "units": units, "from": Name(p.From),
				"zone": Name(p.Zone)}}
		}
	case *events.AircraftLanded:
		return flownHome(p)
	case *events.StrikesDeclared:
		return strikes(p)
	case *events.RaidDeclared:
		escorts := Sentence{Key: "ev-no-escorts"}
		if p.Escorts > 0 {
			escorts = Sentence{"ev-escorts", Parts{"n": Count{Of: "fighter", N: int64(p.Escorts)}}}
		}
		return Sentence{"ev-raid", Parts{"side": Name(p.Attacker), "land": ofHolder(p.Territory, p.Defender),
			"escorts": escorts, "targets": row{"; ", parts(p.Targets, aimed)}}}
	case *events.FightersIntercepted:
		return Sentence{"ev-intercepts", Parts{"side": Name(p.Power), "land": Name(p.Territory),
			"n": Count{Of: "fighter", N: int64(p.Fighters)}}}
	case *events.TransportsUnloaded:
		s := Sentence{"ev-unloads", Parts{"side": Name(p.Power), "zone": Name(p.From), "land": Name(p.Onto)}}
		if p.Submarines > 0 {
			s = Sentence{"ev-past", Parts{"said": s, "n": Count{Of: "submarine", N: int64(p.Submarines)}}}
		}
		if p.Bombarding > 0 {
			s = Sentence{"ev-bombards", Parts{"said": s, "n": Count{Of: "bombards", N: int64(p.Bombarding)}}}
		}
		return s
	}
	return Sentence{}
}

func attack(p *events.AttackDeclared) Sentence {
	s := Sentence{"ev-attacks", Parts{"side": Name(p.Attacker), "land": Name(p.Space)}}
	if p.From != "" {
		s = Sentence{"ev-assault", Parts{"side": Name(p.Attacker), "land": Name(p.Space), "from": Name(p.From)}}
	}
	switch units := pieces(p.Units); {
	case len(p.Units) == 0:
		return s
	case units == nil:
		return Sentence{}
	default:
		return Sentence{"ev-with", Parts{"said": s, "units": units}}
	}
}

// aimed are the bombers on a target.
func aimed(t events.RaidTarget) Part {
	var bombers List
	if t.Strategic > 0 {
		bombers = append(bombers, Count{Of: "strategic bomber", N: int64(t.Strategic)})
	}
	if t.Tactical > 0 {
		bombers = append(bombers, Count{Of: "tactical bomber", N: int64(t.Tactical)})
	}
	return Sentence{"ev-on", Parts{"units": bombers, "what": facility(t.Facility)}}
}

// flownHome says where the aircraft of a base land after a battle.
func flownHome(p *events.AircraftLanded) Sentence {
	var list List
	if p.Returned > 0 {
		list = append(list, Count{Of: "returns", N: int64(p.Returned)})
	}
	for _, l := range p.Diverted {
		var what Part = number(l.Aircraft)
		if units := pieces(l.Units); units != nil {
			what = units
		} else if len(l.Units) > 0 {
			return Sentence{}
		}
		s := Sentence{"ev-land-in", Parts{"units": what, "place": Name(l.Space)}}
		if l.Aircraft == 1 {
			s.Key = "ev-lands-in"
		}
		list = append(list, s)
	}
	if p.Lost > 0 {
		list = append(list, Count{Of: "no place", N: int64(p.Lost)})
	}
	if units := pieces(p.Fallen); units != nil {
		list = append(list, Sentence{"ev-fell", Parts{"units": units}})
	} else if len(p.Fallen) > 0 {
		return Sentence{}
	}
	if len(list) == 0 {
		list = List{Sentence{Key: "ev-none-left"}}
	}
	return Sentence{"ev-flown", Parts{"side": Name(p.Power), "from": Name(p.From), "list": list}}
}

// strikes says at which ships kamikazes are aimed, zone by zone.
func strikes(p *events.StrikesDeclared) Sentence {
	var zones []string
	at := map[events.Strike]int{}
	aims := map[string]List{}
	for _, s := range p.Strikes {
		at[s]++
	}
	for _, s := range p.Strikes {
		if at[s] == 0 {
			continue // in an earlier piece
		}
		if aims[s.Zone] == nil {
			zones = append(zones, s.Zone)
		}
		aims[s.Zone] = append(aims[s.Zone], Sentence{"ev-aim", Parts{"n": number(at[s]), "ship": shipOf(s, p.Strikes)}})
		at[s] = 0
	}
	if len(zones) == 0 {
		return Sentence{"ev-no-strikes", Parts{"side": Name(p.Power), "left": number(p.Left)}}
	}
	list := parts(zones, func(zone string) Part {
		return Sentence{"ev-in-zone", Parts{"zone": Name(zone), "list": aims[zone]}}
	})
	return Sentence{"ev-strikes", Parts{"side": Name(p.Power), "n": Count{Of: "kamikaze strike",
		N: int64(len(p.Strikes))}, "list": row{"; ", list}, "left": number(p.Left)}}
}

// shipOf is the ship that a strike is aimed at, by its number where its owner has more of its kind there.
func shipOf(s events.Strike, all []events.Strike) Part {
	with := Parts{"side": Name(s.Owner), "kind": named(s.Ship)}
	others := slices.ContainsFunc(all, func(o events.Strike) bool {
		return o.Zone == s.Zone && o.Owner == s.Owner && o.Ship == s.Ship && o.Nth != s.Nth
	})
	if others || s.Nth > 1 {
		with["n"] = number(s.Nth)
		return Sentence{"ev-ship-nth", with}
	}
	return Sentence{"ev-ship", with}
}

// facility is a kind of building, in words.
func facility(kind string) Part {
	switch kind {
	case "major_ic":
		return term("major industrial complex")
	case "minor_ic":
		return term("minor industrial complex")
	}
	return term(strings.ReplaceAll(kind, "_", " "))
}

// ofHolder is a territory with who holds it, where that is not its name.
func ofHolder(territory, of string) Part {
	if of == "" || of == territory {
		return Name(territory)
	}
	return Sentence{"ev-of-holder", Parts{"land": Name(territory), "side": Name(of)}}
}
