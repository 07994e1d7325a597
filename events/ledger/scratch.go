package ledger

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// OpenScratch begins a ledger in memory, which is gone once it is closed: for trying what would
// follow from a record. Nothing is synced, and nothing on a disk is touched.
func OpenScratch() (*Ledger, error) {
	return Open("scratch", Options{FS: vfs.NewMem(), Fatal: func(error) {}, scratch: true})
}

// writing says how a batch is written: synced, unless there is nothing to keep it for.
func (l *Ledger) writing() *pebble.WriteOptions {
	if l.opts.scratch {
		return pebble.NoSync
	}
	return pebble.Sync
}
