package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
)

// Nothing is played before a question is answered: a host who goes on takes the answer from whom he asked, and what he
// attacked with comes to nothing. What may be said meanwhile is said.
func TestPlayedOnUnanswered(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("unanswered", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n  - {id: d, draw: Ultra}\n")
	fact := c.all()[indexOf(t, c.all(), "fact_reported")]
	c.must("entries:\n  - {id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}\n")
	asked := c.now().Open
	if asked == nil {
		t.Fatal("nobody is asked")
	}
	f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
	fact.Command, fact.Phase = "another", list[len(list)-1].Phase
	found := strings.Join(c.found(rechained(f, append(slices.Clone(list), fact))), "\n")
	if !strings.Contains(found, "nothing else is played before") {
		t.Errorf("%q", found)
	}
	c.must("entries:\n  - {id: s, dispute: {event: 3, claim: it was Spring}}\n")
	c.must("entries:\n  - {id: a, answer: {European Axis: pass}}\n  - {id: b, answer: {Britain: pass}}\n")
	if found := c.found(c.fileFor(bundle.Umpire, c.now().Next)); len(found) > 0 {
		t.Errorf("an honest host: %q", found)
	}
}

// without is a record without the events from <= place < to: what the others name is named by its new place.
func without(list []events.Event, from, to uint64) (out []events.Event) {
	at := func(index *uint64) {
		if *index >= to {
			*index -= to - from
		}
	}
	for i, e := range list {
		if from <= uint64(i) && uint64(i) < to {
			continue
		}
		p, _ := events.PayloadOf(&e)
		for _, index := range events.Refs(p) {
			at(index)
		}
		e.Payload, e.Openings = events.EncodePayload(p), slices.Clone(e.Openings)
		at(&e.Corrects)
		at(&e.Replaces)
		for i := range e.Openings {
			at(&e.Openings[i].Index)
		}
		out = append(out, e)
	}
	return out
}

// What follows from an answer, or from an entry, is recorded with it: a host drops no roll whose dice he does not like,
// and no draw of the other side.
func TestRestOfACommandDropped(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("dropped", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n  - {id: d, draw: Ultra}\n" +
		"  - {id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}\n" +
		"  - {id: a, answer: {European Axis: pass}}\n  - {id: b, answer: {Britain: pass}}\n" +
		"  - {id: x, facts: {usjt: 5}}\n")
	f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
	f.Openings, f.Links, f.Header.For = nil, nil, bundle.Public // which name events by their places
	if found := c.found(f); len(found) > 0 {
		t.Fatalf("%q", found)
	}
	last := uint64(len(list) - 1)
	draws := slices.IndexFunc(list, func(e events.Event) bool { return e.Type == "draw_declared" && e.Request == "" })
	for name, x := range map[string][2]uint64{
		"all behind the answer":  {uint64(indexOf(t, list, "contest_settled")) - 1, last},
		"the roll":               {uint64(indexOf(t, list, "roll_declared")), last},
		"the draw of the others": {uint64(draws), uint64(draws) + 2},
	} {
		found := strings.Join(c.found(rechained(f, without(list, x[0], x[1]))), "\n")
		if !strings.Contains(found, "nothing else is played before") {
			t.Errorf("%s: %q", name, found)
		}
	}
	ends := without(list, uint64(indexOf(t, list, "roll_declared")), last+1)
	if found := c.found(rechained(f, ends)); len(found) > 0 {
		t.Errorf("a record that ends there: %q", found)
	}
	// one that was cut there, and goes on with another secret: what it lacks is not known any more
	begun, x := list[indexOf(t, list, "epoch_begun")], list[last]
	begun.Command, begun.Request, begun.Turn, begun.Phase = "epoch/2", `{"verb":"epoch","entry":{}}`, x.Turn, x.Phase
	begun.Epoch, x.Epoch = 2, 2
	found, unheld := c.verified(rechained(f, append(ends, begun, x)))
	if len(found) > 0 || !slices.Contains(unheld, uint64(len(ends)-1)) {
		t.Errorf("a record that was cut: %q, not held to the rules are %v", found, unheld)
	}
}

// Who does not know the cards cannot know whether the rest of a command was dropped, and the check says so.
func TestRestOfASealedCommandDropped(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("transcript", "s5", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: r1, allocate: {side: Japan, project: Magic, points: 3}}\n" +
		"  - {id: p1, produce: {side: Japan, project: Magic, card: strategic}}\n" +
		"  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}\n" +
		"  - id: magic\n    magic interception: {missions: [Rabaul, Truk], intercept: [Truk]}\n" +
		"    cards: [{United States: strategic}, {Japan: pass}, {United States: wild}]\n" +
		"  - {id: x, facts: {usjt: 5}}\n")
	f, list := c.fileFor(bundle.Public, c.now().Next), c.all()
	played, last := indexOf(t, list, "card_played"), uint64(len(list)-1)
	unsure := func(list []events.Event, want bool) {
		t.Helper()
		found, unheld := c.verified(rechained(f, list))
		if len(found) > 0 || slices.Contains(unheld, uint64(played-1)) != want {
			t.Errorf("%d events: %q, not held to the rules are %v", len(list), found, unheld)
		}
	}
	unsure(list, false)
	unsure(without(list, uint64(played), last), true)
	unsure(list[:played], false)
}
