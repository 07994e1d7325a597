package projections

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/oklog/ulid/v2"
)

// Errors that callers tell apart.
var (
	ErrNoProjection = errors.New("no such projection")
	ErrNoCampaign   = errors.New("no such campaign")
	ErrNoIndex      = errors.New("the campaign has fewer events")
)

// Progress receives how many events of how many have been applied. Calls do not overlap.
type Progress func(done, total uint64)

// Runner keeps the public views of every campaign up to date. It is safe for concurrent use.
type Runner struct {
	source      Source
	store       Store
	projections []Projection
	say         func(string)

	through atomic.Uint64 // see Through

	building  sync.RWMutex // held by catching up, exclusively by dropping everything
	mu        sync.Mutex   // guards campaigns
	campaigns map[ulid.ULID]*campaign
}

// Open gives a runner over the source's campaigns. Views of another version are dropped and
// will be built by the next [Runner.CatchUp]. say receives, in a line, whatever is dropped or
// built again; nil for nobody.
func Open(source Source, store Store, say func(string), projections ...Projection) (*Runner, error) {
	if say == nil {
		say = func(string) {}
	}
	r := &Runner{source: source, store: store, projections: projections, say: say, campaigns: map[ulid.ULID]*campaign{}}
	for _, p := range projections {
		was, err := store.Version(p.Name)
		if err != nil {
			r.say(fmt.Sprintf("views cannot be read, they are built again: %v", err))
			return r, r.begin()
		}
		if was == p.Version {
			continue
		}
		if was != 0 {
			r.say(fmt.Sprintf("views of %s are of version %d, not %d: they are built again", p.Name, was, p.Version))
		}
		if err := store.Begin(p.Name, p.Version); err != nil {
			return nil, fmt.Errorf("views of %s: %w", p.Name, err)
		}
	}
	return r, nil
}

// begin empties the store.
func (r *Runner) begin() error {
	if err := r.store.Reset(); err != nil {
		return fmt.Errorf("views: %w", err)
	}
	for _, p := range r.projections {
		if err := r.store.Begin(p.Name, p.Version); err != nil {
			return fmt.Errorf("views of %s: %w", p.Name, err)
		}
	}
	return nil
}

// Rebuild drops every view and builds it again from the record.
func (r *Runner) Rebuild(ctx context.Context, progress Progress) error {
	defer relaxed()()
	if err := r.drop(); err != nil {
		return err
	}
	return r.catchUp(ctx, progress, false)
}

// relaxed makes the garbage collector come less often until the function it gives is called:
// a rebuild decodes a whole record and keeps next to nothing of it, so that the collector
// would take a fifth of its time to find little.
func relaxed() (restore func()) {
	const percent = 400
	was := debug.SetGCPercent(percent)
	if was < 0 || was > percent {
		debug.SetGCPercent(was)
	}
	return func() { debug.SetGCPercent(was) }
}

func (r *Runner) drop() error {
	r.building.Lock()
	defer r.building.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.campaigns)
	return r.begin()
}

// CatchUp applies what the views have not seen yet. A campaign that cannot be read does not
// hold up the others; the errors are joined. If the store fails, it is emptied and filled
// again, once.
func (r *Runner) CatchUp(ctx context.Context, progress Progress) error {
	return r.upTo(ctx, progress, false)
}

// upTo is CatchUp, or Keep where it is lazy.
func (r *Runner) upTo(ctx context.Context, progress Progress, lazy bool) error {
	err := r.catchUp(ctx, progress, lazy)
	var damage *storeError
	if !errors.As(err, &damage) || ctx.Err() != nil {
		return err
	}
	r.say(fmt.Sprintf("views are damaged, they are built again: %v", damage))
	return r.Rebuild(ctx, progress)
}

// SaveGrown is CatchUp for views of which enough has come to be worth saving. Whoever reads one of the others folds
// what is behind it: no more than costs as much as to load it.
func (r *Runner) SaveGrown(ctx context.Context) error { return r.upTo(ctx, nil, true) }

// Follow keeps the views, as [Runner.SaveGrown] does, again and again as the record grows, until ctx ends; then it
// returns nil. Errors of single campaigns are reported and do not end it.
func (r *Runner) Follow(ctx context.Context) error {
	text := ""
	for {
		after := r.source.Durable() // before the work, so that nothing is missed behind it
		err := r.upTo(ctx, nil, true)
		if ctx.Err() != nil {
			return nil
		}
		if err == nil {
			r.through.Store(after)
		}
		if err != nil && err.Error() != text {
			text = err.Error()
			r.say(text)
		}
		if _, err := r.source.Wait(ctx, after); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("waiting for the record: %w", err)
		}
	}
}

// Through is the sequence of the record up to which [Runner.Follow] has seen to every view, 0 before it
// has. A campaign that cannot be read holds it up.
func (r *Runner) Through() uint64 { return r.through.Load() }

// extent is a campaign and its number of events.
type extent struct {
	campaign ulid.ULID
	events   uint64
}

// extents lists the source's campaigns, the oldest name first.
func (r *Runner) extents() []extent {
	var list []extent
	r.source.Each(func(c ulid.ULID, n uint64) { list = append(list, extent{c, n}) })
	slices.SortFunc(list, func(a, b extent) int { return bytes.Compare(a.campaign[:], b.campaign[:]) })
	return list
}

// catchUp brings all campaigns to where they were when it was called, several at a time.
func (r *Runner) catchUp(ctx context.Context, progress Progress, lazy bool) error {
	r.building.RLock()
	defer r.building.RUnlock()
	todo := r.extents()
	meter := &meter{progress: progress}
	for _, x := range todo {
		meter.total += x.events
	}
	// The longest first: the last worker to finish then has little left.
	slices.SortStableFunc(todo, func(a, b extent) int { return cmp.Compare(b.events, a.events) })
	errs := make([]error, len(todo))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(len(todo), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(todo)) && ctx.Err() == nil; i = next.Add(1) - 1 {
				errs[i] = r.advance(ctx, todo[i], meter, lazy)
			}
		})
	}
	workers.Wait()
	return errors.Join(append(errs, ctx.Err())...)
}

func (r *Runner) campaign(id ulid.ULID) *campaign {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.campaigns[id]
	if c == nil {
		c = &campaign{id: id}
		r.campaigns[id] = c
	}
	return c
}

// meter adds up progress.
type meter struct {
	mu       sync.Mutex
	progress Progress
	done     uint64
	total    uint64
}

func (m *meter) add(n uint64) {
	if m.progress == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done += n
	m.progress(m.done, m.total)
}

// storeError is an error of the store, which is answered by building the views again.
type storeError struct{ err error }

func (e *storeError) Error() string { return e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }
