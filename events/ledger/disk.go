package ledger

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

// diskVoice is what Pebble says about its disk: its Logger and its listener of background
// errors. While the ledger is not open a fatal error is for Open or Close to return.
type diskVoice struct {
	logf func(format string, args ...any)

	mu     sync.Mutex
	fatal  func(cause error) // nil while the ledger is not open
	early  error             // first fatal error of that time
	repeat string            // the last background error, said once
	spoilt map[string]bool   // the damaged files that were named

	flushing, compacting patience

	stuck chan error // takes the first trouble while Pebble starts; else nil
	left  bool       // a goroutine of Pebble was left in that trouble
}

// newVoice gives the voice of a store whose closing begins when ended is closed.
func newVoice(logf func(string, ...any), ended <-chan struct{}) *diskVoice {
	return &diskVoice{
		logf: logf, spoilt: map[string]bool{}, flushing: patience{most: flushWait, ended: ended},
		compacting: patience{most: compactionWait, ended: ended},
	}
}

// start opens a store. A write that fails from now until the ledger is open does not come back
// to Pebble, which would try it again for ever, or panic, or tear down what its own goroutines
// use; start or opened gives the cause and leaves Pebble where it is, with its lock. The
// process is to end.
func (v *diskVoice) start(open func() (*pebble.DB, error)) (*pebble.DB, error) {
	type result struct {
		db  *pebble.DB
		err error
	}
	stuck, done := make(chan error, 1), make(chan result, 1)
	v.mu.Lock()
	v.stuck = stuck
	v.mu.Unlock()
	go func() {
		db, err := safely(open)
		done <- result{db, err}
	}()
	select {
	case err := <-stuck:
		return nil, err
	case r := <-done:
		return r.db, r.err
	}
}

// safely makes an error of a panic: Pebble panics where its disk leaves it no way.
func safely(open func() (*pebble.DB, error)) (db *pebble.DB, err error) {
	defer func() { err = errors.Join(err, panicked(recover())) }()
	return open()
}

// tried gives back the error of a write, unless Pebble starts: then it does not come back.
func (v *diskVoice) tried(err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	v.mu.Lock()
	starting := v.stuck != nil
	if starting && !v.left {
		v.left = true
		v.stuck <- err
	}
	v.mu.Unlock()
	if starting {
		select {}
	}
	return err
}

// Infof drops Pebble's account of its housekeeping.
func (v *diskVoice) Infof(string, ...any) {}

func (v *diskVoice) Errorf(format string, args ...any) { v.logf("record: "+format, args...) }

// Fatalf is called by Pebble where it cannot go on.
func (v *diskVoice) Fatalf(format string, args ...any) {
	text := fmt.Errorf(format, args...)
	_ = v.tried(text)
	for _, a := range args {
		if cause, ok := a.(error); ok { // keep the chain, to know a full disk
			v.logf("record: %v", text)
			v.refuse(cause)
			return
		}
	}
	v.refuse(text)
}

// refuse fails the ledger if it is open, and reports whether it is.
func (v *diskVoice) refuse(cause error) (open bool) {
	v.mu.Lock()
	fatal := v.fatal
	if fatal == nil && v.early == nil {
		v.early = cause
	}
	v.mu.Unlock()
	if fatal != nil {
		fatal(cause)
	}
	return fatal != nil
}

// background hears of a flush or compaction that failed. Pebble tries again, for ever: that
// may help with a passing trouble, but not with a full disk.
func (v *diskVoice) background(err error) {
	if vfs.IsNoSpaceError(err) {
		v.refuse(err)
		return
	}
	v.mu.Lock()
	stated := v.repeat == err.Error()
	v.repeat = err.Error()
	v.mu.Unlock()
	if !stated {
		v.logf("record: background error, trying again: %v", err)
	}
}

// flushed hears how a flush ended. Steps are safe in the write-ahead log as long as it is only
// passing trouble; beyond that the ledger fails.
func (v *diskVoice) flushed(err error) {
	if v.flushing.heard(err) >= flushTries {
		v.refuse(err)
	}
}

// damaged names a file whose contents are not what was written, once.
func (v *diskVoice) damaged(path string, details error) {
	v.mu.Lock()
	stated := v.spoilt[path]
	v.spoilt[path] = true
	v.mu.Unlock()
	if !stated {
		v.logf("record: %s is damaged, and what lies there does not read: %v", path, details)
	}
}

// opened tells the voice where fatal errors go from now on, and gives what went wrong while
// they had nowhere to go.
func (v *diskVoice) opened(fatal func(error)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.fatal = fatal
	select {
	case v.early = <-v.stuck: // never, if it is nil
	default:
	}
	v.stuck = nil
	return v.early
}

// leftBehind reports whether the store cannot be closed, because start was in trouble.
func (v *diskVoice) leftBehind() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.left
}

// panicked makes an error of what was recovered.
func panicked(r any) error {
	if r == nil {
		return nil
	}
	if err, ok := r.(error); ok {
		return err
	}
	return fmt.Errorf("%v", r)
}

// heard gives what went wrong while fatal errors have nowhere to go.
func (v *diskVoice) heard() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.early
}

// recordFS is the file system as Pebble 2.1.7 needs it, in these respects.
//
// New names must survive a crash in order. Pebble makes a MANIFEST and then the marker that
// names it, and syncs the directory once for both: a crash in between may keep the marker
// alone, and then the store cannot be opened (cockroachdb/pebble issue 5825, mended by pull
// request 5915 in later versions).
//
// An error on the write-ahead log or on the directory must be told before Pebble has it: when
// it cannot begin a new log it panics in a way that nobody can recover from, and a full disk
// would end in a dump of goroutines instead of one line.
//
// A flush that failed is tried again at once, and for ever: it has to wait before it makes its
// table.
type recordFS struct {
	vfs.FS
	voice *diskVoice
}

// Unwrap gives the file system itself.
func (f recordFS) Unwrap() vfs.FS { return f.FS }

// Create syncs the directory before it makes a marker.
func (f recordFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(f.PathBase(name), "marker.") {
		if err := f.voice.tried(syncDir(f.FS, f.PathDir(name))); err != nil {
			return nil, err
		}
	}
	if strings.HasSuffix(name, ".sst") {
		f.voice.flushing.wait()
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
	if f.voice.tried(err) != nil {
		if log {
			f.voice.refuseForGood(err)
		}
		return nil, err
	}
	return recordFile{file, f.voice, log}, nil
}

// Rename, Remove, Link and MkdirAll are those of the file system.
func (f recordFS) Rename(old, name string) error { return f.voice.tried(f.FS.Rename(old, name)) }

func (f recordFS) Remove(name string) error { return f.voice.tried(f.FS.Remove(name)) }

func (f recordFS) Link(old, name string) error { return f.voice.tried(f.FS.Link(old, name)) }

func (f recordFS) MkdirAll(name string, mode os.FileMode) error {
	return f.voice.tried(f.FS.MkdirAll(name, mode))
}

// OpenDir gives a directory to sync.
func (f recordFS) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return dirFile{dir, f.voice}, nil
}

// recordFile is a file that Pebble writes.
type recordFile struct {
	vfs.File
	voice *diskVoice
	log   bool // a write-ahead log
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
	if f.voice.tried(err) != nil && f.log {
		f.voice.refuse(err)
	}
	return err
}

// dirFile is a directory.
type dirFile struct {
	vfs.File
	voice *diskVoice
}

func (f dirFile) Sync() error {
	err := f.File.Sync()
	if f.voice.tried(err) != nil {
		f.voice.refuseForGood(err)
	}
	return err
}

// refuseForGood refuses and does not come back once the ledger is open: Pebble would end the
// process. If Options.Fatal returned, its process has the time it needs to end in order.
func (v *diskVoice) refuseForGood(cause error) {
	if v.refuse(cause) {
		select {}
	}
}

func syncDir(on vfs.FS, path string) error {
	f, err := on.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
