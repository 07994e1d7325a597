package timeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
)

// ruled is where a rule was applied: the events that name it, in order.
type ruled struct {
	id     string // as it was written first
	events []uint64
}

// What an event does with a rule.
const (
	RuleCited    = "applied"  // a step of what the event follows from
	RuleModifier = "modifier" // it gives a modifier of a roll
	RuleCap      = "cap"      // it limits what is taken
	RuleQuestion = "question" // it gives a choice, or leaves something open
	RuleOption   = "option"   // a reading of it is settled
	RuleClaim    = "claim"    // a dispute rests on it, or a refusal that is disputed
	RuleRuling   = "ruling"   // the ruling on a dispute rests on it
)

// RuleText is what an event records under a rule.
type RuleText struct {
	Kind  string `json:"kind"`
	Words string `json:"words"`
}

// naming calls yield with every rule that an event names, and with what it says of it.
func naming(e *events.Event, yield func(id string, answer RuleText)) {
	for _, c := range e.Derivation {
		yield(c.Rule, RuleText{RuleCited, c.Step})
	}
	modifiers := func(list []events.Modifier) {
		for _, m := range list {
			yield(m.Rule, RuleText{RuleModifier, fmt.Sprintf("%+d %s", m.Value, m.Name)})
		}
	}
	options := func(list []events.Option) {
		for _, o := range list {
			yield(o.Rule, RuleText{RuleOption, o.Name + ": " + o.Value})
		}
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		options(p.Options)
	case *events.EditionMoved:
		options(p.Options)
	case *events.RollDeclared:
		modifiers(p.Modifiers)
	case *events.ResultAdjudicated:
		modifiers(p.Modifiers)
	case *events.ConvoyRaided:
		yield(p.Cap, RuleText{RuleCap, "it took a part of what " + p.Victim + " would have lost"})
	case *events.ChoiceAsked:
		yield(p.Rule, RuleText{RuleQuestion, p.Question})
	case *events.Referred:
		yield(p.Rule, RuleText{RuleQuestion, p.Question})
	case *events.OptionRuled:
		yield(p.Rule, RuleText{RuleOption, p.Option + ": " + p.Value + ", in place of " + p.Was})
	case *events.DisputeOpened:
		yield(p.Rule, RuleText{RuleClaim, p.Claim})
		for _, v := range p.Violations {
			yield(v.Rule, RuleText{RuleClaim, v.Step})
		}
	case *events.DisputeRuled:
		for _, id := range p.Rules {
			yield(id, RuleText{RuleRuling, narrator.Ruling(p.Ruling, p.Scope, "") + ": " + p.Reason})
		}
	}
}

// rule notes which rules an event names.
func (it *Index) rule(e *events.Event) {
	naming(e, func(id string, _ RuleText) {
		if id == "" {
			return
		}
		if it.ruled == nil {
			it.ruled = map[string]ruled{}
		}
		key := strings.ToUpper(id)
		r := it.ruled[key]
		if len(r.events) == 0 {
			r.id = id
		}
		if n := len(r.events); n == 0 || r.events[n-1] != e.Index {
			r.events = append(r.events, e.Index)
			it.ruled[key] = r
		}
	})
}

// saidOf is what an event says of a rule, each thing once.
func saidOf(e *events.Event, id string) (list []RuleText) {
	naming(e, func(other string, answer RuleText) {
		if strings.EqualFold(other, id) && !slices.Contains(list, answer) {
			list = append(list, answer)
		}
	})
	return list
}

// before gives the rule as it was after so many events.
func (r ruled) before(at uint64) ruled {
	n, _ := slices.BinarySearch(r.events, at)
	r.events = r.events[:n]
	return r
}

// byNumber orders ids as people count: numbers in them as numbers.
func byNumber(a, b string) int {
	for a != "" && b != "" {
		x, y := leading(a), leading(b)
		a, b = a[len(x):], b[len(y):]
		if isDigit(x[0]) && isDigit(y[0]) {
			p, q := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
			if len(p) != len(q) {
				return len(p) - len(q)
			}
			x, y = p, q
		}
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
	}
	return len(a) - len(b)
}

// leading is the number that a text begins with, or what stands before the first.
func leading(s string) string {
	n := 1
	for n < len(s) && isDigit(s[n]) == isDigit(s[0]) {
		n++
	}
	return s[:n]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
