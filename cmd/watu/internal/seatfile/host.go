package seatfile

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/witness"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/bundle"
)

// State says how the campaign stands, as the host has it.
func (s *Seat) State(ctx context.Context) (c timeline.Campaign, err error) {
	err = s.client.Get(ctx, &c, "campaigns", s.Campaign)
	return c, err
}

// Turn gives the label of the turn that is on, as the last event of the record has it. An entry is named after its
// turn, so that it counts once, and a host who tells another one would have it signed twice.
func (s *Seat) Turn(ctx context.Context) (label string, err error) {
	err = s.locked(func() error {
		head, err := s.see(ctx)
		if err != nil || head.Events == 0 {
			return err
		}
		e, _, err := s.event(ctx, head.Events-1, head)
		label = e.Turn.Label
		return err
	})
	return label, err
}

// see asks for the newest checkpoint, holds it to the largest seen before, cosigns it and keeps it.
func (s *Seat) see(ctx context.Context) (tree.Checkpoint, error) {
	head, note, err := s.checkpoint(ctx, 0)
	before := s.Seen()
	switch {
	case err != nil, head == before && s.vouches():
		return head, err
	case s.Head != "" && head != before:
		if err := s.extends(ctx, head, note); err != nil {
			return head, err
		}
		if err := s.lapses(ctx, before, head, note); err != nil {
			return head, err
		}
	}
	x, err := tree.ParseCosigned(note, s.ledger, tree.Policy{}) // with the ledger's signature alone
	if err != nil {
		return head, err
	}
	line, err := head.Cosign(s.key, time.Now().Unix())
	if err != nil {
		return head, err
	}
	s.Head = x.Note + line
	return head, s.save()
}

// vouches reports whether the largest checkpoint that was seen is cosigned: a file of an earlier version has it bare,
// and another key may have come.
func (s *Seat) vouches() bool {
	x, err := tree.ParseCosigned(s.Head, s.ledger, tree.AnyOf(tree.Witness{Verifier: s.key.Verifier()}))
	return err == nil && len(x.Cosignatures) > 0
}

// meet is see, and hands in what was cosigned.
func (s *Seat) meet(ctx context.Context) (tree.Checkpoint, error) {
	head, err := s.see(ctx)
	if err == nil && s.told != s.Head {
		err = s.tell(ctx)
	}
	return head, err
}

// tell hands in the newest checkpoint as it was cosigned, and keeps it if it counts for a roll.
func (s *Seat) tell(ctx context.Context) error {
	var done service.CosignedHead
	s.told, s.toldAt = s.Head, time.Now()
	err := s.client.Post(ctx, api.CosignedNote{Note: s.Head}, &done, "campaigns", s.Campaign, "cosigned")
	own := func(c tree.Cosignature) bool { return c.Witness == s.Name }
	switch p := problem.Of(err); {
	case err != nil && p.Kind == problem.Refused: // it came too late for a roll, or the key is not in force
		return nil
	case err != nil:
		s.told = ""
		return err
	case done.Roll == nil || !slices.ContainsFunc(done.Roll.Cosigned, own) || s.cosigned == done.Roll.Asked.Asked:
		return nil
	}
	s.cosigned, s.Taken = done.Roll.Asked.Asked, s.Head
	return s.save()
}

// lapses refuses a head that has, behind the one seen before, the lapse of a roll which this seat cosigned in time, as
// the host was told and said.
func (s *Seat) lapses(ctx context.Context, before, head tree.Checkpoint, note string) error {
	if s.Taken == "" {
		return nil
	}
	if err := s.copyUpTo(ctx, head); err != nil {
		return err
	}
	lapsed := false
	for e, err := range events.Decoded(s.record.stored(head.Events)(before.Events, head.Events)) {
		if err != nil {
			return err
		}
		lapsed = lapsed || e.Type == (&events.RollLapsed{}).Type()
	}
	if !lapsed {
		return nil
	}
	var wrong error
	record := func(yield func(*events.Event) bool) {
		for e, err := range events.Decoded(s.record.stored(head.Events)(0, head.Events)) {
			if wrong = err; err != nil || !yield(e) {
				return
			}
		}
	}
	at, is, err := bundle.FalseLapse(record, s.Taken, s.cosigner(s.Taken, head))
	if err = errors.Join(err, wrong); err != nil || !is {
		return err
	}
	if s.Fork, err = s.keep(witness.Lapse, head.Events, s.Taken, note); err == nil {
		err = s.save()
	}
	if err != nil {
		return err
	}
	return problem.New(problem.Diverged, "the host's record says by #%d that a roll was not cosigned in time. You "+
		"did, and the host took it. Your note and the host's are in %s. %s signs nothing any more", at, s.Fork, s.path)
}

// cosigner gives the key of this seat that cosigned a note: the one that it has, or an earlier one, which the record
// names.
func (s *Seat) cosigner(note string, head tree.Checkpoint) tree.WitnessVerifier {
	for _, text := range s.keys(head) {
		if key, err := tree.ParseWitness(text); err == nil {
			x, err := tree.ParseCosigned(note, s.ledger, tree.AnyOf(tree.Witness{Name: s.Name, Verifier: key}))
			if err == nil && len(x.Cosignatures) > 0 {
				return key
			}
		}
	}
	return s.key.Verifier()
}

// keys lists the keys that this seat was given, by the player's copy of the record.
func (s *Seat) keys(head tree.Checkpoint) (list []string) {
	for e, err := range events.Decoded(s.record.stored(head.Events)(0, head.Events)) {
		if err != nil {
			break
		}
		var r struct {
			Entry envelope.KeyEntry `json:"entry"`
		}
		x, err := envelope.Parse(e.Signed)
		if e.Type.KeysSeat() && err == nil && x.Seat == s.Name && json.Unmarshal(x.Request, &r) == nil {
			list = append(list, r.Entry.Key)
		}
	}
	return list
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
		name, err := s.keep(witness.Fork, newer.Events, s.Head, note)
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
	name, err := s.keep(witness.Fork, newer.Events, s.Head, note)
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

// keep writes two notes that do not fit, the later one of n events, beside the file, once.
func (s *Seat) keep(kind string, n uint64, one, other string) (name string, err error) {
	name, err = witness.WriteNotes(filepath.Dir(s.path), kind, s.Campaign, n, one, other)
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
