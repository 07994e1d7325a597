package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Correction replaces inputs of an earlier command.
type Correction struct {
	ID     string // command id of the correction itself; empty to derive one
	Event  uint64 // any event of the command to correct
	Code   string // why, in a word: "mistyped", "forgotten"
	Reason string // why, in a sentence
	// Source is the correction as it was submitted. The same source for the same event is the
	// same correction again. Without a source, the same corrected entry is.
	Source []byte
	// Replace gives the entry as it should have been, and what changed in it.
	Replace func(entry json.RawMessage) (json.RawMessage, []events.Change, error)
}

// ErrNotCorrectable is wrapped when a correction would need more than other figures: dice
// that were never rolled, cards that were never drawn, a different course of play.
var ErrNotCorrectable = errors.New("a correction changes figures and results, no more")

// Correct judges the command behind an event again, on the state before it, with other
// inputs and the recorded dice, and appends what comes out differently. The original events
// stand.
func (u *Umpire) Correct(id ulid.ULID, k Correction) (Answer, error) {
	t, err := u.table(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if len(k.Source) > 0 {
		if k.ID == "" {
			k.ID = correctionID(t, k.Event, k.Source)
		}
		digest := events.CommandDigest(t.secrets.first(), k.ID, k.Source)
		if a, done, err := u.answered(id, k.ID, digest); done || err != nil {
			return a, err
		}
	}
	w, err := u.revisit(t, k.Event)
	if err != nil {
		return Answer{}, err
	}
	entry, changes, err := k.Replace(w.command.Body)
	if err != nil {
		return Answer{}, err
	}
	if len(k.Source) == 0 {
		k.Source = entry
	}
	if k.ID == "" {
		k.ID = correctionID(t, k.Event, k.Source)
	}
	digest := events.CommandDigest(t.secrets.first(), k.ID, k.Source)
	if a, done, err := u.answered(id, k.ID, digest); done || err != nil {
		return a, err
	}
	p, violations, err := w.correct(t, k, entry, changes)
	if err != nil || len(violations) > 0 {
		return Answer{Command: k.ID, Verdict: rules.Refused, Violations: violations}, err
	}
	return u.append(t, k.ID, digest, []part{p}, Answer{Command: k.ID, Verdict: rules.Allowed})
}

// correctionID names a correction by what it says.
func correctionID(t *table, event uint64, source []byte) string {
	return fmt.Sprintf("correct/%d/%s", event, events.CommandDigest(t.secrets.first(), "correct", source).String()[:8])
}

// correct judges the command with the corrected entry and gives the events that follow.
func (w *revisited) correct(t *table, k Correction, entry json.RawMessage, changes []events.Change) (part, []rules.Violation, error) {
	c := w.command
	c.Body = entry
	o, err := w.again(t, c)
	if err != nil || o.Verdict == rules.Refused {
		return part{}, o.Violations, err
	}
	drafts, err := w.differences(o.Drafts)
	if err != nil {
		return part{}, nil, err
	}
	if len(drafts) == 0 {
		return part{}, nil, fmt.Errorf("%w: with these inputs every result is what it is", ErrNotCorrectable)
	}
	shown := requestOf(c, o).Entry
	head := rules.Draft{Payload: &events.Corrected{
		Event: k.Event, Command: c.ID, Code: k.Code, Reason: k.Reason, Changes: public(changes, shown),
	}}
	return part{
		command: k.ID, seat: UmpireSeat, request: &Request{Verb: verbCorrect, Entry: shown}, drafts: append([]rules.Draft{head}, drafts...),
	}, nil, nil
}

// again judges the command with the recorded answers.
func (w *revisited) again(t *table, c rules.Command) (rules.Outcome, error) {
	recorded, err := recordedAnswers(t.campaign, t.secrets, w.heard, w.known)
	if err != nil {
		return rules.Outcome{}, err
	}
	j := &judgement{
		campaign: t.campaign, secrets: t.secrets, before: w.before, command: c, answers: recorded, dry: true,
		place: func(n int) uint64 {
			if n < len(w.heard) {
				return w.heard[n].Index
			}
			return w.heard[len(w.heard)-1].Index
		},
	}
	o, err := j.run()
	if err == nil && o.Verdict != rules.Refused && o.Need != nil {
		err = fmt.Errorf("%w: it would call for an answer, dice or cards that the record does not have", ErrNotCorrectable)
	}
	return o, err
}

// differences keeps the drafts that differ from what stands.
func (w *revisited) differences(drafts []rules.Draft) ([]rules.Draft, error) {
	if len(drafts) != len(w.heard) {
		return nil, fmt.Errorf("%w: with these inputs the entry would lead to %d events, not to its %d; report what is different as facts instead", ErrNotCorrectable, len(drafts), len(w.heard))
	}
	var differ []rules.Draft
	for i, d := range drafts {
		e := &w.heard[i]
		if d.Payload.Type() != e.Type {
			return nil, fmt.Errorf("%w: event %d would be another, %s instead of %s; report what is different as facts instead", ErrNotCorrectable, e.Index, words(d.Payload.Type()), words(e.Type))
		}
		w.keepChance(d.Payload, e)
		secret, err := w.secretsDiffer(d, e)
		if err != nil {
			return nil, err
		}
		if secret {
			return nil, fmt.Errorf("%w: what event %d commits to would change; say it anew instead", ErrNotCorrectable, e.Index)
		}
		if w.stands(i, d) {
			continue
		}
		if !correctable(d.Payload, e) {
			return nil, fmt.Errorf("%w: event %d (%s) would concern something else; report what is different as facts instead", ErrNotCorrectable, e.Index, words(e.Type))
		}
		d.Corrects, d.Opens, d.Secrets = e.Index, nil, nil
		differ = append(differ, d)
	}
	return differ, nil
}

// stands reports whether a draft says what the i-th event says, or its last correction.
func (w *revisited) stands(i int, d rules.Draft) bool {
	e := &w.heard[i]
	if last, ok := w.standing[e.Index]; ok {
		e = last
	}
	same := d.Side == e.Side || e.Type == "dice_rolled" // whose dice they are says the declaration
	return same && events.EncodePayload(d.Payload) == e.Payload && sameCitations(d.Derivation, e.Derivation)
}

// words is what a type of event says: "income collected".
func words(t events.Type) string { return strings.ReplaceAll(string(t), "_", " ") }

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

// keepChance copies what only the dice box knew from the recorded event.
func (w *revisited) keepChance(p events.Payload, e *events.Event) {
	was, _ := events.PayloadOf(e)
	switch p := p.(type) {
	case *events.RollDeclared:
		p.Sources, p.Mode = was.(*events.RollDeclared).Sources, was.(*events.RollDeclared).Mode
	case *events.DrawDeclared:
		p.Source = was.(*events.DrawDeclared).Source
	case *events.DiceRolled:
		fell := was.(*events.DiceRolled)
		p.Links, p.Typed, p.Confirmed = fell.Links, fell.Typed, fell.Confirmed
	}
}

// secretsDiffer compares the committed facts of a draft with those recorded.
func (w *revisited) secretsDiffer(d rules.Draft, e *events.Event) (bool, error) {
	if len(d.Secrets) != len(e.Commitments) {
		return false, fmt.Errorf("%w: event %d would commit to other things", ErrNotCorrectable, e.Index)
	}
	for _, s := range d.Secrets {
		if o, ok := w.known[events.Ref{Index: e.Index, Slot: s.Slot}]; !ok || o.Fact != s.Fact {
			return true, nil
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
		if slices.ContainsFunc(sealed, func(path string) bool { return within(c.Field, path) || within(path, c.Field) }) {
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

func sameCitations(a, b []events.Citation) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}
