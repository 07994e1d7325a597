package aar

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestMatrix: whatever is said twice, restated, renamed, split, late or taken back, in testdata/matrix.txt (GEN-CARRY),
// in the newest edition and in edition 4, the one before.
func TestMatrix(t *testing.T) {
	text, err := os.ReadFile("testdata/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	begun := map[string]*rulestest.Harness{}
	for _, edition := range []string{"5", "4"} {
		begun[edition] = rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "straits"), nil)
		begun[edition].Stand("turn", `{"turn":"Round 1"}`)
	}
	situations, title := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		before, verdict, isCell := strings.Cut(line, " => ")
		if name, body, is := strings.Cut(line, ": "); is && strings.HasPrefix(line, "@") && !isCell {
			situations[name] = body
		} else if isCell {
			now, then, differs := strings.Cut(strings.TrimSuffix(verdict, ")"), " (4: ")
			if !differs {
				now, then = verdict, verdict
			}
			t.Run(title, func(t *testing.T) {
				entries := entriesOf(t, situations, before)
				cell(t, begun["5"].Clone(t, 1), entries, now, line)
				cell(t, begun["4"].Clone(t, 1), entries, then, line)
			})
		} else if strings.HasPrefix(line, "## ") {
			title = line[3:]
		}
	}
}

// entriesOf reads entries, one behind the other, with those of a situation by its name.
func entriesOf(t *testing.T, situations map[string]string, text string) []step {
	t.Helper()
	var list []step
	for part := range strings.SplitSeq(text, ";") {
		if part = strings.TrimSpace(part); situations[part] != "" {
			list = append(list, entriesOf(t, situations, situations[part])...)
		} else {
			list = append(list, entryOf(t, part))
		}
	}
	return list
}

// entryOf reads an entry as a turn file has it.
func entryOf(t *testing.T, text string) step {
	t.Helper()
	var body map[string]any
	if err := yaml.Unmarshal([]byte("{"+text+"}"), &body); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	v, ok := rules.Find(append(System().Verbs, rules.Verb{Key: "rule"}), func(v rules.Verb) bool {
		_, is := body[v.Key]
		return is
	})
	b, err := json.Marshal(body)
	if !ok || err != nil {
		t.Fatalf("%s has no verb: %v", text, err)
	}
	return step{v.Key, string(b)}
}

// cell hears entries, and holds the last to its verdict.
func cell(t *testing.T, c *rulestest.Harness, steps []step, verdict, line string) {
	last := len(steps) - 1
	for _, s := range steps[:last] {
		c.Stand(s.verb, s.body)
	}
	o, _ := c.Judge(rules.Command{ID: "cell", Verb: steps[last].verb, Body: []byte(steps[last].body)})
	warned := strings.Join(o.Warnings, "; ")
	words, warns := strings.CutPrefix(verdict, "warned ")
	unsaid, quiet := strings.CutPrefix(verdict, "heard without ")
	broken := slices.ContainsFunc(o.Violations, func(v rules.Violation) bool { return v.Rule == verdict })
	heard := o.Verdict == rules.Allowed && (verdict == "heard" ||
		warns && strings.Contains(warned, words) || quiet && !strings.Contains(warned, unsaid))
	if !broken && !heard {
		t.Errorf("%s\n%s %+v %q", line, o.Verdict, o.Violations, fmt.Sprint(warned))
	}
}
