package whatif

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/replay/rehear"
)

// compare notes what differs between events of the record and those here.
func (w *run) compare(recorded, made []events.Event) {
	for _, p := range pairs(recorded, made) {
		switch {
		case p.here == nil:
			p.here = w.late(p.there, true)
		case p.there == nil:
			p.there = w.late(p.here, false)
		}
		d := Difference{Recorded: p.there, Hypothetical: p.here}
		if p.there == nil || p.here == nil {
			w.differ(d)
			continue
		}
		w.places[p.there.Index-w.From] = p.here.Index + 1
		if len(p.there.Commitments)+len(p.here.Commitments) > 0 {
			d.Secrets = w.secrets(p.there, p.here)
		}
		if !w.alike(p.there, p.here) {
			d.Fields, d.Reasons = w.fields(p.there, p.here), reasons(p.there.Derivation, p.here.Derivation)
		}
		if len(d.Fields)+len(d.Reasons)+len(d.Secrets) > 0 {
			w.differ(d)
		}
	}
}

// late finds, among what had no counterpart so far, that of an event: what a command led to may
// come with another's step than in the record.
func (w *run) late(e *events.Event, recorded bool) *events.Event {
	waiting := w.alone[e.Command]
	for n, i := range waiting {
		d := &w.Differences[i]
		other := d.Recorded
		if recorded {
			other = d.Hypothetical
		}
		if other != nil && about(other) == about(e) {
			if d.Recorded != nil {
				delete(w.otherwise, d.Recorded.Index)
			}
			d.Recorded, d.Hypothetical = nil, nil // noted where the two are
			w.alone[e.Command] = slices.Delete(waiting, n, n+1)
			return other
		}
	}
	return nil
}

func (w *run) differ(d Difference) {
	if d.Recorded == nil {
		w.alone[d.Hypothetical.Command] = append(w.alone[d.Hypothetical.Command], len(w.Differences))
	} else if d.Hypothetical == nil {
		w.alone[d.Recorded.Command] = append(w.alone[d.Recorded.Command], len(w.Differences))
	}
	if d.heard = w.Heard; d.Recorded != nil {
		w.otherwise[d.Recorded.Index] = true
	}
	w.Differences = append(w.Differences, d)
}

// pair is an event of the record and the one that stands in its place here.
type pair struct{ there, here *events.Event }

// about is what an event says something of: its type and side, and what its figures concern.
func about(e *events.Event) string {
	p, _ := events.PayloadOf(e)
	switch p := p.(type) {
	case *events.ConvoyRaided:
		return fmt.Sprintf("%s/%s/%q", e.Type, e.Side, p.Submarine)
	case *events.FactReported:
		return fmt.Sprintf("%s/%s/%q/%q", e.Type, e.Side, p.Fact, p.Subject)
	case events.Correctable:
		return fmt.Sprintf("%s/%s/%q", e.Type, e.Side, p.Concerns())
	}
	return fmt.Sprintf("%s/%s", e.Type, e.Side)
}

// pairs sets the events of a command side by side: those about the same in their order, as many as come in both, and
// where there are several ways the earliest. Of more than a thousand on either side it pairs what both begin with.
func pairs(there, here []events.Event) (list []pair) {
	same := func(i, j int) bool {
		return there[i].Type == here[j].Type && (there[i].Payload == here[j].Payload ||
			about(&there[i]) == about(&here[j]))
	}
	i, j := 0, 0
	for _, k := range append(diff.CommonFunc(len(there), len(here), same), [2]int{len(there), len(here)}) {
		for ; i < k[0]; i++ {
			list = append(list, pair{there: &there[i]})
		}
		for ; j < k[1]; j++ {
			list = append(list, pair{here: &here[j]})
		}
		if i < len(there) && j < len(here) {
			list = append(list, pair{&there[i], &here[j]})
			i, j = i+1, j+1
		}
	}
	return list
}

// alike reports whether two events say the same, so far as that shows without decoding them.
func (w *run) alike(there, here *events.Event) bool {
	return there.Index == here.Index && there.Payload == here.Payload && there.Corrects == here.Corrects &&
		there.Replaces == here.Replaces &&
		there.Seat == here.Seat && there.Side == here.Side && there.Turn == here.Turn && there.Phase == here.Phase &&
		rehear.SameCitations(there.Derivation, here.Derivation)
}

// fields lists the fields in which two events differ: the envelope's and the payload's.
func (w *run) fields(there, here *events.Event) []FieldDifference {
	var list []FieldDifference
	add := func(field, was, is string) {
		if was != is {
			list = append(list, FieldDifference{field, was, is})
		}
	}
	add("turn", there.Turn.Label, here.Turn.Label)
	add("phase", there.Phase, here.Phase)
	add("seat", there.Seat, here.Seat)
	list = append(list, differing(w.fieldsIn(there, true), w.fieldsIn(here, false))...)
	corrects, _ := w.place(there.Corrects)
	add("corrects", fmt.Sprint(corrects), fmt.Sprint(here.Corrects))
	replaces, _ := w.place(there.Replaces)
	add("replaces", fmt.Sprint(replaces), fmt.Sprint(here.Replaces))
	return list
}

// reasons lists the steps of two derivations that are not in both, those of a rule side by side.
func reasons(there, here []events.Citation) (list []FieldDifference) {
	is := slices.Clone(here)
	var was []events.Citation
	for _, c := range there {
		if i := slices.Index(is, c); i >= 0 {
			is = slices.Delete(is, i, i+1)
		} else {
			was = append(was, c)
		}
	}
	for _, c := range was {
		d := FieldDifference{Field: c.Rule, Recorded: c.Step}
		if i := slices.IndexFunc(is, func(k events.Citation) bool { return k.Rule == c.Rule }); i >= 0 {
			d.Hypothetical = is[i].Step
			is = slices.Delete(is, i, i+1)
		}
		list = append(list, d)
	}
	for _, c := range is {
		list = append(list, FieldDifference{Field: c.Rule, Hypothetical: c.Step})
	}
	return list
}

// pathed is a figure or word of a payload, with its path.
type pathed struct{ path, value string }

// fieldsIn gives the payload of an event field by field; indexes of events of the record are replaced by
// their places here, and what only the dice box knows is left out.
func (w *run) fieldsIn(e *events.Event, moved bool) []pathed {
	p, err := events.PayloadOf(e)
	if err != nil {
		return []pathed{{"payload", e.Payload}}
	}
	switch p := p.(type) {
	case *events.RollDeclared:
		p.Sources = nil
	case *events.DrawDeclared:
		p.Source = events.Source{}
	case *events.DiceRolled:
		p.Links = nil
	case *events.EpochBegun:
		p.Chains = nil
	}
	if moved {
		w.move(p, e.Index)
	}
	text, err := json.Marshal(p)
	if err != nil {
		return []pathed{{"payload", e.Payload}}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return read(d, "", nil)
}

// move gives every index of an event of the record its place here, but for those that did not yet happen when the event
// was recorded that names them.
func (w *run) move(p events.Payload, recorded uint64) {
	for _, index := range events.Refs(p) {
		if *index >= recorded {
			continue
		}
		at, ok := w.place(*index)
		if !ok {
			at = nowhere
		}
		*index = at
	}
}

// nowhere is the index of what does not happen here.
const nowhere = math.MaxUint64

// read lists the leaves of a JSON value in their order. An item that has a name is called by it.
func read(d *json.Decoder, at string, list []pathed) []pathed {
	token, err := d.Token()
	if err != nil {
		return list
	}
	switch token {
	case json.Delim('{'):
		for d.More() {
			key, _ := d.Token()
			path := fmt.Sprint(key)
			if at != "" {
				path = at + "." + path
			}
			list = read(d, path, list)
		}
		_, _ = d.Token()
		return list
	case json.Delim('['):
		seen := map[string]int{}
		for i := 0; d.More(); i++ {
			item := read(d, "", nil)
			path := fmt.Sprintf("%s[%d]", at, i)
			if len(item) > 1 && (item[0].path == "name" || item[0].path == "throw") {
				if path = at + "." + item[0].value; seen[item[0].value] > 0 {
					path += fmt.Sprintf("[%d]", seen[item[0].value])
				}
				seen[item[0].value]++
				item = item[1:]
			}
			for _, l := range item {
				switch l.path {
				case "":
					list = append(list, pathed{path, l.value})
				case "value":
					list = append(list, pathed{path, l.value})
				default:
					list = append(list, pathed{path + "." + l.path, l.value})
				}
			}
		}
		_, _ = d.Token()
		return list
	}
	if token == nil {
		return list
	}
	return append(list, pathed{at, fmt.Sprint(token)})
}

// differing lists the leaves that differ, in the order of the first list and then of the second.
func differing(there, here []pathed) []FieldDifference {
	is, was := map[string]string{}, map[string]bool{}
	for _, l := range here {
		is[l.path] = l.value
	}
	var list []FieldDifference
	for _, l := range there {
		was[l.path] = true
		if is[l.path] != l.value && l.value != fmt.Sprint(uint64(nowhere)) {
			list = append(list, FieldDifference{l.path, l.value, is[l.path]})
		}
	}
	for _, l := range here {
		if !was[l.path] {
			list = append(list, FieldDifference{l.path, "", l.value})
		}
	}
	return list
}

// secrets lists the committed facts that differ.
func (w *run) secrets(there, here *events.Event) []FieldDifference {
	facts := func(known []events.Opening) []pathed {
		var list []pathed
		for _, o := range known {
			list = append(list, pathed{o.Slot, o.Fact})
		}
		slices.SortFunc(list, func(a, b pathed) int { return cmp.Compare(a.path, b.path) })
		return list
	}
	return differing(facts(w.known.Of(there)), facts(w.branch.opened.Of(here)))
}
