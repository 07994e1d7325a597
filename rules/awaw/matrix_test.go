package awaw

import (
	"bytes"
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

// row is a row of testdata/matrix.txt.
type row struct {
	name   string
	before []string
	entry  string
	want   string // "heard", "asked", "warned WORDS" or the rule that refuses it
	four   string // how edition 4 judges it, where that is otherwise
	since  bool   // editions before the fourth do not judge as it does
}

// TestMatrix: what may be said twice, otherwise, before and after, and how each is judged.
func TestMatrix(t *testing.T) {
	for _, x := range matrix(t) {
		t.Run(x.name, func(t *testing.T) {
			if got := x.judged(t, "5", x.want); got != x.want {
				t.Errorf("%s\n%s, want %s", x.entry, got, x.want)
			}
			if got := x.judged(t, "4", x.four); got != x.four {
				t.Errorf("%s\n%s, want %s in edition 4", x.entry, got, x.four)
			}
			if got := x.judged(t, "3", x.four); x.since != (refuses(x.four) && hears(got)) {
				t.Errorf("%s\n%s in edition 3", x.entry, got)
			}
		})
	}
}

// refuses reports whether the words for a verdict are a rule.
func refuses(want string) bool { return want == strings.ToUpper(want) }

// hears reports whether words for a verdict say that an entry is heard.
func hears(got string) bool {
	return slices.Contains([]string{"heard", "asked", "warned", "referred"}, strings.Fields(got + " .")[0])
}

// matrix reads the rows.
func matrix(t *testing.T) (rows []row) {
	t.Helper()
	text, err := os.ReadFile("testdata/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n\n") {
		var x row
		for _, line := range strings.Split(strings.TrimSpace(part), "\n") {
			said := strings.TrimSpace(line)
			switch {
			case strings.HasPrefix(line, "#"):
			case strings.HasPrefix(said, "> "):
				x.entry = said[2:]
			case strings.HasPrefix(said, "= "):
				x.want, x.since = strings.CutSuffix(said[2:], " since 4")
				x.four = x.want
			case strings.HasPrefix(said, "4 "):
				x.four = said[2:]
			case x.name == "":
				x.name = said
			default:
				x.before = append(x.before, said)
			}
		}
		if x.entry != "" {
			rows = append(rows, x)
		}
	}
	return rows
}

// judged is how the entry is judged in an edition, in the words of a row; empty where an edition refuses one before it.
func (x row) judged(t *testing.T, edition, want string) string {
	t.Helper()
	c := dealt(t, edition)
	for _, text := range x.before {
		verb, body := entered(t, text)
		o, _ := c.Judge(rules.Command{ID: "x", Verb: verb, Body: body})
		if edition == "3" && o.Verdict != rules.Allowed {
			return ""
		}
		c.Stand(verb, string(body))
	}
	verb, body := entered(t, x.entry)
	o, _ := c.Judge(rules.Command{ID: "x", Verb: verb, Body: body})
	return verdictOf(o, want)
}

// entered reads an entry as a turn file has it.
func entered(t *testing.T, text string) (verb string, body []byte) {
	t.Helper()
	body, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	d := json.NewDecoder(bytes.NewReader(body))
	_, _ = d.Token()
	first, _ := d.Token()
	return fmt.Sprint(first), body
}

// verdictOf is how an entry is judged, in the words of a row.
func verdictOf(o rules.Outcome, want string) string {
	by := rules.Each(o.Violations, func(v rules.Violation) string { return v.Rule })
	switch {
	case slices.Contains(by, want):
		return want
	case o.Verdict == rules.Refused:
		return fmt.Sprintf("%s: %s", by[0], o.Violations[0].Message)
	case o.Verdict != rules.Allowed:
		return string(o.Verdict)
	case len(o.Warnings) > 0:
		all := "warned " + strings.Join(o.Warnings, "; ")
		if words, warned := strings.CutPrefix(want, "warned "); warned && strings.Contains(all, words) {
			return want
		}
		return all
	}
	return "heard"
}

// dealt is a campaign of an edition in Winter 1941, after Japan declared war, in which each side has drawn a hand.
func dealt(t *testing.T, edition string) *rulestest.Harness {
	t.Helper()
	c := rulestest.OpenOn(t, System(), edition, nil, map[string]string{"result_meaning": "eliminated_inverted"})
	c.Stand("turn", `{"turn":"Winter 1941"}`)
	c.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
	for _, hand := range [][]string{{"European Axis", "submarine tactical strategic blank"},
		{"Britain", "asw tactical strategic blank"}, {"Japan", "submarine tactical strategic strategic"},
		{"United States", "strategic wild tactical asw"}} {
		f, _ := factionNamed(hand[0])
		c.Record(rules.Command{ID: "hand"}, handed(c, f, strings.Fields(hand[1])...))
	}
	return c
}
