package story

import (
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// ruleNamed is a rule: by its id in English, as package narrator has it, by what it is about in other languages.
type ruleNamed string

func (r ruleNamed) say(l *Language) []Span {
	if text := rules.TitleOf(string(r)); text != "" && l.Tag != English.Tag {
		return []Span{{Text: "„"}, {Text: text, Quoted: true}, {Text: "“"}}
	}
	return []Span{{Text: string(r)}}
}

// argued says what is disputed, what the sides say to it, and how the umpire rules.
func argued(e *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.DisputeOpened:
		var what Part = numbered(p.Event)
		if p.Refused != "" {
			what = Sentence{"ev-refusal", Parts{"of": said(p.Refused)}}
		}
		if p.Rule != "" {
			what = Sentence{"ev-by-rule", Parts{"said": what, "rule": ruleNamed(p.Rule)}}
		}
		return Sentence{"ev-disputes", Parts{"who": seated(e.Seat), "what": what, "claim": said(p.Claim)}}
	case *events.StatementMade:
		return Sentence{"ev-says", Parts{"who": seated(e.Seat), "n": numbered(p.Dispute), "text": said(p.Text)}}
	case *events.EvidenceBrought:
		s := Sentence{"ev-brings", Parts{"who": seated(e.Seat), "list": runs(p.Events), "n": numbered(p.Dispute)}}
		return because("ev-note", s, p.Note)
	case *events.DisputeRuled:
		return ruledOn(p)
	case *events.Voided:
		return voided(p)
	case *events.Compensated:
		return compensated(p)
	}
	return Sentence{}
}

// because puts what somebody wrote behind a sentence, if he wrote something.
func because(key string, s Sentence, text string) Sentence {
	if text == "" {
		return s
	}
	return Sentence{key, Parts{"said": s, "why": said(text)}}
}

// seated is whoever has a seat.
func seated(seat string) Part {
	switch seat {
	case "":
		return Sentence{Key: "ev-somebody"}
	case "umpire":
		return Sentence{Key: "ev-umpire"}
	}
	return Name(words.Sentence(seat))
}

// runs names events, those that follow each other by the first and the last.
func runs(list []uint64) (out List) {
	for _, r := range words.Runs(list) {
		if r[1] == r[0] {
			out = append(out, numbered(r[0]))
			continue
		}
		out = append(out, Sentence{"ev-to", Parts{"a": numbered(r[0]), "b": numbered(r[1])}})
	}
	return out
}

func ruledOn(p *events.DisputeRuled) Sentence {
	if p.Dice != "" {
		return Sentence{}
	}
	what := Sentence{Key: "ev-ruled-" + p.Ruling}
	if English.says[what.Key] == "" {
		return Sentence{}
	}
	switch p.Scope {
	case "", events.ScopeEvent:
	case "campaign":
		what = Sentence{"ev-for-campaign", Parts{"said": what}}
	default:
		what = Sentence{"ev-for-league", Parts{"said": what}}
	}
	if len(p.Rules) > 0 {
		what = Sentence{"ev-rests", Parts{"said": what, "rules": each(p.Rules, func(id string) Part {
			return ruleNamed(id)
		})}}
	}
	s := Sentence{"ev-ruled", Parts{"n": numbered(p.Dispute), "what": what}}
	return because("ev-reason", s, p.Reason)
}

func voided(p *events.Voided) Sentence {
	list := runs(p.Events)
	s := Sentence{"ev-void", Parts{"list": list, "of": said(p.Command)}}
	switch {
	case p.Scope == events.VoidCorrection:
		s = Sentence{"ev-void-correction", Parts{"list": list}}
	case p.Scope == events.VoidRuling:
		s = Sentence{"ev-void-ruling", Parts{"list": list}}
	case p.Scope == events.VoidUndo:
		s = Sentence{"ev-void-undo", Parts{"list": list}}
	case len(p.Events) != 1:
		s.Key = "ev-void-several"
	}
	if p.Dispute != 0 {
		return Sentence{"ev-as-ruled", Parts{"said": s, "n": numbered(p.Dispute)}}
	}
	return because("ev-note", s, p.Reason)
}

// compensated says what a treasury or a hand is given or gives.
func compensated(p *events.Compensated) Sentence {
	n := p.By
	if n < 0 {
		n = -n
	}
	what := Part(ipcs(int64(n), 0))
	switch {
	case p.Dispute != 0 || !alone(p.Of):
		return Sentence{}
	case p.What == events.CompensatedTreasury:
	case p.Subject == "strategy cards":
		what = Count{Of: "Strategy Card", N: int64(n)}
	default:
		return Sentence{}
	}
	s := Sentence{"ev-given", Parts{"side": Name(p.Of), "n": what}}
	if p.By < 0 {
		s.Key = "ev-gives"
	}
	return because("ev-note", s, p.Reason)
}

// entered says who speaks for whom, and what else concerns the campaign as a whole.
func entered(_ *events.Event, p events.Payload) Sentence {
	switch p := p.(type) {
	case *events.SeatTaken:
		return Sentence{"ev-seat", Parts{"who": seated(p.Seat), "sides": each(p.Sides, sided)}}
	case *events.EpochBegun:
		return Sentence{"ev-epoch", Parts{"n": Count{Of: "hash chain", N: int64(len(p.Chains))},
			"why": term(strings.TrimSuffix(p.Reason, "."))}}
	case *events.WarDeclared:
		s := Sentence{"ev-war", Parts{"a": Name(p.By), "b": Name(p.On)}}
		if p.Level != 0 {
			return Sentence{"ev-tension", Parts{"said": s, "n": number(p.Level)}}
		}
		return s
	case *events.EditionMoved:
		s := Sentence{"ev-edition", Parts{"n": said(p.Now), "was": said(p.Was)}}
		if len(p.Options) > 0 {
			list := each(p.Options, func(o events.Option) Part {
				return Sentence{"ev-set", Parts{"option": said(o.Name), "value": said(o.Value)}}
			})
			s = Sentence{"ev-note", Parts{"said": s, "why": list}}
		}
		return because("ev-reason", s, p.Reason)
	}
	return Sentence{}
}
