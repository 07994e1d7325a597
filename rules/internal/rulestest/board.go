package rulestest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/rules"
)

// Board are the files of a board that comes with watu.
func Board(t testing.TB, name string) []rules.BoardFile {
	t.Helper()
	list, ok := fixtures.Board(name)
	if !ok {
		t.Fatalf("there is no board %q", name)
	}
	return rules.Each(list, func(f fixtures.BoardFile) rules.BoardFile { return rules.BoardFile(f) })
}

// TripleA are the files of one of TripleA's own boards, which are not part of this repository:
// "revised" or "global1940".
func TripleA(t testing.TB, name string) []rules.BoardFile {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ and global1940/ to test " +
			"campaigns on the real boards")
	}
	list, err := filepath.Glob(filepath.Join(dir, name, "*.xml"))
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	data, err := os.ReadFile(list[0])
	if err != nil {
		t.Fatal(err)
	}
	return []rules.BoardFile{{Name: filepath.Base(list[0]), Data: data}}
}
