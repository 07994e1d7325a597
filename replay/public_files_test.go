package replay_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
)

var (
	filesInto  = flag.String("files.into", "", "directory for the public files of random campaigns")
	filesMany  = flag.Int("files.campaigns", 4, "random campaigns whose public files are written")
	filesFirst = flag.Int("files.first", 0, "the number of the first of them, which is its seed")
)

// TestPublicFiles writes the public files of the campaigns of TestLawsOfRandomCampaigns, so that tests of other
// packages may be held to them: those of pages cannot play a campaign at random, and those here know no page.
func TestPublicFiles(t *testing.T) {
	into := *filesInto
	if into == "" {
		into = t.TempDir()
	}
	const together = 20 // on a ledger
	for first := *filesFirst; first < *filesFirst+*filesMany; first += together {
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			t.Parallel()
			publicFiles(t, into, first, min(together, *filesFirst+*filesMany-first))
		})
	}
}

// publicFiles plays some campaigns as lawsFrom does, and writes what everybody may read of each.
func publicFiles(t *testing.T, into string, first, many int) {
	d := newHost(t)
	for n := first; n < first+many; n++ {
		p, seen := newPlayer(d.lawful(n), uint64(n)), tally{}
		p.leaves = true // that every question has an answer is held elsewhere
		for turn := 0; turn < 2 && !p.stuck; turn++ {
			if n%3 == 0 {
				p.some(turn)
			} else {
				p.eventful(turn, &seen)
			}
		}
		file := p.c.fileFor(bundle.Public, p.c.now().Next).Encode()
		if f, err := bundle.Read(bytes.NewReader(file)); err != nil || len(f.Events) == 0 {
			t.Fatalf("%d: a file of %d bytes: %v", n, len(file), err)
		}
		if err := os.WriteFile(filepath.Join(into, fmt.Sprintf("%06d.watu", n)), file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
