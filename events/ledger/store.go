package ledger

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// storeOptions are the Pebble options of a record.
func storeOptions(fs vfs.FS) *pebble.Options {
	o := &pebble.Options{
		FS: orderedFS{fs},
		// With the default one flipped bit in the live write-ahead log drops synced records in
		// silence; from FormatWALSyncChunks on, Open reports it.
		FormatMajorVersion: pebble.FormatValueSeparation,
		CacheSize:          32 << 20,
		MemTableSize:       32 << 20,
		// Enough that a slow disk slows appends and does not stop them.
		MemTableStopWritesThreshold: 4,
		L0CompactionThreshold:       4,
		L0StopWritesThreshold:       24,
	}
	for i := range o.Levels {
		// Snappy in blocks of 32 KiB scans a campaign some three times faster than the default
		// blocks of 4 KiB.
		o.Levels[i].BlockSize = 32 << 10
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
	}
	return o
}

// orderedFS has new names of a directory survive a crash in the order that Pebble needs.
// Pebble 2.1.7 makes a MANIFEST and then the marker that names it, and syncs the directory
// once for both: a crash in between may keep the marker alone, and then the store cannot be
// opened (cockroachdb/pebble issue 5825, mended by pull request 5915 in later versions).
type orderedFS struct{ vfs.FS }

// Create syncs the directory before it makes a marker.
func (o orderedFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if strings.HasPrefix(o.PathBase(name), "marker.") {
		if err := syncDir(o.FS, o.PathDir(name)); err != nil {
			return nil, err
		}
	}
	return o.FS.Create(name, category)
}

// Unwrap gives the file system itself.
func (o orderedFS) Unwrap() vfs.FS { return o.FS }

func syncDir(fs vfs.FS, path string) error {
	f, err := fs.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// diskVoice is what Pebble says about its disk: its Logger and its listener of background
// errors. Before the ledger is open a fatal error is kept for Open to return.
type diskVoice struct {
	logf func(format string, args ...any)

	mu     sync.Mutex
	fatal  func(cause error) // nil while the ledger is being opened
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

func (v *diskVoice) refuse(cause error) {
	v.mu.Lock()
	fatal := v.fatal
	if fatal == nil && v.early == nil {
		v.early = cause
	}
	v.mu.Unlock()
	if fatal != nil {
		fatal(cause)
	}
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

// opened tells the voice where fatal errors go from now on, and gives what went wrong so far.
func (v *diskVoice) opened(fatal func(error)) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.fatal = fatal
	return v.early
}
