package ledger

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// audit looks at all entries of a record once, in the order of their keys, and finds out
// whether they are one: campaigns whose events decode and chain from 0 without holes, one
// sequence without holes, whose steps and turns are those of the events. It needs memory for
// every campaign, and none for an event.
type audit struct {
	ledger    ulid.ULID
	key       []byte // of the entry before
	campaigns map[ulid.ULID]*audited
	names     map[string]bool
	sequence  uint64 // of the last event that a step counts
	event     events.Event

	// Two kinds of entry that say the same in another order have the same sum of hashes.
	places uint64 // sequences of events, by records; less the same by steps
	turns  uint64 // turns, by events; less the same by their own entries
}

// audited is a campaign on the way.
type audited struct {
	Campaign
	sequence uint64 // of the last event
	turn     uint64
	reach    uint64 // the number of events that a command, opening or turn counts on
}

// counts notes that something counts on these events.
func (c *audited) counts(first, count uint64) {
	if first+count < first {
		first, count = math.MaxUint64, 0
	}
	c.reach = max(c.reach, first+count)
}

func newAudit(ledger ulid.ULID) *audit {
	return &audit{ledger: ledger, campaigns: map[ulid.ULID]*audited{}, names: map[string]bool{}}
}

// entry looks at the next one.
func (a *audit) entry(key, value []byte) error {
	if len(key) == 0 || bytes.Compare(key, a.key) <= 0 {
		return fmt.Errorf("%w: entry %q is out of order", ErrDamaged, key)
	}
	a.key = append(a.key[:0], key...)
	switch key[0] {
	case keyLedger:
		if len(key) != 1 || !bytes.Equal(value, a.ledger[:]) {
			return damaged(key)
		}
		return nil
	case keyStep:
		return a.step(key, value)
	}
	if len(key) < lenCampaignKey {
		return damaged(key)
	}
	id := ulid.ULID(key[1:])
	c := a.campaigns[id]
	if c == nil {
		c = &audited{Campaign: Campaign{ID: id}}
		a.campaigns[id] = c
	}
	switch key[0] {
	case keyCampaign:
		return a.campaign(c, key, value)
	case keyRecord:
		return a.record(c, key, value)
	case keyTurn:
		return a.turn(c, key, value)
	case keyCommand:
		k, err := readAnswered(key, value)
		c.counts(k.First, uint64(k.Count))
		return err
	case keyOpening:
		o, err := readOpening(key, value)
		c.counts(o.Index, 1)
		return err
	}
	return damaged(key)
}

func (a *audit) campaign(c *audited, key, value []byte) error {
	c.Name = string(value)
	if len(key) != lenCampaignKey || c.Name == "" || a.names[c.Name] {
		return damaged(key)
	}
	a.names[c.Name] = true
	return nil
}

func (a *audit) record(c *audited, key, value []byte) error {
	index, err := numberIn(key)
	if err != nil || len(key) != lenCampaignKey+8 || index != c.Events || len(value) < 8 ||
		sequenceOf(value) <= c.sequence {
		return damaged(key)
	}
	e := &a.event
	if err := events.DecodeInto(bytesOf(value), e); err != nil {
		return fmt.Errorf("%w: event %d of campaign %s: %w", ErrDamaged, index, c.ID, err)
	}
	if e.Campaign != c.ID || e.Index != index || e.Previous != c.Head {
		return fmt.Errorf("%w: event %d of campaign %s does not follow the one before", ErrDamaged, index, c.ID)
	}
	if index == 0 {
		if name, err := nameIn(e); err != nil || name != c.Name {
			return fmt.Errorf("%w: campaign %s is not named as its first event says", ErrDamaged, c.ID)
		}
	}
	if index == 0 || e.Turn.Ordinal > c.turn {
		c.turn = e.Turn.Ordinal
		a.turns += sumTurn(c.ID, Turn{Ordinal: c.turn, Label: e.Turn.Label, First: index})
	}
	c.sequence = sequenceOf(value)
	a.places += sumPlace(c.ID, index, c.sequence)
	c.Events, c.Head = index+1, events.LeafHash(bytesOf(value))
	return nil
}

func (a *audit) step(key, value []byte) error {
	s, first, err := readStep(key, value)
	if err != nil {
		return err
	}
	c := a.campaigns[s.campaign]
	if c == nil || first != a.sequence+1 || s.count == 0 ||
		uint64(s.count) > c.Events || s.first > c.Events-uint64(s.count) {
		return damaged(key)
	}
	for i := range uint64(s.count) {
		a.places -= sumPlace(s.campaign, s.first+i, first+i)
	}
	a.sequence += uint64(s.count)
	return nil
}

func (a *audit) turn(c *audited, key, value []byte) error {
	t, err := readTurn(key, value)
	if err != nil || len(key) != lenCampaignKey+8 {
		return damaged(key)
	}
	a.turns -= sumTurn(c.ID, t)
	return nil
}

func sumPlace(campaign ulid.ULID, index, sequence uint64) uint64 {
	return maphash.Comparable(hashSeed, struct {
		campaign        ulid.ULID
		index, sequence uint64
	}{campaign, index, sequence})
}

func sumTurn(campaign ulid.ULID, t Turn) uint64 {
	return maphash.Comparable(hashSeed, struct {
		campaign ulid.ULID
		turn     Turn
	}{campaign, t})
}

// end gives the checkpoint of the record, if it is one.
func (a *audit) end() (Checkpoint, error) {
	c := Checkpoint{Ledger: a.ledger, Sequence: a.sequence}
	var total uint64
	for _, g := range a.campaigns {
		if g.Events == 0 || g.reach > g.Events {
			return c, fmt.Errorf("%w: campaign %s has %d events", ErrDamaged, g.ID, g.Events)
		}
		total += g.Events
		c.Campaigns = append(c.Campaigns, g.Campaign)
	}
	if total != a.sequence || a.places != 0 {
		return c, fmt.Errorf("%w: the steps are not those of the events", ErrDamaged)
	}
	if a.turns != 0 {
		return c, fmt.Errorf("%w: the turns are not those of the events", ErrDamaged)
	}
	slices.SortFunc(c.Campaigns, func(a, b Campaign) int { return a.ID.Compare(b.ID) })
	return c, nil
}
