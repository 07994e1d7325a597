//go:build !unix

package witness

import (
	"io"
	"os"
)

// lock keeps nobody out here: one witness a directory is the operator's care.
func lock(path string) (io.Closer, error) { return os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) }
