package reliability

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// damage is what is done to one file or folder of a directory.
type damage struct {
	Kind string // one of those below
	Path string // below the directory, with slashes
	At   int    // the byte that is flipped, or the length that is left
	Bit  int
	From string // what takes its place: a file or folder elsewhere
}

// The kinds of damage.
const (
	nothing = "nothing"
	flip    = "bit flipped"
	cut     = "cut"
	missing = "missing"
	swap    = "replaced"
)

func (d damage) String() string {
	switch d.Kind {
	case flip:
		return fmt.Sprintf("%s, bit %d of byte %d flipped", d.Path, d.Bit, d.At)
	case cut:
		return fmt.Sprintf("%s cut to %d bytes", d.Path, d.At)
	case swap:
		return fmt.Sprintf("%s replaced by %s", d.Path, d.From)
	}
	return d.Path + " " + d.Kind
}

// does damages a directory.
func (d damage) does(dir string) error {
	path := filepath.Join(dir, filepath.FromSlash(d.Path))
	switch d.Kind {
	case nothing:
		return nil
	case missing:
		return os.RemoveAll(path)
	case swap:
		if err := os.RemoveAll(path); err != nil {
			return err
		}
		return copyAll(path, d.From)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return err
	case d.At >= len(text):
		return errors.New("there is no such byte: " + d.String())
	case d.Kind == flip:
		text[d.At] ^= 1 << d.Bit
	case d.Kind == cut:
		text = text[:d.At]
	}
	return os.WriteFile(path, text, info.Mode().Perm())
}
