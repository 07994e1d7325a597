package ledger

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/cockroachdb/pebble/v2"
)

// Companion is a file beside the record, of which the record knows what it may hold: so an older copy of it, one
// of another ledger and its lack are noticed, though nothing is wrong with the text itself.
type Companion struct {
	ledger *Ledger
	name   string
}

// Companion gives the file of a name. Name is the path inside the directory; it is not checked.
func (l *Ledger) Companion(name string) Companion { return Companion{l, name} }

// Vouch has the record say, durably, that from now on the file holds one of these texts; nil is no file. Who
// replaces a file vouches for the old and the new text first, and for the new one alone afterwards.
func (b Companion) Vouch(texts ...[]byte) error {
	var sums []byte
	for _, text := range texts {
		sum := sumBeside(text)
		sums = append(sums, sum[:]...)
	}
	return b.ledger.note(besideKey(b.name), sums)
}

// Settle narrows what was vouched for to this text, if it was one of several: of a replacement that a crash cut short.
func (b Companion) Settle(text []byte) error {
	known, err := b.Vouched(text)
	if err != nil || !known {
		return err
	}
	if sums, err := b.ledger.noted(besideKey(b.name)); err != nil || len(sums) <= sha256.Size {
		return err
	}
	return b.Vouch(text)
}

// Vouched reports whether the file may hold this text. It may hold anything until [Ledger.VouchFrom]; then
// there is no file that nobody has vouched for.
func (b Companion) Vouched(text []byte) (bool, error) {
	from, err := b.ledger.Vouches()
	if err != nil || !from {
		return true, err
	}
	sums, err := b.ledger.noted(besideKey(b.name))
	if len(sums) == 0 {
		return text == nil, err
	}
	if len(sums)%sha256.Size != 0 {
		return false, damaged(besideKey(b.name))
	}
	sum := sumBeside(text)
	for ; len(sums) > 0; sums = sums[sha256.Size:] {
		if sum == [sha256.Size]byte(sums) {
			return true, nil
		}
	}
	return false, nil
}

// Vouches reports whether the record knows what may stand beside it: not in a ledger that was just begun or loaded,
// or is of an older version.
func (l *Ledger) Vouches() (bool, error) {
	value, err := l.noted(besideKey(""))
	return value != nil, err
}

// VouchFrom says, durably, that from now on the record knows it: all that is there has been vouched for.
func (l *Ledger) VouchFrom() error { return l.note(besideKey(""), []byte{1}) }

func sumBeside(text []byte) (sum [sha256.Size]byte) {
	if text != nil {
		sum = sha256.Sum256(text)
	}
	return sum
}

func besideKey(name string) []byte { return append([]byte{keyBeside}, name...) }

// note writes an entry that no step has, durably.
func (l *Ledger) note(key, value []byte) error {
	if err := l.enter(); err != nil {
		return err
	}
	defer l.leave()
	return l.noteInside(key, value)
}

// noteInside is note for who has entered.
func (l *Ledger) noteInside(key, value []byte) error {
	select {
	case <-l.failed:
		return l.failure
	default:
	}
	if l.reading {
		return l.mark.Load()
	}
	batch := l.db.NewBatch()
	must(batch.Set(key, value, nil))
	if err := apply(l.db, batch, pebble.Sync); err != nil {
		l.fail(refusal(l.dir.path, err))
		return l.failure
	}
	select {
	case <-l.failed:
		return l.failure // Pebble may have reported to its Logger alone
	default:
		return nil
	}
}

// noted gives the value of such an entry, nil if there is none.
func (l *Ledger) noted(key []byte) (value []byte, err error) {
	if err := l.enter(); err != nil {
		return nil, err
	}
	defer l.leave()
	return l.notedInside(key)
}

// notedInside is noted for who has entered, or opens the ledger.
func (l *Ledger) notedInside(key []byte) (value []byte, err error) {
	err = l.get(key, func(v []byte) error {
		value = append([]byte{}, v...)
		return nil
	})
	if errors.Is(err, pebble.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: entry %q: %w", ErrDamaged, key, err)
	}
	return value, nil
}
