package rehear

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/rules"
)

// Recording holds the recorded events of a command.
type Recording struct {
	Events []events.Event
	Known  Openings // of their commitments; what is not open is not compared
}

// Finding is one thing that comes out otherwise than recorded.
type Finding struct {
	Event    uint64      `json:"event"`
	Type     events.Type `json:"type"`
	Command  string      `json:"command"`
	Rule     string      `json:"rule,omitempty"` // that leads elsewhere, as far as the derivation tells
	Field    string      `json:"field"`          // "net", "derivation[2]", "verdict"
	Recorded string      `json:"recorded"`
	Derived  string      `json:"derived"`
}

func (f Finding) String() string {
	return fmt.Sprintf("#%d %s (%s): recorded %s, derived %s", f.Event, f.Field, f.Rule, f.Recorded, f.Derived)
}

// nothingMore stands for an event where there is none.
const nothingMore = "nothing more"

// Compare lists what of the drafts that follow from a command is otherwise than recorded, up to the first event that is
// quite another, and what is derived in the place of events: nothing, one draft, or several. A judgement that waits for
// an answer has more to come.
func Compare(recorded Recording, drafts []rules.Draft, waits bool) (list []Finding, derived map[uint64][]rules.Draft) {
	derived = map[uint64][]rules.Draft{}
	heard := recorded.Events
	for i := range max(len(drafts), len(heard)) {
		if i >= len(heard) && waits {
			break
		}
		e := &heard[min(i, len(heard)-1)]
		finding := Finding{Event: e.Index, Type: e.Type, Command: e.Command, Field: "event", Recorded: e.Type.Words()}
		switch {
		case i >= len(heard):
			finding.Recorded, finding.Derived = nothingMore, drafts[i].Payload.Type().Words()
			finding.Rule = ruleOf(drafts[i].Derivation, nil)
			derived[e.Index] = drafts[i-1:]
			return append(list, finding), derived
		case i >= len(drafts):
			finding.Derived, finding.Rule = nothingMore, ruleOf(e.Derivation, nil)
		case drafts[i].Payload.Type() != e.Type:
			finding.Derived, finding.Rule = drafts[i].Payload.Type().Words(), ruleOf(drafts[i].Derivation, e.Derivation)
		default:
			if found := recorded.otherwise(drafts[i], e); len(found) > 0 {
				list, derived[e.Index] = append(list, found...), drafts[i:i+1]
			}
			continue
		}
		derived[e.Index] = drafts[min(i, len(drafts)):] // from here on it is another course
		for _, e := range heard[i+1:] {
			derived[e.Index] = nil
		}
		return append(list, finding), derived
	}
	return list, derived
}

// otherwise lists what of a draft is otherwise than its event, figure by figure.
func (r Recording) otherwise(d rules.Draft, e *events.Event) []Finding {
	CopyProvenance(d.Payload, e)
	var list []Finding
	rule := ruleOf(d.Derivation, e.Derivation)
	found := func(field, recorded, derived string) {
		list = append(list, Finding{Event: e.Index, Type: e.Type, Command: e.Command, Rule: rule, Field: field,
			Recorded: recorded, Derived: derived})
	}
	if events.EncodePayload(d.Payload) != e.Payload {
		was, _ := events.PayloadOf(e)
		a, b := diff.Plain(was), diff.Plain(d.Payload)
		diff.JSON(a, b, func(field, recorded, derived string) {
			found(field, recorded, derived)
			if own := ruleAt(b, a, field); own != "" {
				list[len(list)-1].Rule = own
			}
		})
		if len(list) == 0 {
			found("payload", "bytes of a later version", "none")
		}
	}
	if d.Side != e.Side {
		found("side", e.Side, d.Side)
	}
	if d.Corrects != e.Corrects {
		found("corrects", fmt.Sprintf("#%d", e.Corrects), fmt.Sprintf("#%d", d.Corrects))
	}
	if d.Replaces != e.Replaces {
		found("replaces", fmt.Sprintf("#%d", e.Replaces), fmt.Sprintf("#%d", d.Replaces))
	}
	CompareDerivations(e.Derivation, d.Derivation, found)
	for i := range max(len(d.Secrets), len(e.Commitments)) {
		if i >= len(d.Secrets) || i >= len(e.Commitments) || d.Secrets[i].Slot != e.Commitments[i].Slot {
			found("commitments",
				joined(e.Commitments, func(c events.Commitment) string { return c.Slot }),
				joined(d.Secrets, func(s rules.Secret) string { return s.Slot }))
			break
		}
		s := d.Secrets[i]
		o, open := r.Known[events.Ref{Index: e.Index, Slot: s.Slot}]
		if fact, known := s.Fact.Get(); open && known && o.Fact != fact {
			found("commitments."+s.Slot, o.Fact, fact)
		}
	}
	was := joined(e.Openings, func(o events.Opening) string { return fmt.Sprintf("#%d %s", o.Index, o.Slot) })
	is := joined(d.Opens, func(o events.Ref) string { return fmt.Sprintf("#%d %s", o.Index, o.Slot) })
	if was != is {
		found("openings", was, is)
	}
	return list
}

// CompareDerivations calls found for each step in which two derivations differ, as a field of the event.
func CompareDerivations(recorded, derived []events.Citation, found func(field, was, is string)) {
	cited := func(c *events.Citation) string {
		if c == nil {
			return "nothing"
		}
		return c.Rule + ": " + c.Step
	}
	diff.Items(recorded, derived, func(i int, was, is *events.Citation) {
		found(fmt.Sprintf("derivation[%d]", i), cited(was), cited(is))
	})
}

// ruleAt is the rule that the part of a payload names which a field lies in: a modifier's own.
func ruleAt(derived, recorded any, field string) string {
	at := strings.LastIndexAny(field, ".[")
	if at < 0 {
		return ""
	}
	for _, v := range []any{derived, recorded} {
		for step := range strings.FieldsFuncSeq(field[:at], func(r rune) bool {
			return strings.ContainsRune(".[]", r)
		}) {
			switch x := v.(type) {
			case map[string]any:
				v = x[step]
			case []any:
				n, err := strconv.Atoi(step)
				if v = nil; err == nil && n < len(x) {
					v = x[n]
				}
			}
		}
		if part, ok := v.(map[string]any); ok {
			if rule, ok := part["rule"].(string); ok && rule != "" {
				return rule
			}
		}
	}
	return ruleAt(derived, recorded, field[:at])
}

// ruleOf is the rule at which two derivations part, or the last one that was applied.
func ruleOf(derived, recorded []events.Citation) string {
	for i := range max(len(derived), len(recorded)) {
		switch {
		case i < len(derived) && i < len(recorded) && derived[i] == recorded[i]:
			continue
		case i < len(derived):
			return derived[i].Rule
		}
		return recorded[i].Rule
	}
	if len(derived) > 0 {
		return derived[len(derived)-1].Rule
	}
	return ""
}

// Aside finds a side, or another event, named by an event that names none.
func Aside(e *events.Event) (list []Finding) {
	named := func(field, recorded, derived string) {
		list = append(list, Finding{Event: e.Index, Type: e.Type, Command: e.Command, Field: field, Recorded: recorded,
			Derived: derived})
	}
	if e.Side != "" {
		named("side", e.Side, "none")
	}
	if e.Corrects != 0 {
		named("corrects", fmt.Sprintf("#%d", e.Corrects), "nothing")
	}
	if e.Replaces != 0 {
		named("replaces", fmt.Sprintf("#%d", e.Replaces), "nothing")
	}
	return list
}

// CopyProvenance copies into a payload what only the source of the answers knew, from the event that records it: the
// links, or the seats that vouch for the dice.
func CopyProvenance(p events.Payload, e *events.Event) {
	was, _ := events.PayloadOf(e)
	switch p := p.(type) {
	case *events.RollDeclared:
		if was, ok := was.(*events.RollDeclared); ok { // else it does not read
			p.Sources, p.Mode, p.Round, p.First, p.Ordinal = was.Sources, was.Mode, was.Round, was.First, was.Ordinal
		}
	case *events.DrawDeclared:
		if was, ok := was.(*events.DrawDeclared); ok {
			p.Source, p.Round = was.Source, was.Round
		}
	case *events.DiceRolled:
		if was, ok := was.(*events.DiceRolled); ok {
			p.Links, p.Typed, p.Confirmed = was.Links, was.Typed, was.Confirmed
			p.Round, p.Signature, p.Note = was.Round, was.Signature, was.Note
		}
	}
}

// joined lists things by name.
func joined[T any](list []T, name func(T) string) string {
	return strings.Join(rules.Each(list, name), ", ")
}

// AsDerived is an event as the rules have it.
func AsDerived(e events.Event, d rules.Draft) events.Event {
	if d.Payload.Type() != e.Type {
		e.Commitments, e.Openings = nil, nil
	}
	e.Type, e.Payload, e.Derivation = d.Payload.Type(), events.EncodePayload(d.Payload), d.Derivation
	e.Side = d.Side
	return e
}

// SameCitations reports whether two derivations are the same.
func SameCitations(a, b []events.Citation) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}

// SameEntry reports whether two entries have the same value as JSON.
func SameEntry(a, b json.RawMessage) bool {
	read := func(raw json.RawMessage) (v any, ok bool) {
		d := json.NewDecoder(bytes.NewReader(raw))
		d.UseNumber()
		ok = d.Decode(&v) == nil
		return v, ok
	}
	x, readsA := read(a)
	y, readsB := read(b)
	return readsA && readsB && reflect.DeepEqual(x, y)
}
