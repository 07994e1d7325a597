package report

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// places finds where the events are listed that take the place of voided ones: with the event of the
// same kind whose place that is, or else behind all those that were voided with it.
func (t *builder) places() {
	for i := range t.Events {
		e := &t.Events[i]
		if e.Replaces == 0 || e.Replaces >= e.Index {
			continue
		}
		by, _ := t.history.VoidedBy(e.Replaces)
		was, last := t.counterpart(e, by)
		if was != nil {
			t.put(e, was.Index)
			continue
		}
		t.moved[e.Index] = e.Replaces
		t.after[last] = append(t.after[last], e)
	}
}

// counterpart finds the voided event that e takes the place of: of its kind, and about the same if
// there is one. last is the last event that was voided with it.
func (t *builder) counterpart(e *events.Event, by uint64) (was *events.Event, last uint64) {
	last = e.Replaces
	for i := e.Replaces; i < e.Index; i++ {
		x := &t.Events[i]
		if v, void := t.history.VoidedBy(i); !void || v != by {
			continue
		}
		last = i
		if x.Type != e.Type || len(t.instead[i]) > 0 {
			continue
		}
		if was == nil || !concern(was, e) && concern(x, e) {
			was = x
		}
	}
	return was, last
}

// concern reports whether two events are about the same.
func concern(a, b *events.Event) bool {
	p, _ := events.PayloadOf(a)
	q, _ := events.PayloadOf(b)
	is, ok := p.(events.Correctable)
	other, same := q.(events.Correctable)
	return ok && same && slices.Equal(is.Concerns(), other.Concerns())
}

// later reports whether an event is listed with another, in whose place it stands.
func (t *builder) later(e *events.Event) bool {
	_, later := t.origin[e.Index]
	return later
}

// put notes that an event stands in the place of another, and is listed with that.
func (t *builder) put(e *events.Event, of uint64) {
	t.instead[of] = append(t.instead[of], e)
	t.origin[e.Index] = of
}

// home is the event in whose turn, phase and command e counts: nearly always itself.
func (t *builder) home(e *events.Event) *events.Event {
	for {
		of, moved := t.moved[e.Index]
		if !moved {
			return e
		}
		e = &t.Events[of]
	}
}

// course lists the events as they are listed: what stands alone in the place of others comes behind them.
func (t *builder) course() []*events.Event {
	var list []*events.Event
	var take func(e *events.Event)
	take = func(e *events.Event) {
		list = append(list, e)
		for _, next := range t.after[e.Index] {
			take(next)
		}
	}
	for i := range t.Events {
		if _, moved := t.moved[uint64(i)]; !moved {
			take(&t.Events[i])
		}
	}
	return list
}
