package terminal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// mostHead is more than a checkpoint has, with the signatures of many.
const mostHead = 64 << 10

// Head reads the value of --head. The name of a file stands for the checkpoint in it; anything else, such as a hash, is
// itself.
func Head(given string) (string, error) {
	f, err := os.Open(given)
	if given == "" || errors.Is(err, fs.ErrNotExist) {
		return given, nil
	} else if err != nil {
		return "", fmt.Errorf("cannot read %s: %w", given, errors.Unwrap(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostHead))
	return string(text) + "\n", err
}
