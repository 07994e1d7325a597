//go:build unix

package witness

import (
	"fmt"
	"io"
	"os"
	"syscall"
)

// lock has this process alone hold a directory, until the lock is closed or the process ends.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("%w: %s", ErrHeld, path)
	}
	return f, nil
}
