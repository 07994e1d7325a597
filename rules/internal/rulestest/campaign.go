package rulestest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Entries reads testdata/entries.txt of the package under test, one entry of every kind and shape:
// a verb, a tab, a body.
func Entries(t testing.TB) []rules.Command {
	t.Helper()
	text, err := os.ReadFile("testdata/entries.txt")
	if err != nil {
		t.Fatal(err)
	}
	var list []rules.Command
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		verb, body, ok := strings.Cut(lines.Text(), "\t")
		if !ok || !json.Valid([]byte(body)) {
			t.Fatalf("%q is no entry", lines.Text())
		}
		list = append(list, rules.Command{ID: "entry", Verb: verb, Body: json.RawMessage(body)})
	}
	return list
}

// EveryEntry puts each entry to every harness.
func EveryEntry(t *testing.T, harnesses []*Harness) {
	for _, e := range Entries(t) {
		for i, c := range harnesses {
			c.Clone(t, uint64(i)).Hear(e)
		}
	}
}

// OddEntries puts something odd in the place of every part of every entry: it is refused, or it
// goes its way to the end. Names are some that the system knows.
func OddEntries(t *testing.T, harnesses []*Harness, names ...string) {
	odd := []any{
		nil, true, "", "none", "pass", -1, 0, 7, 100, 10_000, int64(1 << 40), 1.5,
		[]any{}, []any{"x", "x"}, []any{nil}, map[string]any{}, map[string]any{"sealed": "card"},
	}
	for _, name := range names {
		odd = append(odd, name, []any{name, name}, map[string]any{name: 3, "": name}, map[string]any{name: nil})
	}
	for i, e := range Entries(t) {
		for n, with := range odd {
			for _, body := range replaced(t, e.Body, with) {
				c := harnesses[(i+n)%len(harnesses)].Clone(t, uint64(n))
				c.Hear(rules.Command{ID: "odd", Verb: e.Verb, Body: body})
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
	note := func() {
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

// FuzzDecide puts any verb and body to the harnesses.
func FuzzDecide(f *testing.F, harnesses []*Harness) {
	for i, e := range Entries(f) {
		for at := range harnesses {
			f.Add(uint8(at), uint64(i), e.Verb, []byte(e.Body))
		}
	}
	f.Fuzz(func(t *testing.T, at uint8, seed uint64, verb string, body []byte) {
		harnesses[int(at)%len(harnesses)].Clone(t, seed).Hear(rules.Command{ID: "fuzz", Verb: verb, Body: body})
	})
}

// FuzzEvolve folds arbitrary events and decides on what comes of them: neither ever panics, and
// the state before is left as it was.
func FuzzEvolve(f *testing.F, harnesses []*Harness) {
	for i, p := range events.Payloads() {
		f.Add(uint8(i), string(p.Type()), events.EncodePayload(p), "Japan", "card", "strategic")
	}
	for i, c := range harnesses {
		for _, e := range c.log {
			f.Add(uint8(i), string(e.Type), e.Payload, e.Side, "Japan 1", "wild")
			f.Add(uint8(i+1), string(e.Type), e.Payload, e.Side, "Japan 1", "wild")
		}
	}
	entries := Entries(f)
	f.Fuzz(func(t *testing.T, at uint8, kind, payload, side, slot, fact string) {
		c := harnesses[int(at)%len(harnesses)].Clone(t, 1)
		probe := entries[int(at)%len(entries)]
		before, _ := json.Marshal(c.judgeOn(c.game, probe, nil))
		e := events.Event{
			Index: c.place(0), Type: events.Type(kind), Payload: payload, Side: side,
			Commitments: []events.Commitment{{Slot: slot}, {Slot: slot}},
		}
		old := c.game
		c.game = old.Evolve(&e, []events.Opening{{Index: e.Index, Slot: slot, Fact: fact}})
		c.game.TurnNow()
		for _, entry := range entries {
			c.Judge(entry)
		}
		if after, _ := json.Marshal(c.judgeOn(old, probe, nil)); !bytes.Equal(before, after) {
			t.Fatalf("%s changed the state before it:\n%s\n%s", kind, before, after)
		}
	})
}
