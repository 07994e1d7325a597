package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/rehear"
)

// Pending lists the commands of a record whose results no longer follow from what counts before them.
type Pending struct {
	// Consequences lists the commands that would come out otherwise on what was corrected or voided since: what
	// corrections left, and what nobody decided on. Each has the correction that left it as its cause, or the change
	// since which it comes out otherwise.
	Consequences []Consequence
	// Unchecked lists the commands that could not be judged, because the reader lacks an opening that they turn on.
	Unchecked []Unchecked
	// Uncaused lists the commands that come out otherwise although nothing before them changed: another build judged
	// them.
	Uncaused []Consequence
}

// Pending hears again what follows the first change, as far as the reader of the record can know.
func (t Trial) Pending() (Pending, error) {
	b, err := t.start(nil)
	if err != nil {
		return Pending{}, err
	}
	b.timeline.LastGameOnly = true
	if err := b.timeline.Extend(t.Events, nil); err != nil {
		return Pending{}, err
	}
	c := b.timeline.Head
	p := &pass{Timeline: b.timeline, campaign: c, drawn: b.drawn(c), trial: true, why: b.reason}
	return p.pending()
}

// pending hears again all that comes behind the first place at which something else counts than was recorded.
func (p *pass) pending() (out Pending, err error) {
	if changed, err := p.begin(p.Index.Head()); !changed || err != nil {
		return out, err
	}
	several := map[string][]uint64{}
	for {
		w, err := p.next()
		if err != nil {
			return out, err
		}
		if w == nil {
			return out, p.settle(out.Consequences, several)
		}
		o, err := w.follow(Correction{}, p.end)
		if err != nil {
			return out, err
		}
		if len(w.sealed) > 0 || errors.Is(o.waits, rehear.ErrSealed) {
			out.Unchecked = append(out.Unchecked, p.unchecked(w))
			continue
		}
		if !o.otherwise() {
			continue
		}
		causes := w.causes()
		if len(causes) == 0 {
			out.Uncaused = append(out.Uncaused, o.consequence(0, Undecided))
			continue
		}
		if len(causes) > 1 {
			several[w.command.ID] = causes
		}
		decision := Correction{Default: Undecided}.decision(o)
		out.Consequences = append(out.Consequences, o.consequence(causes[0], decision))
	}
}

// unchecked says why a command could not be heard again to the end.
func (p *pass) unchecked(w *priorCommand) Unchecked {
	x := Unchecked{w.heard[0].Index, len(w.heard), w.command.ID, rehear.ErrSealed.Error()}
	if p.why != nil {
		x.Reason = p.why(w.heard, w.sealed)
	}
	return x
}

// begin begins at the first place at which something else counts in a view than was recorded; false if there is none.
func (p *pass) begin(v history.View) (changed bool, err error) {
	p.view, p.end, p.place = v, v.Len(), v.Len()
	for _, place := range v.Changes(0) {
		p.place = min(p.place, place)
	}
	if p.place == p.end {
		return false, nil
	}
	p.game, err = p.Before(v, p.place)
	return true, err
}

// keptBy finds the event by which somebody decided, since the command was judged last, that it stays as it is
// recorded; 0 for none. Later corrections do not change that: the command is kept until it is applied, or corrected
// itself.
func (w *priorCommand) keptBy() (by uint64, err error) {
	v, judged := w.history, w.judged()
	for i := range w.heard {
		at := w.heard[i].Index
		for _, of := range slices.Concat(v.Sources(history.Left, at), v.Sources(history.About, at)) {
			if of <= judged || by != 0 && of >= by || !v.Stands(of) {
				continue
			}
			if err := w.kept.Read(of, w.event); err != nil {
				return 0, err
			}
			if w.kept[of][at] {
				by = of
			}
		}
	}
	return by, nil
}

// Keep decides, of what is pending at an event, that it stays as it is recorded.
func (h Reviewer) Keep(event uint64, reason string) (*events.ConsequenceKept, error) {
	w, err := h.prior(event)
	if err != nil {
		return nil, err
	}
	cause, _, err := (&planning{head: h}).cause(w.command.ID)
	if err != nil {
		return nil, err
	}
	kept, by, err := w.keep(reason, cause)
	if err == nil && by != 0 {
		err = notDone{fmt.Errorf("#%d is kept already, by #%d", event, by)}
	}
	return kept, err
}

// keep is what keeps the command as it is recorded, though it would come out otherwise by a cause, and the event that
// keeps it already; 0 for none.
func (w *priorCommand) keep(reason string, cause uint64) (p *events.ConsequenceKept, by uint64, err error) {
	o, err := w.follow(Correction{}, w.history.Len())
	if err != nil {
		return nil, 0, err
	}
	if !o.otherwise() || cause == 0 {
		return nil, 0, notDone{fmt.Errorf("nothing is pending at #%d: it is as what counts before it has it",
			w.heard[0].Index)}
	}
	p = &events.ConsequenceKept{Cause: cause, Reason: reason}
	for _, r := range o.changes() {
		p.Events = append(p.Events, r.index())
	}
	if slices.Sort(p.Events); len(p.Events) == 0 {
		p.Events = []uint64{w.heard[0].Index}
	}
	p.Events = slices.Compact(p.Events)
	return p, o.kept, nil
}
