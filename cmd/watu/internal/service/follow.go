package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/events/words"
)

// following is what a follower copies.
type following struct {
	place   *place
	options Options
	adopted atomic.Uint64
	trouble atomic.Pointer[string] // what keeps it from reading, nil for nothing
}

func (w *following) stand() *Following {
	out := &Following{From: w.place.where, Adopted: w.adopted.Load()}
	if t := w.trouble.Load(); t != nil {
		out.Trouble = *t
	}
	if !w.place.connected() {
		out.Trouble = "not connected to the server"
	}
	return out
}

// kept notes what keeps a follower from reading, and says it.
func (w *following) kept(err error) {
	if err == nil {
		if w.trouble.Swap(nil) != nil {
			w.options.logf("the stream at %s is read again", w.place.where)
		}
		return
	}
	text := err.Error()
	w.trouble.Store(&text)
	w.options.logf("the stream at %s cannot be followed at the moment: %s", w.place.where, text)
}

// Follow opens the copy in dir of the ledger with this ULID, and begins it where there is
// nothing; [Service.Copy] fills it from the stream. Without a ULID it is the one that dir
// follows already, or the only one whose stream the server has.
func Follow(ctx context.Context, dir, name string, o Options) (*Service, error) {
	if o.NATS == "" {
		o.NATS = followedAt(dir)
	}
	if o.NATS == "" {
		return nil, problem.New(problem.Input, "which server has the stream? name it with --nats URL or a context of "+
			"the nats CLI")
	}
	if say := o.Say; say != nil {
		o.Say = func(line string) {
			// a guest may ask for little, and where it matters an error says so
			if !strings.Contains(line, "permissions violation") {
				say(line)
			}
		}
	}
	p, err := reachElsewhere(ctx, o)
	if err != nil {
		return nil, err
	}
	f := newService(ctx, dir, o)
	f.place, f.following = p, &following{place: p, options: o}
	f.closing(streamBy, "the connection is not closed", func(context.Context) error { p.close(); return nil })
	if err := f.openCopy(ctx, name, o); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// noteAt begins the note of a copy; behind it stands the server that it follows.
const noteAt = "at "

// followedAt is the server that the copy in dir has followed, without its password; empty if there is none.
func followedAt(dir string) string {
	var mark ledger.ReadOnlyError
	text, err := os.ReadFile(filepath.Join(dir, "READONLY"))
	if err != nil || json.Unmarshal(text, &mark) != nil || mark.Because != ledger.Follows {
		return ""
	}
	where, _ := strings.CutPrefix(mark.Note, noteAt)
	return where
}

func (f *Service) openCopy(ctx context.Context, name string, o Options) error {
	if err := guarded(f.dir, f.say); err != nil {
		return err
	}
	id, err := f.original(ctx, name)
	if err != nil {
		return err
	}
	// Before a directory is made: the stream has to be there.
	if err := f.place.tail(ctx, stream.Following{Ledger: id, From: 1}, func(events.Record) error {
		return errEnough
	}); err != nil && !errors.Is(err, errEnough) {
		return unreadable(err)
	}
	// What a copy lost comes again: it opens in spite of its checkpoint.
	options := f.ledgerOptions(o)
	options.Repairing = true
	f.ledger, err = ledger.Follow(f.dir, id, noteAt+f.place.where, options)
	switch {
	case errors.Is(err, ledger.ErrNotFollower):
		return problem.New(problem.Input, "%s holds a ledger of its own: name another directory for the "+
			"copy with --dir", f.dir)
	case errors.Is(err, ledger.ErrOtherLedger):
		return problem.New(problem.Input, "%s holds another ledger than %s: name another directory for the "+
			"copy with --dir", f.dir,
			id)
	case err != nil:
		return problem.Unwritable(f.dir, err)
	}
	f.closesLedger()
	if errors.Is(f.ledger.Behind(), ledger.ErrCheckpoint) {
		if _, err := f.ledger.AcceptLoss(); err != nil { // the original vouches for it
			return err
		}
	}
	if err := f.furnish(); err != nil {
		return err
	}
	f.followRecord()
	return nil
}

// original finds which ledger to follow.
func (f *Service) original(ctx context.Context, name string) (ulid.ULID, error) {
	if name != "" {
		id, err := ulid.ParseStrict(name)
		if err != nil {
			return id, problem.New(problem.Input, "a ledger is named by its ULID, as watu serve and watu status "+
				"print it, not %q",
				name)
		}
		return id, nil
	}
	if holds(f.dir) {
		if _, err := os.Stat(filepath.Join(f.dir, "READONLY")); err != nil {
			return ulid.ULID{}, problem.New(problem.Input, "%s holds no copy of a ledger: name another directory for "+
				"it with --dir",
				f.dir)
		}
		if id, err := ledgerIn(f.dir); err == nil {
			return id, nil
		}
	}
	found, err := f.place.ledgers(ctx)
	switch {
	case errors.Is(err, stream.ErrDenied):
		return ulid.ULID{}, problem.New(problem.Input, "%s does not let this user ask which ledgers it has: name "+
			"one by its "+
			"ULID, as its host's watu serve prints it", f.place.where)
	case err != nil:
		return ulid.ULID{}, unreadable(err)
	case len(found) == 0:
		return ulid.ULID{}, problem.New(problem.Unreachable, "%s has no ledger's stream: name another server "+
			"with --nats",
			f.place.where)
	case len(found) == 1:
		return found[0].Ledger, nil
	}
	var names []string
	for _, s := range found {
		names = append(names, s.Ledger.String())
	}
	return ulid.ULID{}, problem.New(problem.Input, "%s has the streams of several ledgers: name one of %s",
		f.place.where,
		listed(names))
}

// unreadable says what keeps a copy from reading.
func unreadable(err error) error {
	if errors.Is(err, stream.ErrDenied) {
		return problem.New(problem.Unreachable, "%v; a follower subscribes to watu.v1.> and asks "+
			"$JS.API.DIRECT.GET.>: connect "+
			"as a user who may", err)
	}
	return err
}

// Copy brings the copy up to date; unless once, it goes on until ctx ends.
func (f *Service) Copy(ctx context.Context, once bool) error {
	// The last event that is here is read again: that it is the same says that so are all before
	// it in its campaign.
	id, here := f.ledger.ID(), f.ledger.Durable()
	read := f.place.follow
	if once {
		read = f.place.tail
	}
	if err := f.sameEnds(ctx); err != nil {
		return f.strayed(ctx, err)
	}
	if err := f.ledger.MarkCopy(noteAt+f.place.where, ""); err != nil {
		return problem.Unwritable(f.dir, err)
	}
	w := stream.Following{Ledger: id, From: max(1, here), Holds: here > 0, Trouble: f.following.kept}
	err := f.adopt(ctx, func(ctx context.Context, fn func(events.Record) error) error { return read(ctx, w, fn) })
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	case err != nil:
		return f.strayed(ctx, err)
	}
	if behind := (*ledger.CheckpointError)(nil); errors.As(f.ledger.Behind(), &behind) {
		return f.strayed(ctx, behind)
	}
	return nil
}

// sameEnds compares the last event of each campaign with what the stream has at its sequence:
// that the last of all is the same says nothing of the other campaigns.
func (f *Service) sameEnds(ctx context.Context) error {
	for _, c := range f.ledger.Campaigns() {
		for ours, err := range f.ledger.Read(c.ID, c.Events-1, c.Events) {
			if err != nil {
				return err
			}
			err := f.place.tail(ctx, stream.Following{Ledger: f.ledger.ID(), From: ours.Sequence},
				func(theirs events.Record) error {
					if theirs.Hash() != ours.Hash() {
						return fmt.Errorf("%w: #%d of campaign %s, at sequence %d, is %s here and %s there",
							ledger.ErrFork, ours.Index, c.Name, ours.Sequence, ours.Hash(), theirs.Hash())
					}
					return errEnough
				})
			if err != nil && !errors.Is(err, errEnough) {
				return err
			}
		}
	}
	return nil
}

// The most that is adopted with one sync.
const (
	batchEvents = 512
	batchBytes  = 4 << 20
)

// adopt appends what read gives. Records that come while one sync is under way share the next.
func (f *Service) adopt(ctx context.Context, read func(context.Context, func(events.Record) error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	come, done := make(chan events.Record, batchEvents), make(chan error, 1)
	go func() {
		defer cancel()
		done <- f.adoptAll(come)
	}()
	err := read(ctx, func(r events.Record) error {
		select {
		case come <- r:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(come)
	if failed := <-done; failed != nil {
		return failed
	}
	return err
}

func (f *Service) adoptAll(come <-chan events.Record) error {
	for first := range come {
		batch, size := []events.Record{first}, len(first.Bytes)
	more:
		for len(batch) < batchEvents && size < batchBytes {
			select {
			case r, ok := <-come:
				if !ok {
					break more
				}
				batch, size = append(batch, r), size+len(r.Bytes)
			default:
				break more
			}
		}
		before := f.ledger.Durable()
		if err := f.ledger.Adopt(batch, nil); err != nil {
			return fmt.Errorf("from sequence %d on: %w", first.Sequence, err)
		}
		f.following.adopted.Add(f.ledger.Durable() - before)
	}
	return nil
}

// strayed says that the copy is none any more, for good in READONLY, and what can be done; other errors stay.
func (f *Service) strayed(ctx context.Context, err error) error {
	behind := (*ledger.CheckpointError)(nil)
	if !errors.Is(err, ledger.ErrFork) && !errors.Is(err, ledger.ErrStep) && !errors.Is(err, ledger.ErrNameTaken) &&
		!errors.Is(err, stream.ErrGap) && !errors.As(err, &behind) {
		return unreadable(err)
	}
	o := f.following.options
	if err := f.ledger.MarkCopy(noteAt+f.place.where, f.differing(ctx, err)); err != nil {
		f.say(fmt.Sprintf("that it stopped is not written down: %v", err))
	}
	lines := []string{fmt.Sprintf("here    %s, in %s", words.Count(f.ledger.Durable(), "event"), f.dir)}
	for _, c := range f.ledger.Campaigns() {
		lines = append(lines, fmt.Sprintf("        campaign %s: the last is #%d, hash %s", c.Name, c.Events-1, c.Head))
	}
	lines = append(lines, "stream  "+stream.StreamName(f.ledger.ID())+" at "+f.place.where,
		"the original may have lost events, or another goes by its name: ask its host which stands.",
		"this copy is evidence and is kept; to follow what the stream holds now, begin another:",
		fmt.Sprintf("  watu follow %s --nats %s --dir NEW", f.ledger.ID(), bare(o.NATS)))
	return problem.WithReport(problem.Diverged, lines, "this copy and the stream have gone different ways: %v", err)
}

// differing says what ended a copy, with the campaign and the event: those that differ, or else the last here.
func (f *Service) differing(ctx context.Context, err error) string {
	if fork := f.sameEnds(ctx); errors.Is(fork, ledger.ErrFork) {
		return fork.Error()
	}
	said := err.Error()
	for _, c := range f.ledger.Campaigns() {
		said = strings.ReplaceAll(said, c.ID.String(), c.Name)
	}
	for last, err := range f.ledger.After(f.ledger.Durable() - 1) {
		if c, ok := f.ledger.Campaign(last.Campaign); err == nil && ok {
			said += fmt.Sprintf("; the last here is #%d of campaign %s, at sequence %d", last.Index, c.Name,
				last.Sequence)
		}
	}
	return said
}
