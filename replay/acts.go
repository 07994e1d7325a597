package replay

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// acts says what belongs together in a campaign's events, and what of it stands. An act is what is voided as one: a
// command with its corrections, one correction, one ruling with what it ordered, one undo.
type acts struct {
	all    []events.Event
	voided map[uint64]uint64 // by which event what does not stand is voided

	steps    map[string][]uint64       // what was recorded with a command's id
	heard    map[string][]events.Event // what stands of a command, in the order in which it counts
	referred map[string][]uint64       // questions to the umpire that stand, by the command that asked
	heads    map[string][]uint64       // corrections of a command that stand
	gone     map[string][]uint64       // what these took out
	amending map[uint64][]uint64       // what stands in the place of an event
	said     map[uint64][]uint64       // what was said at a table of a roll's dice, by its declaration
	asking   map[uint64]string         // the command of an event heard
}

// act is what is voided as one.
type act struct {
	scope   string   // as [events.Voided] has it
	command string   // whose events these are
	events  []uint64 // ascending
}

func actsOf(all []events.Event) *acts {
	a := &acts{
		all: all, voided: events.VoidedIn(all), steps: map[string][]uint64{}, heard: map[string][]events.Event{}, referred: map[string][]uint64{},
		heads: map[string][]uint64{}, gone: map[string][]uint64{}, amending: map[uint64][]uint64{}, said: map[uint64][]uint64{},
		asking: map[uint64]string{},
	}
	for i := range all {
		a.steps[all[i].Command] = append(a.steps[all[i].Command], all[i].Index)
	}
	stands := events.Standing(all)
	for i := range stands {
		a.add(&stands[i])
	}
	return a
}

// add takes the next event that stands.
func (a *acts) add(e *events.Event) {
	var p events.Corrected
	switch {
	case e.Corrects != 0:
		a.amending[e.Corrects] = append(a.amending[e.Corrects], e.Index)
		return
	case e.Type == "referred":
		a.referred[e.Command] = append(a.referred[e.Command], e.Index)
	case e.Type == "dice_typed" || e.Type == "dice_denied":
		p, _ := events.PayloadOf(e)
		for _, declared := range events.Refers(p) {
			a.said[declared] = append(a.said[declared], e.Index)
		}
	case e.Read(&p):
		a.heads[p.Command] = append(a.heads[p.Command], e.Index)
		a.gone[p.Command] = append(a.gone[p.Command], p.Voids...)
	}
	a.hear(e)
}

// hear adds an event to the command that it follows from, and to the one whose question it answers.
func (a *acts) hear(e *events.Event) {
	if begins := e.Request != "" && e.Type != "referred"; begins {
		a.heard[e.Command] = []events.Event{*e}
	} else if len(a.heard[e.Command]) > 0 {
		a.heard[e.Command] = append(a.heard[e.Command], *e)
	}
	if asked, ok := answered(e); ok {
		if of, ok := a.asking[asked]; ok && of != e.Command {
			a.heard[of] = append(a.heard[of], *e)
			a.asking[e.Index] = of
			return
		}
	}
	a.asking[e.Index] = e.Command
}

// of finds the act that an event belongs to. The error wraps [ErrNotCorrectable].
func (a *acts) of(index uint64, code string) (act, error) {
	if index >= uint64(len(a.all)) {
		return act{}, fmt.Errorf("%w: there is no event %d yet", ErrNotCorrectable, index)
	}
	e := &a.all[index]
	x := act{scope: a.scope(e), command: e.Command}
	if x.scope == events.VoidCommand {
		return a.whole(index, code)
	}
	for _, index := range a.steps[e.Command] {
		if a.stands(index) {
			x.events = append(x.events, index)
		}
	}
	if len(x.events) == 0 {
		return act{}, a.noMore(index)
	}
	return x, nil
}

// scope says what an event is part of.
func (a *acts) scope(e *events.Event) string {
	switch {
	case e.Type != "voided" && e.Type != "corrected" && e.Type != "dispute_ruled" && e.Corrects == 0 && e.Replaces == 0:
		return events.VoidCommand
	case a.ordered(e.Command):
		return events.VoidRuling
	case e.Type == "voided":
		return events.VoidUndo
	}
	return events.VoidCorrection
}

// ordered reports whether the step of a command begins with a ruling, which orders the rest.
func (a *acts) ordered(command string) bool {
	step := a.steps[command]
	return len(step) > 0 && a.all[step[0]].Type == "dispute_ruled"
}

// whole finds the command behind an event.
func (a *acts) whole(index uint64, code string) (act, error) {
	return a.named(commandBehind(a.all, index), index, code)
}

// named finds a command, of which an event was named: what it led to, what corrected it, and what was said of its dice.
// What a correction took out is among it, for without the correction it would stand again. A phase that it began stays
// begun for those who acted in it since, unless it is undone.
func (a *acts) named(command string, index uint64, code string) (act, error) {
	x := act{scope: events.VoidCommand, command: command}
	heard := a.heard[x.command]
	if err := a.voidable(x.command, index); err != nil {
		return act{}, err
	}
	x.events = append(slices.Clone(a.heads[x.command]), a.gone[x.command]...)
	if len(heard) == 0 {
		x.events = append(x.events, a.referred[x.command]...)
	}
	for i, e := range heard {
		if e.Type == "phase_advanced" && code != codeSlip && i+1 < len(heard) {
			continue
		}
		x.events = append(append(x.events, e.Index), a.amending[e.Index]...)
	}
	for _, index := range slices.Clone(x.events) {
		x.events = append(x.events, a.said[index]...)
	}
	slices.Sort(x.events)
	x.events = slices.Compact(x.events)
	return x, nil
}

// voidable says what keeps a command from being voided.
func (a *acts) voidable(command string, index uint64) error {
	var first events.Event
	switch heard, referred := a.heard[command], a.referred[command]; {
	case len(heard) > 0:
		first = heard[0]
	case len(referred) > 0:
		first = a.all[referred[0]]
	default:
		return a.noMore(index)
	}
	switch verb := requestIn(&first).Verb; {
	case first.Index == 0:
		return fmt.Errorf("%w: event %d belongs to the campaign's opening, which no entry asked for", ErrNotCorrectable, index)
	case first.Type == "edition_moved":
		return fmt.Errorf("%w: event %d moved the campaign to another edition; move it again instead", ErrNotCorrectable, index)
	case !entered(verb):
		return fmt.Errorf("%w: %q is no entry with figures", ErrNotCorrectable, command)
	}
	return nil
}

// noMore says by what an event does not stand any more, or that nothing came of its command.
func (a *acts) noMore(index uint64) error {
	if by, void := a.voided[index]; void {
		return fmt.Errorf("%w: event %d does not stand any more, since #%d", ErrNotCorrectable, index, by)
	}
	return fmt.Errorf("%w: event %d belongs to %q, which led to nothing yet", ErrNotCorrectable, index, commandBehind(a.all, index))
}

func (a *acts) stands(index uint64) bool {
	_, void := a.voided[index]
	return !void
}

// draft is the event that voids the act.
func (x act) draft(code, reason string, dispute uint64) rules.Draft {
	return rules.Draft{Payload: &events.Voided{
		Command: x.command, Events: x.events, Code: code, Reason: reason, Dispute: dispute, Scope: x.scope,
	}}
}

// without gives the acts of the campaign once the act is voided.
func (a *acts) without(x act) *acts {
	n := uint64(len(a.all))
	p := &events.Voided{Command: x.command, Events: x.events, Scope: x.scope}
	return actsOf(append(a.all[:n:n], events.Event{Index: n, Type: p.Type(), Payload: events.EncodePayload(p)}))
}

// blocked says why an act cannot be voided as things are: something that stands rests on it, or what stood before it
// could not stand again beside what came since.
func (a *acts) blocked(x act, after *acts) []rules.Violation {
	var f rules.Findings
	for i := range a.all {
		if e := &a.all[i]; e.Type == "turn_advanced" && slices.Contains(x.events, e.Index) {
			f.ViolateField("void", rules.Input, "#%d began %s, and a turn that has begun stays begun", e.Index, e.Turn.Label)
		}
	}
	if by, on, rests := a.broken(after); rests {
		f.ViolateField("void", rules.Input, "#%d (%s) rests on #%d: void that first", by, words(a.all[by].Type), on)
	}
	if head, made := a.correctedSince(x, after); made && !f.Refused() {
		f.ViolateField("void", rules.Input, "#%d corrects the entry as it stands since: void that first", head)
	}
	return f.Violations
}

// correctedSince finds the first correction that stands and was made on what an act takes out or lets stand again.
func (a *acts) correctedSince(x act, after *acts) (head uint64, made bool) {
	for command := range a.touched(x.events, map[string]bool{}) {
		for _, index := range after.heads[command] {
			if index > x.events[0] && (!made || index < head) {
				head, made = index, true
			}
		}
	}
	return head, made
}

// broken finds an event that stands after and rests on one that does not, which was not so before.
func (a *acts) broken(after *acts) (by, on uint64, is bool) {
	for i := range a.all {
		e := &a.all[i]
		if !after.stands(e.Index) {
			continue
		}
		for _, on := range grounds(e) {
			if on < e.Index && !after.stands(on) && (a.stands(on) || !a.stands(e.Index)) {
				return e.Index, on, true
			}
		}
	}
	return 0, 0, false
}

// grounds lists what an event cannot stand without: what it negates, settles, answers, corrects.
func grounds(e *events.Event) (list []uint64) {
	p, _ := events.PayloadOf(e)
	for _, index := range append(events.Refers(p), e.Corrects) {
		if index != 0 {
			list = append(list, index)
		}
	}
	return list
}

// touched adds the commands whose events, or whose corrections, an act takes out or lets stand again.
func (a *acts) touched(list []uint64, of map[string]bool) map[string]bool {
	for _, index := range before(list, uint64(len(a.all))) {
		e := &a.all[index]
		var p events.Corrected
		if e.Read(&p) {
			of[p.Command] = true
		}
		if e.Type == "voided" {
			a.touched(before(events.Voids(e), index), of)
		} else {
			of[commandBehind(a.all, index)] = true
		}
	}
	return of
}

// before lists the indexes that are less than an event's own: a forged event may name any.
func before(list []uint64, index uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(list), func(i uint64) bool { return i >= index })
}
