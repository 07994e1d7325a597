package projections

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
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

// eachEvent is how many bytes of views are saved for each event while the record is followed. A stored event has
// about as many, so that to save the views costs what it does to fold what came since they were saved, however large
// they are. Whoever reads a view meanwhile folds those events too, and so does whoever goes on after a crash.
const eachEvent = 512

// campaign is the state of following one campaign: its views in memory.
type campaign struct {
	mu     sync.Mutex
	id     ulid.ULID
	tracks []*track // nil until loaded
	known  bool     // saved and size are
	saved  uint64   // how many events the saved views have seen, all of them
	size   int      // of the saved views, together
}

// track is one projection's view of a campaign.
type track struct {
	Projection
	view     View
	applied  uint64
	head     events.Hash
	snapshot uint64 // events in the newest snapshot
	size     int    // of the view as saved last
	stale    bool   // what counts before the events applied has changed: the view has to be folded again
}

// advance applies the campaign's events up to x.events and saves the views; where it is lazy, only if enough has
// come.
func (r *Runner) advance(ctx context.Context, x extent, meter *meter, lazy bool) error {
	c := r.campaign(x.campaign)
	c.mu.Lock()
	defer c.mu.Unlock()
	if lazy {
		if rests, err := r.rests(c, x.events); err != nil || rests {
			return err
		}
	}
	if c.tracks == nil {
		if err := r.load(c, x.events); err != nil {
			return err
		}
	}
	from := c.from()
	meter.add(min(from, x.events))
	if from >= x.events {
		return nil
	}
	err := r.extend(ctx, c, from, x.events, meter)
	if err != nil {
		c.tracks, c.known = nil, false // the views in memory are ahead of the store
	}
	return err
}

// rests reports whether too little has come since the views were saved for saving them again.
func (r *Runner) rests(c *campaign, length uint64) (bool, error) {
	if !c.known {
		if err := r.look(c, length); err != nil {
			return false, err
		}
	}
	if c.saved == 0 || c.saved >= length {
		return c.saved == length, nil
	}
	return length-c.saved < uint64(c.size/eachEvent), nil
}

// look notes how far the saved views are, without loading them. One that has seen another history is none.
func (r *Runner) look(c *campaign, length uint64) error {
	c.saved, c.size = length, 0
	for _, p := range r.projections {
		saved, ok, err := r.store.Latest(p.Name, c.id)
		if err != nil {
			return &storeError{err}
		}
		if !ok || r.matches(saved, length) != nil {
			c.saved = 0
			break
		}
		c.saved, c.size = min(c.saved, saved.Applied), c.size+len(saved.View)
	}
	c.known = true
	return nil
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
	c.tracks = tracks
	c.note()
	return nil
}

// note notes how far the views in memory are, which were loaded or saved.
func (c *campaign) note() {
	c.known, c.saved, c.size = true, c.from(), 0
	for _, t := range c.tracks {
		c.size += t.size
	}
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
// end, it saves views, cursors and snapshots in one batch.
func (r *Runner) extend(ctx context.Context, c *campaign, from, to uint64, meter *meter) error {
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
			t.apply(read)
			if !t.due() {
				continue
			}
			if err := r.refresh(ctx, c, t, snapshots); err != nil {
				return err
			}
			snapshots = append(snapshots, t.saved(c.id))
			t.snapshot = t.applied
		}
		if read.to < to && read.to-saved < span {
			continue
		}
		for _, t := range c.tracks {
			if err := r.refresh(ctx, c, t, snapshots); err != nil {
				return err
			}
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
	c.note()
	return nil
}

// apply hands the chunk's events to the view, but for those that it has seen: the views of a
// campaign can stand at different events.
func (t *track) apply(c *chunk) {
	if c.to <= t.applied {
		return
	}
	for i := range c.wanted {
		if e := &c.wanted[i]; e.Index >= t.applied && !t.stale {
			if t.stale = history.Alters(e); !t.stale {
				t.view.Apply(history.Alone(e), nil)
			}
		}
	}
	t.applied, t.head = c.to, c.head
}

// refresh folds a view again if it is stale. Events that change what counts come singly and in runs, and each does from
// its place on; so the fold is put off until the view is saved. Snapshots are those not saved yet.
func (r *Runner) refresh(ctx context.Context, c *campaign, t *track, snapshots []Saved) error {
	if !t.stale {
		return nil
	}
	nearest := func(most uint64) (Saved, bool, error) {
		for _, s := range slices.Backward(snapshots) {
			if s.Projection == t.Name && s.Applied <= most {
				return s, true, nil
			}
		}
		return r.store.Nearest(t.Name, c.id, most)
	}
	v, err := r.standing(ctx, t.Projection, c.id, t.applied, nearest)
	if err == nil {
		t.view, t.stale = v, false
	}
	return err
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
