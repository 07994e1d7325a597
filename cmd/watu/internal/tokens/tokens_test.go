package tokens

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func issued(t *testing.T, b *Book, as string) (Token, string) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Second)
	k, text, err := b.Issue(Token{Campaign: "01J00000000000000000000000", As: as, Issued: now, Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return k, text
}

// What the file says is what was given out, also after a restart, and no token is in it.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	b := Open(path)
	first, a := issued(t, b, "Britain")
	_, z := issued(t, b, "umpire")
	now := time.Now().UTC().Truncate(time.Second)
	if _, err := b.Revoke(first.ID, now); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, token := range []string{a, z} {
		secret := token[strings.LastIndex(token, "_")+1:]
		if len(secret) != 52 || bytes.Contains(text, []byte(secret)) || bytes.Contains(bytes.ToLower(text), []byte(secret[:12])) {
			t.Errorf("the secret of %s is %d letters, or in the file", token, len(secret))
		}
	}
	if s, err := os.Stat(path); err != nil || s.Mode().Perm() != 0o600 {
		t.Errorf("the file is of mode %v, %v", s.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("beside the file there is %v", left)
	}
	again := Open(path)
	if k, ok := again.Find(a); !ok || k.Holds(now) || !k.Revoked.Equal(now) || k.As != "Britain" {
		t.Errorf("the revoked token is %+v, %v", k, ok)
	}
	if k, ok := again.Find(z); !ok || !k.Holds(now) || k.Holds(now.Add(2*time.Hour)) {
		t.Errorf("the other token is %+v, %v", k, ok)
	}
}

// A token is right to the last letter, or none.
func TestFind(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "tokens"))
	k, text := issued(t, b, "Britain")
	_, other := issued(t, b, "Japan")
	if found, ok := b.Find(text); !ok || found != k {
		t.Fatalf("%+v is not %+v", found, k)
	}
	swapped := text[:13] + other[13:]
	for _, wrong := range []string{"", "watu_", "watu__", text[5:], text[:len(text)-1], text + "a", strings.ToUpper(text), swapped, k.Hash, prefix + k.ID + "_" + k.Hash} {
		if found, ok := b.Find(wrong); ok {
			t.Errorf("%q is taken for %+v", wrong, found)
		}
	}
}

func TestRevoke(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "tokens"))
	k, text := issued(t, b, "Britain")
	first := time.Now().UTC()
	for _, at := range []time.Time{first, first.Add(time.Hour)} { // the second time changes nothing
		r, err := b.Revoke(k.ID, at)
		if err != nil || !r.Revoked.Equal(first) {
			t.Errorf("revoked %v, %v", r.Revoked, err)
		}
	}
	if found, ok := b.Find(text); !ok || found.Holds(first) {
		t.Errorf("%+v, %v", found, ok)
	}
	if _, err := b.Revoke("aaaaaaaa", first); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown token: %v", err)
	}
}

// A file that does not read opens nothing, and is not written over.
func TestDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	_, text := issued(t, Open(path), "Britain")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, whole[:len(whole)/2], bytes.Replace(whole, []byte(`"version": 1`), []byte(`"version": 2`), 1)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		b := Open(path)
		if _, ok := b.Find(text); ok {
			t.Errorf("a token of the file %q counts", damaged)
		}
		if _, err := b.All(); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("the list says %v", err)
		}
		if _, _, err := b.Issue(Token{As: "Britain"}); err == nil {
			t.Error("a token was given out")
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, damaged) {
			t.Errorf("the file is written over: %v", err)
		}
	}
}

// What could not be written is not held.
func TestUnwritable(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "missing", "tokens"))
	if _, _, err := b.Issue(Token{As: "umpire"}); err == nil {
		t.Error("a token was given out that is written nowhere")
	}
	if list, err := b.All(); len(list) != 0 || err != nil {
		t.Errorf("held: %v, %v", list, err)
	}
}
