package office

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
)

func (f *Office) getEvent(w http.ResponseWriter, r *http.Request) {
	index, err := strconv.ParseUint(r.PathValue("index"), 10, 64)
	if err != nil {
		fail(w, problem(Input, "an event is named by its index, a whole number, not %q", r.PathValue("index")))
		return
	}
	told, err := f.Explain(r.PathValue("c"), index)
	give(w, told, err)
}

// reader explains one event of a campaign from all of them: what was declared before it, and
// what corrected it after.
type reader struct {
	all    []events.Event
	hashes []events.Hash
	system rules.System
}

// explain says why an event is as it is, from the log alone: every number in it is public.
func (f *Office) explain(c ledger.Campaign, index uint64) (Explanation, error) {
	out := Explanation{Version: Version, Campaign: c.Name}
	if index >= c.Events {
		return out, problem(Input, "campaign %s has no event #%d; its last is #%d", c.Name, index, c.Events-1)
	}
	x, err := f.reader(c)
	if err != nil {
		return out, err
	}
	var p events.CampaignOpened
	x.all[0].Read(&p)
	e := &x.all[index]
	out.Event, out.Narration, out.Derivation = events.ViewOf(e, x.hashes[index]), x.tell(e), e.Derivation
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
	out.Correction = x.correction(e)
	out.Disputes, err = f.concerning(c, p.System, e)
	return out, err
}

// reader reads a whole campaign.
func (f *Office) reader(c ledger.Campaign) (reader, error) {
	x := reader{}
	for r, err := range f.ledger.Read(c.ID, 0, c.Events) {
		if err != nil {
			return x, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return x, fmt.Errorf("event #%d: %w", r.Index, err)
		}
		x.all, x.hashes = append(x.all, e), append(x.hashes, r.Hash())
	}
	var p events.CampaignOpened
	x.all[0].Read(&p)
	x.system = f.systems[p.System]
	return x, nil
}

// edition names the edition by which an event was judged: that of the opening, or of the last move.
func (x *reader) edition(index uint64, opened string) string {
	for i := range x.all[:index] {
		var p events.EditionMoved
		if x.all[i].Read(&p) {
			opened = p.Now
		}
	}
	return opened
}

// about fills in what belongs to the kind of event.
func (x *reader) about(e *events.Event, out *Explanation) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ResultAdjudicated:
		out.Roll, out.Result = x.roll(p.Declared, e), x.result(p)
		if p.Contest != 0 {
			out.Contest = x.contest(p.Contest)
		}
	case *events.RollDeclared:
		out.Roll = x.roll(e.Index, e)
		out.Led = x.led(out.Roll)
	case *events.DiceRolled:
		out.Roll = x.roll(p.Declared, e)
		out.Led = x.led(out.Roll)
	case *events.DiceTyped:
		out.Roll = x.roll(p.Declared, e)
	case *events.DiceDenied:
		out.Roll = x.roll(p.Declared, e)
	case *events.DrawDeclared:
		out.Draw = x.draw(e.Index)
	case *events.CardsDrawn:
		out.Draw = x.draw(p.Declared)
	case *events.IncomeCollected:
		out.Raids = x.raids(e)
	case *events.ConvoyRaided, *events.ConvoyDisrupted:
		out.Led = x.income(e)
	default:
		if n, ok := contestOf(e); ok {
			out.Contest = x.contest(n)
		}
	}
}

// command finds what was asked for: the first event of the command carries it.
func (x *reader) command(e *events.Event) Command {
	out := Command{ID: e.Command, Seat: e.Seat, First: e.Index, Inputs: []InputFigure{}}
	for i := int(e.Index); i >= 0; i-- {
		first := &x.all[i]
		if first.Command != e.Command || first.Request == "" {
			continue
		}
		var r replay.Request
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
		if text, simple := words(v); simple {
			return append(list, InputFigure{at, text})
		}
		for i, item := range v {
			list = flatten(list, fmt.Sprintf("%s[%d]", at, i), item)
		}
		return list
	}
	text, _ := words([]any{v})
	return append(list, InputFigure{at, text})
}

// words joins values that have no parts.
func words(list []any) (string, bool) {
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
	return listed(parts), true
}

// secrets lists what the event commits to, and what the log told of it since.
func (x *reader) secrets(e *events.Event) []Secret {
	var list []Secret
	for _, c := range e.Commitments {
		s := Secret{Slot: c.Slot, Hash: c.Hash}
		for i := range x.all {
			for _, o := range x.all[i].Openings {
				if o.Index == e.Index && o.Slot == c.Slot {
					s.Fact, s.Opened = o.Fact, x.all[i].Index
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
		if o.Index < uint64(len(x.all)) {
			made := &x.all[o.Index]
			place := events.Place{Campaign: made.Campaign, Epoch: made.Epoch, Command: made.Command, Slot: o.Slot}
			for _, c := range made.Commitments {
				d.Fits = d.Fits || c.Slot == o.Slot && events.Opens(c.Hash, place, o.Salt, o.Fact)
			}
		}
		list = append(list, d)
	}
	return list
}

// tell tells an event, and which correction it replaces if it does.
func (x *reader) tell(e *events.Event) string { return narrator.TellAfter(e, x.correctedBefore(e)) }

// correctedBefore is [Office.correctedBefore].
func (x *reader) correctedBefore(e *events.Event) (index uint64) {
	for i := e.Corrects + 1; e.Corrects != 0 && i < e.Index; i++ {
		if x.all[i].Corrects == e.Corrects {
			index = i
		}
	}
	return index
}

// correction ties the event to the one that it corrects or that corrects it: to the latest, and
// to what stood until that came, for the changes are between these two.
func (x *reader) correction(e *events.Event) *Correction {
	out := &Correction{}
	original := e.Index
	var p events.Corrected
	switch {
	case e.Read(&p):
		return &Correction{Event: p.Event, Code: p.Code, Reason: p.Reason, Changes: p.Changes}
	case e.Corrects != 0:
		original = e.Corrects
	}
	for i := range x.all {
		if x.all[i].Corrects == original && original != 0 {
			out.By, out.Is = x.all[i].Index, x.tell(&x.all[i])
		}
	}
	if out.By == 0 {
		return x.takenOut(e)
	}
	out.Event = original
	if before := x.correctedBefore(&x.all[out.By]); before != 0 {
		out.Event = before
	}
	out.Was = x.tell(&x.all[out.Event])
	for i := range x.all {
		if x.all[i].Command == x.all[out.By].Command && x.all[i].Read(&p) {
			out.Code, out.Reason, out.Changes = p.Code, p.Reason, p.Changes
		}
	}
	return out
}

// takenOut tells which event voided this one, and why; nil if it stands.
func (x *reader) takenOut(e *events.Event) *Correction {
	by, ok := events.VoidedIn(x.all)[e.Index]
	if !ok {
		return nil
	}
	out := &Correction{Event: e.Index, By: by, Is: x.tell(&x.all[by]), Voided: true}
	var voided events.Voided
	var corrected events.Corrected
	if at := &x.all[by]; at.Read(&voided) {
		out.Code, out.Reason = voided.Code, voided.Reason
	} else if at.Read(&corrected) {
		out.Code, out.Reason = corrected.Code, corrected.Reason
	}
	return out
}
