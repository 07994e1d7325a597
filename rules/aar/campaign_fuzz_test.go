package aar

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// FuzzDecide puts any verb and body to campaigns at different points. Decide never panics, and
// what is referred is settled by a ruling, either way.
func FuzzDecide(f *testing.F) {
	for _, e := range fuzzEntries(f) {
		for at := range uint8(6) {
			f.Add(at, e.Verb, []byte(e.Body))
		}
	}
	all := courts(f)
	f.Fuzz(func(t *testing.T, at uint8, verb string, body []byte) {
		all[int(at)%len(all)].clone(t).hear(rules.Command{ID: "fuzz", Verb: verb, Body: body}, 0)
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

// hear follows a command to its end, whatever is referred on the way. Judged twice it says the same,
// and what is drafted can be stored and folded without loss.
func (c *court) hear(command rules.Command, ruled int) {
	c.t.Helper()
	before := c.game
	o := c.judge(command)
	if again := c.judge(command); !reflect.DeepEqual(o, again) {
		c.t.Fatalf("%s %s:\n%+v\nand again\n%+v", command.Verb, command.Body, o, again)
	}
	switch {
	case o.Verdict == rules.Refused && len(o.Violations) == 0, o.Verdict == rules.Allowed && len(o.Drafts) == 0, o.Verdict == rules.Asked:
		c.t.Fatalf("%s %s: %s without a word", command.Verb, command.Body, o.Verdict)
	case ruled > len(OptionList()):
		c.t.Fatalf("%s %s is referred for ever", command.Verb, command.Body)
	case o.Verdict == rules.Allowed:
		c.record(command, o.Drafts)
		if again := c.judgeOn(before, command); !reflect.DeepEqual(o, again) {
			c.t.Fatalf("%s %s changed the state that it was judged on", command.Verb, command.Body)
		}
	case o.Verdict == rules.Referred:
		for _, reading := range o.Need.Refer.Readings {
			value, _, _ := strings.Cut(reading, ":")
			next := c.clone(c.t)
			next.record(command, o.Drafts)
			body, _ := json.Marshal(map[string]any{"rule": map[string]string{"option": o.Need.Refer.Option, "value": value, "reason": "to go on"}})
			next.stand("rule", string(body))
			next.hear(command, ruled+1)
		}
	}
}

// judgeOn judges a command on an earlier state, at the place that it had then.
func (c *court) judgeOn(g rules.Game, command rules.Command) rules.Outcome {
	h := rules.NewHearing(nil, c.place)
	g.Decide(command, h)
	return h.Outcome()
}

// TestEntries puts the seeds of the fuzz test to every court.
func TestEntries(t *testing.T) {
	for _, e := range fuzzEntries(t) {
		e.ID = "entry"
		for _, c := range courts(t) {
			c.hear(e, 0)
		}
	}
}

// TestOddEntries puts something odd in the place of every part of every entry: it is refused, or it
// goes its way to the end.
func TestOddEntries(t *testing.T) {
	all := courts(t)
	odd := []any{
		nil, true, "", "UK", "SZ 8", "U-96", "neutral", -1, 0, 7, 100, 10_000, int64(1 << 40), 1.5,
		[]any{}, []any{"SZ 8", "SZ 8"}, []any{nil}, map[string]any{}, map[string]any{"SZ 8": nil}, map[string]any{"SZ 8": 3, "8 Sea Zone": "SZ 9", "": "SZ 8"},
	}
	for _, e := range fuzzEntries(t) {
		for _, with := range odd {
			for _, body := range replaced(t, e.Body, with) {
				for _, c := range all {
					c.clone(t).hear(rules.Command{ID: "odd", Verb: e.Verb, Body: body}, 0)
				}
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
	try := func() {
		b, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, b)
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, was := range v {
				v[k] = with
				try()
				v[k] = was
				walk(was)
			}
		case []any:
			for i, was := range v {
				v[i] = with
				try()
				v[i] = was
				walk(was)
			}
		}
	}
	walk(whole)
	return list
}

// FuzzEvolve folds arbitrary events and decides on what comes of them: neither ever panics, and the
// state before is left as it was.
func FuzzEvolve(f *testing.F) {
	for i, p := range events.Payloads() {
		f.Add(uint8(i), string(p.Type()), events.EncodePayload(p), uint64(i%2))
	}
	all := courts(f)
	for i, c := range all {
		for _, e := range c.log {
			f.Add(uint8(i), string(e.Type), e.Payload, uint64(0))
			f.Add(uint8(i+1), string(e.Type), e.Payload, e.Index)
		}
	}
	entries := fuzzEntries(f)
	f.Fuzz(func(t *testing.T, at uint8, kind, payload string, corrects uint64) {
		c := all[int(at)%len(all)].clone(t)
		before, _ := json.Marshal(c.judge(entries[12]))
		e := events.Event{Index: c.place(0), Type: events.Type(kind), Payload: payload, Corrects: corrects}
		old := c.game
		c.game = old.Evolve(&e, nil)
		c.game.TurnNow()
		for _, entry := range entries {
			c.judge(entry)
		}
		c.game = old
		if after, _ := json.Marshal(c.judge(entries[12])); !bytes.Equal(before, after) {
			t.Fatalf("%s changed the state before it:\n%s\n%s", kind, before, after)
		}
	})
}
