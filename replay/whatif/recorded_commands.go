package whatif

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// recordedCommands is a record from one of its commands on, read back as what was put to the umpire.
type recordedCommands struct {
	from   uint64
	events []events.Event // from there on
	known  campaign.Openings
	steps  []recordedCommand // in the order in which they were heard
	begins map[string]int    // which of them each command began with
}

// recordedCommand is a command and the events that were recorded with it.
type recordedCommand struct {
	command rules.Command
	heard   []events.Event
	request json.RawMessage // as recorded
	leftOut bool            // it is not to be heard
	changed bool            // its entry is another than the record's
}

// first is the index of its first event.
func (s *recordedCommand) first() uint64 { return s.heard[0].Index }

// readCommands reads a campaign from an event on, up to the end of a view, with the umpire's openings.
func readCommands(j journal.Journal, id ulid.ULID, from uint64, v history.View) (*recordedCommands, error) {
	list, err := j.Openings(id, 0, campaign.Everything)
	if err != nil {
		return nil, err
	}
	r := &recordedCommands{from: from, known: campaign.OpeningsOf(list)}
	if r.events, err = campaign.DecodeAll(j.Read(id, from, v.Len())); err != nil {
		return nil, err
	}
	return r, r.split(v)
}

// split tells the commands apart: each begins with the first event that carries its request. One
// that was referred comes again within the step of the ruling, also where it was referred before.
func (r *recordedCommands) split(v history.View) error {
	begun, own := map[string]bool{}, map[string][]events.Opening{}
	for i := range r.events {
		e := &r.events[i]
		if e.Request != "" && !begun[e.Command] && v.Step(e.Index).First() >= r.from {
			begun[e.Command] = true
			r.steps = append(r.steps, recordedCommand{heard: r.events[i:i:len(r.events)]})
		}
		if len(r.steps) == 0 {
			return fmt.Errorf("event %d: no command led to it", e.Index)
		}
		last := &r.steps[len(r.steps)-1]
		last.heard = last.heard[:len(last.heard)+1]
		opened := r.known.Of(e)
		if len(opened) < len(e.Commitments) {
			return fmt.Errorf("%w: what #%d seals is not in this ledger, and a campaign is played again from all "+
				"that its umpire knows",
				ErrChange, e.Index)
		}
		own[e.Command] = append(own[e.Command], opened...)
	}
	r.begins = make(map[string]int, len(r.steps))
	for i := range r.steps {
		if err := r.steps[i].read(own); err != nil {
			return err
		}
		r.begins[r.steps[i].command.ID] = i // each is begun once
	}
	return nil
}

// read reads the command back, with its secrets.
func (s *recordedCommand) read(own map[string][]events.Opening) error {
	e := s.heard[0]
	var request campaign.Request
	if err := json.Unmarshal([]byte(e.Request), &request); err != nil {
		return fmt.Errorf("event %d: the recorded command does not read: %w", e.Index, err)
	}
	s.request = request.Entry
	s.command = rules.Command{ID: e.Command, Seat: e.Seat, Verb: request.Verb,
		Body: rules.Unseal(request.Entry, own[e.Command])}
	switch request.Verb {
	case campaign.VerbDice, campaign.VerbConfirm: // the umpire typed for a seat
		var by struct{ By string }
		if json.Unmarshal(s.command.Body, &by) == nil && by.By != "" {
			s.command.Seat = campaign.UmpireSeat
		}
	}
	return nil
}

// at gives the event with an index.
func (r *recordedCommands) at(index uint64) (*events.Event, bool) {
	if index < r.from || index-r.from >= uint64(len(r.events)) {
		return nil, false
	}
	return &r.events[index-r.from], true
}

// stepOf gives the step that an event was recorded in.
func (r *recordedCommands) stepOf(index uint64) (*recordedCommand, int) {
	i, found := slices.BinarySearchFunc(r.steps, index, func(s recordedCommand, index uint64) int {
		switch {
		case s.first() > index:
			return 1
		case s.first()+uint64(len(s.heard)) <= index:
			return -1
		}
		return 0
	})
	if !found {
		return nil, 0
	}
	return &r.steps[i], i
}

// begun gives the step that a command began with.
func (r *recordedCommands) begun(command string) (*recordedCommand, bool) {
	i, ok := r.begins[command]
	if !ok {
		return nil, false
	}
	return &r.steps[i], true
}

// errNotThere says that what a command is about did not happen.
var errNotThere = errors.New("what it is about does not happen")
