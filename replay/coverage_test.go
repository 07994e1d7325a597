package replay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// refused are the rules that a campaign refuses under; what a turn file cannot say at all
// (another number of dice, a discarded card, one result on two hexes) is not among them.
const refused = `
	48.11-B 48.11-C 48.11-D 48.13-A 48.13-B 48.13-C 48.14-A 48.14-B 48.14-C 48.15-B 48.15-C
	48.21-A 48.21-B 48.21-B2 48.21-C 48.22-A 48.22-B 48.22-C 48.22-D 48.22-E 48.22-F
	48.23-B 48.23-C 48.23-D 48.242-A 48.242-B 48.242-C 48.242-D
	48.31-A 48.32-A 48.32-B 48.32-C 48.41-A 48.61-C 48.61-C2 48.61-C3 48.62 48.71-A 48.71-D 48.81
	24.62-F SW-BOX HA-TIME HA-COUNTERAIR HA-BOX HA-COMBINE HA-TARGETS HA-DUPLICATE HA-SUB-BASE
	HA-RANGE HA-SW-BOX HA-CV-BASE HA-INITIAL

	4-SUBJECT 4-TIME 4-ENEMY 4-OWNED 4-RANGE 4-SUBMERGED 4-ONE-IC 4-TURNS 6-FUNDS`

// applied are the rules that results are derived from.
const applied = `
	48.11-A 48.11-B 48.11-C 48.11-D 48.12-A 48.12-B 48.13-A 48.14-A 48.15-B 48.21-A 48.21-B 48.21-B2 48.21-E
	48.22-A 48.22-B 48.22-C 48.22-D 48.22-E 48.241-A 48.241-B 48.31-A 48.31-C 48.31-D 48.32-A 48.32-B 48.32-C
	48.41-A 48.41-B 48.42 48.51-A 48.51-B 48.51-C 48.61-A 48.61-B 48.61-C 48.61-C3 48.62 48.63-C 48.63-E
	48.71-A 48.71-B 48.71-C 48.71-D 48.81 48.82
	24.62-A 24.62-B 24.62-C 24.62-D 24.62-E 24.62-F SW-BOX SW-GEN-1 SW-GEN-2 SW-GEN-3 SW-GEN-4
	SW-ATL-1 SW-ATL-2 SW-ATL-3 SW-ATL-4 SW-ATL-5 SW-ATL-6 SW-ATL-7 SW-ATL-8
	SW-IND-1 SW-IND-2 SW-IND-3 SW-IND-4 SW-PAC-1 SW-PAC-2 SW-PAC-3 SW-PAC-4
	51.31-A 51.31-B 51.31-D 51.31-E 51.31-F 51.31-G 51.31-4 51.31-5 51.31-6 51.31-7 51.31-8
	HA-TIME HA-MODE HA-TABLE HA-TARGETS HA-RANGE HA-SW-BOX HA-CV-INVERT HA-CV-LOST HA-INITIAL HA-INITIAL-2
	HA-MOD-1 HA-MOD-2 HA-MOD-3 HA-MOD-4 HA-MOD-5 HA-MOD-6 HA-MOD-7 HA-MOD-8 HA-MOD-9

	4-SUBJECT 4-TIME 4-RANGE 4-SUBMERGED 4-ONE-IC 4-CAP 4-TOTAL 4-TURNS 4-FLOOR 6-FUNDS AMB-AAR-1 AMB-AAR-4 AMB-AAR-5`

// TestEveryRule: each rule that a campaign applies or refuses under is met in a transcript.
func TestEveryRule(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	raids, _ := filepath.Glob("testdata/transcripts/aar/*.txt")
	if err != nil || len(files) == 0 || len(raids) == 0 {
		t.Fatal(files, raids, err)
	}
	files = append(files, raids...)
	no, yes := map[string]bool{}, map[string]bool{}
	violated := regexp.MustCompile(`^! (?:AWAW|AAR)-(\S+)`)
	cited := regexp.MustCompile(`\[([^\[\]]*)\]$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(string(text)) {
			l = strings.TrimSpace(l)
			if m := violated.FindStringSubmatch(l); m != nil {
				no[m[1]] = true
			} else if m := cited.FindStringSubmatch(l); m != nil {
				for _, rule := range strings.Fields(m[1]) {
					yes[rule] = true
				}
			}
		}
	}
	for _, rule := range strings.Fields(refused) {
		if !no[rule] {
			t.Errorf("nothing is refused under %s", rule)
		}
	}
	for _, rule := range strings.Fields(applied) {
		if !yes[rule] {
			t.Errorf("nothing is derived from %s", rule)
		}
	}
}
