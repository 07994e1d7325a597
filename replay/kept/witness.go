package kept

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
)

// Witness remembers elsewhere, durably, which texts a file may hold. A seal finds damage; it does not know an
// older file, or that of another directory, from the right one. A nil text means that there is no file.
type Witness interface {
	Vouch(texts ...[]byte) error // from now on the file holds one of these
	Vouched(text []byte) (bool, error)
}

// ReplaceWitnessed is [Replace] for a file that has a witness, who vouches for whatever a crash leaves. What is there
// has so many bytes at most.
func ReplaceWitnessed(w Witness, path string, text []byte, most int64) error {
	if int64(len(text)) > most {
		return tooLong(most)
	}
	was, err := readOrNone(path, most)
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

// ReadWitnessed is [Read], nil if there is no file, and fails with an [ErrDamaged] where the witness
// knows of another text, in which case it comes back all the same, or of a file where there is none, an [ErrMissing].
func ReadWitnessed(w Witness, path string, most int64) (text []byte, err error) {
	for {
		if text, err = readOrNone(path, most); err != nil {
			return nil, err
		}
		known, err := w.Vouched(text)
		if known || err != nil {
			return text, err
		}
		// It may have been replaced since it was read.
		now, err := readOrNone(path, most)
		switch {
		case err != nil:
			return nil, err
		case (now == nil) != (text == nil) || !bytes.Equal(now, text):
		case text == nil:
			return nil, ErrMissing
		default:
			return text, fmt.Errorf("%w: it is not what was written last", ErrDamaged)
		}
	}
}

func readOrNone(path string, most int64) ([]byte, error) {
	text, err := Read(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}
