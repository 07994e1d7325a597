package service

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/replay/campaign"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// reader explains events of a campaign from those that belong to them: what was declared before, and what
// corrected them after. It reads these alone, each once.
type reader struct {
	f       *Service
	ctx     context.Context
	c       ledger.Campaign
	it      timeline.Index
	history history.View
	system  rules.System
	held    map[uint64]*stored
	err     error // the first of its readings; then the answer is void
}

// stored is an event and the hash of its bytes.
type stored struct {
	events.Event
	hash events.Hash
}

// Explain says why an event is as it is, from the log alone: every number in it is public.
func (f *Service) Explain(ctx context.Context, campaign string, index uint64) (Explanation, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return Explanation{}, err
	}
	out := Explanation{Version: maintenance.Version, Campaign: c.Name}
	if index >= c.Events {
		return out, problem.NoEvent(c.Name, index, c.Events)
	}
	x, err := f.reader(ctx, c)
	if err != nil {
		return out, err
	}
	p, e := x.opened(), x.at(index)
	out.Event, out.Sentence, out.Derivation = events.ViewOf(e, x.hash(index)), x.narrate(e), e.Derivation
	out.Narration = out.Sentence.String()
	if out.Derivation == nil {
		out.Derivation = []events.Citation{}
	}
	out.Edition = Edition{System: p.System, Title: x.system.Title, Name: x.edition(index, p.Edition), Hash: e.Edition}
	for _, known := range x.system.Editions {
		out.Edition.Here = out.Edition.Here || known.Hash == e.Edition
	}
	x.about(e, &out)
	out.Command = x.command(e)
	out.Secrets, out.Disclosures = x.secrets(e), x.disclosures(e)
	out.Correction, out.Left = x.correction(e), x.left(e)
	if x.err != nil {
		return out, x.err
	}
	if record, err := f.Record(c.Name, index); err == nil {
		out.Event.Sequence = record.Sequence
	}
	if out.Left, err = f.pendingOn(ctx, c, e, out.Left, x.it); err != nil {
		if ctx.Err() != nil {
			return out, err
		}
		out.PendingUnknown = problem.Of(err).Message
	}
	out.Disputes, err = f.concerning(c, p.System, e)
	return out, err
}

// reader makes ready to read a campaign.
func (f *Service) reader(ctx context.Context, c ledger.Campaign) (*reader, error) {
	it, err := f.Index(ctx, c)
	if err != nil {
		return nil, err
	}
	c.Events = it.Events // another reader may have gone further since the campaign was found
	x := &reader{f: f, ctx: ctx, c: c, it: it, history: it.History(), held: map[uint64]*stored{}}
	x.system = f.System(x.opened().System)
	return x, x.err
}

// stored reads an event. Where that fails, the reader notes why, and gives an empty one.
func (x *reader) stored(index uint64) *stored {
	if s, ok := x.held[index]; ok {
		return s
	}
	s := &stored{Event: events.Event{Index: index}}
	x.held[index] = s
	for r, err := range x.f.Records(x.ctx, x.c.ID, index, index+1) {
		if err == nil {
			s.hash = r.Hash()
			s.Event, err = events.Decode(r.Bytes)
		}
		if err != nil && x.err == nil {
			x.err = fmt.Errorf("event #%d: %w", index, err)
		}
	}
	return s
}

func (x *reader) at(index uint64) *events.Event { return &x.stored(index).Event }

func (x *reader) hash(index uint64) events.Hash { return x.stored(index).hash }

// edition names the edition by which an event was judged: that of the opening, or of the last move.
func (x *reader) edition(index uint64, opened string) string {
	for _, p := range x.it.Editions {
		if p.Event < index {
			opened = p.Name
		}
	}
	return opened
}

// about fills in what belongs to the kind of event.
func (x *reader) about(e *events.Event, out *Explanation) {
	out.Roll, out.Earlier = x.rolls(e)
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ResultAdjudicated:
		out.Result = x.result(p)
		if p.Contest != 0 {
			out.Contest = x.contest(p.Contest)
		}
	case *events.RollDeclared, *events.DiceRolled:
		out.Led = x.led(out.Roll)
	case *events.DrawDeclared:
		out.Draw = x.draw(e.Index)
	case *events.CardsDrawn:
		out.Draw = x.draw(p.Declared)
	case *events.IncomeCollected:
		out.Raids = x.raids(e)
	case *events.ConvoyRaided, *events.ConvoyDisrupted:
		out.Led = x.income(e)
	default:
		if n, ok := x.contestOf(e); ok {
			out.Contest = x.contest(n)
		}
	}
}

// command finds what was asked for: the first event of the command carries it.
func (x *reader) command(e *events.Event) Command {
	out := Command{ID: e.Command, Seat: e.Seat, First: e.Index, Inputs: []InputFigure{}}
	for _, i := range slices.Backward(x.history.At(e.Index + 1).CommandNamed(e.Command).Events) {
		first := x.at(i)
		if first.Request == "" {
			continue
		}
		var r campaign.Request
		if json.Unmarshal([]byte(first.Request), &r) != nil {
			break
		}
		out.Verb, out.First = r.Verb, first.Index
		var entry any
		if json.Unmarshal(r.Entry, &entry) == nil {
			out.Inputs = flatten(out.Inputs, "", entry)
		}
		break
	}
	return out
}

// flatten lists the fields of a command in the order of their names.
func flatten(list []InputFigure, at string, v any) []InputFigure {
	switch v := v.(type) {
	case map[string]any:
		if _, sealed := v["sealed"]; sealed && len(v) == 1 {
			return append(list, InputFigure{at, "sealed"})
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			below := key
			if at != "" {
				below = at + "." + key
			}
			list = flatten(list, below, v[key])
		}
		return list
	case []any:
		if text, simple := joinedValues(v); simple {
			return append(list, InputFigure{at, text})
		}
		for i, item := range v {
			list = flatten(list, fmt.Sprintf("%s[%d]", at, i), item)
		}
		return list
	}
	text, _ := joinedValues([]any{v})
	return append(list, InputFigure{at, text})
}

// joinedValues joins values that have no parts.
func joinedValues(list []any) (string, bool) {
	parts := []string{}
	for _, v := range list {
		switch v := v.(type) {
		case map[string]any, []any:
			return "", false
		case nil:
			parts = append(parts, "nothing")
		case float64:
			parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
		default:
			parts = append(parts, fmt.Sprint(v))
		}
	}
	if len(parts) == 0 {
		return "none", true
	}
	return strings.Join(parts, ", "), true
}

// secrets lists what the event commits to, and what the log disclosed of it since.
func (x *reader) secrets(e *events.Event) []Secret {
	var list []Secret
	for _, c := range e.Commitments {
		s := Secret{Slot: c.Slot, Hash: c.Hash}
		for _, i := range x.history.Sources(history.Opens, e.Index) {
			for _, o := range x.at(i).Openings {
				if o.Index == e.Index && o.Slot == c.Slot {
					s.Fact, s.Opened = o.Fact, i
				}
			}
		}
		list = append(list, s)
	}
	return list
}

// disclosures checks what the event opens against what was committed.
func (x *reader) disclosures(e *events.Event) []Disclosure {
	var list []Disclosure
	for _, o := range e.Openings {
		d := Disclosure{Index: o.Index, Slot: o.Slot, Fact: o.Fact}
		if o.Index < x.c.Events {
			made := x.at(o.Index)
			place := events.Place{Campaign: made.Campaign, Epoch: made.Epoch, Command: made.Command, Slot: o.Slot}
			for _, c := range made.Commitments {
				d.Fits = d.Fits || c.Slot == o.Slot && events.Opens(c.Hash, place, o.Salt, o.Fact)
			}
		}
		list = append(list, d)
	}
	return list
}

// narrate describes an event, and names the correction that it replaces if it does.
func (x *reader) narrate(e *events.Event) document.Text {
	return narrator.Narrate(e, timeline.PreviousCorrection(x.history, e))
}

// tell is narrate without links.
func (x *reader) tell(e *events.Event) string {
	return x.narrate(e).String()
}

// correction ties the event to the one that it corrects or that corrects it: to the latest, and
// to what stood until that came, for the changes are between these two.
func (x *reader) correction(e *events.Event) *Correction {
	out := &Correction{}
	original := e.Index
	var p events.Corrected
	switch {
	case e.Read(&p):
		out.Event, out.Code, out.Reason, out.Changes, out.Cause = p.Event, p.Code, p.Reason, p.Changes, p.Cause
		out.Led, out.Gone = x.ledTo(e.Index), x.lines(x.history.Targets(history.Voids, e.Index))
		return out
	case e.Corrects != 0:
		original = e.Corrects
	}
	by, ok := timeline.LastReplacement(history.Corrects, original, original, x.history)
	if !ok || original == 0 || by < e.Index {
		return x.takenOut(e)
	}
	last := x.at(by)
	out.By, out.Is, out.Event = last.Index, x.tell(last), original
	if before := timeline.PreviousCorrection(x.history, last); before != 0 {
		out.Event = before
	}
	out.Was = x.tell(x.at(out.Event))
	if x.at(x.history.Head(last.Index)).Read(&p) {
		out.Code, out.Reason, out.Changes, out.Cause = p.Code, p.Reason, p.Changes, p.Cause
	}
	return out
}

// ledTo says what was corrected because of a correction.
func (x *reader) ledTo(head uint64) (list []timeline.NarratedEvent) {
	for _, i := range x.history.Sources(history.Cause, head) {
		if x.history.Type(i) == "corrected" && x.history.Stands(i) {
			list = append(list, x.line(i))
		}
	}
	return list
}

// left says which corrections let an event stand as it is recorded, or which events a correction does, until that is
// settled: the command is judged anew.
func (x *reader) left(e *events.Event) (list []UnappliedChange) {
	var head events.Corrected
	if e.Read(&head) {
		for _, l := range head.Left {
			if x.history.Stands(e.Index) && !x.settledSince(l.Event, e.Index) {
				list = append(list, UnappliedChange{Event: l.Event, By: e.Index, Choice: l.Choice, Figures: l.Figures})
			}
		}
		return list
	}
	for _, by := range x.history.Sources(history.Left, e.Index) {
		if !x.history.Stands(by) || x.settledSince(e.Index, by) || !x.at(by).Read(&head) {
			continue
		}
		for _, l := range head.Left {
			if l.Event == e.Index {
				list = append(list, UnappliedChange{Event: e.Index, By: by, Choice: l.Choice, Figures: l.Figures})
			}
		}
	}
	return list
}

// settledSince reports whether the command behind an event was corrected again after another event.
func (x *reader) settledSince(index, by uint64) bool {
	return slices.ContainsFunc(x.history.Command(index).Changes, func(i uint64) bool {
		return i > by && x.history.Stands(i)
	})
}

// takenOut says which event voided this one, and why; nil if it stands.
func (x *reader) takenOut(e *events.Event) *Correction {
	by, ok := x.history.VoidedBy(e.Index)
	if !ok {
		return nil
	}
	out := &Correction{Event: e.Index, By: by, Is: x.tell(x.at(by)), Voided: true}
	var voided events.Voided
	var corrected events.Corrected
	if at := x.at(by); at.Read(&voided) {
		out.Code, out.Reason = voided.Code, voided.Reason
	} else if at.Read(&corrected) {
		out.Code, out.Reason = corrected.Code, corrected.Reason
	}
	return out
}
