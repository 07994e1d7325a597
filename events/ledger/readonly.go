package ledger

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"
)

// Because is why a ledger is read-only.
type Because string

const (
	Follows    Because = "follows"     // it copies what another host records
	HandedOver Because = "handed over" // another host goes on with it
	Viewed     Because = "viewed"      // it was opened to look at it, see [OpenToRead]; never written to READONLY
)

// ReadOnlyError says why a ledger takes no steps; D/READONLY holds it. It is an [ErrReadOnly].
type ReadOnlyError struct {
	Dir     string    `json:"-"`
	Because Because   `json:"because"`
	Note    string    `json:"note"` // for people: whom it follows, where it went
	Since   time.Time `json:"since"`

	Differs string `json:"differs,omitempty"` // why a copy stopped: what its original says otherwise
}

func (e *ReadOnlyError) Error() string {
	note := ""
	if e.Note != "" {
		note = " (" + e.Note + ")"
	}
	if e.Because == Viewed {
		return fmt.Sprintf("ledger %s was opened to look at it", e.Dir)
	}
	since := e.Since.Format(time.RFC3339)
	if e.Because == Follows && e.Differs != "" {
		return fmt.Sprintf("ledger %s is read-only since %s: it followed another host's%s, and stopped: %s; "+
			"keep it as evidence, and ask that host which stands", e.Dir, since, note, e.Differs)
	}
	if e.Because == Follows {
		return fmt.Sprintf("ledger %s is read-only since %s: it follows another host's%s; submit to that host",
			e.Dir, since, note)
	}
	return fmt.Sprintf("ledger %s is read-only since %s: it was handed over to another host%s; submit there",
		e.Dir, since, note)
}

// Is reports whether target is ErrReadOnly.
func (e *ReadOnlyError) Is(target error) bool { return target == ErrReadOnly }

// ReadOnly is why the ledger takes no steps, nil if it does.
func (l *Ledger) ReadOnly() *ReadOnlyError { return l.mark.Load() }

// MarkReadOnly makes the ledger read-only, durably and for good: once it returned no step
// becomes durable any more. A ledger that follows can still [Ledger.Adopt]. Of two marks the
// later one counts. If the mark cannot be written the ledger takes steps as before, unless
// READONLY is there after all.
func (l *Ledger) MarkReadOnly(because Because, note string) error {
	return l.setMark(newMark(l.dir.path, because, note))
}

// MarkCopy writes down, durably, whom a copy follows, and why it stopped: what its original says otherwise,
// empty for nothing. It fails with [ErrNotFollower] on a ledger that is no copy.
func (l *Ledger) MarkCopy(note, differs string) error {
	is := l.ReadOnly()
	if is == nil || is.Because != Follows {
		return fmt.Errorf("%s: %w", l.dir.path, ErrNotFollower)
	}
	if is.Note == note && is.Differs == differs {
		return nil
	}
	m := *is
	m.Note, m.Differs = note, differs
	return l.setMark(&m)
}

func (l *Ledger) setMark(m *ReadOnlyError) error {
	if err := l.enter(); err != nil {
		return err
	}
	defer l.leave()
	l.adopting.Lock()
	defer l.adopting.Unlock()
	l.gathering.Lock()
	before, last := l.mark.Swap(m), l.last
	l.gathering.Unlock()
	if last != nil {
		if err := l.await(last); err != nil {
			return err
		}
	}
	err := l.dir.replace(nameReadOnly, m.text())
	if err == nil {
		return l.noteInside([]byte{keyMark}, m.text())
	}
	if _, there := l.dir.fs.Stat(l.dir.join(nameReadOnly)); before != nil || errors.Is(there, fs.ErrNotExist) {
		l.mark.Store(before)
	}
	return fmt.Errorf("mark ledger %s as read-only: %w", l.dir.path, err)
}

func newMark(dir string, because Because, note string) *ReadOnlyError {
	return &ReadOnlyError{Dir: dir, Because: because, Note: note, Since: time.Now().UTC().Truncate(time.Second)}
}

// text is what READONLY holds.
func (e *ReadOnlyError) text() []byte {
	text, err := json.Marshal(e)
	if err != nil {
		panic(err) // a year beyond 9999: nothing else of it can fail
	}
	return append(text, '\n')
}

// readMark reads a text of READONLY. One that cannot be understood is not taken for none.
func (d directory) readMark(text []byte) (*ReadOnlyError, error) {
	m := &ReadOnlyError{Dir: d.path}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(m); err != nil || m.Because != Follows && m.Because != HandedOver {
		return nil, fmt.Errorf("%w, and why cannot be read in %s: restore that file, and remove it only "+
			"if no other host goes on with this ledger", ErrReadOnly, nameReadOnly)
	}
	return m, nil
}

// findMark finds out why the ledger takes no steps. The record says it too, since READONLY was written by this
// version or opened by it: then the file may be lost or damaged, and is written again.
func (l *Ledger) findMark(exists bool) error {
	key := []byte{keyMark}
	text, err := l.dir.read(nameReadOnly, shortFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	there := err == nil
	noted, err := l.notedInside(key)
	switch {
	case err != nil:
		return err
	case !exists && !there && noted != nil: // left by a follower that was not finished
		return l.db.Delete(key, pebble.Sync)
	case noted == nil && !there:
		return nil
	case noted == nil || !exists:
		m, err := l.dir.readMark(text)
		if err != nil {
			return err
		}
		l.mark.Store(m)
		if l.reading {
			return nil
		}
		return l.db.Set(key, text, pebble.Sync)
	}
	m, err := l.dir.readMark(noted)
	if err != nil {
		return damaged(key)
	}
	l.mark.Store(m)
	if there && bytes.Equal(text, noted) {
		return nil
	}
	l.opts.Logf("%s is missing or was changed; the record has why this ledger takes no steps: %v", nameReadOnly, m)
	if l.reading {
		return nil
	}
	return l.dir.replace(nameReadOnly, noted)
}

// Follow opens the ledger in dir that follows the given one, and begins it, empty and with the
// same id, if dir does not exist or is empty. Note says whom it follows. It takes no steps;
// [Ledger.Adopt] fills it. Beyond what [Open] fails with there are [ErrOtherLedger] and
// [ErrNotFollower].
func Follow(dir string, ledger ulid.ULID, note string, o Options) (*Ledger, error) {
	if ledger.IsZero() {
		return nil, fmt.Errorf("follow in %s: %w: no id was given", dir, ErrOtherLedger)
	}
	l, err := open(dir, o, birth{ledger: ledger, mark: newMark(dir, Follows, note)})
	if err != nil {
		return nil, err
	}
	if m := l.ReadOnly(); m == nil || m.Because != Follows {
		return nil, errors.Join(fmt.Errorf("%s: %w", dir, ErrNotFollower), l.Close())
	}
	return l, nil
}
