package review

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// differences keeps the drafts that differ from what stands, the new ones first.
func (w *priorCommand) differences(drafts []rules.Draft, l layout, dice DiceRuling) ([]rules.Draft, error) {
	if n := len(drafts); !l.open && n-l.fresh+l.to-l.from != len(w.heard) || n < l.from {
		return nil, fmt.Errorf("%w: with these inputs the entry would lead to %d events, not to its %d; report what "+
			"is different as facts instead", ErrNotCorrectable, n, len(w.heard))
	}
	var fresh, differ []rules.Draft
	for i, d := range drafts {
		e := l.of(i)
		if e == nil && l.from >= len(w.heard) {
			return nil, fmt.Errorf("%w: it would lead to more than it did, and nothing of it gives that a place",
				ErrNotCorrectable)
		}
		if e == nil {
			d.Replaces = w.heard[l.from].Index
			if p, ok := d.Payload.(*events.RollDeclared); ok && dice.String() == diceReplaced {
				p.Mode = campaign.Attested
			}
			fresh = append(fresh, d)
			continue
		}
		if d.Payload.Type() != e.Type {
			return nil, fmt.Errorf("%w: event %d would be another, %s instead of %s; report what is different as "+
				"facts instead", ErrNotCorrectable, e.Index, d.Payload.Type().Words(), e.Type.Words())
		}
		rehear.CopyProvenance(d.Payload, e)
		secret, err := w.secretsDiffer(d, e)
		if err != nil {
			return nil, err
		}
		if secret {
			return nil, fmt.Errorf("%w: what event %d commits to would change; say it anew instead", ErrNotCorrectable,
				e.Index)
		}
		if w.stands(e, d) {
			continue
		}
		if !correctable(d.Payload, e) {
			return nil, fmt.Errorf("%w: event %d (%s) %s", ErrNotCorrectable, e.Index, e.Type.Words(), instead(e))
		}
		d.Corrects, d.Opens, d.Secrets = e.Index, nil, nil
		differ = append(differ, d)
	}
	return append(fresh, differ...), nil
}

// withdrawn lists what does not stand any more: the events whose place is taken, and what stood in
// the place of each.
func (w *priorCommand) withdrawn(l layout) []uint64 {
	var list []uint64
	for _, e := range w.heard[l.from:l.to] {
		list = append(list, e.Index)
		for _, by := range w.then.Sources(history.Corrects, e.Index) {
			if w.then.Stands(by) {
				list = append(list, by)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// stands reports whether a draft says what the event says, or its last correction.
func (w *priorCommand) stands(e *events.Event, d rules.Draft) bool {
	if last, ok := w.standing[e.Index]; ok {
		e = last
	}
	same := d.Side == e.Side || e.Type == "dice_rolled" // whose dice they are says the declaration
	return same && events.EncodePayload(d.Payload) == e.Payload && rehear.SameCitations(d.Derivation, e.Derivation)
}

// correctable reports whether event e may become p.
func correctable(p events.Payload, e *events.Event) bool {
	if fact, ok := p.(*events.FactReported); ok && fact.Secret {
		return false
	}
	is, ok := p.(events.Correctable)
	was, _ := events.PayloadOf(e)
	old, stood := was.(events.Correctable)
	return ok && stood && p.Type() == e.Type && slices.Equal(is.Concerns(), old.Concerns())
}

// instead says why an event does not become what a correction would make of it, and what to do.
func instead(e *events.Event) string {
	was, _ := events.PayloadOf(e)
	_, figures := was.(events.Correctable)
	switch {
	case e.Type == "turn_advanced":
		return "stays as it began: what another turn or year would have changed, a compensation makes good"
	case figures:
		return "would concern something else; report what is different as facts instead"
	}
	return "would be another: take the entry back, or dispute it and have it ruled void, and enter " +
		"what was meant anew"
}

// secretsDiffer compares the committed facts of a draft with those recorded.
func (w *priorCommand) secretsDiffer(d rules.Draft, e *events.Event) (bool, error) {
	if len(d.Secrets) != len(e.Commitments) {
		return false, fmt.Errorf("%w: event %d would commit to other things", ErrNotCorrectable, e.Index)
	}
	for i, s := range d.Secrets {
		at := events.Ref{Index: e.Index, Slot: s.Slot}
		o, open := w.known[at]
		fact, known := s.Fact.Get()
		switch {
		case s.Slot != e.Commitments[i].Slot || open && known && o.Fact != fact || !open && !w.trial:
			return true, nil
		case !open: // it could not have been corrected, were it another
			w.sealed = append(w.sealed, at)
		case !known:
			w.sealed = append(w.sealed, s.Fact.Sealed()...)
		}
	}
	return false, nil
}

// public hides the values of changes to what the request seals, and of changes to what holds
// something sealed.
func public(changes []events.Change, shown json.RawMessage) []events.Change {
	var entry any
	_ = json.Unmarshal(shown, &entry)
	sealed := sealedPaths(entry, "")
	list := make([]events.Change, len(changes))
	for i, c := range changes {
		list[i] = c
		if slices.ContainsFunc(sealed, func(path string) bool {
			return within(c.Field, path) || within(path, c.Field)
		}) {
			list[i].Was, list[i].Now = "sealed", "sealed"
		}
	}
	return list
}

// within reports whether a path leads to what is at another, or into it.
func within(path, other string) bool {
	rest, ok := strings.CutPrefix(path, other)
	return ok && (rest == "" || other == "" || rest[0] == '.' || rest[0] == '[')
}

// sealedPaths lists the paths, in the form of a change's field, of what is sealed.
func sealedPaths(v any, at string) []string {
	var paths []string
	switch v := v.(type) {
	case []any:
		for i, item := range v {
			paths = append(paths, sealedPaths(item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	case map[string]any:
		if _, sealed := v["sealed"]; sealed && len(v) == 1 {
			return []string{at}
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			paths = append(paths, sealedPaths(v[key], strings.TrimPrefix(at+"."+key, "."))...)
		}
	}
	return paths
}
