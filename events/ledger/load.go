package ledger

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/watu-ledger/watu/events/ledger/disk"
)

// Load builds the ledger that r, written by [Ledger.Dump], holds in dir, which must not exist
// or be empty. It has the same id; a mark that made the dumped one read-only is not taken
// over. Load checks every event on the way, and that all campaigns end as the dump's own
// checkpoint says, which it returns.
//
// It fails with [ErrDump], [ErrNewer], [ErrNotEmpty] or [ErrHeld], or with what the disk says,
// and then removes what it made; where it cannot, it leaves a directory that [Open] refuses
// with [ErrUnfinished]. It reads r once and keeps little of it in memory.
func Load(dir string, r io.Reader, o Options) (Checkpoint, error) {
	o, dir, err := o.withDefaults(dir)
	if err != nil {
		return Checkpoint{}, err
	}
	c, err := directory{fs: o.FS, path: dir}.loadFrom(&dumpReader{r: r}, o)
	if vfs.IsNoSpaceError(err) {
		err = fmt.Errorf("the disk is full: %w", err)
	}
	if err != nil {
		return Checkpoint{}, fmt.Errorf("load into %s: %w", dir, err)
	}
	return c, nil
}

func (d directory) loadFrom(in *dumpReader, o Options) (Checkpoint, error) {
	id, err := in.identity()
	if err != nil {
		return Checkpoint{}, err
	}
	existed, err := d.empty()
	if err != nil {
		return Checkpoint{}, err
	}
	lock, err := d.lock(o.Holder)
	if err != nil {
		if !existed && !errors.Is(err, ErrHeld) {
			d.unmake()
		}
		return Checkpoint{}, err
	}
	if names, err := d.fs.List(d.path); err != nil || len(names) > 2 { // the record's directory and HOLDER
		return Checkpoint{}, errors.Join(ErrNotEmpty, err, d.unlock(lock))
	}
	c, err := d.load(in, id, o, lock)
	if err != nil {
		if left := d.clear(existed, lock); left != nil {
			err = fmt.Errorf("%w; what it made cannot be removed: %w", err, left)
		}
		return c, err
	}
	return c, d.unlock(lock)
}

// identity reads the beginning of a dump.
func (d *dumpReader) identity() (identity, error) {
	if err := d.title(); err != nil {
		return identity{}, err
	}
	kind, contents, err := d.next()
	if err != nil {
		return identity{}, err
	}
	if kind != chunkIdentity {
		return identity{}, fmt.Errorf("%w: it does not say which ledger it holds", ErrDump)
	}
	return readIdentity(contents)
}

// empty fails unless a ledger may be loaded into the directory, and reports whether it exists.
func (d directory) empty() (existed bool, err error) {
	names, err := d.fs.List(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil && len(names) > 0 {
		err = ErrNotEmpty
	}
	return true, err
}

// load fills the directory. Until the last rename it holds LOADING and no ledger.
func (d directory) load(in *dumpReader, id identity, o Options, lock *pebble.Lock) (c Checkpoint, err error) {
	id.Format = formatVersion // a dump of an earlier format is loaded into a directory of this one
	if err := d.write(nameLoading, id.text()); err != nil {
		return c, err
	}
	if err := disk.SyncDir(d.fs, d.path); err != nil {
		return c, err
	}
	b := &builder{l: newLedger(d, o, lock)}
	b.l.id = id.Ledger
	if c, err = b.build(in); err != nil {
		return c, err
	}
	if err := d.replace(nameCheckpoint, c.text()); err != nil {
		return c, err
	}
	if err := d.holds(&c, o, lock); err != nil {
		return c, err
	}
	if err := d.fs.Rename(d.join(nameLoading), d.join(nameLedger)); err != nil {
		return c, err
	}
	return c, disk.SyncDir(d.fs, d.path)
}

// unmake removes the directory that a lock which failed has made, unless there is more in it.
func (d directory) unmake() {
	record := d.join(nameRecord)
	for _, path := range []string{d.fs.PathJoin(record, nameLock), record, d.join(nameHolder), d.path} {
		_ = d.fs.Remove(path)
	}
}

// clear removes what a load that failed has made. LOADING goes last.
func (d directory) clear(existed bool, lock *pebble.Lock) error {
	var errs []error
	for _, name := range []string{nameLedger, nameRecord, nameCheckpoint + fresh, nameCheckpoint, nameHolder,
		nameLoading} {
		if err := d.fs.RemoveAll(d.join(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if !existed && len(errs) == 0 {
		errs = append(errs, d.fs.Remove(d.path))
	}
	return errors.Join(append(errs, lock.Close())...)
}
