package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// pass goes through the commands of a campaign in the order in which they count, and gives each with the game before
// it. Because a command is judged on what counts before it alone, one pass reaches all that follows from a
// correction.
type pass struct {
	*campaign.Timeline
	campaign *campaign.Campaign
	secrets  keys.Secrets // zero where only the record is known
	drawn    rehear.Drawn
	trial    bool                                                   // not in play: what is sealed need not be known
	why      func(heard []events.Event, sealed []events.Ref) string // says in words what is sealed; nil in play
	// what counts: it may grow, while the pass goes on, by corrections of the command given last
	view  history.View
	from  uint64     // where it began: what waits there for an answer is given too
	place uint64     // where it is
	end   uint64     // the commands before this event are given
	game  rules.Game // before place
	given bool       // the command that begins at place was given
}

// next folds up to the next command that a correction could correct, and gives it; nil behind the last.
func (p *pass) next() (*priorCommand, error) {
	for p.place < p.end {
		here, err := p.here()
		if err != nil {
			return nil, err
		}
		if !p.given {
			p.given = true
			if w, err := p.begins(here); w != nil || err != nil {
				return w, err
			}
		}
		for _, e := range here {
			if p.game, err = p.Evolve(p.game, e); err != nil {
				return nil, err
			}
		}
		p.place, p.given = p.place+1, false
	}
	return nil, nil
}

// here lists the events that count in the place, each as it counts.
func (p *pass) here() (list []*events.Event, err error) {
	for e, err := range p.view.InPlaceOf(p.place, p.Event) {
		if err != nil {
			return nil, err
		}
		list = append(list, e.Event)
	}
	return list, nil
}

// begins gives the command that begins in the place, where here counts now; nil if none does or if it has no figures. A
// command that was voided as a consequence is given too: it may be allowed again.
func (p *pass) begins(here []*events.Event) (*priorCommand, error) {
	e, err := p.first(here)
	if e == nil || err != nil {
		return nil, err
	}
	switch e.Type {
	case "referred", "option_ruled", "corrected", "consequence_kept", "voided", "edition_moved", "rules_changed":
		return nil, nil
	}
	if e.Index == 0 || e.Request == "" || !campaign.IsPlayVerb(campaign.RequestIn(e).Verb) || p.place != p.from &&
		p.waits(e.Index) {
		return nil, nil
	}
	w, err := recall(p.Timeline, p.campaign, p.view, e.Index)
	if errors.Is(err, ErrNotCorrectable) || err == nil && campaign.PlaceOf(&w.heard[0]) != p.place {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if w.void != 0 && !w.returns() && p.place != p.from {
		return nil, nil
	}
	w.secrets, w.drawn, w.trial = p.secrets, p.drawn, p.trial
	w.before, err = p.drawnMeanwhile(p.game, w.heard)
	return w, err
}

// drawnMeanwhile adds, to the game before a command, the hands that players committed to while it waited for an answer:
// that may play their cards.
func (p *pass) drawnMeanwhile(game rules.Game, heard []events.Event) (rules.Game, error) {
	if p.campaign.Hands != campaign.Players {
		return game, nil
	}
	for i := p.place + 1; i < campaign.PlaceOf(&heard[len(heard)-1]); i++ {
		e, err := p.Event(i)
		if err != nil {
			return nil, err
		}
		if e.Type == "cards_drawn" && e.Request != "" && p.view.Stands(i) {
			if game, err = p.Evolve(game, e); err != nil {
				return nil, err
			}
		}
	}
	return game, nil
}

// first gives the event with which the command in the place begins or, if it is void, began; nil if there is none.
func (p *pass) first(here []*events.Event) (*events.Event, error) {
	if len(here) > 0 {
		return here[0], nil
	}
	if by, err := takenOut(p.Timeline, p.view.Command(p.place), p.view); by == 0 || err != nil {
		return nil, err
	}
	return p.Event(p.place)
}

// waits reports whether the command that begins with an event waits for an answer: it is judged when that is given.
func (p *pass) waits(index uint64) bool {
	c := p.campaign
	return c.Open != nil && len(c.Heard.Events) > 0 && c.Heard.Events[0] == index
}

// command goes on to the command of that id; nil if it does not come.
func (p *pass) command(id string) (w *priorCommand, err error) {
	for {
		if w, err = p.next(); w == nil || err != nil || w.command.ID == id {
			return w, err
		}
	}
}

// outcome is what a command comes out as on what counts before it.
type outcome struct {
	of    *priorCommand
	part  campaign.Part // that makes it so: nothing where all is as recorded, or where that cannot be said
	waits error         // why it cannot be said: it would need what the record does not have
	gone  string        // why the command would not happen
	kept  uint64        // the event by which somebody decided that it stays as it is recorded; 0 for none
}

// otherwise reports whether the command comes out otherwise than recorded.
func (o *outcome) otherwise() bool { return o.waits != nil || len(o.part.Drafts) > 0 }

// same reports whether two outcomes of a command are one.
func (o *outcome) same(other *outcome) bool {
	if (o.waits == nil) != (other.waits == nil) || len(o.part.Drafts) != len(other.part.Drafts) {
		return false
	}
	for i, d := range o.part.Drafts {
		x := other.part.Drafts[i]
		if head, ok := d.Payload.(*events.Corrected); ok {
			if !slices.Equal(head.Voids, x.Payload.(*events.Corrected).Voids) {
				return false
			}
			continue
		}
		if d.Side != x.Side || d.Corrects != x.Corrects || d.Replaces != x.Replaces ||
			!rehear.SameCitations(d.Derivation, x.Derivation) ||
			events.EncodePayload(d.Payload) != events.EncodePayload(x.Payload) {
			return false
		}
	}
	return o.waits == nil || o.waits.Error() == other.waits.Error()
}

// codeConsequence is the code of a correction that follows from another.
const codeConsequence = "consequence"

// follow judges the command with the entry and the answers that it has. k says what corrects it if it comes out
// otherwise, from the event at on.
func (w *priorCommand) follow(k Correction, at uint64) (*outcome, error) {
	if k.Event = w.heard[0].Index; k.Code == "" {
		k.Code = codeConsequence
	}
	o := &outcome{of: w}
	if w.void != 0 && !w.returns() {
		return o, nil
	}
	p, violations, err := w.correct(k, at, w.command.Body, nil)
	switch {
	case w.void != 0 && (len(violations) > 0 || errors.Is(err, errNothing)):
		return o, nil // it would not happen, as before
	case len(violations) > 0 && w.decidedOn():
		o.waits = fmt.Errorf("%w: it would be refused (%s: %s), and dice, cards or answers of it are recorded",
			ErrNotCorrectable, violations[0].Rule, violations[0].Message)
	case len(violations) > 0:
		o.gone = violations[0].Message
	case errors.Is(err, errNothing) && !w.decidedOn():
		o.gone = "nothing would follow from it"
	case errors.Is(err, errSame):
		return o, nil
	case errors.Is(err, ErrNotCorrectable), errors.Is(err, rehear.ErrSealed):
		o.waits = err
	case err != nil:
		return nil, err
	}
	if o.gone == "" {
		o.part = p
	} else if o.part, o.waits = w.gone(k); o.waits != nil && !errors.Is(o.waits, ErrNotCorrectable) {
		return nil, o.waits
	}
	if len(o.part.Drafts) > 0 {
		o.part.Request.Entry = w.recorded
		o.part.Drafts[0].Payload.(*events.Corrected).Event = o.changes()[0].index()
	}
	o.kept, err = w.keptBy()
	return o, err
}

// decidedOn reports whether dice fell, cards were drawn or somebody chose for the command: that is not taken out by
// itself.
func (w *priorCommand) decidedOn() bool {
	return slices.ContainsFunc(w.heard, func(e events.Event) bool {
		return e.Type == "roll_declared" || e.Type == "draw_declared" || e.Type == "choice_made" || len(e.Commitments)+
			len(e.Openings) > 0
	})
}

// gone voids the command: it would not happen.
func (w *priorCommand) gone(k Correction) (campaign.Part, error) {
	a := &ActFinder{View: w.history, read: w.event}
	x, err := a.OfCommand(a.Command(w.heard[0].Index), w.heard[0].Index, "")
	if err != nil {
		return campaign.Part{}, err
	}
	if violations := a.blocked(x, a.Without(x)); len(violations) > 0 {
		return campaign.Part{}, fmt.Errorf("%w: it would not happen, and %s", ErrNotCorrectable, violations[0].Message)
	}
	head := &events.Corrected{Event: k.Event, Command: x.command, Code: k.Code, Reason: k.Reason, Voids: x.events,
		Cause: k.Cause}
	return campaign.Part{
		Command: k.ID, Seat: campaign.UmpireSeat, Request: &campaign.Request{Verb: campaign.VerbCorrect,
			Entry: w.recorded},
		Drafts: []rules.Draft{{Payload: head}},
	}, nil
}

// Result is an event of a command before and after a correction.
type Result struct {
	Was *events.Event // as it counts; nil for one that would be new, or that does not count now
	Is  *events.Event // as it would count; nil for one that would not happen
}

// index is that of the event, or of the one in whose place, or before which, a new one would count.
func (r Result) index() uint64 {
	switch {
	case r.Was != nil:
		return r.Was.Index
	case r.CountsAgain():
		return r.Is.Index
	}
	return r.Is.Replaces
}

// CountsAgain reports whether the event was voided with its command, and would count again.
func (r Result) CountsAgain() bool { return r.Was == nil && r.Is.Index != 0 }

// changes lists the events that come out otherwise: those that stay, those that would be new, those that would not
// happen.
func (o *outcome) changes() (list []Result) {
	if len(o.part.Drafts) == 0 {
		return nil
	}
	if o.of.returns() {
		return o.comeBack()
	}
	for _, d := range o.part.Drafts[1:] {
		is := rehear.AsDerived(events.Event{Corrects: d.Corrects, Replaces: d.Replaces}, d)
		r := Result{Is: &is}
		if d.Corrects != 0 {
			r.Was = o.of.counts(d.Corrects)
			is = rehear.AsDerived(*r.Was, d)
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b Result) int { return rank(a) - rank(b) })
	for _, index := range o.part.Drafts[0].Payload.(*events.Corrected).Voids {
		if e := o.of.counts(index); e != nil {
			list = append(list, Result{Was: e})
		}
	}
	return list
}

// rank puts the events that stay before those that would be new.
func rank(r Result) int {
	if r.Was != nil {
		return 0
	}
	return 1
}

// counts gives an event of the command as it counts; nil if it is none that was heard.
func (w *priorCommand) counts(index uint64) *events.Event {
	i := slices.IndexFunc(w.heard, func(e events.Event) bool { return e.Index == index })
	if i < 0 {
		return nil
	}
	e := w.heard[i]
	if last, ok := w.standing[index]; ok {
		e.Payload, e.Derivation, e.Side = last.Payload, last.Derivation, last.Side
	}
	return &e
}

// figures lists what comes out otherwise, field by field. A field of another event than the first has its index before
// it: "#16.net"; an event that would be new, or would not happen, is itself the field.
func figures(list []Result) (changes []events.Change) {
	for i, r := range list {
		at := ""
		if i > 0 || r.Is == nil || r.CountsAgain() {
			at = fmt.Sprintf("#%d", r.index())
		}
		switch {
		case r.Was == nil:
			changes = append(changes, events.Change{Field: at, Was: nothing, Now: r.Is.Type.Words()})
			continue
		case r.Is == nil:
			changes = append(changes, events.Change{Field: at, Was: r.Was.Type.Words(), Now: nothing})
			continue
		case at != "":
			at += "."
		}
		was, _ := events.PayloadOf(r.Was)
		is, _ := events.PayloadOf(r.Is)
		found := func(field, was, is string) {
			changes = append(changes, events.Change{Field: at + field, Was: was, Now: is})
		}
		before := len(changes)
		if diff.JSON(was, is, found); r.Was.Side != r.Is.Side {
			found("side", r.Was.Side, r.Is.Side)
		}
		if len(changes) > before {
			continue
		}
		rehear.CompareDerivations(r.Was.Derivation, r.Is.Derivation, found)
	}
	return changes
}

// nothing stands for an event where there is none.
const nothing = "nothing"
