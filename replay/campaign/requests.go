package campaign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/rules"
)

// Request is the recorded form of a command, on the first of its events.
type Request = envelope.Request

// CommandOpen is the command id of a campaign's opening.
const CommandOpen = "open"

// RequestOf gives the recorded form of a command.
func RequestOf(c rules.Command, o rules.Outcome) *Request {
	if o.Request != nil {
		return &Request{Verb: c.Verb, Entry: o.Request}
	}
	return &Request{Verb: c.Verb, Entry: c.Body}
}

// AnswerRequest is the recorded form of an answer: a secret one is not shown.
func AnswerRequest(c rules.Command, q *events.ChoiceAsked) *Request {
	if !q.Secret {
		return &Request{Verb: c.Verb, Entry: c.Body}
	}
	shown := map[string]any{VerbAnswer: map[string]any{q.Of: rules.Sealed(rules.SlotChoice)}}
	if reason := AbsentIn(c.Body); reason != "" {
		shown[keyAbsent] = reason
	}
	entry, _ := json.Marshal(shown)
	return &Request{Verb: c.Verb, Entry: entry}
}

// CommandOf reads a command back from the first of its events.
func CommandOf(e events.Event, known Openings) (rules.Command, error) {
	var r Request
	if err := json.Unmarshal([]byte(e.Request), &r); err != nil {
		return rules.Command{}, fmt.Errorf("event %d: the recorded command does not read: %w", e.Index, err)
	}
	return rules.Command{ID: e.Command, Seat: e.Seat, Verb: r.Verb, Body: rules.Unseal(r.Entry, known.All())}, nil
}

// RequestIn reads the recorded form of a command off an event, zero if it has none.
func RequestIn(e *events.Event) (r Request) {
	_ = json.Unmarshal([]byte(e.Request), &r)
	return r
}

// CheckTurn refuses an entry that was written for another game turn.
func (c *Campaign) CheckTurn(command rules.Command, f *rules.Findings) {
	if turn, _ := c.Game.TurnNow(); command.Turn != "" && command.Turn != turn.Label {
		f.ViolateField("", rules.Input, "this entry is for %s, but the campaign is in %s", command.Turn, turn.Label)
	}
}

// keyAbsent is the key under which the umpire says why he answers in the place of a side.
const keyAbsent = "absent"

// AbsentIn gives the reason for which the umpire answered in the place of a side; empty if the side did.
func AbsentIn(answer json.RawMessage) string {
	var body struct {
		Absent string `json:"absent"`
	}
	_ = json.Unmarshal(answer, &body)
	return body.Absent
}

// answer is the form of an entry that answers a question.
type answer struct {
	Answer map[string]json.RawMessage `json:"answer"`
	Absent *string                    `json:"absent,omitempty" doc:"why the umpire answers in the place of a side"`
}

// InPlaceOf refuses an answer that the umpire gives for a side before its time is over.
func (c *Campaign) InPlaceOf(command rules.Command, now time.Time, f *rules.Findings) {
	q, reason := c.Open, AbsentIn(command.Body)
	if reason == "" {
		return
	}
	until := q.Asked.Add(c.AnswerWithin)
	switch {
	case command.Seat != UmpireSeat:
		f.ViolateField(keyAbsent, rules.Input, "the umpire alone answers in the place of a side; %s answers without it",
			command.Seat)
	case c.AnswerWithin == 0:
		f.ViolateField(keyAbsent, rules.Input, "campaign %s was opened without --answer-within: %s has all the time "+
			"there is", c.Name, q.Of())
	case now.Before(until):
		f.ViolateField(keyAbsent, rules.Input, "%s may answer until %s", q.Of(),
			until.UTC().Format("2006-01-02 15:04:05 UTC"))
	case len(reason) > maxReason:
		f.ViolateField(keyAbsent, rules.Input, "the reason has %d bytes; %d are enough", len(reason), maxReason)
	}
}

// maxReason bounds a reason, in bytes.
const maxReason = 4096

// ReadAnswer reads {"answer": {side: option}} or {"answer": {side: [option, …]}}. The umpire may add why he answers
// in the place of the side: {"answer": {side: option}, "absent": "…"}. The side may go by any name that sideNamed
// knows.
func ReadAnswer(c rules.Command, q *events.ChoiceAsked,
	sideNamed func(string) (string, bool)) ([]string, []rules.Violation) {
	var f rules.Findings
	var body answer
	if !DecodeExactly(c.Body, &body) || len(body.Answer) != 1 {
		f.ViolateField(VerbAnswer, rules.Input, "an answer is one side and what it chooses: answer: {%s: %s}", q.Of,
			first(q.Options))
		return nil, f.Violations
	}
	if body.Absent != nil && strings.TrimSpace(*body.Absent) == "" {
		f.ViolateField(keyAbsent, rules.Input, "why does %s not answer? absent takes a reason", q.Of)
		return nil, f.Violations
	}
	for side, raw := range body.Answer {
		of, known := sideNamed(side)
		umpire := q.Of == "" && slices.Contains([]string{UmpireSeat, theUmpire}, strings.ToLower(side))
		if !strings.EqualFold(side, q.Of) && (!known || of != q.Of) && !umpire {
			unasked := fmt.Sprintf("%s is not asked", of)
			if !known {
				unasked = fmt.Sprintf("there is no side %q", side)
			}
			f.ViolateField(VerbAnswer, q.Rule, "%s; the question is put to %s: %s", unasked, cmp.Or(q.Of, theUmpire),
				q.Question)
			return nil, f.Violations
		}
		named, ok := envelope.Options(raw)
		if !ok {
			f.ViolateField(VerbAnswer, rules.Input, "an answer is an option or a list of options, of %s",
				q.Offered())
			return nil, f.Violations
		}
		return choose(named, q)
	}
	return nil, nil
}

// nothing are the words for a choice of nothing. Each question offers one of them at most, and the other will do.
var nothing = []string{"pass", "none"}

// choose finds the options named among those offered, each as often as it is offered.
func choose(named []string, q *events.ChoiceAsked) (options []string, violations []rules.Violation) {
	var f rules.Findings
	switch {
	case len(named) > max(1, q.Most):
		f.ViolateField(VerbAnswer, q.Rule, "%s may choose at most %d, not %d: %s", q.Of, max(1, q.Most), len(named),
			q.Question)
	case q.Most == 0 && len(named) == 0:
		f.ViolateField(VerbAnswer, q.Rule, "%s must choose one of %s: %s", q.Of, q.Offered(),
			q.Question)
	}
	left := slices.Clone(q.Options)
	for _, name := range named {
		is := func(o string) bool { return strings.EqualFold(o, name) }
		if !slices.ContainsFunc(q.Options, is) && slices.ContainsFunc(nothing, is) {
			is = func(o string) bool { return slices.Contains(nothing, o) }
		}
		at := slices.IndexFunc(left, is)
		if at < 0 {
			f.ViolateField(VerbAnswer, rules.Input,
				"%q is not among the options, or not that often; the options are %s", name,
				q.Offered())
			continue
		}
		options = append(options, left[at])
		left = slices.Delete(left, at, at+1)
	}
	return options, f.Violations
}

// DecodeExactly decodes an entry and takes no key that it does not know: a misspelt one must
// not pass for one left out.
func DecodeExactly(body json.RawMessage, into any) bool {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	return d.Decode(into) == nil
}

func first(options []string) string {
	if len(options) == 0 {
		return "…"
	}
	return options[0]
}

// verbsOf are those that alone begin with events of some types.
var verbsOf = map[events.Type]string{
	"campaign_opened": CommandOpen, "choice_made": VerbAnswer, "corrected": VerbCorrect,
	"consequence_kept": VerbKeep, "edition_moved": VerbEdition, "rules_changed": VerbRules,
	"dice_typed": VerbDice, "dice_denied": VerbConfirm, "dice_rolled": VerbConfirm,
	"roll_lapsed": VerbLapse, "declassified": VerbDeclassify, "secrets_read": VerbRead,
	"seat_keyed": VerbKey, "seat_rekeyed": VerbKey,
	"dispute_opened": VerbDispute, "statement_made": VerbStatement,
	"evidence_brought": VerbEvidence, "dispute_ruled": VerbRuling,
}

// VerbOf gives the verb that alone begins with events of a type; empty where there is none.
func VerbOf(t events.Type) string { return verbsOf[t] }

// BeginsWith gives the verb that alone begins with an event of that type, if there is one.
func BeginsWith(e *events.Event) (verb string, only bool) {
	var rolled events.DiceRolled
	switch fell := e.Read(&rolled); {
	case fell && len(rolled.Links) == 2:
		return VerbLink, true
	case fell && rolled.Typed == UmpireSeat && rolled.Confirmed == "":
		return VerbDice, true
	case fell && rolled.Round != 0:
		return VerbRound, true
	case fell && e.Corrects+e.Replaces == 0 && len(rolled.Links) > 0:
		return VerbUnwitnessed, true
	}
	verb, only = verbsOf[e.Type]
	return verb, only
}

// ReadsRequest reports whether a recorded command has the form in which it is written.
func ReadsRequest(request string) bool {
	var r Request
	if !DecodeExactly([]byte(request), &r) || r.Verb == "" {
		return false
	}
	again, err := json.Marshal(r)
	return err == nil && string(again) == request
}

// RevealEntry is an entry `reveal`.
type RevealEntry struct {
	Reveal struct {
		Event  uint64 `json:"event" need:"" doc:"that holds it"`
		Slot   string `json:"slot,omitempty" doc:"card, say; all that the event holds by default"`
		Reason string `json:"reason" need:"" doc:"for the players"`
	} `json:"reveal"`
}

// Disclosed is the draft of one fact disclosed.
func Disclosed(o events.Opening, reason string) rules.Draft {
	return rules.Draft{
		Payload:    &events.Opened{Event: o.Index, Slot: o.Slot, Fact: o.Fact, Reason: reason},
		Derivation: []events.Citation{{Rule: "GEN-SECRET", Step: "the umpire discloses what was committed"}},
		Opens:      []events.Ref{{Index: o.Index, Slot: o.Slot}},
	}
}
