package replay_test

import (
	"os"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
)

// TestAnsweredThoughVoid: watu used to leave a question open whose command was ruled void, where that had begun a phase. In
// this record #53 answers one that #50 had voided. Nothing is wrong with it.
func TestAnsweredThoughVoid(t *testing.T) {
	in, err := os.Open("testdata/answered-though-void.watu")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := bundle.Read(in)
	if err != nil {
		t.Fatal(err)
	}
	findings, unheld := (&campaign{desk: &desk{t: t}}).verified(f)
	if len(findings) > 0 || len(unheld) > 0 || len(f.Events) != 63 {
		t.Errorf("%d events: %q, %v", len(f.Events), findings, unheld)
	}
}
