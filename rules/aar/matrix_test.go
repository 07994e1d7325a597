package aar

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// entryOf reads an entry as a turn file has it.
func entryOf(t *testing.T, text string) step {
	t.Helper()
	var body map[string]any
	if err := yaml.Unmarshal([]byte("{"+text+"}"), &body); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	for _, v := range append(System().Verbs, rules.Verb{Key: "rule"}) {
		if _, is := body[v.Key]; is {
			b, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			return step{v.Key, string(b)}
		}
	}
	t.Fatalf("%s has no verb", text)
	return step{}
}

// entriesOf reads entries, one behind the other, with those of a situation by its name.
func entriesOf(t *testing.T, text string) []step {
	t.Helper()
	var list []step
	for part := range strings.SplitSeq(text, ";") {
		part = strings.TrimSpace(part)
		if name, is := strings.CutPrefix(part, "@"); is {
			if situations[name] == "" {
				t.Fatalf("there is no situation %s", name)
			}
			list = append(list, entriesOf(t, situations[name])...)
		} else if part != "" {
			list = append(list, entryOf(t, part))
		}
	}
	return list
}

// TestMatrix: whatever is said twice, restated, renamed, split, late or undone (GEN-CARRY).
func TestMatrix(t *testing.T) {
	for title, cells := range matrix {
		for line := range strings.Lines(cells) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			before, verdict, _ := strings.Cut(line, "=>")
			verdict = strings.TrimSpace(verdict)
			t.Run(title, func(t *testing.T) { cell(t, entriesOf(t, before), verdict, line) })
		}
	}
}

// cell hears entries, and holds the last to its verdict.
func cell(t *testing.T, steps []step, verdict, line string) {
	c := rulestest.Open(t, System(), rulestest.Board(t, "straits"), nil)
	steps = append([]step{{"turn", `{"turn":"Round 1"}`}}, steps...)
	for i, s := range steps {
		o, _ := c.Judge(rules.Command{ID: fmt.Sprint(i), Verb: s.verb, Body: []byte(s.body)})
		broken := rules.Each(o.Violations, func(v rules.Violation) string { return v.Rule })
		if i < len(steps)-1 {
			if o.Verdict != rules.Allowed {
				t.Fatalf("%s\n%s %s: %v %+v", line, s.verb, s.body, o.Verdict, o.Violations)
			}
			c.Record(rules.Command{ID: fmt.Sprint(i), Verb: s.verb}, o.Drafts)
			continue
		}
		warned := strings.Join(o.Warnings, "; ")
		words, warns := strings.CutPrefix(verdict, "warned ")
		switch {
		case verdict == "?":
			t.Logf("%s\n\t%v %v %v %q", line, o.Verdict, broken, rules.Each(o.Violations, func(v rules.Violation) string { return v.Message }), warned)
		case verdict == "heard" && o.Verdict == rules.Allowed, slices.Contains(broken, verdict):
		case warns && o.Verdict == rules.Allowed && strings.Contains(warned, words):
		default:
			t.Errorf("%s\n\t%v %+v %q", line, o.Verdict, o.Violations, warned)
		}
	}
}
