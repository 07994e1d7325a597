// Package archive notes which campaigns of a ledger stand apart in lists: a file for each, named by its ULID, that
// holds when that was said. It is the note of whoever keeps the ledger, and nothing of the game: the record does not
// know it, and no copy or backup takes it along. Where the folder is lost, they stand among the others again.
package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/replay/kept"
)

// Folder is where the notes are. Its methods may be called by several goroutines.
type Folder struct {
	dir     string
	mu      sync.Mutex // held by who notes something
	changes atomic.Uint64
}

// In gives the notes in a folder, which need not be there yet.
func In(dir string) *Folder { return &Folder{dir: dir} }

// Has reports whether a campaign stands apart.
func (f *Folder) Has(campaign ulid.ULID) bool {
	_, err := os.Lstat(f.path(campaign))
	return err == nil
}

// Put has a campaign stand apart, or among the others again, and reports whether that is new.
func (f *Folder) Put(campaign ulid.ULID, apart bool) (changed bool, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.Has(campaign) == apart {
		return false, nil
	}
	if apart {
		if err = os.MkdirAll(f.dir, 0o700); err == nil {
			err = kept.Replace(f.path(campaign), []byte(time.Now().UTC().Format(time.RFC3339)+"\n"))
		}
	} else if err = os.Remove(f.path(campaign)); errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = kept.Sync(f.dir)
	}
	f.changes.Add(1)
	return true, err
}

// Changes counts what was noted since the ledger was opened, for the keys of caches.
func (f *Folder) Changes() uint64 { return f.changes.Load() }

func (f *Folder) path(campaign ulid.ULID) string { return filepath.Join(f.dir, campaign.String()) }
