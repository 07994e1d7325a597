package replay_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// rehashed puts an event in the place of another and ties all behind it anew.
func rehashed(t testing.TB, f *bundle.File, i int, e events.Event) *bundle.File {
	t.Helper()
	out := *f
	out.Events = slices.Clone(f.Events)
	out.Events[i] = e.Encode()
	for j := i + 1; j < len(out.Events); j++ {
		next, err := events.Decode(out.Events[j])
		if err != nil {
			t.Fatal(err)
		}
		next.Previous = events.LeafHash(out.Events[j-1])
		out.Events[j] = next.Encode()
	}
	out.Header.Head = events.LeafHash(out.Events[len(out.Events)-1])
	return &out
}

// stepEnd is where the step ends that the last of the first upTo events belongs to: no file is cut within one.
func (c *harness) stepEnd(upTo uint64) uint64 {
	all := c.all()
	for upTo < uint64(len(all)) && (all[upTo].Request == "" || all[upTo].Command == all[upTo-1].Command) {
		upTo++
	}
	return upTo
}

// file is the campaign's first events for a reader, with what he may know of them.
func (c *harness) fileFor(reader string, upTo uint64) *bundle.File {
	c.t.Helper()
	now := c.now()
	f := &bundle.File{Header: bundle.Header{
		Campaign: c.id.ID, Name: c.id.Name, System: now.System.Name, Events: upTo, For: reader,
	}}
	owner := map[uint64]string{}
	for _, r := range c.records(0, upTo) {
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		var opened events.CampaignOpened
		if e.Read(&opened) {
			f.Header.Edition = opened.Edition
		}
		var moved events.EditionMoved
		e.Read(&moved)
		for _, edition := range []events.Hash{e.Edition, moved.Hash} {
			if !edition.IsZero() && !slices.Contains(f.Header.Editions, edition) {
				f.Header.Editions = append(f.Header.Editions, edition)
			}
		}
		owner[e.Index] = e.Side
		f.Events, f.Header.Head = append(f.Events, r.Bytes), r.Hash()
	}
	for _, e := range now.System.Editions {
		if slices.Contains(f.Header.Editions, e.Hash) {
			f.Editions = append(f.Editions, e.Text)
		}
	}
	for _, b := range c.board {
		f.Boards = append(f.Boards, b.Data)
	}
	if reader == bundle.Public {
		return f
	}
	sides := now.Sides
	if reader != bundle.Umpire {
		sides = []string{reader}
	}
	list, err := c.ledger.Openings(c.id.ID, 0, upTo)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, o := range list {
		if reader == bundle.Umpire || owner[o.Index] == reader {
			f.Openings = append(f.Openings, o)
		}
	}
	if f.Links, err = c.umpire.DrawLinks(c.id.ID, upTo, sides); err != nil {
		c.t.Fatal(err)
	}
	return f
}

// verified checks a file and hears its commands again: what is found wrong, and the events that rest on what is sealed.
func (c *harness) verified(f *bundle.File) (findings []string, unheld []uint64) {
	c.t.Helper()
	r := f.Check(bundle.Options{})
	for _, x := range r.Findings {
		findings = append(findings, fmt.Sprintf("%v %s: %s (recorded %s, derived %s)", x.Event, x.Field, x.Message,
			x.Recorded, x.Derived))
	}
	var list []events.Event
	for _, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			c.t.Fatal(err)
		}
		list = append(list, e)
	}
	trial := review.Trial{
		Systems: slices.Concat(c.systems, every), Board: func(events.Board) ([]rules.BoardFile, error) {
			return c.board, nil
		},
		Records: chained(list), Events: uint64(len(list)), Openings: f.Openings, Link: linksIn(f),
	}
	err := trial.Hear(func(h review.Heard) error {
		for _, x := range h.Findings {
			findings = append(findings, x.String())
		}
		unheld = append(unheld, h.Uncertain...)
		return nil
	})
	if err != nil {
		findings = append(findings, err.Error())
	}
	return findings, unheld
}

// linksIn gives the links of draws that follow from those in a file.
func linksIn(f *bundle.File) func(epoch uint64, s events.Source) (events.Hash, error) {
	return func(epoch uint64, s events.Source) (events.Hash, error) {
		for _, l := range f.Links {
			if l.Epoch == epoch && l.Chain == s.Chain && l.Position >= s.Position {
				link := l.Link.Link
				for range l.Position - s.Position {
					link = sha256.Sum256(link[:])
				}
				return link, nil
			}
		}
		return events.Hash{}, errors.New("it is not in the file")
	}
}
