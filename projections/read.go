package projections

import (
	"context"
	"fmt"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// Latest gives a copy of the public view as it was saved last, and the number of events in
// it. Before the first catching up that is an empty view of none.
func (r *Runner) Latest(projection string, campaign ulid.ULID) (View, uint64, error) {
	p, err := r.projection(projection)
	if err != nil {
		return nil, 0, err
	}
	length, err := r.length(campaign)
	if err != nil {
		return nil, 0, err
	}
	saved, ok, err := r.store.Latest(projection, campaign)
	if v, loaded := r.reload(p, saved, ok, err, length); loaded {
		return v, saved.Applied, nil
	}
	return p.New(), 0, nil
}

// At gives the public view that has seen the campaign's events 0 to applied-1: the nearest
// snapshot, and the events after it. It needs no catching up. Where ctx ends, it stops with its error.
func (r *Runner) At(ctx context.Context, projection string, campaign ulid.ULID, applied uint64) (View, error) {
	p, err := r.projection(projection)
	if err != nil {
		return nil, err
	}
	length, err := r.length(campaign)
	if err != nil {
		return nil, err
	}
	if applied > length {
		return nil, fmt.Errorf("%w: %d asked for, %d there", ErrNoIndex, applied, length)
	}
	nearest := func(most uint64) (Saved, bool, error) { return r.store.Nearest(projection, campaign, most) }
	v, from := r.nearest(p, nearest, applied)
	out := false
	err = decodeEach(WithContext(ctx, r.source.Read(campaign, from, applied)), typesOf(p), func(e *events.Event) {
		v.Apply(history.Alone(e), nil)
		out = out || history.Alters(e)
	})
	if err == nil && out {
		return r.standing(ctx, p, campaign, applied, nearest)
	}
	return v, err
}

// nearest loads the nearest view that was saved, or begins one; it has seen the events before from.
func (r *Runner) nearest(p Projection, saved func(most uint64) (Saved, bool, error),
	most uint64) (v View, from uint64) {
	near, ok, err := saved(most)
	if v, loaded := r.reload(p, near, ok, err, most); loaded {
		return v, near.Applied
	}
	return p.New(), 0
}

// WithContext gives records until ctx ends, and then its error. Whatever reads much for somebody reads by it, so that
// it stops when he has gone.
func WithContext(ctx context.Context, records iter.Seq2[events.Record, error]) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		for record, err := range records {
			if gone := ctx.Err(); gone != nil {
				record, err = events.Record{}, gone
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}

// reload loads a saved view if it is there, whole, and about the source's campaign; what is
// wrong with it otherwise is said, and the caller does without.
func (r *Runner) reload(p Projection, saved Saved, ok bool, err error, length uint64) (View, bool) {
	v := p.New()
	if err == nil && ok {
		if err = r.matches(saved, length); err == nil {
			err = v.Load(saved.View)
		}
	}
	if err != nil {
		r.say(fmt.Sprintf("saved view of %s is passed over: %v", p.Name, err))
		return nil, false
	}
	return v, ok
}

// Digested is the digest of a campaign's view.
type Digested struct {
	Campaign   ulid.ULID
	Projection string
	Applied    uint64
	Digest     events.Hash
}

// Digests gives the digests of all views as they were saved last, by campaign, then in the
// order in which the projections were given to [Open].
func (r *Runner) Digests() ([]Digested, error) {
	var list []Digested
	for _, x := range r.extents() {
		for _, p := range r.projections {
			v, applied, err := r.Latest(p.Name, x.campaign)
			if err != nil {
				return nil, err
			}
			list = append(list, Digested{x.campaign, p.Name, applied, Digest(v)})
		}
	}
	return list, nil
}

func (r *Runner) projection(name string) (Projection, error) {
	for _, p := range r.projections {
		if p.Name == name {
			return p, nil
		}
	}
	return Projection{}, fmt.Errorf("%w: %q", ErrNoProjection, name)
}

func (r *Runner) length(campaign ulid.ULID) (uint64, error) {
	for _, x := range r.extents() {
		if x.campaign == campaign {
			return x.events, nil
		}
	}
	return 0, fmt.Errorf("%w: %s", ErrNoCampaign, campaign)
}
