package story

import (
	"strings"

	"github.com/watu-ledger/watu/events"
)

// operated says what is declared and carried out on a board: D-Day, the hunt for submarines, artillery, losses.
func operated(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.OperationDeclared:
		return Sentence{"ev-operation", Parts{"side": Name(p.By), "what": Name(p.Operation), "land": Name(p.Target)}}
	case *events.OperationCarriedOut:
		return carriedOut(p)
	case *events.SubmarinesHunted:
		return Sentence{"ev-hunted", Parts{"zone": Name(p.Zone), "groups": row{"; ", parts(p.Groups, hunted)}}}
	case *events.SubmarinesSubmerged:
		return Sentence{"ev-submerged", Parts{"zone": Name(p.Zone), "boats": each(p.Submarines, boat),
			"side": Name(p.Power)}}
	case *events.ShotsCalled:
		if units := pieces(p.Targets); units != nil {
			return Sentence{"ev-shots", Parts{"side": Name(p.Power), "zone": Name(p.Zone), "units": units}}
		}
	case *events.UnitsFired:
		if units := pieces(p.Units); units != nil {
			return Sentence{"ev-fires", Parts{"side": Name(p.Power), "units": units, "from": Name(p.From),
				"at": Name(p.At)}}
		}
	case *events.UnitsMoved:
		if units := pieces(p.Units); units != nil {
			return Sentence{"ev-moves", Parts{"side": Name(p.Power), "units": units, "from": Name(p.From),
				"to": Name(p.To)}}
		}
	case *events.UnitsLost:
		return lost(p)
	}
	return Sentence{}
}

func lost(p *events.UnitsLost) Sentence {
	units := pieces(p.Units)
	if units == nil || !known(p.Cause) {
		return Sentence{}
	}
	s := Sentence{"ev-loses", Parts{"side": Name(p.Power), "units": units, "cause": named(p.Cause),
		"place": Name(p.Space)}}
	switch {
	case strings.HasPrefix(p.Cause, "an "): // an air battle
		s.Key = "ev-loses-in"
	case p.Cause == "a kamikaze strike": // which may have struck elsewhere
		s.Key = "ev-loses-of"
	}
	if p.Chosen != "" {
		return Sentence{"ev-chosen", Parts{"said": s, "side": Name(p.Chosen)}}
	}
	return s
}

func hunted(g events.HuntedGroup) Part {
	s := Sentence{"ev-undetected", Parts{"boats": each(g.Submarines, boat), "side": Name(g.Power)}}
	if g.Detected {
		s.Key = "ev-detected"
	}
	if len(g.Values) > 0 {
		s = Sentence{"ev-found", Parts{"said": s, "list": each(g.Values, func(v events.Figure) Part {
			return Sentence{"ev-or-less", Parts{"n": number(v.Value), "side": Name(v.Name)}}
		})}}
	}
	if g.MayCallShots {
		s = Sentence{"ev-free", Parts{"said": s}}
	}
	return s
}

// carriedOut names the units by the part that they take.
func carriedOut(p *events.OperationCarriedOut) Sentence {
	var roles []string
	taking := map[string]List{}
	for _, u := range p.Units {
		if taking[u.Role] == nil {
			roles = append(roles, u.Role)
		}
		taking[u.Role] = append(taking[u.Role], Sentence{"ev-unit", Parts{"name": said(u.Name), "side": Name(u.Power),
			"kind": named(u.Kind)}})
	}
	s := Sentence{"ev-leads", Parts{"what": Name(p.Operation), "side": Name(p.By), "land": Name(p.Target)}}
	if p.Defender != "" {
		s = Sentence{"ev-held", Parts{"said": s, "side": Name(p.Defender)}}
	}
	if len(roles) == 0 {
		return s
	}
	return Sentence{"ev-within", Parts{"said": s, "parts": row{"; ", parts(roles, func(role string) Part {
		return row{": ", []Part{named(role), taking[role]}}
	})}}}
}
