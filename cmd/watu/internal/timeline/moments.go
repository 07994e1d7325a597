package timeline

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Moment is a line of `watu replay --json`: a stop on the way
// through a campaign, as a viewer could know it then, and what happened on the way to it.
//
// The query names the stop: at=N after an event, at=LABEL or at=turn:LABEL at the end of a turn,
// at=dispute:N where a dispute was opened; otherwise the next one of the kind that by says (event, phase, turn,
// dispute, unlikely; by turn by default) behind the stop from, or before it with back=1. From is a number of
// events; left out, it is the stop before, and with back the end. As says who looks, unlikely the greatest chance of
// a throw that counts as far from expectation.
type Moment struct {
	Version  int    `json:"version"`
	Campaign string `json:"campaign"`
	As       string `json:"as"`     // "public", "umpire" or a side
	Events   uint64 `json:"events"` // how many have happened
	Of       uint64 `json:"of"`     // how many there are
	Event    uint64 `json:"event"`  // the last that has happened
	Turn     string `json:"turn"`
	Ordinal  uint64 `json:"turn_ordinal"`
	Phase    string `json:"phase"`
	First    bool   `json:"first,omitempty"` // there is no stop of this kind before it
	Last     bool   `json:"last,omitempty"`  // the campaign goes no further

	Here     MarkedEvent   `json:"here"`     // the last that has happened; at the head none of looking
	Views    []MomentView  `json:"views"`    // all that the campaign has
	Disputes []OpenDispute `json:"disputes"` // that wait for a ruling
	Since    Interval      `json:"since"`
}

// MomentView is a view at a moment. Digest is that of the public view alone.
type MomentView struct {
	Projection string           `json:"projection"`
	Digest     string           `json:"digest,omitempty"`
	Report     json.RawMessage  `json:"report"`
	Tables     []document.Plain `json:"tables,omitempty"`
}

// Interval is the way from the stop before, forwards or back.
type Interval struct {
	Events   uint64        `json:"events"` // how many had happened at the stop before
	Back     bool          `json:"back,omitempty"`
	Happened []MarkedEvent `json:"happened"` // or is taken back; oldest first
	Changes  []ViewChanges `json:"changes"`  // by view; a view without any is left out
}

// MarkedEvent is an event and what became of it.
type MarkedEvent struct {
	NarratedEvent
	Marks    []Mark    `json:"marks,omitempty"`
	Unlikely *Unlikely `json:"unlikely,omitempty"` // of a throw far from expectation
}

// ViewChanges is what changed in a view.
type ViewChanges struct {
	Projection string               `json:"projection"`
	Changes    []projections.Change `json:"changes"`
}

// MomentQuery is where to stop on the way through a campaign; see [Moment] for the words.
type MomentQuery struct {
	At       string  // the stop by its name
	By       string  // or the kind of the next one; "" for a turn
	Back     bool    // the one before, in place of the next
	From     *uint64 // how many events had happened at the stop to come from
	Unlikely string  // the greatest chance of a throw that counts as far from expectation; "" for the usual one
	Brief    bool    // the stop and what has happened there, without its views and without the way to it
}

// Moment goes to a stop on the way through a campaign, as the viewer may know it.
func (r *Reader) Moment(ctx context.Context, campaign string, viewer Viewer, g MomentQuery) (Moment, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return Moment{}, err
	}
	return r.stop(ctx, c, viewer, g)
}

// stop is Moment for who has found the campaign.
func (r *Reader) stop(ctx context.Context, c ledger.Campaign, viewer Viewer, g MomentQuery) (Moment, error) {
	way := walk{ctx: ctx, f: r, c: c, as: viewer}
	var err error
	if way.it, err = r.Index(ctx, c); err != nil {
		return Moment{}, err
	}
	way.c.Events = way.it.Events // another reader may have gone further since the campaign was found
	if way.by, err = wayOf(g.By); err != nil {
		return Moment{}, err
	}
	if way.far, err = farOf(g.Unlikely); err != nil {
		return Moment{}, err
	}
	from, at, err := way.find(g)
	if err != nil {
		return Moment{}, err
	}
	if g.Brief {
		return way.alone(from, at)
	}
	return way.moment(from, at)
}

// farOf reads how small the chance of a throw is that counts as far from expectation.
func farOf(text string) (*big.Rat, error) {
	text = cmp.Or(text, farAt)
	far, ok := new(big.Rat), len(text) < 20 && !strings.ContainsAny(text, "eEpP") // a huge exponent is a huge number
	if ok {
		_, ok = far.SetString(text)
	}
	if !ok || far.Sign() <= 0 || far.Cmp(big.NewRat(1, 1)) > 0 {
		return nil, problem.New(problem.Input, "the chance of an unlikely throw is a number above 0 and up to 1, such "+
			"as %s, not %q", farAt, text)
	}
	return far, nil
}

// walk is the way of one viewer through a campaign.
type walk struct {
	ctx context.Context
	f   *Reader
	c   ledger.Campaign
	it  Index
	as  Viewer
	by  string
	far *big.Rat
}

// find gives the stop asked for and the one to compare it with.
func (w *walk) find(g MomentQuery) (from, at uint64, err error) {
	switch {
	case g.From != nil:
		from = min(*g.From, w.c.Events+1)
	case g.Back:
		from = w.c.Events + 1 // so that the first stop of a way back is the end
	}
	if g.At != "" {
		at, err = w.f.instant(w.ctx, w.c, g.At)
	} else {
		var ok bool
		if at, ok = w.it.step(w.by, from, g.Back, w.far); !ok {
			err = w.end(w.by, g.Back)
		}
	}
	if err == nil && (g.From == nil || from > w.c.Events) {
		from, _ = w.it.step(w.by, at, true, w.far)
	}
	return from, at, err
}

// wayOf reads what kind of stop is asked for.
func wayOf(by string) (string, error) {
	switch by {
	case "":
		return byTurn, nil
	case byEvent, byPhase, byTurn, byDispute, byUnlikely:
		return by, nil
	default:
		return "", problem.New(problem.Input, "there is no way by %q; %s", by,
			words.There([]string{byEvent, byPhase, byTurn, byDispute, byUnlikely}))
	}
}

// end says that there is no further stop.
func (w *walk) end(by string, back bool) error {
	where, border := "after", "the campaign ends here"
	if back {
		where, border = "before", "the campaign begins here"
	}
	switch by {
	case byDispute:
		return problem.New(problem.Input, "no dispute was opened %s this", where)
	case byUnlikely:
		chance, _ := w.far.Float64()
		return problem.New(problem.Input, "no throw %s this was as far from expectation: a chance of %s or less; "+
			"see --unlikely", where, Percent(chance))
	}
	return problem.New(problem.Input, "there is no %s %s this: %s", by, where, border)
}

// Percent is a chance between 0 and 1, for people.
func Percent(chance float64) string { return strconv.FormatFloat(100*chance, 'g', 2, 64) + " %" }

// instant reads a moment as people name it: an event, 57 or #57; the end of a turn, Winter 1941; a
// dispute, dispute:120; turn:5 where a turn is called like an event. It gives how many events have happened then.
func (r *Reader) instant(ctx context.Context, c ledger.Campaign, place string) (uint64, error) {
	event := strings.TrimPrefix(place, "#")
	if label, ok := strings.CutPrefix(place, "turn:"); ok {
		s, err := r.turn(c, label)
		return s.to, err
	}
	if n, ok := strings.CutPrefix(place, "dispute:"); ok {
		return r.disputeAt(ctx, c, strings.TrimPrefix(n, "#"))
	}
	if s, err := r.turn(c, place); err == nil {
		return s.to, nil
	} else if strings.Trim(event, "0123456789") != "" || event == "" {
		return 0, err
	}
	at, err := strconv.ParseUint(event, 10, 64)
	if err != nil || at >= c.Events {
		return 0, problem.NoEvent(c.Name, event, c.Events)
	}
	return at + 1, nil
}

// disputeAt is the moment at which a dispute was opened.
func (r *Reader) disputeAt(ctx context.Context, c ledger.Campaign, name string) (uint64, error) {
	it, err := r.Index(ctx, c)
	if err != nil {
		return 0, err
	}
	var known []string
	for _, opened := range it.disputes {
		if strconv.FormatUint(opened, 10) == name {
			return opened + 1, nil
		}
		known = append(known, fmt.Sprintf("#%d", opened))
	}
	if len(known) == 0 {
		return 0, problem.New(problem.Input, "campaign %s has had no dispute", c.Name)
	}
	return 0, problem.New(problem.Input, "campaign %s has no dispute #%s; it has %s", c.Name, name,
		strings.Join(known, ", "))
}

// alone describes the stop at, and nothing of the views and the way to it.
func (w *walk) alone(from, at uint64) (Moment, error) {
	out := Moment{
		Version: maintenance.Version, Campaign: w.c.Name, As: w.as.As, Events: at, Of: w.c.Events, Event: at - 1,
		Last:  at == w.c.Events,
		Views: []MomentView{}, Disputes: w.it.open(at),
		Since: Interval{Events: from, Back: from > at, Happened: []MarkedEvent{},
			Changes: []ViewChanges{}},
	}
	_, earlier := w.it.step(w.by, at, true, w.far)
	out.First = !earlier
	last, err := w.f.Event(w.c.ID, at-1)
	if err != nil {
		return out, err
	}
	out.Turn, out.Ordinal, out.Phase = last.Turn.Label, last.Turn.Ordinal, last.Phase
	shown := at
	if h := w.it.History(); at == w.c.Events {
		for shown > 1 && h.Type(shown-1) == "secrets_read" {
			shown--
		}
	}
	here, err := w.narrated(shown-1, shown, at)
	if err != nil {
		return out, err
	}
	out.Here = here[0]
	return out, nil
}

// moment describes the stop at, coming from another.
func (w *walk) moment(from, at uint64) (Moment, error) {
	out, err := w.alone(from, at)
	if err != nil {
		return out, err
	}
	s, err := w.f.Rules(w.c.ID)
	if err != nil {
		return out, err
	}
	for _, name := range s.Views {
		_, before, err := w.report(name, from)
		if err != nil {
			return out, err
		}
		now, err := w.seen(name, at)
		if err != nil {
			return out, err
		}
		out.Views = append(out.Views, now)
		if bytes.Equal(before, now.Report) {
			continue
		}
		if list := projections.Changes(before, now.Report); len(list) > 0 {
			out.Since.Changes = append(out.Since.Changes, ViewChanges{name, list})
		}
	}
	out.Since.Happened, err = w.narrated(min(from, at), max(from, at), at)
	return out, err
}

// seen is a view with what people read of it.
func (w *walk) seen(projection string, at uint64) (MomentView, error) {
	v, report, err := w.report(projection, at)
	if err != nil {
		return MomentView{}, err
	}
	out := MomentView{Projection: projection, Report: report, Tables: document.Plains(v.Tables())}
	if w.as.As == Public {
		out.Digest = projections.Digest(v).String()
	}
	return out, nil
}

// report is a view as the viewer could know it at a stop: with what was opened until then, by the
// log or to him.
func (w *walk) report(projection string, at uint64) (projections.View, json.RawMessage, error) {
	p, err := w.f.Projection(w.c, projection)
	if err != nil {
		return nil, nil, err
	}
	v, err := w.f.Fold(w.ctx, w.c, p, w.as, at)
	if err != nil {
		return nil, nil, err
	}
	b, err := json.Marshal(v.Report())
	return v, b, err
}

// narrated describes the events from <= index < to with their marks at the stop at.
func (w *walk) narrated(from, to, at uint64) ([]MarkedEvent, error) {
	list := []MarkedEvent{}
	marks := w.it.marks(at)
	for r, err := range w.f.Records(w.ctx, w.c.ID, from, to) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event #%d: %w", r.Index, err)
		}
		list = append(list, MarkedEvent{NarrateEvent(&e, PreviousCorrection(w.it.History(), &e)), marks(&e),
			w.it.fell(e.Index, w.far)})
	}
	return list, nil
}
