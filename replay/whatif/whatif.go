// Package whatif plays a campaign again from one of its commands on, with something changed, and compares.
//
// A [replay.Simulator] hears the commands of the record in their order, on a branch of its journal that
// goes on in memory. Nothing is recorded:
//
//	list, err := turnfile.ParseChange("die #14 = 6")
//	h, err := whatif.Run(umpire, id, whatif.Scenario{Changes: []turnfile.Change{list}, Seed: "1"})
//	h.First       // where record and what-if part
//	h.Differences // event by event
//	h.Unheard     // commands of the record that came to nothing, each with its reason
//
// Dice and cards are those of the record wherever the same roll or draw is called for. Others fall from the seed, which
// is printed, and never from the campaign's secret: a what-if must not show a die to come. With nothing changed the
// what-if is the record, event for event.
//
// A command about an event is not heard if that event does not happen, or happens otherwise. A question that the record
// does not answer is set aside, and the next command is heard.
package whatif

import (
	"errors"
	"fmt"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// Scenario is what a what-if begins with.
type Scenario struct {
	// event from whose command on the campaign is played again; 0: from the first event that a change names
	At      uint64
	Changes []turnfile.Change
	Seed    string // of the dice and cards that the record does not have; "whatif/" stands before it
}

// ErrChange is wrapped for a change that cannot be made there.
var ErrChange = errors.New("that cannot be changed")

// Result is how a campaign would have gone.
type Result struct {
	From        uint64 // index of the first event that was played again
	Seed        string // whole, as dice and cards fell by it
	Heard       int    // commands of the record heard again
	Differences []Difference
	Unheard     []UnheardCommand   // commands of the record that came to nothing
	Fresh       []uint64           // declarations whose dice or cards fell by the seed, by hypothetical index
	Open        *campaign.Question // that is open at the end
	First       *Divergence        // the first event that differs, nil if none does

	id     ulid.ULID
	branch *branch // of the record, from From on
}

// Difference is an event of the record beside what would have happened in its place. One of the two
// may be missing. They are the same where they differ in a secret alone.
type Difference struct {
	Recorded     *events.Event
	Hypothetical *events.Event
	Fields       []FieldDifference
	Reasons      []FieldDifference // steps of the derivation that are not in both, by rule
	Secrets      []FieldDifference // committed facts, by slot

	heard int // how many commands were heard before it
}

// FieldDifference is one field of an event, by its path; an empty value is a field that is not there.
type FieldDifference struct {
	Field        string `json:"field"`
	Recorded     string `json:"recorded"`
	Hypothetical string `json:"hypothetical"`
}

// Divergence is where record and what-if part: at a difference, or at a command that came to nothing.
type Divergence struct {
	Difference *Difference
	Unheard    *UnheardCommand
}

// Why a command of the record came to nothing.
const (
	UnheardRefused = "refused"  // the rules refuse it
	UnheardUnfit   = "unfit"    // it answers what is not asked, or is about what did not happen
	UnheardOpen    = "open"     // it asks what the record does not answer: what it led to stands so far
	UnheardLeftOut = "left out" // as the scenario says
)

// UnheardCommand is a command of the record that came to nothing, or not to its end.
type UnheardCommand struct {
	Why        string
	Command    string
	Verb       string
	Recorded   uint64 // index of its first event in the record
	Events     int    // how many it led to there
	Violations []rules.Violation
	Say        string             // what keeps it from being heard
	Question   *campaign.Question // that is left open

	heard int // how many commands were heard before it
}

// Records gives the events of the what-if: up to From those of the record.
func (h *Result) Records() iter.Seq2[events.Record, error] {
	return h.branch.Read(h.id, 0, campaign.Everything)
}

// Openings gives the umpire's openings of the events of the what-if.
func (h *Result) Openings() ([]events.Opening, error) {
	return h.branch.Openings(h.id, 0, campaign.Everything)
}

// Events is how many events the what-if has.
func (h *Result) Events() uint64 {
	c, _ := h.branch.Campaign(h.id)
	return c.Events
}

// Run plays a campaign of an umpire again from an event on, beside the record. The errors that wrap
// [ErrChange] say what is wrong with the scenario.
func Run(u *replay.Umpire, id ulid.ULID, s Scenario) (*Result, error) {
	c, ok := u.Journal().Campaign(id)
	if !ok {
		return nil, fmt.Errorf("%w: %s", campaign.ErrUnknownCampaign, id)
	}
	head, err := u.At(id, campaign.Everything)
	if err != nil {
		return nil, err
	}
	from, err := departure(u, head, c.Name, s)
	if err != nil {
		return nil, err
	}
	r, err := readCommands(u.Journal(), id, from, head.History)
	if err != nil {
		return nil, err
	}
	b, err := journal.NewBranch(u.Journal(), id, from)
	if err != nil {
		return nil, err
	}
	h := &Result{From: from, Seed: "whatif/" + s.Seed, id: id,
		branch: &branch{Branch: b, opened: campaign.Openings{}}}
	return h, newRun(u, h, r).play(s)
}

// branch is the journal of a what-if: a branch of the record that notes what is appended to it.
type branch struct {
	*journal.Branch
	made   []events.Event    // appended for the command heard last
	opened campaign.Openings // of all that was appended
}

// Append adds a step, and notes it.
func (b *branch) Append(s journal.Step) (journal.Appended, error) {
	a, err := b.Branch.Append(s)
	if err != nil {
		return a, err
	}
	for _, x := range s.Events {
		b.made = append(b.made, *x.Event())
	}
	b.opened.Add(s.Openings...)
	return a, nil
}

// play hears the record again, from where the what-if begins to its end.
func (w *run) play(s Scenario) error {
	if err := w.simulator.Load(); err != nil {
		return err
	}
	if err := w.change(s.Changes); err != nil {
		return err
	}
	for i := range w.steps {
		if err := w.put(&w.steps[i]); err != nil {
			return err
		}
	}
	if err := w.ruleAsBefore(); err != nil {
		return err
	}
	if !w.openInRecord() {
		if err := w.throwAtTable(); err != nil {
			return err
		}
	}
	w.departed()
	w.Open, w.Fresh = w.campaign().Open, w.chances.fresh
	return nil
}

// departure finds where the what-if begins: the first event of the command behind the event asked for, or of the one
// that waited while that was heard. The opening itself is not played again.
func departure(u *replay.Umpire, head *campaign.Campaign, name string, s Scenario) (from uint64, err error) {
	from = s.At
	for _, k := range s.Changes {
		if s.At == 0 && k.Event != 0 && (from == 0 || k.Event < from) {
			from = k.Event
		}
	}
	v := head.History
	if head.Hands == campaign.Players {
		return 0, fmt.Errorf("%w: the players of campaign %s draw by themselves, and nobody else deals their cards "+
			"again", ErrChange, name)
	}
	if from >= v.Len() {
		return 0, fmt.Errorf("%w: campaign %s has no event #%d; its last is #%d", ErrChange, name, from, v.Len()-1)
	}
	opening := v.CommandNamed(campaign.CommandOpen).Events
	if from < uint64(len(opening)) {
		return uint64(len(opening)), nil
	}
	for v.Step(from).First() != from {
		from--
	}
	before, err := u.At(head.ID, from)
	if err == nil && before.Open != nil {
		from = v.CommandNamed(before.Heard.Command).First()
	}
	return max(from, uint64(len(opening))), err
}
