//go:build unix

package kept

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// Lock has this process alone hold the file of that name, which it makes, until the lock is closed or the process ends.
// While another process holds it, it waits, or fails with [ErrHeld].
func Lock(path string, wait bool) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	if err := syscall.Flock(int(f.Fd()), how); errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, errors.Join(ErrHeld, f.Close())
	} else if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}
