package maintenance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/events/words"
)

// lease is by what right this process takes steps in a ledger: that of its directory alone where the
// stream is embedded, and of a lease where it is on a server elsewhere. It is a [ledger.Guard].
type lease struct {
	away   *problem.Problem // why no step is taken at all; nil if steps may be
	lease  *stream.Lease    // nil where the stream is embedded
	outbox *stream.Outbox   // that publishes under the lease; nil during a repair

	closing context.Context // ends when no step waits for its confirmation any more; nil for never
	close   context.CancelFunc
}

// May says whether a step may be taken now.
func (t *lease) May() error {
	switch {
	case t.away != nil:
		return t.away
	case t.lease != nil:
		return t.lease.Valid()
	}
	return nil
}

// Confirm waits until the stream has an event under a lease that is still valid.
func (t *lease) Confirm(ctx context.Context, sequence uint64) error {
	switch {
	case t.lease == nil:
		return nil
	case t.outbox == nil: // nobody is answered by what a repair brings back
		return t.lease.Valid()
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if t.closing != nil {
		defer context.AfterFunc(t.closing, cancel)()
	}
	return t.outbox.Confirm(ctx, sequence)
}

// hasten has no step wait any longer: the ledger is about to be closed.
func (t *lease) hasten() {
	if t.close != nil {
		t.close()
	}
}

// release ends the tenure.
func (t *lease) release() {
	if t.lease != nil {
		t.lease.Release()
	}
}

// awayFrom says why a ledger takes no steps where o would have its stream; nil if it may. That a server
// is another than the ledger's home shows only when its lease is taken.
func (o Options) awayFrom(ctx context.Context, dir string, l *ledger.Ledger) *problem.Problem {
	h, files := l.Home(), filepath.Join(dir, "stream")
	switch {
	case o.NewHome:
		return nil
	case h.ID != "" && o.NATS == "":
		return problem.WithReport(problem.Diverged, []string{
			"take steps there:", o.command("COMMAND --nats " + h.Address),
			"or, if that server is gone for good and no other host goes on with this ledger:",
			o.command("COMMAND --new-home"),
		}, "the stream of this ledger is not here but at %s, and steps are taken there alone: name it with "+
			"--nats, or read", h.Address)
	case h.Embedded && o.NATS != "":
		if away := o.fromBefore(ctx, files, l); away != nil {
			return away
		}
		return problem.WithReport(problem.Diverged, []string{
			"go on here:", o.without("COMMAND"),
			"or, to move the stream to that server for good:", o.command("COMMAND --new-home"),
		}, "the stream of this ledger is embedded, in %s, and not at %s: leave out --nats (or $WATU_NATS), or read",
			files, bare(o.NATS))
	case h.Known() || o.NATS != "" || l.Durable() == 0 || hasStream(dir):
		return nil
	}
	return problem.WithReport(problem.Diverged, []string{
		"if its stream is on a server elsewhere, go on there:", o.command("COMMAND --nats URL"),
		"if it has no stream any more, and no other host goes on with this ledger:", o.command("COMMAND --new-home"),
	}, "nobody knows where the stream of this ledger is: it was written by an older watu, or restored, "+
		"and there is no %s; say where, or read", files)
}

// fromBefore says of a ledger whose stream is embedded that it has had a home on the server that was named: it may be
// a copy from before it moved there. It gives nil where that server knows nothing of it, or cannot be asked.
func (o Options) fromBefore(ctx context.Context, files string, l *ledger.Ledger) *problem.Problem {
	p, err := reachElsewhere(ctx, o)
	if err != nil {
		return nil
	}
	defer p.close()
	id, published, err := p.home(ctx, l.ID())
	if err != nil || id == "" {
		return nil
	}
	return problem.WithReport(problem.Diverged, []string{
		"if it is, go on where the ledger is now, and throw this copy away;",
		"or, if no other directory of it is left, take back here what was recorded there:",
		o.command("repair --from-stream --new-home"),
		"if the ledger moved back here since, leave out --nats (or $WATU_NATS):", o.without("COMMAND"),
	}, "the stream of this ledger is embedded, in %s, but it has had its home at %s too, with %s, and this record "+
		"has %d: this may be an older copy, from before it moved there",
		files, p.where, words.Count(published, "event"), l.Durable())
}

// leave asks the home of a ledger that is to move away whether another host goes on with the ledger there,
// by taking its lease; with rename that home gets a new id, so that copies that remember it stay out.
func (o Options) leave(ctx context.Context, l *ledger.Ledger, rename bool) error {
	h := l.Home()
	if !o.NewHome || h.ID == "" || bare(o.NATS) == h.Address {
		return nil // where it stays, the lease is taken anyway
	}
	there := o
	if there.NATS = h.Address; bare(o.Environment) == h.Address {
		there.NATS = o.Environment // perhaps with a password
	}
	err := there.askHome(ctx, l, rename)
	switch {
	case err == nil || ctx.Err() != nil:
		return err
	case errors.Is(err, stream.ErrLeaseHeld):
		return problem.WithReport(problem.Unreachable, []string{
			"submit there, or stop that process first; to move the ledger to this host with all that is",
			"recorded there, let it write a last backup, and restore that here:",
			"  watu handover -o FILE --recipient age1…",
		}, "another host goes on with this ledger, at %s: %v", h.Address, err)
	case !o.Yes:
		return problem.WithReport(problem.Input, []string{
			"name it in $WATU_NATS with its password, if it wants one; or, if you know that no other host goes on:",
			o.command("COMMAND --yes"),
		}, "nobody could be asked whether another host goes on with this ledger, at %s: %v", h.Address, err)
	case rename:
		o.logf("the home of this ledger was left without asking there, at %s: %v", h.Address, err)
	}
	return nil
}

// askHome takes the lease of the home that a ledger remembers, and gives it back.
func (o Options) askHome(ctx context.Context, l *ledger.Ledger, rename bool) error {
	p, err := reachElsewhere(ctx, o)
	if err != nil {
		return err
	}
	defer p.close()
	lo := stream.LeaseOptions{Home: l.Home().ID, Holder: cmp.Or(o.Holder, "watu"), Term: o.Term, Logf: o.logf}
	lease, err := p.lease(ctx, l.ID(), lo)
	if errors.Is(err, stream.ErrHome) {
		return cmp.Or(o.askMoved(ctx, p, l.ID(), lo), err)
	}
	if err != nil {
		return err
	}
	defer lease.Release()
	if rename {
		_, err = lease.Rename(ctx)
	}
	return err
}

// askMoved asks a home that has another id by now, because the ledger moved on or away. It fails if another host holds
// the lease there, and gives nil otherwise: nobody there knows where the ledger goes on.
func (o Options) askMoved(ctx context.Context, p *server, ledger ulid.ULID, lo stream.LeaseOptions) error {
	var err error
	if lo.Home, _, err = p.home(ctx, ledger); err != nil || lo.Home == "" {
		return nil
	}
	lease, err := p.lease(ctx, ledger, lo)
	if err == nil {
		lease.Release()
	}
	if errors.Is(err, stream.ErrLeaseHeld) {
		return err
	}
	return nil
}

// without is a command that a report proposes, without the server that was named.
func (o Options) without(rest string) string { return "  watu " + rest + o.Dir }

// hasStream reports whether the embedded server has kept a stream in the directory.
func hasStream(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "stream"))
	return !errors.Is(err, fs.ErrNotExist)
}

// takeLease takes the lease of a ledger whose stream is to be at p; without one for the embedded server.
func (o Options) takeLease(ctx context.Context, p *server, l *ledger.Ledger) (*stream.Lease, error) {
	if p.server != nil {
		return nil, nil
	}
	h := l.Home()
	lease, err := p.lease(ctx, l.ID(), stream.LeaseOptions{
		Home: h.ID, Begin: o.NewHome, Holder: cmp.Or(o.Holder, "watu"),
		Term: o.Term, Replicas: o.Replicas, Logf: o.logf,
	})
	switch {
	case err == nil && h.ID != "" && h.Address == p.where:
		if err = o.movedSince(l, lease); err == nil {
			err = o.begunAnew(p, l, lease)
		}
		if err != nil {
			lease.Release()
			return nil, err
		}
		return lease, nil
	case !errors.Is(err, stream.ErrHome):
		return lease, err
	case h.Address == p.where:
		return nil, problem.WithReport(problem.Diverged, []string{
			"it was there: another copy moved it since, or was repaired to stand there, or the lease was deleted;",
			"find out who did that, and go on with that copy.",
			"if no other host goes on with this ledger, and no copy is newer than this one:",
			o.command("COMMAND --new-home"),
		}, "%s: %v", p.where, err)
	}
	return nil, problem.WithReport(problem.Diverged, []string{
		"name the server where it is: it was reached last at " + h.Address,
		"or, if it is gone for good and no other host goes on with this ledger:", o.command("COMMAND --new-home"),
	}, "%s: %v", p.where, err)
}

// movedSince refuses the way back to a home that this record remembers under another id: whoever moved the ledger away
// may go on with it elsewhere, and cannot be asked.
func (o Options) movedSince(l *ledger.Ledger, lease *stream.Lease) error {
	h := l.Home()
	if h.ID == lease.Home() || lease.Status().Generation == 1 || o.Yes {
		return nil
	}
	return problem.WithReport(problem.Input, []string{
		"go on where the ledger is; or, if you know that no other host goes on with it, and no copy is newer:",
		o.command("COMMAND --yes"),
	}, "another copy has moved this ledger away from %s since this one was there, and nobody could be asked whether "+
		"it goes on elsewhere", h.Address)
}

// begunAnew writes down at once that a home was begun anew where its lease was deleted: whatever is found
// out next, the former one is gone.
func (o Options) begunAnew(p *server, l *ledger.Ledger, lease *stream.Lease) error {
	h := l.Home()
	if h.ID == lease.Home() || lease.Status().Generation != 1 {
		return nil
	}
	h.ID = lease.Home()
	if err := l.Settle(h); err != nil {
		return err
	}
	p.anew = h.ID
	o.logf("the lease of this ledger was deleted at %s, and is begun anew: nobody there knows whether a copy is newer "+
		"than this record; start the newest one", h.Address)
	return nil
}

// settle writes down where the stream is, once it is known to agree with the record there. A ledger
// that moves gives the server's home a new id: a copy that remembers an older one stays out.
func (o Options) settle(ctx context.Context, p *server, l *ledger.Ledger, lease *stream.Lease) error {
	was, is := l.Home(), ledger.Home{Embedded: true}
	if lease != nil {
		is = ledger.Home{ID: lease.Home(), Address: p.where}
		if was.Known() && was.ID != is.ID {
			id, err := lease.Rename(ctx)
			if err != nil {
				return err
			}
			is.ID = id
		}
	}
	if was == is {
		return nil
	}
	if was.ID != is.ID {
		if err := o.leave(ctx, l, true); err != nil {
			return err
		}
	}
	if err := l.Settle(is); err != nil {
		return err
	}
	if was.Known() && (was.ID != is.ID || was.Embedded != is.Embedded) {
		o.logf("the stream of this ledger is %s from now on; it was %s", placed(is), placed(was))
	}
	return nil
}

// placed names a home.
func placed(h ledger.Home) string {
	switch {
	case h.Embedded:
		return "embedded"
	case h.ID != "":
		return fmt.Sprintf("at %s (home %s)", h.Address, h.ID)
	}
	return "nobody knows where"
}

// Lease is how the right to take steps stands that a ledger has by its stream on a server elsewhere.
type Lease struct {
	Generation uint64    `json:"generation"` // how often it was taken
	Holder     string    `json:"holder"`     // the process that answers
	Until      time.Time `json:"until"`      // when it ends unless it is renewed
	Trouble    string    `json:"trouble,omitempty"`
	Lost       bool      `json:"lost,omitempty"` // for as long as this process lives
}

// leased says how the lease stands, nil without one.
func (t *lease) leased() *Lease {
	if t.lease == nil {
		return nil
	}
	s := t.lease.Status()
	out := &Lease{Generation: s.Generation, Holder: s.Holder, Until: s.Until.UTC().Round(time.Millisecond)}
	if s.Err != nil {
		out.Trouble, out.Lost = s.Err.Error(), errors.Is(s.Err, stream.ErrLeaseLost)
	}
	return out
}

// Stopped says in a sentence for readers why no step can be taken, "" while steps can be.
func (h *Host) Stopped() string {
	const behind = " What is shown here may be behind."
	switch err := h.lease.May(); {
	case err == nil:
		return ""
	case errors.Is(err, stream.ErrLeaseLapsed):
		return "This server takes no steps for now: it does not reach the server of its stream." + behind
	}
	return "This server takes no more steps: another host may go on with this ledger." + behind
}
