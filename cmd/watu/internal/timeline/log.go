package timeline

import (
	"context"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
)

// span is the events from <= index < to.
type span struct{ from, to uint64 }

// sequenceAfter is where the record goes on behind the campaign's first n events.
func (r *Reader) sequenceAfter(c ledger.Campaign, n uint64) uint64 {
	for record, err := range r.Ledger().Read(c.ID, n-1, n) {
		if err == nil {
			return record.Sequence + 1
		}
	}
	return 1
}

// LogRange is which events of a log are read.
type LogRange struct {
	From, To *uint64 // the first and the last
	Turn     string  // of this game turn alone, by its label
	Follow   bool    // go on as they are recorded, until the context ends
}

// ReadLog gives take the events of a campaign, in order. What was taken stands, whatever the error.
func (r *Reader) ReadLog(ctx context.Context, campaign string, which LogRange, take func(LogEvent) error) error {
	c, err := r.Find(campaign)
	if err != nil {
		return err
	}
	s, err := r.span(c, which)
	if err != nil {
		return err
	}
	m, err := r.marks(ctx, c)
	if err != nil {
		return err
	}
	m.confirmed = r.Confirmed(ctx, r.Ledger().Durable())
	for record, err := range r.Records(ctx, c.ID, s.from, s.to) {
		if err == nil {
			err = r.takeLogged(take, record, m)
		}
		if err != nil {
			return err
		}
	}
	if !which.Follow {
		return nil
	}
	// Behind what was read: a campaign's sequences rise with its index.
	return r.walk(ctx, c.ID, r.sequenceAfter(c, s.to), func(record events.Record) error {
		c, _ := r.Ledger().Campaign(c.ID)
		v, err := r.History(ctx, c)
		if err != nil {
			return err
		}
		return r.takeLogged(take, record, marks{history: v.At(record.Index),
			confirmed: r.Confirmed(ctx, record.Sequence)})
	})
}

// marks are what came of events later.
type marks struct {
	history  history.View        // what came behind it is not marked
	disputed map[uint64][]uint64 // that of [Reader.contested]

	confirmed uint64 // that of [maintenance.Host.Confirmed]
}

func (r *Reader) marks(ctx context.Context, c ledger.Campaign) (m marks, err error) {
	it, err := r.Index(ctx, c)
	if err != nil {
		return m, err
	}
	m.history = it.History()
	m.disputed, err = r.contested(c)
	return m, err
}

func (r *Reader) takeLogged(take func(LogEvent) error, record events.Record, m marks) error {
	l, err := r.logged(record, m)
	if err != nil {
		return err
	}
	l.Unconfirmed = record.Sequence > m.confirmed
	return take(l)
}

// logged describes an event.
func (r *Reader) logged(record events.Record, m marks) (LogEvent, error) {
	e, err := events.Decode(record.Bytes)
	if err != nil {
		return LogEvent{}, err
	}
	v := events.ViewOf(&e, record.Hash())
	v.Sequence = record.Sequence
	narration := narrator.Narrate(&e, PreviousCorrection(m.history, &e)).String()
	l := LogEvent{Version: maintenance.Version, View: v, Narration: narration, DisputedBy: m.disputed[e.Index]}
	l.VoidedBy, _ = m.history.VoidedBy(e.Index)
	original := e.Index
	if e.Corrects != 0 {
		original = e.Corrects
	}
	if by, ok := LastReplacement(history.Corrects, original, original, m.history); ok && by > e.Index {
		l.CorrectedBy = by
	}
	return l, nil
}

// PreviousCorrection gives the event that stood in the place of another until e came, 0 if e is
// the first to do so.
func (r *Reader) PreviousCorrection(c ledger.Campaign, e *events.Event) (uint64, error) {
	if e.Corrects == 0 {
		return 0, nil
	}
	c.Events = max(c.Events, e.Index) // the event may have come since the campaign was found
	v, err := r.History(context.Background(), c)
	return PreviousCorrection(v, e), err
}

// PreviousCorrection gives the correction that e superseded, 0 if there was none.
func PreviousCorrection(v history.View, e *events.Event) uint64 {
	if e.Corrects == 0 {
		return 0
	}
	by, ok := v.At(e.Index).Standing(e.Corrects)
	if !ok || by == e.Corrects {
		return 0
	}
	return by
}

// span gives the events that are read.
func (r *Reader) span(c ledger.Campaign, which LogRange) (s span, err error) {
	s = span{0, c.Events}
	if which.Turn != "" {
		if s, err = r.turn(c, which.Turn); err != nil {
			return s, err
		}
	}
	if which.From != nil {
		if *which.From >= c.Events {
			return s, problem.NoEvent(c.Name, *which.From, c.Events)
		}
		s.from = max(s.from, *which.From)
	}
	if which.To != nil && *which.To < s.to {
		s.to = *which.To + 1
	}
	return s, nil
}

// turn gives the events of a game turn.
func (r *Reader) turn(c ledger.Campaign, label string) (span, error) {
	turns, err := r.Ledger().Turns(c.ID)
	if err != nil {
		return span{}, err
	}
	var known []string
	for i, t := range turns {
		switch {
		case t.Label == "": // before the first
		case words.Plain(t.Label) != words.Plain(label):
			known = append(known, t.Label)
		case i+1 < len(turns):
			return span{t.First, turns[i+1].First}, nil
		default:
			return span{t.First, c.Events}, nil
		}
	}
	if len(known) == 0 {
		return span{}, problem.New(problem.Input, "campaign %s has had no game turn yet", c.Name)
	}
	return span{}, problem.New(problem.Input, "campaign %s has had no turn %q; its turns are %s", c.Name, label,
		strings.Join(known, ", "))
}
