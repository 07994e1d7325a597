package readers

import (
	"context"
	"errors"
	"testing"
	"time"
)

// So many pass, so many wait, and one more is sent away; who goes away leaves his place to others.
func TestGate(t *testing.T) {
	g := newGate(2, 3, time.Hour)
	var leave []func()
	for range 2 {
		l, err := g.enter(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		leave = append(leave, l)
	}
	ctx, goAway := context.WithCancel(t.Context())
	ends := make(chan error, 3)
	for range 3 {
		go func() {
			l, err := g.enter(ctx)
			if err == nil {
				l()
			}
			ends <- err
		}()
	}
	for len(g.all) < 5 {
		time.Sleep(time.Millisecond)
	}
	if _, err := g.enter(t.Context()); !errors.Is(err, ErrBusy) {
		t.Errorf("one more: %v", err)
	}
	leave[0]()
	for range 3 {
		if err := <-ends; err != nil {
			t.Errorf("who waited: %v", err)
		}
	}
	leave[0], _ = g.enter(t.Context())
	go func() {
		_, err := g.enter(ctx)
		ends <- err
	}()
	for len(g.all) < 3 {
		time.Sleep(time.Millisecond)
	}
	goAway()
	if err := <-ends; !errors.Is(err, context.Canceled) {
		t.Errorf("who has gone: %v", err)
	}
	leave[0]()
	leave[1]()
	if len(g.all)+len(g.places) != 0 {
		t.Errorf("%d and %d places are held", len(g.all), len(g.places))
	}
}

// Nobody waits for longer than the gate has patience.
func TestGatePatience(t *testing.T) {
	g := newGate(1, 1, time.Millisecond)
	leave, err := g.enter(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.enter(t.Context()); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	leave()
	if leave, err = g.enter(t.Context()); err != nil {
		t.Fatal(err)
	}
	leave()
}
