package replay

import (
	"bytes"
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

// requestIn reads the recorded form of a command off an event, zero if it has none.
func requestIn(e *events.Event) (r Request) {
	_ = json.Unmarshal([]byte(e.Request), &r)
	return r
}

// today refuses an entry that was written for another game turn.
func (c *Campaign) today(command rules.Command, f *rules.Findings) {
	if turn, _ := c.Game.TurnNow(); command.Turn != "" && command.Turn != turn.Label {
		f.ViolateField("", rules.Input, "this entry is for %s, but the campaign is in %s", command.Turn, turn.Label)
	}
}

// readAnswer reads {"answer": {side: option}} or {"answer": {side: [option, …]}}.
func readAnswer(c rules.Command, q *events.ChoiceAsked) ([]string, []rules.Violation) {
	var f rules.Findings
	var body struct {
		Answer map[string]json.RawMessage `json:"answer"`
	}
	if !decodeExactly(c.Body, &body) || len(body.Answer) != 1 {
		f.ViolateField(verbAnswer, rules.Input, "an answer is one side and what it chooses: answer: {%s: %s}", q.Of,
			first(q.Options))
		return nil, f.Violations
	}
	for side, raw := range body.Answer {
		if !strings.EqualFold(side, q.Of) {
			f.ViolateField(verbAnswer, q.Rule, "the question is put to %s: %s", q.Of, q.Question)
			return nil, f.Violations
		}
		named, ok := readOptions(raw)
		if !ok {
			f.ViolateField(verbAnswer, rules.Input, "an answer is an option or a list of options, of %s",
				list(q.Options))
			return nil, f.Violations
		}
		return choose(named, q)
	}
	return nil, nil
}

// readOptions reads an option or a list of options. An option that is a number need not be in quotes.
func readOptions(raw json.RawMessage) ([]string, bool) {
	var several []json.RawMessage
	if json.Unmarshal(raw, &several) != nil {
		several = []json.RawMessage{raw}
	}
	options := []string{}
	for _, one := range several {
		option, ok := readOption(one)
		if !ok {
			return nil, false
		}
		options = append(options, option)
	}
	return options, several != nil
}

// readOption reads an option. Where options are numbers one need not quote them.
func readOption(raw json.RawMessage) (option string, ok bool) {
	var number json.Number
	if len(raw) > 0 && raw[0] != '"' && string(raw) != "null" && json.Unmarshal(raw, &number) == nil {
		return number.String(), true
	}
	return option, string(raw) != "null" && json.Unmarshal(raw, &option) == nil
}

// choose finds the options named among those offered, each as often as it is offered.
func choose(named []string, q *events.ChoiceAsked) (options []string, violations []rules.Violation) {
	var f rules.Findings
	switch {
	case len(named) > max(1, q.Most):
		f.ViolateField(verbAnswer, q.Rule, "%s may choose at most %d, not %d: %s", q.Of, max(1, q.Most), len(named),
			q.Question)
	case q.Most == 0 && len(named) == 0:
		f.ViolateField(verbAnswer, q.Rule, "%s must choose one of %s: %s", q.Of, list(q.Options), q.Question)
	}
	left := slices.Clone(q.Options)
	for _, name := range named {
		at := slices.IndexFunc(left, func(o string) bool { return strings.EqualFold(o, name) })
		if at < 0 {
			f.ViolateField(verbAnswer, rules.Input,
				"%q is not among the options, or not that often; the options are %s", name, list(q.Options))
			continue
		}
		options = append(options, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return options, f.Violations
}

// decodeExactly decodes an entry and takes no key that it does not know: a misspelt one must
// not pass for one left out.
func decodeExactly(body json.RawMessage, into any) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into) == nil
}

func list(options []string) string { return strings.Join(options, ", ") }

func first(options []string) string {
	if len(options) == 0 {
		return "…"
	}
	return options[0]
}
