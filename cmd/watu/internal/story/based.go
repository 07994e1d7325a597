package story

import (
	"github.com/watu-ledger/watu/events"
)

// based says what becomes of submarine bases, and what cards of strategy and headquarters have to do with them.
func based(e *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.HeadquartersReported:
		return headquarters(p)
	case *events.TargetsReported:
		within := 0
		for _, t := range p.Targets {
			if t.Distance <= p.Range {
				within++
			}
		}
		s := Sentence{"ev-targets", Parts{"hex": Name(p.Hex), "n": Count{Of: "hex", N: int64(p.Range)},
			"in": number(within), "of": Count{Of: "target", N: int64(len(p.Targets))}}}
		if within == 1 {
			s.Key = "ev-target"
		}
		return s
	case *events.BasePlaced:
		return placedOf(p)
	case *events.BaseDisplaced:
		return Sentence{"ev-leaves", Parts{"base": Name(p.Base), "hex": Name(p.Hex), "cause": named(p.Cause),
			"n": number(p.Returns)}}
	case *events.BaseAttacked:
		return struck(p)
	case *events.BaseReplaced:
		s := Sentence{"ev-replaces", Parts{"a": Name(p.By), "b": Name(p.Base)}}
		if p.Hex != "" {
			s = Sentence{"ev-replaces-in", Parts{"a": Name(p.By), "b": Name(p.Base), "hex": Name(p.Hex)}}
		}
		if p.Joined != "" {
			return Sentence{"ev-arrives", Parts{"said": s, "base": Name(p.Joined)}}
		}
		return s
	case *events.SuccessSpent:
		s := Sentence{"ev-cards-alone", Parts{"base": Name(p.Base)}}
		switch p.On {
		case "asp":
			s = Sentence{"ev-asp", Parts{"base": Name(p.Base), "n": Count{Of: "left", N: int64(p.Shipping)}}}
		case "swm":
			s = Sentence{"ev-swm", Parts{"base": Name(p.Base), "n": signed(p.Modifier)}}
		}
		return s
	case *events.StrategyCardPlayed:
		return does("ev-strategic", e.Side, Parts{"n": number(p.Card), "what": said(p.Event)})
	}
	return Sentence{}
}

func headquarters(p *events.HeadquartersReported) Sentence {
	s := Sentence{"ev-hq", Parts{"name": Name(p.Name)}}
	if p.Hex != "" {
		s = Sentence{"ev-in-hex", Parts{"said": s, "hex": Name(p.Hex)}}
	}
	s = Sentence{"ev-range", Parts{"said": s, "n": number(p.Range)}}
	if p.Idle {
		s = Sentence{"ev-idle", Parts{"said": s}}
	}
	if len(p.Distances) == 0 {
		return s
	}
	return Sentence{"ev-distances", Parts{"said": s, "list": each(p.Distances, func(d events.Distance) Part {
		return Sentence{"ev-distance", Parts{"n": number(d.Hexes), "hex": Name(d.Hex)}}
	})}}
}

func placedOf(p *events.BasePlaced) Sentence {
	with := Parts{"base": Name(p.Base), "hex": Name(p.Hex), "how": named(p.How)}
	switch {
	case p.Distance > 0:
		with["from"], with["n"] = Name(p.From), Count{Of: "hex", N: int64(p.Distance)}
		return Sentence{"ev-goes-far", with}
	case p.From != "":
		with["from"] = Name(p.From)
		return Sentence{"ev-goes", with}
	}
	return Sentence{"ev-placed", with}
}

func struck(p *events.BaseAttacked) Sentence {
	s := Sentence{"ev-takes", Parts{"base": Name(p.Base), "hex": Name(p.Hex), "n": Count{Of: "hit", N: int64(p.Hits)}}}
	if p.Critical {
		s = Sentence{"ev-critical", Parts{"said": s}}
	}
	if p.Displaced {
		return Sentence{"ev-displaced", Parts{"said": s, "n": number(p.Returns)}}
	}
	return Sentence{"ev-needed", Parts{"said": s, "n": number(p.Needed)}}
}
