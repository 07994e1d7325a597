package review

import (
	"fmt"
	"iter"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/rehear"
)

// Audit is what the rules say of a record when they are run again with the answers recorded.
type Audit struct {
	// index of the first event heard: the first of the command in whose middle the audit was to begin
	From      uint64
	Commands  int       // heard again
	Events    uint64    // that they led to
	Findings  []Finding // what comes out otherwise, in the order of the record
	Unchecked []Unchecked
	Underived []Underived // what no command led to: chains stated, dice as they were typed
	Derived   Derived     // what is derived in the place of what comes out otherwise
}

// Underived counts events of a type that are no part of a ruling, so that no rule derives them.
type Underived struct {
	Type   events.Type `json:"type"`
	Events int         `json:"events"`
}

// Unchecked is a command that could not be heard again, and why.
type Unchecked struct {
	Event   uint64 `json:"event"`  // the first that is not checked
	Events  int    `json:"events"` // not checked
	Command string `json:"command"`
	Reason  string `json:"reason"`
}

// Audit hears the record again and gathers what comes out otherwise. report is called, after each
// command, how far it is, and may end the audit by an error; nil for nobody.
func (t Trial) Audit(report func(events uint64) error) (a Audit, err error) {
	if t, err = t.fromCommand(); err != nil {
		return a, err
	}
	a.From = t.From
	heard := map[uint64]bool{}
	b, err := t.start(func(h Heard) error {
		for _, index := range h.of {
			heard[index] = true
		}
		if report != nil {
			if err := report(h.First + uint64(h.Events)); err != nil {
				return err
			}
		}
		a.Findings = append(a.Findings, h.Findings...)
		if h.Unchecked != "" {
			a.Unchecked = append(a.Unchecked, Unchecked{h.Uncertain[0], len(h.Uncertain), h.Command, h.Unchecked})
		}
		for index, drafts := range h.Derived {
			a.Derived = a.Derived.put(index, drafts...)
		}
		if held := h.Events - len(h.Uncertain); held > 0 || h.Unchecked == "" {
			a.Commands, a.Events = a.Commands+1, a.Events+uint64(held)
		}
		return nil
	})
	if err == nil {
		err = b.hear()
	}
	if err == nil {
		a.Underived = countUnderived(b.timeline.Head.History, t.From, heard)
	}
	return a, err
}

// fromCommand gives the trial that begins with the first event of the command in whose middle this one would.
func (t Trial) fromCommand() (Trial, error) {
	first := map[string]uint64{}
	from := t.From
	for e, err := range events.Decoded(t.Records(0, min(t.From, t.Events-1)+1)) {
		if err != nil {
			return t, err
		}
		if _, begun := first[e.Command]; !begun {
			first[e.Command] = e.Index
		}
		from = first[e.Command]
	}
	t.From = from
	return t, nil
}

// countUnderived counts the events from one on that were not heard again, type by type as they come.
func countUnderived(v history.View, from uint64, heard map[uint64]bool) (list []Underived) {
	for index := from; index < v.Len(); index++ {
		if heard[index] {
			continue
		}
		kind := v.Type(index)
		i := slices.IndexFunc(list, func(a Underived) bool { return a.Type == kind })
		if i < 0 {
			i, list = len(list), append(list, Underived{Type: kind})
		}
		list[i].Events++
	}
	return list
}

// Records reads a record with what is derived in the place of what comes out otherwise. The chain of
// hashes does not hold in it: it is for views, which do not look at that.
func (i Derived) Records(records iter.Seq2[events.Record, error]) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for r, err := range records {
			drafts, otherwise := i[r.Index]
			if err != nil || !otherwise {
				if !yield(r, err) {
					return
				}
				continue
			}
			e, err := events.Decode(r.Bytes)
			if err != nil {
				yield(r, fmt.Errorf("event %d: %w", r.Index, err))
				return
			}
			for _, d := range drafts {
				is := rehear.AsDerived(e, d)
				r.Bytes = is.Encode()
				if !yield(r, nil) {
					return
				}
			}
		}
	}
}

// Openings gives the openings of a record with what is derived in the place of what comes out
// otherwise.
func (i Derived) Openings(list []events.Opening) []events.Opening {
	var out []events.Opening
	for _, o := range list {
		if drafts, otherwise := i[o.Index]; otherwise {
			for _, d := range drafts {
				for _, s := range d.Secrets {
					if fact, known := s.Fact.Get(); known && s.Slot == o.Slot {
						o.Fact = fact
					}
				}
			}
		}
		out = append(out, o)
	}
	return out
}
