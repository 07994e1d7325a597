package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"time"
)

// OpenToRead opens a ledger and writes nothing in its directory; only the lock is taken. It can be read as ever.
//
// With a reason, for want of space above all, it is a ledger that should take steps and cannot: of every append
// comes why, as an [ErrFailed], and [Ledger.Err] gives it too. Options.Fatal is not called for that. Without one it
// was opened to look at it, and is [Viewed]. Beyond that it fails like [Open].
func OpenToRead(dir string, o Options, why error) (*Ledger, error) {
	o, dir, err := o.withDefaults(dir)
	if err != nil {
		return nil, err
	}
	d := directory{fs: o.FS, path: dir}
	id, exists, err := d.inspect()
	if err == nil && !exists {
		err = fmt.Errorf("%s: %w: there is nothing in it", dir, ErrNotLedger)
	}
	if err != nil {
		return nil, err
	}
	lock, err := d.take()
	if err != nil {
		return nil, openError(dir, err)
	}
	l := newLedger(d, o, lock)
	l.id, l.reading = id.Ledger, true
	l.born.Store(&id)
	if why != nil && !errors.Is(why, ErrFailed) {
		why = refusal(dir, why)
	}
	if why != nil {
		l.fail1.Do(func() { l.failure = why; close(l.failed) })
	}
	if err := l.openToRead(); err != nil {
		return nil, openError(dir, cmp.Or(err, lock.Close())) // HOLDER, if there is one, is another's
	}
	if why == nil && l.ReadOnly() == nil {
		l.mark.Store(&ReadOnlyError{Dir: dir, Because: Viewed, Since: time.Now().UTC()})
	}
	return l, nil
}

// openToRead opens the record.
func (l *Ledger) openToRead() error {
	if err := l.hearPromise(); err != nil {
		return err
	}
	if err := l.openStore(true, true); err != nil {
		return err
	}
	if err := l.readOrBegin(true); err != nil {
		return cmp.Or(err, l.db.Close())
	}
	return nil
}
