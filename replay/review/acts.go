package review

import (
	"cmp"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/rules"
)

// ActFinder finds what is voided as one in a campaign: a command with its corrections, one correction, one ruling with
// what it ordered, one undo.
type ActFinder struct {
	history.View
	read history.Reader
	out  map[uint64]bool // what is voided beside what the view says, by acts that are being taken back
	void map[uint64]bool // of the events asked for whether they do not stand then
	old  bool            // as earlier programs took acts back: without what an act had taken out of itself
}

// NewActFinder finds them in the events that a reader reads, as a view has them.
func NewActFinder(v history.View, read history.Reader) *ActFinder {
	return &ActFinder{View: v, read: read}
}

// Act is what is voided as one.
type Act struct {
	scope   string   // as [events.Voided] has it
	command string   // whose events these are
	events  []uint64 // ascending
}

// Find finds the act that an event belongs to. The error wraps [ErrNotCorrectable].
func (a *ActFinder) Find(index uint64, code string) (Act, error) {
	if index >= a.Len() {
		return Act{}, errNoEvent(index)
	}
	e, err := a.read(index)
	if err != nil {
		return Act{}, err
	}
	step := a.CommandNamed(e.Command)
	x := Act{scope: a.scope(index, step), command: step.ID}
	if x.scope == events.VoidCommand {
		return a.OfCommand(a.Command(index), index, code)
	}
	if x.events = a.standing(step.Events); len(x.events) == 0 {
		return Act{}, errNothingStands(a.View, index, step.ID)
	}
	if x.events = a.withConsequences(x.events); !a.old {
		x.events = a.withOwn(x.events)
	}
	return x, nil
}

// withOwn adds what the events in a list took out of their own steps: a correction may correct again what it took up
// first. Without it that would stand again.
func (a *ActFinder) withOwn(list []uint64) []uint64 {
	in, steps := among(list), map[string]bool{}
	for _, i := range list {
		steps[a.Step(i).ID] = true
	}
	for _, i := range slices.Clone(list) {
		for _, gone := range a.Targets(history.Voids, i) {
			if !in[gone] && steps[a.Step(gone).ID] {
				list, in[gone] = append(list, gone), true
			}
		}
	}
	slices.Sort(list)
	return list
}

// withConsequences adds what follows from the corrections in a list, wherever it was recorded: what was corrected with
// one of them as its cause, and what was decided on that.
func (a *ActFinder) withConsequences(list []uint64) []uint64 {
	in := among(list)
	for n := 0; n < len(list); n++ {
		for _, by := range a.Sources(history.Cause, list[n]) {
			step := a.Step(by).ID
			for i := by; i < a.Len() && (i == by || a.Step(i).ID == step && a.Type(i) != "corrected"); i++ {
				if a.StillStands(i) && !in[i] {
					list, in[i] = append(list, i), true
				}
			}
		}
	}
	slices.Sort(list)
	return list
}

// scope says what an event is part of that was recorded with a step.
func (a *ActFinder) scope(index uint64, step history.Command) string {
	_, corrects := a.Target(history.Corrects, index)
	_, replaces := a.Target(history.Replaces, index)
	kind := a.Type(index)
	switch {
	case kind != "voided" && kind != "corrected" && kind != "consequence_kept" && kind != "dispute_ruled" &&
		!corrects && !replaces:
		return events.VoidCommand
	case a.Type(step.First()) == "dispute_ruled":
		return events.VoidRuling
	case kind == "voided":
		return events.VoidUndo
	}
	return events.VoidCorrection
}

// OfCommand finds what a command led to, what corrected it, and what seats typed of its dice. What a correction took
// out is among it, for without the correction it would stand again. A phase that it began stays begun for those who
// acted in it since, unless it is undone. index is the event that was named.
func (a *ActFinder) OfCommand(c history.Command, index uint64, code string) (Act, error) {
	x := Act{scope: events.VoidCommand, command: c.ID}
	heard := a.standing(a.heard(c))
	referred := slices.DeleteFunc(a.standing(c.Events), func(i uint64) bool { return a.Type(i) != "referred" })
	if err := a.voidable(c, append(heard, referred...), index); err != nil {
		return Act{}, err
	}
	if len(heard) == 0 {
		x.events = referred
	}
	for i, n := range heard {
		if a.Type(n) == "phase_advanced" && code != codeUndone && i+1 < len(heard) {
			continue
		}
		x.events = append(append(x.events, n), a.standing(a.Sources(history.Corrects, n))...)
	}
	for _, head := range a.standing(a.corrections(c)) {
		x.events = append(append(x.events, head), a.Targets(history.Voids, head)...)
	}
	for _, n := range slices.Clone(x.events) {
		typed := slices.DeleteFunc(a.Sources(history.Roll, n), func(i uint64) bool { return !a.typesDice(i) })
		x.events = append(x.events, a.standing(typed)...)
	}
	slices.Sort(x.events)
	x.events = slices.Compact(x.events)
	return x, nil
}

// heard lists what a command led to with the answers that it was given, and what came in the place of these, whether it
// stands or not: in the order in which it counts. A command that was referred begins behind the ruling.
func (a *ActFinder) heard(c history.Command) []uint64 {
	var list []uint64
	add := func(indexes []uint64, kinds ...events.Type) {
		for _, i := range indexes {
			if (len(kinds) == 0 || slices.Contains(kinds, a.Type(i))) && !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
	}
	add(slices.DeleteFunc(slices.Clone(c.Events), func(i uint64) bool { return a.Type(i) == "referred" }))
	for n := 0; n < len(list); n++ {
		add(a.Sources(history.Question, list[n]), "choice_made")
		add(a.Sources(history.Roll, list[n]), "dice_rolled")
		add(a.Sources(history.Replaces, list[n]))
	}
	places, own := map[uint64]uint64{}, map[uint64]int{}
	for _, i := range list {
		if places[i] = a.place(i); places[i] == i {
			own[i] = 1 // what takes a place comes before what names that place
		}
	}
	slices.SortFunc(list, func(i, j uint64) int {
		return cmp.Or(cmp.Compare(places[i], places[j]), cmp.Compare(own[i], own[j]), cmp.Compare(i, j))
	})
	return list
}

// place is the index of the event in whose place another counts.
func (a *ActFinder) place(index uint64) uint64 { return place(a.View, index) }

// corrections lists the heads of a command's corrections.
func (a *ActFinder) corrections(c history.Command) []uint64 {
	return slices.DeleteFunc(slices.Clone(c.Changes), func(i uint64) bool { return a.Type(i) != "corrected" })
}

// voidable says what keeps a command, of which there stand some events, from being voided.
func (a *ActFinder) voidable(c history.Command, stands []uint64, index uint64) error {
	if len(stands) == 0 {
		return errNothingStands(a.View, index, c.ID)
	}
	first, err := a.read(a.place(stands[0]))
	if err != nil {
		return err
	}
	return checkPlay(first, index, c.ID)
}

// standing keeps those of a list that stand.
func (a *ActFinder) standing(list []uint64) []uint64 {
	return slices.DeleteFunc(slices.Clone(list), func(i uint64) bool { return !a.StillStands(i) })
}

// StillStands reports whether an event stands, by the view and without what is being voided.
func (a *ActFinder) StillStands(index uint64) bool {
	if len(a.out) == 0 {
		return a.Stands(index)
	}
	if a.out[index] {
		return false
	}
	void, known := a.void[index]
	if !known {
		void = slices.ContainsFunc(a.Sources(history.Voids, index),
			func(by uint64) bool { return by > index && a.StillStands(by) })
		a.void[index] = void
	}
	return !void
}

// Without gives the acts of the campaign once one is voided.
func (a *ActFinder) Without(x Act) *ActFinder {
	after := &ActFinder{View: a.View, read: a.read, out: among(x.events), void: map[uint64]bool{}}
	maps.Copy(after.out, a.out)
	return after
}

// Draft is the event that voids the act.
func (x Act) Draft(code, reason string, dispute uint64) rules.Draft {
	return rules.Draft{Payload: &events.Voided{
		Command: x.command, Events: x.events, Code: code, Reason: reason, Dispute: dispute, Scope: x.scope,
	}}
}

// blocked says why an act cannot be voided as things are: something that stands rests on it, or what stood before it
// could not stand again beside what came since. after are the acts without it.
func (a *ActFinder) blocked(x Act, after *ActFinder) []rules.Violation {
	var f rules.Findings
	for _, index := range x.events {
		if a.Type(index) == "turn_advanced" {
			f.ViolateField("void", rules.Input, "#%d began a turn, and a turn that has begun stays begun", index)
		}
	}
	changed := a.changed(x, after)
	if by, on, rests := a.broken(changed, after, a.At(x.events[0])); rests {
		f.ViolateField("void", rules.Input, "#%d (%s) rests on #%d: void that first", by, a.Type(by).Words(), on)
	}
	if head, made := a.correctedSince(x, changed, after); made && !f.Refused() {
		f.ViolateField("void", rules.Input, "#%d corrects the entry as it stands since: void that first", head)
	}
	return f.Violations
}

// refused is what blocks an act, and a correction that would come back beside others of its entry than those it was
// made on: what was typed then would not be what counts. Earlier programs let it come back, so that accuses no
// record.
func (a *ActFinder) refused(x Act, after *ActFinder) []rules.Violation {
	if violations := a.blocked(x, after); len(violations) > 0 {
		return violations
	}
	var f rules.Findings
	for _, index := range a.changed(x, after) {
		if a.Type(index) != "corrected" || !after.StillStands(index) || a.follows(index) {
			continue
		}
		then := a.At(index)
		for _, other := range a.corrections(a.Command(index)) {
			switch by, _ := a.VoidedBy(other); {
			case other >= index || a.follows(other) || then.Stands(other) == after.StillStands(other):
			case then.Stands(other):
				f.ViolateField("void", rules.Input,
					"#%d would stand again, and corrects the entry as #%d left it: void #%d first, or correct "+
						"the entry anew",
					index, other, by)
			default:
				f.ViolateField("void", rules.Input,
					"#%d would stand again, and corrects the entry as it was without #%d: void that first", index,
					other)
			}
		}
	}
	return f.Violations
}

// follows reports whether a correction is a consequence of another.
func (a *ActFinder) follows(head uint64) bool { return len(a.Targets(history.Cause, head)) > 0 }

// changed lists what stands no more without an act, and what stands again.
func (a *ActFinder) changed(x Act, after *ActFinder) []uint64 {
	list := a.standing(x.events)
	in := among(list)
	for n := 0; n < len(list); n++ {
		for _, index := range a.Targets(history.Voids, list[n]) {
			if a.StillStands(index) != after.StillStands(index) && !in[index] {
				list, in[index] = append(list, index), true
			}
		}
	}
	return list
}

// among makes a set of a list.
func among(list []uint64) map[uint64]bool {
	in := make(map[uint64]bool, len(list))
	for _, index := range list {
		in[index] = true
	}
	return in
}

// grounds are the relations to what an event cannot stand without.
var grounds = []history.Relation{
	history.Roll, history.Draw, history.Card, history.Contest, history.Play, history.Question, history.Corrects,
}

// broken finds an event that stands after and rests on one that does not. It may if it did before the act that is taken
// back: a card of a draw that is void is played where the question was asked before. What seats typed of dice may stay
// when they are replaced: it rests on nothing.
func (a *ActFinder) broken(changed []uint64, after *ActFinder, before history.View) (by, on uint64, is bool) {
	rests := func(by, on uint64) bool {
		return after.StillStands(by) && !after.StillStands(on) && (by >= before.Len() || !before.Stands(by) ||
			before.Stands(on))
	}
	for _, index := range changed {
		for _, r := range grounds {
			if after.StillStands(index) && !a.typesDice(index) {
				for _, of := range a.Targets(r, index) {
					if rests(index, of) {
						return index, of, true
					}
				}
				continue
			}
			for _, by := range a.Sources(r, index) {
				if !a.typesDice(by) && rests(by, index) {
					return by, index, true
				}
			}
		}
	}
	return 0, 0, false
}

// typesDice reports whether an event is what a seat typed of the dice at a table, or names another round for them.
func (a *ActFinder) typesDice(index uint64) bool {
	return a.Type(index).OfAwaitedDice()
}

// correctedSince finds the first correction that stands and was made on what an act takes out or lets stand again.
func (a *ActFinder) correctedSince(x Act, changed []uint64, after *ActFinder) (head uint64, made bool) {
	for _, index := range changed {
		for _, i := range after.standing(a.corrections(a.Command(index))) {
			if i > x.events[0] && (!made || i < head) {
				head, made = i, true
			}
		}
	}
	return head, made
}
