package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"regexp"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

var _ projections.Store = (*Store)(nil)

// pebbleFile matches the names that Pebble gives its files: only they are ever deleted.
var pebbleFile = regexp.MustCompile(
	`^([0-9]+(-[0-9]+)?\.(sst|log|blob)|(MANIFEST|OPTIONS)-[0-9]+|CURRENT|marker\..*|.*\.dbtmp)$`)

// errValue says that a value is not of this layout.
var errValue = errors.New("a saved view is damaged")

// read lends the database; the error is the reason for which it cannot be trusted.
func (s *Store) read(f func(db *pebble.DB) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.lock == nil {
		return ErrClosed
	}
	if failed := s.failed.Load(); failed != nil {
		return fmt.Errorf("views in %s: %w", s.dir, *failed)
	}
	if err := f(s.db); err != nil {
		return fmt.Errorf("views in %s: %w", s.dir, err)
	}
	return nil
}

// write commits what f puts into a batch. Nothing waits for the disk: what is lost is folded
// again.
func (s *Store) write(f func(b *pebble.Batch) error) error {
	return s.read(func(db *pebble.DB) error {
		b := db.NewBatch()
		defer b.Close()
		if err := f(b); err != nil {
			return err
		}
		return b.Commit(pebble.NoSync)
	})
}

// Version is the projection's version that the store has views of, 0 for none.
func (s *Store) Version(projection string) (int, error) {
	var version uint64
	err := s.read(func(db *pebble.DB) (err error) {
		version, err = readNumber(db, append([]byte{'n'}, projection...))
		return err
	})
	return int(version), err
}

// readNumber reads a varint, 0 if there is none under the key.
func readNumber(db *pebble.DB, key []byte) (uint64, error) {
	value, closer, err := db.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer closer.Close()
	v, n := binary.Uvarint(value)
	if n != len(value) || v > 1<<31-1 {
		return 0, errValue
	}
	return v, nil
}

// Begin forgets the projection's views and notes the version of those to come.
func (s *Store) Begin(projection string, version int) error {
	return s.write(func(b *pebble.Batch) error {
		err := errors.Join(
			deletePrefix(b, viewPrefix(projection)),
			deletePrefix(b, snapshotPrefix(projection)),
		)
		number := binary.AppendUvarint(nil, uint64(max(0, version)))
		return errors.Join(err, b.Set(append([]byte{'n'}, projection...), number, nil))
	})
}

// Forget drops the campaign's views and snapshots of one projection.
func (s *Store) Forget(projection string, campaign ulid.ULID) error {
	return s.write(func(b *pebble.Batch) error {
		return errors.Join(
			b.Delete(append(viewPrefix(projection), campaign[:]...), nil),
			deletePrefix(b, append(snapshotPrefix(projection), campaign[:]...)),
		)
	})
}

// deletePrefix deletes every key that begins with prefix.
func deletePrefix(b *pebble.Batch, prefix []byte) error {
	end := append([]byte(nil), prefix...)
	for i := len(end) - 1; i >= 0; i-- {
		if end[i]++; end[i] != 0 {
			return b.DeleteRange(prefix, end[:i+1], nil)
		}
	}
	return errValue // a prefix begins with a letter
}

func viewPrefix(projection string) []byte     { return append(append([]byte{'v'}, projection...), 0) }
func snapshotPrefix(projection string) []byte { return append(append([]byte{'s'}, projection...), 0) }

// Save keeps views and snapshots, all or nothing.
func (s *Store) Save(views, snapshots []projections.Saved) error {
	return s.write(func(b *pebble.Batch) error {
		var value []byte
		for i := range views {
			v := &views[i]
			value = appendValue(value[:0], v)
			if err := b.Set(append(viewPrefix(v.Projection), v.Campaign[:]...), value, nil); err != nil {
				return err
			}
		}
		for i := range snapshots {
			v := &snapshots[i]
			key := append(snapshotPrefix(v.Projection), v.Campaign[:]...)
			value = appendValue(value[:0], v)
			if err := b.Set(binary.BigEndian.AppendUint64(key, v.Applied), value, nil); err != nil {
				return err
			}
		}
		return nil
	})
}

func appendValue(to []byte, v *projections.Saved) []byte {
	to = binary.AppendUvarint(to, v.Applied)
	to = append(to, v.Head[:]...)
	return append(to, v.View...)
}

func valueOf(value []byte, into *projections.Saved) error {
	applied, n := binary.Uvarint(value)
	if n <= 0 || len(value) < n+len(into.Head) {
		return errValue
	}
	into.Applied = applied
	into.Head = events.Hash(value[n:])
	into.View = append([]byte(nil), value[n+len(into.Head):]...)
	return nil
}

// Latest is the newest view of the campaign, false if there is none.
func (s *Store) Latest(projection string, campaign ulid.ULID) (projections.Saved, bool, error) {
	saved := projections.Saved{Campaign: campaign, Projection: projection}
	ok := false
	err := s.read(func(db *pebble.DB) (err error) {
		ok, err = latest(db, &saved)
		return err
	})
	return saved, ok, err
}

func latest(db *pebble.DB, into *projections.Saved) (bool, error) {
	value, closer, err := db.Get(append(viewPrefix(into.Projection), into.Campaign[:]...))
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer closer.Close()
	return true, valueOf(value, into)
}

// Nearest is the view or snapshot with the most events, but at most applied.
func (s *Store) Nearest(projection string, campaign ulid.ULID, applied uint64) (projections.Saved, bool, error) {
	saved := projections.Saved{Campaign: campaign, Projection: projection}
	ok := false
	err := s.read(func(db *pebble.DB) (err error) {
		if ok, err = latest(db, &saved); err != nil || (ok && saved.Applied <= applied) {
			return err
		}
		ok, err = nearest(db, &saved, applied)
		return err
	})
	return saved, ok, err
}

func nearest(db *pebble.DB, into *projections.Saved, applied uint64) (ok bool, err error) {
	prefix := append(snapshotPrefix(into.Projection), into.Campaign[:]...)
	end := append([]byte(nil), prefix...)
	end = binary.BigEndian.AppendUint64(end, applied)
	it, err := db.NewIter(&pebble.IterOptions{LowerBound: prefix, UpperBound: append(end, 0)})
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, it.Close()) }()
	if !it.Last() {
		return false, it.Error()
	}
	value, err := it.ValueAndErr()
	if err != nil {
		return false, err
	}
	return true, valueOf(value, into)
}
