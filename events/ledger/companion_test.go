package ledger

import (
	"bytes"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// What may stand beside the record is known from when it was vouched for, also after a restart, and is in no dump.
func TestBeside(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	newChain(1).append(t, l, "open", 1)
	says := func(l *Ledger, name string, text []byte, want bool) {
		t.Helper()
		if got, err := l.Companion(name).Vouched(text); err != nil || got != want {
			t.Errorf("%s may hold %q: %v, %v", name, text, got, err)
		}
	}
	for _, text := range [][]byte{nil, {}, []byte("anything")} {
		says(l, "tokens", text, true) // nobody knows yet
	}
	if err := l.VouchFrom(); err != nil {
		t.Fatal(err)
	}
	says(l, "tokens", nil, true)
	says(l, "tokens", []byte("anything"), false)
	for _, texts := range [][][]byte{{nil, []byte("one")}, {[]byte("one")}, {[]byte("one"), []byte("two")}} {
		if err := l.Companion("tokens").Vouch(texts...); err != nil {
			t.Fatal(err)
		}
		closeLedger(t, l)
		l = openMem(t, mem)
		for _, text := range [][]byte{nil, {}, []byte("one"), []byte("two")} {
			want := false
			for _, vouched := range texts {
				want = want || bytes.Equal(text, vouched) && (text == nil) == (vouched == nil)
			}
			says(l, "tokens", text, want)
			says(l, "imports", text, text == nil)
		}
	}
	var dump bytes.Buffer
	if _, err := l.Dump(&dump); err != nil {
		t.Fatal(err)
	}
	closeLedger(t, l)
	other := vfs.NewMem()
	if _, err := Load(dirMem, &dump, Options{FS: other}); err != nil {
		t.Fatal(err)
	}
	l = openMem(t, other)
	says(l, "tokens", []byte("anything"), true)
	closeLedger(t, l)
}

// A ledger that takes no steps takes none without READONLY, or with another, and has the file again.
func TestLostMark(t *testing.T) {
	t.Parallel()
	const file = "/watu/ledger/READONLY"
	mem := vfs.NewMem()
	l := openMem(t, mem)
	newChain(1).append(t, l, "open", 1)
	if err := l.MarkReadOnly(HandedOver, "as a.watu"); err != nil {
		t.Fatal(err)
	}
	closeLedger(t, l)
	whole := readAll(t, mem, file)
	for _, text := range []string{"", "gone", string(bytes.Replace(whole, []byte("a.watu"), []byte("b.watu"), 1))} {
		if text == "gone" {
			if err := mem.Remove(file); err != nil {
				t.Fatal(err)
			}
		} else {
			writeFile(t, mem, file, []byte(text))
		}
		message := ""
		o := Options{FS: mem, Logf: func(format string, _ ...any) { message += format }}
		look := func(dir string, o Options) (*Ledger, error) { return OpenToRead(dir, o, nil) }
		for _, open := range []func(string, Options) (*Ledger, error){look, Open} {
			message = ""
			l, err := open(dirMem, o)
			if err != nil {
				t.Fatal(err)
			}
			if m := l.ReadOnly(); m == nil || m.Because != HandedOver || m.Note != "as a.watu" || message == "" {
				t.Errorf("%q: the mark is %v; reported: %q", text, m, message)
			}
			closeLedger(t, l)
		}
		if now := readAll(t, mem, file); !bytes.Equal(now, whole) {
			t.Errorf("%q: READONLY is %s", text, now)
		}
	}
}
