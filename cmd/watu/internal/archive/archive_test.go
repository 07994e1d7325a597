package archive_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/archive"
)

// TestFolder: what was noted is there for whoever opens the folder next, and each change is counted once.
func TestFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "archived")
	f, one, other := archive.In(dir), ulid.Make(), ulid.Make()
	for i, k := range []struct {
		apart, changed bool
		changes        uint64
	}{{false, false, 0}, {true, true, 1}, {true, false, 1}, {false, true, 2}, {false, false, 2}, {true, true, 3}} {
		changed, err := f.Put(one, k.apart)
		if err != nil || changed != k.changed || f.Has(one) != k.apart || f.Changes() != k.changes || f.Has(other) {
			t.Errorf("%d: %v, %v, %d changes", i, changed, err, f.Changes())
		}
	}
	if !archive.In(dir).Has(one) || archive.In(dir).Has(other) {
		t.Error("it is forgotten")
	}
	if err := os.RemoveAll(dir); err != nil || f.Has(one) {
		t.Errorf("without the folder it stands apart, %v", err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Put(one, true); err == nil || f.Has(one) {
		t.Errorf("where there is no folder: %v", err)
	}
}
