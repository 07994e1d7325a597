//go:build unix

package seatfile

import (
	"io"
	"os"
	"syscall"
)

// lock waits until this process alone works with a file, until the lock is closed or the process ends.
func lock(path string) (io.Closer, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
