package seatfile

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// record is a player's own copy of the campaign's events, in memory.
type record struct {
	events [][]byte
	size   int // of their bytes
	tree   tree.Tree
}

// What a host may bring, who is not believed: events in a page, and bytes in all.
const (
	mostOfPage   = 4096
	mostOfRecord = 1 << 30
)

// copyUpTo brings the copy up to a checkpoint, which has to hold all of it.
func (s *Seat) copyUpTo(ctx context.Context, head tree.Checkpoint) error {
	r := s.record
	for uint64(len(r.events)) < head.Events {
		var page api.RecordPage
		q := url.Values{"from": {strconv.Itoa(len(r.events))}}
		if err := s.client.Query(ctx, &page, q, "campaigns", s.Campaign, "record"); err != nil {
			return err
		}
		if len(page.Events) == 0 || len(page.Events) > mostOfPage {
			return problem.New(problem.Unverified, "the host's record ends at #%d, and its checkpoint has %d events",
				len(r.events), head.Events)
		}
		for _, b := range page.Events {
			if r.size += len(b); r.size > mostOfRecord {
				s.record = &record{}
				return problem.New(problem.Unverified, "the host's record has more than %d bytes: no campaign was "+
					"ever played that long", mostOfRecord)
			}
			r.events = append(r.events, b)
			r.tree.Add(events.LeafHash(b))
		}
	}
	root, err := r.tree.Root(head.Events)
	if err == nil && root != head.Root {
		s.record = &record{}
		err = problem.New(problem.Unverified, "the host's events are not those of its checkpoint of %d events",
			head.Events)
	}
	return err
}

// stored gives the events of the copy, up to a checkpoint.
func (r *record) stored(upTo uint64) campaign.Records {
	return func(from, to uint64) iter.Seq2[events.Record, error] {
		return func(yield func(events.Record, error) bool) {
			for i := from; i < min(to, upTo, uint64(len(r.events))); i++ {
				e, err := events.Decode(r.events[i])
				if !yield(events.Record{Sequence: i + 1, Campaign: e.Campaign, Index: i, Bytes: r.events[i]}, err) {
					return
				}
			}
		}
	}
}

// Export makes a file of the campaign as this player saw it last: his own copy, which anybody checks without the host.
func (s *Seat) Export(ctx context.Context) (file []byte, head tree.Checkpoint, err error) {
	err = s.locked(func() error {
		if head, err = s.see(ctx); err != nil {
			return err
		}
		if err := s.copyUpTo(ctx, head); err != nil {
			return err
		}
		f, opened, err := bundle.Gather(bundle.Public, s.record.stored(head.Events)(0, head.Events))
		if err != nil {
			return err
		}
		at := slices.IndexFunc(all.Systems(), func(x rules.System) bool { return x.Name == opened.System })
		for i := range all.Systems() {
			for _, e := range all.Systems()[i].Editions {
				if i == at && slices.Contains(f.Header.Editions, e.Hash) {
					f.Editions = append(f.Editions, e.Text)
				}
			}
		}
		f.Lacks = f.Missing()
		f.Signed = bundle.Signed{Key: s.ledger.String(), Note: s.Head}
		file = f.Encode()
		return nil
	})
	return file, head, err
}

// fold folds the player's copy, with all that he knows.
func (s *Seat) fold(ctx context.Context, head tree.Checkpoint) (*campaign.Timeline, error) {
	if err := s.copyUpTo(ctx, head); err != nil {
		return nil, err
	}
	l := campaign.Library{Systems: map[string]rules.System{}, Board: noBoard, Games: &campaign.Games{}}
	for _, x := range all.Systems() {
		l.Systems[x.Name] = x
	}
	own, err := s.openings(head)
	if err != nil {
		return nil, err
	}
	t := campaign.NewTimeline(l, s.record.stored(head.Events), func(uint64, uint64) (campaign.Openings, error) {
		return own, nil
	})
	return t, t.Extend(head.Events, nil)
}

var errBoard = errors.New("a player's copy has no board")

func noBoard(b events.Board) ([]rules.BoardFile, error) {
	if len(b.Files) > 0 {
		return nil, errBoard
	}
	return nil, nil
}

// Secret is a fact that the player committed to, by the command and slot, and the salt.
type Secret struct {
	Command string      `json:"command"`
	Slot    string      `json:"slot"`
	Salt    events.Hash `json:"salt"`
	Fact    string      `json:"fact"`
}

// remembers keeps what a command seals.
func (s *Seat) remembers(command string, opened []events.Opening) {
	for _, o := range opened {
		s.Secrets = append(s.Secrets, Secret{command, o.Slot, o.Salt, o.Fact})
	}
}

// openings finds, in the player's copy, what his secrets open.
func (s *Seat) openings(head tree.Checkpoint) (campaign.Openings, error) {
	own := campaign.Openings{}
	for r, err := range s.record.stored(head.Events)(0, head.Events) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event #%d: %w", r.Index, err)
		}
		own.Add(e.Openings...)
		for _, k := range e.Commitments {
			place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
			for _, x := range s.Secrets {
				if x.Command == e.Command && x.Slot == k.Slot && events.Opens(k.Hash, place, x.Salt, x.Fact) {
					own.Add(events.Opening{Index: e.Index, Slot: k.Slot, Salt: x.Salt, Fact: x.Fact})
				}
			}
		}
	}
	return own, nil
}
