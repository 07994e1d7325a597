package kept

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Witness remembers elsewhere, durably, which texts a file may hold. A seal finds damage; it does not know an
// older file, or that of another directory, from the right one. A nil text means that there is no file.
type Witness interface {
	Vouch(texts ...[]byte) error // from now on the file holds one of these
	Vouched(text []byte) (bool, error)
}

// ReplaceWitnessed is [Replace] for a file that has a witness, who vouches for whatever a crash leaves.
func ReplaceWitnessed(w Witness, path string, text []byte) error {
	was, err := readOrNone(path)
	if err != nil {
		return err
	}
	both := [][]byte{text}
	if known, err := w.Vouched(was); err != nil {
		return err
	} else if known {
		both = append(both, was)
	}
	if err := w.Vouch(both...); err != nil {
		return err
	}
	if err := Replace(path, text); err != nil {
		return err
	}
	return w.Vouch(text)
}

// ReadWitnessed gives the text of a file, nil if there is none. It fails with an [ErrDamaged] where the witness
// knows of another text, or of a file where there is none. The text comes back all the same.
func ReadWitnessed(w Witness, path string) (text []byte, err error) {
	for {
		if text, err = readOrNone(path); err != nil {
			return nil, err
		}
		known, err := w.Vouched(text)
		if known || err != nil {
			return text, err
		}
		// It may have been replaced since it was read.
		now, err := readOrNone(path)
		switch {
		case err != nil:
			return nil, err
		case (now == nil) != (text == nil) || !bytes.Equal(now, text):
		case text == nil:
			return nil, fmt.Errorf("%w: it is missing", ErrDamaged)
		default:
			return text, fmt.Errorf("%w: it is not what was written last", ErrDamaged)
		}
	}
}

func readOrNone(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
