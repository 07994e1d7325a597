package service

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
)

// LogLine is a line of the log.
type LogLine struct {
	Logged
	// Unconfirmed: it is recorded here, and not known to stand in the one line of the ledger. Nobody was
	// answered by it; see [stream.Outbox.Confirm].
	Unconfirmed bool `json:"unconfirmed,omitempty"`
}

// confirmed gives the sequence up to which the record is known to stand, and waits for a moment until that
// reaches the one given. Where no other host can have the ledger, everything stands.
func (f *Service) confirmed(ctx context.Context, sequence uint64) uint64 {
	if f.outbox == nil || f.tenure.lease == nil {
		return math.MaxUint64
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_ = f.tenure.Confirm(ctx, sequence)
	return f.tenure.lease.Confirmed()
}

// span is the events from <= index < to.
type span struct{ from, to uint64 }

// getLog writes events, one a line; with follow it goes on as they are recorded.
func (f *Service) getLog(w http.ResponseWriter, r *http.Request) {
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	s, err := f.span(c, r)
	if err != nil {
		fail(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.WriteHeader(http.StatusOK)
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	m, err := f.marks(r.Context(), c)
	if err != nil {
		_ = lines.Encode(Broken{ProblemOf(err)})
		return
	}
	m.confirmed = f.confirmed(r.Context(), f.ledger.Durable())
	for record, err := range f.records(r.Context(), c.ID, s.from, s.to) {
		if err == nil {
			err = f.writeLogged(lines, record, m)
		}
		if err != nil {
			_ = lines.Encode(Broken{ProblemOf(err)})
			return
		}
	}
	if r.URL.Query().Get("follow") == "" {
		return
	}
	flush := http.NewResponseController(w)
	_ = flush.Flush()
	// Behind what was read: a campaign's sequences rise with its index.
	from := f.sequenceAfter(c, s.to)
	err = f.walk(r.Context(), c.ID, from, func(record events.Record) error {
		c, _ := f.ledger.Campaign(c.ID)
		v, err := f.history(r.Context(), c)
		if err == nil {
			stands := f.confirmed(r.Context(), record.Sequence)
			err = f.writeLogged(lines, record, marks{history: v.At(record.Index), confirmed: stands})
		}
		if err != nil {
			return err
		}
		return flush.Flush()
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		_ = lines.Encode(Broken{ProblemOf(err)})
	}
}

// sequenceAfter is where the record goes on behind the campaign's first n events.
func (f *Service) sequenceAfter(c ledger.Campaign, n uint64) uint64 {
	for record, err := range f.ledger.Read(c.ID, n-1, n) {
		if err == nil {
			return record.Sequence + 1
		}
	}
	return 1
}

// marks are what came of events later.
type marks struct {
	history  history.View        // what came behind it is not marked
	disputed map[uint64][]uint64 // that of [Service.contested]

	confirmed uint64 // that of [Service.confirmed]
}

func (f *Service) marks(ctx context.Context, c ledger.Campaign) (m marks, err error) {
	it, err := f.itinerary(ctx, c)
	if err != nil {
		return m, err
	}
	m.history = it.history()
	m.disputed, err = f.contested(c)
	return m, err
}

// writeLogged writes an event.
func (f *Service) writeLogged(to *json.Encoder, record events.Record, m marks) error {
	l, err := f.logged(record, m)
	if err != nil {
		return err
	}
	return to.Encode(LogLine{Logged: l, Unconfirmed: record.Sequence > m.confirmed})
}

// logged tells an event.
func (f *Service) logged(record events.Record, m marks) (Logged, error) {
	e, err := events.Decode(record.Bytes)
	if err != nil {
		return Logged{}, err
	}
	v := events.ViewOf(&e, record.Hash())
	v.Sequence = record.Sequence
	narration := narrator.TellAfter(&e, correctedBefore(m.history, &e))
	l := Logged{Version: Version, View: v, Narration: narration, DisputedBy: m.disputed[e.Index]}
	l.VoidedBy, _ = m.history.VoidedBy(e.Index)
	original := e.Index
	if e.Corrects != 0 {
		original = e.Corrects
	}
	if by, ok := inPlace(history.Corrects, original, original, m.history); ok && by > e.Index {
		l.CorrectedBy = by
	}
	return l, nil
}

// correctedBefore gives the event that stood in the place of another until e came, 0 if e is
// the first to do so.
func (f *Service) correctedBefore(c ledger.Campaign, e *events.Event) (uint64, error) {
	if e.Corrects == 0 {
		return 0, nil
	}
	c.Events = max(c.Events, e.Index) // the event may have come since the campaign was found
	v, err := f.history(context.Background(), c)
	return correctedBefore(v, e), err
}

// correctedBefore gives the correction that stood in the place of another event until e came, 0 if none did.
func correctedBefore(v history.View, e *events.Event) uint64 {
	if e.Corrects == 0 {
		return 0
	}
	by, ok := v.At(e.Index).Standing(e.Corrects)
	if !ok || by == e.Corrects {
		return 0
	}
	return by
}

// span reads from, to (the last event itself) and turn from the query.
func (f *Service) span(c ledger.Campaign, r *http.Request) (span, error) {
	s := span{0, c.Events}
	if label := r.URL.Query().Get("turn"); label != "" {
		t, err := f.turn(c, label)
		if err != nil {
			return s, err
		}
		s = t
	}
	from, err := number(r, "from", s.from)
	if err != nil {
		return s, err
	}
	last, err := number(r, "to", s.to-1)
	if err != nil {
		return s, err
	}
	if from > c.Events-1 {
		return s, problem(Input, "campaign %s has no event #%d; its last is #%d", c.Name, from, c.Events-1)
	}
	s.from = max(s.from, from)
	if last < s.to {
		s.to = last + 1
	}
	return s, nil
}

// turn gives the events of a game turn.
func (f *Service) turn(c ledger.Campaign, label string) (span, error) {
	turns, err := f.ledger.Turns(c.ID)
	if err != nil {
		return span{}, err
	}
	var labels, known []string
	for _, t := range turns {
		labels = append(labels, t.Label)
		if t.Label != "" {
			known = append(known, t.Label)
		}
	}
	i := turnNamed(labels, label)
	switch {
	case i < 0 && len(known) == 0:
		return span{}, problem(Input, "campaign %s has had no game turn yet", c.Name)
	case i < 0:
		return span{}, problem(Input, "campaign %s has had no turn %q; its turns are %s", c.Name, label, listed(known))
	}
	s := span{turns[i].First, c.Events}
	if i+1 < len(turns) {
		s.to = turns[i+1].First
	}
	return s, nil
}
