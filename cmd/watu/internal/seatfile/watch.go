package seatfile

import (
	"context"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/tree"
)

// How often a host is asked for its record.
const (
	often  = time.Second
	seldom = time.Minute // while it does not answer
)

// Step is one look at the record.
type Step struct {
	Head   tree.Checkpoint
	Before *service.Submitted // of what had no answer yet
}

// Look holds the host's record to what was seen, and sends again what has no answer yet.
func (s *Seat) Look(ctx context.Context) (step Step, err error) {
	err = s.locked(func() error {
		if step.Before, err = s.settle(ctx); err != nil {
			return err
		}
		step.Head, err = s.see(ctx)
		return err
	})
	return step, err
}

// Watch looks at the record until the context ends or the host showed another one. Say receives each look that is not
// as the last; trouble receives why the host does not answer, once.
func (s *Seat) Watch(ctx context.Context, say func(Step), trouble func(error)) error {
	wait, last, failing := often, tree.Checkpoint{}, false
	for {
		step, err := s.Look(ctx)
		switch p := problem.Of(err); {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			if step.Head != last || step.Before != nil {
				say(step)
			}
			wait, last, failing = often, step.Head, false
		case p.Kind == problem.Unreachable || p.Kind == problem.Failed:
			if !failing {
				trouble(err)
			}
			wait, failing = min(2*wait, seldom), true
		default:
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
	}
}
