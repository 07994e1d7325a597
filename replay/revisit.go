package replay

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// revisited is an earlier command with all that it was judged on.
type revisited struct {
	command  rules.Command // as last corrected
	before   rules.Game    // with what was corrected in it since
	heard    []events.Event
	standing map[uint64]*events.Event // the last correction of an event, by its index
	known    openings
}

// revisit finds the command behind an event.
func (u *Umpire) revisit(t *table, index uint64) (*revisited, error) {
	id := t.campaign.ID
	if index >= t.campaign.Next {
		return nil, fmt.Errorf("%w: campaign %s has no event %d; its last is %d", ErrNotCorrectable, t.campaign.Name, index, t.campaign.Next-1)
	}
	command, err := u.commandBehind(id, index)
	if err != nil {
		return nil, err
	}
	w := &revisited{standing: map[uint64]*events.Event{}}
	corrections, last, err := u.collect(w, id, command)
	if err != nil {
		return nil, err
	}
	if len(w.heard) == 0 {
		return nil, fmt.Errorf("%w: event %d belongs to %q, which led to nothing yet", ErrNotCorrectable, index, command)
	}
	first := w.heard[0].Index
	if first == 0 {
		return nil, fmt.Errorf("%w: event %d belongs to the campaign's opening, which no entry asked for", ErrNotCorrectable, index)
	}
	before, _, err := u.fold(id, first)
	if err != nil {
		return nil, err
	}
	list, err := u.ledger.Openings(id, 0, Everything)
	if err != nil {
		return nil, err
	}
	w.before, w.known = before.Game, openingsOf(list)
	for _, e := range corrections {
		if e.Corrects < first {
			w.before = w.before.Evolve(e, nil)
		}
	}
	return w, w.read(last)
}

// collect gathers the events of a command's hearing. It gives every corrected event of the
// campaign, and the last correction of the command, nil for none.
func (u *Umpire) collect(w *revisited, id ulid.ULID, command string) (corrections []*events.Event, last *events.Event, err error) {
	for r, err := range u.ledger.Read(id, 0, Everything) {
		if err != nil {
			return nil, nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, nil, err
		}
		var p events.Corrected
		switch {
		case e.Read(&p):
			if p.Command == command {
				last = &e
			}
		case e.Corrects != 0:
			corrections = append(corrections, &e)
			w.standing[e.Corrects] = &e
		case e.Command == command && e.Request != "" && e.Type != "referred":
			w.heard = []events.Event{e}
		case len(w.heard) > 0 && (e.Command == command || answers(&e, w.heard)):
			w.heard = append(w.heard, e)
		}
	}
	return corrections, last, nil
}

// read reads the command back, as its last correction left it.
func (w *revisited) read(last *events.Event) error {
	own := openings{}
	for i := range w.heard {
		for _, o := range w.known.of(&w.heard[i]) {
			own[events.Ref{Index: o.Index, Slot: o.Slot}] = o
		}
	}
	c, err := commandOf(w.heard[0], own)
	if err != nil {
		return err
	}
	switch c.Verb {
	case verbAnswer, verbRule, verbReveal, verbDice, verbConfirm, verbEpoch, commandOpen:
		return fmt.Errorf("%w: %q is no entry with figures", ErrNotCorrectable, c.ID)
	}
	w.command = c
	if last == nil {
		return nil
	}
	var r Request
	if err := json.Unmarshal([]byte(last.Request), &r); err != nil {
		return fmt.Errorf("event %d: the recorded correction does not read: %w", last.Index, err)
	}
	w.command.Body = rules.Unseal(r.Entry, own.all())
	return nil
}

// answers reports whether e answers a question asked in a hearing.
func answers(e *events.Event, heard []events.Event) bool {
	var asked uint64
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ChoiceMade:
		asked = p.Asked
	case *events.DiceRolled:
		asked = p.Declared
	default:
		return false
	}
	return slices.ContainsFunc(heard, func(h events.Event) bool { return h.Index == asked })
}

// commandBehind names the command that an event belongs to: for a correction the command
// corrected, for dice the one that declared them, whoever confirmed them.
func (u *Umpire) commandBehind(id ulid.ULID, index uint64) (string, error) {
	for r, err := range u.ledger.Read(id, index, index+1) {
		if err != nil {
			return "", err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return "", err
		}
		var p events.Corrected
		var dice events.DiceRolled
		switch {
		case e.Corrects != 0:
			return u.commandBehind(id, e.Corrects)
		case e.Read(&dice) && dice.Declared < index:
			return u.commandBehind(id, dice.Declared)
		case e.Read(&p):
			return p.Command, nil
		}
		return e.Command, nil
	}
	return "", fmt.Errorf("no event %d", index)
}
