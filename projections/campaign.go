package projections

import (
	"context"
	"fmt"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Cadence is the number of a campaign's events between two snapshots. Where a view has grown
// beyond what is worth saving that often, the snapshots stand farther apart: see [spacing].
const Cadence = 400

// span is how many events are applied between two batches of a long catching up, so that
// neither a batch nor what an interruption loses grows with the campaign.
const span = 40 * Cadence

// spacing keeps the snapshots of a long campaign from outgrowing the campaign: at most
// 64 bytes of snapshots for each event.
func spacing(saved int) uint64 { return max(Cadence, uint64(saved/64)) }

// eachEvent is how many bytes of views are saved for each event while the record is followed: a view of a long
// campaign has megabytes, and to save it for every event would cost more than all else. Whoever reads it meanwhile
// folds the few events that are behind the one that was saved.
const eachEvent = 4 << 10

// campaign is the state of following one campaign: its views in memory.
type campaign struct {
	mu     sync.Mutex
	id     ulid.ULID
	tracks []*track // nil until loaded
	saved  uint64   // how many events the saved views have seen
	ahead  bool     // the views in memory have seen more
}

// track is one projection's view of a campaign.
type track struct {
	Projection
	view     View
	applied  uint64
	head     events.Hash
	snapshot uint64 // events in the newest snapshot
	size     int    // of the view as saved last
}

// advance applies the campaign's events up to x.events and saves the views; where it is lazy, only if enough has
// come.
func (r *Runner) advance(ctx context.Context, x extent, meter *meter, lazy bool) error {
	c := r.campaign(x.campaign)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tracks == nil {
		if err := r.load(c, x.events); err != nil {
			return err
		}
	}
	from := c.from()
	meter.add(min(from, x.events))
	if from >= x.events && (lazy || !c.ahead) {
		return nil
	}
	var err error
	if from >= x.events {
		err = r.save(c, nil)
	} else {
		err = r.extend(ctx, c, from, x.events, meter, lazy)
	}
	if err != nil {
		c.tracks, c.ahead = nil, false // the views in memory are ahead of the store
	}
	return err
}

// from is the first event that some view of the campaign has not seen.
func (c *campaign) from() uint64 {
	from := ^uint64(0)
	for _, t := range c.tracks {
		from = min(from, t.applied)
	}
	return from
}

// load reads the campaign's views from the store. A view that does not load, or that has seen
// another history, is forgotten.
func (r *Runner) load(c *campaign, length uint64) error {
	var tracks []*track
	for _, p := range r.projections {
		t := &track{Projection: p, view: p.New()}
		saved, ok, err := r.store.Latest(p.Name, c.id)
		if err != nil {
			return &storeError{err}
		}
		if ok {
			if err := r.resume(t, saved, length); err != nil {
				r.say(fmt.Sprintf("view of %s for campaign %s is built again: %v", p.Name, c.id, err))
				t.view = p.New()
				if err := r.store.Forget(p.Name, c.id); err != nil {
					return &storeError{err}
				}
			}
		}
		tracks = append(tracks, t)
	}
	c.tracks, c.ahead = tracks, false
	c.saved = c.from()
	return nil
}

// rests reports whether too little has come since the views were saved.
func (c *campaign) rests(to uint64) bool {
	size := 0
	for _, t := range c.tracks {
		size += t.size
	}
	return to-c.saved < uint64(size/eachEvent)
}

// resume sets the track to the saved view, if that is a view of the source's campaign.
func (r *Runner) resume(t *track, saved Saved, length uint64) error {
	if err := r.matches(saved, length); err != nil {
		return err
	}
	if err := t.view.Load(saved.View); err != nil {
		return err
	}
	t.applied, t.head, t.size = saved.Applied, saved.Head, len(saved.View)
	t.snapshot = saved.Applied - saved.Applied%Cadence
	return nil
}

// matches holds the saved view's last event against the source's: a record restored from an
// earlier copy may have gone on differently.
func (r *Runner) matches(saved Saved, length uint64) error {
	if saved.Applied > length {
		return fmt.Errorf("it has seen %d events of %d", saved.Applied, length)
	}
	if saved.Applied == 0 {
		return nil
	}
	for record, err := range r.source.Read(saved.Campaign, saved.Applied-1, saved.Applied) {
		if err != nil {
			return err
		}
		if record.Hash() == saved.Head {
			return nil
		}
	}
	return fmt.Errorf("it has seen another event %d", saved.Applied-1)
}

// extend applies the events from <= index < to. Whenever span events are applied, and at the
// end, it saves views, cursors and snapshots in one batch; where it is lazy, at the end only if it is worth it.
func (r *Runner) extend(ctx context.Context, c *campaign, from, to uint64, meter *meter, lazy bool) error {
	var snapshots []Saved
	saved := from
	for read := range readAhead(r.source, c.id, from, to, typesOf(r.projections...)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if read.err != nil {
			return read.err
		}
		for _, t := range c.tracks {
			if err := t.apply(r.source, c.id, read); err != nil {
				return err
			}
			if t.due() {
				snapshots = append(snapshots, t.saved(c.id))
				t.snapshot = t.applied
			}
		}
		if read.to < to && read.to-saved < span {
			continue
		}
		if lazy && len(snapshots) == 0 && c.rests(read.to) {
			c.ahead = true
			continue
		}
		if err := r.save(c, snapshots); err != nil {
			return err
		}
		meter.add(read.to - saved)
		snapshots, saved = nil, read.to
	}
	return nil
}

// save keeps the campaign's views as they stand, with the snapshots taken on the way.
func (r *Runner) save(c *campaign, snapshots []Saved) error {
	views := make([]Saved, len(c.tracks))
	for i, t := range c.tracks {
		views[i] = t.saved(c.id)
	}
	if err := r.store.Save(views, snapshots); err != nil {
		return &storeError{err}
	}
	c.saved, c.ahead = c.from(), false
	return nil
}

// apply hands the chunk's events to the view, but for those that it has seen: the views of a
// campaign can stand at different events.
func (t *track) apply(source Source, campaign ulid.ULID, c *chunk) error {
	if c.to <= t.applied {
		return nil
	}
	settles := false
	for i := range c.wanted {
		e := &c.wanted[i]
		if e.Index < t.applied {
			continue
		}
		settles = settles || events.Settles(e)
		if !settles {
			t.view.Apply(e, nil)
		}
	}
	if settles {
		var err error
		if t.view, err = standing(t.Projection, source.Read(campaign, 0, c.to), nil); err != nil {
			return err
		}
	}
	t.applied, t.head = c.to, c.head
	return nil
}

// due reports whether a snapshot is due: at multiples of Cadence only.
func (t *track) due() bool {
	return t.applied%Cadence == 0 && t.applied >= t.snapshot+spacing(t.size)
}

func (t *track) saved(campaign ulid.ULID) Saved {
	view := t.view.Save()
	t.size = len(view)
	return Saved{Campaign: campaign, Projection: t.Name, Applied: t.applied, Head: t.head, View: view}
}
