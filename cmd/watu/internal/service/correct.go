package service

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// Correct judges an earlier command again with other inputs and the dice recorded, and every later one with what
// follows from that. The viewer must be the umpire.
func (f *Service) Correct(campaign string, viewer timeline.Viewer, a CorrectionRequest) (Corrected, error) {
	c, err := f.umpires(campaign, viewer, "a correction")
	if err != nil {
		return Corrected{}, err
	}
	out := Corrected{
		Version: maintenance.Version, Campaign: c.Name, Event: a.Event, Preview: a.Preview, Events: c.Events,
		Happened: []timeline.NarratedEvent{},
		Changes:  []events.Change{}, Results: []ChangedEvent{}, Consequences: []Consequence{},
		Later: []OutdatedFigure{},
	}
	k, err := f.amended(c, a)
	if err != nil {
		return out, err
	}
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		return out, err
	}
	if out.Unfinished, err = f.correctable(c, at, a.Event); err != nil {
		return out, err
	}
	k.Confirm = func(p review.Plan) error { return f.tellPlan(&out, c, p, k) }
	if a.Preview {
		plan, err := f.Umpire().Propose(c.ID, k)
		if len(plan.Violations) > 0 {
			err = otherDice(k, problem.OfViolations(a.Name, plan.Violations))
		}
		if err == nil {
			err = k.Confirm(plan)
		}
		return out, err
	}
	answer, err := f.Umpire().Correct(c.ID, k)
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, otherDice(k, problem.OfViolations(a.Name, answer.Violations))
	}
	if out.Happened, err = f.Narrate(c, answer.First, answer.First+uint64(answer.Events)); err != nil {
		return out, err
	}
	if out.Again = answer.Again; out.Again {
		e, err := f.Event(c.ID, a.Event)
		out.Entry = e.Command
		return out, err
	}
	out.Later = later(out.Consequences)
	return out, nil
}

// otherDice says how a correction has dice thrown again that do not fit what it makes of its entry.
func otherDice(k review.Correction, p *problem.Problem) *problem.Problem {
	if p.Rule == campaign.RuleDice && !k.Dice.Again && len(k.Dice.Fell) == 0 {
		p.Message += "; those that fell stay unless a correction file (watu correct CAMPAIGN EVENT -f FILE) says " +
			"otherwise: dice: thrown again, or how they fell"
	}
	return p
}

// correctable gives the entry that waits, and refuses to correct that one.
func (f *Service) correctable(c ledger.Campaign, at *campaign.Campaign, event uint64) (*Unfinished, error) {
	if at.Open == nil {
		return nil, nil
	}
	u, err := f.unfinished(c, at.History)
	if err == nil && u != nil && at.History.Command(event).ID == u.Entry {
		err = problem.New(problem.Refused, "#%d is of %s, which waits for %s: an entry is corrected when it has ended",
			event, u.Entry, at.Open.Of())
	}
	return u, err
}

// amended reads a correction. Without a file it is what is pending at the event.
func (f *Service) amended(c ledger.Campaign, a CorrectionRequest) (review.Correction, error) {
	if a.Event >= c.Events {
		return review.Correction{}, problem.NoEvent(c.Name, a.Event, c.Events)
	}
	if err := f.hasFigures(c, a.Event); err != nil {
		return review.Correction{}, err
	}
	if len(a.Text) == 0 {
		return f.applying(c, a)
	}
	typed, err := turnfile.ParseCorrection(a.Name, []byte(a.Text))
	if err != nil {
		return review.Correction{}, err
	}
	system, err := f.Rules(c.ID)
	if err != nil {
		return review.Correction{}, err
	}
	typed.Alone = system.Alone
	if typed.Dispute != 0 {
		if err := f.CheckDispute(c, typed.Dispute); err != nil {
			return review.Correction{}, err
		}
	}
	k := review.Correction{
		Event: a.Event, Code: typed.Code, Reason: typed.Reason, Source: []byte(a.Text), Dispute: typed.Dispute,
		Replace: typed.Apply, Dice: review.DiceRuling{Again: typed.Dice.Again, Fell: typed.Dice.Fell,
			Seen: typed.Dice.Seen},
	}
	k.Decide(typed.Consequences)
	return decided(k, a)
}

// hasFigures refuses to correct an event that decides what counts, or records a statement, and says what to do instead;
// a terminal shows the commands, too.
func (f *Service) hasFigures(c ledger.Campaign, index uint64) error {
	e, err := f.Event(c.ID, index)
	if err != nil {
		return err
	}
	why := ""
	var commands []string
	command := func(format string, args ...any) { commands = append(commands, fmt.Sprintf("watu "+format, args...)) }
	switch p, _ := events.PayloadOf(&e); p := p.(type) {
	case *events.Voided:
		why = fmt.Sprintf("takes out %s, and can be taken back", eventsOf(p.Events))
		if p.Dispute == 0 {
			command("undo %s %d", c.Name, index)
		} else {
			why = fmt.Sprintf("takes out %s, as the ruling on dispute #%d orders, and goes with that",
				eventsOf(p.Events), p.Dispute)
		}
		if p.Scope == events.VoidCommand && len(p.Events) > 0 {
			why += fmt.Sprintf("; to enter %s again in its place, correct #%d, and say why", p.Command, p.Events[0])
			command("correct %s %d --reason TEXT", c.Name, p.Events[0])
		}
	case *events.DisputeRuled:
		why = fmt.Sprintf("rules on dispute #%d. A ruling is taken back while it is the last act; after that it is "+
			"disputed, and ruled void", p.Dispute)
		command("undo %s", c.Name)
		command("dispute open %s --event %d", c.Name, index)
	case *events.DisputeOpened:
		why = "opens a dispute: say in that dispute what is to be added"
		command("dispute say %s %d", c.Name, index)
	case *events.StatementMade:
		why = fmt.Sprintf("was said in dispute #%d: say there what is to be added", p.Dispute)
		command("dispute say %s %d", c.Name, p.Dispute)
	case *events.EvidenceBrought:
		why = fmt.Sprintf("was brought in dispute #%d: bring there what is to be added", p.Dispute)
		command("dispute bring %s %d", c.Name, p.Dispute)
	case *events.ConsequenceKept:
		if why = "keeps a later entry as recorded"; len(p.Events) > 0 {
			why = fmt.Sprintf("keeps %s as recorded: to apply what is pending there, correct #%d", eventsOf(p.Events),
				p.Events[0])
			command("correct %s %d", c.Name, p.Events[0])
		}
	case *events.OptionRuled:
		why = fmt.Sprintf("rules on an option: rule otherwise with an entry such as {id: …, rule: {option: %s, "+
			"value: …, reason: …}}", p.Option)
	default:
		return nil
	}
	return problem.WithReport(problem.Refused, commands, "#%d has no figures to be corrected: it %s", index, why)
}

// eventsOf names events by the first and the last.
func eventsOf(list []uint64) string {
	if n := len(list); n > 1 {
		return fmt.Sprintf("#%d to #%d", list[0], list[n-1])
	} else if n == 1 {
		return fmt.Sprintf("#%d", list[0])
	}
	return "nothing"
}

// decided adds to a correction what was decided beside its file. A decision by event 0 is on all that are not named
// beside it: then what the file says of them is of no account. What nobody decides on stays undecided: so nothing moves
// that nobody has seen.
func decided(k review.Correction, a CorrectionRequest) (review.Correction, error) {
	all, ok := a.Decisions[0]
	if ok || k.Decisions == nil {
		k.Default, k.Decisions = cmp.Or(all, k.Default), map[uint64]review.Decision{}
	}
	maps.Copy(k.Decisions, a.Decisions)
	delete(k.Decisions, 0)
	k.Default, k.Cause, k.After = cmp.Or(k.Default, a.Rest), a.Cause, a.After
	for _, d := range append(slices.Collect(maps.Values(k.Decisions)), cmp.Or(k.Default, review.Keep)) {
		if d != review.Apply && d != review.Keep {
			return k, problem.New(problem.Input, "a later entry is decided by %q or %q, not by %q", review.Apply,
				review.Keep, d)
		}
	}
	k.Default = cmp.Or(k.Default, review.Undecided)
	return k, nil
}

// tellPlan says what a correction does.
func (f *Service) tellPlan(out *Corrected, c ledger.Campaign, p review.Plan, k review.Correction) error {
	e, err := f.Event(c.ID, p.Event)
	if err != nil {
		return err
	}
	out.Entry, out.VoidedBy, out.Thrown, out.Events = e.Command, p.VoidedBy, k.Dice.Again, p.Events
	out.Warnings = p.Warnings
	out.Changes = append(out.Changes, p.Changes...)
	if out.Results, err = f.shifts(c, p.Results, nil); err != nil {
		return err
	}
	if out.Absorbed, err = f.consequences(c, p.Absorbed); err != nil {
		return err
	}
	out.Consequences, err = f.consequences(c, p.Consequences)
	return err
}

// headOf reads the event that says what an act is: the head of what changes the record, and of an entry the last.
func (f *Service) headOf(c ledger.Campaign, s review.Undoable) (events.Event, error) {
	e, err := f.Event(c.ID, s.First)
	switch e.Type {
	case "corrected", "consequence_kept", "dispute_ruled", "voided":
		return e, err
	}
	if err != nil {
		return e, err
	}
	return f.Event(c.ID, s.Last)
}

// UndoableActs lists the entries that can still be undone, the last one first.
func (f *Service) UndoableActs(campaign string) (UndoableActs, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return UndoableActs{}, err
	}
	if err := f.CheckChangeable(c); err != nil {
		return UndoableActs{}, err
	}
	out := UndoableActs{Version: maintenance.Version, Campaign: c.Name, UndoableActs: []UndoableAct{}}
	list, err := f.Umpire().Undoables(c.ID)
	for _, s := range list {
		e, err := f.headOf(c, s)
		if err != nil {
			return out, err
		}
		out.UndoableActs = append(out.UndoableActs, UndoableAct{
			Command: s.Command, Verb: s.Verb, First: s.First, Event: e.Index, Turn: s.Turn, Text: narrator.Sentence(&e),
			Undo: s.IsUndo(),
		})
	}
	return out, err
}

// Undo takes back an entry that was a slip, and those after it. The viewer must be the umpire.
func (f *Service) Undo(campaign string, viewer timeline.Viewer, u Undo) (Undone, error) {
	c, err := f.umpires(campaign, viewer, "an undo")
	if err != nil {
		return Undone{}, err
	}
	out := Undone{Version: maintenance.Version, Campaign: c.Name, Happened: []timeline.NarratedEvent{}}
	if strings.TrimSpace(u.Reason) == "" {
		return out, problem.New(problem.Input, "say why the entry is taken back: the others will read it")
	}
	answer, err := f.undone(c, u)
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, problem.New(problem.Refused, "%s", answer.Violations[0].Message)
	}
	if out.Happened, err = f.Narrate(c, answer.First, answer.First+uint64(answer.Events)); err != nil {
		return out, err
	}
	if out.Restored, err = f.restored(c, out.Happened); err == nil {
		err = f.anew(c, &out)
	}
	if err == nil {
		out.Unfinished, err = f.overtakenNow(c)
	}
	return out, err
}

// anew notes which entries were taken back, and which disputes wait for a ruling again.
func (f *Service) anew(c ledger.Campaign, out *Undone) error {
	for _, l := range out.Happened {
		e, err := f.Event(c.ID, l.Index)
		if err != nil {
			return err
		}
		var p events.Voided
		if e.Read(&p) && p.Scope == events.VoidCommand {
			out.Entries = append(out.Entries, p.Command)
		}
		for _, gone := range p.Events {
			e, err := f.Event(c.ID, gone)
			if err != nil {
				return err
			}
			var ruled events.DisputeRuled
			if e.Read(&ruled) {
				out.Disputes = append(out.Disputes, ruled.Dispute)
			}
		}
	}
	return nil
}

// undone takes back the entry behind an event, or if none is named the last.
func (f *Service) undone(c ledger.Campaign, u Undo) (replay.Answer, error) {
	switch {
	case u.Event != nil:
		return f.Umpire().UndoShown(c.ID, *u.Event, u.Reason, u.After)
	case u.After != 0:
		return replay.Answer{}, problem.New(problem.Input, "name the event that was shown, beside how many events the "+
			"campaign had")
	}
	last, err := f.lastSlip(c)
	if err != nil {
		return replay.Answer{}, err
	}
	return f.Umpire().UndoLast(c.ID, last, u.Reason)
}

// restored says what stands again behind events that take others back.
func (f *Service) restored(c ledger.Campaign, happened []timeline.NarratedEvent) (
	list []timeline.NarratedEvent, err error,
) {
	if len(happened) == 0 {
		return nil, nil
	}
	if c, err = f.Find(c.Name); err != nil { // at its head
		return nil, err
	}
	now, err := f.History(context.Background(), c)
	if err != nil {
		return nil, err
	}
	before := now.At(happened[0].Index)
	var back []uint64
	for _, l := range happened {
		for _, gone := range now.Targets(history.Voids, l.Index) {
			if of, ok := now.Target(history.Corrects, gone); ok {
				if version, ok := now.Standing(of); ok {
					back = append(back, version)
				}
			}
			for _, voided := range now.Targets(history.Voids, gone) {
				if now.Stands(voided) && !before.Stands(voided) {
					back = append(back, voided)
				}
			}
		}
	}
	if len(back) == 0 {
		return nil, nil
	}
	slices.Sort(back)
	return f.NarrateWanted(c, back[0], back[len(back)-1]+1, func(index uint64) bool {
		_, ok := slices.BinarySearch(back, index)
		return ok
	})
}

// lastSlip gives the last act that can be undone and is no undo itself, by its first event.
func (f *Service) lastSlip(c ledger.Campaign) (uint64, error) {
	s, ok, err := f.Umpire().LastUndoable(c.ID)
	if ok || err != nil {
		return s.First, err
	}
	blocking, why, err := f.Umpire().LastBlocking(c.ID)
	if err != nil {
		return 0, err
	}
	return 0, problem.New(problem.Refused, "nothing can be undone in %s: the last act is #%d, by which %s: %s "+
		"Correct an entry, or dispute it",
		c.Name, blocking.Index, why, narrator.Sentence(&blocking))
}
