package maintenance

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
)

// How long after the process was asked to end each part of the work may go on. What has not come
// back by then is given up: a disk or a server may never answer. Nobody is asked to hurry before.
const (
	RequestDeadline = 4 * time.Second // requests under way, on the socket and on the network
	viewsBy         = 5 * time.Second
	publishedBy     = 6500 * time.Millisecond
	streamBy        = 7250 * time.Millisecond
	storeBy         = 8 * time.Second
	recordBy        = 8750 * time.Millisecond
	// ExitDeadline is when the process ends, whatever is still under way.
	ExitDeadline = 9500 * time.Millisecond
)

// after gives a context that ends so long after ctx has ended.
func after(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(d):
			cancel()
		case <-late.Done():
		}
	})
	return late, func() { stop(); cancel() }
}

// Requests gives a context that ends when requests under way are given up.
func (h *Host) Requests() (context.Context, context.CancelFunc) {
	return after(h.asked, RequestDeadline)
}

// closer closes a part of a service.
type closer struct {
	late   context.Context // ends when the part is given up
	cancel context.CancelFunc
	undone string // what has not been done then
	close  func(ctx context.Context) error
}

// closing has Close do something, in the reverse order of these calls.
func (h *Host) closing(by time.Duration, undone string, c func(ctx context.Context) error) {
	late, cancel := after(h.asked, by)
	h.closers = append(h.closers, closer{late, cancel, undone, c})
}

// AtClose has Close do something before the views are closed; undone says what is not done if it takes too long.
func (h *Host) AtClose(undone string, c func(ctx context.Context) error) {
	h.closing(viewsBy, undone, c)
}

// ledgerOptions are those of the ledger. Its failure does not end the process: it can be read.
func (h *Host) ledgerOptions(o Options) ledger.Options {
	return ledger.Options{
		Holder: o.Holder, Logf: o.logf, Appended: h.reportAppended, Guard: &h.lease,
		Fatal: func(error) { close(h.failing) },
	}
}

// closesLedger has Close close the ledger.
func (h *Host) closesLedger() {
	h.closing(recordBy, "the record is not closed", func(context.Context) error { return h.ledger.Close() })
}

// grace is for a part that ends when its context does.
const grace = 200 * time.Millisecond

// end waits until the part is closed, or is to be given up.
func (c closer) end() error {
	defer c.cancel()
	done := make(chan error, 1)
	go func() { done <- c.close(c.late) }()
	select {
	case err := <-done:
		return err
	case <-c.late.Done():
	}
	select {
	case err := <-done:
		return err
	case <-time.After(grace):
		return problem.New(problem.Failed, "%s: what it waits for has not come back", c.undone)
	}
}

// Close publishes what is recorded and releases the directory. Once the context of [Open] has ended it
// takes a few seconds more at most. What was not done it says, and it gives the first error.
func (h *Host) Close() error {
	h.lease.hasten()
	var errs []error
	for _, c := range slices.Backward(h.closers) {
		if err := c.end(); err != nil {
			errs = append(errs, err)
		}
	}
	closed := h.closers != nil
	h.closers = nil
	if closed && h.ledger != nil && !h.reads && h.ledger.Behind() == nil {
		if has, of := h.ledger.Checkpointed(), h.ledger.Durable(); has < of {
			errs = append(errs, problem.New(problem.Failed, "CHECKPOINT is not written: it has %d of %s", has,
				words.Count(of, "event")))
		}
	}
	if len(errs) == 0 {
		return nil
	}
	for _, err := range errs[1:] {
		h.say(problem.Of(err).Error())
	}
	return errs[0]
}

// Failed is why the ledger takes no more steps although it should: an [ledger.ErrFailed], or nil. It can
// still be read.
func (h *Host) Failed() error {
	if err := h.ledger.Err(); errors.Is(err, ledger.ErrFailed) {
		return err
	}
	return nil
}
