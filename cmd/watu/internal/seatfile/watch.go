package seatfile

import (
	"context"
	"slices"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
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

	Cosigned uint64   // the event that names the round of a roll that was cosigned now; 0 for none
	Given    uint64   // the event that declares the roll for which a link was given now; 0 for none
	Drawn    []uint64 // the events that declare draws whose cards were committed to now
	Failed   error    // why the cards of others cannot be; nil for none
}

// cosign hands in the cosigned checkpoint, once, and where the host asks this seat for a roll, until it is taken: one
// that comes too late says that this seat is back. It says what this seat saw, and when by the clock here, so it may be
// given to any host.
func (s *Seat) cosign(ctx context.Context, head tree.Checkpoint, r *dice.Asked) (uint64, error) {
	asks := r != nil && slices.Contains(r.Cosigners, s.Name) && head.Events > r.Asked && r.Asked != s.cosigned
	if s.told == s.Head && (!asks || time.Since(s.toldAt) < seldom) {
		return 0, nil
	}
	before := s.cosigned
	if err := s.tell(ctx); err != nil || s.cosigned == before {
		return 0, err
	}
	return s.cosigned, nil
}

// Look holds the host's record to what was seen, and sends again what has no answer yet.
func (s *Seat) Look(ctx context.Context) (step Step, err error) {
	err = s.locked(func() error {
		if step.Before, err = s.settle(ctx); err != nil {
			return err
		}
		if step.Head, err = s.see(ctx); err != nil {
			return err
		}
		var asked api.AskedRoll
		if err := s.client.Get(ctx, &asked, "campaigns", s.Campaign, "roll"); err != nil {
			return err
		}
		if step.Cosigned, err = s.cosign(ctx, step.Head, asked.Roll); err == nil && asked.Link != nil {
			step.Given, err = s.contest(ctx, step.Head, asked.Link)
		} else if err == nil && asked.Roll == nil {
			step.Drawn, step.Failed, err = s.draw(ctx, step.Head, asked.Draws)
		}
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
		if step.Failed != nil {
			trouble(step.Failed)
		}
		switch p := problem.Of(err); {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			if step.Head != last || step.Before != nil || step.Cosigned != 0 || step.Given != 0 || len(step.Drawn) > 0 {
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
