package replay

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// mostBoardFile is how long a file of a board may be; those of a board may have 40 MiB together.
const mostBoardFile = 64 << 20

// Boards stores the files of the boards that campaigns are played on, each under the SHA-256 of its contents, so that a
// board used twice lies there once.
type Boards struct{ dir string }

// NewBoards keeps files in dir, which need not exist yet.
func NewBoards(dir string) *Boards { return &Boards{dir: dir} }

// ErrNoBoard is wrapped when a file of a campaign's board is not there, or holds something else:
// the campaign can be read and verified, but not played on.
var ErrNoBoard = errors.New("the campaign's board is not here")

// Put keeps files durably.
func (s *Boards) Put(files []rules.BoardFile) error {
	if len(files) == 0 {
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	for _, f := range files {
		if err := kept.Replace(s.path(sha256.Sum256(f.Data)), f.Data); err != nil {
			return fmt.Errorf("keep %s: %w", f.Name, err)
		}
	}
	return kept.Sync(filepath.Dir(s.dir))
}

// Get gives the files of a board, none for the zero board.
func (s *Boards) Get(b events.Board) ([]rules.BoardFile, error) {
	var files []rules.BoardFile
	for _, f := range b.Files {
		data, err := kept.Read(s.path(f.Hash), mostBoardFile)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: %s (%s) is missing", ErrNoBoard, s.path(f.Hash), f.Name)
		}
		if errors.Is(err, kept.ErrDamaged) {
			return nil, fmt.Errorf("%w: %s (%s): %w", ErrNoBoard, s.path(f.Hash), f.Name, err)
		}
		if err != nil {
			return nil, err
		}
		if sha256.Sum256(data) != f.Hash {
			return nil, fmt.Errorf("%w: %s is not %s any more: put back the file with that SHA-256", ErrNoBoard,
				s.path(f.Hash), f.Name)
		}
		files = append(files, rules.BoardFile{Name: f.Name, Data: data})
	}
	return files, nil
}

func (s *Boards) path(h events.Hash) string { return filepath.Join(s.dir, h.String()) }
