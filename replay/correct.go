package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
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
	// Replace gives the entry as it should have been, and what changed in it.
	Replace func(entry json.RawMessage) (json.RawMessage, []events.Change, error)
}

// ErrNotCorrectable is wrapped when a correction would need more than other figures: dice
// that were never rolled, cards that were never drawn, a different course of play.
var ErrNotCorrectable = errors.New("not a matter of figures alone")

// Correct judges the command behind an event again, on the state before it, with other
// inputs and the recorded dice, and appends what comes out differently. The original events
// stand.
func (u *Umpire) Correct(id ulid.ULID, k Correction) (Answer, error) {
	t, err := u.table(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	w, err := u.revisit(t, k.Event)
	if err != nil {
		return Answer{}, err
	}
	entry, changes, err := k.Replace(w.command.Body)
	if err != nil {
		return Answer{}, err
	}
	if k.ID == "" {
		k.ID = fmt.Sprintf("correct/%d/%s", k.Event, events.CommandDigest(t.secret, "correct", entry).String()[:8])
	}
	digest := events.CommandDigest(t.secret, k.ID, entry)
	c := rules.Command{ID: k.ID, Seat: UmpireSeat, Verb: verbCorrect, Body: entry}
	if a, done, err := u.answered(id, c, digest); done || err != nil {
		return a, err
	}
	corrected := w.command
	corrected.Body = entry
	o, err := w.again(t, corrected)
	if err != nil {
		return Answer{}, err
	}
	if o.Verdict == rules.Refused {
		return Answer{Command: k.ID, Verdict: o.Verdict, Violations: o.Violations}, nil
	}
	drafts, err := w.differences(o.Drafts)
	if err != nil {
		return Answer{}, err
	}
	if len(drafts) == 0 {
		return Answer{}, fmt.Errorf("%w: with these inputs every result is what it was", ErrNotCorrectable)
	}
	shown := requestOf(corrected, o)
	head := rules.Draft{Payload: &events.Corrected{
		Event: k.Event, Command: w.command.ID, Code: k.Code, Reason: k.Reason, Changes: w.public(changes, shown.Entry),
	}}
	p := part{command: k.ID, seat: UmpireSeat, request: &Request{Verb: verbCorrect, Entry: shown.Entry}, drafts: append([]rules.Draft{head}, drafts...)}
	return u.append(t, k.ID, digest, []part{p}, Answer{Command: k.ID, Verdict: rules.Allowed})
}

// revisited is an earlier command with all that it was judged on.
type revisited struct {
	command rules.Command // as last corrected
	shown   json.RawMessage
	before  rules.Game
	heard   []events.Event
	known   openings
}

// revisit finds the command behind an event.
func (u *Umpire) revisit(t *table, index uint64) (*revisited, error) {
	id := t.campaign.ID
	if index >= t.campaign.Next {
		return nil, fmt.Errorf("campaign %s has no event %d; its last is %d", t.campaign.Name, index, t.campaign.Next-1)
	}
	command, err := u.commandBehind(id, index)
	if err != nil {
		return nil, err
	}
	w := &revisited{}
	var corrected *events.Event
	first := index
	for r, err := range u.ledger.Read(id, 0, Everything) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, err
		}
		switch {
		case e.Type == "corrected":
			var p events.Corrected
			if e.Read(&p) && p.Command == command {
				corrected = &e
			}
		case e.Corrects != 0:
		case e.Command == command && e.Request != "" && e.Type != "referred":
			w.heard, first = []events.Event{e}, e.Index
		case len(w.heard) > 0 && (e.Command == command || answers(&e, w.heard)):
			w.heard = append(w.heard, e)
		}
	}
	if len(w.heard) == 0 {
		return nil, fmt.Errorf("%w: event %d belongs to %q, which led to nothing yet", ErrNotCorrectable, index, command)
	}
	before, known, err := u.fold(id, first)
	if err != nil {
		return nil, err
	}
	list, err := u.ledger.Openings(id, 0, Everything)
	if err != nil {
		return nil, err
	}
	w.before, w.known = before.Game, known
	w.known = openingsOf(list)
	return w, w.read(corrected)
}

// read reads the command back, as its last correction left it.
func (w *revisited) read(corrected *events.Event) error {
	own := openings{}
	for i := range w.heard {
		for _, o := range w.known.of(&w.heard[i]) {
			own[events.Ref{Index: o.Index, Slot: o.Slot}] = o
		}
	}
	c, err := commandOf(w.heard[0], own)
	if err != nil {
		return err
	}
	from := w.heard[0]
	if corrected != nil {
		from = *corrected
	}
	var r Request
	if err := json.Unmarshal([]byte(from.Request), &r); err != nil {
		return fmt.Errorf("event %d: the recorded command does not read: %w", from.Index, err)
	}
	c.Body, w.shown = rules.Unseal(r.Entry, own.all()), r.Entry
	w.command = c
	return nil
}

// answers reports whether e answers a question asked in a hearing.
func answers(e *events.Event, heard []events.Event) bool {
	var p events.ChoiceMade
	if !e.Read(&p) {
		return false
	}
	for i := range heard {
		if heard[i].Index == p.Asked {
			return true
		}
	}
	return false
}

// commandBehind names the command that an event belongs to: for a correction the command
// corrected.
func (u *Umpire) commandBehind(id ulid.ULID, index uint64) (string, error) {
	for r, err := range u.ledger.Read(id, index, index+1) {
		if err != nil {
			return "", err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return "", err
		}
		var p events.Corrected
		switch {
		case e.Corrects != 0:
			return u.commandBehind(id, e.Corrects)
		case e.Read(&p):
			return p.Command, nil
		}
		return e.Command, nil
	}
	return "", fmt.Errorf("no event %d", index)
}

// again judges the command with the recorded answers.
func (w *revisited) again(t *table, c rules.Command) (rules.Outcome, error) {
	recorded, err := recordedAnswers(t.campaign, t.secret, w.heard, w.known)
	if err != nil {
		return rules.Outcome{}, err
	}
	j := &judgement{
		campaign: t.campaign, secret: t.secret, before: w.before, command: c, answers: recorded, dry: true,
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

// differences keeps the drafts that differ from the events as recorded.
func (w *revisited) differences(drafts []rules.Draft) ([]rules.Draft, error) {
	if len(drafts) != len(w.heard) {
		return nil, fmt.Errorf("%w: %d events would become %d", ErrNotCorrectable, len(w.heard), len(drafts))
	}
	var differ []rules.Draft
	for i, d := range drafts {
		e := &w.heard[i]
		if d.Payload.Type() != e.Type {
			return nil, fmt.Errorf("%w: event %d would be %s instead of %s", ErrNotCorrectable, e.Index, d.Payload.Type(), e.Type)
		}
		w.keepChance(d.Payload, e)
		secret, err := w.secretsDiffer(d, e)
		if err != nil {
			return nil, err
		}
		if secret {
			return nil, fmt.Errorf("%w: what event %d commits to would change; say it anew instead", ErrNotCorrectable, e.Index)
		}
		if events.EncodePayload(d.Payload) == e.Payload && sameCitations(d.Derivation, e.Derivation) {
			continue
		}
		if fixed(e.Type) {
			return nil, fmt.Errorf("%w: event %d (%s) would change", ErrNotCorrectable, e.Index, e.Type)
		}
		d.Corrects, d.Opens, d.Secrets = e.Index, nil, nil
		differ = append(differ, d)
	}
	return differ, nil
}

// fixed lists what a correction never changes: what fell, what was drawn and played.
func fixed(t events.Type) bool {
	switch t {
	case "dice_rolled", "draw_declared", "cards_drawn", "card_played", "card_negated", "passed",
		"play_committed", "opened", "card_added", "cards_returned", "choice_made", "turn_advanced", "epoch_begun":
		return true
	}
	return false
}

// keepChance copies what only the dice box knew from the recorded event.
func (w *revisited) keepChance(p events.Payload, e *events.Event) {
	was, _ := events.PayloadOf(e)
	switch p := p.(type) {
	case *events.RollDeclared:
		p.Sources = was.(*events.RollDeclared).Sources
	case *events.DrawDeclared:
		p.Source = was.(*events.DrawDeclared).Source
	case *events.DiceRolled:
		p.Links = was.(*events.DiceRolled).Links
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

// public hides the values of changes to what the request seals.
func (w *revisited) public(changes []events.Change, shown json.RawMessage) []events.Change {
	var entry any
	_ = json.Unmarshal(shown, &entry)
	list := make([]events.Change, len(changes))
	for i, c := range changes {
		if list[i] = c; sealedAt(entry, strings.Split(c.Field, ".")) {
			list[i].Was, list[i].Now = "sealed", "sealed"
		}
	}
	return list
}

// sealedAt reports whether the path leads into something sealed.
func sealedAt(v any, path []string) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return false
	}
	if _, sealed := m["sealed"]; sealed {
		return true
	}
	return len(path) > 0 && sealedAt(m[path[0]], path[1:])
}

func sameCitations(a, b []events.Citation) bool {
	return len(a) == len(b) && (len(a) == 0 || reflect.DeepEqual(a, b))
}
