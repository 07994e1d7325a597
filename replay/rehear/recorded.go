package rehear

import (
	"encoding/json"
	"errors"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Openings are what a reader holds of commitments, by event and slot.
type Openings = map[events.Ref]events.Opening

// ErrUnknown is wrapped where the link that decided a draw is sealed to the reader.
var ErrUnknown = errors.New("sealed to the reader")

// Drawn repeats a draw that was declared in an event: positions are in none. It fails with [ErrUnknown] if it cannot.
type Drawn func(e *events.Event, p *events.DrawDeclared) (rules.Answer, error)

// Recorded reads back, from the events that a command led to, the answers that it was given, in their order. An answer
// that the reader does not know is there, and unknown.
func Recorded(heard []events.Event, known Openings, drawn Drawn) ([]rules.Answer, error) {
	var answers []rules.Answer
	rolled := uint64(0) // index of the declaration whose dice come last
	for i := range heard {
		e := &heard[i]
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.DiceRolled:
			if p.Declared != rolled || len(answers) == 0 {
				answers, rolled = append(answers, rules.Answer{}), p.Declared
			}
			last := &answers[len(answers)-1]
			last.Dice = append(last.Dice, p.Dice)
		case *events.DrawDeclared:
			a, err := rules.Answer{}, ErrUnknown
			if p.Round == 0 { // else its player draws, and says so by an entry of his own
				a, err = drawn(e, p)
			}
			switch {
			case errors.Is(err, ErrUnknown):
				a.Unknown = &rules.Unanswered{Draw: true, At: events.Ref{Index: e.Index, Slot: rules.SlotLink}}
			case err != nil:
				return nil, err
			}
			answers = append(answers, a)
		case *events.ChoiceMade:
			options, ok := Chosen(e, p, known)
			if !ok {
				options, ok = playedOut(heard[i:])
			}
			a := rules.Answer{Options: options}
			if !ok {
				a = rules.Answer{Unknown: &rules.Unanswered{At: events.Ref{Index: e.Index, Slot: rules.SlotChoice}}}
			}
			a.Cards = playedBy(heard[i:])
			answers = append(answers, a)
		}
	}
	return answers, nil
}

// Chosen gives the options of a choice, from its opening if it was a secret one; false if that is not known.
func Chosen(e *events.Event, p *events.ChoiceMade, known Openings) (options []string, ok bool) {
	if len(e.Commitments) == 0 {
		return p.Options, true
	}
	x, ok := known[events.Ref{Index: e.Index, Slot: rules.SlotChoice}]
	ok = ok && json.Unmarshal([]byte(x.Fact), &options) == nil
	return options, ok
}

// playedBy lists the cards of its hand that a side, that of the first of the events, played in these.
func playedBy(heard []events.Event) (list []events.Ref) {
	for i := range heard {
		var play events.CardPlayed
		if heard[i].Side == heard[0].Side && heard[i].Read(&play) {
			list = append(list, play.Drawn)
		}
	}
	return list
}

// playedOut reads what a side chose in secret, the first of the events, off the cards that it then played before
// everyone's eyes. Until the contest is settled some may be to come.
func playedOut(heard []events.Event) (options []string, ok bool) {
	for i := range heard {
		e := &heard[i]
		var play events.CardPlayed
		switch {
		case e.Type == "contest_settled":
			return options, true
		case e.Side == heard[0].Side && e.Read(&play):
			options = append(options, play.Card)
		}
	}
	return nil, false
}

// Answered gives the question that an event answers, or the declaration that its dice are of.
func Answered(e *events.Event) (asked uint64, ok bool) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ChoiceMade:
		return p.Asked, true
	case *events.DiceRolled:
		return p.Declared, true
	}
	return 0, false
}
