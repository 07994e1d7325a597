package review

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// # A correction is one transaction
//
// A correction is judged together with everything that follows from it. [Reviewer.Plan] judges it, and every later
// command in the order in which they count, on what would count before it then, with the dice, draws and choices that
// are recorded. It stores nothing. The [Plan] lists the consequences, each with its results before and after;
// [Correction.Decisions] says of one whether it is applied or kept, and the rest is judged accordingly. The umpire
// appends the whole as one step:
//
//	#28 corrected            event 6, left: [{event 23, kept, in_hand 19 → 20}]
//	#29 submarines_reported  corrects 6
//	#30 corrected            event 15, cause 28, voids [14]
//	#31 income_collected     corrects 15
//
// What a step leaves is pending until it is applied, which is a correction with that cause, or does not differ any
// more: [Trial.Pending]. If a correction would take up what another left, because both bear on the same command, that
// comes first in the step, under its own cause.

// Decision says what becomes of a consequence.
type Decision string

// The decisions.
const (
	Apply Decision = "apply" // its results are corrected in the same step
	Keep  Decision = "keep"  // they stand as they are recorded; the record says so
	// Undecided leaves them as Keep does, and says that nobody decided: it is for [Correction.Default] alone.
	Undecided Decision = "undecided"
	// Waits is not for the umpire to choose: the consequence would need dice, cards, an answer or a ruling that the
	// record does not have. It may be kept; to apply it, correct its command with what it needs, and name the cause.
	Waits Decision = "waits"
)

// Consequence is a later command that comes out otherwise than recorded.
type Consequence struct {
	Event    uint64 // of its results the first that would be another, or, if none stays, would not happen
	Command  string // its id
	Cause    uint64 // the head of the correction that it follows from; 0 for the one that is proposed
	Decision Decision
	KeptBy   uint64          // the event by which somebody decided earlier that it is kept; 0 for none
	Results  []Result        // what changes; none where that cannot be said
	Figures  []events.Change // the same field by field, as [events.Left] has them
	Gone     string          // why the command would not happen; empty if it would
	Waits    string          // why it cannot be applied by itself; empty if it can

	of []uint64 // events of the command
}

// Plan is a correction with what follows from it, before it is recorded.
type Plan struct {
	Event        uint64            // as the correction names it
	Results      []Result          // of the command corrected
	Changes      []events.Change   // of its entry
	Absorbed     []Consequence     // left by other corrections, and taken up: it comes first, under its own cause
	Consequences []Consequence     // in the order in which they count
	VoidedBy     uint64            // by what the command does not count, if it is entered again; 0 if it counts
	Thrown       bool              // dice are to be thrown: results and consequences are known once they lie
	Violations   []rules.Violation // why the correction is refused; nothing else is set then
	Warnings     []string          // of what no rule forbids in the entry as it is corrected
	Events       uint64            // that the campaign has: see [Correction.After]
}

// Reviewer is a campaign at its head, with what is needed to judge its commands again.
type Reviewer struct {
	Timeline *campaign.Timeline
	Campaign *campaign.Campaign
	Secrets  keys.Secrets
	Drawn    rehear.Drawn
	Maker    campaign.Maker // of the events to come
}

// Plan judges a correction, behind what comes first in its step, and everything that follows from it. It gives the
// parts of the step too, unless it is dry: then no dice are thrown. Nothing is stored.
func (h Reviewer) Plan(k Correction, lead []campaign.Part, dry bool) (Plan, []campaign.Part, error) {
	p := &planning{head: h, k: k, lead: lead, dry: dry}
	err := p.run()
	if refused := h.Campaign.CheckAwaited(h.Maker.At(), p.parts...); err == nil && len(refused) > 0 {
		return Plan{Violations: refused}, nil, nil
	}
	return p.plan, p.parts, err
}

// ErrOvertaken is wrapped when a campaign went on since a correction was proposed.
var ErrOvertaken = errors.New("the campaign went on since that was proposed")

// planning is a correction as its step is put together.
type planning struct {
	head Reviewer
	k    Correction
	lead []campaign.Part // what comes before it in the step: a ruling
	dry  bool            // no dice are thrown

	start  uint64 // the place of the command corrected
	before rules.Game
	causes map[string]uint64 // of what is pending without the correction, by command; nil until somebody asks
	absorb map[string]uint64 // the commands of which something left is taken up, with its cause
	branch *campaign.Branch
	parts  []campaign.Part
	plan   Plan
}

// run hears the correction on the campaign at its head, until nothing more is taken up by it.
func (p *planning) run() error {
	next := p.head.Campaign.Next
	p.plan, p.absorb = Plan{Event: p.k.Event, Events: next}, map[string]uint64{}
	if err := Overtaken(p.k.After, next); err != nil {
		return err
	}
	w, err := p.head.prior(p.k.Event)
	if err != nil {
		return err
	}
	p.start, p.before, p.plan.VoidedBy = campaign.PlaceOf(&w.heard[0]), w.before, w.void
	for again := true; again && err == nil; {
		again, err = p.hear()
	}
	if err != nil || p.k.WithoutConsequences || p.k.Dice.Again || len(p.plan.Violations) > 0 {
		return err
	}
	return p.decidesOnWhatFollows()
}

// ErrNothingFollows is wrapped when a decision is on what does not come out otherwise by a correction.
var ErrNothingFollows = errors.New("nothing is to be decided")

// decidesOnWhatFollows refuses decisions on what does not follow from the correction, neither as it is decided nor if
// all of it is applied: a number that was mistyped should not be passed over.
func (p *planning) decidesOnWhatFollows() error {
	var all []Consequence
	for _, event := range slices.Sorted(maps.Keys(p.k.Decisions)) {
		if d := p.k.Decisions[event]; d == Waits {
			return fmt.Errorf("%w: a consequence is applied or kept, not %q", ErrNotCorrectable, d)
		}
		if p.follows(event, p.plan.Consequences) || p.follows(event, p.plan.Absorbed) {
			continue
		}
		if all == nil {
			k := p.k
			k.Decisions, k.Default = nil, Apply
			applied := &planning{head: p.head, k: k, lead: p.lead, dry: true}
			if err := applied.run(); err != nil {
				return err
			}
			all = applied.plan.Consequences
		}
		if !p.follows(event, all) {
			return fmt.Errorf("%w on #%d: it does not come out otherwise by the correction%s", ErrNothingFollows, event,
				named(all))
		}
	}
	return nil
}

// follows reports whether an event is of one of the consequences.
func (p *planning) follows(event uint64, list []Consequence) bool {
	v := p.head.Campaign.History
	return event < v.Len() && slices.ContainsFunc(list, func(x Consequence) bool {
		return x.Command == v.Command(event).ID
	})
}

// named names the consequences of a correction.
func named(all []Consequence) string {
	if len(all) == 0 {
		return ", and nothing else does"
	}
	events := rules.Each(all, func(x Consequence) string { return fmt.Sprintf("#%d", x.Event) })
	return "; what does: " + strings.Join(events, ", ")
}

// hear puts the step together. Again says that it takes up more than was known before, and is to be put together anew.
func (p *planning) hear() (again bool, err error) {
	p.parts = slices.Clone(p.lead)
	p.plan.Absorbed, p.plan.Consequences = nil, nil
	if p.branch, err = campaign.NewBranch(p.head.Timeline, p.head.Maker, p.lead); err != nil {
		return false, err
	}
	was := p.pass() // without the correction
	if err := p.takeUp(); err != nil {
		return false, err
	}
	is := p.pass()
	w, err := is.next()
	if err != nil {
		return false, err
	}
	if w == nil || campaign.PlaceOf(&w.heard[0]) != p.start {
		return false, fmt.Errorf("%w: what #%d belongs to would not happen, by what is pending",
			ErrNotCorrectable, p.k.Event)
	}
	main, again, err := p.correct(w, was)
	if err != nil || main == nil || p.k.WithoutConsequences {
		return again, err
	}
	return p.consequences(main, was, is)
}

// pass begins a pass where the command corrected begins.
func (p *planning) pass() *pass {
	b := p.branch
	return &pass{
		Timeline: b.Timeline, campaign: p.head.Campaign, secrets: p.head.Secrets, drawn: p.head.Drawn,
		view: b.Index.Head(), from: p.start, place: p.start, end: p.head.Campaign.Next, game: p.before,
	}
}

// takeUp corrects, before anything else, what other corrections left and this one would take up.
func (p *planning) takeUp() error {
	if len(p.absorb) == 0 {
		return nil
	}
	pass := p.pass()
	for {
		w, err := pass.next()
		if err != nil || w == nil {
			return err
		}
		cause, ok := p.absorb[w.command.ID]
		if !ok {
			continue
		}
		o, err := w.follow(p.following(cause), p.branch.Next())
		if err != nil {
			return err
		}
		if !o.otherwise() {
			continue
		}
		if o.waits != nil {
			return fmt.Errorf("%w: #%d would take up what #%d left at #%d, and that %w",
				ErrNotCorrectable, p.k.Event, cause, w.heard[0].Index, o.waits)
		}
		p.plan.Absorbed = append(p.plan.Absorbed, o.consequence(cause, Apply))
		if err := p.add(o.part, pass); err != nil {
			return err
		}
	}
}

// following is what corrects a consequence.
func (p *planning) following(cause uint64) Correction {
	return Correction{ID: p.k.ID, Reason: p.k.Reason, Cause: cause}
}

// add adds a part to the step. What passes behind it finds it.
func (p *planning) add(x campaign.Part, pass *pass) error {
	if err := p.branch.Add(x); err != nil {
		return err
	}
	p.parts = append(p.parts, x)
	pass.view = p.branch.Index.Head()
	return nil
}

// correct corrects the command itself. It is judged on what counts by now: what other corrections left of it is taken
// up first.
func (p *planning) correct(w *priorCommand, was *pass) (head *events.Corrected, again bool, err error) {
	entry, changes, err := p.k.Corrected(w.command.Body)
	if err != nil {
		return nil, false, err
	}
	p.plan.Changes = changes
	bare := len(changes) == 0 && p.k.Dice.String() == diceStand
	if _, done := p.absorb[w.command.ID]; !done && !p.k.WithoutConsequences {
		if again, err := p.leftBefore(was, bare); again || err != nil {
			return nil, again, err
		}
	}
	if p.dry && p.k.Dice.Again {
		p.plan.Thrown = true
		return nil, false, nil
	}
	at := p.branch.Next()
	var x campaign.Part
	if bare && p.k.Cause != 0 {
		o, err := w.follow(p.k, at)
		switch {
		case err == nil && errors.Is(o.waits, ErrNotCorrectable):
			return nil, false, fmt.Errorf("%w; keep it as it is recorded, or dispute it, have it ruled void and "+
				"enter it anew", o.waits)
		case err != nil || o.waits != nil:
			return nil, false, cmp.Or(err, o.waits)
		}
		x = o.part
	} else if x, p.plan.Violations, err = w.correct(p.k, at, entry, changes); err != nil || len(p.plan.Violations) > 0 {
		return nil, false, err
	}
	if p.plan.Violations = p.head.Campaign.CheckDispute(x.Drafts); len(p.plan.Violations) > 0 {
		return nil, false, nil
	}
	if x.Drafts == nil {
		return nil, false, errSame
	}
	p.plan.Results, p.plan.Warnings = (&outcome{of: w, part: x}).changes(), w.warnings
	p.parts = append(p.parts, x)
	return x.Drafts[0].Payload.(*events.Corrected), false, p.branch.Add(x)
}

// leftBefore finds whether the command corrected is one that another correction left as it was.
func (p *planning) leftBefore(was *pass, bare bool) (again bool, err error) {
	w, err := was.next()
	if w == nil || err != nil {
		return false, err
	}
	o, err := w.follow(p.following(0), p.branch.Next())
	if err != nil || !o.otherwise() {
		return false, err
	}
	cause, ok, err := p.cause(w.command.ID)
	switch {
	case err != nil:
		return false, err
	case p.k.Cause != 0 && ok && p.k.Cause != cause:
		return false, fmt.Errorf("%w: what is pending at #%d follows from #%d, not from #%d",
			ErrNotCorrectable, p.k.Event, cause, p.k.Cause)
	case !ok:
	case bare || o.waits != nil || o.gone != "":
		p.k.Cause = cause
	default:
		p.absorb[w.command.ID] = cause
		return true, nil
	}
	return false, nil
}

// consequences corrects what follows, as far as that is decided, and notes in the head what is left.
func (p *planning) consequences(head *events.Corrected, was, is *pass) (again bool, err error) {
	is.view = p.branch.Index.Head()
	cause := is.view.Len() - uint64(len(p.parts[len(p.parts)-1].Drafts))
	for {
		w, err := is.next()
		if w == nil || err != nil {
			return again, err
		}
		o, err := w.follow(p.following(cause), p.branch.Next())
		if err != nil {
			return false, err
		}
		if !o.otherwise() {
			continue
		}
		before, err := p.asBefore(was, w)
		if err != nil {
			return false, err
		}
		if before != nil && before.same(o) {
			continue // it is pending already, and this changes nothing in it
		}
		d := p.k.decision(o)
		if _, done := p.absorb[w.command.ID]; d == Apply && !done &&
			before != nil && before.waits == nil && before.gone == "" && before.otherwise() {
			of, ok, err := p.cause(w.command.ID)
			if err != nil {
				return false, err
			}
			if ok && is.view.Stands(of) { // unless it is void by what follows itself
				// What comes later comes out the same either way: one pass finds them all.
				p.absorb[w.command.ID], again = of, true
			}
		}
		x := o.consequence(0, d)
		p.plan.Consequences = append(p.plan.Consequences, x)
		if d == Apply {
			err = p.add(o.part, is)
		} else {
			head.Left = append(head.Left, x.left())
		}
		if err != nil {
			return false, err
		}
	}
}

// cause gives the cause of what is pending of a command without the correction; false if nothing is.
func (p *planning) cause(command string) (cause uint64, ok bool, err error) {
	if p.causes == nil {
		h := p.head
		all := &pass{Timeline: h.Timeline, campaign: h.Campaign, secrets: h.Secrets, drawn: h.Drawn}
		left, err := all.pending()
		if err != nil {
			return 0, false, err
		}
		p.causes = map[string]uint64{}
		for _, x := range left.Consequences {
			p.causes[x.Command] = x.Cause
		}
	}
	cause, ok = p.causes[command]
	return cause, ok, nil
}

// asBefore judges a command on what counts without the correction.
func (p *planning) asBefore(was *pass, w *priorCommand) (*outcome, error) {
	before, err := was.command(w.command.ID)
	if before == nil || err != nil {
		return nil, err
	}
	return before.follow(p.following(0), p.branch.Next())
}

// consequence tells what comes out otherwise.
func (o *outcome) consequence(cause uint64, d Decision) Consequence {
	x := Consequence{
		Event: o.of.heard[0].Index, Command: o.of.command.ID,
		Cause: cause, Decision: d, KeptBy: o.kept, Gone: o.gone, Results: o.changes(),
	}
	if x.Figures = figures(x.Results); len(x.Results) > 0 {
		x.Event = x.Results[0].index()
	}
	if o.waits != nil {
		x.Waits = o.waits.Error()
	}
	for i := range o.of.heard {
		x.of = append(x.of, o.of.heard[i].Index)
	}
	return x
}

// left is the consequence as the head of a correction has it.
func (x Consequence) left() events.Left {
	choice := map[Decision]string{
		Keep: events.LeftKept, Undecided: events.LeftUndecided, Waits: events.LeftWaits,
	}[x.Decision]
	return events.Left{Event: x.Event, Choice: choice, Figures: x.Figures}
}
