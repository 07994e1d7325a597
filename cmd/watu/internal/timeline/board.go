package timeline

import (
	"github.com/watu-ledger/watu/events"
)

// MaxBoardBytes is how large the files of a board may be together, in bytes. The largest known have
// some 20 MiB, outlines included.
const MaxBoardBytes = 40 << 20

// boardOf describes the board that a campaign was opened with, nil for none.
func boardOf(b events.Board) *Board {
	if len(b.Files) == 0 {
		return nil
	}
	out := &Board{Title: b.Title, Version: b.Version, Hash: b.Hash, Files: []string{},
		Lacks: append([]string{}, b.Lacks...)}
	for _, f := range b.Files {
		out.Files = append(out.Files, f.Name)
	}
	return out
}
