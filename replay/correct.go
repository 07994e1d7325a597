package replay

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/oklog/ulid/v2"

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
	Rest      Decision            // and of those that are not named: [Apply] if it is empty
	// of a consequence that is applied by itself: the head of the correction that it follows from
	Cause uint64
	After uint64 // the number of events that the campaign must have, as in [Plan]; 0 for any
	// Agree is asked before the plan is recorded, and keeps it from being so by an error. It must not ask the umpire;
	// nil for nobody.
	Agree func(Plan) error

	alone bool // what follows from it is neither applied nor left
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

// Correct judges the command behind an event again, on what counts before it, with other
// inputs and the recorded dice (unless the correction says otherwise), and appends what comes out
// differently, with what follows from it as far as that is applied: see [Umpire.Propose]. The original events stay
// where they are; those that have no place in what comes out do not stand any more.
func (u *Umpire) Correct(id ulid.ULID, k Correction) (Answer, error) {
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if len(k.Source) > 0 {
		if a, done, err := u.correctedBefore(t, &k); done || err != nil {
			return a, err
		}
	}
	if err := k.overtaken(t.campaign.Next); err != nil {
		return Answer{}, err
	}
	k.After = 0 // the next event may state the rules
	if !u.stated(t, []campaign.Part{{Drafts: []rules.Draft{{Payload: &events.Corrected{}}}}}) {
		if err := u.stateRules(t); err != nil {
			return Answer{}, err
		}
	}
	if k.Dice.Again {
		if err := u.lastingChains(t); err != nil {
			return Answer{}, err
		}
	}
	if len(k.Source) == 0 {
		w, err := u.prior(t, k.Event)
		if err != nil {
			return Answer{}, err
		}
		if k.Source, _, err = k.corrected(w.command.Body); err != nil {
			return Answer{}, err
		}
		if a, done, err := u.correctedBefore(t, &k); done || err != nil {
			return a, err
		}
	}
	p := &planning{umpire: u, live: t, k: k}
	if err := p.run(); err != nil || len(p.plan.Violations) > 0 {
		return Answer{Command: k.ID, Verdict: rules.Refused, Violations: p.plan.Violations}, err
	}
	if k.Agree != nil {
		if err := k.Agree(p.plan); err != nil {
			return Answer{}, err
		}
	}
	digest := events.CommandDigest(t.secrets.First(), k.ID, k.source())
	return u.append(t, k.ID, digest, p.parts, Answer{Command: k.ID, Verdict: rules.Allowed})
}

// correctedBefore names a correction, and gives its first answer again if it was made before.
func (u *Umpire) correctedBefore(t *liveCampaign, k *Correction) (a Answer, done bool, err error) {
	if k.ID == "" {
		if k.ID, err = u.correctionID(t, k.Event, k.source()); err != nil {
			return a, false, err
		}
	}
	return u.answered(t.campaign.ID, k.ID, events.CommandDigest(t.secrets.First(), k.ID, k.source()))
}

// correction is what a correction appends behind the ruling that it follows from.
func (u *Umpire) correction(t *liveCampaign, k Correction,
	ruled campaign.Part) ([]campaign.Part, []rules.Violation, error) {
	p := &planning{umpire: u, live: t, k: k, lead: []campaign.Part{ruled}}
	if err := p.run(); err != nil || len(p.plan.Violations) > 0 {
		return nil, p.plan.Violations, err
	}
	return p.parts[1:], nil, nil
}

// corrected gives the entry as it should have been.
func (k Correction) corrected(entry json.RawMessage) (json.RawMessage, []events.Change, error) {
	if k.Replace == nil {
		return entry, nil, nil
	}
	return k.Replace(entry)
}

// correctionID names a correction by what it says. One that is made again after it was voided, or after another
// corrected the same command, is another.
func (u *Umpire) correctionID(t *liveCampaign, event uint64, source []byte) (string, error) {
	what := campaign.VerbCorrect
	for {
		id := fmt.Sprintf("correct/%d/%s", event, events.CommandDigest(t.secrets.First(), what, source).String()[:8])
		made, found, err := u.ledger.Command(t.campaign.ID, id)
		if err != nil || !found {
			return id, err
		}
		by, over := t.campaign.History.VoidedBy(made.First)
		if !over {
			by, over, err = superseded(t.timeline, t.campaign.History, event, made.First+uint64(made.Count))
		}
		if err != nil || !over {
			return id, err
		}
		what = fmt.Sprintf("%s, after #%d", campaign.VerbCorrect, by)
	}
}

// superseded gives the first correction of a command that stands and was recorded from an event on. What only follows
// from another correction does not count: it leaves the entry as it is.
func superseded(t *campaign.Timeline, v history.View, index, from uint64) (by uint64, over bool, err error) {
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
		source = rehear.First(given, w.campaign.Chain(w.secrets))
	}
	o, err := rehear.Run(w.before, c, source, l.place)
	if err == nil && !w.trial {
		err = rehear.Decided(c.ID, o)
	}
	w.sealed = append(w.sealed, o.Sealed...)
	switch {
	case err != nil || o.Verdict == rules.Refused:
	case o.Cut:
		err = fmt.Errorf("%w: what would follow is not known", rehear.ErrSealed)
	case o.Need != nil:
		err = fmt.Errorf("%w: it would call for an answer, dice or cards that the record does not have",
			ErrNotCorrectable)
	case len(o.Drafts) == 0:
		err = errNothing
	case given.Left() > 0:
		err = fmt.Errorf("%w: dice or answers of the record would have no use", ErrNotCorrectable)
	}
	return o, err
}
