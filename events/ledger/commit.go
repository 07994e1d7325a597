package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger/disk"
)

// group is the steps that are committed together, as one batch with one sync.
type group struct {
	batch   *pebble.Batch
	before  *group // is committed before this one
	records []events.Record
	heads   []head
	last    uint64        // sequence of the last event
	done    chan struct{} // closed when the group is durable, or has failed
	err     error         // set before done is closed
}

// head is where a step takes its campaign.
type head struct {
	campaign *campaign
	events   uint64
	hash     events.Hash
}

// join adds a checked step to the open group, or begins one and leads it. It gives the
// campaign's turn after the step.
func (l *Ledger) join(c *campaign, s *Step, p *pending) (turn uint64, err error) {
	l.gathering.Lock()
	defer l.gathering.Unlock()
	if err := l.barred(); err != nil {
		return 0, err
	}
	if s.Expected == 0 {
		if err := l.takeName(c, s.Events[0].Event()); err != nil {
			return 0, err
		}
	}
	g := p.join(l)
	p.appended.Sequence = l.sequence + 1
	turn = p.write(g.batch, c, s)
	for i, x := range s.Events {
		l.sequence++
		g.records = append(g.records, events.Record{
			Sequence: l.sequence, Campaign: c.id, Index: s.Expected + uint64(i), Bytes: x.Bytes(),
		})
	}
	g.heads = append(g.heads, head{c, s.Expected + uint64(len(s.Events)), p.appended.Head})
	g.last = l.sequence
	return turn, nil
}

// barred gives why the ledger takes no steps: it has failed, is read-only, is not whole, or its guard
// forbids it.
func (l *Ledger) barred() error {
	select {
	case <-l.failed:
		return l.failure
	default:
	}
	if m := l.mark.Load(); m != nil {
		return m
	}
	return cmp.Or(l.doubted(), l.opts.Guard.May())
}

// join makes p part of the open group, which it begins and leads if there is none. The caller
// holds gathering.
func (p *pending) join(l *Ledger) *group {
	g := l.open
	if g == nil {
		g = &group{batch: l.db.NewBatch(), before: l.last, last: l.sequence, done: make(chan struct{})}
		l.open, l.last = g, g
		p.leads = true
	}
	p.group = g
	return g
}

// takeName gives a new campaign the name that its first event says.
func (l *Ledger) takeName(c *campaign, first *events.Event) error {
	name, err := nameIn(first)
	if err != nil {
		return err
	}
	if _, taken := l.names[name]; taken {
		return fmt.Errorf("%w: %q", ErrNameTaken, name)
	}
	c.name = name
	l.names[name] = c.id
	return nil
}

// nameIn reads the name of a campaign in its first event.
func nameIn(first *events.Event) (string, error) {
	var opened events.CampaignOpened
	if !first.Read(&opened) {
		return "", fmt.Errorf("%w: the first event of campaign %s is %q, not %q",
			ErrStep, first.Campaign, first.Type, opened.Type())
	}
	if _, err := ulid.ParseStrict(opened.Name); opened.Name == "" || err == nil {
		return "", fmt.Errorf("%w: a campaign cannot be named %q", ErrStep, opened.Name)
	}
	return opened.Name, nil
}

// lead waits for the group before, closes g to further steps and commits it.
func (l *Ledger) lead(g *group) {
	if g.before != nil {
		select {
		case <-g.before.done:
		case <-l.failed:
		}
		g.before = nil
		// The callers of the group before are about to go on: let their next steps into this
		// one, instead of two halves that take turns.
		runtime.Gosched()
	}
	l.gathering.Lock()
	l.open = nil
	l.gathering.Unlock()
	select {
	case <-l.failed:
		g.err = l.failure
	default:
		g.err = l.commit(g)
	}
	close(g.done)
}

// await waits until g is durable or lost.
func (l *Ledger) await(g *group) error {
	select {
	case <-g.done:
		return g.err
	case <-l.failed:
		return l.failure
	}
}

// commit writes and syncs g, and shows it to readers.
func (l *Ledger) commit(g *group) error {
	watchdog := time.AfterFunc(l.opts.Stall, func() {
		select {
		case <-g.done:
		default:
			l.fail(fmt.Errorf("%w: a commit in %s has not come back for %v; look after the disk and start again "+
				"(every acknowledged step is kept)", ErrStalled, l.dir.path, l.opts.Stall))
		}
	})
	defer watchdog.Stop()
	if err := apply(l.db, g.batch, pebble.Sync); err != nil {
		l.fail(refusal(l.dir.path, err))
	}
	select {
	case <-l.failed:
		// Pebble may have reported to its Logger alone; and nothing is durable behind a failure.
		return l.failure
	default:
	}
	l.publish(g)
	return nil
}

// apply commits the batch and waits for its sync. ApplyNoSyncWait is used because it gives
// the error of the sync, where Apply calls Logger.Fatalf.
func apply(db *pebble.DB, batch *pebble.Batch, writing *pebble.WriteOptions) (err error) {
	// Pebble panics when it cannot close a full write-ahead log or write to the next.
	defer func() { err = errors.Join(err, disk.Recovered(recover())) }()
	if !writing.Sync {
		return errors.Join(db.Apply(batch, writing), batch.Close())
	}
	if err := db.ApplyNoSyncWait(batch, writing); err != nil {
		return err
	}
	if err := batch.SyncWait(); err != nil {
		return err
	}
	return batch.Close()
}

// fail ends the taking of steps, once.
func (l *Ledger) fail(err error) {
	l.fail1.Do(func() {
		l.failure = err
		if l.opts.Fatal == nil { // before anybody who waits goes on, and says so too
			fmt.Fprintf(os.Stderr, "watu: %v\n", err)
			os.Exit(1)
		}
		close(l.failed)
		l.opts.Fatal(err)
	})
}

// Err is why the ledger goes on no more: an [ErrFailed] once the disk has refused or the directory is gone, which is
// seen in two seconds, [ErrClosed] once it closes, nil while it works. A read-only ledger works.
func (l *Ledger) Err() error {
	select {
	case <-l.failed:
		return l.failure
	case <-l.ending:
		return ErrClosed
	default:
		return nil
	}
}

// publish shows a durable group to readers.
func (l *Ledger) publish(g *group) {
	l.published.Lock()
	defer l.published.Unlock()
	for _, h := range g.heads {
		c := h.campaign
		if c.seen.Events == 0 {
			l.shown = append(l.shown, c)
		}
		c.seen = Campaign{ID: c.id, Name: c.name, Events: h.events, Head: h.hash}
	}
	l.tail.add(g.records)
	l.durable.Store(g.last)
	if l.kept.unwritten.IsZero() {
		l.kept.unwritten = time.Now()
	}
	if l.waiting > 0 {
		close(l.moved)
		l.moved = make(chan struct{})
	}
}
