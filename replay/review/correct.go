package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// Correction replaces inputs of an earlier command, or its dice.
type Correction struct {
	ID     string // command id of the correction itself; empty to derive one
	Event  uint64 // any event of the command to correct
	Code   string // why, in a word: "mistyped", "forgotten"
	Reason string // why, in a sentence
	// Source is the correction as it was submitted. The same source for the same event is the
	// same correction again. Without a source, the same corrected entry is.
	Source []byte
	// Replace gives the entry as it should have been, and what changed in it; nil where only the
	// dice change.
	Replace func(entry json.RawMessage) (json.RawMessage, []events.Change, error)
	Dice    DiceRuling
	Dispute uint64 // the dispute that it settles: the ruling is the event before it in its step

	Decisions map[uint64]Decision // what becomes of a consequence, by any event of its command
	Default   Decision            // and of those that are not named: [Apply] if it is empty
	// of a consequence that is applied by itself: the head of the correction that it follows from
	Cause uint64
	After uint64 // the number of events that the campaign must have, as in [Plan]; 0 for any
	// Confirm is asked before the plan is recorded, and keeps it from being so by an error. It must not ask the umpire;
	// nil for nobody.
	Confirm func(Plan) error

	WithoutConsequences bool // what follows from it is neither applied nor left
}

// DiceRuling says what becomes of the dice of a corrected command. They stand unless it says
// otherwise; whichever fell first stays in the record for all to see.
type DiceRuling struct {
	Again bool               // thrown again, each roll under a declaration of its own
	Fell  map[uint64][][]int // as they fell at a table: by any event of the roll, a list for each throw
	Seen  string             // the seat that saw them fall, beside the umpire who types them

	recorded string         // in a trial: how it was ruled
	answers  []rules.Answer // and the dice, roll by roll, however they came
}

// The rulings on dice, as [events.Corrected] and [events.DisputeRuled] tell them.
const (
	diceStand    = "stand"
	diceAgain    = "thrown again"
	diceReplaced = "replaced"
)

// String is the ruling in a word.
func (d DiceRuling) String() string {
	switch {
	case d.recorded != "":
		return d.recorded
	case d.Again:
		return diceAgain
	case len(d.Fell) > 0:
		return diceReplaced
	}
	return diceStand
}

// ErrNotCorrectable is wrapped when a correction would need what the record does not have: cards
// that were never drawn, answers that were never given, a different course of play.
var ErrNotCorrectable = errors.New("a correction changes figures and results, no more")

// notDone says why something is not done, as an [ErrNotCorrectable] without its words: they are of figures.
type notDone struct{ error }

func (notDone) Is(target error) bool { return target == ErrNotCorrectable }

// Of a command that is judged again with the entry that it has: why nothing is corrected.
var (
	errSame = fmt.Errorf("%w: with these inputs, and on what stands now, every result is what it is",
		ErrNotCorrectable)
	errNothing = fmt.Errorf("%w: nothing would follow from it; have it voided instead", ErrNotCorrectable)
)

// Corrected gives the entry as it should have been.
func (k Correction) Corrected(entry json.RawMessage) (json.RawMessage, []events.Change, error) {
	if k.Replace == nil {
		return entry, nil, nil
	}
	return k.Replace(entry)
}

// Superseded gives the first correction of a command that stands and was recorded from an event on. What only follows
// from another correction does not count: it leaves the entry as it is.
func Superseded(t *campaign.Timeline, v history.View, index, from uint64) (by uint64, over bool, err error) {
	for _, i := range v.Command(index).Changes {
		if i < from || !v.Stands(i) {
			continue
		}
		e, err := t.Event(i)
		if err != nil {
			return 0, false, err
		}
		var p events.Corrected
		if e.Read(&p) && p.Cause == 0 {
			return i, true, nil
		}
	}
	return 0, false, nil
}

// correct judges the command with the corrected entry and gives the events that follow: the
// correction itself at index at, what is new, and what takes the place of another.
func (w *priorCommand) correct(k Correction, at uint64, entry json.RawMessage,
	changes []events.Change) (campaign.Part, []rules.Violation, error) {
	if err := w.heldTo(k.Dice); err != nil {
		return campaign.Part{}, nil, notDone{err}
	}
	c := w.command
	c.Body = entry
	l := layout{heard: w.heard, from: len(w.heard), to: len(w.heard), at: at} // nothing is new
	switch {
	case w.void != 0 && !w.returns():
		l.from, l.to, l.open = w.stood, w.stood, true
	case k.Dice.String() != diceStand:
		l.from, l.open = w.firstRoll(), true
	}
	o, err := w.again(c, k.Dice, l)
	if err != nil || o.Verdict == rules.Refused {
		return campaign.Part{}, o.Violations, err
	}
	if !l.open && l.fit(o.Drafts) {
		if err := l.free(o.Drafts); err != nil {
			return campaign.Part{}, nil, err
		}
		if o, err = w.again(c, k.Dice, l); err != nil || o.Verdict == rules.Refused {
			return campaign.Part{}, o.Violations, err
		}
	}
	if err := w.enterable(o.Drafts, l, k.Dice); err != nil {
		return campaign.Part{}, nil, err
	}
	drafts, err := w.differences(o.Drafts, l, k.Dice)
	if err != nil {
		return campaign.Part{}, nil, err
	}
	voids := w.withdrawn(l)
	if w.returns() {
		if voids, err = w.restored(len(o.Drafts), voids); err != nil {
			return campaign.Part{}, nil, err
		}
	}
	if len(drafts) == 0 && len(voids) == 0 {
		return campaign.Part{}, nil, errSame
	}
	shown := campaign.RequestOf(c, o).Entry
	head := &events.Corrected{
		Event: k.Event, Command: c.ID, Code: k.Code, Reason: k.Reason, Changes: public(changes, shown), Voids: voids,
		Dispute: k.Dispute,
		Cause:   k.Cause,
	}
	if dice := k.Dice.String(); dice != diceStand {
		head.Dice = dice
	}
	return campaign.Part{
		Command: k.ID, Seat: campaign.UmpireSeat, Request: &campaign.Request{Verb: campaign.VerbCorrect, Entry: shown},
		Drafts: append([]rules.Draft{{Payload: head}}, drafts...),
	}, nil, nil
}

// again judges the command with the answers that stand; dice that are thrown again fall now.
func (w *priorCommand) again(c rules.Command, dice DiceRuling, l layout) (rules.Outcome, error) {
	recorded, err := rehear.Recorded(w.heard, w.known, w.drawn)
	if err != nil {
		return rules.Outcome{}, err
	}
	if w.trial {
		c = c.WithSealed(w.known.Sealed(w.heard))
	}
	if dice.Again || dice.recorded != "" {
		recorded = append(recorded[:answersIn(w.heard[:l.from])], dice.answers...)
	}
	given := rules.Given(w.replaced(recorded, dice)...)
	source := rules.Source(given)
	if dice.Again {
		source = rehear.FirstOf(given, w.campaign.Chain(w.secrets))
	}
	o, err := rehear.Run(w.before, c, source, l.place)
	if err == nil && !w.trial {
		err = rehear.CheckDecided(c.ID, o)
	}
	w.sealed, w.warnings = append(w.sealed, o.Sealed...), o.Warnings
	switch {
	case err != nil || o.Verdict == rules.Refused:
	case o.Cut:
		err = fmt.Errorf("%w: what would follow is not known", rehear.ErrSealed)
	case o.Need != nil:
		err = fmt.Errorf("%w: it would call for an answer, dice or cards that the record does not have: undo "+
			"the entry or have it ruled void, and enter it again", ErrNotCorrectable)
	case len(o.Drafts) == 0:
		err = errNothing
	case given.Left() > rehear.Listed(w.heard):
		err = fmt.Errorf("%w: dice or answers of the record would have no use", ErrNotCorrectable)
	}
	return o, err
}

// Overtaken reports that a campaign has not as many events any more as it had when something was proposed; 0 for any.
func Overtaken(then, now uint64) error {
	if then == 0 || then == now {
		return nil
	}
	return fmt.Errorf("%w: it had %d events then, and has %d", ErrOvertaken, then, now)
}

// Identity is what names the correction: as it was submitted, with the decisions on what follows.
func (k Correction) Identity() []byte {
	if len(k.Decisions) == 0 && (k.Default == "" || k.Default == Undecided) && k.Cause == 0 {
		return k.Source
	}
	decided, _ := json.Marshal(map[string]any{"decisions": k.Decisions, "rest": k.Default, "cause": k.Cause})
	return append(append(slices.Clone(k.Source), '\n'), decided...)
}

// Decide takes the decisions on consequences as a correction's file has them: see [turnfile.Correction].
func (k *Correction) Decide(as map[uint64]string) {
	for event, d := range as {
		if event == 0 {
			k.Default = Decision(d)
			continue
		}
		if k.Decisions == nil {
			k.Decisions = map[uint64]Decision{}
		}
		k.Decisions[event] = Decision(d)
	}
}

// decision says what becomes of a consequence. What somebody decided to keep stays kept unless it is named.
func (k Correction) decision(o *outcome) Decision {
	d := k.Default
	if o.kept != 0 {
		d = Keep
	}
	for i := range o.of.heard {
		if own, ok := k.Decisions[o.of.heard[i].Index]; ok {
			d = own
		}
	}
	switch {
	case d == Keep:
		return Keep
	case o.waits != nil:
		return Waits
	case d == Undecided:
		return Undecided
	}
	return Apply
}

// of gives the dice that are stated for a roll: by its declaration, or by one of its throws.
func (d DiceRuling) of(heard []events.Event, declared uint64) ([][]int, bool) {
	for named, fell := range d.Fell { // at most one of them fits
		if named == declared {
			return fell, true
		}
		i := slices.IndexFunc(heard, func(e events.Event) bool { return e.Index == named })
		var p events.DiceRolled
		if i >= 0 && heard[i].Read(&p) && p.Declared == declared {
			return fell, true
		}
	}
	return nil, false
}
