package ledger

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/events/ledger/disk"
)

// What crosses the contract of a journal has the ledger's name too.
type (
	Campaign = journal.Campaign
	Step     = journal.Step
	Appended = journal.Appended
	Answered = journal.Answered
	Adopted  = journal.Adopted
)

var _ journal.Journal = (*Ledger)(nil)

// Ledger is an open ledger. It is a [journal.Journal]. Its methods may be called at the same time.
type Ledger struct {
	dir  directory
	id   ulid.ULID
	born atomic.Pointer[identity] // what LEDGER says
	opts Options
	lock *pebble.Lock
	db   *pebble.DB
	disk *disk.Monitor

	reading bool // nothing is written; see OpenToRead

	use     sync.RWMutex   // read-locked by whoever is inside db; Close locks it
	leading sync.WaitGroup // who commits a group
	closed  bool
	closing sync.Mutex      // one close at a time
	ending  chan struct{}   // closed when Close begins
	life    context.Context // ends when Close begins
	endLife context.CancelFunc
	end     sync.Once

	failed  chan struct{} // closed when the ledger fails
	fail1   sync.Once
	failure error // set before failed is closed

	mark    atomic.Pointer[ReadOnlyError] // why the ledger is read-only; written under gathering
	doubt   atomic.Pointer[error]         // why the record is not trusted to be whole
	keepers sync.WaitGroup                // of the checkpoint

	adopting sync.Mutex  // one Adopt, mark or end of a repair at a time
	promise  *Checkpoint // what a record under repair must reach; guarded by adopting

	// gathering guards the group of steps that is being gathered, and what is not durable yet.
	gathering sync.Mutex
	open      *group // takes steps; nil if there is none
	last      *group // the newest, open or not
	sequence  uint64 // of the last event gathered
	names     map[string]ulid.ULID
	campaigns map[ulid.ULID]*campaign

	// published guards what readers see.
	published sync.Mutex
	durable   atomic.Uint64 // written under published
	shown     []*campaign   // those with a durable event
	kept      keeping
	tail      tail
	moved     chan struct{} // closed and replaced when durable moves and somebody waits
	waiting   int
}

// campaign is the state of one campaign.
type campaign struct {
	id   ulid.ULID
	name string // guarded by gathering until the campaign is published

	mu      sync.Mutex // guards what is gathered, durable or not
	next    uint64
	head    events.Hash
	turn    uint64
	pending map[string]*pending // by command id
	known   map[uint64]struct{} // hashes of all command ids; nil until the first append

	seen Campaign // guarded by Ledger.published: what is durable; no events, no campaign
}

// failedWait is how long Close waits for a store that has failed: Pebble may never let it go.
const failedWait = 2 * time.Second

// Close waits for the steps in flight, brings the checkpoint up to date and releases the
// directory. It does not wait for what is only in the write-ahead log to become tables. After a failure
// it waits two seconds, or Options.Stall if that is less: the process is to end then, which releases
// the directory too.
func (l *Ledger) Close() error {
	l.end.Do(func() { close(l.ending); l.endLife() })
	done := make(chan error, 1)
	go func() { done <- l.close() }()
	select {
	case err := <-done:
		return err
	case <-l.failed:
	}
	select {
	case err := <-done:
		return err
	case <-time.After(min(l.opts.Stall, failedWait)):
		return l.failure
	}
}

func (l *Ledger) close() (err error) {
	l.closing.Lock()
	defer l.closing.Unlock()
	if !l.reading && l.doubted() == nil {
		_ = l.endKeeping() // before the lock: a step that hangs holds it
	}
	l.use.Lock()
	defer l.use.Unlock()
	l.leading.Wait()
	if l.closed {
		return nil
	}
	l.closed = true
	if l.reading {
		return errors.Join(l.db.Close(), l.lock.Close())
	}
	if err := l.endKeeping(); err != nil {
		l.opts.Logf("checkpoint: cannot be written, and is older than the record: %v", err)
	}
	l.disk.Opened(nil) // nothing is in flight: what goes wrong now is for Close to return
	defer func() {
		// Pebble may panic here after its disk has refused; the failure was reported already.
		if r := recover(); r != nil {
			err = fmt.Errorf("close ledger %s: %v", l.dir.path, r)
		}
	}()
	err = errors.Join(l.db.Close(), l.dir.unlock(l.lock))
	if vfs.IsNoSpaceError(err) {
		return refusal(l.dir.path, err)
	}
	return err
}

// ID is the ledger's own id.
func (l *Ledger) ID() ulid.ULID { return l.id }

// Campaigns lists the campaigns by id, which is the order in which they were named.
func (l *Ledger) Campaigns() []Campaign { return l.Checkpoint().Campaigns }

// Find gives the campaign with this name, or else with this id.
func (l *Ledger) Find(nameOrID string) (Campaign, bool) {
	l.gathering.Lock()
	id, named := l.names[nameOrID]
	l.gathering.Unlock()
	if !named {
		var err error
		if id, err = ulid.ParseStrict(nameOrID); err != nil {
			return Campaign{}, false
		}
	}
	return l.Campaign(id)
}

// Campaign gives the campaign with this id.
func (l *Ledger) Campaign(id ulid.ULID) (Campaign, bool) {
	l.gathering.Lock()
	c := l.campaigns[id]
	l.gathering.Unlock()
	if c == nil {
		return Campaign{}, false
	}
	l.published.Lock()
	defer l.published.Unlock()
	return c.seen, c.seen.Events > 0
}

// lastOf gives a copy of the last entry whose key begins with prefix, nil if there is none.
func (l *Ledger) lastOf(prefix []byte) (key, value []byte, err error) {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: after(prefix)})
	if err != nil {
		return nil, nil, unread(err)
	}
	if it.Last() {
		key, value = slices.Clone(it.Key()), slices.Clone(it.Value())
	}
	return key, value, unread(cmp.Or(it.Error(), it.Close()))
}

// scan gives take the entries whose keys begin with prefix, in order, until it says false.
// Keys and values are good until take returns.
func (l *Ledger) scan(prefix []byte, take func(key, value []byte) (bool, error)) error {
	return l.scanRange(prefix, after(prefix), take)
}

func (l *Ledger) scanRange(from, to []byte, take func(key, value []byte) (bool, error)) error {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return unread(err)
	}
	more := true
	for ok := it.First(); ok && more && err == nil; ok = it.Next() {
		more, err = take(it.Key(), it.Value())
	}
	return unread(cmp.Or(it.Error(), err, it.Close())) // what take made of a value that does not read says less
}

// enter holds the ledger open until leave.
func (l *Ledger) enter() error {
	l.use.RLock()
	if l.closed {
		l.use.RUnlock()
		return ErrClosed
	}
	return nil
}

func (l *Ledger) leave() { l.use.RUnlock() }

// sequenceOf and bytesOf are the parts of a record's value.
func sequenceOf(value []byte) uint64 { return binary.BigEndian.Uint64(value) }
func bytesOf(value []byte) []byte    { return value[8:] }
