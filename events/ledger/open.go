package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger/disk"
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
	// Appended is called for each step that [Ledger.Append] made durable: how many events it has, and
	// how long its caller waited, others' syncs included. It is called behind the commit point, by
	// the caller of Append and several at a time, and should be quick. What was applied before, and
	// what [Ledger.Adopt] copies, is not reported. Nil is nobody.
	Appended func(events int, took time.Duration)
	// Holder is stored for others who find the directory held, such as "watu serve on SOCKET".
	Holder string
	// Guard decides whether steps may be taken and answered; nil always lets them.
	Guard Guard
	// Repairing opens a ledger in spite of its checkpoint: the record lacks what CHECKPOINT
	// says, or has other events, or CHECKPOINT cannot be read. Such a ledger takes no steps and
	// leaves CHECKPOINT alone until [Ledger.Adopt] has brought it up to the checkpoint or
	// [Ledger.AcceptLoss] gave up what is missing; see [Ledger.Behind].
	Repairing bool
	// Stall is the time that a commit may take before the ledger counts as failed; 0 is 30 s.
	Stall time.Duration

	checkpointEvery time.Duration // other than usual, for tests
}

// Open opens the ledger in dir, and creates it if dir does not exist or is empty. It fails
// with [ErrHeld], [ErrNotLedger], [ErrNewer] or [ErrDamaged], with a [*CheckpointError] or
// [ErrCheckpoint] and nothing of the record was touched, with [ErrReadOnly] if READONLY cannot
// be read, or with what the disk says.
func Open(dir string, o Options) (*Ledger, error) { return open(dir, o, birth{}) }

func open(dir string, o Options, b birth) (*Ledger, error) {
	o, dir, err := o.withDefaults(dir)
	if err != nil {
		return nil, err
	}
	d := directory{fs: o.FS, path: dir}
	id, exists, err := d.inspect()
	if err != nil {
		return nil, err
	}
	if err := b.fits(id, exists); err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	if exists {
		err = d.room()
	}
	if err != nil {
		return nil, openError(dir, err)
	}
	lock, err := d.lock(o.Holder)
	if err != nil {
		return nil, openError(dir, err)
	}
	l := newLedger(d, o, lock)
	if err := l.openRecord(b); err != nil {
		return nil, openError(dir, cmp.Or(err, d.unlock(lock)))
	}
	return l, nil
}

func newLedger(d directory, o Options, lock *pebble.Lock) *Ledger {
	ending := make(chan struct{})
	life, endLife := context.WithCancel(context.Background())
	return &Ledger{
		life: life, endLife: endLife,
		dir: d, opts: o, lock: lock, disk: disk.New(o.Logf, ending), kept: keeping{every: o.checkpointEvery},
		ending: ending, failed: make(chan struct{}), moved: make(chan struct{}),
		names: map[string]ulid.ULID{}, campaigns: map[ulid.ULID]*campaign{},
	}
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
	if o.Guard == nil {
		o.Guard = free{}
	}
	if o.Appended == nil {
		o.Appended = func(int, time.Duration) {}
	}
	o.checkpointEvery = cmp.Or(o.checkpointEvery, checkpointEvery)
	o.Stall = cmp.Or(o.Stall, 30*time.Second)
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
func (l *Ledger) openRecord(b birth) error {
	id, exists, err := l.dir.inspect() // again: another process may have been here before the lock
	if err == nil {
		err = b.fits(id, exists)
	}
	if err == nil && !exists {
		id, err = l.dir.begin(b)
	}
	if err != nil {
		return err
	}
	l.id = id.Ledger
	l.born.Store(&id)
	if exists {
		if err := l.hearPromise(); err != nil {
			return err
		}
	}
	if err := l.openStore(exists, false); err != nil {
		return err
	}
	err = l.readOrBegin(exists)
	if err == nil && exists && id.Format < formatVersion {
		err = l.rewrite(id) // before the first step: an older watu would take it elsewhere
	}
	if err != nil && l.disk.Abandoned() {
		return err
	}
	if err != nil {
		return cmp.Or(err, l.db.Close())
	}
	if l.doubted() == nil {
		l.startKeeping()
	}
	return nil
}

// readOrBegin reads the record in the store that was opened, or begins it.
func (l *Ledger) readOrBegin(exists bool) (err error) {
	if exists {
		err = l.load()
	} else {
		err = l.db.Set([]byte{keyLedger}, l.id[:], pebble.Sync)
	}
	if err == nil {
		err = l.findMark(exists)
	}
	if err == nil {
		err = l.weighPromise()
	}
	err = cmp.Or(err, l.disk.Opened(func(cause error) { l.fail(refusal(l.dir.path, cause)) }))
	if err == nil && !exists {
		err = l.dir.finish()
	}
	return err
}

// openStore opens Pebble.
func (l *Ledger) openStore(exists, readOnly bool) (err error) {
	o := disk.Options(l.dir.fs, l.disk)
	o.ErrorIfNotExists, o.ReadOnly = exists, readOnly
	o.Lock = l.lock
	open := func() (*pebble.DB, error) { return pebble.Open(l.dir.join(nameRecord), o) }
	if exists && !readOnly {
		l.db, err = l.disk.Start(open)
	} else { // Pebble does all of it here and now
		l.db, err = disk.Safely(open)
	}
	if errors.Is(err, pebble.ErrDBDoesNotExist) {
		return fmt.Errorf("%w: the directory %s is gone", ErrDamaged, nameRecord)
	}
	if exists && err != nil && unreadable(err) {
		return fmt.Errorf("%w: %s does not open: %w", ErrDamaged, nameRecord, err)
	}
	return err
}

// unreadable reports whether a store was opened as far as its files go, and these are wrong: no
// disk refuses, and nothing of this package has reported it already.
func unreadable(err error) bool {
	var path *fs.PathError
	return !errors.As(err, &path) && !vfs.IsNoSpaceError(err) &&
		!errors.Is(err, ErrFailed) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrHeld)
}

// hearPromise reads the checkpoint, and looks whether the record keeps it before Pebble
// writes anything: what Pebble takes for superfluous in a damaged record it deletes. Where nothing is written,
// [Ledger.weighPromise] is early enough.
func (l *Ledger) hearPromise() error {
	promise, err := l.dir.readCheckpoint(l.id)
	if err != nil {
		if errors.Is(err, ErrCheckpoint) && l.opts.Repairing {
			l.doubt.Store(&err)
			return nil
		}
		return err
	}
	l.promise = promise
	if promise == nil || l.opts.Repairing || l.reading {
		return nil
	}
	return l.dir.holds(promise, l.opts, l.lock)
}

// holds reads the record without writing, and fails if it contradicts the checkpoint.
func (d directory) holds(promise *Checkpoint, o Options, lock *pebble.Lock) error {
	reader := newLedger(d, o, lock)
	reader.id = promise.Ledger
	if err := reader.openStore(true, true); err != nil {
		return err
	}
	err := reader.load()
	if err == nil {
		err = reader.compare(promise)
	}
	return cmp.Or(err, reader.disk.Opened(nil), reader.db.Close())
}

// weighPromise compares the record that was opened with its checkpoint.
func (l *Ledger) weighPromise() error {
	if l.promise == nil {
		if l.Durable() > 0 && l.doubted() == nil {
			l.opts.Logf("checkpoint: there is no file %s beside a record of %d events, as in a ledger of an "+
				"older version; the record is taken as it is", nameCheckpoint, l.Durable())
		}
		return nil
	}
	l.kept.promised = l.promise.Sequence
	err := l.compare(l.promise)
	if behind := (*CheckpointError)(nil); l.opts.Repairing && errors.As(err, &behind) {
		l.doubt.Store(&err)
		return nil
	}
	l.promise = nil
	return err
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
		l.shown = append(l.shown, c)
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
