package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// heldTo says what keeps a command from a ruling on its dice.
func (w *priorCommand) heldTo(d DiceRuling) error {
	if d.String() == diceStand {
		return nil
	}
	from := w.firstRoll()
	if from == len(w.heard) {
		return fmt.Errorf("no dice were thrown for %q", w.command.ID)
	}
	if d.recorded != "" {
		return nil
	}
	for _, e := range w.heard[from:] {
		switch {
		case len(e.Commitments) > 0:
			return fmt.Errorf("event %d sealed something after the dice fell; correct what follows instead, or "+
				"void the command", e.Index)
		case e.Type == "choice_made":
			return fmt.Errorf("in #%d somebody chose after he had seen the dice; void the command and have it "+
				"done again", e.Index)
		}
	}
	if d.Again && w.campaign.Dice == campaign.Attested {
		return errors.New("this campaign's dice are thrown at a table: throw them, and say how they fell")
	}
	if d.Again {
		return nil
	}
	if s, ok := w.campaign.SeatNamed(d.Seen); !ok || s.Name == campaign.UmpireSeat {
		return fmt.Errorf("say which seat beside the umpire's saw these dice fall; %s",
			words.There(w.campaign.SeatNames()))
	}
	return w.everyRoll(d)
}

// everyRoll wants dice for each roll of the command, and for no other.
func (w *priorCommand) everyRoll(d DiceRuling) error {
	given := 0
	for i := range w.heard {
		var p events.RollDeclared
		if !w.heard[i].Read(&p) {
			continue
		}
		fell, ok := d.of(w.heard, w.heard[i].Index)
		if !ok {
			return fmt.Errorf("say how all its dice fell: nothing is said of the roll #%d (%s)",
				w.heard[i].Index, p.Purpose)
		}
		given++
		if len(fell) != len(p.Throws) {
			return fmt.Errorf("#%d declared %d throws, and %d are given", w.heard[i].Index,
				len(p.Throws), len(fell))
		}
	}
	if given != len(d.Fell) {
		return fmt.Errorf("%q has %d rolls, and dice are given for %d", w.command.ID, given, len(d.Fell))
	}
	return nil
}

// firstRoll is where the first roll of the command is declared; its end if none is.
func (w *priorCommand) firstRoll() int {
	i := slices.IndexFunc(w.heard, func(e events.Event) bool { return e.Type == "roll_declared" })
	if i < 0 {
		return len(w.heard)
	}
	return i
}

// replaced gives the recorded answers with the dice that are stated instead, and who vouches for them.
func (w *priorCommand) replaced(recorded []rules.Answer, d DiceRuling) []rules.Answer {
	seen, _ := w.campaign.SeatNamed(d.Seen)
	next := 0
	for i := range w.heard {
		switch w.heard[i].Type {
		case "roll_declared":
			if fell, ok := d.of(w.heard, w.heard[i].Index); ok && next < len(recorded) {
				recorded[next] = rules.Answer{Dice: fell, Typed: campaign.UmpireSeat, Confirmed: seen.Name}
			}
			next++
		case "draw_declared", "choice_made":
			next++
		}
	}
	return recorded
}

// answersIn counts the answers that events record.
func answersIn(heard []events.Event) int {
	n := 0
	for i := range heard {
		switch heard[i].Type {
		case "roll_declared", "draw_declared", "choice_made":
			n++
		}
	}
	return n
}
