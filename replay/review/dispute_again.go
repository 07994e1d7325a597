package review

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
)

// WhySealed holds the reasons for which a disputed refusal is committed: the one recorded now, and the one recorded
// before the broken rules were committed too.
var WhySealed = []string{
	"the entry, the rules that it broke and what was said of it are committed: they may tell a hidden card",
	"the entry and what was said of it are committed: they may name a hidden card",
}

// disputeAgain holds an event of a dispute to the entry that led to it.
func (b *trialRun) disputeAgain(c *campaign.Campaign, e *events.Event, verb string) error {
	h := Heard{Command: e.Command, Verb: verb, First: e.Index, Events: 1, of: []uint64{e.Index}}
	outer := b.envelope(c, e) // also where it is not heard: what it orders carries no request of its own
	if e.Index < b.trial.From {
		return nil
	}
	h.Findings = slices.Concat(outer, rehear.Aside(e), underived(e))
	p, _ := events.PayloadOf(e)
	recorded, _ := diff.Plain(p).(map[string]any)
	typed := entryWords(verb, campaign.RequestIn(e).Entry)
	for _, x := range typed {
		if is := recorded[x.field]; !reflect.DeepEqual(is, x.value) && (is != nil || !empty(x.value)) {
			h.Findings = append(h.Findings, Finding{
				Event: e.Index, Type: e.Type, Command: e.Command, Field: x.field, Recorded: diff.Leaf(is),
				Derived: diff.Leaf(x.value),
			})
		}
	}
	var own map[string]struct{ By string }
	if json.Unmarshal(campaign.RequestIn(e).Entry, &own) == nil && own[verb].By != "" &&
		!strings.EqualFold(own[verb].By, e.Seat) {
		h.Findings = append(h.Findings, envelopeFinding(e, "seat", e.Seat, own[verb].By))
	}
	return b.each(h)
}

// underived finds a derivation in what follows from no rule. That something is sealed is the one reason it may have.
func underived(e *events.Event) (list []Finding) {
	sealed := e.Type == "dispute_opened" && len(e.Commitments) > 0 && len(e.Derivation) == 1 &&
		e.Derivation[0].Rule == "GEN-SECRET" && slices.Contains(WhySealed, e.Derivation[0].Step)
	if sealed || len(e.Derivation) == 0 && (e.Type != "dispute_opened" || len(e.Commitments) == 0) {
		return nil
	}
	was := "nothing"
	if len(e.Derivation) > 0 {
		was = e.Derivation[0].Rule + ": " + e.Derivation[0].Step
	}
	return []Finding{envelopeFinding(e, "derivation", was, "nothing but why it is sealed")}
}

// word is one field of what an entry says.
type word struct {
	field string
	value any
}

// entryWords lists what an entry of a dispute says, as its event should have it.
func entryWords(verb string, entry json.RawMessage) []word {
	var body map[string]json.RawMessage
	var own map[string]any
	_ = json.Unmarshal(entry, &body)
	_ = json.Unmarshal(body[verb], &own) // else nothing was typed
	text := func(field string) word {
		s, _ := own[field].(string)
		return word{field, strings.TrimSpace(s)}
	}
	switch verb {
	case campaign.VerbDispute:
		list := []word{text("claim"), {"rule", strings.ToUpper(text("rule").value.(string))}}
		if event, ok := own["event"]; ok {
			list = append(list, word{"event", event})
		}
		return list
	case campaign.VerbStatement:
		return []word{{"dispute", own["dispute"]}, text("text")}
	case campaign.VerbEvidence:
		shown, _ := own["events"].([]any)
		shown = slices.Clone(shown)
		slices.SortFunc(shown, func(a, b any) int {
			x, _ := a.(float64)
			y, _ := b.(float64)
			return cmp.Compare(x, y)
		})
		shown = slices.CompactFunc(shown, func(a, b any) bool { return a == b })
		return []word{{"dispute", own["dispute"]}, {"events", shown}, text("note")}
	}
	scope := ScopeOf(RulingEntry{Ruling: text("ruling").value.(string), Scope: text("scope").value.(string)})
	return []word{{"dispute", own["dispute"]}, text("ruling"), text("reason"), {"rules", rulesNamed(own)},
		{"scope", scope}}
}

// rulesNamed lists the rules that a ruling names, each once.
func rulesNamed(own map[string]any) any {
	var list []any
	named, _ := own["rules"].([]any)
	for _, v := range append([]any{own["rule"]}, named...) {
		id, _ := v.(string)
		if id = strings.ToUpper(strings.TrimSpace(id)); id != "" && !slices.Contains(list, any(id)) {
			list = append(list, id)
		}
	}
	return list
}

// empty reports whether a value is left out of a payload.
func empty(v any) bool {
	list, ok := v.([]any)
	return v == nil || v == "" || v == float64(0) || ok && len(list) == 0
}

// RulingEntry is the umpire's ruling as it is typed. What else stands in the entry is a correction's.
type RulingEntry struct {
	Dispute *uint64  `json:"dispute"`
	Ruling  string   `json:"ruling"`
	Reason  string   `json:"reason"`
	Rule    string   `json:"rule"`
	Rules   []string `json:"rules"`
	Scope   string   `json:"scope"`
	Event   *uint64  `json:"event"` // corrected or void, where that is another than the contested one
}

// ScopeOf fills in how far a ruling reaches where it does not say.
func ScopeOf(b RulingEntry) string {
	switch {
	case b.Scope != "":
		return b.Scope
	case b.Ruling == events.RulingPrecedent:
		return events.ScopeCampaign
	}
	return events.ScopeEvent
}
