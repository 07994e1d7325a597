package stream

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"
)

// What a caller of [TakeLease] and [Lease.Valid] may branch on.
var (
	// ErrHome: the server is not the home that the ledger remembers, or no longer has its lease.
	ErrHome = errors.New("not the home of this ledger")
	// ErrLeaseHeld: another process holds the lease, and lives.
	ErrLeaseHeld = errors.New("the lease of this ledger is held")
	// ErrLeaseLapsed: the term is over because the server was not reached. It may be had again.
	ErrLeaseLapsed = errors.New("the lease of this ledger has lapsed")
	// ErrLeaseLost: the lease is lost, for as long as this process lives.
	ErrLeaseLost = errors.New("the lease of this ledger is lost")
)

const (
	leaseTerm = 15 * time.Second
	leaseKey  = "lease"
	// renewals is how often a lease is renewed within its term.
	renewals = 5
)

// LeaseOptions say which lease is taken, and for whom.
type LeaseOptions struct {
	Home     string        // id of the home that the ledger remembers, "" if it remembers none
	Begin    bool          // the ledger may have its home here from now on, whatever it remembers
	Holder   string        // who takes it, for others: "watu serve"
	Term     time.Duration // for how long it holds unless it is renewed; 15 s when 0
	Replicas int           // of the bucket, as of the stream
	Logf     func(format string, args ...any)
}

// leaseValue is what the bucket's one key holds.
type leaseValue struct {
	Home       string `json:"home"`       // id of the home, random
	Generation uint64 `json:"generation"` // how often the lease was taken
	Holder     string `json:"holder"`     // random, of the process that holds it; "" once it was released
	By         string `json:"by"`         // who holds or held it, for people
	Host       string `json:"host"`
	PID        int    `json:"pid"`
	Term       int64  `json:"term_ms"`
	reach             // of the stream when this was written
}

func (v *leaseValue) term() time.Duration { return time.Duration(v.Term) * time.Millisecond }

// who names the holder for people.
func (v *leaseValue) who() string {
	return fmt.Sprintf("%s (process %d on %s), generation %d", v.By, v.PID, v.Host, v.Generation)
}

// LeaseStatus says how a lease stands.
type LeaseStatus struct {
	Generation uint64
	Holder     string    // for people
	Until      time.Time // when it ends unless it is renewed
	Err        error     // why no step may be taken; nil while it is valid
}

// Lease is the right to take steps in a ledger whose home is on a server elsewhere. It renews itself
// until it is released or lost. Its methods may be used by several goroutines.
type Lease struct {
	bucket
	term   time.Duration
	cancel context.CancelFunc
	done   chan struct{}

	asking sync.Mutex // held for one request at a time

	mu       sync.Mutex
	value    leaseValue
	revision uint64    // of the value, as this process wrote it last
	from     time.Time // when the request was sent that renewed it last
	trouble  error     // of the last request
	lost     error     // set for good
	missing  int       // requests in a row that found no bucket
	reach    reach     // of the stream, as this process knows it
	changed  chan struct{}

	hurry chan struct{} // asks for a renewal at once, because a step waits for it
}

// TakeLease takes the lease of a ledger on a server elsewhere. Where a holder that went without
// releasing it may still be alive it waits for as long as that one's term, and says so. It fails with
// [ErrHome], [ErrLeaseHeld], [ErrDenied], [ErrNoJetStream], [ErrNoJetStreamForAccount], [ErrReplicas].
func TakeLease(ctx context.Context, nc *nats.Conn, ledger ulid.ULID, o LeaseOptions) (*Lease, error) {
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	o.Term = cmp.Or(o.Term, leaseTerm)
	b, err := newBucket(nc, ledger, o)
	if err != nil {
		return nil, err
	}
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	l := &Lease{bucket: b, term: o.Term, done: make(chan struct{}), changed: make(chan struct{}),
		hurry: make(chan struct{}, 1)}
	if err := l.take(ctx); err != nil {
		return nil, err
	}
	ctx, l.cancel = context.WithCancel(context.Background())
	go l.keep(ctx)
	return l, nil
}

// take writes this process into the lease as soon as nobody else holds it.
func (l *Lease) take(ctx context.Context) error {
	host, _ := os.Hostname()
	mine := leaseValue{Holder: rand.Text(), By: l.o.Holder, Host: host, PID: os.Getpid(), Term: l.term.Milliseconds()}
	const attempts = 4 // at requests that are not answered
	for unanswered := 0; ; {
		found, revision, err := l.vacant(ctx, mine.Holder)
		if err != nil {
			return err
		}
		if found.Holder != mine.Holder { // else an answer was lost
			mine.Home, mine.Generation, mine.reach = found.Home, found.Generation+1, found.reach
		}
		if mine.Home == "" {
			mine.Home = rand.Text()
		}
		sent := time.Now()
		written, err := l.write(ctx, mine, revision)
		if err == nil {
			l.value, l.revision, l.from, l.reach = mine, written, sent, mine.reach
			return nil
		}
		if unanswered++; ctx.Err() != nil || unanswered == attempts || !isTimeout(err) && !errors.Is(err, errRevision) {
			return explain("take the lease "+l.name, inCluster(l.nc, err))
		}
		if errors.Is(err, errRevision) {
			unanswered = 0 // somebody else wrote in between
		}
	}
}

// vacant waits until nobody but the given holder has the lease, and gives what it holds then. One who
// renews it meanwhile lives; one who does not for a whole term, on the clock of this process, is gone,
// or knows that its own term is over.
func (l *Lease) vacant(ctx context.Context, holder string) (leaseValue, uint64, error) {
	v, revision, err := l.read(ctx)
	if err == nil {
		err = l.fits(v, revision)
	}
	if err != nil || v.Holder == "" || v.Holder == holder {
		return v, revision, err
	}
	term := v.term() + v.term()/8 // clocks do not run at the same rate
	l.o.Logf("the lease %s is held by %s: waiting for %v, after which that one has renewed it or may not hold it "+
		"any more", l.name, v.who(), term.Round(time.Second/10))
	pause := min(term/20, time.Second/2)
	for seen := time.Now(); time.Since(seen) < term; {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return v, 0, ctx.Err()
		}
		now, later, err := l.read(ctx)
		switch {
		case err != nil && (lasting(err) || errors.Is(err, errNoBucket)):
			return v, 0, err
		case err != nil: // what is read is a hint alone; whoever lives is found by the revision
		case later > revision && now.Holder == "":
			return now, later, l.fits(now, later)
		case later > revision:
			return v, 0, fmt.Errorf("%w by %s: stop it there, or submit there", ErrLeaseHeld, now.who())
		}
	}
	return v, revision, nil
}

// Home is the id of the home whose lease this is.
func (l *Lease) Home() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value.Home
}

// Rename gives the home a new id, so that nobody goes on who remembers the old one.
func (l *Lease) Rename(ctx context.Context) (string, error) {
	l.asking.Lock()
	defer l.asking.Unlock()
	l.mu.Lock()
	value, revision := l.value, l.revision
	value.Home, value.reach = rand.Text(), l.reach
	l.mu.Unlock()
	sent := time.Now()
	written, err := l.write(ctx, value, revision)
	if err != nil {
		return "", explain("rename the home in "+l.name, err)
	}
	l.renewed(value, written, sent)
	return value.Home, nil
}

// Valid fails while no step may be taken or answered, with [ErrLeaseLapsed] or [ErrLeaseLost].
func (l *Lease) Valid() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.lost != nil:
		return l.lost
	case within(l.from, time.Now(), l.term):
		return nil
	}
	why := ""
	if l.trouble != nil {
		why = fmt.Sprintf(" (%v)", l.trouble)
	}
	return fmt.Errorf("%w: the server of its stream has not been reached for %v%s; "+
		"steps are taken again once it is, unless another host took the lease meanwhile", ErrLeaseLapsed, l.term, why)
}

// within reports whether a term that began at from goes on. Either clock may end it: Linux's monotonic
// clock stands still while a machine sleeps, and a clock on the wall may be set back.
func within(from, now time.Time, term time.Duration) bool {
	return now.Sub(from) < term && now.Round(0).Sub(from.Round(0)) < term
}

// Status says how the lease stands.
func (l *Lease) Status() LeaseStatus {
	err := l.Valid()
	l.mu.Lock()
	defer l.mu.Unlock()
	return LeaseStatus{Generation: l.value.Generation, Holder: l.value.By, Until: l.from.Add(l.term), Err: err}
}

// Lose ends the lease for good, as far as this process is concerned: why, and what can be done.
func (l *Lease) Lose(why error, remedy string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost != nil {
		return
	}
	l.lost = fmt.Errorf("%w: %w; this process takes no more steps: %s", ErrLeaseLost, why, remedy)
	l.o.Logf("%v", l.lost)
	l.tell()
}

// tell wakes whoever waits for a change. The caller holds mu.
func (l *Lease) tell() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// await gives what signals that the lease changed, and when it lapses unless it does.
func (l *Lease) await() (<-chan struct{}, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed, time.Until(l.from.Add(l.term)) + time.Millisecond
}

// Release gives the lease up, so that the next one need not wait, if it is still this process's.
func (l *Lease) Release() {
	l.cancel()
	<-l.done
	if !l.nc.IsConnected() {
		return
	}
	over := l.Valid() != nil
	l.mu.Lock()
	value, revision, lost := l.value, l.revision, l.lost
	value.Holder, value.reach = "", l.reach
	holder := l.value.Holder
	l.lost = cmp.Or(lost, fmt.Errorf("%w: it was released", ErrLeaseLost))
	l.tell()
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), answerWait/2)
	defer cancel()
	if over { // another holder's lease may be at the same revision, in a bucket that was made again
		if v, _, err := l.read(ctx); err != nil || v.Holder != holder {
			return
		}
	}
	if _, err := l.write(ctx, value, revision); err != nil && lost == nil {
		l.o.Logf("the lease %s is not released, and ends with its term: %v", l.name, err)
	}
}

// keep renews the lease until ctx ends: in good time before its term is over, and when the stream has more
// than the bucket says.
func (l *Lease) keep(ctx context.Context) {
	defer close(l.done)
	pause, hurry := l.term/renewals, l.hurry
	for {
		select {
		case <-time.After(pause):
		case <-hurry:
		case <-ctx.Done():
			return
		}
		err := l.renew(ctx)
		switch pause, hurry = l.term/renewals, l.hurry; {
		case ctx.Err() != nil:
			return
		case err != nil:
			pause, hurry = pause/4, nil
			l.failed(err)
		case l.behind(): // an answer was lost, or more was published meanwhile
			pause /= 64
		}
	}
}

// renew writes the value again. Validity counts from before the request was sent.
func (l *Lease) renew(ctx context.Context) error {
	l.asking.Lock()
	defer l.asking.Unlock()
	ctx, cancel := context.WithTimeout(ctx, max(l.term/renewals, time.Second/4))
	defer cancel()
	if errors.Is(l.Valid(), ErrLeaseLapsed) {
		// The bucket may be another one meanwhile, that happens to be at the same revision.
		if err := l.recall(ctx); err != nil {
			return err
		}
	}
	l.mu.Lock()
	value, revision, lost := l.value, l.revision, l.lost
	value.reach = l.reach
	l.mu.Unlock()
	if lost != nil {
		return nil
	}
	sent := time.Now()
	written, err := l.write(ctx, value, revision)
	if errors.Is(err, errRevision) {
		return l.recall(ctx)
	}
	if err != nil {
		return err
	}
	l.renewed(value, written, sent)
	return nil
}

// recall looks who wrote last. If it was this process, an answer was lost, and the lease is renewed at
// that revision the next time; if it was another, the lease is lost.
func (l *Lease) recall(ctx context.Context) error {
	v, revision, err := l.read(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	mine, last, from := l.value, l.revision, l.from
	l.mu.Unlock()
	mine.reach = v.reach // which each request says anew
	switch {
	case revision == 0:
		return errNoBucket
	case v == mine && revision >= last:
		l.mu.Lock()
		l.revision = revision
		l.mu.Unlock()
	case revision > last || v.Generation > mine.Generation || v.Home != mine.Home:
		l.Lose(fmt.Errorf("it was taken by %s", v.who()), "go on there; what it recorded meanwhile is not here")
	case revision < last && !within(from, time.Now(), 2*l.term):
		l.Lose(fmt.Errorf("the server was put back to an earlier state: its lease is at revision %d, but was at %d",
			revision, last),
			"find out what else it lost, and start this one again")
	}
	return nil // what lags behind is read again
}

// renewed notes a request that succeeded.
func (l *Lease) renewed(value leaseValue, revision uint64, sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !within(l.from, time.Now(), l.term) && within(sent, time.Now(), l.term) {
		l.o.Logf("%s is held again, generation %d: nobody else took it meanwhile", l.name, value.Generation)
	}
	l.value, l.revision, l.from, l.trouble, l.missing = value, revision, sent, nil, 0
	l.tell()
}

// failed notes a request that did not succeed. A bucket that is missing twice is gone.
func (l *Lease) failed(err error) {
	if !l.nc.IsConnected() {
		err = errAway
	}
	l.mu.Lock()
	l.trouble = err
	if errors.Is(err, errNoBucket) {
		l.missing++
	} else {
		l.missing = 0
	}
	gone := l.missing > 1
	l.mu.Unlock()
	if gone {
		l.Lose(errNoBucket, "find out who deleted it; if no other host goes on with this ledger, "+
			"start it again with --new-home")
	}
}
