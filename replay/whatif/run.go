package whatif

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// run is a what-if being played.
type run struct {
	*Result
	*recordedCommands
	simulator *replay.Simulator // who hears it
	chances   *chances
	// of each event of the record from where it is played again: its index here and 1, 0 for none
	places []uint64
	thrown int              // rolls that were thrown at the table by the seed
	alone  map[string][]int // differences of one side only, by command

	otherwise map[uint64]bool // events of the record that come out otherwise, or not at all

	rulings map[string]*recordedCommand // given in the record where nobody asks for them here, by option
}

// newRun starts a simulator, whose chains grow from the seed, on a branch of the record.
func newRun(u *replay.Umpire, h *Result, r *recordedCommands) *run {
	w := &run{Result: h, recordedCommands: r, chances: newChances(h.Seed, r), places: make([]uint64, len(r.events)),
		alone: map[string][]int{}, otherwise: map[uint64]bool{}, rulings: map[string]*recordedCommand{}}
	secrets := keys.NewSecrets(keys.Seeded(h.Seed, "hypothesis", h.id.String()))
	w.simulator = u.Simulator(h.branch, h.id, secrets, w.chances)
	return w
}

func (w *run) campaign() *campaign.Campaign { return w.simulator.Campaign() }

// put puts a command of the record to the umpire again.
func (w *run) put(s *recordedCommand) error {
	w.branch.made = nil
	if s.leftOut {
		w.unheard(s, UnheardCommand{Why: UnheardLeftOut, Say: "it is left out, as the supposition says"})
		return nil
	}
	if !interrupts(s.command.Verb) {
		if err := w.goOn(); err != nil {
			return err
		}
		w.branch.made = nil
	}
	w.Heard++
	if unfit := w.unfit(s); unfit != "" {
		var ruled events.OptionRuled
		if s.command.Verb == campaign.VerbRule && s.heard[0].Read(&ruled) {
			w.rulings[ruled.Option] = s
		}
		w.unheard(s, UnheardCommand{Why: UnheardUnfit, Say: unfit})
		return nil
	}
	a, err := w.hear(s)
	w.chances.settle(err == nil && a.Events > 0)
	switch {
	case err != nil && w.campaign() == nil || errors.Is(err, ErrChange):
		return err
	case w.campaign() == nil: // something does not stand any more
		if err := w.simulator.Load(); err != nil {
			return err
		}
	case err != nil:
		w.unheard(s, UnheardCommand{Why: UnheardUnfit, Say: err.Error()})
		return nil
	}
	if a.Verdict == rules.Refused && len(s.heard) > a.Events { // else it was refused in the record too
		w.unheard(s, UnheardCommand{Why: UnheardRefused, Violations: a.Violations, Say: waitedFor(a)})
	} else {
		w.compare(s.heard, w.branch.made)
	}
	return nil
}

// waitedFor names the waiting command that a ruling's answer refuses; empty if there is none.
func waitedFor(a replay.Answer) string {
	if a.Waited == "" {
		return ""
	}
	return fmt.Sprintf("%s, which waits for it, would be refused", a.Waited)
}

// interrupts reports whether a command may be heard while a question is open.
func interrupts(verb string) bool {
	return campaign.HeardDuringQuestion(verb) || slices.Contains([]string{campaign.VerbAnswer, campaign.VerbRule,
		campaign.VerbDice, campaign.VerbConfirm, campaign.VerbRound, campaign.VerbLapse, campaign.VerbUnwitnessed,
		campaign.VerbLink, campaign.VerbKey, campaign.VerbRead, campaign.VerbCorrect, campaign.VerbKeep,
		campaign.VerbUndo, campaign.VerbEpoch, campaign.VerbRules}, verb)
}

// hear puts the command to the umpire, by the way that it takes.
func (w *run) hear(s *recordedCommand) (replay.Answer, error) {
	if s.command.Verb == campaign.VerbUndo {
		return w.undo(s)
	}
	switch s.heard[0].Type {
	case "dispute_opened", "statement_made", "evidence_brought", "dispute_ruled", "voided", "edition_moved",
		"rules_changed", "consequence_kept":
		return w.repeat(s)
	case "compensated":
		p, _ := events.PayloadOf(&s.heard[0])
		for _, about := range events.Refs(p) {
			if *about != 0 {
				return w.repeat(s)
			}
		}
	}
	verb := s.command.Verb
	open := w.campaign().Open
	if verb == campaign.VerbDice && open != nil && open.Roll != nil && open.Roll.Contested() {
		verb = campaign.VerbLink // the umpire ruled them, because no link came
	}
	switch verb {
	case campaign.VerbRound, campaign.VerbUnwitnessed, campaign.VerbLink:
		c := s.command
		c.Body = s.request // as it is written there
		return w.fall(c)
	case campaign.VerbKey, campaign.VerbRead:
		return w.repeat(s)
	case campaign.VerbLapse:
		return w.lapse(s)
	case campaign.VerbEpoch:
		return w.beginEpoch(s)
	case campaign.VerbCorrect:
		return w.correct(s)
	case campaign.VerbReveal:
		c := s.command
		var err error
		if c.Body, err = w.moved(c.Body); err != nil {
			return replay.Answer{}, err
		}
		return w.simulator.Hear(c)
	}
	return w.simulator.Hear(s.command)
}

// beginEpoch begins the epoch that was begun in the record, if it did not begin before.
func (w *run) beginEpoch(s *recordedCommand) (replay.Answer, error) {
	var p events.EpochBegun
	if !s.heard[0].Read(&p) {
		return replay.Answer{}, errNotThere
	}
	if w.campaign().Epoch >= s.heard[0].Epoch {
		return replay.Answer{}, fmt.Errorf("epoch %d is on already", w.campaign().Epoch)
	}
	return replay.Answer{Events: 1}, w.simulator.BeginEpoch(p.Reason)
}

// repeat appends events that are about others as they are recorded: what they are about must be here, and the same.
func (w *run) repeat(s *recordedCommand) (replay.Answer, error) {
	var parts []campaign.Part
	for i := range s.heard {
		e := &s.heard[i]
		d, err := w.again(s, e)
		if err != nil {
			for _, e := range s.heard[:i] {
				w.places[e.Index-w.From] = 0
			}
			return replay.Answer{}, err
		}
		if i == 0 || e.Request != "" { // a ruling and the correction that it orders have each its own
			own := campaign.RequestIn(e)
			parts = append(parts, campaign.Part{Command: s.command.ID, Seat: e.Seat, Request: &own})
		}
		last := &parts[len(parts)-1]
		last.Drafts = append(last.Drafts, d)
		w.places[e.Index-w.From] = w.campaign().Next + uint64(i) + 1 // what follows may be about it
	}
	return w.simulator.Append(s.command.ID, parts...)
}

// undo takes back the acts that were taken back in the record, with what they led to here.
func (w *run) undo(s *recordedCommand) (replay.Answer, error) {
	a := review.NewActFinder(w.campaign().History, w.simulator.Timeline().Event)
	request := campaign.RequestIn(&s.heard[0])
	p := campaign.Part{Command: s.command.ID, Seat: s.heard[0].Seat, Request: &request}
	for i := range s.heard {
		var was events.Voided
		s.heard[i].Read(&was)
		x, err := w.undone(a, &was)
		if errors.Is(err, review.ErrNotCorrectable) {
			continue
		}
		if err != nil {
			return replay.Answer{}, err
		}
		w.places[s.heard[i].Index-w.From] = w.campaign().Next + uint64(len(p.Drafts)) + 1
		p.Drafts, a = append(p.Drafts, x.Draft(was.Code, was.Reason, 0)), a.Without(x)
	}
	if len(p.Drafts) == 0 {
		return replay.Answer{}, errNotThere
	}
	return w.simulator.Append(p.Command, p)
}

// undone finds here the act that a void took out in the record: by the first of its events that happens here.
func (w *run) undone(a *review.ActFinder, was *events.Voided) (review.Act, error) {
	for _, index := range was.Events {
		at, ok := w.place(index)
		switch {
		case !ok || !a.StillStands(at):
		case was.Scope == events.VoidCommand:
			return a.OfCommand(a.Command(at), at, was.Code)
		default:
			return a.Find(at, was.Code)
		}
	}
	return review.Act{}, fmt.Errorf("%w: %w", review.ErrNotCorrectable, errNotThere)
}

// again is an event of the record as it is repeated here.
func (w *run) again(s *recordedCommand, e *events.Event) (rules.Draft, error) {
	payload, err := events.PayloadOf(e)
	if err != nil {
		return rules.Draft{}, err
	}
	for _, about := range events.Refs(payload) {
		if *about >= w.From && *about < s.first() && !w.stands(*about) {
			return rules.Draft{}, fmt.Errorf("%w, or otherwise: #%d", errNotThere, *about)
		}
	}
	d := rules.Draft{Payload: payload, Side: e.Side, Derivation: e.Derivation}
	w.move(payload, e.Index)
	if e.Corrects != 0 {
		d.Corrects, _ = w.place(e.Corrects)
	}
	if e.Replaces != 0 {
		d.Replaces, _ = w.place(e.Replaces)
	}
	for _, o := range w.known.Of(e) {
		d.Secrets = append(d.Secrets, rules.Secret{Slot: o.Slot, Fact: rules.Fact(o.Fact)})
	}
	for _, o := range e.Openings {
		at, _ := w.place(o.Index)
		d.Opens = append(d.Opens, events.Ref{Index: at, Slot: o.Slot})
	}
	return d, nil
}

// stands reports whether an event of the record happens here as it did there.
func (w *run) stands(index uint64) bool {
	_, ok := w.place(index)
	return ok && !w.otherwise[index]
}

// moved gives the body of a reveal with the event where it is here.
func (w *run) moved(body json.RawMessage) (json.RawMessage, error) {
	var entry campaign.RevealEntry
	if json.Unmarshal(body, &entry) != nil {
		return body, nil
	}
	at, ok := w.place(entry.Reveal.Event)
	if !ok {
		return nil, errNotThere
	}
	if at == entry.Reveal.Event {
		return body, nil
	}
	entry.Reveal.Event = at
	return json.Marshal(entry)
}

// place gives the index here of an event of the record.
func (w *run) place(index uint64) (uint64, bool) {
	switch {
	case index < w.From:
		return index, true
	case index-w.From >= uint64(len(w.places)) || w.places[index-w.From] == 0:
		return 0, false
	}
	return w.places[index-w.From] - 1, true
}

// event gives an event of the record. What came before the what-if begins is the same in it.
func (w *run) event(index uint64) (*events.Event, bool) {
	if index >= w.From {
		return w.at(index)
	}
	e, err := w.simulator.Timeline().Event(index)
	return e, err == nil
}

// unfit says why a command does not fit the question that is open, or that none is; empty if it does.
func (w *run) unfit(s *recordedCommand) string {
	open := w.campaign().Open
	var ruled events.OptionRuled
	switch s.command.Verb {
	case campaign.VerbRule:
		if !s.heard[0].Read(&ruled) || ruled.Referred == 0 {
			if open != nil && open.Refer == nil {
				return "another question is open"
			}
			return ""
		}
		if open == nil || open.Refer == nil || open.Refer.Option != ruled.Option {
			return "nobody asks for this ruling"
		}
	case campaign.VerbAnswer:
		var made events.ChoiceMade
		var asked events.ChoiceAsked
		if s.heard[0].Read(&made) {
			if e, ok := w.event(made.Asked); ok {
				e.Read(&asked)
			}
		}
		switch {
		case open == nil:
			return "nobody asks this question"
		case open.Choice == nil || open.Choice.Of != asked.Of || open.Choice.Rule != asked.Rule:
			return "another question is open"
		}
	case campaign.VerbDice, campaign.VerbConfirm, campaign.VerbRound, campaign.VerbUnwitnessed, campaign.VerbLapse,
		campaign.VerbLink:
		return w.unfitDice(s, open)
	}
	return ""
}

// goOn brings what waits for an answer to its end, or sets it aside.
func (w *run) goOn() error {
	if err := errors.Join(w.ruleAsBefore(), w.throwAtTable()); err != nil {
		return err
	}
	w.setAside()
	return nil
}

// setAside lets a command be whose question the record does not answer, so that the next is heard.
func (w *run) setAside() {
	open := w.campaign().Open
	if open == nil {
		return
	}
	heard := w.campaign().Heard
	u := UnheardCommand{Why: UnheardOpen, Command: heard.Command, Verb: heard.Verb, Question: open}
	if s, ok := w.begun(u.Command); ok {
		u.Recorded, u.Events = s.first(), len(s.heard)
	}
	w.note(u)
	w.campaign().Open = nil
}

// unheard notes a command that came to nothing.
func (w *run) unheard(s *recordedCommand, u UnheardCommand) {
	u.Command, u.Verb, u.Recorded, u.Events = s.command.ID, s.command.Verb, s.first(), len(s.heard)
	w.note(u)
	var waited []events.Event // what another command led to, that waited for this one
	for _, e := range s.heard {
		if e.Command != u.Command {
			waited = append(waited, e)
		}
	}
	w.compare(waited, w.branch.made)
}

func (w *run) note(u UnheardCommand) {
	u.heard = w.Heard
	w.Unheard = append(w.Unheard, u)
}

// departed finds where record and what-if part first.
func (w *run) departed() {
	w.Differences = slices.DeleteFunc(w.Differences, func(d Difference) bool {
		return d.Recorded == nil &&
			d.Hypothetical == nil
	})
	if len(w.Differences) > 0 {
		w.First = &Divergence{Difference: &w.Differences[0]}
	}
	if len(w.Unheard) > 0 && (w.First == nil || w.Unheard[0].heard <= w.Differences[0].heard) {
		w.First = &Divergence{Unheard: &w.Unheard[0]}
	}
}

// ruleAsBefore answers a question to the umpire, if the record has a ruling on it that was not asked
// for where it was given.
func (w *run) ruleAsBefore() error {
	open := w.campaign().Open
	if open == nil || open.Refer == nil || w.rulings[open.Refer.Option] == nil {
		return nil
	}
	s := w.rulings[open.Refer.Option]
	delete(w.rulings, open.Refer.Option)
	w.Unheard = slices.DeleteFunc(w.Unheard, func(u UnheardCommand) bool { return u.Command == s.command.ID })
	own := *s // what waited for it there was compared there
	own.heard = s.heard[:1]
	return w.put(&own)
}
