package rules_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// Every id says what it says: it has one block, whole, in the file of its system, and in the inventory's order.
func TestRequirements(t *testing.T) {
	for _, prefix := range []string{"GEN", "AWAW", "AAR", "EOTS", "G40"} {
		t.Run(prefix, func(t *testing.T) {
			file := "requirements/" + strings.ToLower(prefix) + ".txt"
			var want []string
			for _, r := range rules.Requirements() {
				if strings.HasPrefix(strings.TrimPrefix(r.ID, "AMB-"), prefix+"-") {
					want = append(want, r.ID)
				}
			}
			got := blocksIn(t, file)
			for _, id := range want {
				r, _ := rules.RequirementOf(id)
				switch {
				case !slices.Contains(got, id):
					t.Errorf("%s stands in requirements.txt and not in %s: write its block there, as in\n\n"+
						"%s\nParagraph: where its text has it\nOne sentence, in your own words.\n"+
						"Example: a case with names and figures; of an R, one that is refused.\n", id, file, id)
				case r.Title == "" || r.Paragraph == "" || r.Sentence == "" || r.Example == "":
					t.Errorf("the block of %s in %s wants a line Paragraph:, a sentence, and a line Example:", id, file)
				}
			}
			for i, id := range got {
				switch {
				case !slices.Contains(want, id):
					t.Errorf("%s has a block for %s, which is no id of requirements.txt", file, id)
				case slices.Contains(got[:i], id):
					t.Errorf("%s has two blocks for %s", file, id)
				}
			}
		})
	}
}

// blocksIn gives the ids of a file's blocks: the first line of each.
func blocksIn(t *testing.T, file string) (ids []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Error(err)
	}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		for line := range strings.Lines(block) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				ids = append(ids, line)
				break
			}
		}
	}
	for _, id := range ids {
		if !regexp.MustCompile(`^[A-Z0-9.-]+$`).MatchString(id) {
			t.Errorf("%s: a block begins with %q, and not with an id", file, id)
		}
	}
	return ids
}

// A rule is found whatever the case of its letters; of what is none, the nearest are named.
func TestFindRule(t *testing.T) {
	if found, _ := rules.FindRule("aar-4-cap"); found != "AAR-4-CAP" {
		t.Errorf("aar-4-cap finds %q", found)
	}
	found, near := rules.FindRule("AAR-4-CAPP")
	if found != "" || len(near) == 0 || near[0] != "AAR-4-CAP" {
		t.Errorf("AAR-4-CAPP finds %q, near %v", found, near)
	}
}
