package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// requestOf gives the recorded form of a command.
func requestOf(c rules.Command, o rules.Outcome) *Request {
	if o.Request != nil {
		return &Request{Verb: c.Verb, Entry: o.Request}
	}
	return &Request{Verb: c.Verb, Entry: c.Body}
}

// answerRequest is the recorded form of an answer: a secret one is not shown.
func answerRequest(c rules.Command, q *events.ChoiceAsked) *Request {
	if !q.Secret {
		return &Request{Verb: c.Verb, Entry: c.Body}
	}
	entry, _ := json.Marshal(map[string]any{verbAnswer: map[string]any{q.Of: rules.Sealed("choice")}})
	return &Request{Verb: c.Verb, Entry: entry}
}

// commandOf reads a command back from the first of its events.
func commandOf(e events.Event, known openings) (rules.Command, error) {
	var r Request
	if err := json.Unmarshal([]byte(e.Request), &r); err != nil {
		return rules.Command{}, fmt.Errorf("event %d: the recorded command does not read: %w", e.Index, err)
	}
	return rules.Command{ID: e.Command, Seat: e.Seat, Verb: r.Verb, Body: rules.Unseal(r.Entry, known.all())}, nil
}

// readAnswer reads {"answer": {side: option}} or {"answer": {side: [option, …]}}.
func readAnswer(c rules.Command, q *events.ChoiceAsked) ([]string, []rules.Violation) {
	var f rules.Findings
	var body struct {
		Answer map[string]json.RawMessage `json:"answer"`
	}
	if err := json.Unmarshal(c.Body, &body); err != nil || len(body.Answer) != 1 {
		f.ViolateField(verbAnswer, rules.Input, "an answer is one side and what it chooses: answer: {%s: %s}", q.Of, first(q.Options))
		return nil, f.Violations
	}
	raw, ok := body.Answer[q.Of]
	if !ok {
		f.ViolateField(verbAnswer, q.Rule, "the question is put to %s: %s", q.Of, q.Question)
		return nil, f.Violations
	}
	var options []string
	if json.Unmarshal(raw, &options) != nil {
		var one string
		if json.Unmarshal(raw, &one) != nil {
			f.ViolateField(verbAnswer, rules.Input, "an answer is an option or a list of options, of %s", list(q.Options))
			return nil, f.Violations
		}
		options = []string{one}
	}
	if len(options) > max(1, q.Most) {
		f.ViolateField(verbAnswer, q.Rule, "%s may choose at most %d, not %d: %s", q.Of, max(1, q.Most), len(options), q.Question)
	}
	left := slices.Clone(q.Options)
	for _, o := range options {
		at := slices.Index(left, o)
		if at < 0 {
			f.ViolateField(verbAnswer, rules.Input, "%q is not among the options, or not that often; the options are %s", o, list(q.Options))
			continue
		}
		left = slices.Delete(left, at, at+1)
	}
	return options, f.Violations
}

// chances counts the rolls and draws among the events of a hearing.
func chances(heard []events.Event) int {
	n := 0
	for i := range heard {
		if heard[i].Type == "roll_declared" || heard[i].Type == "draw_declared" {
			n++
		}
	}
	return n
}

func list(options []string) string { return strings.Join(options, ", ") }

func first(options []string) string {
	if len(options) == 0 {
		return "…"
	}
	return options[0]
}
