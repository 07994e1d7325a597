package review

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/diff"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// hearAgain hears a command with the answers recorded, and holds what follows to what is recorded.
func (b *trialRun) hearAgain(c *campaign.Campaign, h *Heard) error {
	begun := *h
	begun.Findings = slices.Clip(h.Findings)
	err := b.hearOn(b.before, c, h)
	if err != nil || len(h.Findings) == len(begun.Findings) {
		return err
	}
	v := c.History.At(h.First)
	lists, err := b.unseenCorrections(c, v, &b.heard[0])
	for i := 0; i < len(lists) && err == nil; i++ {
		x, game := begun, rules.Game(nil)
		if game, err = beforeWithout(b.timeline, lists[i], v, h.First); err == nil {
			err = b.hearOn(game, c, &x)
		}
		if err == nil && len(x.Findings) == len(begun.Findings) {
			*h = x
			break
		}
	}
	return err
}

// hearOn hears a command on a state.
func (b *trialRun) hearOn(before rules.Game, c *campaign.Campaign, h *Heard) error {
	command, err := b.command()
	if err != nil {
		return err
	}
	if len(command.Sealed) > 0 && rules.WhollySealed(command.Body) {
		return b.referAgain(c, h, command)
	}
	answers, err := rehear.Recorded(b.heard, b.known, b.drawn(c))
	if err != nil {
		return err
	}
	place := func(n int) uint64 { return b.heard[min(n, len(b.heard)-1)].Index }
	source := &rehear.Asked{Source: rules.Given(answers...)}
	o, err := rehear.Run(b.judged(c, before), command, source, place)
	if err != nil {
		return err
	}
	h.Findings = append(h.Findings, source.Offered(b.heard, b.known)...)
	if o.Verdict == rules.Refused { // by what is known, whatever is sealed
		v := o.Violations[0]
		h.Findings = append(h.Findings, Finding{
			Event: h.First, Type: b.heard[0].Type, Command: h.Command, Rule: v.Rule, Field: "verdict",
			Recorded: string(rules.Allowed), Derived: "refused: " + v.Message,
		})
		for i := range b.heard {
			h.Derived = h.Derived.put(b.heard[i].Index)
		}
		return nil
	}
	for _, d := range o.Drafts {
		if p, ok := d.Payload.(*events.OptionRuled); ok && p.Option == b.answered.Option {
			p.Referred = b.answered.By
		}
	}
	b.short = nil
	if o.Need != nil && len(b.heard) < len(o.Drafts) && b.trial.Edition == "" {
		b.short = &b.heard[len(b.heard)-1]
	}
	h.hold(b.record(b.unheld(h, o)), o.Drafts, o.Need != nil)
	if b.elsewhere != "" { // by those rules it may have ended there
		b.short = nil
	}
	for i := range b.heard {
		e := &b.heard[i]
		found, sealed, err := b.hands.Again(b.timeline, e, b.known, b.trial.Link)
		if err != nil {
			return err
		}
		if h.Findings = append(h.Findings, found...); !sealed {
			continue
		}
		if h.Uncertain = append(h.Uncertain, e.Index); h.Unchecked == "" {
			h.Unchecked = (&sealedError{e.Index, "its player has not disclosed by which link he drew"}).Error()
		}
	}
	return nil
}

// unheld notes which of the events heard rest on what is sealed, and gives those that can be held to the drafts: all of
// them, or where the judgement was cut those before. An event that rests on something sealed is held too: what it says
// is made of facts, only that it happened, or what it commits to, is not certain.
func (b *trialRun) unheld(h *Heard, o rules.Outcome) []events.Event {
	held := b.heard
	if o.Cut {
		held = held[:min(len(o.Drafts), len(held))]
	}
	for i, e := range b.heard {
		if i >= len(held) || i < len(o.Drafts) && len(o.Drafts[i].Sealed) > 0 {
			h.Uncertain = append(h.Uncertain, e.Index)
		}
	}
	// whether more had to follow; a step that was cut with its secret lost stands as far as it goes
	if last := len(b.heard) - 1; (o.Cut || b.short != nil) && last < len(o.Drafts) && !b.ended {
		h.Uncertain = append(h.Uncertain, b.heard[last].Index)
	}
	if len(h.Uncertain) > 0 {
		h.Sealed, h.Unchecked = o.Sealed, (&sealedError{h.Uncertain[0], b.reason(b.heard, o.Sealed)}).Error()
		if b.short != nil {
			h.Unchecked = cmp.Or(b.elsewhere, h.Unchecked)
		}
	}
	return held
}

// reason says in words what is sealed to who hears a command.
func (b *trialRun) reason(heard []events.Event, sealed []events.Ref) string {
	own := func(at events.Ref) bool {
		return slices.ContainsFunc(heard, func(e events.Event) bool { return e.Index == at.Index })
	}
	link, choice, entry := false, false, false
	for _, at := range sealed {
		link = link || at.Slot == rules.SlotLink
		choice = choice || own(at) && at.Slot == rules.SlotChoice
		entry = entry || own(at) && at.Slot != rules.SlotChoice && at.Slot != rules.SlotLink
	}
	switch {
	case entry:
		return "part of the entry is sealed"
	case choice:
		return "the choice is sealed"
	case link:
		return b.noLink
	}
	return "it turns on a secret that is not known"
}

// record is what is recorded of a command, as far as the reader knows it.
func (b *trialRun) record(heard []events.Event) rehear.Recording {
	return rehear.Recording{Events: heard, Known: b.known}
}

// hold notes what of the drafts is otherwise than recorded, and what is derived in its place.
func (h *Heard) hold(recorded rehear.Recording, drafts []rules.Draft, waits bool) {
	found, instead := rehear.Compare(recorded, drafts, waits)
	h.Findings = append(h.Findings, found...)
	for event, drafts := range instead {
		h.Derived = h.Derived.put(event, drafts...)
	}
}

// command reads the command back, with what is known of its secrets.
func (b *trialRun) command() (rules.Command, error) {
	own := b.known.Own(b.heard)
	command, err := campaign.CommandOf(b.heard[0], own)
	if err != nil {
		return command, err
	}
	command = command.WithSealed(b.known.Sealed(b.heard))
	again := b.referred[command.ID]
	if again == nil || again.entry == nil || len(command.Sealed) == 0 || !rules.WhollySealed(command.Body) {
		return command, nil
	}
	command.Body = rules.Unseal(again.entry, b.known.Own(again.events).All())
	return command.WithSealed(b.known.Sealed(again.events)), nil
}

// heardAgain is what a command that was referred led to when it was heard again: there its entry is sealed in part
// only.
type heardAgain struct {
	entry  json.RawMessage
	events []events.Event
}

// noteReferred gathers, before the trial, how commands that were referred were heard again.
func (b *trialRun) noteReferred(e *events.Event) {
	again := b.referred[e.Command]
	switch {
	case e.Type == "referred":
		if again == nil {
			b.referred[e.Command] = &heardAgain{}
		}
	case again == nil || e.Corrects != 0 || e.Replaces != 0:
	case e.Request != "" && again.entry == nil:
		again.entry = campaign.RequestIn(e).Entry
		again.events = append(again.events, *e)
	default:
		again.events = append(again.events, *e)
	}
}

// referAgain holds a referral whose entry is sealed to what the system asks about the option: whether the entry turns
// on it is not known.
func (b *trialRun) referAgain(c *campaign.Campaign, h *Heard, command rules.Command) error {
	e := &b.heard[0]
	var p events.Referred
	if !e.Read(&p) {
		h.Findings = append(h.Findings, envelopeFinding(e, "request", "sealed", "an entry: what is referred alone is "+
			"sealed whole"))
		return nil
	}
	if _, ok := c.System.Options.Named(p.Option); !ok {
		h.Findings = append(h.Findings, envelopeFinding(e, "option", p.Option,
			"one of "+strings.Join(c.System.Options.Names(), ", ")))
		return nil
	}
	hearing := rules.NewHearing(nil, func(int) uint64 { return e.Index })
	c.System.Options.Refer(hearing, command, p.Option)
	o := hearing.Outcome()
	h.hold(b.record(b.unheld(h, o)), o.Drafts, true)
	return nil
}

// unfounded notes that what is done to an earlier command could not be done to it.
func (h *Heard) unfounded(e *events.Event, done string, err error) error {
	if !errors.Is(err, ErrNotCorrectable) {
		return err
	}
	h.Findings = append(h.Findings, Finding{Event: e.Index, Type: e.Type, Command: h.Command, Field: "verdict",
		Recorded: done, Derived: err.Error()})
	return nil
}

// voidAgain holds what a void takes out to what the command led to.
func (b *trialRun) voidAgain(c *campaign.Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.Voided
	if !e.Read(&p) {
		return nil
	}
	if len(p.Events) == 0 {
		h.Findings = append(h.Findings, envelopeFinding(e, "events", "none", "what the command led to"))
		return nil
	}
	first := e.Index
	for first > 0 && c.History.Step(first-1).ID == e.Command { // several acts may be undone in one step
		first--
	}
	x, err := b.voidedAct(c.History, &p, first, e.Index)
	if err != nil {
		return h.unfounded(e, "voided", err)
	}
	if !slices.Equal(x.events, p.Events) {
		h.Findings = append(h.Findings, envelopeFinding(e, "events", diff.Leaf(p.Events), diff.Leaf(x.events)))
	}
	if p.Command != x.command {
		h.Findings = append(h.Findings, envelopeFinding(e, "command", p.Command, x.command))
	}
	if p.Code == codeUndone {
		h.Findings = append(h.Findings, tooLate(b.acts(c.History.At(first)), e, p.Events[0])...)
	}
	if p.Scope != x.scope {
		h.Findings = append(h.Findings, envelopeFinding(e, "scope", p.Scope, x.scope))
	}
	return b.voidFounded(h, e, p, first)
}

// voidedAct finds the act that a void takes out, on what stood before it. A void without a scope is of a whole command,
// whichever of its events was named: so every void was before there were scopes.
func (b *trialRun) voidedAct(v history.View, p *events.Voided, first, at uint64) (Act, error) {
	a := b.acts(v.At(at))
	if p.Events[0] >= at {
		return Act{}, errNoEvent(p.Events[0])
	}
	if p.Scope == events.VoidCommand {
		command := a.Command(p.Events[0])
		if x, err := a.OfCommand(command, p.Events[0], p.Code); err == nil && slices.Equal(x.events, p.Events) {
			return x, nil
		}
		// each void as if there were no other in its step
		return b.acts(v.At(first)).OfCommand(command, p.Events[0], p.Code)
	}
	x, err := a.Find(p.Events[0], p.Code)
	if err == nil && !slices.Equal(x.events, p.Events) {
		a.old = true
		if earlier, err := a.Find(p.Events[0], p.Code); err == nil && slices.Equal(earlier.events, p.Events) {
			x = earlier
		}
	}
	if err != nil {
		return Act{}, err
	}
	if violations := a.blocked(x, a.Without(x)); len(violations) > 0 {
		return Act{}, fmt.Errorf("%w: %s", ErrNotCorrectable, violations[0].Message)
	}
	return x, nil
}

// acts finds what belongs together in the record tried, as a view has it.
func (b *trialRun) acts(v history.View) *ActFinder {
	return &ActFinder{View: v, read: b.timeline.Event}
}

// tooLate finds that an act was undone after somebody had learnt something.
func tooLate(a *ActFinder, e *events.Event, undone uint64) []Finding {
	for i := a.Len() - 1; i > 0 && i >= undone; i-- {
		if why := a.reveals(i); why != "" {
			return []Finding{envelopeFinding(e, "code", codeUndone, fmt.Sprintf("nothing to be undone: by #%d %s", i,
				why))}
		}
	}
	return nil
}

// voidFounded holds what a void says of itself to the ruling, or to the undoing, at the beginning of its step.
func (b *trialRun) voidFounded(h *Heard, e *events.Event, p events.Voided, first uint64) error {
	begins, err := b.timeline.Event(first)
	if err != nil {
		return err
	}
	want, ruled := events.Voided{Command: p.Command, Events: p.Events, Code: codeUndone, Scope: p.Scope},
		events.DisputeRuled{}
	if begins.Read(&ruled) {
		want.Code, want.Reason, want.Dispute = "dispute", ruled.Reason, ruled.Dispute
	} else {
		var asked struct{ Undo struct{ Reason string } }
		_ = json.Unmarshal(campaign.RequestIn(begins).Entry, &asked) // else nothing was said
		want.Reason = asked.Undo.Reason
	}
	diff.JSON(&p, &want, func(field, was, is string) {
		h.Findings = append(h.Findings, envelopeFinding(e, field, was, is))
	})
	return nil
}

// lookBack finds the command behind an event in what was recorded before another.
func (b *trialRun) lookBack(c *campaign.Campaign, index, upTo uint64) (*priorCommand, error) {
	w, err := lookBack(b.timeline, c, c.History.At(upTo), index)
	if err != nil {
		return nil, err
	}
	w.drawn = b.drawn(c)
	return w, nil
}

// reopen opens the campaign again, and holds the opening to the one recorded.
func (b *trialRun) reopen(c *campaign.Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.CampaignOpened
	if !e.Read(&p) {
		return nil
	}
	edition, err := campaign.EditionOf(c.System, p.Edition)
	if err != nil {
		h.Unchecked = fmt.Sprintf("#0: %v", err)
		return nil
	}
	chosen := map[string]string{}
	for _, o := range p.Options {
		chosen[o.Name] = o.Value
	}
	files, err := b.trial.Board(p.Board)
	if err != nil {
		return &sealedError{0, err.Error()}
	}
	opened, _, f := c.System.Open(edition, chosen, files)
	if f.Refused() {
		h.Findings = append(h.Findings, Finding{Type: e.Type, Command: h.Command, Rule: f.Violations[0].Rule,
			Field: "verdict", Recorded: "opened", Derived: "refused: " + f.Violations[0].Message})
		return nil
	}
	opened.Name, opened.Note, opened.Demo, opened.Dice, opened.Signed = p.Name, p.Note, p.Demo, p.Dice, p.Signed
	if p.Dice == campaign.Beacon {
		opened.Beacon, opened.Witnesses, opened.Unwitnessed = p.Beacon, p.Witnesses, p.Unwitnessed // bundle checks them
	}
	opened.Requires, opened.Rules, opened.Proxy, opened.AnswerWithin = p.Requires, p.Rules, p.Proxy, p.AnswerWithin
	opened.Hands, opened.Arbiter = p.Hands, p.Arbiter
	diff.JSON(&p, opened, func(field, was, is string) {
		h.Findings = append(h.Findings, Finding{Type: e.Type, Command: h.Command, Field: field, Recorded: was,
			Derived: is})
	})
	if edition.Hash != e.Edition {
		h.Findings = append(h.Findings, Finding{Type: e.Type, Command: h.Command, Field: "edition",
			Recorded: e.Edition.String(), Derived: edition.Hash.String()})
	}
	return nil
}
