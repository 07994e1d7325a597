package bundle_test

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay/bundle"
)

// TestStatedIsDocumented holds docs/formats.md to the list of what no check proves, and verifications to it.
func TestStatedIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/formats.md")
	must(t, err)
	_, section, _ := strings.Cut(string(text), "### What no check proves")
	section, _, _ = strings.Cut(section, "\n## ")
	for _, s := range bundle.Stated {
		row := fmt.Sprintf("| %s | `%s` | %s | %s |\n", cmp.Or(string(s.Type), "all"), s.Field, s.What, s.Why)
		if !strings.Contains(section, row) {
			t.Errorf("docs/formats.md lacks the row %s", row)
		}
	}
	if rows := strings.Count(section, "\n| ") - 1; rows != len(bundle.Stated) {
		t.Errorf("docs/formats.md has %d rows, and %d are stated", rows, len(bundle.Stated))
	}
	for _, p := range campaigns(t) {
		listed := map[string]int{}
		for _, u := range p.whole.Check(bundle.Options{}).Unchecked {
			listed[u.What] = u.Count
		}
		for _, s := range bundle.Stated {
			if s.Type == "" && listed[s.What] != len(p.whole.Events) {
				t.Errorf("%s: %s are listed %d times", p.name, s.What, listed[s.What])
			}
		}
	}
}
