package service

import (
	"context"
	"errors"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
)

// Proof is what somebody needs who checks an event on his own: the bytes as they are stored, of the
// event and of those that bear on it. He takes everything from the bytes, and nothing that this
// program says of them. All of it is public.
type Proof struct {
	Version  int         `json:"version"`
	Campaign string      `json:"campaign"`
	Index    uint64      `json:"index"`
	Hash     events.Hash `json:"hash"`
	// Events are, by index, the event itself, the one after it, and where it is part of a roll the
	// declaration and the dice; with those between, unless they are many.
	Events []Proven `json:"events"`
	// Stated states the anchor of the chain that a roll names; nil without a roll.
	Stated *Proven `json:"stated,omitempty"`
	// Earlier revealed the link of that chain before this one; nil for the first.
	Earlier *Proven `json:"earlier,omitempty"`
	// Committed are the events that committed to what this one discloses.
	Committed []Proven `json:"committed,omitempty"`
}

// Proven is an event as it is stored.
type Proven struct {
	Index uint64 `json:"index"`
	Bytes []byte `json:"bytes"`
}

// mostBetween bounds how many events a proof carries that only tie others together.
const mostBetween = 100

// Proof gathers what proves an event.
func (f *Service) Proof(ctx context.Context, campaign string, index uint64) (Proof, error) {
	out := Proof{Version: maintenance.Version, Index: index}
	c, err := f.Find(campaign)
	if err != nil {
		return out, err
	}
	out.Campaign = c.Name
	if index >= c.Events {
		return out, problem.NoEvent(c.Name, index, c.Events)
	}
	x, err := f.reader(ctx, c)
	if err != nil {
		return out, err
	}
	out.Hash = x.hash(index)
	needed := []uint64{index}
	if index+1 < c.Events {
		needed = append(needed, index+1)
	}
	if out.Committed, err = f.proven(c, committed(x.at(index))); err != nil {
		return out, err
	}
	roll, declared := x.roll(x.declaredBy(x.at(index)), x.at(index)), uint64(0)
	if roll != nil {
		declared = x.answered(roll)
		needed = append(needed, declared)
		if r := roll.Round; r != nil {
			needed = append(needed, r.First, max(r.Came, r.First))
		}
		for _, t := range roll.Throws {
			if t.Index != 0 {
				needed = append(needed, t.Index)
			}
		}
	}
	if x.err != nil {
		return out, x.err
	}
	if out.Events, err = f.proven(c, tiedUp(needed)); err != nil || roll == nil || len(roll.Links) != 1 {
		return out, err
	}
	link := roll.Links[0]
	if out.Stated, err = f.provenOne(c, link.Stated); err != nil {
		return out, err
	}
	if earlier, ok := x.it.LinkBefore(declared, x.at(declared).Epoch, link.Source); ok {
		out.Earlier, err = f.provenOne(c, earlier)
	}
	return out, errors.Join(err, x.err)
}

// committed are the events whose commitments an event opens.
func committed(e *events.Event) []uint64 {
	var list []uint64
	for _, o := range e.Openings {
		if o.Index < e.Index {
			list = append(list, o.Index)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// declaredBy is the declaration of the roll that an event is part of, or results from; beyond the last event for none.
func (x *reader) declaredBy(e *events.Event) uint64 {
	if e.Type == "roll_declared" {
		return e.Index
	}
	if of, ok := x.history.Target(history.Roll, e.Index); ok {
		return of
	}
	return x.c.Events
}

// answered is the declaration that the dice answered: the original, where that was corrected.
func (x *reader) answered(r *Roll) uint64 {
	if of := x.at(r.Declared).Corrects; of != 0 {
		return of
	}
	return r.Declared
}

// tiedUp sorts the events needed, with those between two of them.
func tiedUp(needed []uint64) []uint64 {
	slices.Sort(needed)
	needed = slices.Compact(needed)
	var list []uint64
	for i, index := range needed {
		if i > 0 && index-needed[i-1] <= mostBetween {
			for between := needed[i-1] + 1; between < index; between++ {
				list = append(list, between)
			}
		}
		list = append(list, index)
	}
	return list
}

func (f *Service) proven(c ledger.Campaign, indexes []uint64) ([]Proven, error) {
	list := []Proven{}
	for _, index := range indexes {
		p, err := f.provenOne(c, index)
		if err != nil {
			return nil, err
		}
		list = append(list, *p)
	}
	return list, nil
}

func (f *Service) provenOne(c ledger.Campaign, index uint64) (*Proven, error) {
	r, err := f.Record(c.Name, index)
	return &Proven{Index: index, Bytes: r.Bytes}, err
}
