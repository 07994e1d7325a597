package replay

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Undoables lists the acts that may still be undone, the last one first: entries with the answers to what they asked,
// corrections, rulings with what they ordered, and undos, which give back what they took.
func (u *Umpire) Undoables(id ulid.ULID) ([]review.Undoable, error) {
	t, err := u.acquire(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	var list []review.Undoable
	for s, err := range u.acts(t).Undoables() {
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// LastUndoable gives the first of [Umpire.Undoables] that is no undo; false if there is none.
func (u *Umpire) LastUndoable(id ulid.ULID) (s review.Undoable, ok bool, err error) {
	t, err := u.acquire(id)
	if err != nil {
		return s, false, err
	}
	defer t.mu.Unlock()
	for s, err := range u.acts(t).Undoables() {
		if err != nil || !s.IsUndo() {
			return s, err == nil, err
		}
	}
	return s, false, nil
}

// ProposeVoid judges what would come of a ruling on a dispute that strikes out the act behind an event, and records
// nothing.
func (u *Umpire) ProposeVoid(id ulid.ULID, event, dispute uint64) (review.VoidPlan, error) {
	t, err := u.acquire(id)
	if err != nil {
		return review.VoidPlan{}, err
	}
	defer t.mu.Unlock()
	plan, err := u.head(t).PlanVoid(event, dispute)
	if why := voidAlready(t, event, err); why != "" {
		return review.VoidPlan{Violations: []rules.Violation{{Rule: rules.Input, Message: why}}}, nil
	}
	return plan, err
}

// voidAlready says what to do where an event cannot be struck out because nothing of it stands; else nothing.
func voidAlready(t *liveCampaign, event uint64, err error) string {
	by, void := t.campaign.History.VoidedBy(event)
	if !void || !errors.Is(err, review.ErrNotCorrectable) {
		return ""
	}
	return fmt.Sprintf("#%d is struck out already, since #%d: nothing is left of it to strike out. Rule that what was "+
		"contested stands, which changes nothing, and say so in the reason; to bring #%d back, have #%d disputed and "+
		"struck out", event, by, event, by)
}

// acts finds what belongs together in a campaign at its head.
func (u *Umpire) acts(t *liveCampaign) *review.ActFinder {
	return review.NewActFinder(t.campaign.History, t.timeline.Event)
}

// LastBlocking gives the last event that revealed something: what came before it cannot be undone. Why says what it
// revealed.
func (u *Umpire) LastBlocking(id ulid.ULID) (e events.Event, why string, err error) {
	t, err := u.acquire(id)
	if err != nil {
		return e, "", err
	}
	defer t.mu.Unlock()
	blocking, why, err := u.acts(t).Blocking()
	if err != nil {
		return e, "", err
	}
	return *blocking, why, nil
}

// Undo takes back acts that revealed nothing: the one behind the event and all that came after it, the last one first.
// Undos that came after it stand, unless it is one itself. It is offered as far back as [Umpire.Undoables] goes, and no
// further.
func (u *Umpire) Undo(id ulid.ULID, event uint64, reason string) (Answer, error) {
	return u.undo(id, undo{Event: event, Reason: reason})
}

// UndoShown takes back as [Umpire.Undo] does what was shown when the campaign had so many events. If it has more by now
// it fails with [review.ErrOvertaken], and takes nothing back; an undo that was recorded then is answered as it was.
func (u *Umpire) UndoShown(id ulid.ULID, event uint64, reason string, after uint64) (Answer, error) {
	return u.undo(id, undo{Event: event, Reason: reason, after: after})
}

// UndoLast takes back the act behind the event as [Umpire.Undo] does, if it is the last but for undos: else it fails
// with [review.ErrOvertaken], and takes nothing back.
func (u *Umpire) UndoLast(id ulid.ULID, event uint64, reason string) (Answer, error) {
	return u.undo(id, undo{Event: event, Reason: reason, last: true})
}

// undo is what is taken back, as the record has it.
type undo struct {
	Event  uint64 `json:"event"`
	Reason string `json:"reason"`
	last   bool   // nothing else goes with it
	after  uint64 // the number of events that the campaign must have; 0 for any
}

// undoID names the undo that is recorded where a campaign has so many events.
func undoID(events uint64) string { return fmt.Sprintf("%s/%d", campaign.VerbUndo, events) }

func (u *Umpire) undo(id ulid.ULID, x undo) (Answer, error) {
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if err := review.Overtaken(x.after, t.campaign.Next); err != nil {
		return u.undoneThen(t, x, err)
	}
	if err := u.pin(t); err != nil {
		return Answer{}, err
	}
	a := u.acts(t)
	command := undoID(t.campaign.Next)
	drafts, violations, err := a.Undo(x.Event, x.Reason)
	if x.last && err == nil && len(drafts) > 1 {
		err = fmt.Errorf("%w: #%d is not the last act any more; look at what was recorded since", review.ErrOvertaken,
			x.Event)
	}
	if err != nil || len(violations) > 0 {
		return Answer{Command: command, Verdict: rules.Refused, Violations: violations}, err
	}
	return u.record(t, command, campaign.VerbUndo, x, drafts...)
}

// undoneThen gives again the answer to an undo that was recorded when the campaign had as many events as it names:
// there, or behind the rules that were stated first; or later, if the event is void by it. Any other is overtaken.
func (u *Umpire) undoneThen(t *liveCampaign, x undo, overtaken error) (Answer, error) {
	text, err := json.Marshal(map[string]any{campaign.VerbUndo: x})
	if err != nil {
		return Answer{}, err
	}
	ids := []string{undoID(x.after), undoID(x.after + 1)}
	if by, void := t.campaign.History.VoidedBy(x.Event); void {
		ids = append(ids, t.campaign.History.Command(by).ID)
	}
	for _, command := range ids {
		a, done, err := u.answered(t.campaign.ID, command, events.CommandDigest(t.secrets.First(), command, text))
		if done || err != nil && !errors.Is(err, journal.ErrEdited) {
			return a, err
		}
	}
	return Answer{}, overtaken
}
