// Package kept writes the files that lie beside a record so that damage to them is noticed: the
// campaigns' secrets, the tokens, what is known of imports. What a file means is its owner's business.
//
// A sealed file is text: a title with the version of the form, the body, and the SHA-256 of all lines
// above it.
//
//	watu secrets 2 01ARZ3NDEKTSV4RRFFQ69G5FAV
//	1 6f1c…
//	sha256 9b0d…
//
// The title stands first, so that a damaged file is not mistaken for one of an earlier version, which
// had neither title nor sum. The sum is not keyed: it finds damage, not forgery.
//
// A file is replaced as a whole. A crash leaves the old one or the new one, and at worst a file whose
// name begins with [Unfinished].
package kept

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// ErrDamaged is wrapped for a sealed file whose last line does not vouch for the others.
var ErrDamaged = errors.New("the file is damaged")

// ErrHeld is wrapped by [Lock] where another process holds the file.
var ErrHeld = errors.New("another process holds it")

// Unfinished begins the name of a file that is being written.
const Unfinished = "new-"

const sum = "sha256 "

// Seal gives the text of a file with that title, without a line feed, and body.
func Seal(title string, body []byte) []byte {
	text := append([]byte(title+"\n"), body...)
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return fmt.Appendf(text, "%s%x\n", sum, sha256.Sum256(text))
}

// Unseal gives the body of a sealed file. Where the title is another, the text comes back as it is, and
// sealed is false: whoever reads it may know an earlier form.
func Unseal(title string, text []byte) (body []byte, sealed bool, err error) {
	if !bytes.HasPrefix(text, []byte(title+"\n")) {
		return text, false, nil
	}
	lines := text[:bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n')+1]
	if !bytes.Equal(text[len(lines):], fmt.Appendf(nil, "%s%x\n", sum, sha256.Sum256(lines))) {
		return nil, true, fmt.Errorf("%w: its last line does not vouch for the others", ErrDamaged)
	}
	return lines[len(title)+1:], true, nil
}

// Create writes a new file for its owner alone, durably. It fails with fs.ErrExist if there is one.
func Create(path string, text []byte) error { return write(path, text, os.Link) }

// Replace writes a file for its owner alone, durably, in the place of one that is there.
func Replace(path string, text []byte) error { return write(path, text, os.Rename) }

func write(path string, text []byte, put func(from, to string) error) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, Unfinished) // of mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := put(f.Name(), path); err != nil {
		return err
	}
	return Sync(dir)
}

// Sync makes the names in a directory durable.
func Sync(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
