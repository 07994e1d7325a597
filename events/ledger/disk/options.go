package disk

import (
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// Options are the Pebble options of a record whose troubles monitor hears.
func Options(fs vfs.FS, monitor *Monitor) *pebble.Options {
	o := &pebble.Options{
		FS:     recordFS{fs, monitor},
		Logger: monitor,
		EventListener: &pebble.EventListener{
			BackgroundError: monitor.background,
			FlushEnd:        func(i pebble.FlushInfo) { monitor.flushed(i.Err) },
			CompactionEnd:   func(i pebble.CompactionInfo) { monitor.compacting.heard(i.Err) },
			// Who reads what is damaged gets an error; the rest of the record goes on.
			DataCorruption: func(i pebble.DataCorruptionInfo) { monitor.damaged(i.Path, i.Details) },
		},
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
	o.Experimental.CompactionScheduler = &compactions{backoff: &monitor.compacting}
	for i := range o.Levels {
		// Snappy in blocks of 32 KiB scans a campaign some three times faster than the default
		// blocks of 4 KiB.
		o.Levels[i].BlockSize = 32 << 10
		o.Levels[i].Compression = func() *sstable.CompressionProfile { return sstable.SnappyCompression }
	}
	return o
}
