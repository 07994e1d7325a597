//go:build !unix

package kept

import (
	"io"
	"os"
)

// Lock keeps nobody out on this system: its user has to see to it that one process at a time uses the file.
func Lock(path string, _ bool) (io.Closer, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
}
