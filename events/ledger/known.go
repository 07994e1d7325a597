package ledger

import (
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
)

// checkKnown checks what is known of commands against the events, those to adopt included,
// and picks what is not here yet.
func (a *adoption) checkKnown(known []Adopted) error {
	for i := range known {
		k := &known[i]
		s := a.stands[k.Campaign]
		if k.Command == "" && len(k.Openings) == 0 {
			return fmt.Errorf("%w: nothing is known of a command of campaign %s", ErrStep, k.Campaign)
		}
		if k.Command != "" {
			if err := a.checkCommand(s, k); err != nil {
				return err
			}
		}
		for _, o := range k.Openings {
			if err := a.checkOpening(s, o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *adoption) checkCommand(s *stand, k *Adopted) error {
	if len(k.Command) > journal.MaxCommand || k.Count < 1 || k.First >= s.next || uint64(k.Count) > s.next-k.First {
		return fmt.Errorf("%w: command %.40q with events %d and %d after it, in campaign %s of %d events",
			ErrStep, k.Command, k.First, k.Count-1, k.Campaign, s.next)
	}
	here, found, err := a.ledger.answered(k.Campaign, k.Command)
	if err != nil {
		return err
	}
	key := string(commandKey(k.Campaign, k.Command))
	if c, twice := a.commands[key]; twice {
		here, found = c.answered, true
	}
	if !found {
		a.commands[key] = command{s.campaign, k.Command, k.Answered}
		return nil
	}
	contents := here.Digest == k.Digest || here.Digest.IsZero() || k.Digest.IsZero()
	if here.First != k.First || here.Count != k.Count || !contents {
		return fmt.Errorf("%w: command %q of campaign %s is another here", ErrFork, k.Command, k.Campaign)
	}
	return nil
}

func (a *adoption) checkOpening(s *stand, o events.Opening) error {
	e, err := a.event(s, o.Index)
	if err != nil {
		return err
	}
	if e == nil || !journal.Commits(e, o.Slot) {
		return fmt.Errorf("%w: an opening of slot %q at %d of campaign %s, where nothing is committed",
			ErrStep, o.Slot, o.Index, s.id)
	}
	key := openingKey(s.id, &o)
	here, found := a.openings[string(key)]
	if !found {
		here.opening, found, err = a.ledger.opening(key)
	}
	if err == nil && !found {
		a.openings[string(key)] = opening{s.campaign, o}
	} else if err == nil && here.opening != o {
		err = fmt.Errorf("%w: the opening of slot %q at %d of campaign %s is another here",
			ErrFork, o.Slot, o.Index, s.id)
	}
	return err
}

// opening reads an opening's entry.
func (l *Ledger) opening(key []byte) (o events.Opening, found bool, err error) {
	err = l.get(key, func(value []byte) error {
		o, err = readOpening(key, value)
		return err
	})
	if errors.Is(err, pebble.ErrNotFound) {
		return o, false, nil
	}
	return o, err == nil, err
}

// event gives the event at index, to adopt or here already; nil if there is none.
func (a *adoption) event(s *stand, index uint64) (*events.Event, error) {
	if index >= s.next {
		return nil, nil
	}
	if first := s.next - uint64(len(s.places)); index >= first {
		return &a.decoded[s.places[index-first]], nil
	}
	var e events.Event
	err := a.ledger.get(numberKey(keyRecord, s.id, index), func(value []byte) error {
		if len(value) < 8 {
			return fmt.Errorf("%w: event %d of campaign %s", ErrDamaged, index, s.id)
		}
		return events.DecodeInto(bytesOf(value), &e)
	})
	return &e, err
}
