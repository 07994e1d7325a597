package replay_test

import (
	"os"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
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
	if f.Header.System == "aar" {
		c.board = c.boardFiles("straits")
	}
	findings, unheld := c.verified(f)
	if len(findings) > 0 || len(unheld) > 0 || len(f.Events) != many {
		t.Errorf("%s: %d events: %q, %v", name, len(f.Events), findings, unheld)
	}
}
