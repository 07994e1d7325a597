package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/store"
)

// TestDirectoryGone takes the directory away: the store closes, and says that it could not write.
func TestDirectoryGone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "views")
	s := open(t, dir, nil)
	if err := s.Save([]projections.Saved{saved(1, "pools", 1, "x")}, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err == nil || !strings.Contains(err.Error(), "are not closed, the next start mends them") {
		t.Errorf("close: %v", err)
	}
}

// TestHarmedTables flips bits in every region of the tables, cuts them and takes them away: the views are those
// that the record makes.
func TestHarmedTables(t *testing.T) {
	record, war := recordtest.NewRecord(), recordtest.War(1, 30)
	record.Append(war.ID, war.Stored...)
	whole, lines := t.TempDir(), []string{}
	want := digests(t, open(t, whole, &lines), record, &lines)
	lines = lines[:0]
	for _, path := range match(t, whole, "*.sst") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		harms := map[string][]byte{"missing": nil, "empty": {}, "cut": text[:len(text)/2]}
		for at := 0; at < len(text); at++ {
			if end := len(text) - 1200; at > end && at%67 == 0 || at <= end && at%4001 == 0 {
				harms[fmt.Sprint("bit of byte ", at)] = append([]byte{}, text...)
				harms[fmt.Sprint("bit of byte ", at)][at] ^= 1 << (at % 8)
			}
		}
		for name, bad := range harms {
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			harmed := filepath.Join(dir, filepath.Base(path))
			if err := os.Remove(harmed); err != nil {
				t.Fatal(err)
			}
			if bad != nil {
				if err := os.WriteFile(harmed, bad, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if got := digests(t, open(t, dir, &lines), record, &lines); got != want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
			}
		}
	}
	if len(lines) == 0 {
		t.Error("nothing was said")
	}
}

// TestFullDisk has a disk that is full when the store is opened, or becomes so: views are kept in memory.
func TestFullDisk(t *testing.T) {
	record, war := recordtest.NewRecord(), recordtest.War(1, 30)
	record.Append(war.ID, war.Stored...)
	lines := []string{}
	want := digests(t, open(t, t.TempDir(), &lines), record, &lines)
	for name, early := range map[string]bool{"from the start": true, "later": false} {
		t.Run(name, func(t *testing.T) {
			full := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
				switch op.Kind {
				case errorfs.OpCreate, errorfs.OpFileWrite:
					if !strings.HasSuffix(op.Path, "LOCK") {
						return syscall.ENOSPC
					}
				}
				return nil
			})}
			var messages []string
			say := func(line string) { messages = append(messages, line) }
			disk := errorfs.Wrap(vfs.NewMem(), full)
			if early {
				full.On()
			}
			s, err := store.Open("views", store.Options{FS: disk, Say: say})
			if err != nil {
				t.Fatal(err)
			}
			full.On()
			if got := digests(t, s, record, &messages); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if early && !strings.Contains(strings.Join(messages, "\n"), "is full: views are kept in memory until "+
				"the next start") {
				t.Errorf("said: %q", messages)
			}
		})
	}
}
