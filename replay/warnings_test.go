package replay_test

import (
	"slices"
	"strings"
	"testing"
)

// TestWarnedBehindAnswers: what an answer leads to is warned of with that answer, and what came before the question is
// not said again. Pass and none are one answer.
func TestWarnedBehindAnswers(t *testing.T) {
	t.Parallel()
	c := newHost(t).open("transcript", "s95", nil)
	c.must(`
turn: Spring 1940
entries:
  - {id: r1, allocate: {side: European Axis, project: Ultra, points: 3}}
  - {id: r2, allocate: {side: Britain, project: Ultra, points: 3}}
  - {id: p1, produce: {side: European Axis, project: Ultra, card: submarine}}
  - {id: p2, produce: {side: Britain, project: Ultra, card: asw}}
  - {id: ultra, draw: Ultra}
`)
	for _, step := range []struct{ entry, want string }{
		{`{id: a, phase: movement, player: European Axis}`, ""},
		{`{id: b, contest: {kind: onboard submarine, acting: Britain}}`, ""},
		{`{id: c, answer: {Britain: none}}`, ""},
		{`{id: d, answer: {European Axis: PASS}}`, ""},
		{`{id: e, contest: {kind: onboard submarine, acting: European Axis}}`, ""},
		{`{id: f, answer: {European Axis: submarine}}`, ""},
		{`{id: g, answer: {Britain: none}}`, ""},
		{`{id: h, answer: {European Axis: submarine}}`, "leads already"},
		{`{id: i, answer: {Britain: pass}}`, ""},
		{`{id: j, answer: {European Axis: none}}`, ""},
	} {
		for _, a := range c.must("entries:\n  - " + step.entry + "\n") {
			if got := a.Warnings; len(got) > 1 || (len(got) > 0) != (step.want != "") ||
				!slices.ContainsFunc(append(got, ""), func(w string) bool { return strings.Contains(w, step.want) }) {
				t.Errorf("%s: warned of %q, want %q", step.entry, got, step.want)
			}
		}
	}
}
