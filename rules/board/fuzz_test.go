package board_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// FuzzRead holds Read to its promises for any bytes: no panic, errors of one line that name a
// file, and a board that reads back from its own files and answers about every space it has.
func FuzzRead(f *testing.F) {
	for _, c := range badGames {
		if len(c.text) < 4096 {
			f.Add(c.text, "space Home = Isle\n", "Isle < (0,0) (1,1) (0,1) >", "Isle (1,2)")
		}
	}
	f.Add(with("", ""), "title One\npower UK = British\nzone SZ # = # Sea Zone\nspace Home = Isle\n",
		"Isle < (0,0) (1,1) (0,1) >\n", "Rock (-1, 2)\n")
	f.Add(with("map", `<connection t1="Isle" t2="8 Sea Zone"/>`), "zone SZ # # = #\nspace Rock = Isle", "Isle < < >",
		"(,)")
	f.Fuzz(func(t *testing.T, xml, aliases, polygons, centers string) {
		b, err := board.Read(game(xml),
			board.File{Name: "aliases.txt", Data: []byte(aliases)},
			board.File{Name: "polygons.txt", Data: []byte(polygons)},
			board.File{Name: "centers.txt", Data: []byte(centers)})
		if err != nil {
			checkError(t, err)
			return
		}
		again, err := board.Read(b.Files()...)
		if err != nil || !reflect.DeepEqual(again, b) {
			t.Fatalf("its own files make another board: %v", err)
		}
		checkBoard(t, b)
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	var fault *board.Error
	if !errors.As(err, &fault) {
		t.Fatalf("error %T", err)
	}
	if fault.File == "" || fault.Message == "" || len(err.Error()) > 1500 ||
		strings.ContainsAny(err.Error(), "\n\r\x00") {
		t.Errorf("error %q", err)
	}
}

// checkBoard asks about every space and power: names lead back, neighbours are mutual.
func checkBoard(t *testing.T, b *board.Board) {
	t.Helper()
	neighbours := map[[2]string]bool{}
	for _, s := range b.Spaces() {
		found, err := b.Space(s.Name)
		if err != nil || !reflect.DeepEqual(found, s) {
			t.Errorf("%q finds %v, %v", s.Name, found, err)
		}
		if back, err := b.Space(b.TableSpace(s.Name)); err != nil || back.Name != s.Name {
			t.Errorf("the table's name of %q finds %v, %v", s.Name, back, err)
		}
		for _, n := range s.Neighbours {
			neighbours[[2]string{s.Name, n}] = true
		}
	}
	for pair := range neighbours {
		if !neighbours[[2]string{pair[1], pair[0]}] || pair[0] == pair[1] {
			t.Errorf("%q touch one way", pair)
		}
	}
	for _, p := range b.Powers() {
		if name, err := b.Power(b.TablePower(p.Name)); err != nil || name != p.Name {
			t.Errorf("the table's name of %q finds %q, %v", p.Name, name, err)
		}
	}
	if len(b.Lacks()) == 0 {
		t.Error("a board lacks the complexes of house rules at least")
	}
}
