package board

import (
	"slices"
	"strings"
	"sync"
)

// mostRecent is how many boards are remembered. A server has few, and each is a few MiB.
const mostRecent = 4

// recent remembers the boards that were read last. Every trial of a campaign begins with the same files, and parsing them
// takes longer than many a trial. A board does not change, so all who read the same bytes may share it.
var recent memory

type memory struct {
	sync.Mutex
	boards []remembered // the one used last at the end
}

type remembered struct {
	key   [32]byte
	board *Board
}

// keyOf is the hash of the files as they are given, in any order.
func keyOf(files []File) [32]byte {
	return hashOf(slices.SortedFunc(slices.Values(files), func(x, y File) int { return strings.Compare(x.Name, y.Name) }))
}

// get gives the board of a key, nil where it is not remembered.
func (m *memory) get(key [32]byte) *Board {
	m.Lock()
	defer m.Unlock()
	i := slices.IndexFunc(m.boards, func(r remembered) bool { return r.key == key })
	if i < 0 {
		return nil
	}
	found := m.boards[i]
	m.boards = append(slices.Delete(m.boards, i, i+1), found)
	return found.board
}

// put remembers a board, and forgets the one that was used longest ago where there are too many.
func (m *memory) put(key [32]byte, b *Board) {
	m.Lock()
	defer m.Unlock()
	m.boards = append(m.boards, remembered{key, b})
	m.boards = m.boards[max(0, len(m.boards)-mostRecent):]
}
