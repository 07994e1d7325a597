package review

import (
	"errors"
	"iter"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// Why events are voided, as [events.Voided] has it.
const (
	codeUndone  = "slip"    // undone before anybody knew more for it
	CodeDispute = "dispute" // ruled void
)

// Void gives what takes the act behind an event out of the campaign, or what keeps it there.
func (h Reviewer) Void(event uint64, code, reason string, dispute uint64) (campaign.Part, []rules.Violation, error) {
	a := NewActFinder(h.Campaign.History, h.Timeline.Event)
	x, err := a.Find(event, code)
	if err != nil {
		return campaign.Part{}, nil, err
	}
	after := a.Without(x)
	if asked := h.Campaign.RestoredQuestions(a.StillStands, after.StillStands); len(asked) > 0 && !h.Campaign.Idle() {
		var f rules.Findings
		by, _ := a.VoidedBy(asked[0])
		f.ViolateField("void", rules.Input,
			"what #%d took back waits for an answer, and play has gone on since: enter it again", by)
		return campaign.Part{}, f.Violations, nil
	}
	if violations := a.refused(x, after); len(violations) > 0 {
		return campaign.Part{}, violations, nil
	}
	p := campaign.Part{Seat: campaign.UmpireSeat, Drafts: []rules.Draft{x.Draft(code, reason, dispute)}}
	return p, h.Campaign.CheckAwaited(h.Maker.At(), p), nil
}

// Undoable is an act that may still be undone: since it was made nobody has learnt anything by the record.
type Undoable struct {
	Command string
	Verb    string
	First   uint64 // index of its first event
	Last    uint64 // and of the last that stands
	Turn    string
	scope   string
	events  []uint64
}

// IsUndo reports whether the act is itself an undo.
func (s Undoable) IsUndo() bool { return s.scope == events.VoidUndo }

// Undoables goes back from the last act to the last event that revealed something.
func (a *ActFinder) Undoables() iter.Seq2[Undoable, error] {
	low, blocked := a.Len(), false // the events from low on block nothing, but for low itself if blocked
	quiet := func(from uint64) bool {
		for low > from && !blocked {
			low--
			blocked = low == 0 || a.blocksUndo(low) != ""
		}
		return !blocked || low < from
	}
	return func(yield func(Undoable, error) bool) {
		taken := map[uint64]bool{}
		for i := a.Len() - 1; quiet(i); i-- {
			if !a.StillStands(i) || taken[i] || a.Type(i) == "rules_changed" {
				continue
			}
			s, err := a.undoable(i)
			if errors.Is(err, ErrNotCorrectable) || err == nil && !quiet(s.events[0]) {
				return
			}
			if !yield(s, err) || err != nil {
				return
			}
			for _, index := range s.events {
				taken[index] = true
			}
		}
	}
}

// undoable is the act of an event, as one that is undone. An answer is part of the command that asked.
func (a *ActFinder) undoable(index uint64) (s Undoable, err error) {
	named := index
	if asked, ok := a.Target(history.Question, index); ok {
		named = asked
	}
	x, err := a.Find(named, codeUndone)
	if err != nil {
		return s, err
	}
	s = Undoable{Command: x.command, First: x.events[0], Last: index, scope: x.scope, events: x.events}
	if x.scope == events.VoidCommand {
		if heard := a.standing(a.heard(a.CommandNamed(x.command))); len(heard) > 0 {
			s.First = a.place(heard[0])
		}
	}
	first, err := a.read(s.First)
	if err != nil {
		return s, err
	}
	s.Verb, s.Turn = campaign.RequestIn(first).Verb, first.Turn.Label
	return s, nil
}

// again finds the act of an undoable on what stands by now.
func (a *ActFinder) again(s Undoable) (Act, error) {
	if s.scope == events.VoidCommand {
		return a.OfCommand(a.CommandNamed(s.Command), s.First, codeUndone)
	}
	return a.Find(s.events[0], codeUndone)
}

// Blocking gives the last event that blocks an undo, and why it does.
func (a *ActFinder) Blocking() (e *events.Event, why string, err error) {
	last := a.lastBlocking()
	e, err = a.read(last)
	return e, a.blocksUndo(last), err
}

// lastBlocking is the last event that revealed something, or that is part of a dispute: that is not taken back, and
// whoever entered it had seen what came before.
func (a *ActFinder) lastBlocking() uint64 {
	for i := a.Len() - 1; i > 0; i-- {
		if a.blocksUndo(i) != "" {
			return i
		}
	}
	return 0
}

// blocksUndo says why nothing up to an event can be undone, empty if something may.
func (a *ActFinder) blocksUndo(index uint64) string {
	switch a.Type(index) {
	case "dispute_opened", "statement_made", "evidence_brought":
		return "something was said in a dispute"
	}
	return a.reveals(index)
}

// reveals says what an event reveals, whether it stands or not, or why it cannot be taken back: dice that were voided
// were seen all the same, and those of a correction fell when it was made. It is empty for nothing.
func (a *ActFinder) reveals(index uint64) string {
	switch a.Type(index) {
	case "roll_declared": // by a beacon or links: its dice are fixed, though nobody knows them
		var p events.RollDeclared
		if e, err := a.read(index); err != nil || e.Read(&p) && p.Awaits() && e.Corrects == 0 {
			return "what decides its dice was named"
		}
	case "draw_declared": // by a player
		var p events.DrawDeclared
		if e, err := a.read(index); err != nil || e.Read(&p) && p.Round != 0 && e.Corrects == 0 {
			return "the round was named that decides its cards"
		}
	case "dice_rolled", "dice_typed":
		return "a die fell"
	case "cards_drawn":
		return "a card was drawn"
	case "turn_advanced":
		return "a turn began"
	case "epoch_begun":
		return "an epoch began"
	case "option_ruled":
		return "an option was ruled on"
	case "edition_moved":
		return "the campaign went on by another edition"
	case "campaign_opened", "seat_taken":
		return "the campaign was opened"
	case "opened":
		return "a secret was opened"
	}
	switch t := a.Type(index); {
	case t.KeysSeat():
		return "a seat got a key"
	case t.OfPlayer():
		return "a player disclosed what was secret"
	case t.OfSeat():
		return "somebody looked at what is sealed"
	}
	if _, opens := a.Target(history.Opens, index); opens {
		return "a secret was opened"
	}
	return ""
}

// Undo voids one act after the other, each on what stands once those after it are gone.
func (a *ActFinder) Undo(event uint64, reason string) (drafts []rules.Draft, violations []rules.Violation, err error) {
	var slips []Undoable
	found := false
	for s, err := range a.Undoables() {
		if err != nil {
			return nil, nil, err
		}
		if found = slices.Contains(s.events, event); found || s.scope != events.VoidUndo {
			slips = append(slips, s)
		}
		if found {
			break
		}
	}
	if !found {
		return nil, a.notUndone(event), nil
	}
	for _, s := range slips {
		x, err := a.again(s)
		if err != nil {
			return nil, nil, err
		}
		after := a.Without(x)
		if violations := a.refused(x, after); len(violations) > 0 {
			return nil, violations, nil
		}
		drafts, a = append(drafts, x.Draft(codeUndone, reason, 0)), after
	}
	return drafts, nil, nil
}

// notUndone says why nothing behind an event can be undone.
func (a *ActFinder) notUndone(event uint64) []rules.Violation {
	var f rules.Findings
	by, void := a.VoidedBy(event)
	last := a.lastBlocking()
	switch {
	case event >= a.Len():
		f.ViolateField(campaign.VerbUndo, rules.Input, "there is no event %d yet", event)
	case void:
		f.ViolateField(campaign.VerbUndo, rules.Input, "#%d does not stand any more, since #%d", event, by)
	default:
		f.ViolateField(campaign.VerbUndo, rules.Input, "#%d cannot be undone: with #%d (%s) %s. Correct it, "+
			"or dispute it",
			event, last, a.Type(last).Words(), a.blocksUndo(last))
	}
	return f.Violations
}
