package rulestest

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/watu-ledger/watu/rules"
)

var pin = flag.Bool("pin", false,
	"write testdata/rulings.sum again: new cases, or others after the revision was raised")

const pinnedFile = "testdata/rulings.sum"

// Pinned fails for a ruling that changed without a new revision. testdata/rulings.sum holds a sum of the answer to
// every request of the corpus (testdata/rulings, cases and samples), and the revision that gave them. An answer may
// change only with the system's Revision, by which records name what judged them: a change that is meant as a reading
// or an erratum is an option of a new edition instead, which leaves these answers alone.
func Pinned(t *testing.T, s rules.System) {
	was, revision := readPinned(t)
	is := map[string]string{} // the answer's sum, by the procedure and the request's
	ask := func(procedure, request string) {
		answer := rulingText(t, Answer(t, Named(t, s.Procedures, procedure), []byte(request)))
		is[procedure+" "+sum(request)] = sum(answer)
	}
	datadriven.Walk(t, "testdata/rulings", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(_ *testing.T, d *datadriven.TestData) string {
			ask(s.Name+"."+d.Cmd, d.Input)
			return d.Expected
		})
	})
	for _, folder := range []string{"cases", "samples"} {
		for _, p := range s.Procedures {
			for _, c := range readCases(t, folder, p).Cases {
				ask(p.Name, string(c.Input))
			}
		}
	}
	other := 0
	for request, answer := range was {
		if is[request] != answer {
			other++
		}
	}
	if other > 0 && s.Revision == revision {
		t.Fatalf("%d rulings of %s are no longer in the corpus, or come out otherwise than those of revision %d: "+
			"records name that revision as their judge. Make it an option of a new edition; if it is a repair that "+
			"no reading tells apart, raise System.Revision and run this test with -pin", other, s.Name, revision)
	}
	if s.Revision < revision {
		t.Fatalf("the revision of %s is %d, and was %d", s.Name, s.Revision, revision)
	}
	if *pin {
		writePinned(t, is, s.Revision)
	} else if len(is) != len(was) || other > 0 || s.Revision != revision {
		t.Fatalf("%s has %d rulings of revision %d, the corpus %d of revision %d: run this test with -pin",
			pinnedFile, len(was), revision, len(is), s.Revision)
	}
}

func sum(text string) string {
	hash := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", hash[:8])
}

func readPinned(t *testing.T) (answers map[string]string, revision uint64) {
	t.Helper()
	answers = map[string]string{}
	text, err := os.ReadFile(pinnedFile)
	if os.IsNotExist(err) && *pin {
		return answers, 0
	}
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	if revision, err = strconv.ParseUint(strings.TrimPrefix(head, "revision "), 10, 64); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(rest) {
		f := strings.Fields(line)
		if len(f) != 3 {
			t.Fatalf("%s: %q", pinnedFile, line)
		}
		answers[f[0]+" "+f[1]] = f[2]
	}
	return answers, revision
}

func writePinned(t *testing.T, answers map[string]string, revision uint64) {
	t.Helper()
	var lines []string
	for request, answer := range answers {
		lines = append(lines, request+" "+answer+"\n")
	}
	slices.Sort(lines)
	text := fmt.Sprintf("revision %d\n%s", revision, strings.Join(lines, ""))
	if err := os.WriteFile(pinnedFile, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
