package seatfile

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// lasting is how long a host may hear what was signed.
const lasting = time.Hour

func notAfter() time.Time { return time.Now().Add(lasting).UTC().Truncate(time.Second) }

// Join makes the file of a seat, with new secrets, and brings its key to the host. Where the file is there already,
// from an attempt whose answer was lost, its key is brought again.
func Join(ctx context.Context, v Invitation, path string) (s *Seat, done service.Submitted, err error) {
	s = &Seat{Server: v.Server, Campaign: v.Campaign, Name: v.Seat, Ledger: v.Ledger}
	switch err := s.create(path); {
	case errors.Is(err, fs.ErrExist):
		old, err := Open(path)
		if err != nil {
			return nil, done, err
		}
		if old.Campaign != s.Campaign || old.Name != s.Name || old.Ledger != s.Ledger || old.Server != s.Server {
			return nil, done, problem.New(problem.Input, "%s is the file of another seat, and is kept: name "+
				"another file", path)
		}
		s = old
	case err != nil:
		return nil, done, err
	}
	err = s.locked(func() error {
		signed, err := s.signKey(ctx, s.key)
		if err != nil {
			return err
		}
		joining := seats.Joining{Code: v.Code, Envelope: signed.Envelope}
		if err := s.client.Post(ctx, joining, &done, "campaigns", s.Campaign, "keys"); err != nil {
			return err
		}
		_, _ = s.holds(ctx, s.Seen()) // who may open its hands is known from the start, or asked for again
		return nil
	})
	return s, done, err
}

// signKey signs, with the key that is in force, the command that brings a key.
func (s *Seat) signKey(ctx context.Context, brought *tree.WitnessKey) (signed replay.SignedCommand, err error) {
	c, err := s.command(ctx, envelope.KeyID(brought.Verifier().Fingerprint()))
	if err != nil {
		return signed, err
	}
	own, name := s.chainOf(brought)
	anchor := events.Anchor{Chain: name, Anchor: own.Anchor(), Length: own.Len()}
	entry := envelope.KeyEntry{Key: brought.Verifier().String(), Chain: anchor}
	if c.Request, err = envelope.KeyRequest(entry); err != nil {
		return signed, err
	}
	signed.Envelope, err = c.Sign(s.key)
	return signed, err
}

// chainOf grows the chain from which the player draws as long as the seat has a key, and gives its name.
func (s *Seat) chainOf(key *tree.WitnessKey) (*chance.Chain, string) {
	name := envelope.ChainName(key.Verifier().Fingerprint())
	return s.chainNamed(name), name
}

func (s *Seat) chainNamed(name string) *chance.Chain {
	return chance.NewChain(chance.ChainSeed(chance.Secret(s.chain), s.id, 0, name), chance.Length)
}

// command is what is signed of the record as it stands, without the request.
func (s *Seat) command(ctx context.Context, id string) (c envelope.Command, err error) {
	head, err := s.see(ctx)
	return envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: id, NotAfter: notAfter(),
		Seen: envelope.Seen{Events: head.Events, Root: head.Root}}, err
}

// Rekey gives the seat another key, which the old one signs. The file keeps both until the host has answered.
func (s *Seat) Rekey(ctx context.Context) (done service.Submitted, err error) {
	err = s.locked(func() error {
		if _, err := s.settle(ctx); err != nil {
			return err
		}
		next := s.next // of a try that was refused
		if next == nil {
			if next, err = tree.NewWitnessKey(rand.Reader, s.key.Verifier().Name()); err != nil {
				return err
			}
		}
		signed, err := s.signKey(ctx, next)
		if err != nil {
			return err
		}
		s.Next, s.next, s.Pending = next.Secret(), next, &signed
		if err := s.save(); err != nil {
			return err
		}
		done, err = s.send(ctx)
		return err
	})
	return done, err
}

// settle sends what has no answer yet once more, as it is, and gives what became of it; nil where there is nothing.
func (s *Seat) settle(ctx context.Context) (*service.Submitted, error) {
	if s.Pending == nil {
		return nil, nil
	}
	done, err := s.send(ctx)
	if s.Pending != nil {
		return nil, err
	}
	if err != nil {
		done.Problem = problem.Of(err)
	}
	return &done, nil
}

// send sends what was signed, and forgets it once it is answered.
func (s *Seat) send(ctx context.Context) (done service.Submitted, err error) {
	err = s.client.Post(ctx, *s.Pending, &done, "campaigns", s.Campaign, "signed")
	if err != nil && !answers(err) {
		return done, fmt.Errorf("what was signed has no answer yet, and is sent again by the next watu play: %w", err)
	}
	if done.Problem != nil && !answers(done.Problem) {
		return done, err
	}
	sent := *s.Pending
	later := slices.ContainsFunc(done.Entries, func(h service.EntryResult) bool { return h.State == service.Later })
	refused := err != nil || done.Problem != nil && !later
	if x, no := envelope.Parse(sent.Envelope); no == nil && s.next != nil &&
		x.ID == envelope.KeyID(s.next.Verifier().Fingerprint()) {
		counts, unknown := s.rekeyed(ctx, refused)
		if counts {
			done.Problem, err = nil, nil
		}
		return done, errors.Join(err, unknown)
	}
	s.Pending = nil
	s.forget(sent)
	if !refused {
		s.remember(sent)
	}
	return done, errors.Join(err, s.save())
}

// rekeyed goes over to the next key where that counts by the record, whatever the host answers: a player who forgot the
// key that is in force would never sign again. One that is refused is kept for the next try.
func (s *Seat) rekeyed(ctx context.Context, refused bool) (counts bool, err error) {
	head, err := s.see(ctx)
	if err == nil {
		err = s.copyUpTo(ctx, head)
	}
	if err != nil {
		return false, fmt.Errorf("whether the new key counts is not known yet: %w", err)
	}
	if counts = slices.Contains(s.keys(head), s.next.Verifier().String()); counts {
		s.Key, s.key, s.Next, s.next = s.Next, s.next, "", nil
	} else if !refused {
		return false, problem.New(problem.Unverified, "the host says that the new key counts, and its record does not "+
			"show it: both keys are kept, and it is sent again")
	}
	s.Pending = nil
	return counts, s.save()
}

func (s *Seat) forget(sent replay.SignedCommand) {
	s.Sent = slices.DeleteFunc(s.Sent, func(x replay.SignedCommand) bool { return x.Envelope == sent.Envelope })
}

// remember keeps what was heard, to send it again as it is where the same is entered once more.
func (s *Seat) remember(sent replay.SignedCommand) {
	s.Sent = append(s.Sent, sent)
	size := 0
	for i, x := range slices.Backward(s.Sent) {
		if size += len(x.Envelope); size > mostSent {
			s.Sent = slices.Delete(s.Sent, 0, i+1)
			return
		}
	}
}

// before gives the entry as it was signed before, nil if it was not.
func (s *Seat) before(e rules.Command) *replay.SignedCommand {
	for _, x := range slices.Backward(s.Sent) {
		c, err := envelope.Parse(x.Envelope)
		if err == nil && c.ID == e.ID && same(c.Request, x.Openings, e) {
			return &x
		}
	}
	return nil
}

// again sends what was signed before as it is, and reports whether it stands. What an earlier key signed the host takes
// no more: whether it stands, the record says.
func (s *Seat) again(ctx context.Context, head tree.Checkpoint, verb string, x *replay.SignedCommand) (
	done service.Submitted, stands bool, err error) {
	c, err := envelope.Parse(x.Envelope)
	if err != nil {
		return done, false, err
	}
	if c.Verify(s.key.Verifier()) == nil {
		s.Pending = x
		done, err = s.send(ctx)
		if s.Pending == nil && (err != nil || done.Problem != nil) { // the host has it no more, and refuses it now
			return done, false, nil
		}
		if err == nil {
			err = s.shown(ctx, x.Envelope, done)
		}
		return done, true, err
	}
	if err := s.copyUpTo(ctx, head); err != nil {
		return done, false, err
	}
	for e, err := range events.Decoded(s.record.stored(head.Events)(0, head.Events)) {
		if err != nil {
			return done, false, err
		}
		if stands = e.Command == c.ID && e.Signed == x.Envelope; stands {
			break
		}
	}
	h := service.EntryResult{ID: c.ID, Verb: verb, State: service.Stands, Happened: []timeline.NarratedEvent{}}
	if t, err := s.fold(ctx, head); stands && err == nil {
		if by, void := t.Head.TakenBack(c.ID); void {
			h.State, h.VoidedBy = service.Void, by
		}
	}
	return service.Submitted{Version: maintenance.Version, Campaign: s.Campaign, Entries: []service.EntryResult{h},
		NotHeard: []string{}}, stands, nil
}

// answers reports whether a problem is the host's answer to a command, which will not be another later.
func answers(err error) bool {
	var p *problem.Problem
	return errors.As(err, &p) && p.Kind != problem.Unreachable && p.Kind != problem.Failed && p.Kind != problem.Diverged
}

// Entered is what became of an entry.
type Entered struct {
	service.Submitted
	Before   *service.Submitted `json:"before,omitempty"`   // of what had no answer yet
	Question string             `json:"question,omitempty"` // that it answers, as its event has it
}

// Enter asks what is to be signed of an entry, checks that it says what the entry says, signs it and sends it. One
// without an id is named here, so that the same entry in the same turn is heard once. What it answers is read from the
// event of the question; show gets that before anything is signed.
func (s *Seat) Enter(ctx context.Context, turn string, e rules.Command, show func(question string)) (done Entered,
	err error) {
	err = s.locked(func() error {
		if done.Before, err = s.settle(ctx); err != nil {
			return err
		}
		head, err := s.meet(ctx)
		if err != nil {
			return err
		}
		if e.ID == "" {
			e.ID = s.name(turn, e, events.Hash{})
		}
		if x := s.before(e); x != nil {
			var stands bool
			if done.Submitted, stands, err = s.again(ctx, head, e.Verb, x); stands || err != nil {
				return err
			}
		}
		plays, err := s.plays(ctx, head, e)
		if err != nil {
			return err
		}
		form, err := s.form(ctx, turn, &e, plays)
		if err != nil {
			return s.explained(ctx, head, e, err)
		}
		if !form.Question.IsZero() {
			if done.Question, err = s.question(ctx, form, head); err != nil {
				return err
			}
			show(done.Question)
		}
		if err := s.signForm(form, head, plays); err != nil {
			return err
		}
		signed := s.Pending.Envelope
		if done.Submitted, err = s.send(ctx); err == nil {
			err = s.shown(ctx, signed, done.Submitted)
		}
		return err
	})
	return done, err
}

// shown finds that the host's record does not show what it says is recorded there.
func (s *Seat) shown(ctx context.Context, signed string, done service.Submitted) error {
	if done.Problem != nil {
		return nil
	}
	head, err := s.see(ctx)
	if err != nil {
		return fmt.Errorf("whether it is recorded is not known yet: %w", err)
	}
	for _, h := range done.Entries {
		for _, at := range h.Happened[:min(len(h.Happened), 2)] { // an epoch may begin before
			e, _, err := s.event(ctx, at.Index, head)
			if err != nil {
				return fmt.Errorf("whether it is recorded is not known yet: %w", err)
			}
			if e.Signed == signed {
				return nil
			}
		}
	}
	return problem.New(problem.Unverified, "the host says that this is recorded, and its record does not show it: "+
		"enter it again. The host may hear it for an hour")
}

// explained says, in the place of the host's refusal, which says nothing of what others hold, what is against an entry
// by all that the player himself may know: he judges it on his own copy of the record, where that needs no board.
func (s *Seat) explained(ctx context.Context, head tree.Checkpoint, e rules.Command, refused error) error {
	p := problem.Of(refused)
	t, err := s.fold(ctx, head)
	if p.Kind != problem.Refused || p.Rule != "" || err != nil || len(t.Head.Board.Files) > 0 {
		return refused
	}
	own, _ := t.Head.SeatNamed(s.Name)
	if q := t.Head.Open; q != nil {
		if q.Choice != nil && !slices.Contains(own.Sides, q.Choice.Of) {
			return problem.New(problem.Unverified, "#%d waits for an answer of %s, for which %s does not speak",
				q.Index, q.Choice.Of, s.Name)
		}
		return refused
	}
	c := e
	c.Seat = s.Name
	o, err := rehear.Run(t.Head.Game, c, rules.Given(), t.Head.Places())
	if err != nil {
		return refused
	}
	_, acting := t.Head.Signers(s.Name, e.Verb, o.Drafts)
	others := slices.DeleteFunc(slices.Clone(acting), func(x string) bool { return slices.Contains(own.Sides, x) })
	switch {
	case o.Verdict == rules.Refused && len(o.Violations) > 0:
		v := o.Violations[0]
		return &problem.Problem{Kind: problem.Refused, Rule: v.Rule, Message: "by your own copy of the record: " +
			v.Message}
	case len(others) > 0:
		return problem.New(problem.Unverified, "it is an act of %s, for which %s does not speak", words.And(others),
			s.Name)
	case len(o.Drafts) > 0 && !envelope.Signable(e.Verb, o.Drafts[0].Payload.Type(), len(acting) > 0):
		return problem.New(problem.Refused, "%s is no act of a side here: the umpire enters it, by watu submit", e.Verb)
	}
	return refused
}

// form asks the host how the record is to show an entry. One that was named here is named after what it answers, too.
func (s *Seat) form(ctx context.Context, turn string, e *rules.Command, plays []events.Opening) (form replay.Form,
	err error) {
	form, err = s.ask(ctx, *e, plays)
	if err != nil || form.Question.IsZero() || e.ID != s.name(turn, *e, events.Hash{}) {
		return form, err
	}
	e.ID = s.name(turn, *e, form.Question)
	return s.ask(ctx, *e, plays)
}

func (s *Seat) ask(ctx context.Context, e rules.Command, plays []events.Opening) (form replay.Form, err error) {
	q := envelope.Inquiry{Campaign: s.Campaign, Seat: s.Name, ID: e.ID, NotAfter: notAfter()}
	if q.Request, err = envelope.NewRequest(e.Verb, e.Body); err != nil {
		return form, err
	}
	asks, err := q.Sign(s.key)
	if err == nil {
		err = s.client.Post(ctx, seats.Draft{Envelope: asks, Discloses: plays}, &form, "campaigns", s.Campaign, "forms")
	}
	if err == nil {
		err = says(form, e)
	}
	return form, err
}

// name gives the id of an entry that came without one. It is keyed by the chain secret: ids are public, and an entry
// may hold a secret that few guesses would find.
func (s *Seat) name(turn string, e rules.Command, question events.Hash) string {
	h := hmac.New(sha256.New, s.chain)
	for _, part := range [][]byte{[]byte("watu/entry/v1"), []byte(turn), []byte(e.Verb), e.Body, question[:]} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return turnfile.ID(turn, "e-"+hex.EncodeToString(h.Sum(nil))[:16])
}

// Order signs a standing order and sends it: until its time is over the host answers with it in the player's absence.
// An empty answer takes back what the host keeps.
func (s *Seat) Order(ctx context.Context, side, answer string, lasts time.Duration) (done service.Submitted,
	err error) {
	err = s.locked(func() error {
		head, err := s.meet(ctx)
		if err != nil {
			return err
		}
		signed, err := envelope.Order{Campaign: s.Campaign, Seat: s.Name, Side: side, Answer: answer,
			Seen:     envelope.Seen{Events: head.Events, Root: head.Root},
			NotAfter: time.Now().Add(lasts).UTC().Truncate(time.Second)}.Sign(s.key)
		if err != nil {
			return err
		}
		return s.client.Post(ctx, seats.Order{Envelope: signed}, &done, "campaigns", s.Campaign, "orders")
	})
	return done, err
}

// question gives the words of the event that asks what is answered. It has to be the one that is to be signed.
func (s *Seat) question(ctx context.Context, form replay.Form, head tree.Checkpoint) (string, error) {
	e, hash, err := s.event(ctx, form.Asked, head)
	if err != nil {
		return "", err
	}
	if hash != form.Question {
		return "", problem.New(problem.Unverified, "the host would have you answer another event than the question "+
			"#%d: nothing was signed", form.Asked)
	}
	return fmt.Sprintf("#%d %s", e.Index, narrator.Sentence(&e)), nil
}

// signForm signs what the host's form says of an entry, and keeps that in the file until it is answered.
func (s *Seat) signForm(form replay.Form, head tree.Checkpoint, plays []events.Opening) error {
	c := envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: form.Command, Question: form.Question,
		NotAfter: notAfter(), Seen: envelope.Seen{Events: head.Events, Root: head.Root}, Request: form.Request}
	opened, err := c.Seal(rand.Reader, form.Epoch, form.Sealed)
	if err != nil {
		return err
	}
	signed := replay.SignedCommand{Openings: opened, Discloses: plays}
	s.remembers(c.ID, opened)
	if signed.Envelope, err = c.Sign(s.key); err != nil {
		return err
	}
	if _, err := envelope.Parse(signed.Envelope); err != nil { // the host's form is not in the one form
		return problem.New(problem.Unverified, "what the host would have you sign does not read: %v", err)
	}
	s.Pending = &signed
	return s.save()
}

// says finds out whether the host's form of an entry is the entry, its secrets opened.
func says(form replay.Form, e rules.Command) error {
	if form.Command != e.ID {
		return problem.New(problem.Unverified, "the host would have you sign the entry %q, and you enter %q: nothing "+
			"was signed", form.Command, e.ID)
	}
	var opened []events.Opening
	for slot, fact := range form.Sealed {
		opened = append(opened, events.Opening{Slot: slot, Fact: fact})
	}
	if !same(form.Request, opened, e) {
		return problem.New(problem.Unverified, "the host would have you sign %s, which is not what you enter: nothing "+
			"was signed", form.Request)
	}
	return nil
}

// same reports whether a request, its secrets opened, says what an entry says.
func same(request json.RawMessage, opened []events.Opening, e rules.Command) bool {
	var r campaign.Request
	var own, others any
	return json.Unmarshal(request, &r) == nil && r.Verb == e.Verb && json.Unmarshal(e.Body, &own) == nil &&
		json.Unmarshal(rules.Unseal(r.Entry, opened), &others) == nil && reflect.DeepEqual(own, others)
}
