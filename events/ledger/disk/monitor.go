package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Monitor is what Pebble says about its disk: its Logger and its listener of background
// errors. While the ledger is not open a fatal error is for Open or Close to return.
type Monitor struct {
	logf func(format string, args ...any)

	mu     sync.Mutex
	fatal  func(cause error) // nil while the ledger is not open
	early  error             // first fatal error of that time
	repeat string            // the last background error, reported once
	spoilt map[string]bool   // the damaged files that were named

	flushing, compacting backoff

	stuck chan error // takes the first trouble while Pebble starts; else nil
	left  bool       // a goroutine of Pebble was left in that trouble
}

// New gives the monitor of a store whose closing begins when ended is closed.
func New(logf func(string, ...any), ended <-chan struct{}) *Monitor {
	return &Monitor{
		logf: logf, spoilt: map[string]bool{}, flushing: backoff{most: flushWait, ended: ended},
		compacting: backoff{most: compactionWait, ended: ended},
	}
}

// Start opens a store. A write that fails from now until the ledger is open does not come back
// to Pebble, which would try it again for ever, or panic, or tear down what its own goroutines
// use; Start or Opened gives the cause and leaves Pebble where it is, with its lock. The
// process is to end.
func (m *Monitor) Start(open func() (*pebble.DB, error)) (*pebble.DB, error) {
	type result struct {
		db  *pebble.DB
		err error
	}
	stuck, done := make(chan error, 1), make(chan result, 1)
	m.mu.Lock()
	m.stuck = stuck
	m.mu.Unlock()
	go func() {
		db, err := Safely(open)
		done <- result{db, err}
	}()
	select {
	case err := <-stuck:
		return nil, err
	case r := <-done:
		return r.db, r.err
	}
}

// Safely makes an error of a panic: Pebble panics where its disk leaves it no way.
func Safely(open func() (*pebble.DB, error)) (db *pebble.DB, err error) {
	defer func() { err = errors.Join(err, Recovered(recover())) }()
	return open()
}

// tried gives back the error of a write, unless Pebble starts: then it does not come back.
func (m *Monitor) tried(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	m.mu.Lock()
	starting := m.stuck != nil
	if starting && !m.left {
		m.left = true
		m.stuck <- err
	}
	m.mu.Unlock()
	if starting {
		select {}
	}
	return err
}

// Infof drops Pebble's account of its housekeeping.
func (m *Monitor) Infof(string, ...any) {}

// Errorf reports an error that Pebble gets over.
func (m *Monitor) Errorf(format string, args ...any) { m.logf("record: "+format, args...) }

// Fatalf is called by Pebble where it cannot go on.
func (m *Monitor) Fatalf(format string, args ...any) {
	text := fmt.Errorf(format, args...)
	_ = m.tried(text)
	for _, a := range args {
		if cause, ok := a.(error); ok { // keep the chain, to know a full disk
			m.logf("record: %v", text)
			m.refuse(cause)
			return
		}
	}
	m.refuse(text)
}

// refuse fails the ledger if it is open, and reports whether it is.
func (m *Monitor) refuse(cause error) (open bool) {
	m.mu.Lock()
	fatal := m.fatal
	if fatal == nil && m.early == nil {
		m.early = cause
	}
	m.mu.Unlock()
	if fatal != nil {
		fatal(cause)
	}
	return fatal != nil
}

// background hears of a flush or compaction that failed. Pebble tries again, for ever: that
// may help with a passing trouble, but not with a full disk.
func (m *Monitor) background(err error) {
	if vfs.IsNoSpaceError(err) {
		m.refuse(err)
		return
	}
	m.mu.Lock()
	stated := m.repeat == err.Error()
	m.repeat = err.Error()
	m.mu.Unlock()
	if !stated {
		m.logf("record: background error, trying again: %v", err)
	}
}

// flushed hears how a flush ended. Steps are safe in the write-ahead log as long as it is only
// passing trouble; beyond that the ledger fails.
func (m *Monitor) flushed(err error) {
	if m.flushing.heard(err) >= FlushTries {
		m.refuse(err)
	}
}

// damaged names a file whose contents are not what was written, once.
func (m *Monitor) damaged(path string, details error) {
	m.mu.Lock()
	stated := m.spoilt[path]
	m.spoilt[path] = true
	m.mu.Unlock()
	if !stated {
		m.logf("record: %s is damaged, and what lies there does not read: %v", path, details)
	}
}

// Opened sets where fatal errors go from now on, and returns what went wrong while
// they had nowhere to go.
func (m *Monitor) Opened(fatal func(error)) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.fatal = fatal
	select {
	case m.early = <-m.stuck: // never, if it is nil
	default:
	}
	m.stuck = nil
	return m.early
}

// FailedCompactions gives how many compactions have failed in a row.
func (m *Monitor) FailedCompactions() int64 { return m.compacting.failures.Load() }

// Abandoned reports whether the store cannot be closed, because Start was in trouble.
func (m *Monitor) Abandoned() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.left
}

// Recovered makes an error of what was recovered.
func Recovered(r any) error {
	if r == nil {
		return nil
	}
	if err, ok := r.(error); ok {
		return err
	}
	return fmt.Errorf("%v", r)
}

// Early gives what went wrong while fatal errors have nowhere to go.
func (m *Monitor) Early() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.early
}

// recordFS is the file system as Pebble 2.1.7 needs it, in these respects.
//
// New names must survive a crash in order. Pebble makes a MANIFEST and then the marker that
// names it, and syncs the directory once for both: a crash in between may keep the marker
// alone, and then the store cannot be opened (cockroachdb/pebble issue 5825, mended by pull
// request 5915 in later versions).
//
// An error on the write-ahead log or on the directory must be reported before Pebble has it: when
// it cannot begin a new log it panics in a way that nobody can recover from, and a full disk
// would end in a dump of goroutines instead of one line.
//
// A flush that failed is tried again at once, and for ever: it has to wait before it makes its
// table.
type recordFS struct {
	vfs.FS
	monitor *Monitor
}

// Unwrap gives the file system itself.
func (f recordFS) Unwrap() vfs.FS { return f.FS }

// Create syncs the directory before it makes a marker.
func (f recordFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(f.PathBase(name), "marker.") {
		if err := f.monitor.tried(SyncDir(f.FS, f.PathDir(name))); err != nil {
			return nil, err
		}
	}
	if strings.HasSuffix(name, ".sst") {
		f.monitor.flushing.wait()
	}
	file, err := f.FS.Create(name, category)
	return f.written(name, file, err)
}

// ReuseForWrite makes an old log a new one.
func (f recordFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.ReuseForWrite(old, name, category)
	return f.written(name, file, err)
}

func (f recordFS) written(name string, file vfs.File, err error) (vfs.File, error) {
	log := strings.HasSuffix(name, ".log")
	if f.monitor.tried(err) != nil {
		if log {
			f.monitor.refuseForGood(err)
		}
		return nil, err
	}
	return recordFile{file, f.monitor, log}, nil
}

// Rename, Remove, Link and MkdirAll are those of the file system.
func (f recordFS) Rename(old, name string) error { return f.monitor.tried(f.FS.Rename(old, name)) }

func (f recordFS) Remove(name string) error { return f.monitor.tried(f.FS.Remove(name)) }

func (f recordFS) Link(old, name string) error { return f.monitor.tried(f.FS.Link(old, name)) }

func (f recordFS) MkdirAll(name string, mode os.FileMode) error {
	return f.monitor.tried(f.FS.MkdirAll(name, mode))
}

// OpenDir gives a directory to sync.
func (f recordFS) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return dirFile{dir, f.monitor}, nil
}

// recordFile is a file that Pebble writes.
type recordFile struct {
	vfs.File
	monitor *Monitor
	log     bool // a write-ahead log
}

func (f recordFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	return n, f.checked(err)
}

func (f recordFile) Sync() error     { return f.checked(f.File.Sync()) }
func (f recordFile) SyncData() error { return f.checked(f.File.SyncData()) }

func (f recordFile) SyncTo(length int64) (bool, error) {
	full, err := f.File.SyncTo(length)
	return full, f.checked(err)
}

// checked makes the ledger refuse if err is an error of a log, and returns it.
func (f recordFile) checked(err error) error {
	if f.monitor.tried(err) != nil && f.log {
		f.monitor.refuse(err)
	}
	return err
}

// dirFile is a directory.
type dirFile struct {
	vfs.File
	monitor *Monitor
}

func (f dirFile) Sync() error {
	err := f.File.Sync()
	if f.monitor.tried(err) != nil {
		f.monitor.refuseForGood(err)
	}
	return err
}

// refuseForGood refuses and does not come back once the ledger is open: Pebble would end the
// process. If Options.Fatal returned, its process has the time it needs to end in order.
func (m *Monitor) refuseForGood(cause error) {
	if m.refuse(cause) {
		select {}
	}
}

// SyncDir makes the names in a directory durable.
func SyncDir(on vfs.FS, path string) error {
	f, err := on.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
