package maintenance

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/archive"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events/beacon/rounds"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay"
)

// Dir is the directory.
func (h *Host) Dir() string { return h.dir }

// Notify reports one line to whoever keeps the ledger.
func (h *Host) Notify(line string) { h.say(line) }

// Ledger gives the record.
func (h *Host) Ledger() *ledger.Ledger { return h.ledger }

// Archive gives the notes of which campaigns stand apart in lists.
func (h *Host) Archive() *archive.Folder { return h.archive }

// Umpire gives the umpire of the record, with the secrets and boards that lie beside it.
func (h *Host) Umpire() *replay.Umpire { return h.umpire }

// Views gives the public views, which follow the record; nil if the directory is only inspected.
func (h *Host) Views() *projections.Runner { return h.runner }

// Boards gives the files of boards.
func (h *Host) Boards() *replay.Boards { return boardsOf(h.dir) }

// TokenBook gives the tokens of those who may see more than the public.
func (h *Host) TokenBook() *tokens.Book { return h.tokens }

// Rounds is where rounds of beacons come from; nil for a directory that is only inspected or followed.
func (h *Host) Rounds() *rounds.Source { return h.rounds }
