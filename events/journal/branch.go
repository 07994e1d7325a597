package journal

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Branch is a journal of one campaign that goes on from a place in another journal: up to there its
// events are those of the other, which is only read; from there on they are kept in memory. The
// commands before the branching are not known, so they may be applied again. Sequences are counted in
// the branch alone. Its methods must not be called at the same time.
type Branch struct {
	from     Journal
	at       uint64 // number of events that are those of from
	campaign Campaign
	records  []events.Record  // from at on
	openings []events.Opening // by index and slot
	commands map[string]Answered
}

// ErrBranch: a branch belongs to no copy of a journal, and adopts nothing.
var ErrBranch = errors.New("a branch adopts nothing")

// NewBranch branches off from a campaign of a journal, behind its first at events.
func NewBranch(from Journal, campaign ulid.ULID, at uint64) (*Branch, error) {
	c, ok := from.Campaign(campaign)
	if !ok || at > c.Events {
		return nil, fmt.Errorf("%w: campaign %s has %d events, so nothing branches off behind %d", ErrConflict,
			campaign, c.Events, at)
	}
	c.Events, c.Head = at, events.Hash{}
	for r, err := range from.Walk(campaign, max(at, 1)-1, at) {
		if err != nil {
			return nil, err
		}
		c.Head = r.Hash()
	}
	return &Branch{from: from, at: at, campaign: c, commands: map[string]Answered{}}, nil
}

// Campaign gives the campaign, if that is its id.
func (b *Branch) Campaign(id ulid.ULID) (Campaign, bool) { return b.campaign, id == b.campaign.ID }

// Find gives the campaign, if that is its name or id.
func (b *Branch) Find(nameOrID string) (Campaign, bool) {
	return b.campaign, nameOrID == b.campaign.Name || nameOrID == b.campaign.ID.String()
}

// Command gives what became of a command that was applied since the branching.
func (b *Branch) Command(campaign ulid.ULID, id string) (Answered, bool, error) {
	a, found := b.commands[id]
	return a, found && campaign == b.campaign.ID, nil
}

// Confirm waits for nothing.
func (b *Branch) Confirm(ulid.ULID, string, Answered) error { return nil }

// Read gives records, first those of the other journal.
func (b *Branch) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return b.read(b.from.Read, campaign, from, to)
}

// Walk is Read for who keeps no bytes.
func (b *Branch) Walk(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return b.read(b.from.Walk, campaign, from, to)
}

func (b *Branch) read(
	before func(ulid.ULID, uint64, uint64) iter.Seq2[events.Record, error], campaign ulid.ULID, from, to uint64,
) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		if campaign != b.campaign.ID {
			return
		}
		to := min(to, b.campaign.Events)
		for r, err := range before(campaign, from, min(to, b.at)) {
			r.Sequence = r.Index + 1
			if !yield(r, err) || err != nil {
				return
			}
		}
		for i := max(from, b.at); i < to; i++ {
			if !yield(b.records[i-b.at], nil) {
				return
			}
		}
	}
}

// Openings gives openings, first those of the other journal.
func (b *Branch) Openings(campaign ulid.ULID, from, to uint64) ([]events.Opening, error) {
	if campaign != b.campaign.ID {
		return nil, nil
	}
	list, err := b.from.Openings(campaign, from, min(to, b.at))
	for _, o := range b.openings {
		if o.Index >= from && o.Index < to {
			list = append(list, o)
		}
	}
	return list, err
}

// Append adds a step.
func (b *Branch) Append(s Step) (Appended, error) {
	if err := s.Check(); err != nil {
		return Appended{}, err
	}
	if a, applied := b.commands[s.Command]; applied {
		return b.again(&s, a)
	}
	if s.Campaign != b.campaign.ID || s.Expected != b.campaign.Events {
		return Appended{}, fmt.Errorf("%w: the branch of campaign %s has %d events, and %d of %s were expected",
			ErrConflict, b.campaign.Name, b.campaign.Events, s.Expected, s.Campaign)
	}
	head, err := s.Follow(b.campaign.Head)
	if err != nil {
		return Appended{}, err
	}
	for i, x := range s.Events {
		n := s.Expected + uint64(i)
		b.records = append(b.records, events.Record{Sequence: n + 1, Campaign: s.Campaign, Index: n, Bytes: x.Bytes()})
	}
	opened := slices.SortedFunc(slices.Values(s.Openings), func(x, y events.Opening) int {
		return cmp.Or(cmp.Compare(x.Index, y.Index), cmp.Compare(x.Slot, y.Slot))
	})
	b.openings = append(b.openings, opened...)
	b.campaign.Events, b.campaign.Head = b.campaign.Events+uint64(len(s.Events)), head
	b.commands[s.Command] = Answered{Digest: s.Digest, First: s.Expected, Count: len(s.Events), Answer: s.Answer}
	return Appended{First: s.Expected, Count: len(s.Events), Sequence: s.Expected + 1, Head: head, Answer: s.Answer},
		nil
}

// again gives what became of a command that was applied before.
func (b *Branch) again(s *Step, a Answered) (Appended, error) {
	if a.Digest != s.Digest {
		return Appended{}, fmt.Errorf("%w: command %q of campaign %s", ErrEdited, s.Command, s.Campaign)
	}
	head := b.records[a.First+uint64(a.Count)-1-b.at].Hash()
	return Appended{First: a.First, Count: a.Count, Sequence: a.First + 1, Head: head, Answer: a.Answer,
		Replayed: true}, nil
}

// Adopt fails: see [ErrBranch].
func (b *Branch) Adopt([]events.Record, []Adopted) error { return ErrBranch }
