package eots

import (
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

var rewrite = flag.Bool("matrix", false, "write the verdicts of testdata/matrix.txt as they come out")

// TestMatrix plays the cells of testdata/matrix.txt: what is entered twice, under another name, after it was used up or
// lost (AMB-EOTS-14), before its time, as a fact that says otherwise, and the honest play beside each. A cell is a
// title, entries that stand, behind "?" the play and behind "=" its verdict in the newest edition. What an older one
// says is behind its number, where it is another than that of the next.
func TestMatrix(t *testing.T) {
	const file = "testdata/matrix.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for cell := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		title, rest, _ := strings.Cut(cell, "\n")
		before, rest, _ := strings.Cut(rest, "\n? ")
		entry, want, _ := strings.Cut(rest, "\n")
		next := heard(t, "5", before, entry)
		got := "= " + next
		for _, older := range []string{"4", "3"} {
			if then := heard(t, older, before, entry); then != next {
				got, next = got+"\n"+older+" "+then, then
			}
		}
		if got != want && !*rewrite {
			t.Errorf("%s\n%s\n? %s\n%s\nwant\n%s", title, before, entry, got, want)
		}
		out = append(out, title+"\n"+before+"\n? "+entry+"\n"+got)
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// heard plays entries on an edition, the first of which begins a turn, and says how it hears one more. Where one of
// those before does not stand on it there is nothing to hear.
func heard(t *testing.T, edition, before, entry string) string {
	t.Helper()
	c := rulestest.OpenOn(t, System(), edition, nil, nil)
	turn, before, _ := strings.Cut(before, "\n")
	play(t, c, turn)
	c.Stand("facts", theMap)
	for line := range strings.Lines(before) {
		e, answers := written(t, line)
		o, _ := c.Judge(e, answers...)
		if o.Verdict != rules.Allowed {
			return "stops before"
		}
		c.Record(e, o.Drafts)
	}
	e, answers := written(t, entry)
	o, _ := c.Judge(e, answers...)
	switch {
	case o.Verdict == rules.Refused:
		broken := rules.Each(o.Violations, func(v rules.Violation) string { return v.Rule })
		return "refused " + strings.Join(broken, " ")
	case o.Verdict == rules.Allowed && len(o.Warnings) > 0:
		return "warned " + strings.Join(rules.Each(o.Warnings, func(w string) string {
			return strings.Trim(w[strings.LastIndex(w, "("):], "()")
		}), " ")
	case o.Verdict == rules.Allowed:
		return "heard"
	}
	return string(o.Verdict)
}

// written reads an entry as a turn file has it; behind "=>" are dice and choices.
func written(t *testing.T, line string) (e rules.Command, answers []rules.Answer) {
	t.Helper()
	line, given, _ := strings.Cut(strings.TrimSpace(line), " => ")
	for _, a := range strings.Fields(given) {
		if face, err := strconv.Atoi(a); err == nil {
			answers = append(answers, die(face))
		} else {
			answers = append(answers, says(a))
		}
	}
	body, err := yaml.YAMLToJSON([]byte("{" + line + "}"))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	for _, v := range append(verbs.Verbs(), rules.Verb{Key: "rule"}) {
		if strings.HasPrefix(line, v.Key+":") {
			return rules.Command{ID: "x", Verb: v.Key, Body: body}, answers
		}
	}
	t.Fatalf("%s: no verb", line)
	return e, nil
}

// play hears entries that have to stand, one a line.
func play(t *testing.T, c *rulestest.Harness, entries string) {
	t.Helper()
	for line := range strings.Lines(entries) {
		if strings.TrimSpace(line) != "" {
			e, answers := written(t, line)
			c.Stand(e.Verb, string(e.Body), answers...)
		}
	}
}
