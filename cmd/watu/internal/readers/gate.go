package readers

import (
	"context"
	"time"
)

// gate lets so many pass at a time, and so many wait for it.
type gate struct {
	all      chan struct{} // who has passed, and who waits
	places   chan struct{} // who has passed
	patience time.Duration
}

// newGate gives a gate with so many places, before which so many wait, none longer than that.
func newGate(places, waiting int, patience time.Duration) *gate {
	return &gate{all: make(chan struct{}, places+waiting), places: make(chan struct{}, places), patience: patience}
}

// enter waits for a place, in the order of coming, until leave is called. The error is [ErrBusy], or the
// context's.
func (g *gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.all <- struct{}{}:
	default:
		return nil, ErrBusy
	}
	patience := time.NewTimer(g.patience)
	defer patience.Stop()
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places; <-g.all }, nil
	case <-patience.C:
		err = ErrBusy
	case <-ctx.Done():
		err = ctx.Err()
	}
	<-g.all
	return nil, err
}

// turn waits for a place among those who enter, as long as the context lasts.
func (g *gate) turn(ctx context.Context) (leave func(), err error) {
	select {
	case g.places <- struct{}{}:
		return func() { <-g.places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
