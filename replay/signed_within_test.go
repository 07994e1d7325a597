package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
)

// indexOf is the place of the first event of a type.
func indexOf(t *testing.T, list []events.Event, kind events.Type) int {
	t.Helper()
	at := slices.IndexFunc(list, func(e events.Event) bool { return e.Type == kind })
	if at < 0 {
		t.Fatalf("there is no %s", kind)
	}
	return at
}

// unanswered is a record in which a question is answered by nobody: the answer is part of the command that asks.
func unanswered(t *testing.T, list []events.Event) []events.Event {
	t.Helper()
	own, at := slices.Clone(list), indexOf(t, list, "choice_made")
	e, asks := &own[at], &own[at-1]
	e.Command, e.Seat, e.Request, e.Signed = asks.Command, asks.Seat, "", ""
	return own
}

// A side answers by an entry of its own: a host does not answer for a player within what she signed.
func TestAnswerWithinSigned(t *testing.T) {
	t.Parallel()
	c := tableGame(t)
	found := c.found(c.resigned(unanswered(t, c.all()), nil))
	if text := strings.Join(found, "\n"); !strings.Contains(text, "somebody entered this") {
		t.Errorf("%q", text)
	}
}

// What an entry lists is an answer where it says so, and the rules do not ask: a list that stands there for something
// else answers no question.
func TestAnswerWithinEntry(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("transcript", "s5", nil)
	const begun = `
turn: Winter 1941
entries:
  - {id: r1, allocate: {side: Japan, project: Magic, points: 3}}
  - {id: p1, produce: {side: Japan, project: Magic, card: strategic}}
  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}
  - id: magic
    magic interception: {missions: [Rabaul, Truk]INTERCEPT}
    cards: [{United States: strategic}, {Japan: pass}, {United States: wild}]
`
	c.must(strings.Replace(begun, "INTERCEPT", "", 1) + "  - {id: a, answer: {United States: [Rabaul, Truk]}}\n")
	forged := rechained(c.fileFor(bundle.Umpire, c.now().Next), unanswered(t, c.all()))
	if text := strings.Join(c.found(forged), "\n"); !strings.Contains(text, "choice_made request: the rules lead") {
		t.Errorf("%q", text)
	}
	c = newHost(t).ofSystem("awaw")("transcript", "s5", nil)
	c.must(strings.Replace(begun, "INTERCEPT", ", intercept: [Truk]", 1))
	list := c.all()
	if e := list[indexOf(t, list, "choice_made")]; e.Request != "" {
		t.Errorf("%+v", e)
	}
	if found := c.found(c.fileFor(bundle.Umpire, c.now().Next)); len(found) > 0 {
		t.Errorf("an honest host: %q", found)
	}
}

// rechained is a file of these events, each at its place and tied to the one before. Nothing is signed anew.
func rechained(f *bundle.File, list []events.Event) *bundle.File {
	out := *f
	out.Events, out.Header.Head, out.Header.Events = nil, events.Hash{}, uint64(len(list))
	for i, e := range list {
		e.Index, e.Previous = uint64(i), out.Header.Head
		out.Events = append(out.Events, e.Encode())
		out.Header.Head = events.LeafHash(out.Events[i])
	}
	return &out
}
