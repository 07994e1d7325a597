package projections_test

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// TestFiguresOfEvents holds the table in each package's comment: it has every event that the projection folds, and the
// functions that it names are there.
func TestFiguresOfEvents(t *testing.T) {
	function := regexp.MustCompile(`(?:(\w+)\.)?(\w+), in (\w+\.go)`)
	for _, p := range all() {
		text, err := os.ReadFile(p.Name + "/view.go")
		if err != nil {
			t.Fatal(err)
		}
		comment, _, _ := strings.Cut(string(text), "\npackage ")
		_, table, _ := strings.Cut(comment, "# From an event to its figure")
		for _, payload := range events.Payloads() {
			name := reflect.TypeOf(payload).Elem().Name()
			folded := slices.Contains(p.Types, payload.Type()) && name != "Voided" && name != "Corrected"
			if listed := regexp.MustCompile(`\b` + name + `\b`).MatchString(table); folded && !listed {
				t.Errorf("the comment of package %s does not have %s", p.Name, name)
			}
		}
		for _, m := range function.FindAllStringSubmatch(table, -1) {
			file, err := os.ReadFile(p.Name + "/" + m[3])
			if err != nil || !regexp.MustCompile(`func (\(\w+ \*?`+m[1]+`\) )?`+m[2]+`\(`).Match(file) {
				t.Errorf("package %s has no %s", p.Name, m[0])
			}
		}
	}
}
