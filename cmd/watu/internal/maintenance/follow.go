package maintenance

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
	"github.com/watu-ledger/watu/rules"
)

// following is what a follower copies.
type following struct {
	server  *server
	options Options
	adopted atomic.Uint64
	trouble atomic.Pointer[string] // what keeps it from reading, nil for nothing
}

func (w *following) standing() *Following {
	out := &Following{From: w.server.where, Adopted: w.adopted.Load()}
	if t := w.trouble.Load(); t != nil {
		out.Trouble = *t
	}
	if !w.server.connected() {
		out.Trouble = "not connected to the server"
	}
	return out
}

// kept notes what keeps a follower from reading, and says it.
func (w *following) kept(err error) {
	if err == nil {
		if w.trouble.Swap(nil) != nil {
			w.options.logf("the stream at %s is read again", w.server.where)
		}
		return
	}
	text := err.Error()
	w.trouble.Store(&text)
	w.options.logf("the stream at %s cannot be followed at the moment: %s", w.server.where, text)
}

// Follow opens the copy in dir of the ledger with this ULID, and begins it where there is
// nothing; [Host.Copy] fills it from the stream. Without a ULID it is the one that dir
// follows already, or the only one whose stream the server has.
func Follow(ctx context.Context, dir, name string, o Options) (*Host, error) {
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
	f := newHost(ctx, dir, o)
	f.server, f.following = p, &following{server: p, options: o}
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

func (h *Host) openCopy(ctx context.Context, name string, o Options) error {
	if err := guarded(h.dir, h.say); err != nil {
		return err
	}
	id, err := h.original(ctx, name)
	if err != nil {
		return err
	}
	// Before a directory is made: the stream has to be there.
	if err := h.server.tail(ctx, stream.Following{Ledger: id, From: 1}, func(events.Record) error {
		return errEnough
	}); err != nil && !errors.Is(err, errEnough) {
		return unreadable(err)
	}
	// What a copy lost comes again: it opens in spite of its checkpoint.
	options := h.ledgerOptions(o)
	options.Repairing = true
	h.ledger, err = ledger.Follow(h.dir, id, noteAt+h.server.where, options)
	switch {
	case errors.Is(err, ledger.ErrNotFollower):
		return problem.New(problem.Input, "%s holds a ledger of its own: name another directory for the "+
			"copy with --dir", h.dir)
	case errors.Is(err, ledger.ErrOtherLedger):
		return problem.New(problem.Input, "%s holds another ledger than %s: name another directory for the "+
			"copy with --dir", h.dir, id)
	case err != nil:
		return problem.Unwritable(h.dir, err)
	}
	h.closesLedger()
	if errors.Is(h.ledger.Behind(), ledger.ErrCheckpoint) {
		if _, err := h.ledger.AcceptLoss(); err != nil { // the original vouches for it
			return err
		}
	}
	if err := h.openBeside(); err != nil {
		return err
	}
	h.followRecord()
	return nil
}

// original finds which ledger to follow.
func (h *Host) original(ctx context.Context, name string) (ulid.ULID, error) {
	if name != "" {
		id, err := ulid.ParseStrict(name)
		if err != nil {
			return id, problem.New(problem.Input, "a ledger is named by its ULID, as watu serve and watu status "+
				"print it, not %q", name)
		}
		return id, nil
	}
	if NotEmpty(h.dir) {
		if _, err := os.Stat(filepath.Join(h.dir, "READONLY")); err != nil {
			return ulid.ULID{}, problem.New(problem.Input, "%s holds no copy of a ledger: name another directory for "+
				"it with --dir", h.dir)
		}
		if id, err := ledgerIn(h.dir); err == nil {
			return id, nil
		}
	}
	found, err := h.server.ledgers(ctx)
	switch {
	case errors.Is(err, stream.ErrDenied):
		return ulid.ULID{}, problem.New(problem.Input, "%s does not let this user ask which ledgers it has: name one "+
			"by its ULID, as its host's watu serve prints it", h.server.where)
	case err != nil:
		return ulid.ULID{}, unreadable(err)
	case len(found) == 0:
		return ulid.ULID{}, problem.New(problem.Unreachable, "%s has no ledger's stream: name another server "+
			"with --nats", h.server.where)
	case len(found) == 1:
		return found[0].Ledger, nil
	}
	names := rules.Each(found, func(s stream.Found) string { return s.Ledger.String() })
	return ulid.ULID{}, problem.New(problem.Input, "%s has the streams of several ledgers: name one of %s",
		h.server.where, strings.Join(names, ", "))
}

// unreadable says what keeps a copy from reading.
func unreadable(err error) error {
	if errors.Is(err, stream.ErrDenied) {
		return problem.New(problem.Unreachable, "%v; a follower subscribes to watu.v1.> and asks "+
			"$JS.API.DIRECT.GET.>: connect as a user who may", err)
	}
	return err
}

// Copy brings the copy up to date; unless once, it goes on until ctx ends.
func (h *Host) Copy(ctx context.Context, once bool) error {
	// The last event that is here is read again: that it is the same says that so are all before
	// it in its campaign.
	id, here := h.ledger.ID(), h.ledger.Durable()
	read := h.server.follow
	if once {
		read = h.server.tail
	}
	if err := h.sameEnds(ctx); err != nil {
		return h.strayed(ctx, err)
	}
	if err := h.ledger.MarkCopy(noteAt+h.server.where, ""); err != nil {
		return problem.Unwritable(h.dir, err)
	}
	w := stream.Following{Ledger: id, From: max(1, here), Holds: here > 0, Trouble: h.following.kept}
	err := h.adopt(ctx, func(ctx context.Context, fn func(events.Record) error) error { return read(ctx, w, fn) })
	switch {
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil
	case err != nil:
		return h.strayed(ctx, err)
	}
	if behind := (*ledger.CheckpointError)(nil); errors.As(h.ledger.Behind(), &behind) {
		return h.strayed(ctx, behind)
	}
	return nil
}

// sameEnds compares the last event of each campaign with what the stream has at its sequence:
// that the last of all is the same says nothing of the other campaigns.
func (h *Host) sameEnds(ctx context.Context) error {
	for _, c := range h.ledger.Campaigns() {
		for ours, err := range h.ledger.Read(c.ID, c.Events-1, c.Events) {
			if err != nil {
				return err
			}
			err := h.server.tail(ctx, stream.Following{Ledger: h.ledger.ID(), From: ours.Sequence},
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
func (h *Host) adopt(ctx context.Context, read func(context.Context, func(events.Record) error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	come, done := make(chan events.Record, batchEvents), make(chan error, 1)
	go func() {
		defer cancel()
		done <- h.adoptAll(come)
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

func (h *Host) adoptAll(come <-chan events.Record) error {
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
		before := h.ledger.Durable()
		if err := h.ledger.Adopt(batch, nil); err != nil {
			return fmt.Errorf("from sequence %d on: %w", first.Sequence, err)
		}
		h.following.adopted.Add(h.ledger.Durable() - before)
	}
	return nil
}

// strayed says that the copy is none any more, for good in READONLY, and what can be done; other errors stay.
func (h *Host) strayed(ctx context.Context, err error) error {
	behind := (*ledger.CheckpointError)(nil)
	if !errors.Is(err, ledger.ErrFork) && !errors.Is(err, ledger.ErrStep) && !errors.Is(err, ledger.ErrNameTaken) &&
		!errors.Is(err, stream.ErrGap) && !errors.As(err, &behind) {
		return unreadable(err)
	}
	o := h.following.options
	if err := h.ledger.MarkCopy(noteAt+h.server.where, h.differing(ctx, err)); err != nil {
		h.say(fmt.Sprintf("that it stopped is not written down: %v", err))
	}
	lines := []string{fmt.Sprintf("here    %s, in %s", words.Count(h.ledger.Durable(), "event"), h.dir)}
	for _, c := range h.ledger.Campaigns() {
		lines = append(lines, fmt.Sprintf("        campaign %s: the last is #%d, hash %s", c.Name, c.Events-1, c.Head))
	}
	lines = append(lines, "stream  "+stream.StreamName(h.ledger.ID())+" at "+h.server.where,
		"the original may have lost events, or another goes by its name: ask its host which stands.",
		"this copy is evidence and is kept; to follow what the stream holds now, begin another:",
		fmt.Sprintf("  watu follow %s --nats %s --dir NEW", h.ledger.ID(), bare(o.NATS)))
	return problem.WithReport(problem.Diverged, lines, "this copy and the stream have gone different ways: %v", err)
}

// differing says what ended a copy, with the campaign and the event: those that differ, or else the last here.
func (h *Host) differing(ctx context.Context, err error) string {
	if fork := h.sameEnds(ctx); errors.Is(fork, ledger.ErrFork) {
		return fork.Error()
	}
	text := err.Error()
	for _, c := range h.ledger.Campaigns() {
		text = strings.ReplaceAll(text, c.ID.String(), c.Name)
	}
	for last, err := range h.ledger.After(h.ledger.Durable() - 1) {
		if c, ok := h.ledger.Campaign(last.Campaign); err == nil && ok {
			text += fmt.Sprintf("; the last here is #%d of campaign %s, at sequence %d", last.Index, c.Name,
				last.Sequence)
		}
	}
	return text
}
