package tokens

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/kept"
)

// witness is a record that knows what may stand beside it.
func witness(t *testing.T) kept.Witness {
	t.Helper()
	l, err := ledger.Open(t.TempDir(), ledger.Options{})
	if err == nil {
		t.Cleanup(func() { _ = l.Close() })
		err = l.VouchFrom()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l.Companion("tokens")
}

func issued(t *testing.T, b *Book, as string) (Token, string) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Second)
	k, text, err := b.Issue(Token{Campaign: "01J00000000000000000000000", As: as, Issued: now,
		Expires: now.Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	return k, text
}

// What the file says is what was given out, also after a restart, and no token is in it.
func TestFile(t *testing.T) {
	path, w := filepath.Join(t.TempDir(), "tokens"), witness(t)
	b := Open(path, w)
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
		if len(secret) != 52 || bytes.Contains(text, []byte(secret)) || bytes.Contains(bytes.ToLower(text),
			[]byte(secret[:12])) {
			t.Errorf("the secret of %s is %d letters, or in the file", token, len(secret))
		}
	}
	if s, err := os.Stat(path); err != nil || s.Mode().Perm() != 0o600 {
		t.Errorf("the file is of mode %v, %v", s.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); len(left) != 1 {
		t.Errorf("beside the file there is %v", left)
	}
	again := Open(path, w)
	if k, ok := again.Find(a); !ok || k.Valid(now) || !k.Revoked.Equal(now) || k.As != "Britain" {
		t.Errorf("the revoked token is %+v, %v", k, ok)
	}
	if k, ok := again.Find(z); !ok || !k.Valid(now) || k.Valid(now.Add(2*time.Hour)) {
		t.Errorf("the other token is %+v, %v", k, ok)
	}
}

// A token is right to the last letter, or none.
func TestFind(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "tokens"), witness(t))
	k, text := issued(t, b, "Britain")
	_, other := issued(t, b, "Japan")
	if found, ok := b.Find(text); !ok || found != k {
		t.Fatalf("%+v is not %+v", found, k)
	}
	swapped := text[:13] + other[13:]
	for _, wrong := range []string{"", "watu_", "watu__", text[5:], text[:len(text)-1], text + "a",
		strings.ToUpper(text), swapped, k.Hash, prefix + k.ID + "_" + k.Hash} {
		if found, ok := b.Find(wrong); ok {
			t.Errorf("%q is taken for %+v", wrong, found)
		}
	}
}

func TestRevoke(t *testing.T) {
	b := Open(filepath.Join(t.TempDir(), "tokens"), witness(t))
	k, text := issued(t, b, "Britain")
	first := time.Now().UTC()
	for i, want := range []error{nil, ErrRevoked} { // the second time changes nothing, and says so
		r, err := b.Revoke(k.ID, first.Add(time.Duration(i)*time.Hour))
		if !errors.Is(err, want) || !r.Revoked.Equal(first) {
			t.Errorf("revoked %v, %v", r.Revoked, err)
		}
	}
	if found, ok := b.Find(text); !ok || found.Valid(first) {
		t.Errorf("%+v, %v", found, ok)
	}
	if _, err := b.Revoke("aaaaaaaa", first); !errors.Is(err, ErrUnknown) {
		t.Errorf("an unknown token: %v", err)
	}
}

// A file that does not read opens nothing, and is not written over.
func TestDamaged(t *testing.T) {
	path, w := filepath.Join(t.TempDir(), "tokens"), witness(t)
	_, text := issued(t, Open(path, w), "Britain")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, whole[:len(whole)/2], bytes.Replace(whole, []byte("tokens 2"),
		[]byte("tokens 3"), 1)} {
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		b := Open(path, w)
		if _, ok := b.Find(text); ok {
			t.Errorf("a token of the file %q counts", damaged)
		}
		if _, err := b.All(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) {
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
	b := Open(filepath.Join(t.TempDir(), "missing", "tokens"), witness(t))
	if _, _, err := b.Issue(Token{As: "umpire"}); err == nil {
		t.Error("a token was given out that is written nowhere")
	}
	if list, err := b.All(); len(list) != 0 || err != nil {
		t.Errorf("held: %v, %v", list, err)
	}
}

// No changed bit and no cut of the file gives a token back that was revoked or has expired, or has one show
// more than it did: then no token opens anything.
func TestFlips(t *testing.T) {
	path, w := filepath.Join(t.TempDir(), "tokens"), witness(t)
	b := Open(path, w)
	first, umpires := issued(t, b, "umpire")
	if _, err := b.Revoke(first.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	_, sides := issued(t, b, "Britain")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(how string, text []byte) {
		t.Helper()
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		b := Open(path, w)
		for _, token := range []string{umpires, sides} {
			if k, ok := b.Find(token); ok {
				t.Fatalf("%s: a token counts: %+v", how, k)
			}
		}
		if err := Check(path, w); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%s: %v", how, err)
		}
	}
	for i := range whole {
		for bit := range 8 {
			text := bytes.Clone(whole)
			text[i] ^= 1 << bit
			refused(string(text[max(0, i-10):i+1]), text)
		}
		refused("cut", whole[:i])
	}
	refused("a byte behind the end", append(bytes.Clone(whole), ' '))
}

// An older file does not count, though it is whole; nor does that of another ledger. One that is gone is named,
// and new tokens can be given out.
func TestStale(t *testing.T) {
	path, w := filepath.Join(t.TempDir(), "tokens"), witness(t)
	b := Open(path, w)
	first, text := issued(t, b, "umpire")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Revoke(first.ID, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, before, 0o600); err != nil {
		t.Fatal(err)
	}
	if k, ok := Open(path, w).Find(text); ok || !errors.Is(Check(path, w), ErrDamaged) {
		t.Errorf("an older file gives back %+v; %v", k, Check(path, w))
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := Check(path, w); !errors.Is(err, ErrDamaged) {
		t.Errorf("deleted: %v", err)
	}
	issued(t, Open(path, w), "umpire")
	if err := Check(path, w); err != nil {
		t.Errorf("given out anew: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	issued(t, Open(path, witness(t)), "umpire")
	if list, err := Open(path, w).All(); len(list) != 0 || !errors.Is(err, ErrDamaged) {
		t.Errorf("of another ledger: %v, %v", list, err)
	}
}

// earlier is a file as version 1 was.
const earlier = `{
  "tokens": [
    {"id": "k3m7qx2a", "hash": "HASH", "campaign": "01J00000000000000000000000", "as": "umpire",
     "issued": "2026-11-22T10:00:00Z", "expires": "2126-11-22T10:00:00Z", "revoked": "2026-11-22T11:00:00Z"}
  ],
  "version": 1
}
`

// A file of version 1 is read and written anew. What stands in it and is not known is refused.
func TestEarlier(t *testing.T) {
	path, w := filepath.Join(t.TempDir(), "tokens"), witness(t)
	const text = "watu_k3m7qx2a_secret"
	old := strings.Replace(earlier, "HASH", hashOf(text), 1)
	write := func(text string) *Book {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := w.Vouch([]byte(text)); err != nil { // as when the ledger is opened for the first time
			t.Fatal(err)
		}
		return Open(path, w)
	}
	for _, damaged := range []string{
		strings.Replace(old, "revoked", "rewoked", 1), strings.Replace(old, `"version": 1`, `"version": 3`, 1),
		old + "{}",
		strings.Replace(old, `"version"`, `"fersion"`, 1),
	} {
		if b := write(damaged); Check(path, w) == nil {
			k, ok := b.Find(text)
			t.Errorf("%s passes: %+v, %v", damaged, k, ok)
		}
	}
	b := write(old)
	if err := b.Upgrade(); err != nil {
		t.Fatal(err)
	}
	for _, b := range []*Book{b, Open(path, w)} {
		if k, ok := b.Find(text); !ok || k.As != "umpire" || k.Valid(time.Now()) {
			t.Errorf("the token is %+v, %v", k, ok)
		}
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.HasPrefix(now, []byte(title+"\n")) {
		t.Errorf("it is not written anew: %s, %v", now, err)
	}
}
