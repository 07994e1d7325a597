package maintenance

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/replay/kept"
)

// The record is the witness of these files, which no event mentions.
const nameTokens = "tokens"

// smallFile is how long LEDGER and SOCKET may be.
const smallFile = 64 << 10

func nameImport(campaign ulid.ULID) string { return "imports/" + campaign.String() }

func (h *Host) openTokens() *tokens.Book {
	return tokens.Open(filepath.Join(h.dir, nameTokens), h.ledger.Companion(nameTokens))
}

// vouch has the record know, when a ledger is opened for the first time, what lies beside it; and of a file
// that was about to be replaced, which one it became. What does not read is damage, which others say: the record
// knows what lies there once all of it has been read.
func (h *Host) vouch() error {
	known, err := h.ledger.Vouches()
	if err != nil {
		return err
	}
	names := []string{nameTokens, nameKey}
	imports, err := os.ReadDir(filepath.Join(h.dir, "imports"))
	unread := err != nil && !errors.Is(err, fs.ErrNotExist)
	for _, x := range imports {
		if !strings.HasPrefix(x.Name(), kept.Unfinished) {
			names = append(names, "imports/"+x.Name())
		}
	}
	for _, name := range names {
		text, err := kept.Read(filepath.Join(h.dir, name), mostOrigin)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, kept.ErrDamaged) {
			unread = unread || errors.Is(err, kept.ErrDamaged)
			continue
		}
		if err == nil && known {
			err = h.ledger.Companion(name).Settle(text)
		} else if err == nil {
			err = h.ledger.Companion(name).Vouch(text)
		}
		if err != nil {
			return err
		}
	}
	if known || unread {
		return nil
	}
	return h.ledger.VouchFrom()
}
