package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events/ledger/disk"
)

// formatVersion is the version of the directory and of the keys that this package writes. It reads
// those before it, which are raised when a ledger is opened: format 1 knew no home; format 2 is of watus that know no
// event of schema 2, and would go on with a campaign that asks for more than they know.
const (
	formatSummed  = 2 // the first with a home, and a sum over all of LEDGER
	formatVersion = 3
)

const (
	nameLedger     = "LEDGER"
	nameNew        = "LEDGER.new"
	nameLoading    = "LOADING"
	nameHolder     = "HOLDER"
	nameReadOnly   = "READONLY"
	nameCheckpoint = "CHECKPOINT"
	nameRecord     = "record"
	nameLock       = "LOCK"
	fresh          = ".new" // ends the name of a file that will replace the one without
)

// directory is a ledger's directory.
type directory struct {
	fs   vfs.FS
	path string
}

func (d directory) join(name string) string { return d.fs.PathJoin(d.path, name) }

// inspect reads LEDGER and touches nothing. It gives false for a directory in which a ledger
// may be begun: missing, empty, or left by a creation that did not finish.
func (d directory) inspect() (id identity, exists bool, err error) {
	for {
		names, listing := d.fs.List(d.path)
		if errors.Is(listing, fs.ErrNotExist) || listing == nil && len(names) == 0 {
			return id, false, nil
		}
		if listing != nil {
			if info, err := d.fs.Stat(d.path); err == nil && !info.IsDir() {
				return id, false, fmt.Errorf("%s: %w: it is not a directory", d.path, ErrNotLedger)
			}
			return id, false, openError(d.path, listing)
		}
		slices.Sort(names)
		id, exists, err = d.judge(names)
		if err == nil {
			return id, exists, err
		}
		// Another process may be about to begin a ledger, and then there are other names now.
		now, _ := d.fs.List(d.path)
		if slices.Sort(now); slices.Equal(names, now) {
			return id, exists, err
		}
	}
}

// judge reads LEDGER in a directory with these names.
func (d directory) judge(names []string) (id identity, exists bool, err error) {
	text, err := d.read(nameLedger, shortFile)
	if errors.Is(err, fs.ErrNotExist) {
		if slices.Contains(names, nameLoading) {
			return id, false, fmt.Errorf("%s: %w; delete the directory and load again", d.path, ErrUnfinished)
		}
		if d.unfinished(names) {
			return id, false, nil
		}
		if d.hasRecord() {
			return id, false, fmt.Errorf("%s: %w: there is a record, and no file %s: put the file back from a copy of "+
				"the directory", d.path, ErrDamaged, nameLedger)
		}
		return id, false, fmt.Errorf("%s: %w: the directory is not empty and has no file %s",
			d.path, ErrNotLedger, nameLedger)
	}
	if err != nil {
		return id, false, err
	}
	id, err = readIdentity(text)
	if errors.Is(err, ErrNotLedger) && d.hasRecord() {
		err = fmt.Errorf("%w: there is a record, and %s cannot be read: put the file back from a copy of the directory",
			ErrDamaged, nameLedger)
	}
	if err != nil {
		return id, false, fmt.Errorf("%s: %w", d.path, err)
	}
	return id, true, nil
}

// hasRecord reports whether the store of a record is there.
func (d directory) hasRecord() bool {
	inside, err := d.fs.List(d.join(nameRecord))
	return err == nil && slices.ContainsFunc(inside, func(n string) bool { return strings.HasPrefix(n, "MANIFEST-") })
}

// unfinished reports whether a creation of a ledger left these names and got no further.
func (d directory) unfinished(names []string) bool {
	begun := false
	for _, n := range names {
		switch n {
		case nameNew:
			begun = true
		case nameRecord, nameHolder, nameReadOnly, nameReadOnly + fresh:
		default:
			return false
		}
	}
	if begun {
		return true
	}
	inside, err := d.fs.List(d.join(nameRecord))
	return err == nil && (len(inside) == 0 || len(inside) == 1 && inside[0] == nameLock)
}

// lock takes Pebble's lock and writes HOLDER.
func (d directory) lock(holder string) (*pebble.Lock, error) {
	if err := d.makeAll(); err != nil {
		return nil, err
	}
	lock, err := d.take()
	if err != nil {
		return nil, err
	}
	if err := d.writeHolder(holder); err != nil {
		return nil, cmp.Or(err, lock.Close())
	}
	return lock, nil
}

// take takes Pebble's lock, and makes nothing.
func (d directory) take() (*pebble.Lock, error) {
	if d.gone() {
		return nil, fmt.Errorf("%w: the directory %s is gone", ErrDamaged, nameRecord)
	}
	lock, err := pebble.LockDirectory(d.join(nameRecord), d.fs)
	var path *fs.PathError
	if errors.As(err, &path) || vfs.IsNoSpaceError(err) {
		return nil, err
	}
	if err != nil {
		return nil, d.held()
	}
	return lock, nil
}

func (d directory) writeHolder(holder string) error {
	host, _ := os.Hostname()
	text, err := json.Marshal(HeldError{
		PID: os.Getpid(), Host: host, Holder: holder, Started: time.Now().UTC().Truncate(time.Second),
	})
	if err != nil {
		return err
	}
	return d.write(nameHolder, text)
}

func (d directory) unlock(lock *pebble.Lock) error {
	err := d.fs.Remove(d.join(nameHolder))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // on a full disk it could not be written
	}
	return cmp.Or(err, lock.Close())
}

// gone reports whether there is no such directory any more. The files in it that are open can still
// be written to, and what is written is lost.
func (d directory) gone() bool {
	_, err := d.fs.Stat(d.join(nameRecord))
	return errors.Is(err, fs.ErrNotExist)
}

// HeldBy says who wrote last that he holds the ledger in dir. A holder that was killed leaves that behind.
func HeldBy(dir string) *HeldError { return directory{fs: vfs.Default, path: dir}.held() }

func (d directory) held() *HeldError {
	e := &HeldError{}
	if text, err := d.read(nameHolder, shortFile); err != nil || json.Unmarshal(text, e) != nil {
		e = &HeldError{} // its holder has not written it yet
	}
	e.Dir = d.path
	return e
}

// leastRoom is what opening a record may write: where it fails for want of space, Pebble is left half
// open, and cannot be opened to be read.
const leastRoom = 1 << 20

// room gives an ENOSPC where less than that is free, as far as the file system says: one that has no size may have
// room.
func (d directory) room() error {
	if u, err := d.fs.GetDiskUsage(d.path); err == nil && u.TotalBytes > 0 && u.AvailBytes < leastRoom {
		return fmt.Errorf("%d bytes are free, and %d are needed to begin: %w", u.AvailBytes, leastRoom, syscall.ENOSPC)
	}
	return nil
}

// birth is how a ledger begins where there is none.
type birth struct {
	ledger ulid.ULID      // zero for an id of its own
	mark   *ReadOnlyError // nil for one that takes steps
}

// fits reports whether a ledger that exists is the one asked for.
func (b birth) fits(id identity, exists bool) error {
	if exists && !b.ledger.IsZero() && id.Ledger != b.ledger {
		return fmt.Errorf("%w: it holds %s, not %s", ErrOtherLedger, id.Ledger, b.ledger)
	}
	return nil
}

// begin writes LEDGER.new, and READONLY if there is a mark. Until finish renames LEDGER.new
// the ledger does not exist, so a crash in between costs nothing; afterwards a missing record
// is damage, not a new ledger.
func (d directory) begin(b birth) (identity, error) {
	if b.ledger.IsZero() {
		b.ledger = ulid.Make()
	}
	id := identity{Format: formatVersion, Ledger: b.ledger, Created: time.Now().UTC().Truncate(time.Second)}
	if err := d.write(nameNew, id.text()); err != nil {
		return id, err
	}
	if err := disk.SyncDir(d.fs, d.path); err != nil {
		return id, err
	}
	if b.mark != nil {
		return id, d.replace(nameReadOnly, b.mark.text())
	}
	if err := d.fs.Remove(d.join(nameReadOnly)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return id, err // left by a follower that was not finished
	}
	return id, disk.SyncDir(d.fs, d.path)
}

func (d directory) finish() error {
	if err := d.fs.Rename(d.join(nameNew), d.join(nameLedger)); err != nil {
		return err
	}
	return disk.SyncDir(d.fs, d.path)
}

// makeAll makes the directory and the record's, for the owner alone: the record holds
// openings, which are secret. Each new name is synced in its parent, or a crash could take
// the whole ledger away.
func (d directory) makeAll() error {
	record := d.join(nameRecord)
	var parents []string
	for path := record; ; {
		parent := d.fs.PathDir(path)
		if _, err := d.fs.Stat(path); err == nil || parent == path {
			break
		}
		parents = append(parents, parent)
		path = parent
	}
	if err := d.fs.MkdirAll(record, 0o700); err != nil {
		return err
	}
	for _, parent := range parents {
		if err := disk.SyncDir(d.fs, parent); err != nil {
			return err
		}
	}
	return nil
}

const (
	shortFile = 1 << 16   // more than any file of the directory but CHECKPOINT holds
	longFile  = 256 << 20 // some two million campaigns
)

// read gives the text of a file. What is no file, as a pipe that nobody writes, is not waited for; nor is what is
// longer than any that was written here read.
func (d directory) read(name string, limit int64) ([]byte, error) {
	info, err := d.fs.Stat(d.join(name))
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%w: %s is no file", ErrDamaged, d.join(name))
	case info.Size() > limit:
		return nil, fmt.Errorf("%w: %s has %d bytes, more than such a file has", ErrDamaged, d.join(name), info.Size())
	}
	f, err := d.fs.Open(d.join(name))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, limit))
	return text, errors.Join(err, f.Close())
}

// replace puts text in the place of what name held: a crash leaves the one or the other.
func (d directory) replace(name string, text []byte) error {
	if err := d.write(name+fresh, text); err != nil {
		return err
	}
	if err := d.fs.Rename(d.join(name+fresh), d.join(name)); err != nil {
		return err
	}
	return disk.SyncDir(d.fs, d.path)
}

func (d directory) write(name string, text []byte) error {
	f, err := d.fs.Create(d.join(name), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return cmp.Or(err, f.Sync(), f.Close())
}
