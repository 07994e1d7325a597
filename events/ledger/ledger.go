package ledger

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Options of [Open]. The zero value is ready for use.
type Options struct {
	// FS is the file system; nil is the real one.
	FS vfs.FS
	// Logf hears of troubles that do not stop the ledger; nil drops them.
	Logf func(format string, args ...any)
	// Fatal is called once when the disk refuses for good, with an [ErrFailed]. It should end
	// the process, and must not close the ledger: the caller of an append or a goroutine of
	// Pebble is inside. If it returns, every later append fails. The default prints the error
	// on one line of standard error and exits with code 1.
	Fatal func(error)
	// Holder is stored for others who find the directory held, such as "watu serve on SOCKET".
	Holder string
	// Stall is the time that a commit may take before the ledger counts as failed; 0 is 30 s.
	Stall time.Duration
}

// Campaign is a campaign as far as it is durable.
type Campaign struct {
	ID     ulid.ULID
	Name   string
	Events uint64      // number of events, which is the next index
	Head   events.Hash // hash of the last event
}

// Ledger is an open ledger. Its methods may be called at the same time.
type Ledger struct {
	dir  directory
	id   ulid.ULID
	opts Options
	lock *pebble.Lock
	db   *pebble.DB
	disk *diskVoice

	use    sync.RWMutex // read-locked by whoever is inside db; Close locks it
	closed bool
	ending chan struct{} // closed when Close begins
	end    sync.Once

	failed  chan struct{} // closed when the ledger fails
	fail1   sync.Once
	failure error // set before failed is closed

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

// Open opens the ledger in dir, and creates it if dir does not exist or is empty. It fails
// with [ErrHeld], [ErrNotLedger], [ErrNewer] or [ErrDamaged], or with what the disk says.
func Open(dir string, o Options) (*Ledger, error) {
	o, dir, err := o.withDefaults(dir)
	if err != nil {
		return nil, err
	}
	d := directory{fs: o.FS, path: dir}
	if _, _, err := d.inspect(); err != nil {
		return nil, err
	}
	lock, err := d.lock(o.Holder)
	if err != nil {
		return nil, openError(dir, err)
	}
	l := &Ledger{
		dir: d, opts: o, lock: lock,
		ending: make(chan struct{}), failed: make(chan struct{}), moved: make(chan struct{}),
		names: map[string]ulid.ULID{}, campaigns: map[ulid.ULID]*campaign{},
	}
	if err := l.openRecord(); err != nil {
		return nil, openError(dir, errors.Join(err, d.unlock(lock)))
	}
	return l, nil
}

func (o Options) withDefaults(dir string) (Options, string, error) {
	if o.FS == nil {
		// The lock of the real file system is by name within a process: have one name.
		abs, err := filepath.Abs(dir)
		if err != nil {
			return o, dir, err
		}
		o.FS, dir = vfs.Default, abs
	}
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	if o.Fatal == nil {
		o.Fatal = func(err error) {
			fmt.Fprintf(os.Stderr, "watu: %v\n", err)
			os.Exit(1)
		}
	}
	if o.Stall == 0 {
		o.Stall = 30 * time.Second
	}
	return o, dir, nil
}

func openError(dir string, err error) error {
	if errors.Is(err, ErrHeld) {
		return err // says all
	}
	if vfs.IsNoSpaceError(err) {
		return refusal(dir, err)
	}
	return fmt.Errorf("open ledger %s: %w", dir, err)
}

// openRecord opens or creates the Pebble store, with the lock held.
func (l *Ledger) openRecord() error {
	id, exists, err := l.dir.inspect() // again: another process may have been here before the lock
	if err == nil && !exists {
		id, err = l.dir.begin()
	}
	if err != nil {
		return err
	}
	l.id = id.Ledger
	l.disk = &diskVoice{logf: l.opts.Logf}
	o := storeOptions(l.dir.fs, l.disk)
	o.ErrorIfNotExists = exists
	o.Lock = l.lock
	if l.db, err = pebble.Open(l.dir.join(nameRecord), o); err != nil {
		if errors.Is(err, pebble.ErrDBDoesNotExist) {
			return fmt.Errorf("%w: the directory %s is gone", ErrDamaged, nameRecord)
		}
		return err
	}
	if exists {
		err = l.load()
	} else {
		err = l.db.Set([]byte{keyLedger}, l.id[:], pebble.Sync)
	}
	err = errors.Join(err, l.disk.opened(func(cause error) { l.fail(refusal(l.dir.path, cause)) }))
	if err == nil && !exists {
		err = l.dir.finish()
	}
	if err != nil {
		return errors.Join(err, l.db.Close())
	}
	return nil
}

// load reads what the ledger keeps in memory: the heads of its campaigns.
func (l *Ledger) load() error {
	_, owner, err := l.lastOf([]byte{keyLedger})
	if err == nil && !slices.Equal(owner, l.id[:]) {
		err = fmt.Errorf("%w: it belongs to another ledger than %s", ErrDamaged, nameLedger)
	}
	if err != nil {
		return err
	}
	var total uint64
	err = l.scan([]byte{keyCampaign}, func(key, value []byte) (bool, error) {
		if len(key) != lenCampaignKey {
			return false, damaged(key)
		}
		c := &campaign{id: ulid.ULID(key[1:]), name: string(value), pending: map[string]*pending{}}
		if err := l.loadHead(c); err != nil {
			return false, err
		}
		total += c.next
		c.seen = Campaign{ID: c.id, Name: c.name, Events: c.next, Head: c.head}
		l.campaigns[c.id], l.names[c.name] = c, c.id
		return true, nil
	})
	if err != nil {
		return err
	}
	key, value, err := l.lastOf([]byte{keyStep})
	if err != nil || key == nil {
		return err
	}
	s, first, err := readStep(key, value)
	if err != nil {
		return err
	}
	l.sequence = first + uint64(s.count) - 1
	if l.sequence != total {
		return fmt.Errorf("%w: %d events in sequence, %d in campaigns", ErrDamaged, l.sequence, total)
	}
	l.durable.Store(l.sequence)
	return nil
}

func (l *Ledger) loadHead(c *campaign) error {
	key, value, err := l.lastOf(campaignKey(keyRecord, c.id))
	if err != nil {
		return err
	}
	index, err := numberIn(key)
	if err != nil || len(value) < 8 {
		return fmt.Errorf("%w: campaign %s has no events", ErrDamaged, c.name)
	}
	c.next, c.head = index+1, events.LeafHash(value[8:])
	if key, _, err = l.lastOf(campaignKey(keyTurn, c.id)); err != nil {
		return err
	}
	c.turn, err = numberIn(key)
	return err
}

// Close waits for the steps in flight and releases the directory. After a failure it waits
// no longer than Options.Stall.
func (l *Ledger) Close() error {
	l.end.Do(func() { close(l.ending) })
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
	case <-time.After(l.opts.Stall):
		return l.failure
	}
}

func (l *Ledger) close() (err error) {
	l.use.Lock()
	defer l.use.Unlock()
	if l.closed {
		return nil
	}
	l.closed = true
	l.disk.opened(nil) // nothing is in flight: what goes wrong now is for Close to return
	defer func() {
		// Pebble may panic here after its disk has refused; the failure was told already.
		if r := recover(); r != nil {
			err = fmt.Errorf("close ledger %s: %v", l.dir.path, r)
		}
	}()
	return errors.Join(l.db.Close(), l.dir.unlock(l.lock))
}

// ID is the ledger's own id.
func (l *Ledger) ID() ulid.ULID { return l.id }

// Campaigns lists the campaigns by id, which is the order in which they were named.
func (l *Ledger) Campaigns() []Campaign {
	l.gathering.Lock()
	all := make([]*campaign, 0, len(l.campaigns))
	for _, c := range l.campaigns {
		all = append(all, c)
	}
	l.gathering.Unlock()
	l.published.Lock()
	defer l.published.Unlock()
	var list []Campaign
	for _, c := range all {
		if c.seen.Events > 0 {
			list = append(list, c.seen)
		}
	}
	slices.SortFunc(list, func(a, b Campaign) int { return a.ID.Compare(b.ID) })
	return list
}

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
		return nil, nil, err
	}
	if it.Last() {
		key, value = slices.Clone(it.Key()), slices.Clone(it.Value())
	}
	return key, value, errors.Join(it.Error(), it.Close())
}

// scan gives take the entries whose keys begin with prefix, in order, until it says false.
// Keys and values are good until take returns.
func (l *Ledger) scan(prefix []byte, take func(key, value []byte) (bool, error)) error {
	return l.scanRange(prefix, after(prefix), take)
}

func (l *Ledger) scanRange(from, to []byte, take func(key, value []byte) (bool, error)) error {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return err
	}
	more := true
	for ok := it.First(); ok && more && err == nil; ok = it.Next() {
		more, err = take(it.Key(), it.Value())
	}
	return errors.Join(err, it.Error(), it.Close())
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
