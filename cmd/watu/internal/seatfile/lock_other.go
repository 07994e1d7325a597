//go:build !unix

package seatfile

import (
	"io"
	"os"
)

// lock keeps nobody out here: one process a file is the player's care.
func lock(path string) (io.Closer, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) }
