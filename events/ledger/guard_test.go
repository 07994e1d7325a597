package ledger

import (
	"context"
	"errors"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// sentry is a guard that lets steps through, or not, as a test says.
type sentry struct {
	barred error
	asked  chan uint64 // the sequences that are to be confirmed
	answer chan error
}

func newSentry() *sentry { return &sentry{asked: make(chan uint64), answer: make(chan error)} }

func (s *sentry) May() error { return s.barred }

func (s *sentry) Confirm(ctx context.Context, sequence uint64) error {
	select {
	case s.asked <- sequence:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-s.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func guarded(t *testing.T, mem vfs.FS, s *sentry) *Ledger {
	t.Helper()
	l, err := Open(dirMem, Options{FS: mem, Guard: s})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// TestGuardBars takes no step, and adopts nothing, while the guard forbids it.
func TestGuardBars(t *testing.T) {
	t.Parallel()
	lost := errors.New("another host goes on")
	l := guarded(t, vfs.NewMem(), &sentry{barred: lost})
	if _, err := l.Append(newChain(1).step("open", 2)); !errors.Is(err, lost) {
		t.Errorf("append: %v", err)
	}
	if err := l.Adopt(newOriginal(t, 3).records, nil); !errors.Is(err, lost) {
		t.Errorf("adopt: %v", err)
	}
	if l.Durable() != 0 {
		t.Errorf("%d events are recorded", l.Durable())
	}
	closeLedger(t, l)
}

// TestUnconfirmed answers nobody before the guard has confirmed the step, and blocks no reader
// meanwhile. What was not confirmed stands in the record, and the same command tells later.
func TestUnconfirmed(t *testing.T) {
	t.Parallel()
	s := newSentry()
	l := guarded(t, vfs.NewMem(), s)
	c := newChain(1)
	step := c.step("open", 2)
	lapsed := errors.New("the term is over")
	type result struct {
		a   Appended
		err error
	}
	done := make(chan result, 1)
	try := func() {
		a, err := l.Append(step)
		done <- result{a, err}
	}
	go try()
	if last := <-s.asked; last != 2 {
		t.Errorf("sequence %d is to be confirmed", last)
	}
	verify(t, l) // readers see it
	if l.Durable() != 2 {
		t.Errorf("%d events are durable", l.Durable())
	}
	s.answer <- lapsed
	var unconfirmed *UnconfirmedError
	if r := <-done; !errors.Is(r.err, ErrUnconfirmed) || !errors.Is(r.err, lapsed) || !errors.As(r.err, &unconfirmed) ||
		unconfirmed.Command != "open" || unconfirmed.First != 1 || unconfirmed.Last != 2 {
		t.Errorf("append: %v", r.err)
	}
	for _, answer := range []error{lapsed, nil} {
		go try()
		if last := <-s.asked; last != 2 {
			t.Errorf("sequence %d is to be confirmed", last)
		}
		s.answer <- answer
		if r := <-done; !errors.Is(r.err, answer) || answer == nil && (!r.a.Replayed || r.a.Sequence != 1) {
			t.Errorf("again: %+v, %v", r.a, r.err)
		}
	}
	known, found, err := l.Command(step.Campaign, "open")
	if err != nil || !found {
		t.Fatal(err)
	}
	go func() { done <- result{err: l.Confirm(step.Campaign, "open", known)} }()
	<-s.asked
	s.answer <- lapsed
	if r := <-done; !errors.Is(r.err, ErrUnconfirmed) {
		t.Errorf("confirm: %v", r.err)
	}
	closeLedger(t, l)
}

// TestCloseWhileConfirming does not wait for a guard that says nothing.
func TestCloseWhileConfirming(t *testing.T) {
	t.Parallel()
	s := newSentry()
	l := guarded(t, vfs.NewMem(), s)
	done := make(chan error, 1)
	go func() {
		_, err := l.Append(newChain(1).step("open", 1))
		done <- err
	}()
	<-s.asked
	closeLedger(t, l)
	if err := <-done; !errors.Is(err, ErrUnconfirmed) || !errors.Is(err, context.Canceled) {
		t.Errorf("append: %v", err)
	}
}
