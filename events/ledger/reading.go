package ledger

import (
	"cmp"
	"errors"
)

// OpenToRead opens a ledger that cannot be written to, for want of space above all, and writes nothing
// but HOLDER, if that can be. It can be read as ever; of every append comes why, as an [ErrFailed], and
// [Ledger.Err] gives it too. Options.Fatal is not called for that. It fails like [Open].
func OpenToRead(dir string, o Options, why error) (*Ledger, error) {
	o, dir, err := o.withDefaults(dir)
	if err != nil {
		return nil, err
	}
	d := directory{fs: o.FS, path: dir}
	id, exists, err := d.inspect()
	if err == nil && !exists {
		err = ErrNotLedger
	}
	if err != nil {
		return nil, openError(dir, err)
	}
	lock, err := d.take()
	if err != nil {
		return nil, openError(dir, err)
	}
	_ = d.writeHolder(o.Holder) // the lock is what counts
	l := newLedger(d, o, lock)
	l.id, l.reads = id.Ledger, true
	l.born.Store(&id)
	if err := l.openToRead(); err != nil {
		return nil, openError(dir, errors.Join(err, d.unlock(lock)))
	}
	if l.failure = why; !errors.Is(why, ErrFailed) {
		l.failure = refusal(dir, why)
	}
	l.fail1.Do(func() { close(l.failed) })
	return l, nil
}

// openToRead opens the record.
func (l *Ledger) openToRead() (err error) {
	if l.promise, err = l.dir.readCheckpoint(l.id); err != nil {
		return err
	}
	if err := l.openStore(true, true); err != nil {
		return err
	}
	if err = l.load(); err == nil {
		err = cmp.Or(l.findMark(true), l.weighPromise())
	}
	err = cmp.Or(err, l.disk.opened(func(error) {}))
	if err != nil {
		return cmp.Or(err, l.db.Close())
	}
	return nil
}
