package ledger

import (
	"errors"
	"fmt"
	"strings"
	"sync"

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
}

// Infof drops Pebble's account of its housekeeping.
func (v *diskVoice) Infof(string, ...any) {}

func (v *diskVoice) Errorf(format string, args ...any) { v.logf("record: "+format, args...) }

// Fatalf is called by Pebble where it cannot go on.
func (v *diskVoice) Fatalf(format string, args ...any) {
	text := fmt.Errorf(format, args...)
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
	said := v.repeat == err.Error()
	v.repeat = err.Error()
	v.mu.Unlock()
	if !said {
		v.logf("record: background error, trying again: %v", err)
	}
}

// opened tells the voice where fatal errors go from now on, and gives what went wrong while
// they had nowhere to go.
func (v *diskVoice) opened(fatal func(error)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.fatal = fatal
	return v.early
}

// recordFS is the file system as Pebble 2.1.7 needs it, in two respects.
//
// New names must survive a crash in order. Pebble makes a MANIFEST and then the marker that
// names it, and syncs the directory once for both: a crash in between may keep the marker
// alone, and then the store cannot be opened (cockroachdb/pebble issue 5825, mended by pull
// request 5915 in later versions).
//
// An error on the write-ahead log or on the directory must be told before Pebble has it: when
// it cannot begin a new log it panics in a way that nobody can recover from, and a full disk
// would end in a dump of goroutines instead of one line.
type recordFS struct {
	vfs.FS
	voice *diskVoice
}

// Unwrap gives the file system itself.
func (f recordFS) Unwrap() vfs.FS { return f.FS }

// Create syncs the directory before it makes a marker.
func (f recordFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(f.PathBase(name), "marker.") {
		if err := syncDir(f.FS, f.PathDir(name)); err != nil {
			return nil, err
		}
	}
	file, err := f.FS.Create(name, category)
	return f.log(name, file, err)
}

// ReuseForWrite makes an old log a new one.
func (f recordFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.ReuseForWrite(old, name, category)
	return f.log(name, file, err)
}

func (f recordFS) log(name string, file vfs.File, err error) (vfs.File, error) {
	if !strings.HasSuffix(name, ".log") {
		return file, err
	}
	if err != nil {
		f.voice.refuseForGood(err)
		return nil, err
	}
	return logFile{file, f.voice}, nil
}

// OpenDir gives a directory to sync.
func (f recordFS) OpenDir(name string) (vfs.File, error) {
	dir, err := f.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return dirFile{dir, f.voice}, nil
}

// logFile is a write-ahead log.
type logFile struct {
	vfs.File
	voice *diskVoice
}

func (f logFile) Write(b []byte) (int, error) {
	n, err := f.File.Write(b)
	return n, f.voice.told(err)
}

func (f logFile) Sync() error     { return f.voice.told(f.File.Sync()) }
func (f logFile) SyncData() error { return f.voice.told(f.File.SyncData()) }

func (f logFile) SyncTo(length int64) (bool, error) {
	full, err := f.File.SyncTo(length)
	return full, f.voice.told(err)
}

// dirFile is a directory.
type dirFile struct {
	vfs.File
	voice *diskVoice
}

func (f dirFile) Sync() error {
	err := f.File.Sync()
	if err != nil {
		f.voice.refuseForGood(err)
	}
	return err
}

// told refuses if err is an error, and gives it back.
func (v *diskVoice) told(err error) error {
	if err != nil {
		v.refuse(err)
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

func syncDir(fs vfs.FS, path string) error {
	f, err := fs.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
