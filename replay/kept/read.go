package kept

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// What is wrong with a file that lies beside a record. Each is an [ErrDamaged].
var (
	// ErrMissing is wrapped for a file that should be there.
	ErrMissing = fmt.Errorf("%w: it is missing", ErrDamaged)
	// ErrUnread is wrapped where the machine does not let a file be read. It may be whole.
	ErrUnread = fmt.Errorf("%w: it cannot be read", ErrDamaged)
)

// Read gives the text of a file that has so many bytes at most. One that is not there is an fs.ErrNotExist. What is
// no file, as a pipe that nobody writes or a device, is not waited for: it is an [ErrDamaged], as what is longer.
func Read(path string, most int64) ([]byte, error) {
	f, err := open(path, os.O_RDONLY, most)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	err = errors.Join(err, f.Close())
	if err != nil {
		return nil, unread(err)
	}
	if int64(len(text)) > most { // it grew meanwhile
		return nil, tooLong(most)
	}
	return text, nil
}

// Append adds text to a file for its owner alone, which need not be there yet, under the conditions of [Read].
func Append(path string, text []byte, most int64) error {
	f, err := open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, most)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// open opens a file, and nothing else. It looks before it opens, since to open a device may do something already, and
// again afterwards, since another may have taken its place.
func open(path string, flags int, most int64) (*os.File, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = fit(info, most)
	} else if errors.Is(err, fs.ErrNotExist) && flags&os.O_CREATE != 0 {
		err = nil
	}
	if err != nil {
		return nil, unread(err)
	}
	f, err := os.OpenFile(path, flags|nonblocking, 0o600)
	if err != nil {
		return nil, unread(err)
	}
	if info, err = f.Stat(); err == nil {
		err = fit(info, most)
	}
	if err != nil {
		return nil, errors.Join(unread(err), f.Close())
	}
	return f, nil
}

// fit refuses what is no file, or too long.
func fit(info fs.FileInfo, most int64) error {
	switch {
	case info.IsDir():
		return fmt.Errorf("%w: it is a directory", ErrDamaged)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: it is a pipe, a device or a socket", ErrDamaged)
	case info.Size() > most:
		return tooLong(most)
	}
	return nil
}

func tooLong(most int64) error {
	return fmt.Errorf("%w: it is longer than the %d KiB that such a file may have", ErrDamaged, most>>10)
}

// unread makes an error of the machine one of the file. That the machine lacks something for the moment is none.
func unread(err error) error {
	var path *fs.PathError
	for _, kind := range []error{fs.ErrNotExist, ErrDamaged, syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM} {
		if errors.Is(err, kind) {
			return err
		}
	}
	if errors.As(err, &path) {
		err = path.Err // whoever asked knows which file
	}
	return fmt.Errorf("%w: %w", ErrUnread, err)
}
