package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/verify"
)

// What is pending in a campaign is found out by hearing again what was recorded since the first place that was
// corrected. That is not done for every look. Whoever goes on playing changes nothing in it: a command is judged on
// what counts. So a list is kept until something is corrected, voided or decided on, for those who do not know
// everything also until something is opened.

// pendings are the lists of all campaigns, each for who looks. They are found out one at a time, beside the requests.
type pendings struct {
	mu   sync.Mutex // guards of and closed
	of   map[pendingOf]*pendingList
	turn sync.Mutex // held while a list is found out

	ctx    context.Context // of all that is found out; nil until something is
	cancel context.CancelFunc
	closed bool
	work   sync.WaitGroup
}

// pendingOf is a campaign and who looks at it.
type pendingOf struct {
	campaign ulid.ULID
	viewer   timeline.Viewer
}

// pendingList is what is pending, or will be when done is closed.
type pendingList struct {
	version uint64 // of what it depends on
	cancel  context.CancelFunc
	done    chan struct{}
	left    review.Pending // its consequences by cause, then in the order of play
	err     error
}

// errSuperseded is the cause when a list is not needed any more, since something was corrected.
var errSuperseded = errors.New("the campaign was corrected meanwhile")

// close waits until nothing is found out any more.
func (p *pendings) close() {
	p.mu.Lock()
	if p.closed = true; p.cancel != nil {
		p.cancel()
	}
	p.mu.Unlock()
	p.work.Wait()
}

// get gives the list of that version, or begins to find it out.
func (p *pendings) get(of pendingOf, version uint64, find func(context.Context) (review.Pending, error)) *pendingList {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := p.of[of]
	if x != nil && x.version >= version {
		return x
	}
	if x != nil {
		x.cancel()
	}
	if p.of == nil {
		p.of = map[pendingOf]*pendingList{}
		p.ctx, p.cancel = context.WithCancel(context.Background())
	}
	ctx, cancel := context.WithCancel(p.ctx)
	x = &pendingList{version: version, cancel: cancel, done: make(chan struct{})}
	if p.closed {
		x.err = context.Canceled
		close(x.done)
		return x
	}
	p.of[of] = x
	p.work.Go(func() { p.find(ctx, of, x, find) })
	return x
}

// find finds a list out when it is its turn. What failed is not kept.
func (p *pendings) find(
	ctx context.Context, of pendingOf, x *pendingList, find func(context.Context) (review.Pending, error),
) {
	p.turn.Lock()
	defer p.turn.Unlock()
	defer x.cancel()
	if x.err = ctx.Err(); x.err == nil {
		x.left, x.err = find(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of[of] != x {
		x.err = errSuperseded
	} else if x.err != nil {
		delete(p.of, of)
	}
	close(x.done)
}

// pendingAt gives what is pending for a viewer, and the number of events that the campaign had.
func (f *Service) pendingAt(ctx context.Context, c ledger.Campaign, v timeline.Viewer) (review.Pending, uint64, error) {
	v.As = cmp.Or(v.As, timeline.Public)
	for {
		it, err := f.Index(ctx, c)
		if err != nil {
			return review.Pending{}, 0, err
		}
		c.Events = it.Events // another may have gone further since the campaign was found
		version := it.Settled
		switch {
		case version == 0:
			return review.Pending{}, c.Events, nil
		case v.As == timeline.Commentator:
			version = c.Events // what the commentator sees advances with the turns
		case v.As != timeline.Umpire:
			version = max(version, it.Opened)
		}
		x := f.pendings.get(pendingOf{c.ID, v}, version, func(ctx context.Context) (review.Pending, error) {
			return f.findPending(ctx, c, v)
		})
		select {
		case <-x.done:
		case <-ctx.Done():
			return review.Pending{}, 0, ctx.Err()
		}
		if !errors.Is(x.err, errSuperseded) {
			return x.left, c.Events, x.err
		}
	}
}

// trial gives the trial of a campaign with everything that is known here; of an imported one, the links of draws that
// its file held for that reader.
func (f *Service) trial(c ledger.Campaign, reader string) (review.Trial, error) {
	t, err := f.Umpire().Trial(c.ID)
	if err != nil {
		return t, err
	}
	from, here, err := f.Imported(c.ID)
	if here && from.For == reader {
		t.Link = verify.LinksOf(from.Links)
	}
	if errors.Is(err, kept.ErrDamaged) { // who asks about that hears
		err = nil
	}
	return t, err
}

// findPending finds out what is pending, as far as the viewer can know.
func (f *Service) findPending(ctx context.Context, c ledger.Campaign,
	v timeline.Viewer) (left review.Pending, err error) {
	t, err := f.trial(c, v.As)
	if err != nil {
		return left, err
	}
	if v.As != timeline.Umpire { // the trial that the umpire gives knows everything
		t = review.Trial{Systems: t.Systems, Board: t.Board, Link: t.Link}
		if t.Openings, err = f.Openings(ctx, c, v, c.Events); err != nil {
			return left, err
		}
	}
	t.Events = c.Events
	t.Records = func(from, to uint64) iter.Seq2[events.Record, error] { return f.Records(ctx, c.ID, from, to) }
	left, err = t.Pending()
	slices.SortStableFunc(left.Consequences, func(a, b review.Consequence) int { return cmp.Compare(a.Cause, b.Cause) })
	return left, err
}

// soon is how long a page waits for what is pending.
const soon = 250 * time.Millisecond

// PendingIfKnown is [Service.Pending] for a page, which does not wait long: known is false while that is found out. It
// is asked for again then.
func (f *Service) PendingIfKnown(ctx context.Context, campaign string,
	v timeline.Viewer) (p Pending, known bool, err error) {
	short, cancel := context.WithTimeout(ctx, soon)
	defer cancel()
	p, err = f.Pending(short, campaign, v)
	if err != nil && short.Err() != nil && ctx.Err() == nil {
		return p, false, nil
	}
	return p, err == nil, err
}

// pendingOn sets what is pending at an event, or because of it, in the place of what corrections say that they left
// there: that may be settled by now, or be another figure, and of an entry it has the first event alone. Where
// commitments are sealed the public does not know all of it, and what corrections say stays beside it; where it cannot
// be found out, alone, with the error.
func (f *Service) pendingOn(ctx context.Context, c ledger.Campaign, e *events.Event, answer []UnappliedChange,
	it timeline.Index) ([]UnappliedChange, error) {
	at, _, err := f.pendingAt(ctx, c, timeline.Viewer{As: timeline.Public})
	if err != nil {
		return answer, err
	}
	var left []UnappliedChange
	for _, x := range at.Consequences {
		of := slices.IndexFunc(x.Results, func(r review.Result) bool {
			return r.Was != nil && r.Was.Index == e.Index || r.CountsAgain() && r.Is.Index == e.Index
		})
		// what would change is not known
		whole := len(x.Results) == 0 && x.Command == e.Command && it.History().Stands(e.Index)
		if of < 0 && x.Cause != e.Index && !whole {
			continue
		}
		l := UnappliedChange{Event: x.Event, By: x.Cause, Choice: string(x.Decision), Figures: x.Figures,
			Why: cmp.Or(x.Gone, waitsFor(x))}
		if x.Decision == review.Keep {
			l.Choice = events.LeftKept
		}
		if x.Cause != e.Index {
			l.Event, l.Figures = e.Index, ownFigures(x, of)
		}
		left = append(left, l)
	}
	for _, l := range answer {
		if it.Commits && !slices.ContainsFunc(left, func(x UnappliedChange) bool { return x.Event == l.Event }) {
			left = append(left, l)
		}
	}
	return left, nil
}

// ownFigures are those of one event of an entry; none for of -1.
func ownFigures(x review.Consequence, of int) []events.Change {
	if of < 0 {
		return []events.Change{}
	}
	switch r := x.Results[of]; {
	case r.Is == nil:
		return []events.Change{{Field: fmt.Sprintf("#%d", r.Was.Index), Was: r.Was.Type.Words(), Now: "nothing"}}
	case r.Was == nil:
		return []events.Change{{Field: fmt.Sprintf("#%d", r.Is.Index), Was: "nothing", Now: r.Is.Type.Words()}}
	}
	return figuresOf(x.Figures, of, x.Results[of])
}

// pendingIn counts what is pending in a campaign; nil for nothing.
func (f *Service) pendingIn(ctx context.Context, c ledger.Campaign, v timeline.Viewer) *timeline.PendingCount {
	left, _, err := f.pendingAt(ctx, c, v)
	list := left.Consequences
	switch {
	case err != nil: // who asks what is pending hears it
		return &timeline.PendingCount{Campaign: c.Name, Unknown: true}
	case len(list)+len(left.Unchecked) == 0:
		return nil
	}
	out := &timeline.PendingCount{
		Campaign: c.Name, Entries: len(list), Events: []uint64{}, Causes: []uint64{}, Unchecked: len(left.Unchecked),
	}
	for _, x := range list {
		out.Events = append(out.Events, x.Event)
		if n := len(out.Causes); n == 0 || out.Causes[n-1] != x.Cause {
			out.Causes = append(out.Causes, x.Cause)
		}
	}
	return out
}

// longestPending is how long somebody who asks how the ledger stands waits for what is pending in all campaigns.
const longestPending = 3 * time.Second

// allPending counts what is pending in each campaign where something is, as far as that can be found out soon.
func (f *Service) allPending(ctx context.Context) (list []timeline.PendingCount) {
	ctx, cancel := context.WithTimeout(ctx, longestPending)
	defer cancel()
	for _, c := range f.Ledger().Campaigns() {
		if in := f.pendingIn(ctx, c, timeline.Viewer{As: timeline.Umpire}); in != nil {
			list = append(list, *in)
		}
	}
	return list
}
