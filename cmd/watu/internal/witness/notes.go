package witness

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/replay/kept"
)

// Limits of the notes of a campaign, in bytes.
const (
	mostNotes = 64 << 20
	mostNote  = 4 << 10
)

// noteDown adds a cosigned note to those of its campaign. A crash may leave a part of a line, which is passed over.
func (w *Witness) noteDown(h head) error {
	line := strconv.Quote(h.note) + "\n"
	if len(line) > mostNote {
		return fmt.Errorf("a note of %d bytes; the limit is %d", len(line), mostNote)
	}
	dir := filepath.Join(w.dir, "notes")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(dir, h.Campaign.String()), os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	size, err := f.Seek(0, io.SeekEnd)
	if err == nil && size > mostNotes {
		err = fmt.Errorf("%s is full: put it elsewhere", f.Name())
	}
	last := []byte{'\n'}
	if err == nil && size > 0 {
		_, err = f.ReadAt(last, size-1)
	}
	if last[0] != '\n' {
		line = "\n" + line
	}
	if err == nil {
		_, err = f.WriteString(line)
	}
	return errors.Join(err, f.Sync(), f.Close())
}

// Notes gives the notes of a campaign that the witness of a directory cosigned: of each number of events the first.
func Notes(dir string, id ulid.ULID) (list []string, err error) {
	text, err := kept.Read(filepath.Join(dir, "notes", id.String()), mostNotes+2*mostNote)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for line := range strings.Lines(string(text)) {
		if note, wrong := strconv.Unquote(strings.TrimSuffix(line, "\n")); wrong == nil {
			list = append(list, note)
		}
	}
	return list, err
}
