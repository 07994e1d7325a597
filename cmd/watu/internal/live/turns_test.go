package live

import (
	"context"
	"io"
	"sync/atomic"
	"testing"
	"time"
)

// Readers who begin at the first event have the record read for them in turn, a handful at a time. Who waits hears a
// comment, and those who are not behind wait for none of it.
func TestReadersCatchUpInTurn(t *testing.T) {
	at := sit(t)
	k := bundled(t, straits)
	at.open(k)
	if err := at.play(k, k.Files); err != nil {
		t.Fatal(err)
	}
	place := make(chan struct{}, 1)
	var inside, most, turns atomic.Int64
	f := New(at.service, Options{Heartbeat: 10 * time.Millisecond, Turn: func(ctx context.Context) (func(), error) {
		select {
		case place <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		turns.Add(1)
		most.Store(max(most.Load(), inside.Add(1)))
		return func() { inside.Add(-1); <-place }, nil
	}})
	address := listen(t, f)
	place <- struct{}{} // somebody else has it
	last := at.events(straits) - 1
	const readers = 20
	ends := make(chan error, readers)
	for range readers {
		c := joined(t, address, "/live", "0")
		if m, err := c.await("head"); err != nil || m.id != "" {
			t.Fatal(m, err)
		}
		for range 3 {
			if m, err := c.next(); err != nil || m.event != "" {
				t.Fatalf("while another has the place, %+v comes: %v", m, err)
			}
		}
		go func() {
			_, err := c.expect(1, last+1)
			ends <- err
		}()
	}
	patrols := bundled(t, patrol)
	abreast := joined(t, address, "/live", "")
	at.open(patrols)
	if m, err := abreast.await("event"); err != nil {
		t.Error(m, err)
	}
	if n := turns.Load(); n != 0 {
		t.Errorf("%d have a turn while another has the place", n)
	}
	<-place
	for range readers {
		if err := <-ends; err != nil {
			t.Error(err)
		}
	}
	if n, m := turns.Load(), most.Load(); m != 1 || n < readers*int64(last/handful) {
		t.Errorf("%d at a time have %d turns", m, n)
	}
}

// Who waits for his turn is let go when the streams close.
func TestWaitingReadersAreLetGo(t *testing.T) {
	at := sit(t)
	at.open(bundled(t, patrol))
	waits := make(chan struct{}, 9)
	f := New(at.service, Options{Turn: func(ctx context.Context) (func(), error) {
		waits <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}})
	address := listen(t, f)
	c := joined(t, address, "/live", "0")
	<-waits
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	_, _ = io.Copy(io.Discard, c.answer.Body) // to its end
}
