package campaign

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/watu-ledger/watu/rules"
)

// Games caches initial games by system and board, the ones used last: every trial begins with a game, and reading a
// board takes longer than many a trial. A [rules.Game] does not change, so all may share it.
type Games struct {
	sync.Mutex
	list []begun // the one used last at the end
}

type begun struct {
	key  [32]byte
	game rules.Game
}

// mostGames is how many are remembered. A server plays on few boards, and each takes a few MiB.
const mostGames = 4

// start gives the game of a system on a board before its first event. A nil list remembers nothing.
func (g *Games) start(s rules.System, board []rules.BoardFile) (rules.Game, error) {
	if g == nil || len(board) == 0 {
		return s.New(board)
	}
	key := gameKey(s.Name, board)
	g.Lock()
	defer g.Unlock()
	at := slices.IndexFunc(g.list, func(b begun) bool { return b.key == key })
	if at < 0 {
		game, err := s.New(board)
		if err != nil {
			return game, err
		}
		at, g.list = len(g.list), append(g.list, begun{key, game})
	}
	found := g.list[at]
	g.list = append(slices.Delete(g.list, at, at+1), found)
	g.list = g.list[max(0, len(g.list)-mostGames):]
	return found.game, nil
}

// gameKey is a hash of a system's name and the files of a board, as they are given.
func gameKey(system string, board []rules.BoardFile) [32]byte {
	d := sha256.New()
	part := func(p []byte) {
		d.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
		d.Write(p)
	}
	part([]byte(system))
	for _, f := range board {
		part([]byte(f.Name))
		part(f.Data)
	}
	return [32]byte(d.Sum(nil))
}
