package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"
)

// formatVersion is the version of the directory and of the keys that this package writes.
const formatVersion = 1

const (
	nameLedger = "LEDGER"
	nameNew    = "LEDGER.new"
	nameHolder = "HOLDER"
	nameRecord = "record"
	nameLock   = "LOCK"
)

// identity is what the file LEDGER holds.
type identity struct {
	Format  int       `json:"format"`
	Ledger  ulid.ULID `json:"ledger"`
	Created time.Time `json:"created"`
}

// directory is a ledger's directory.
type directory struct {
	fs   vfs.FS
	path string
}

func (d directory) join(name string) string { return d.fs.PathJoin(d.path, name) }

// inspect reads LEDGER and touches nothing. It gives false for a directory in which a ledger
// may be begun: missing, empty, or left by a creation that did not finish.
func (d directory) inspect() (identity, bool, error) {
	var id identity
	names, err := d.fs.List(d.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(names) == 0 {
		return id, false, nil
	}
	if err != nil {
		if info, statErr := d.fs.Stat(d.path); statErr == nil && !info.IsDir() {
			return id, false, fmt.Errorf("%s: %w: it is not a directory", d.path, ErrNotLedger)
		}
		return id, false, openError(d.path, err)
	}
	text, err := d.read(nameLedger)
	if errors.Is(err, fs.ErrNotExist) {
		if d.unfinished(names) {
			return id, false, nil
		}
		return id, false, fmt.Errorf("%s: %w: the directory is not empty and has no file %s",
			d.path, ErrNotLedger, nameLedger)
	}
	if err != nil {
		return id, false, err
	}
	var format struct{ Format int } // alone, because the rest may differ in another version
	if err := json.Unmarshal(text, &format); err != nil || format.Format < 1 {
		return id, false, fmt.Errorf("%s: %w: %s cannot be read", d.path, ErrNotLedger, nameLedger)
	}
	if format.Format > formatVersion {
		return id, false, fmt.Errorf("%s: %w: format %d, and this watu knows %d",
			d.path, ErrNewer, format.Format, formatVersion)
	}
	if err := json.Unmarshal(text, &id); err != nil {
		return id, false, fmt.Errorf("%s: %w: %s: %w", d.path, ErrNotLedger, nameLedger, err)
	}
	return id, true, nil
}

// unfinished reports whether a creation of a ledger left these names and got no further.
func (d directory) unfinished(names []string) bool {
	begun := false
	for _, n := range names {
		switch n {
		case nameNew:
			begun = true
		case nameRecord, nameHolder:
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
	lock, err := pebble.LockDirectory(d.join(nameRecord), d.fs)
	var path *fs.PathError
	if errors.As(err, &path) || vfs.IsNoSpaceError(err) {
		return nil, err
	}
	if err != nil {
		return nil, d.held()
	}
	host, _ := os.Hostname()
	text, err := json.Marshal(HeldError{
		PID: os.Getpid(), Host: host, Holder: holder, Started: time.Now().UTC().Truncate(time.Second),
	})
	if err == nil {
		err = d.write(nameHolder, text)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock, nil
}

func (d directory) unlock(lock *pebble.Lock) error {
	err := d.fs.Remove(d.join(nameHolder))
	return errors.Join(err, lock.Close())
}

func (d directory) held() error {
	e := &HeldError{}
	if text, err := d.read(nameHolder); err != nil || json.Unmarshal(text, e) != nil {
		e = &HeldError{} // its holder has not written it yet
	}
	e.Dir = d.path
	return e
}

// begin writes LEDGER.new. Until finish renames it the ledger does not exist, so a crash in
// between costs nothing; afterwards a missing record is damage, not a new ledger.
func (d directory) begin() (identity, error) {
	id := identity{Format: formatVersion, Ledger: ulid.Make(), Created: time.Now().UTC().Truncate(time.Second)}
	text, err := json.Marshal(id)
	if err != nil {
		return id, err
	}
	if err := d.write(nameNew, append(text, '\n')); err != nil {
		return id, err
	}
	return id, syncDir(d.fs, d.path)
}

func (d directory) finish() error {
	if err := d.fs.Rename(d.join(nameNew), d.join(nameLedger)); err != nil {
		return err
	}
	return syncDir(d.fs, d.path)
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
		if err := syncDir(d.fs, parent); err != nil {
			return err
		}
	}
	return nil
}

func (d directory) read(name string) ([]byte, error) {
	f, err := d.fs.Open(d.join(name))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, 1<<16))
	return text, errors.Join(err, f.Close())
}

func (d directory) write(name string, text []byte) error {
	f, err := d.fs.Create(d.join(name), vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}
