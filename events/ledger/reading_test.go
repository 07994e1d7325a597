package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// contents are the files of a directory, by path.
func contents(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		all[path], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A ledger that is looked at says all that it holds, takes no steps, and is not changed by a byte; also if
// its checkpoint says something else.
func TestOpenToLook(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	l, err := openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	newChain(1).append(t, l, "open", 3)
	want := l.Checkpoint()
	closeLedger(t, l)
	checkpoint := filepath.Join(dir, nameCheckpoint)
	whole, err := os.ReadFile(checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{whole, whole[:len(whole)-3], nil} {
		if text == nil {
			err = os.Remove(checkpoint)
		} else {
			err = os.WriteFile(checkpoint, text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		before := contents(t, dir)
		v, err := OpenToRead(dir, Options{Repairing: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if behind := v.Behind(); errors.Is(behind, ErrCheckpoint) != (len(text) > 0 && len(text) < len(whole)) {
			t.Errorf("of a checkpoint of %d bytes: %v", len(text), behind)
		}
		if !v.Checkpoint().Equal(want) {
			t.Errorf("it holds %+v", v.Checkpoint())
		}
		var m *ReadOnlyError
		if _, err := v.Append(newChain(2).step("open", 2)); !errors.As(err, &m) || m.Because != Viewed {
			t.Errorf("append: %v", err)
		}
		if err := v.VouchFrom(); !errors.As(err, &m) || m.Because != Viewed {
			t.Errorf("a note: %v", err)
		}
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrHeld) {
			t.Errorf("opened beside: %v", err)
		}
		closeLedger(t, v)
		after := contents(t, dir)
		if len(after) != len(before) {
			t.Errorf("there were %d files, and are %d", len(before), len(after))
		}
		for path, text := range before {
			if now, ok := after[path]; !ok || !bytes.Equal(now, text) {
				t.Errorf("%s changed", path)
			}
		}
	}
	for _, none := range []string{t.TempDir(), filepath.Join(t.TempDir(), "missing")} {
		if _, err := OpenToRead(none, Options{}, nil); !errors.Is(err, ErrNotLedger) {
			t.Errorf("no ledger: %v", err)
		}
	}
	if names, err := os.ReadDir(filepath.Dir(dir)); err != nil || !slices.ContainsFunc(names, func(e os.DirEntry) bool {
		return e.Name() == "ledger"
	}) {
		t.Error(names, err)
	}
}
