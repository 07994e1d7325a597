package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/rules"
)

// Pending lists the commands of a campaign that would come out otherwise on what was corrected or voided since: what
// corrections left, and what nobody decided on. Each has the cause that left it, or the first that was recorded since it
// was judged last.
func (u *Umpire) Pending(id ulid.ULID) ([]Consequence, error) {
	t, err := u.table(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	p := &pass{timeline: t.timeline, campaign: t.campaign, secrets: t.secrets, drawn: u.drawn(t)}
	return p.pending()
}

// Pending lists them as far as the reader of the record can know. See [Umpire.Pending].
func (t Trial) Pending() ([]Consequence, error) {
	b, err := t.bench(nil)
	if err != nil {
		return nil, err
	}
	if err := b.timeline.extend(t.Events, nil); err != nil {
		return nil, err
	}
	c := b.timeline.head
	p := &pass{timeline: b.timeline, campaign: c, drawn: b.drawn(c), trial: true}
	return p.pending()
}

// pending hears again all that comes behind the first place at which something else counts than was recorded.
func (p *pass) pending() (list []Consequence, err error) {
	p.view = p.index.Head()
	p.end, p.place = p.view.Len(), p.view.Len()
	for _, place := range p.view.Changes(0) {
		p.place = min(p.place, place)
	}
	if p.place == p.end {
		return nil, nil
	}
	if p.game, err = p.before(p.view, p.place); err != nil {
		return nil, err
	}
	left := leftKept{}
	for {
		w, err := p.next()
		if w == nil || err != nil {
			return list, err
		}
		o, err := w.follow(Correction{}, p.end)
		if err != nil {
			return nil, err
		}
		if !o.otherwise() || len(w.sealed) > 0 || errors.Is(o.waits, ErrSealed) {
			continue
		}
		cause, ok := w.cause()
		if !ok {
			continue // another build judges otherwise
		}
		d, err := w.decided(cause, left)
		if err != nil {
			return nil, err
		}
		if d == "" && o.waits != nil {
			d = Waits
		}
		list = append(list, o.consequence(cause, d))
	}
}

// leftKept has the events that corrections say they leave for good, by the index of the head. A head is read once.
type leftKept map[uint64]map[uint64]bool

// decided says whether a consequence of a correction is kept; empty if not.
func (w *revisited) decided(cause uint64, left leftKept) (Decision, error) {
	if left[cause] == nil {
		e, err := w.event(cause)
		if err != nil {
			return "", err
		}
		var p events.Corrected
		e.Read(&p)
		left[cause] = map[uint64]bool{}
		for _, l := range p.Left {
			left[cause][l.Event] = left[cause][l.Event] || l.Choice == events.LeftKept
		}
	}
	if slices.ContainsFunc(w.heard, func(e events.Event) bool { return left[cause][e.Index] }) {
		return Keep, nil
	}
	if _, kept := w.keptBy(cause); kept {
		return Keep, nil
	}
	return "", nil
}

// keptBy finds the event that keeps a consequence of a correction.
func (w *revisited) keptBy(cause uint64) (uint64, bool) {
	for i := range w.heard {
		for _, by := range w.history.Sources(history.About, w.heard[i].Index) {
			if of, ok := w.history.Target(history.Cause, by); ok && of == cause && w.history.Stands(by) {
				return by, true
			}
		}
	}
	return 0, false
}

// Keep decides, of what is pending at an event, that it stays as it is recorded.
func (u *Umpire) Keep(id ulid.ULID, event uint64, reason string) (Answer, error) {
	t, err := u.table(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	w, err := u.revisit(t, event)
	if err != nil {
		return Answer{}, err
	}
	kept, err := w.kept(reason)
	if err != nil {
		return Answer{}, err
	}
	drafts := []rules.Draft{{Payload: kept}}
	if !u.stated(t, []part{{drafts: drafts}}) {
		if err := u.stateRules(t); err != nil {
			return Answer{}, err
		}
	}
	entry, err := json.Marshal(map[string]any{verbKeep: map[string]any{"event": event, "reason": reason}})
	if err != nil {
		return Answer{}, err
	}
	p := part{command: fmt.Sprintf("%s/%d", verbKeep, t.campaign.Next), seat: UmpireSeat, request: &Request{Verb: verbKeep, Entry: entry}, drafts: drafts}
	digest := events.CommandDigest(t.secrets.first(), p.command, entry)
	return u.append(t, p.command, digest, []part{p}, Answer{Command: p.command, Verdict: rules.Allowed})
}

// kept is what keeps the command as it is recorded, though it would come out otherwise.
func (w *revisited) kept(reason string) (*events.ConsequenceKept, error) {
	o, err := w.follow(Correction{}, w.history.Len())
	if err != nil {
		return nil, err
	}
	cause, ok := w.cause()
	if !o.otherwise() || !ok {
		return nil, fmt.Errorf("%w: nothing is pending at #%d: it is as what counts before it has it", ErrNotCorrectable, w.heard[0].Index)
	}
	d, err := w.decided(cause, leftKept{})
	if err == nil && d == Keep {
		err = fmt.Errorf("%w: #%d is kept already", ErrNotCorrectable, w.heard[0].Index)
	}
	if err != nil {
		return nil, err
	}
	p := &events.ConsequenceKept{Cause: cause, Reason: reason}
	for _, r := range o.changes() {
		p.Events = append(p.Events, r.index())
	}
	if slices.Sort(p.Events); len(p.Events) == 0 {
		p.Events = []uint64{w.heard[0].Index}
	}
	p.Events = slices.Compact(p.Events)
	return p, nil
}
