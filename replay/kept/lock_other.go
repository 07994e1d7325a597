//go:build !unix

package kept

import (
	"io"
	"os"
)

// Lock keeps nobody out here: one process a file is its owner's care.
func Lock(path string, _ bool) (io.Closer, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
