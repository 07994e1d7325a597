package whatif

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// correct corrects the same command in the same way, and what follows from it as far as it was applied there.
func (w *run) correct(s *recordedCommand) (replay.Answer, error) {
	var p events.Corrected
	own := s.ownCorrection(&p)
	if own == nil {
		return replay.Answer{}, errNotThere
	}
	if of, ok := w.begun(p.Command); ok && of.changed {
		return replay.Answer{}, errors.New("it corrects the entry that is changed")
	}
	at, ok := w.place(p.Event)
	switch {
	case !ok:
		return replay.Answer{}, errNotThere
	case p.Dice != "": // dice that fell once more
		return w.repeat(s)
	}
	k := review.Correction{ID: s.command.ID, Event: at, Code: p.Code, Reason: p.Reason, Source: s.request}
	k.Dispute, _ = w.place(p.Dispute)
	w.decideAsRecorded(s, own, &p, &k)
	if p.Cause == 0 || len(p.Changes) > 0 {
		k.Replace = func(entry json.RawMessage) (json.RawMessage, []events.Change, error) {
			is, made := patched(entry, w.unsealed(campaign.RequestIn(own).Entry, p.Command), p.Changes)
			return is, made, nil
		}
	}
	return w.simulator.Correct(k)
}

// ownCorrection finds the head of the correction itself in its step: the last whose cause, if it has one, came before.
func (s *recordedCommand) ownCorrection(p *events.Corrected) (own *events.Event) {
	for i := range s.heard {
		var x events.Corrected
		if s.heard[i].Read(&x) && x.Cause < s.first() {
			own, *p = &s.heard[i], x
		}
	}
	return own
}

// decideAsRecorded decides on what follows from a correction as it was decided in the record. Where nobody decided,
// nothing is applied, or left.
func (w *run) decideAsRecorded(s *recordedCommand, own *events.Event, p *events.Corrected, k *review.Correction) {
	k.Decisions = map[uint64]review.Decision{}
	k.Cause, _ = w.place(p.Cause)
	for i := range s.heard {
		var x events.Corrected
		if !s.heard[i].Read(&x) || s.heard[i].Index == own.Index {
			continue
		}
		if at, ok := w.place(x.Event); ok {
			k.Decisions[at] = review.Apply
		}
		k.Default = review.Apply
	}
	for _, l := range p.Left {
		if at, ok := w.place(l.Event); ok {
			k.Decisions[at] = leftAs[l.Choice]
		}
	}
	if k.Default == "" && len(p.Left) > 0 {
		k.Default = review.Undecided
	}
	k.WithoutConsequences = k.Default == ""
}

// leftAs decides as it was decided: what waits is applied, and waits.
var leftAs = map[string]review.Decision{events.LeftKept: review.Keep, events.LeftUndecided: review.Undecided,
	events.LeftWaits: review.Apply}

// patched makes the changes of a correction in the entry as it stands here, which may lack what other corrections
// changed in it. Where it comes out as recorded, the changes are those recorded; so is the entry, if the changes name
// no field of it.
func patched(entry, corrected json.RawMessage, changes []events.Change) (json.RawMessage, []events.Change) {
	is, made, ok := turnfile.Patch(entry, corrected, changes)
	if !ok {
		return corrected, changes
	}
	if rehear.SameEntry(is, corrected) {
		made = changes
	}
	return is, made
}

// unsealed is the corrected entry of a correction, with the secrets of the command corrected.
func (w *run) unsealed(request json.RawMessage, command string) json.RawMessage {
	if !bytes.Contains(request, []byte(`"sealed"`)) {
		return request
	}
	var own []events.Opening
	for _, i := range w.campaign().History.CommandNamed(command).Events {
		e, err := w.simulator.Timeline().Event(i)
		if err != nil {
			return request
		}
		known, err := w.simulator.Timeline().Opened(e)
		if err != nil {
			return request
		}
		own = append(own, known...)
	}
	return rules.Unseal(request, own)
}
