package g40

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// cell is one cell of the matrix of entries: after some entries, another is heard or refused.
type cell struct {
	line   int
	before []string
	entry  string
	want   map[string]string // by edition: "heard", "warned", "warned WORDS", or the ids by which it is refused
}

// matrix reads testdata/matrix.txt: a line with a + is an entry before those below it, up to an empty line; another is
// a cell, "entry => heard", or "entry => INPUT (7: warned, 5: heard)"; without an earlier edition it is tried on the
// exact one. A # begins a group.
func matrix(t *testing.T) map[string][]cell {
	text, err := os.ReadFile("testdata/matrix.txt")
	if err != nil {
		t.Fatal(err)
	}
	groups, group := map[string][]cell{}, ""
	var before []string
	for n, line := range strings.Split(string(text), "\n") {
		entry, want, isCell := strings.Cut(line, " => ")
		switch {
		case line == "":
			before = nil
		case strings.HasPrefix(line, "# "):
			group = line[2:]
		case strings.HasPrefix(line, "+ "):
			before = append(slices.Clip(before), line[2:])
		case isCell:
			want, earlier, _ := strings.Cut(strings.TrimSuffix(want, ")"), " (")
			wants := map[string]string{"9": want, "10": want}
			for _, w := range strings.Split(cmp.Or(earlier, "7: "+want), ", ") {
				edition, there, _ := strings.Cut(w, ": ")
				wants[edition] = there
			}
			groups[group] = append(groups[group], cell{n + 1, before, entry, wants})
		default:
			t.Fatalf("testdata/matrix.txt:%d: no cell", n+1)
		}
	}
	return groups
}

// try plays a cell on an edition, and gives the verdict and what was said.
func (x cell) try(t *testing.T, edition string) (verdict, said string) {
	c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), map[string]string{ // alike in all
		OptionAirBattle: "interceptors_fire_after", OptionInterceptorHitsOn: "2", OptionStrategicBomberBonus: "0"})
	c.Stand("turn", `{"turn":"Round 1"}`)
	for _, line := range x.before {
		verb, body, answers := entryOf(t, line)
		if o, _ := c.Judge(rules.Command{ID: "tried", Verb: verb, Body: body}, answers...); len(o.Violations) > 0 {
			t.Fatalf("testdata/matrix.txt:%d: edition %s: before it %s: %v", x.line, edition, line, o.Violations)
		}
		c.Stand(verb, string(body), answers...)
	}
	verb, body, answers := entryOf(t, x.entry)
	o, _ := c.Judge(rules.Command{ID: "cell", Verb: verb, Body: body}, answers...)
	warned := slices.DeleteFunc(o.Warnings, func(w string) bool { return strings.Contains(w, "before its time") })
	switch {
	case len(o.Violations) > 0:
		by := rules.Each(o.Violations, func(v rules.Violation) string { return v.Rule })
		return strings.Join(slices.Compact(by), " "), fmt.Sprint(o.Violations)
	case len(warned) > 0:
		return "warned", strings.Join(warned, "; ")
	}
	return "heard", ""
}

// entryOf reads an entry as it is written in a turn file, in one line and without quotes, with the dice and answers
// that it takes behind a !: "bombing raid: {…} ! 1 6 / 2 | escort".
func entryOf(t *testing.T, line string) (verb string, body []byte, answers []rules.Answer) {
	t.Helper()
	line, thrown, _ := strings.Cut(line, " ! ")
	for _, throw := range strings.Split(thrown, "|") {
		if strings.TrimSpace(throw) == "" {
			continue
		}
		if n := strings.Fields(strings.ReplaceAll(throw, "/", " ")); !slices.ContainsFunc(n, func(s string) bool {
			_, err := strconv.Atoi(s)
			return err != nil
		}) {
			answers = append(answers, dice(throws(throw)...))
		} else {
			answers = append(answers, chosen(strings.TrimSpace(throw)))
		}
	}
	verb, _, _ = strings.Cut(line, ":")
	return verb, []byte("{" + quoted(line) + "}"), answers
}

// throws are dice, those of one throw apart from those of the next by a /.
func throws(text string) [][]int {
	var list [][]int
	for _, throw := range strings.Split(text, "/") {
		dice := []int{}
		for _, n := range strings.Fields(throw) {
			d, _ := strconv.Atoi(n)
			dice = append(dice, d)
		}
		list = append(list, dice)
	}
	return list
}

// quoted puts quotes around the words of a line.
func quoted(line string) string {
	var b strings.Builder
	for len(line) > 0 {
		if i := strings.IndexAny(line, "{}[],:"); i != 0 {
			if i < 0 {
				i = len(line)
			}
			word := strings.TrimSpace(line[:i])
			if _, err := strconv.Atoi(word); word != "" && err != nil && word != "true" && word != "false" {
				word = strconv.Quote(word)
			}
			b.WriteString(word)
			line = line[i:]
			continue
		}
		b.WriteByte(line[0])
		line = line[1:]
	}
	return b.String()
}

// TestMatrix plays every cell: each verb and fact said twice, under another name, restated after its use, out of its
// order, as nothing and as one too many. Beside each refusal stands the honest play that is nearest to it.
func TestMatrix(t *testing.T) {
	for group, cells := range matrix(t) {
		t.Run(group, func(t *testing.T) {
			for _, x := range cells {
				for edition, want := range x.want {
					got, said := x.try(t, edition)
					verdict, words, _ := strings.Cut(want, " ")
					if got != want && (got != "warned" || got != verdict || !strings.Contains(said, words)) {
						t.Errorf("testdata/matrix.txt:%d: edition %s: %s: %s, want %s: %s", x.line, edition, x.entry,
							got, want, said)
					}
				}
			}
		})
	}
}
