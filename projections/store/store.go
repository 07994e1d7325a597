// Package store keeps views on disk: all Pebble for views, and nothing else. What a view is,
// and when it is saved, is package projections' business; the record is kept elsewhere, and
// from it everything here can be built again. So the store may be deleted at any time, and it
// is built for that: it writes no log of its own (what was not yet on disk when the process
// ended is folded again), and where it is damaged or of another version, it is emptied, and
// that is said aloud.
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
	"syscall"

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
	Say func(string) // told in one line whatever is dropped or fails in the background; nil for nobody
}

// Store keeps views in a directory. It implements projections.Store.
type Store struct {
	dir    string
	fs     vfs.FS
	say    func(string)
	lock   *pebble.Lock
	mu     sync.RWMutex // held by each use of db, exclusively by replacing it
	db     *pebble.DB   // nil if closed
	failed atomic.Pointer[error]
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
	if err := s.fs.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("views: %w", err)
	}
	var err error
	if s.lock, err = pebble.LockDirectory(dir, s.fs); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrHeld, dir, err)
	}
	err = s.open()
	if err != nil {
		s.say(fmt.Sprintf("views in %s cannot be used and are built again: %v", dir, err))
		err = s.replace()
	}
	if err != nil {
		return nil, errors.Join(err, s.lock.Close())
	}
	return s, nil
}

// open opens the database and holds its layout against ours.
func (s *Store) open() error {
	s.failed.Store(nil)
	db, err := pebble.Open(s.dir, s.options())
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

func isEmpty(db *pebble.DB) bool {
	it, err := db.NewIter(nil)
	if err != nil {
		return false
	}
	empty := !it.First()
	return it.Close() == nil && empty
}

func (s *Store) options() *pebble.Options {
	o := &pebble.Options{
		FS: s.fs, Lock: s.lock, DisableWAL: true, FormatMajorVersion: pebble.FormatNewest,
		MemTableSize: 16 << 20, MemTableStopWritesThreshold: 4,
		Logger:        logger{s},
		EventListener: &pebble.EventListener{},
	}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 32 << 10
	}
	o.EventListener.BackgroundError = s.fail
	// Left unset, this one ends the process.
	o.EventListener.DataCorruption = func(i pebble.DataCorruptionInfo) { s.fail(i.Details) }
	o.EventListener.FlushEnd = func(i pebble.FlushInfo) {
		if failed := s.failed.Load(); i.Err == nil && failed != nil && errors.Is(*failed, syscall.ENOSPC) {
			s.failed.CompareAndSwap(failed, nil) // there is room again
		}
	}
	return o
}

// fail notes that the database is not to be used any more; every call then says so, and the
// runner resets the store.
func (s *Store) fail(err error) {
	if s.failed.Swap(&err) == nil {
		s.say(fmt.Sprintf("views in %s: %v", s.dir, err))
	}
}

// logger takes what Pebble cannot return. What it calls fatal is fatal to these views only:
// the process keeps the record as well, which is another database.
type logger struct{ s *Store }

func (logger) Infof(string, ...any) {}

func (l logger) Errorf(format string, args ...any) {
	l.s.say(fmt.Sprintf("views in %s: %s", l.s.dir, fmt.Sprintf(format, args...)))
}

func (l logger) Fatalf(format string, args ...any) { l.s.fail(fmt.Errorf(format, args...)) }

// replace deletes the database's files and opens an empty one. The lock is held throughout.
func (s *Store) replace() error {
	if s.db != nil {
		_ = s.db.Close() // what it could not write is not wanted
		s.db = nil
	}
	names, err := s.fs.List(s.dir)
	if err != nil {
		return fmt.Errorf("views: %w", err)
	}
	for _, name := range names {
		if !pebbleFile.MatchString(name) {
			continue
		}
		if err := s.fs.Remove(s.fs.PathJoin(s.dir, name)); err != nil {
			return fmt.Errorf("views: %w", err)
		}
	}
	if err := s.open(); err != nil {
		return fmt.Errorf("views in %s: %w", s.dir, err)
	}
	return nil
}

// Reset forgets everything, also what can no longer be read.
func (s *Store) Reset() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return ErrClosed
	}
	return s.replace()
}

// Close writes what is still in memory and gives the directory free.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lock == nil {
		return nil
	}
	var err error
	if s.db != nil {
		if s.failed.Load() == nil {
			err = s.db.Flush()
		}
		err = errors.Join(err, s.db.Close())
	}
	err = errors.Join(err, s.lock.Close())
	s.db, s.lock = nil, nil
	return err
}
