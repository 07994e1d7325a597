//go:build unix

package kept

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// What is no file, or is longer than such a file may be, is damage, and is neither waited for nor read. A file that may
// be whole is known from that.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "file")
	if _, err := Read(path, 8); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrDamaged) {
		t.Errorf("none: %v", err)
	}
	for what, put := range map[string]func() error{
		"a pipe":      func() error { return syscall.Mkfifo(path, 0o600) },
		"a directory": func() error { return os.Mkdir(path, 0o700) },
		"a device":    func() error { return os.Symlink("/dev/zero", path) },
		"too long":    func() error { return os.WriteFile(path, make([]byte, 9), 0o600) },
		"a loop":      func() error { return os.Symlink(path, path) },
	} {
		if err := errors.Join(os.RemoveAll(path), put()); err != nil {
			t.Fatal(err)
		}
		_, err := Read(path, 8)
		if !errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnread) != (what == "a loop") {
			t.Errorf("%s: %v", what, err)
		}
		if err := Append(path, []byte("x"), 8); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s, added to: %v", what, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Append(path, []byte("four"), 8); err != nil {
			t.Fatal(err)
		}
	}
	if text, err := Read(path, 8); err != nil || string(text) != "fourfour" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := Read(filepath.Join(path, "below"), 8); !errors.Is(err, ErrUnread) {
		t.Errorf("below a file: %v", err)
	}
}
