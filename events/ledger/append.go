package ledger

import (
	"errors"
	"fmt"
	"hash/maphash"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// pending is a step that was gathered and is not known to be durable yet.
type pending struct {
	digest   events.Hash
	appended Appended
	group    *group
	leads    bool
}

// Append writes a step as a whole and returns when it is durable. A command that was applied
// before is answered as it was then, whatever else the step says; with another digest it is
// [ErrEdited]. Otherwise it fails with [ErrConflict], [ErrNameTaken] or [ErrStep], with
// [ErrReadOnly], because the record is under repair or because the guard forbids it, and nothing was
// written; or with [ErrFailed]: then the step is kept whole or not at all, and the same command will
// tell after a restart; or with [ErrUnconfirmed]: then it is kept, and the same command will tell as
// soon as the guard confirms it.
func (l *Ledger) Append(s Step) (Appended, error) {
	a, err := l.append(&s)
	if err != nil {
		return Appended{}, err
	}
	if err := l.confirm(s.Campaign, s.Command, a.Sequence, a.Sequence+uint64(a.Count)-1); err != nil {
		return Appended{}, err
	}
	return a, nil
}

// append writes a step and returns when it is durable.
func (l *Ledger) append(s *Step) (Appended, error) {
	began := time.Now()
	if err := s.Check(); err != nil {
		return Appended{}, err
	}
	if err := l.barred(); err != nil {
		return Appended{}, err
	}
	if err := l.enter(); err != nil {
		return Appended{}, err
	}
	defer l.leave()
	c, err := l.campaignFor(s)
	if err != nil {
		return Appended{}, err
	}
	c.mu.Lock()
	p, err := l.gather(c, s)
	c.mu.Unlock()
	if err != nil {
		return Appended{}, err
	}
	if p.group == nil {
		return p.appended, nil // durable long since
	}
	if p.leads { // in a goroutine of its own: where the disk refuses, Pebble may never come back
		l.leading.Go(func() { l.lead(p.group) })
	}
	if err := l.await(p.group); err != nil {
		return Appended{}, err
	}
	if !p.appended.Replayed {
		c.mu.Lock()
		delete(c.pending, s.Command)
		c.mu.Unlock()
		l.opts.Appended(p.appended.Count, time.Since(began))
	}
	return p.appended, nil
}

// campaignFor finds the step's campaign; it makes one for a step that may open it.
func (l *Ledger) campaignFor(s *Step) (*campaign, error) {
	l.gathering.Lock()
	defer l.gathering.Unlock()
	if c := l.campaigns[s.Campaign]; c != nil {
		return c, nil
	}
	if s.Expected != 0 {
		return nil, fmt.Errorf("%w: campaign %s has no events, and %d were expected",
			ErrConflict, s.Campaign, s.Expected)
	}
	c := &campaign{id: s.Campaign, pending: map[string]*pending{}}
	l.campaigns[c.id] = c
	return c, nil
}

// gather checks the step and adds it to the open group. c.mu is held: within a campaign the
// order of checks is the order of events.
func (l *Ledger) gather(c *campaign, s *Step) (*pending, error) {
	if p := c.pending[s.Command]; p != nil {
		if p.digest != s.Digest {
			return nil, edited(s)
		}
		again := *p
		again.leads, again.appended.Replayed = false, true
		return &again, nil
	}
	// What is not pending is durable or was never gathered.
	if p, err := l.replay(c, s); p != nil || err != nil {
		return p, err
	}
	if s.Expected != c.next {
		return nil, fmt.Errorf("%w: campaign %s has %d events, and %d were expected",
			ErrConflict, c.name, c.next, s.Expected)
	}
	head, err := s.Follow(c.head)
	if err != nil {
		return nil, err
	}
	p := &pending{digest: s.Digest, appended: Appended{
		First: s.Expected, Count: len(s.Events), Head: head, Answer: s.Answer,
	}}
	turn, err := l.join(c, s, p)
	if err != nil {
		return nil, err
	}
	c.next, c.head, c.turn = s.Expected+uint64(len(s.Events)), head, turn
	c.pending[s.Command] = p
	c.known[maphash.String(hashSeed, s.Command)] = struct{}{}
	return p, nil
}

// replay gives what became of the command, if it was applied.
func (l *Ledger) replay(c *campaign, s *Step) (*pending, error) {
	known, err := l.knows(c, s.Command)
	if err != nil || !known {
		return nil, err
	}
	a, found, err := l.answered(c.id, s.Command)
	if err != nil || !found {
		return nil, err
	}
	if a.Digest != s.Digest && !a.Digest.IsZero() { // the contents of an adopted command may be unknown
		return nil, edited(s)
	}
	p := &pending{appended: Appended{First: a.First, Count: a.Count, Answer: a.Answer, Replayed: true}}
	err = l.get(numberKey(keyRecord, c.id, a.First), func(value []byte) error {
		p.appended.Sequence = sequenceOf(value)
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = l.get(numberKey(keyRecord, c.id, a.First+uint64(a.Count)-1), func(value []byte) error {
		p.appended.Head = events.LeafHash(bytesOf(value))
		return nil
	})
	return p, err
}

var hashSeed = maphash.MakeSeed()

// knows reports whether the campaign may have had the command: false is certain. Nearly every
// command is new, and to ask Pebble for a key that is not there costs more than all else in
// an append. The first append after an Open reads the campaign's command ids.
func (l *Ledger) knows(c *campaign, command string) (bool, error) {
	if c.known == nil {
		known := map[uint64]struct{}{}
		err := l.scan(campaignKey(keyCommand, c.id), func(key, _ []byte) (bool, error) {
			known[maphash.Bytes(hashSeed, key[lenCampaignKey:])] = struct{}{}
			return true, nil
		})
		if err != nil {
			return false, err
		}
		c.known = known
	}
	_, may := c.known[maphash.String(hashSeed, command)]
	return may, nil
}

func edited(s *Step) error {
	return fmt.Errorf("%w: command %q of campaign %s", ErrEdited, s.Command, s.Campaign)
}

// write adds the entries of a step to batch. It gives the campaign's turn after the step.
func (p *pending) write(batch *pebble.Batch, c *campaign, s *Step) uint64 {
	turn := c.turn
	for i, x := range s.Events {
		e := x.Event()
		putRecord(batch, c.id, e.Index, p.appended.Sequence+uint64(i), x.Bytes())
		if e.Index == 0 || e.Turn.Ordinal > turn {
			turn = e.Turn.Ordinal
			putTurn(batch, c.id, Turn{Ordinal: turn, Label: e.Turn.Label, First: e.Index})
		}
	}
	for i := range s.Openings {
		putOpening(batch, c.id, &s.Openings[i])
	}
	if s.Expected == 0 {
		putCampaign(batch, c.id, c.name)
	}
	putStep(batch, p.appended.Sequence, step{campaign: c.id, first: s.Expected, count: uint32(len(s.Events))})
	putCommand(batch, c.id, s.Command, &Answered{
		Digest: s.Digest, First: s.Expected, Count: len(s.Events), Answer: s.Answer,
	})
	return turn
}

// answered reads a command's entry, durable or not.
func (l *Ledger) answered(campaign ulid.ULID, id string) (a Answered, found bool, err error) {
	key := commandKey(campaign, id)
	err = l.get(key, func(value []byte) error {
		a, err = readAnswered(key, value)
		return err
	})
	if errors.Is(err, pebble.ErrNotFound) {
		return a, false, nil
	}
	return a, err == nil, err
}

// get gives read the value of key, good until read returns.
func (l *Ledger) get(key []byte, read func(value []byte) error) error {
	value, closer, err := l.db.Get(key)
	if err != nil {
		return unread(err)
	}
	return errors.Join(read(value), closer.Close())
}
