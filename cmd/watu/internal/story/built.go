package story

import (
	"strings"

	"github.com/watu-ledger/watu/events"
)

// built says what becomes of facilities, and where bought units appear.
func built(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		return stands(p)
	case *events.FacilityDamaged:
		return damaged(p)
	case *events.FacilitiesRepaired:
		list := each(p.Repairs, func(r events.Repair) Part {
			return Sentence{"ev-repair", Parts{"n": Count{Of: "damage", N: int64(r.Damage)},
				"what": facility(r.Facility), "land": Name(r.Territory), "left": number(r.Left)}}
		})
		return Sentence{"ev-repairs", Parts{"side": Name(p.Power), "list": list, "n": ipcs(int64(p.Cost), 0),
			"left": ipcs(int64(p.Treasury), 0)}}
	case *events.FacilityBuilt:
		s := Sentence{"ev-builds", Parts{"side": Name(p.Power), "what": one(p.Facility), "land": Name(p.Territory)}}
		if p.Was != "" {
			s = Sentence{"ev-upgrades", Parts{"side": Name(p.Power), "was": facility(p.Was), "what": one(p.Facility),
				"land": Name(p.Territory)}}
		}
		if p.Cost != 0 {
			return Sentence{"ev-for", Parts{"said": s, "n": ipcs(int64(p.Cost), 0), "left": ipcs(int64(p.Treasury), 0)}}
		}
		return s
	case *events.UnitsMobilized:
		return mobilized(p)
	case *events.ResearchPaid:
		s := Sentence{"ev-pays", Parts{"side": Name(p.Power), "n": ipcs(int64(p.Cost), 0)}}
		if len(p.Payments) == 1 && p.Payments[0].Treasury == p.Power {
			return Sentence{"ev-then", Parts{"said": s, "left": ipcs(int64(p.Payments[0].Left), 0)}}
		}
		return Sentence{"ev-note", Parts{"said": s, "why": each(p.Payments, func(x events.Payment) Part {
			return Sentence{"ev-payment", Parts{"n": number(x.Paid), "side": Name(x.Treasury), "left": number(x.Left)}}
		})}}
	}
	return Sentence{}
}

// indefinite is a kind of building with its article.
type indefinite struct{ what Part }

func (a indefinite) say(l *Language) []Span {
	out := a.what.say(l)
	switch {
	case l.Tag != English.Tag:
	case strings.ContainsAny(out[0].Text[:1], "aeio"):
		return append([]Span{{Text: "an "}}, out...)
	default:
		return append([]Span{{Text: "a "}}, out...)
	}
	return out
}

// one is a building of a kind.
func one(kind string) Part { return indefinite{facility(kind)} }

func stands(p *events.FacilitiesReported) Sentence {
	var list List
	for _, f := range p.Facilities {
		var what Part = one(f.Kind)
		if f.Damage != 0 {
			what = Sentence{"ev-with-damage", Parts{"said": what, "n": number(f.Damage)}}
		}
		if f.Inoperative {
			what = Sentence{"ev-inoperative", Parts{"said": what}}
		}
		list = append(list, what)
	}
	if len(list) == 0 {
		list = List{Sentence{Key: "ev-nothing"}}
	}
	s := Sentence{"ev-stands", Parts{"land": Name(p.Territory), "list": list}}
	if len(list) > 1 {
		s.Key = "ev-stand"
	}
	return s
}

func damaged(p *events.FacilityDamaged) Sentence {
	if !known(p.Cause) {
		return Sentence{}
	}
	s := Sentence{"ev-cause", Parts{"title": title(p.Cause), "side": Name(p.Attacker)}}
	if p.From != "" {
		s = Sentence{"ev-from", Parts{"said": s, "from": Name(p.From), "n": Count{Of: "space", N: int64(p.Distance)}}}
	}
	harm := Sentence{"ev-harm", Parts{"n": number(p.Damage)}}
	if p.Damage != p.Rolled {
		harm = Sentence{"ev-harm-of", Parts{"n": number(p.Damage), "rolled": number(p.Rolled)}}
	}
	return Sentence{"ev-hit", Parts{"said": s, "what": facility(p.Facility), "land": ofHolder(p.Territory, p.Victim),
		"harm": harm, "n": number(p.Before + p.Damage), "most": number(p.Limit)}}
}

// mobilized names the complex and the buyer where they are not those of the space and the power.
func mobilized(p *events.UnitsMobilized) Sentence {
	units := pieces(p.Units)
	if units == nil {
		return Sentence{}
	}
	s := Sentence{"ev-mobilizes", Parts{"side": Name(p.Power), "units": units, "place": Name(p.Space)}}
	if p.Complex != p.Space {
		s = Sentence{"ev-at-complex", Parts{"said": s, "land": Name(p.Complex)}}
	}
	if p.Bought != p.Power {
		s = Sentence{"ev-bought", Parts{"said": s, "side": Name(p.Bought)}}
	}
	return s
}
