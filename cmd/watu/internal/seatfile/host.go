package seatfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/witness"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// State says how the campaign stands, as the host has it.
func (s *Seat) State(ctx context.Context) (c timeline.Campaign, err error) {
	return c, s.client.Get(ctx, &c, "campaigns", s.Campaign)
}

// see asks for the newest checkpoint, holds it to the largest seen before, and keeps it.
func (s *Seat) see(ctx context.Context) (tree.Checkpoint, error) {
	head, note, err := s.checkpoint(ctx, 0)
	if err != nil || note == s.Head {
		return head, err
	}
	if s.Head != "" {
		if err := s.extends(ctx, head, note); err != nil {
			return head, err
		}
	}
	s.Head = note
	return head, s.save()
}

// checkpoint asks for the checkpoint of the first n events, of all for 0.
func (s *Seat) checkpoint(ctx context.Context, n uint64) (head tree.Checkpoint, note string, err error) {
	var k maintenance.Checkpoint
	q := url.Values{}
	if n > 0 {
		q.Set("events", strconv.FormatUint(n, 10))
	}
	if err := s.client.Query(ctx, &k, q, "campaigns", s.Campaign, "checkpoint"); err != nil {
		return head, "", err
	}
	if k.Unsigned != "" {
		return head, "", problem.New(problem.Unreachable, "the host does not sign its record now: %s; try again",
			k.Unsigned)
	}
	head, err = tree.Parse(k.Note, s.ledger)
	switch {
	case err == nil && head.Campaign.String() != s.Campaign:
		err = errors.New("it is of another campaign")
	case err == nil && n > 0 && head.Events != n:
		err = fmt.Errorf("it is of %d events, and not of %d", head.Events, n)
	}
	if err != nil {
		return head, "", problem.New(problem.Unverified, "the host's checkpoint does not verify with the key that "+
			"came with the invitation: %v", err)
	}
	return head, k.Note, nil
}

// extends says, by a problem, that a checkpoint does not extend the one that was seen before.
func (s *Seat) extends(ctx context.Context, newer tree.Checkpoint, note string) error {
	before := s.Seen()
	if newer.Events < before.Events { // of an older copy, maybe, whose end comes back
		name, err := s.keep(newer.Events, note)
		if err != nil {
			return err
		}
		return problem.New(problem.Diverged, "the host's record has %d events, and you saw %d: it lost its end, or is "+
			"another. Both notes, which it signed, are in %s; nothing was signed", newer.Events, before.Events, name)
	}
	var x maintenance.Extension
	q := url.Values{"from": {strconv.FormatUint(before.Events, 10)}, "to": {strconv.FormatUint(newer.Events, 10)}}
	if err := s.client.Query(ctx, &x, q, "campaigns", s.Campaign, "extension"); err != nil {
		return err
	}
	if tree.CheckExtension(before, newer, x.Proof) {
		return nil
	}
	// Two notes of as many events prove the fork to anybody.
	if head, same, err := s.checkpoint(ctx, before.Events); err == nil && head != before {
		newer, note = head, same
	}
	name, err := s.keep(newer.Events, note)
	if err != nil {
		return err
	}
	s.Fork = name
	if err := s.save(); err != nil {
		return err
	}
	return problem.New(problem.Diverged, "the host's record of %d events does not extend the one of %d events that "+
		"you saw: both notes, which it signed, are in %s. %s signs nothing any more", newer.Events, before.Events, name,
		s.path)
}

// keep writes the note that was seen, and one of n events that does not fit, beside the file, once.
func (s *Seat) keep(n uint64, note string) (name string, err error) {
	name, err = witness.WriteNotes(filepath.Dir(s.path), witness.Fork, s.Campaign, n, s.Head, note)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	return name, err
}

// event gives an event of the record, which the checkpoint holds.
func (s *Seat) event(ctx context.Context, index uint64, in tree.Checkpoint) (e events.Event, h events.Hash, err error) {
	at := strconv.FormatUint(index, 10)
	var p service.Proof
	if err := s.client.Get(ctx, &p, "campaigns", s.Campaign, "events", at, "proof"); err != nil {
		return e, h, err
	}
	var x maintenance.Inclusion
	q := url.Values{"events": {strconv.FormatUint(in.Events, 10)}}
	if err := s.client.Query(ctx, &x, q, "campaigns", s.Campaign, "events", at, "inclusion"); err != nil {
		return e, h, err
	}
	for _, b := range p.Events {
		if b.Index != index {
			continue
		}
		if h = events.LeafHash(b.Bytes); tree.CheckInclusion(in, index, h, x.Proof) {
			e, err = events.Decode(b.Bytes)
			return e, h, err
		}
	}
	return e, h, problem.New(problem.Unverified, "the host does not prove that its checkpoint of %d events holds #%d: "+
		"nothing was signed", in.Events, index)
}
