package review

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// # Void commands
//
// A command of which nothing counts any more is heard in its own place, on what counts before that now.
//
//   - One that was voided as a consequence ([Corrected] with a cause) may be allowed again, when what made it
//     impossible was corrected again or voided. Then a correction voids the head that voided it: its events count
//     again, corrected as far as they come out otherwise. It is a consequence like any other. No dice, cards or
//     answers are recorded of it.
//   - One that was voided by a ruling or an undo is entered again by a correction of it, and by nothing else. It leads
//     to new events, which take the place of the first that is void. What fell or was drawn for it before stays void.

// takenOut gives the event that voided a command of which nothing counts any more, but for a phase that it began; 0 if
// there is none.
func takenOut(t *campaign.Timeline, command history.Command, v history.View) (by uint64, err error) {
	for i := len(command.Changes) - 1; i >= 0 && by == 0; i-- {
		if v.Stands(command.Changes[i]) {
			by = command.Changes[i]
		}
	}
	if by == 0 || len(v.Targets(history.Voids, by)) == 0 {
		return 0, nil
	}
	a := &ActFinder{View: v, read: t.Event}
	for _, i := range a.standing(a.heard(command)) {
		if a.Type(i) != "phase_advanced" {
			return 0, nil
		}
	}
	head, err := t.Event(by)
	if err != nil {
		return 0, err
	}
	var p events.Corrected
	if head.Read(&p) && (p.Cause == 0 || len(p.Changes) > 0 || p.Dice != "") {
		return 0, nil // a phase is all that the corrected entry leads to
	}
	return by, nil
}

// returns reports whether the command was voided as a consequence, so that it counts again by a void of that.
func (w *priorCommand) returns() bool { return w.void != 0 && w.history.Type(w.void) == "corrected" }

// restored lists what a correction voids that lets the command count again with so many events: the head by which it is
// void, and what has no place any more.
func (w *priorCommand) restored(drafts int, withdrawn []uint64) ([]uint64, error) {
	if drafts == w.stood {
		return nil, errSame
	}
	a := &ActFinder{View: w.history, read: w.event}
	x := Act{events: []uint64{w.void}}
	if violations := a.blocked(x, a.Without(x)); len(violations) > 0 {
		return nil, fmt.Errorf("%w: it would happen again, and %s", ErrNotCorrectable, violations[0].Message)
	}
	return append(withdrawn, w.void), nil
}

// comeBack lists the events of a command that would happen again.
func (o *outcome) comeBack() (list []Result) {
	drafts := o.part.Drafts
	for _, e := range o.of.heard[o.of.stood:] {
		if slices.Contains(drafts[0].Payload.(*events.Corrected).Voids, e.Index) {
			continue
		}
		is := *o.of.counts(e.Index)
		for _, d := range drafts[1:] {
			if d.Corrects == e.Index {
				is = rehear.AsDerived(is, d)
			}
		}
		list = append(list, Result{Is: &is})
	}
	for _, d := range drafts[1:] {
		if d.Corrects == 0 {
			is := rehear.AsDerived(events.Event{Replaces: d.Replaces}, d)
			list = append(list, Result{Is: &is})
		}
	}
	return list
}

// enterable holds what a command leads to that is entered again to results and dice: what was drawn, chosen or sealed
// for it is void, nobody can be asked again for what came before the present, and no phase begins in the past.
func (w *priorCommand) enterable(drafts []rules.Draft, l layout, dice DiceRuling) error {
	if w.void == 0 || w.returns() {
		return nil
	}
	for _, d := range drafts[min(l.from, len(drafts)):] {
		rolls := false
		switch d.Payload.(type) {
		case *events.RollDeclared, *events.DiceRolled:
			rolls = true
		case *events.ContestOpened, *events.ContestSettled:
			continue
		}
		switch {
		case rolls && dice.String() == diceStand:
			return fmt.Errorf("%w: the dice of %q are void with it: say in dice whether they are thrown again",
				ErrNotCorrectable, w.command.ID)
		case !rolls && !derived(d.Payload) || len(d.Secrets)+len(d.Opens) > 0:
			return fmt.Errorf("%w: entered again in its place, %q would lead to another %s: enter it anew where the "+
				"campaign is now",
				ErrNotCorrectable, w.command.ID, d.Payload.Type().Words())
		}
	}
	return nil
}
