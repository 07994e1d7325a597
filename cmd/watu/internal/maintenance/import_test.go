package maintenance

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/kept"
)

// No changed bit of what is known of an import makes it another's, or none's.
func TestImportDamaged(t *testing.T) {
	t.Parallel()
	l, err := ledger.Open(t.TempDir(), ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	f, id := &Host{dir: t.TempDir(), ledger: l}, ulid.Make()
	want := Origin{For: "UK", Events: 12, Head: events.Hash{1}, Board: true}
	if err := f.keepOrigin(id, want); err != nil {
		t.Fatal(err)
	}
	path := originOf(f.dir, id)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if o, ok, err := f.Imported(id); err != nil || !ok || o.For != want.For || o.Events != want.Events || !o.Board {
		t.Errorf("%+v, %v, %v", o, ok, err)
	}
	for i := range whole {
		for bit := range 8 {
			text := bytes.Clone(whole)
			text[i] ^= 1 << bit
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if o, _, err := f.Imported(id); !errors.Is(err, kept.ErrDamaged) {
				t.Fatalf("%s is read as %+v, %v", text, o, err)
			}
		}
	}
	if err := l.VouchFrom(); err != nil {
		t.Fatal(err)
	}
	for _, text := range [][]byte{kept.Seal(titleImport+id.String(), []byte(`{"for":"UK","events":12}`)), nil} {
		if err := errors.Join(os.Remove(path), l.Companion(nameImport(id)).Vouch(whole)); err != nil {
			t.Fatal(err)
		}
		if text != nil {
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if o, _, err := f.Imported(id); !errors.Is(err, kept.ErrDamaged) {
			t.Errorf("%q instead is read as %+v, %v", text, o, err)
		}
	}
	earlier := `{"version":1,"for":"UK","events":12,"head":"` + want.Head.String() + `"}` + "\n"
	if err := os.WriteFile(path, []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Companion(nameImport(id)).Vouch([]byte(earlier)); err != nil {
		t.Fatal(err)
	}
	if o, ok, err := f.Imported(id); err != nil || !ok || o.For != "UK" {
		t.Errorf("of version 1: %+v, %v, %v", o, ok, err)
	}
}
