package review

import (
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// correctedStep is a correction under trial, with what follows from it. One pass goes through what was recorded
// before it, and stops at each command that a part of the step corrects, and at each that it leaves as it was.
type correctedStep struct {
	command string
	pass    *pass
	heard   []Heard // of its parts: handed on when the step is at its end

	head      uint64 // index of the last head that has no cause in the step
	cause     uint64 // of that head
	second    bool   // a head before that had no cause at all
	main      int    // which of heard that is
	left      []events.Left
	at        uint64 // the event behind the last part
	elsewhere string // by which build it was judged, if by another
}

// correctAgain makes a correction again, and holds it to the one recorded.
func (b *trialRun) correctAgain(c *campaign.Campaign, h *Heard) error {
	head := &b.heard[0]
	var p events.Corrected
	head.Read(&p)
	h.Findings = append(h.Findings, b.causeFounded(c, head, p.Cause)...)
	w, err := b.correctedBy(c, head, &p)
	if err != nil {
		return h.unfounded(head, "corrected", err)
	}
	h.Findings = append(h.Findings, b.step.partFounded(w, head, &p)...)
	begun := *h
	begun.Findings = slices.Clip(h.Findings)
	if err := b.correctOn(w, &p, h); err != nil || len(h.Findings) == len(begun.Findings) || p.Cause != 0 {
		return err
	}
	lists, err := b.unseenCorrections(c, w.history, &w.heard[0])
	over := passedOver(w.history, &w.heard[0])
	if err != nil || len(over)+len(lists) == 0 {
		return err
	}
	for _, list := range append([][]uint64{nil}, lists...) {
		x := begun
		if err := startOf(b.timeline, w, append(list, over...)); err != nil {
			return err
		}
		if err := b.correctOn(w, &p, &x); err == nil && len(x.Findings) == len(begun.Findings) {
			*h = x
			break
		}
	}
	return nil
}

// partFounded holds a part of a step to its place: first what the correction takes up, each under a cause of its own;
// then the correction itself, which alone leaves something; then what follows from it, with it as the cause.
func (s *correctedStep) partFounded(w *priorCommand, head *events.Event, p *events.Corrected) []Finding {
	switch follows := s.head != head.Index; {
	case follows && len(p.Left) > 0:
		return []Finding{envelopeFinding(head, "left", fmt.Sprintf("#%d", p.Left[0].Event), nothing)}
	case follows && p.Cause != s.head:
		return []Finding{envelopeFinding(head, "cause", fmt.Sprintf("#%d", p.Cause), fmt.Sprintf("#%d", s.head))}
	case p.Cause == 0 && p.Code == codeConsequence:
		return []Finding{envelopeFinding(head, "cause", "none", "the correction that it follows from")}
	case !follows && s.second:
		return []Finding{envelopeFinding(head, "cause", fmt.Sprintf("#%d", p.Cause),
			"the correction before it in its step")}
	case !follows && p.Cause != 0 && !slices.Contains(w.causes(), p.Cause):
		return []Finding{envelopeFinding(head, "cause", fmt.Sprintf("#%d", p.Cause),
			"a change on which the entry rests")}
	}
	return nil
}

// correctOn makes a correction again of a command that is looked back on.
func (b *trialRun) correctOn(w *priorCommand, p *events.Corrected, h *Heard) error {
	head := &b.heard[0]
	w.trial, w.sealed = true, nil
	made, violations, err := b.corrected(w, head, p, h)
	switch {
	case errors.Is(err, rehear.ErrSealed):
		h.Sealed = w.sealed
		return &sealedError{head.Index, "what the corrected entry comes out as turns on a secret that is not known"}
	case err != nil:
		h.Findings = append(h.Findings, envelopeFinding(head, "verdict", "corrected", err.Error()))
		return nil
	case len(violations) > 0:
		v := violations[0]
		f := envelopeFinding(head, "verdict", "corrected", "refused: "+v.Message)
		f.Rule = v.Rule
		h.Findings = append(h.Findings, f)
		return nil
	}
	is := made.Drafts[0].Payload.(*events.Corrected)
	is.Changes, is.Left = p.Changes, p.Left
	made.Drafts[0].Sealed = w.sealed // that it could be made
	held := b.unheld(h, rules.Outcome{Drafts: made.Drafts, Sealed: w.sealed})
	h.hold(rehear.Recording{Events: held, Known: b.known}, made.Drafts, false)
	return nil
}

// corrected makes it again. What follows from another correction has no entry of its own.
func (b *trialRun) corrected(w *priorCommand, head *events.Event, p *events.Corrected,
	h *Heard) (campaign.Part, []rules.Violation, error) {
	k := Correction{Event: p.Event, Code: p.Code, Reason: p.Reason, Dispute: p.Dispute, Cause: p.Cause,
		Dice: b.diceRuled(p)}
	if p.Cause == 0 || len(p.Changes) > 0 || p.Dice != "" {
		return w.correct(k, head.Index, rules.Unseal(campaign.RequestIn(head).Entry, b.known.Own(w.heard).All()),
			p.Changes)
	}
	if w.phaseAlone(p.Event) {
		made, err := w.gone(k)
		return made, nil, err
	}
	o, err := w.follow(k, head.Index)
	switch {
	case err != nil:
		return campaign.Part{}, nil, err
	case o.waits != nil:
		return campaign.Part{}, nil, o.waits
	case !o.otherwise():
		return campaign.Part{}, nil, errSame
	}
	if was, is := string(campaign.RequestIn(head).Entry), string(o.part.Request.Entry); was != is {
		h.Findings = append(h.Findings, envelopeFinding(head, "request", was, is))
	}
	return o.part, nil, nil
}

// causeFounded holds the cause of a consequence to the record: it is a correction, or a void, that stands.
func (b *trialRun) causeFounded(c *campaign.Campaign, e *events.Event, cause uint64) []Finding {
	v := c.History.At(e.Index)
	if cause == 0 || v.Stands(cause) && (v.Type(cause) == "corrected" || v.Type(cause) == "voided") {
		return nil
	}
	return []Finding{envelopeFinding(e, "cause", fmt.Sprintf("#%d", cause), "a correction that stands")}
}

// correctedBy finds the command that a part of a correction corrects, on what counted before it then. The parts of a
// step come in the order in which their commands count; only the correction itself begins anew behind those that it
// takes up.
func (b *trialRun) correctedBy(c *campaign.Campaign, head *events.Event, p *events.Corrected) (*priorCommand, error) {
	upTo := c.History.At(head.Index)
	s := b.step
	if s != nil && p.Cause >= s.head && p.Cause != 0 {
		w, err := b.goOn(s, upTo, p.Command)
		if w == nil && err == nil {
			err = fmt.Errorf("%w: %q does not follow", ErrNotCorrectable, p.Command)
		}
		s.at = head.Index + uint64(len(b.heard))
		return w, err
	}
	w, err := b.lookBack(c, p.Event, head.Index)
	if err != nil {
		return nil, err
	}
	if s == nil {
		s = &correctedStep{command: head.Command}
		b.step = s
	}
	if s.head != 0 {
		s.unfollowed()
		s.second = s.cause == 0
	}
	s.head, s.cause, s.main, s.left, s.elsewhere = head.Index, p.Cause, len(s.heard), slices.Clone(p.Left), b.elsewhere
	s.at = head.Index + uint64(len(b.heard))
	s.pass = &pass{
		Timeline: b.timeline, campaign: c, drawn: b.drawn(c), trial: true, why: b.reason,
		place: campaign.PlaceOf(&w.heard[0]), end: upTo.CommandNamed(head.Command).First(), game: w.before, given: true,
	}
	if s.pass.end == 0 { // the correction is the first event of its step
		s.pass.end = head.Index
	}
	return w, nil
}

// goOn goes on to the command of that id, as it counts in a view, and holds what the correction left on the way to what
// follows from it. It gives nil behind the last.
func (b *trialRun) goOn(s *correctedStep, v history.View, id string) (*priorCommand, error) {
	s.pass.view = v
	for {
		w, err := s.pass.next()
		if w == nil || err != nil || w.command.ID == id {
			return w, err
		}
		if !w.leftBy(s.head) {
			continue
		}
		i := slices.IndexFunc(s.left, func(l events.Left) bool { return w.counts(l.Event) != nil })
		if i < 0 {
			continue
		}
		if err := s.holdLeft(w, s.left[i]); err != nil {
			return nil, err
		}
		copy(s.left[1:], s.left[:i]) // mostly none: they come in the order of the pass
		s.left = s.left[1:]
	}
}

// leftBy reports whether a correction names an event of the command as left.
func (w *priorCommand) leftBy(head uint64) bool {
	return slices.ContainsFunc(w.heard, func(e events.Event) bool {
		return slices.Contains(w.history.Sources(history.Left, e.Index), head)
	})
}

// holdLeft holds what a correction says that it left to what follows.
func (s *correctedStep) holdLeft(w *priorCommand, l events.Left) error {
	h := &s.heard[s.main]
	if w.phaseAlone(l.Event) {
		return nil
	}
	o, err := w.follow(Correction{}, s.at)
	if err != nil {
		return err
	}
	if len(w.sealed) > 0 || errors.Is(o.waits, rehear.ErrSealed) {
		s.unchecked(fmt.Sprintf("whether #%d would be another turns on a secret that is not known", l.Event), w.sealed)
		return nil
	}
	d := Keep // which nothing else says
	if l.Choice != events.LeftKept {
		if d = Waits; o.waits == nil {
			d = Correction{Default: Undecided}.decision(o)
		}
	}
	is := o.consequence(0, d).left()
	diff.JSON(l, is, func(field, was, is string) {
		if s.elsewhere != "" {
			s.unchecked(s.elsewhere, nil)
			return
		}
		h.Findings = append(h.Findings, Finding{
			Event: s.head, Type: "corrected", Command: s.command, Field: fmt.Sprintf("left #%d %s", l.Event, field),
			Recorded: was, Derived: is,
		})
	})
	return nil
}

// unchecked notes that what the correction left is not checked.
func (s *correctedStep) unchecked(why string, sealed []events.Ref) {
	h := &s.heard[s.main]
	if h.Unchecked == "" {
		h.Unchecked = (&sealedError{s.head, why}).Error()
	}
	if !slices.Contains(h.Uncertain, s.head) {
		h.Uncertain = append(h.Uncertain, s.head)
	}
	h.Sealed = append(h.Sealed, sealed...)
}

// endStep ends the trial of a correction: what it left behind its last part is held to what follows.
func (b *trialRun) endStep(c *campaign.Campaign) error {
	s := b.step
	if s == nil {
		return nil
	}
	b.step = nil
	if len(s.left) > 0 {
		if _, err := b.goOn(s, c.History.At(s.at), ""); err != nil {
			return err
		}
	}
	s.unfollowed()
	for _, h := range s.heard {
		if err := b.each(h); err != nil {
			return err
		}
	}
	return nil
}

// unfollowed finds what a correction says that it left, and that does not follow from it.
func (s *correctedStep) unfollowed() {
	for _, l := range s.left {
		h := &s.heard[s.main]
		h.Findings = append(h.Findings, Finding{
			Event: s.head, Type: "corrected", Command: s.command, Field: fmt.Sprintf("left #%d", l.Event),
			Recorded: l.Choice, Derived: nothing,
		})
	}
	s.left = nil
}

// keptAgain decides on a consequence again, and holds that to the decision recorded.
func (b *trialRun) keptAgain(c *campaign.Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.ConsequenceKept
	if !e.Read(&p) || len(p.Events) == 0 {
		h.Findings = append(h.Findings, envelopeFinding(e, "events", "none", "what is kept"))
		return nil
	}
	h.Findings = append(h.Findings, b.ofNobody()...)
	w, err := b.lookBack(c, p.Events[0], e.Index)
	if err != nil {
		return h.unfounded(e, "kept", err)
	}
	if w.trial = true; w.phaseAlone(p.Events[0]) {
		return nil
	}
	cause := p.Cause
	if causes := w.causes(); len(causes) > 0 && !slices.Contains(causes, cause) {
		cause = causes[0]
	}
	is, _, err := w.keep(p.Reason, cause)
	if len(w.sealed) > 0 || errors.Is(err, rehear.ErrSealed) {
		h.Sealed = w.sealed
		return &sealedError{e.Index, "whether anything is kept turns on a secret that is not known"}
	}
	if err != nil {
		return h.unfounded(e, "kept", err)
	}
	h.hold(rehear.Recording{Events: b.heard, Known: b.known}, []rules.Draft{{Payload: is}}, false)
	return nil
}

// diceRuled gives the dice that a correction threw again, or took from a table.
func (b *trialRun) diceRuled(p *events.Corrected) DiceRuling {
	d := DiceRuling{recorded: p.Dice}
	if p.Dice == "" {
		return d
	}
	for i := range b.heard {
		var fell events.DiceRolled
		switch {
		case b.heard[i].Type == "roll_declared":
			d.answers = append(d.answers, rules.Answer{Dice: [][]int{}})
		case b.heard[i].Read(&fell) && len(d.answers) > 0:
			last := &d.answers[len(d.answers)-1]
			last.Dice = append(last.Dice, fell.Dice)
			d.Seen = fell.Confirmed
		}
	}
	return d
}
