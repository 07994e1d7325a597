package review

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// priorCommand is a recorded command with the inputs of its judgment.
type priorCommand struct {
	campaign *campaign.Campaign // at its head
	secrets  keys.Secrets       // zero where only the record is known
	drawn    rehear.Drawn

	event    history.Reader  // reads the record
	command  rules.Command   // as last corrected
	recorded json.RawMessage // its entry as the record has it, secrets sealed
	before   rules.Game      // with what was corrected in it since
	begins   uint64          // the place where it begins
	here     []*events.Event // what counts there before it
	heard    []events.Event
	standing map[uint64]*events.Event // what was corrected of them, as it counts, by its index
	history  history.View             // by which it counts
	then     history.View             // by which it counted last: the same, but for a command that is void
	void     uint64                   // the event by which it does not count any more; 0 if it counts
	stood    int                      // how many of the events of one that is void stand all the same
	known    campaign.Openings
	kept     campaign.Decisions
	trial    bool         // what was done to it is heard again: what is sealed to whoever hears it need not be known
	sealed   []events.Ref // that it rests on, and that are not open
	warnings []string     // of the entry as it was judged last: see [rules.Hearing.Warn]
}

// prior finds the command behind an event.
func (h Reviewer) prior(index uint64) (*priorCommand, error) {
	c := h.Campaign
	if index >= c.Next {
		return nil, fmt.Errorf("%w: campaign %s has no event %d; its last is %d", ErrNotCorrectable, c.Name, index,
			c.Next-1)
	}
	w, err := lookBack(h.Timeline, c, c.History, index)
	if err == nil {
		w.secrets, w.drawn = h.Secrets, h.Drawn
	}
	return w, err
}

// Entry gives the entry of the command behind an event, as it was corrected last.
func (h Reviewer) Entry(event uint64) (json.RawMessage, error) {
	w, err := h.prior(event)
	if err != nil {
		return nil, err
	}
	return w.command.Body, nil
}

// Rolled reports whether dice were thrown for the command behind an event.
func (h Reviewer) Rolled(event uint64) (bool, error) {
	w, err := h.prior(event)
	return err == nil && slices.ContainsFunc(w.heard,
		func(e events.Event) bool { return e.Type == "dice_rolled" }), err
}

// CorrectedTo reports whether a command, of which an event was the first, counts with the entry given.
func CorrectedTo(t *campaign.Timeline, c *campaign.Campaign, first uint64, as rules.Command) bool {
	w, err := recall(t, c, c.History, first)
	return err == nil && w.void == 0 && w.command.Verb == as.Verb && rehear.SameEntry(w.command.Body, as.Body)
}

// lookBack finds the command behind an event, as it counts in a view, with the game before it.
func lookBack(t *campaign.Timeline, c *campaign.Campaign, v history.View, index uint64) (*priorCommand, error) {
	w, err := recall(t, c, v, index)
	if err != nil {
		return nil, err
	}
	return w, startOf(t, w, nil)
}

// recall finds the command behind an event, as it counts in a view, or as it counted before it was voided. The game
// before it is not among what is found.
func recall(t *campaign.Timeline, c *campaign.Campaign, v history.View, index uint64) (*priorCommand, error) {
	if index >= v.Len() {
		return nil, errNoEvent(index)
	}
	command := v.Command(index)
	if t.Decided == nil {
		t.Decided = campaign.Decisions{}
	}
	w := &priorCommand{
		campaign: c, event: t.Event, standing: map[uint64]*events.Event{}, history: v, then: v,
		known: campaign.Openings{},
		kept:  t.Decided,
	}
	by, err := takenOut(t, command, v)
	if err != nil {
		return nil, err
	}
	if w.void = by; by != 0 {
		w.then = v.At(by)
	}
	last, err := lastCorrection(t, command, w.then)
	if err != nil {
		return nil, err
	}
	if err := gatherHearing(t, command, w.then, w); err != nil {
		return nil, err
	}
	if len(w.heard) == 0 {
		return nil, errNothingStands(v, index, command.ID)
	}
	if err := checkPlay(&w.heard[0], index, w.heard[0].Command); err != nil {
		return nil, err
	}
	for w.void != 0 && w.stood < len(w.heard) && v.Stands(w.heard[w.stood].Index) {
		w.stood++
	}
	return w, w.read(last)
}

// errNoEvent refuses an event that is not recorded.
func errNoEvent(index uint64) error {
	return fmt.Errorf("%w: there is no event %d yet", ErrNotCorrectable, index)
}

// errNothingStands says why there is nothing to correct or void where an event's command has no event that stands.
func errNothingStands(v history.View, index uint64, command string) error {
	if by, void := v.VoidedBy(index); void {
		return fmt.Errorf("%w: event %d does not stand any more, since #%d", ErrNotCorrectable, index, by)
	}
	return fmt.Errorf("%w: event %d belongs to %q, which led to nothing yet", ErrNotCorrectable, index, command)
}

// checkPlay refuses a command, by its first event, that is no entry of play; index is the event that was named.
func checkPlay(first *events.Event, index uint64, command string) error {
	switch {
	case first.Index == 0:
		return fmt.Errorf("%w: event %d belongs to the campaign's opening, which no entry asked for", ErrNotCorrectable,
			index)
	case first.Type == "edition_moved":
		return fmt.Errorf("%w: event %d moved the campaign to another edition; move it again instead",
			ErrNotCorrectable, index)
	case !campaign.IsPlayVerb(campaign.RequestIn(first).Verb):
		return fmt.Errorf("%w: %q is no entry with figures", ErrNotCorrectable, command)
	}
	return nil
}

// lastCorrection gives the head of the last correction of a command that stands, nil for none.
func lastCorrection(t *campaign.Timeline, command history.Command, v history.View) (last *events.Event, err error) {
	for _, i := range command.Changes {
		if !v.Stands(i) {
			continue
		}
		e, err := t.Event(i)
		if err != nil {
			return nil, err
		}
		if e.Type == "corrected" {
			last = e
		}
	}
	return last, nil
}

// gatherHearing gathers what stands of a command, with the answers that it was given. A command that was referred
// begins again behind the ruling.
func gatherHearing(t *campaign.Timeline, command history.Command, v history.View, w *priorCommand) error {
	places := slices.Clone(command.Events)
	begins, before := uint64(0), []*events.Event(nil) // the place where it begins, and what counts there before it
	for n := 0; n < len(places); n++ {
		if _, elsewhere := v.Target(history.Replaces, places[n]); elsewhere {
			continue
		}
		var here []*events.Event
		for e, err := range v.InPlaceOf(places[n], t.Event) {
			if err != nil {
				return err
			}
			own := e.Command == command.ID
			if own && e.Request != "" && e.Type != "referred" {
				w.heard, begins, before = nil, places[n], slices.Clone(here)
			} else if len(w.heard) == 0 || !own && !answers(e.Event, w.heard) {
				here = append(here, e.Event)
				continue
			}
			here = append(here, e.Event)
			if err := w.hear(t, e); err != nil {
				return err
			}
			places = answersTo(e.Index, v, places)
		}
	}
	w.begins, w.here = begins, before
	return nil
}

// startOf folds the game before a command that is looked back on, without some corrections.
func startOf(t *campaign.Timeline, w *priorCommand, without []uint64) (err error) {
	w.before, err = beforeWithout(t, without, w.history, w.begins)
	for i := 0; i < len(w.here) && err == nil; i++ {
		w.before, err = t.Evolve(w.before, w.here[i])
	}
	return err
}

// hear adds an event to those heard: as it was recorded, and as it counts.
func (w *priorCommand) hear(t *campaign.Timeline, e history.Effective) error {
	own := *e.Event
	if len(e.Was) > 0 {
		was, err := t.Event(e.Index)
		if err != nil {
			return err
		}
		own.Payload, own.Derivation, own.Side = was.Payload, was.Derivation, was.Side
		w.standing[e.Index] = e.Event
	}
	w.heard = append(w.heard, own)
	known, err := t.Opened(&own)
	w.known.Add(known...)
	return err
}

// answersTo adds the places of the answers to an event to ascending places.
func answersTo(index uint64, v history.View, places []uint64) []uint64 {
	for _, i := range slices.Concat(v.Sources(history.Question, index), v.Sources(history.Roll, index)) {
		if at, there := slices.BinarySearch(places, i); !there {
			places = slices.Insert(places, at, i)
		}
	}
	return places
}

// read reads the command back, as its last correction left it.
func (w *priorCommand) read(last *events.Event) error {
	own := w.known.Own(w.heard)
	c, err := campaign.CommandOf(w.heard[0], own)
	if err != nil {
		return err
	}
	w.command, w.recorded = c, campaign.RequestIn(&w.heard[0]).Entry
	if last == nil {
		return nil
	}
	var r campaign.Request
	if err := json.Unmarshal([]byte(last.Request), &r); err != nil {
		return fmt.Errorf("event %d: the recorded correction does not read: %w", last.Index, err)
	}
	w.command.Body, w.recorded = rules.Unseal(r.Entry, own.All()), r.Entry
	return nil
}

// answers reports whether e answers a question asked in a hearing.
func answers(e *events.Event, heard []events.Event) bool {
	asked, ok := rehear.Answered(e)
	return ok && slices.ContainsFunc(heard, func(h events.Event) bool { return h.Index == asked })
}
