package replay_test

import (
	"crypto/sha256"
	"os"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules"
)

// TestAnsweredThoughVoid: watu used to leave a question open whose command was ruled void, where that had begun a
// phase. In this record #53 answers one that #50 had voided. Nothing is wrong with it.
func TestAnsweredThoughVoid(t *testing.T) {
	recorded(t, "answered-though-void", 63)
}

// TestPhaseAlone: watu used to hear what stands of a command that a consequence voided, a phase that stays begun. In
// one record that would not happen either, by #14; in the other it is kept by #14, and waits by #15.
func TestPhaseAlone(t *testing.T) {
	recorded(t, "phase-alone", 15)
	recorded(t, "phase-kept", 17)
}

// recorded holds the record of an earlier program to the rules.
func recorded(t *testing.T, name string, many int) {
	t.Helper()
	in, err := os.Open("testdata/" + name + ".watu")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := bundle.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	c := &harness{host: newHost(t)}
	var opened events.CampaignOpened
	first, err := events.Decode(f.Events[0])
	if err != nil || !first.Read(&opened) {
		t.Fatal(first.Type, err)
	}
	for _, b := range opened.Board.Files { // the board that it was played on
		for _, data := range f.Boards {
			if sha256.Sum256(data) == b.Hash {
				c.board = append(c.board, rules.BoardFile{Name: b.Name, Data: data})
			}
		}
	}
	findings, unheld := c.verified(f)
	if len(findings) > 0 || len(unheld) > 0 || len(f.Events) != many {
		t.Errorf("%s: %d events: %q, %v", name, len(f.Events), findings, unheld)
	}
}
