package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// Viewed is why a ledger that [View] opened takes no steps. It stands in no file.
const Viewed Because = "viewed"

// View opens a ledger to look at it: nothing in its directory is written, but the lock is taken. Like
// one under repair it opens in spite of its checkpoint, and [Ledger.Behind] says what is wrong with that.
func View(dir string, o Options) (*Ledger, error) {
	o, dir, err := o.withDefaults(dir)
	if err != nil {
		return nil, err
	}
	o.Repairing = true
	d := directory{fs: o.FS, path: dir}
	id, exists, err := d.inspect()
	if err == nil && !exists {
		err = fmt.Errorf("%s: %w: there is nothing in it", dir, ErrNotLedger)
	}
	if err != nil {
		return nil, err
	}
	lock, err := d.lockRecord()
	if err != nil {
		return nil, openError(dir, err)
	}
	l := newLedger(d, o, lock)
	l.id, l.viewing = id.Ledger, true
	l.born.Store(&id)
	if err := l.view(); err != nil {
		return nil, openError(dir, cmp.Or(err, lock.Close()))
	}
	return l, nil
}

// lockRecord takes Pebble's lock and makes nothing.
func (d directory) lockRecord() (*pebble.Lock, error) {
	if _, err := d.fs.Stat(d.join(nameRecord)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: the directory %s is gone", ErrDamaged, nameRecord)
	}
	lock, err := pebble.LockDirectory(d.join(nameRecord), d.fs)
	var path *fs.PathError
	if err != nil && !errors.As(err, &path) {
		return nil, d.held()
	}
	return lock, err
}

func (l *Ledger) view() error {
	if err := l.hearPromise(); err != nil {
		return err
	}
	if err := l.openStore(true, true); err != nil {
		return err
	}
	err := cmp.Or(l.load(), l.findMark(true), l.weighPromise(),
		l.disk.opened(func(cause error) { l.fail(refusal(l.dir.path, cause)) }))
	if err != nil {
		return cmp.Or(err, l.db.Close())
	}
	if l.ReadOnly() == nil {
		l.mark.Store(&ReadOnlyError{Dir: l.dir.path, Because: Viewed, Since: time.Now().UTC()})
	}
	return nil
}
