package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/objstorage/objstorageprovider"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/watu-ledger/watu/events/ledger/disk"
)

// builder makes a new record of entries that come in the order of their keys. It writes
// Pebble's tables itself, because Pebble would write them behind its back, and wait for ever
// on a full disk.
type builder struct {
	l     *Ledger // without anything but its directory and the store
	opts  *pebble.Options
	table *sstable.Writer
	size  int // bytes of entries in table
}

const (
	nameTable = "loading" // of the table that is being written, in D/record
	sizeTable = 32 << 20
)

// build reads a dump behind its first chunk. It gives the checkpoint of what it built, which
// is the one that the dump says.
func (b *builder) build(in *dumpReader) (c Checkpoint, err error) {
	if err := b.l.openStore(false, false); err != nil {
		return c, err
	}
	b.opts = disk.Options(b.l.dir.fs, b.l.disk)
	b.opts.EnsureDefaults()
	c, err = b.fill(in)
	if b.table != nil {
		err = cmp.Or(err, b.table.Close())
	}
	return c, cmp.Or(err, b.l.db.Close(), b.l.disk.Opened(nil))
}

func (b *builder) fill(in *dumpReader) (c Checkpoint, err error) {
	a := newAudit(b.l.id)
	for {
		kind, contents, err := in.next()
		if err != nil {
			return c, err
		}
		switch kind {
		case chunkEntries:
			if err := b.add(contents, a); err != nil {
				return c, err
			}
		case chunkCheckpoint:
			if c, err = b.agree(a, contents); err != nil {
				return c, err
			}
			return c, cmp.Or(in.end(), b.ingest())
		default:
			return c, fmt.Errorf("%w: a chunk of kind %q", ErrDump, kind)
		}
	}
}

// add adds the entries of a chunk.
func (b *builder) add(contents []byte, a *audit) error {
	for len(contents) > 0 {
		key, value, rest, err := nextEntry(contents)
		if err != nil {
			return err
		}
		if err := a.entry(key, value); err != nil {
			return fmt.Errorf("%w: %w", ErrDump, err)
		}
		if err := b.put(key, value); err != nil {
			return err
		}
		contents = rest
	}
	return nil
}

// agree checks that the entries are what the dump's checkpoint says.
func (b *builder) agree(a *audit, text []byte) (Checkpoint, error) {
	c, err := a.end()
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrDump, err)
	}
	answer, err := parseCheckpoint(text)
	if err != nil {
		return c, fmt.Errorf("%w: %w", ErrDump, err)
	}
	if !answer.Equal(c) {
		return c, fmt.Errorf("%w: its campaigns do not end as its checkpoint says", ErrDump)
	}
	return c, nil
}

func (b *builder) path() string { return b.l.dir.fs.PathJoin(b.l.dir.join(nameRecord), nameTable) }

func (b *builder) put(key, value []byte) error {
	if b.table != nil && b.size > sizeTable {
		if err := b.ingest(); err != nil {
			return err
		}
	}
	if b.table == nil {
		file, err := b.l.dir.fs.Create(b.path(), vfs.WriteCategoryUnspecified)
		if err != nil {
			return err
		}
		b.size = 0
		b.table = sstable.NewWriter(objstorageprovider.NewFileWritable(file),
			b.opts.MakeWriterOptions(len(b.opts.Levels)-1, b.l.db.TableFormat()))
	}
	b.size += len(key) + len(value)
	return b.table.Set(key, value)
}

// ingest gives the table to Pebble.
func (b *builder) ingest() (err error) {
	if b.table == nil {
		return nil
	}
	defer func() { err = errors.Join(err, disk.Recovered(recover())) }()
	table := b.table
	b.table = nil
	if err := table.Close(); err != nil {
		return err
	}
	if err := b.l.db.Ingest(context.Background(), []string{b.path()}); err != nil {
		return err
	}
	return b.l.disk.Early()
}
