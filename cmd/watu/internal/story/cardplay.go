package story

import (
	"strings"

	"github.com/watu-ledger/watu/events"
)

// carded says what becomes of cards.
func carded(e *events.Event, p events.Payload) Sentence {
	side := Name(e.Side)
	switch p := p.(type) {
	case *events.DrawDeclared:
		return Sentence{"ev-draws", Parts{"side": side, "n": number(p.Count), "of": number(p.PoolSize),
			"deck": Name(p.Deck)}}
	case *events.CardsDrawn:
		return Sentence{"ev-drawn", Parts{"side": side, "n": number(p.Count), "deck": Name(p.Deck)}}
	case *events.CardsReturned:
		return Sentence{"ev-returned", Parts{"side": side, "n": number(p.Count), "deck": Name(p.Deck)}}
	case *events.ResearchAllocated:
		return Sentence{"ev-research", Parts{"side": side, "deck": Name(p.Project)}}
	case *events.ResultProduced:
		return Sentence{"ev-produced", Parts{"side": side, "deck": Name(p.Project), "year": number(p.Year)}}
	case *events.CardAdded:
		return Sentence{"ev-added", Parts{"side": side, "deck": Name(p.Deck), "n": number(p.PoolSize)}}
	case *events.StrategyCardsDrawn:
		if p.Bombers == 0 && p.Submarines == p.Base-p.Draw && alone(e.Side) {
			s := Sentence{"ev-strategy", Parts{"side": side, "n": Count{Of: "Strategy Card", N: int64(p.Draw)}}}
			if p.Submarines != 0 {
				s = Sentence{"ev-cut", Parts{"said": s, "of": number(p.Base), "n": number(p.Submarines)}}
			}
			return s
		}
	}
	return Sentence{}
}

// called is a card's type as people write it.
func called(card string) Part {
	if len(card) <= 3 { // an abbreviation: ASW
		return term(strings.ToUpper(card))
	}
	return term(card)
}

// contested says how a contest of cards goes.
func contested(e *events.Event, p events.Payload) Sentence {
	side := Name(e.Side)
	switch p := p.(type) {
	case *events.CardPlayed:
		s := Sentence{"ev-card", Parts{"side": side, "card": called(p.Card)}}
		if strings.Contains("aeio", p.Card[:min(1, len(p.Card))]) {
			s.Key = "ev-card-an"
		}
		if p.As != "" {
			s = Sentence{"ev-as", Parts{"said": s, "card": called(p.As)}}
		}
		return s
	case *events.CardNegated:
		return Sentence{"ev-negated", Parts{"by": numbered(p.By), "card": called(p.Card), "side": side,
			"event": numbered(p.Played)}}
	case *events.PlayCommitted:
		return Sentence{"ev-play-sealed", Parts{"side": side, "deck": Name(p.Deck)}}
	case *events.Passed:
		return Sentence{"ev-passed", Parts{"side": side}}
	case *events.ContestOpened:
		if !known(p.Kind) {
			return Sentence{}
		}
		subject, kind := p.Subject, p.Kind
		if strings.EqualFold(subject, kind) {
			subject, kind = "", p.Subject
		}
		return about(Sentence{"ev-contest", Parts{"title": title(kind), "a": Name(p.Acting), "b": Name(p.Opposing),
			"deck": Name(p.Deck)}}, subject, p.Scope)
	case *events.ContestSettled:
		if known(p.Kind) && knownFigures(p.Effects) {
			return settled(p)
		}
	}
	return Sentence{}
}

func settled(p *events.ContestSettled) Sentence {
	kind := p.Kind
	if strings.EqualFold(p.Subject, kind) {
		kind = p.Subject
	}
	s := Sentence{"ev-score", Parts{"title": title(kind), "a": Name(p.Acting),
		"n": Count{Of: "played card", N: int64(p.ActingCards)},
		"b": Name(p.Opposing), "m": Count{Of: "played card", N: int64(p.OpposingCards)}}}
	switch {
	case p.Advantage != "":
		s = Sentence{"ev-advantage", Parts{"said": s, "side": Name(p.Advantage)}}
	case p.Modifier == 0 && len(p.Effects) == 0:
		s = Sentence{"ev-no-advantage", Parts{"said": s}}
	}
	if p.Modifier != 0 {
		s = Sentence{"ev-modifier", Parts{"said": s, "n": signed(p.Modifier), "side": Name(p.Acting)}}
	}
	if len(p.Effects) > 0 {
		s = Sentence{"ev-note", Parts{"said": s, "why": figuresOf(p.Effects)}}
	}
	return about(s, "", p.Scope)
}
