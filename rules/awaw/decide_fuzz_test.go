package awaw

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// FuzzDecide puts any verb and body to campaigns at different points. Decide never panics, and
// no question is a dead end: of the options offered one at least is accepted, those that are
// not are refused, and a ruling settles what was referred.
func FuzzDecide(f *testing.F) {
	for i, e := range fuzzEntries(f) {
		f.Add(uint8(i), uint64(i), e.Verb, []byte(e.Body))
		f.Add(uint8(4), uint64(i), e.Verb, []byte(e.Body))
		f.Add(uint8(5), uint64(i), e.Verb, []byte(e.Body))
	}
	all := courts(f)
	f.Fuzz(func(t *testing.T, at uint8, seed uint64, verb string, body []byte) {
		c := all[int(at)%len(all)].clone(t, seed)
		c.hear(rules.Command{ID: "fuzz", Verb: verb, Body: body}, 0)
	})
}

// fuzzEntries reads testdata/entries.txt: a verb, a tab, a body.
func fuzzEntries(f testing.TB) []rules.Command {
	f.Helper()
	text, err := os.ReadFile("testdata/entries.txt")
	if err != nil {
		f.Fatal(err)
	}
	var list []rules.Command
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		verb, body, ok := strings.Cut(lines.Text(), "\t")
		if !ok || !json.Valid([]byte(body)) {
			f.Fatalf("%q is no entry", lines.Text())
		}
		list = append(list, rules.Command{Verb: verb, Body: json.RawMessage(body)})
	}
	return list
}

// hear follows a command to its end, whatever is asked on the way.
func (c *court) hear(command rules.Command, ruled int) {
	o, answers := c.judge(command, nil)
	for depth := 0; o.Need != nil && o.Need.Choice != nil; depth++ {
		if depth > 40 {
			c.t.Fatalf("%s %s asks for ever", command.Verb, command.Body)
		}
		o, answers = c.tryAll(command, o.Need.Choice, answers)
	}
	switch {
	case o.Verdict == rules.Refused && len(o.Violations) == 0, o.Verdict == rules.Allowed && len(o.Drafts) == 0:
		c.t.Fatalf("%s %s: %s without a word", command.Verb, command.Body, o.Verdict)
	case o.Verdict == rules.Allowed:
		if o.Unused != 0 {
			c.t.Fatalf("%s %s leaves %d answers", command.Verb, command.Body, o.Unused)
		}
		c.record(command, o.Drafts)
	case o.Verdict == rules.Referred:
		c.rule(command, o, ruled)
	}
}

// tryAll answers with each option offered, and goes on with one that is accepted.
func (c *court) tryAll(command rules.Command, q *events.ChoiceAsked, answers []rules.Answer) (rules.Outcome, []rules.Answer) {
	type line struct {
		o       rules.Outcome
		answers []rules.Answer
	}
	var accepted []line
	try := func(options ...string) {
		o, after := c.judge(command, append(slices.Clone(answers), rules.Answer{Options: options}))
		if o.Verdict != rules.Refused {
			accepted = append(accepted, line{o, after})
		}
	}
	for i, option := range q.Options {
		try(option)
		if q.Most > 1 {
			try(q.Options[i:min(i+q.Most, len(q.Options))]...)
		}
	}
	if q.Most > 0 {
		try()
	}
	if len(accepted) == 0 {
		c.t.Fatalf("%s %s: no answer to %q is accepted", command.Verb, command.Body, q.Question)
	}
	on := accepted[c.lot.IntN(len(accepted))]
	return on.o, on.answers
}

// rule settles the option referred, each way, and hears the command again.
func (c *court) rule(command rules.Command, o rules.Outcome, ruled int) {
	if ruled > len(OptionList()) {
		c.t.Fatalf("%s %s is referred for ever", command.Verb, command.Body)
	}
	r := o.Need.Refer
	for _, reading := range r.Readings {
		value, _, _ := strings.Cut(reading, ":")
		next := c.clone(c.t, c.lot.Uint64())
		next.record(command, o.Drafts)
		body, _ := json.Marshal(map[string]any{"rule": map[string]string{"option": r.Option, "value": value, "reason": "to go on"}})
		next.stand("rule", string(body))
		next.hear(command, ruled+1)
	}
}

// TestEntries puts the seeds of the fuzz test to every court.
func TestEntries(t *testing.T) {
	all := courts(t)
	for _, e := range fuzzEntries(t) {
		e.ID = "entry"
		for i, c := range all {
			c.clone(t, uint64(i)).hear(e, 0)
		}
	}
}

// TestOddEntries puts something odd in the place of every part of every entry: it is refused,
// or it goes its way to the end.
func TestOddEntries(t *testing.T) {
	all := courts(t)
	odd := []any{
		nil, true, "", "none", "pass", "Japan", "strategic", -1, 0, 7, 10_000, int64(1 << 40),
		[]any{}, []any{"x", "x"}, []any{nil}, map[string]any{}, map[string]any{"sealed": "card"}, map[string]any{"Japan": "wild"},
	}
	for i, e := range fuzzEntries(t) {
		for _, with := range odd {
			for _, body := range replaced(t, e.Body, with) {
				all[i%len(all)].clone(t, 1).hear(rules.Command{ID: "odd", Verb: e.Verb, Body: body}, 0)
				all[4].clone(t, 2).hear(rules.Command{ID: "odd", Verb: e.Verb, Body: body}, 0)
			}
		}
	}
}

// replaced gives the body once for each of its parts, with that part replaced.
func replaced(t *testing.T, body json.RawMessage, with any) []json.RawMessage {
	t.Helper()
	var whole any
	if err := json.Unmarshal(body, &whole); err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	var walk func(v any)
	note := func() {
		b, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, was := range v {
				v[k] = with
				note()
				v[k] = was
				walk(was)
			}
		case []any:
			for i, was := range v {
				v[i] = with
				note()
				v[i] = was
				walk(was)
			}
		}
	}
	walk(whole)
	return list
}

// FuzzEvolve folds arbitrary events and decides on what comes of them: neither ever panics.
func FuzzEvolve(f *testing.F) {
	for i, p := range events.Payloads() {
		f.Add(uint8(i), string(p.Type()), events.EncodePayload(p), "Japan", "card", "strategic", uint64(i%2))
	}
	all := courts(f)
	for _, c := range all {
		for _, e := range c.log {
			f.Add(uint8(e.Index), string(e.Type), e.Payload, e.Side, "Japan 1", "wild", e.Corrects)
		}
	}
	entries := fuzzEntries(f)
	f.Fuzz(func(t *testing.T, at uint8, kind, payload, side, slot, fact string, corrects uint64) {
		c := all[int(at)%len(all)].clone(t, 1)
		e := events.Event{
			Index: c.next(), Type: events.Type(kind), Payload: payload, Side: side, Corrects: corrects,
			Commitments: []events.Commitment{{Slot: slot}, {Slot: slot}},
		}
		c.game = c.game.Evolve(&e, []events.Opening{{Index: e.Index, Slot: slot, Fact: fact}})
		c.game.TurnNow()
		for _, entry := range entries {
			c.judge(entry, nil)
		}
	})
}
