package campaign

import (
	"errors"
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// A board is read once while it is among those used last; another board, system or error is not remembered for it.
func TestGames(t *testing.T) {
	read := map[string]int{}
	system := func(name string) rules.System {
		return rules.System{Name: name, New: func(board []rules.BoardFile) (rules.Game, error) {
			key := name + fmt.Sprintf("%s", board)
			if read[key]++; len(board) > 0 && len(board[0].Data) == 0 {
				return nil, errors.New("empty")
			}
			return nil, nil
		}}
	}
	board := func(name, data string) []rules.BoardFile { return []rules.BoardFile{{Name: name, Data: []byte(data)}} }
	var g Games
	start := func(name string, files []rules.BoardFile, times int) {
		t.Helper()
		_, err := g.start(system(name), files)
		if bad := len(files) > 0 && len(files[0].Data) == 0; (err != nil) != bad {
			t.Fatal(err)
		}
		if n := read[name+fmt.Sprintf("%s", files)]; n != times {
			t.Errorf("%s on %s was begun %d times, not %d", name, files, n, times)
		}
	}
	start("aar", board("a", "bc"), 1)
	start("aar", board("a", "bc"), 1)
	start("g40", board("a", "bc"), 1)
	start("aar", board("ab", "c"), 1)
	start("aar", board("a", ""), 1)
	start("aar", board("a", ""), 2)
	start("aar", nil, 1)
	start("aar", nil, 2)
	for i := range mostGames {
		start("aar", board("a", fmt.Sprint(i)), 1)
	}
	start("aar", board("a", "bc"), 2)
	if len(g.list) != mostGames {
		t.Errorf("%d games are remembered", len(g.list))
	}
}
