package replay_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/replay/whatif"
)

// Who looks at what is sealed is recorded, once a turn, where a seat has a key. A campaign that takes no steps is read
// without; where the record itself cannot be read, nobody looks unseen.
func TestNoteReading(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	looks := func(want uint64) {
		t.Helper()
		n := anna.now().Next
		if err := anna.umpire.NoteReading(anna.id.ID, bundle.Umpire, false); err != nil || anna.now().Next != n+want {
			t.Errorf("%d events, %v", anna.now().Next-n, err)
		}
	}
	looks(1)
	looks(0)
	h, err := whatif.Run(anna.umpire, anna.id.ID, whatif.Scenario{At: 1, Seed: "1",
		Changes: []turnfile.Change{{Kind: "option", Name: "low_roll", Values: []string{"no_effect"}}}})
	if err != nil || len(h.Unheard) > 0 {
		t.Errorf("in a what-if nobody looks: %+v, %v", h.Unheard, err)
	}
	anna.must("turn: Winter 1939\nentries: []\n")
	looks(1)
	secrets := filepath.Join(anna.dir, "secrets")
	if err := os.Rename(secrets, secrets+".away"); err != nil {
		t.Fatal(err)
	}
	anna.replaceUmpire()
	if err := anna.umpire.NoteReading(anna.id.ID, bundle.Umpire, false); err != nil {
		t.Errorf("without its secret the campaign is not read: %v", err)
	}
	if err := os.Rename(secrets+".away", secrets); err != nil {
		t.Fatal(err)
	}
	anna.replaceUmpire()
	if err := anna.ledger.Close(); err != nil {
		t.Fatal(err)
	}
	if err := anna.umpire.NoteReading(anna.id.ID, bundle.Umpire, false); err == nil {
		t.Error("what cannot be read is read without a note")
	}
}
