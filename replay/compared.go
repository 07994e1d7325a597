package replay

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// compared lists what of the drafts is otherwise than recorded, up to the first event that is quite
// another. A hearing that waits for an answer has more to come.
func (w *revisited) compared(drafts []rules.Draft, waits bool) []Finding {
	var list []Finding
	for i := range max(len(drafts), len(w.heard)) {
		if i >= len(w.heard) && waits {
			break
		}
		e := &w.heard[min(i, len(w.heard)-1)]
		finding := Finding{Event: e.Index, Type: e.Type, Command: e.Command, Field: "event", Recorded: words(e.Type)}
		switch {
		case i >= len(w.heard):
			finding.Recorded, finding.Derived = nothingMore, words(drafts[i].Payload.Type())
			finding.Rule = ruleOf(drafts[i].Derivation, nil)
		case i >= len(drafts):
			finding.Derived, finding.Rule = nothingMore, ruleOf(e.Derivation, nil)
		case drafts[i].Payload.Type() != e.Type:
			finding.Derived, finding.Rule = words(drafts[i].Payload.Type()), ruleOf(drafts[i].Derivation, e.Derivation)
		default:
			list = append(list, w.otherwise(drafts[i], e)...)
			continue
		}
		return append(list, finding)
	}
	return list
}

// otherwise lists what of a draft is otherwise than its event, figure by figure.
func (w *revisited) otherwise(d rules.Draft, e *events.Event) []Finding {
	w.keepChance(d.Payload, e)
	var list []Finding
	rule := ruleOf(d.Derivation, e.Derivation)
	found := func(field, recorded, derived string) {
		list = append(list, Finding{Event: e.Index, Type: e.Type, Command: e.Command, Rule: rule, Field: field, Recorded: recorded, Derived: derived})
	}
	if events.EncodePayload(d.Payload) != e.Payload {
		was, _ := events.PayloadOf(e)
		a, b := plain(was), plain(d.Payload)
		unlike("", a, b, func(field, recorded, derived string) {
			found(field, recorded, derived)
			if own := ruleAt(b, a, field); own != "" {
				list[len(list)-1].Rule = own
			}
		})
		if len(list) == 0 {
			found("payload", "bytes of a later version", "none")
		}
	}
	if d.Side != e.Side && !(w.amended && e.Type == "dice_rolled") { // a correction keeps dice as they fell
		found("side", e.Side, d.Side)
	}
	if !w.amended && d.Corrects != e.Corrects {
		found("corrects", fmt.Sprintf("#%d", e.Corrects), fmt.Sprintf("#%d", d.Corrects))
	}
	if !w.amended && d.Replaces != e.Replaces {
		found("replaces", fmt.Sprintf("#%d", e.Replaces), fmt.Sprintf("#%d", d.Replaces))
	}
	stepsApart(e.Derivation, d.Derivation, func(i int, was, is string) { found(fmt.Sprintf("derivation[%d]", i), was, is) })
	for i := range max(len(d.Secrets), len(e.Commitments)) {
		if i >= len(d.Secrets) || i >= len(e.Commitments) || d.Secrets[i].Slot != e.Commitments[i].Slot {
			found("commitments", slots(e.Commitments), secretSlots(d.Secrets))
			break
		}
		s := d.Secrets[i]
		o, open := w.known[events.Ref{Index: e.Index, Slot: s.Slot}]
		if fact, known := s.Fact.Get(); open && known && o.Fact != fact {
			found("commitments."+s.Slot, o.Fact, fact)
		}
	}
	if was, is := refs(e.Openings), draftRefs(d.Opens); was != is {
		found("openings", was, is)
	}
	return list
}

// ruleAt is the rule that the part of a payload names which a field lies in: a modifier's own.
func ruleAt(derived, recorded any, field string) string {
	at := strings.LastIndexAny(field, ".[")
	if at < 0 {
		return ""
	}
	for _, v := range []any{derived, recorded} {
		for step := range strings.FieldsFuncSeq(field[:at], func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
			switch x := v.(type) {
			case map[string]any:
				v = x[step]
			case []any:
				n, err := strconv.Atoi(step)
				if v = nil; err == nil {
					v = item(x, n)
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

// maxCompared bounds what is kept to compare two derivations step by step.
const maxCompared = 1 << 20

// stepsApart hands on the steps in which two derivations differ, one for another as long as there is
// one on either side: a step more leaves those behind it what they are.
func stepsApart(recorded, derived []events.Citation, found func(i int, was, is string)) {
	if len(recorded)*(len(derived)+1) > maxCompared { // no ruling has as many
		for i := range max(len(recorded), len(derived)) {
			if was, is := cited(recorded, i), cited(derived, i); was != is {
				found(i, was, is)
			}
		}
		return
	}
	common := make([][]int, len(recorded)+1) // steps in common from i and j on
	for i := range common {
		common[i] = make([]int, len(derived)+1)
	}
	for i := len(recorded) - 1; i >= 0; i-- {
		for j := len(derived) - 1; j >= 0; j-- {
			if common[i][j] = max(common[i+1][j], common[i][j+1]); recorded[i] == derived[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(recorded) || j < len(derived); {
		more, less := j < len(derived) && common[i][j] == common[i][j+1], i < len(recorded) && common[i][j] == common[i+1][j]
		switch {
		case more && less && common[i][j] == common[i+1][j+1]:
			found(i, cited(recorded, i), cited(derived, j))
			i, j = i+1, j+1
		case more:
			found(i, cited(nil, 0), cited(derived, j))
			j++
		case less:
			found(i, cited(recorded, i), cited(nil, 0))
			i++
		default:
			i, j = i+1, j+1
		}
	}
}

func cited(list []events.Citation, i int) string {
	if i >= len(list) {
		return "nothing"
	}
	return list[i].Rule + ": " + list[i].Step
}

func slots(list []events.Commitment) string {
	var names []string
	for _, c := range list {
		names = append(names, c.Slot)
	}
	return strings.Join(names, ", ")
}

func secretSlots(list []rules.Secret) string {
	var names []string
	for _, s := range list {
		names = append(names, s.Slot)
	}
	return strings.Join(names, ", ")
}

func refs(list []events.Opening) string {
	var names []string
	for _, o := range list {
		names = append(names, fmt.Sprintf("#%d %s", o.Index, o.Slot))
	}
	return strings.Join(names, ", ")
}

func draftRefs(list []events.Ref) string {
	var names []string
	for _, o := range list {
		names = append(names, fmt.Sprintf("#%d %s", o.Index, o.Slot))
	}
	return strings.Join(names, ", ")
}

// plain gives a payload, or a part of one, as JSON values.
func plain(p any) any {
	var v any
	b, err := json.Marshal(p)
	if err == nil {
		_ = json.Unmarshal(b, &v)
	}
	return v
}

// unlike hands on the leaves in which two JSON values differ, in the order of their paths.
func unlike(at string, was, is any, found func(field, was, is string)) {
	if reflect.DeepEqual(was, is) {
		return
	}
	a, mapped := was.(map[string]any)
	b, mappedToo := is.(map[string]any)
	if mapped && mappedToo {
		keys := slices.Collect(maps.Keys(a))
		for k := range b {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range slices.Compact(keys) {
			unlike(strings.TrimPrefix(at+"."+k, "."), a[k], b[k], found)
		}
		return
	}
	x, listed := was.([]any)
	y, listedToo := is.([]any)
	if listed && listedToo {
		for i := range max(len(x), len(y)) {
			unlike(at+"["+strconv.Itoa(i)+"]", item(x, i), item(y, i), found)
		}
		return
	}
	found(at, leaf(was), leaf(is))
}

func item(list []any, i int) any {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// leaf shows a value: a text as it is, anything else as JSON.
func leaf(v any) string {
	switch v := v.(type) {
	case nil:
		return "nothing"
	case string:
		return v
	}
	b, _ := json.Marshal(v)
	return string(b)
}
