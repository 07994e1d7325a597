// Package store keeps views on disk: all Pebble for views, and nothing else. What a view is,
// and when it is saved, is package projections' business; the record is kept elsewhere, and
// from it everything here can be built again. So the store may be deleted at any time, and it
// is built for that: it writes no log of its own (what was not yet on disk when the process
// ended is folded again), and where it is damaged or of another version, it is emptied, and
// with a notice.
//
// # Keys
//
//	f                                       version of this layout, a varint
//	n <projection>                          version of the projection, a varint
//	v <projection> 00 <campaign>            the latest view
//	s <projection> 00 <campaign> <applied>  a snapshot; applied is 8 bytes big-endian
//
// A view's value is the number of events applied (a varint), the hash of the last of them
// (32 bytes) and what the view has saved. Number and view are one value, so a cursor never
// disagrees with its view.
package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// layout is the version of keys and values.
const layout = 1

var (
	// ErrHeld says that another process, or another Store of this one, has the directory open.
	ErrHeld = errors.New("the views are open elsewhere")
	// ErrClosed says that the store has been closed.
	ErrClosed = errors.New("the views are closed")
)

// Options are the doors of a store to the world; the zero value is the ordinary one.
type Options struct {
	FS  vfs.FS       // nil for the disk
	Say func(string) // reports in one line whatever is dropped or fails in the background; nil for nobody
}

// Store keeps views in a directory. It implements projections.Store.
type Store struct {
	dir    string
	fs     vfs.FS
	say    func(string)
	lock   *pebble.Lock
	mu     sync.RWMutex // held by each use of db, exclusively by replacing it
	db     *pebble.DB   // nil if closed, or given up
	failed atomic.Pointer[error]
	broken chan struct{} // closed when failed is set; made anew by open
}

// Open opens the views in dir, and creates it if need be. Views that cannot be opened, or are
// of another layout, are deleted. The errors are [ErrHeld] and those of the file system.
func Open(dir string, o Options) (*Store, error) {
	s := &Store{dir: dir, fs: o.FS, say: func(string) {}}
	if s.fs == nil {
		s.fs = vfs.Default
	}
	if o.Say != nil { // Pebble's errors can have several lines
		s.say = func(text string) { o.Say(strings.Join(strings.Fields(text), " ")) }
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.take()
	if err == nil {
		err = s.open()
	}
	if err != nil && !errors.Is(err, ErrHeld) {
		if !vfs.IsNoSpaceError(err) {
			s.say(fmt.Sprintf("views in %s cannot be used and are built again: %v", dir, err))
		}
		err = s.replace(err)
	}
	if err != nil && s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// take makes the directory and locks it.
func (s *Store) take() error {
	if err := s.fs.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("views: %w", err)
	}
	lock, err := pebble.LockDirectory(s.dir, s.fs)
	if vfs.IsNoSpaceError(err) {
		return fmt.Errorf("views: %w", err)
	}
	if err != nil {
		return fmt.Errorf("%w: %s: %w", ErrHeld, s.dir, err)
	}
	s.lock = lock
	return nil
}

// open opens the database and holds its layout against ours.
func (s *Store) open() error {
	s.failed.Store(nil)
	s.broken = make(chan struct{})
	db, err := s.start()
	if err != nil {
		return err
	}
	found, err := readNumber(db, []byte{'f'})
	if err == nil && found == 0 && isEmpty(db) {
		found, err = layout, db.Set([]byte{'f'}, binary.AppendUvarint(nil, layout), pebble.NoSync)
	}
	if err == nil && found != layout {
		err = fmt.Errorf("their layout is %d, not %d", found, layout)
	}
	if err != nil {
		return errors.Join(err, db.Close())
	}
	s.db = db
	return nil
}

// start opens Pebble. Where the disk refuses, Pebble 2.1.7 would try again for ever: it is left where it
// is, with its lock.
func (s *Store) start() (*pebble.DB, error) {
	type result struct {
		db  *pebble.DB
		err error
	}
	l := &logger{s: s, stuck: make(chan error, 1)}
	done := make(chan result, 1)
	go func() {
		db, err := pebble.Open(s.dir, s.options(l))
		done <- result{db, err}
	}()
	select {
	case err := <-l.stuck:
		return nil, err
	case r := <-done:
		l.open.Store(true)
		return r.db, r.err
	}
}

func isEmpty(db *pebble.DB) bool {
	it, err := db.NewIter(nil)
	if err != nil {
		return false
	}
	empty := !it.First()
	return it.Close() == nil && empty
}

func (s *Store) options(l *logger) *pebble.Options {
	o := &pebble.Options{
		FS: s.fs, Lock: s.lock, DisableWAL: true, FormatMajorVersion: pebble.FormatNewest,
		MemTableSize: 16 << 20, MemTableStopWritesThreshold: 4,
		Logger:        l,
		EventListener: &pebble.EventListener{},
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 32 << 10
	}
	o.EventListener.BackgroundError = s.fail
	// Left unset, this one ends the process.
	o.EventListener.DataCorruption = func(i pebble.DataCorruptionInfo) { s.fail(i.Details) }
	return o
}

// fail notes that the database is not to be used any more; every call then says so, and the
// runner resets the store. Pebble is closed at once: what failed in the background it would try
// again for ever, at full speed.
func (s *Store) fail(err error) {
	failed := &err
	if !s.failed.CompareAndSwap(nil, failed) {
		return
	}
	close(s.broken)
	s.say(fmt.Sprintf("views in %s: %v", s.dir, err))
	go func() { // not here: Pebble's own goroutines call this, and its Close waits for them
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.failed.Load() == failed {
			s.drop()
		}
	}()
}

// drop closes Pebble. What it could not write is not wanted.
func (s *Store) drop() {
	if s.db != nil {
		_ = s.db.Close()
		s.db = nil
	}
}

// logger passes on what Pebble has to say; its fatal errors do not end the process.
type logger struct {
	s     *Store
	open  atomic.Bool
	stuck chan error // takes a fatal error while the store is being opened
}

func (*logger) Infof(string, ...any) {}

func (l *logger) Errorf(format string, args ...any) {
	l.s.say(fmt.Sprintf("views in %s: %s", l.s.dir, fmt.Sprintf(format, args...)))
}

func (l *logger) Fatalf(format string, args ...any) {
	err := fmt.Errorf(format, args...)
	for _, a := range args {
		if cause, ok := a.(error); ok { // keep the chain, to know a full disk
			err = cause
		}
	}
	if l.open.Load() {
		l.s.fail(err)
		return
	}
	select {
	case l.stuck <- err:
	default:
	}
	select {}
}

// replace deletes the database's files and opens an empty one, because of some trouble. The lock is
// held throughout.
func (s *Store) replace(trouble error) error {
	s.drop()
	if vfs.IsNoSpaceError(trouble) {
		return s.inMemory()
	}
	err := s.deleteFiles()
	if err == nil {
		err = s.open()
	}
	if vfs.IsNoSpaceError(err) {
		return s.inMemory()
	}
	if err != nil {
		s.failed.Store(&err) // until the next reset
		return fmt.Errorf("views in %s: %w", s.dir, err)
	}
	return nil
}

func (s *Store) deleteFiles() error {
	names, err := s.fs.List(s.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !pebbleFile.MatchString(name) {
			continue
		}
		if err := s.fs.Remove(s.fs.PathJoin(s.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// inMemory gives up the directory and goes on in memory: a full disk is no reason not to show what is
// recorded. The next start goes on from what the directory holds.
func (s *Store) inMemory() error {
	s.say(fmt.Sprintf("the disk that holds %s is full: views are kept in memory until the next start", s.dir))
	if s.lock != nil {
		_ = s.lock.Close()
		s.lock = nil
	}
	s.fs = vfs.NewMem()
	if err := s.take(); err != nil {
		return err
	}
	return s.open()
}

// Reset forgets everything, also what can no longer be read.
func (s *Store) Reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return ErrClosed
	}
	var trouble error
	if failed := s.failed.Load(); failed != nil {
		trouble = *failed
	}
	return s.replace(trouble)
}

// Close writes what is still in memory, unless that fails, and gives the directory free.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	var err error
	if s.db != nil && s.failed.Load() == nil {
		err = s.flush()
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	err = errors.Join(err, s.lock.Close())
	s.db, s.lock = nil, nil
	if err != nil {
		err = fmt.Errorf("views in %s are not closed, the next start mends them: %w", s.dir, err)
	}
	return err
}

// flush waits until what is in memory is written, or the first try has failed.
func (s *Store) flush() error {
	flushed, err := s.db.AsyncFlush()
	if err != nil {
		return err
	}
	select {
	case <-flushed:
		return nil
	case <-s.broken:
		return *s.failed.Load()
	}
}
