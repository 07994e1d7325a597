package kept

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Of a sealed file no changed bit, no cut and no byte behind its end goes unnoticed.
func TestSeal(t *testing.T) {
	const title = "watu example 2"
	for _, body := range []string{"", "one\n", "one\ntwo", "sha256 x\n"} {
		whole := Seal(title, []byte(body))
		got, sealed, err := Unseal(title, whole)
		if want := body; err != nil || !sealed || string(got) != want && string(got) != want+"\n" {
			t.Fatalf("%q comes back as %q, %v, %v", body, got, sealed, err)
		}
		for i := range whole {
			for bit := range 8 {
				text := bytes.Clone(whole)
				text[i] ^= 1 << bit
				if _, sealed, err := Unseal(title, text); sealed && !errors.Is(err, ErrDamaged) ||
					sealed != (i > len(title)) {
					t.Fatalf("bit %d of byte %d of %q: %v, %v", bit, i, whole, sealed, err)
				}
			}
			if _, sealed, err := Unseal(title, whole[:i]); sealed && !errors.Is(err, ErrDamaged) ||
				sealed != (i > len(title)) {
				t.Fatalf("cut to %d bytes of %q: %v, %v", i, whole, sealed, err)
			}
		}
		if _, _, err := Unseal(title, append(bytes.Clone(whole), '\n')); !errors.Is(err, ErrDamaged) {
			t.Errorf("a byte behind the end: %v", err)
		}
	}
	if text, sealed, err := Unseal(title, []byte("1 abc\n")); sealed || err != nil || string(text) != "1 abc\n" {
		t.Errorf("an earlier form is %q, %v, %v", text, sealed, err)
	}
}

// A file is made once, replaced as a whole, and nobody else may read it.
func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := Create(path, []byte("a")); err != nil {
		t.Fatal(err)
	}
	if err := Create(path, []byte("b")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("made twice: %v", err)
	}
	if err := Replace(path, []byte("c")); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "c" {
		t.Errorf("it holds %q, %v", text, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it is of mode %v, %v", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), Unfinished+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
