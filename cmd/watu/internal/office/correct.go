package office

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

func (f *Office) postCorrection(w http.ResponseWriter, r *http.Request) {
	var a Amendment
	if !read(w, r, &a) {
		return
	}
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	told, err := f.correct(c, a)
	give(w, told, err)
}

// correct judges an earlier command again with other inputs and the dice recorded.
func (f *Office) correct(c ledger.Campaign, a Amendment) (Corrected, error) {
	out := Corrected{Version: Version, Campaign: c.Name, Happened: []Line{}}
	if a.Event >= c.Events {
		return out, problem(Input, "campaign %s has no event #%d; its last is #%d", c.Name, a.Event, c.Events-1)
	}
	k, err := turnfile.ParseCorrection(a.Name, a.Text)
	if err != nil {
		return out, err
	}
	if k.Dispute != 0 {
		if err := f.disputed(c, k.Dispute); err != nil {
			return out, err
		}
	}
	made := replay.Correction{
		Event: a.Event, Code: k.Code, Reason: k.Reason, Source: a.Text, Dispute: k.Dispute, Dice: replay.DiceRuling{Again: k.Dice.Again, Fell: k.Dice.Fell, Seen: k.Dice.Seen},
		Replace: func(entry json.RawMessage) (json.RawMessage, []events.Change, error) { return k.Apply(entry) },
		Rest:    replay.Keep,
	}
	made.Decide(k.Consequences)
	answer, err := f.umpire.Correct(c.ID, made)
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, ofViolations(a.Name, answer.Violations)
	}
	out.Again = answer.Again
	if out.Happened, err = f.lines(c, answer.First, answer.First+uint64(answer.Events)); err != nil {
		return out, err
	}
	out.Later, err = f.later(c, a.Event)
	return out, err
}

// later lists what followed an event and would come out otherwise by what stands now: a correction
// changes no later entry by itself.
func (f *Office) later(c ledger.Campaign, event uint64) ([]Outdated, error) {
	list := []Outdated{}
	trial, err := f.umpire.Trial(c.ID)
	if err != nil {
		return list, err
	}
	trial.Amended = true
	return list, trial.Hear(func(h replay.Heard) error {
		if h.First <= event {
			return nil
		}
		for _, x := range h.Findings {
			e, err := f.event(c.ID, x.Event)
			if err != nil {
				return err
			}
			list = append(list, Outdated{Finding: x, Text: narrator.Tell(&e)})
		}
		return nil
	})
}

// behindRuling lists what was recorded since the events that a ruling corrects or voids, and would
// come out otherwise by what stands now.
func (f *Office) behindRuling(c ledger.Campaign, entries []Heard) ([]Outdated, error) {
	var touched []uint64
	for _, h := range entries {
		for _, l := range h.Happened {
			e, err := f.event(c.ID, l.Index)
			if err != nil {
				return nil, err
			}
			touched = append(touched, events.Voids(&e)...)
			var p events.Corrected
			if e.Read(&p) {
				touched = append(touched, p.Event)
			}
		}
	}
	if len(touched) == 0 {
		return nil, nil
	}
	return f.later(c, slices.Min(touched))
}

func (f *Office) getSlips(w http.ResponseWriter, r *http.Request) {
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	out := Slips{Version: Version, Campaign: c.Name, Slips: []Slip{}}
	list, err := f.umpire.Slips(c.ID)
	for _, s := range list {
		e, err := f.event(c.ID, s.Last)
		if err != nil {
			fail(w, err)
			return
		}
		out.Slips = append(out.Slips, Slip{Command: s.Command, Verb: s.Verb, First: s.First, Turn: s.Turn, Text: narrator.Tell(&e)})
	}
	give(w, out, err)
}

func (f *Office) postUndo(w http.ResponseWriter, r *http.Request) {
	var u Undo
	if !read(w, r, &u) {
		return
	}
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	told, err := f.undo(c, u)
	give(w, told, err)
}

// undo takes back an entry that was a slip, and those after it.
func (f *Office) undo(c ledger.Campaign, u Undo) (Undone, error) {
	out := Undone{Version: Version, Campaign: c.Name, Happened: []Line{}}
	if strings.TrimSpace(u.Reason) == "" {
		return out, problem(Input, "say why the entry is taken back: the others will read it")
	}
	event := u.Event
	if event == nil {
		last, err := f.lastSlip(c)
		if err != nil {
			return out, err
		}
		event = &last
	}
	answer, err := f.umpire.Undo(c.ID, *event, u.Reason)
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, problem(Refused, "%s", answer.Violations[0].Message)
	}
	out.Happened, err = f.lines(c, answer.First, answer.First+uint64(answer.Events))
	return out, err
}

// lastSlip gives the last act that can be undone and is no undo itself, by its first event.
func (f *Office) lastSlip(c ledger.Campaign) (uint64, error) {
	slips, err := f.umpire.Slips(c.ID)
	if err != nil {
		return 0, err
	}
	for _, s := range slips {
		if s.Verb != "undo" {
			return s.First, nil
		}
	}
	told, why, err := f.umpire.LastTold(c.ID)
	if err != nil {
		return 0, err
	}
	return 0, problem(Refused, "nothing can be undone in %s: the last act is #%d, by which %s: %s Correct an entry, or dispute it",
		c.Name, told.Index, why, narrator.Tell(&told))
}
