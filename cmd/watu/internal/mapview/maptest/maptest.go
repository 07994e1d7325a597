// Package maptest has boards for tests of maps: those that come with watu, TripleA's own, and a situation in which
// every space has something reported.
package maptest

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/situation"
	boards "github.com/watu-ledger/watu/rules/board"
)

// Bundled reads a board that comes with watu.
func Bundled(t testing.TB, name string) *boards.Board {
	t.Helper()
	list, ok := fixtures.Board(name)
	if !ok {
		t.Fatalf("there is no board %s", name)
	}
	var files []boards.File
	for _, f := range list {
		files = append(files, boards.File{Name: f.Name, Data: f.Data})
	}
	b, err := boards.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TripleA reads one of TripleA's own boards. They are not part of this repository.
func TripleA(t testing.TB, name string) *boards.Board {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ and global1940/ to test the " +
			"real boards")
	}
	list, err := os.ReadDir(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var files []boards.File
	for _, f := range list {
		if boards.Takes(f.Name()) {
			data, err := os.ReadFile(filepath.Join(dir, name, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, boards.File{Name: f.Name(), Data: data})
		}
	}
	b, err := boards.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Every says something of every space: each land is taken, in each water lies a submarine, each
// complex is raided and bombed.
func Every(b *boards.Board) situation.Report {
	r := situation.Report{Ordinal: 3, Turn: "Round 3"}
	at := projections.Place{Event: 7, Ordinal: 3, Turn: "Round 3"}
	wet := map[string]bool{}
	for _, s := range b.Spaces() {
		wet[s.Name] = s.Water
	}
	for _, s := range b.Spaces() {
		zone := ""
		if i := slices.IndexFunc(s.Neighbours, func(n string) bool { return wet[n] }); i >= 0 {
			zone = s.Neighbours[i]
		}
		switch {
		case s.Water:
			r.Submarines = append(r.Submarines, situation.Station{Place: at, Power: "Germany", Zone: s.Name, Count: 2})
		case s.Complex != "":
			r.Raids = append(r.Raids, situation.Raided{Territory: s.Name, Victim: s.Owner,
				Ordinal: 3, Turn: "Round 3", Damage: 2,
				Raids: []situation.Raid{{Event: 9, Powers: []string{"Germany"}, Zone: zone, Damage: 2}}})
			r.Bombings = append(r.Bombings, situation.Bombed{Territory: s.Name, Ordinal: 2, Turn: "Round 2", Damage: 4,
				Attacks: []situation.Attack{{Event: 8, Kind: "sbr", Power: "Germany", Damage: 4}}})
		}
		if !s.Water && s.Complex == "" {
			r.Territories = append(r.Territories, situation.Holding{Place: at, Territory: s.Name, Holder: "Germany"})
		}
	}
	return r
}
