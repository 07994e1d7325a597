package rulestest

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/watu-ledger/watu/rules"
)

// Matrix is how a system plays testdata/matrix.txt: what is entered twice, under another name, after it was used up,
// out of its order, as nothing and as one too many, and beside each refusal the honest play that is nearest to it.
//
//	# landing twice
//	+ attack: {attacker: Germany, on: UK, from: SZ 110}
//	+ unload: {from: SZ 110, onto: UK}
//	unload: {from: SZ 110, onto: UK} => warned landed in this TURN
//	capture: {territory: UK, by: Italy} => INPUT (7: warned, 5: heard)
//
// A # begins a group. A line with a + is an entry before those below it, up to an empty line. Other lines are cells: an
// entry, which may stand behind others and a semicolon, and behind the arrow how it is judged:
//
//   - heard, asked or referred
//   - warned; warned WORDS, those of several warnings with a semicolon between; heard without WORDS in a warning
//   - the rules that refuse it
//   - stops before: an entry before it does not stand
//
// In brackets stand the editions that judge otherwise. "@boats: facts: {…}; phase: {…}" names entries: @boats
// stands for them.
type Matrix struct {
	Open    func(t *testing.T, edition string) *Harness // what a cell begins with
	Answers func(text string) []rules.Answer            // those behind a !, as dice; nil where no cell has any

	Always    []string // editions on which every cell is tried
	Otherwise []string // those besides for a cell that names none
	Quiet     string   // a warning with these words is none, unless a cell wants it
}

// stops is the verdict where an entry before does not stand.
const stops = "stops before"

// otherwise is a verdict, and behind it those of other editions.
var otherwise = regexp.MustCompile(`^(.*?)(?: \((\d+: .*)\))?$`)

// edition begins the verdict of another one among those.
var edition = regexp.MustCompile(`, (\d+: )`)

// wants are the verdicts of a cell, by edition.
func (m Matrix) wants(verdict string) map[string]string {
	in, wants := otherwise.FindStringSubmatch(verdict), map[string]string{}
	of := m.Always
	if in[2] == "" {
		of = slices.Concat(m.Always, m.Otherwise)
	}
	for _, name := range of {
		wants[name] = in[1]
	}
	for part := range strings.SplitSeq(edition.ReplaceAllString(in[2], "\n$1"), "\n") {
		if name, other, is := strings.Cut(part, ": "); is {
			wants[name] = other
		}
	}
	return wants
}

// Hold plays every cell.
func (m Matrix) Hold(t *testing.T) {
	const file = "testdata/matrix.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begun, named := map[string]*Harness{}, map[string][]string{}
	var before []string
	group := ""
	for n, line := range strings.Split(string(text), "\n") {
		entry, verdict, isCell := strings.Cut(line, " => ")
		name, body, isNamed := strings.Cut(line, ": ")
		switch {
		case line == "":
			before = nil
		case strings.HasPrefix(line, "# "):
			group = line[2:]
		case strings.HasPrefix(line, "+ "):
			before = append(slices.Clip(before), entriesIn(line[2:], named)...)
		case isCell:
			t.Run(group, func(t *testing.T) {
				entries := append(slices.Clip(before), entriesIn(entry, named)...)
				for in, want := range m.wants(verdict) {
					if begun[in] == nil {
						begun[in] = m.Open(t, in)
					}
					got, said := m.judge(t, begun[in].Clone(t, 1), entries)
					if !fits(want, got, said) {
						t.Errorf("%s:%d: edition %s: %s: %s, want %s: %s", file, n+1, in, entry, got, want, said)
					}
				}
			})
		case isNamed && line[0] == '@':
			named[name] = entriesIn(body, named)
		default:
			t.Fatalf("%s:%d: no cell", file, n+1)
		}
	}
}

// entriesIn are the entries of a line.
func entriesIn(line string, named map[string][]string) (list []string) {
	for part := range strings.SplitSeq(line, "; ") {
		if more, is := named[part]; is {
			list = append(list, more...)
		} else {
			list = append(list, part)
		}
	}
	return list
}

// fits reports whether a verdict, with what was said, is as a cell wants it.
func fits(want, got, said string) bool {
	words, warned := strings.CutPrefix(want, "warned ")
	unsaid, quiet := strings.CutPrefix(want, "heard without ")
	lacks := func(part string) bool { return !strings.Contains(said, part) }
	switch {
	case got != "heard" && got != "warned":
		return got == want
	case warned:
		return !slices.ContainsFunc(strings.Split(words, "; "), lacks)
	case quiet:
		return lacks(unsaid)
	}
	return got == want
}

// judge gives the verdict on the last of some entries, and what was answered.
func (m Matrix) judge(t *testing.T, c *Harness, entries []string) (verdict, said string) {
	for i, line := range entries {
		e, given := Written(t, line)
		var answers []rules.Answer
		if given != "" {
			answers = m.Answers(given)
		}
		o, _ := c.Judge(e, answers...)
		said = strings.Join(o.Warnings, "; ")
		loud := func(w string) bool { return m.Quiet == "" || !strings.Contains(w, m.Quiet) }
		switch {
		case i < len(entries)-1 && o.Verdict == rules.Allowed:
			c.Stand(e.Verb, string(e.Body), answers...)
		case i < len(entries)-1:
			return stops, fmt.Sprint(line, o.Violations)
		case o.Verdict == rules.Refused:
			by := rules.Each(o.Violations, func(v rules.Violation) string { return v.Rule })
			return strings.Join(slices.Compact(by), " "), fmt.Sprint(o.Violations)
		case o.Verdict != rules.Allowed:
			return string(o.Verdict), said
		case slices.ContainsFunc(o.Warnings, loud):
			return "warned", said
		}
	}
	return "heard", said
}

// Written reads an entry as a turn file has it, in one line, and what stands behind it and a !.
func Written(t testing.TB, line string) (e rules.Command, rest string) {
	t.Helper()
	line, rest, _ = strings.Cut(strings.TrimSpace(line), " ! ")
	body, err := yaml.YAMLToJSON([]byte("{" + line + "}"))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	verb, _, _ := strings.Cut(line, ":")
	return rules.Command{ID: "written", Verb: verb, Body: body}, rest
}
