package board_test

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// The same files give the same board while it is among the few that were read last; a byte more gives another.
func TestReadAgain(t *testing.T) {
	game := func(blank int) []board.File {
		return []board.File{{Name: "straits.xml", Data: []byte(with("", "") + strings.Repeat("\n", blank))}}
	}
	first := read(t, game(0)...)
	if read(t, game(0)...) != first {
		t.Error("the same files were parsed again")
	}
	for n := range 8 {
		if other := read(t, game(n+1)...); other == first || other.Hash() == first.Hash() {
			t.Fatalf("other files gave the same board")
		}
	}
	if again := read(t, game(0)...); again == first {
		t.Error("all boards that were ever read are remembered")
	} else if again.Hash() != first.Hash() {
		t.Error("the same files have another hash")
	}
}
