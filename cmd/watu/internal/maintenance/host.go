// Package maintenance opens the directory of a ledger and keeps it whole: its record, the stream that copies it, the
// right to take steps, and the files beside the record.
//
// A ledger in directory D consists of
//
//	D/LEDGER, D/record, D/CHECKPOINT, D/READONLY   the record (package events/ledger); READONLY if it takes no steps
//	D/secrets, D/refusals, D/orders                a file for each campaign (package replay)
//	D/boards                                       files of maps (package replay)
//	D/imports                                      what is known of campaigns that were imported
//	D/archived                                     the campaigns that stand apart in lists (package archive)
//	D/tokens                                       who may see more than the public (package tokens)
//	D/keys/ledger                                  the key that signs checkpoints ([Host.Checkpoint])
//	D/notes                                        cosigned checkpoints of rolls that await a round (package dice)
//	D/notes/CAMPAIGN.seats                         the largest checkpoint that seats cosigned
//	D/notes/CAMPAIGN.draws                         cosigned checkpoints that hold draws of players without cards
//	D/views                                        made from the record (package projections/store)
//	D/stream                                       of the embedded NATS server, a copy of the record
//	D/watu.sock                                    the socket of a server that holds the directory ([Host.Serve])
//
// Views and stream may be deleted. [Open] takes the lock of the record first: without it, it changes nothing. It
// refuses a directory that others can write, compares record, checkpoint and stream, and takes the lease if the stream
// is on a server elsewhere. Where copies differ it changes nothing: the problem says what each copy holds, and which
// commands mend it.
//
// Operations that need the directory for themselves are functions: [Repair], [Restore], [Handover], [Follow].
// Everything else is a method of a [Host], the open directory. Package service has the use cases of its campaigns.
package maintenance

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/archive"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon/rounds"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules/all"
)

// Confirmed gives the sequence up to which the record is known to stand, and waits for a moment until that
// reaches the one given. Where no other host can have the ledger, everything stands.
func (h *Host) Confirmed(ctx context.Context, sequence uint64) uint64 {
	if h.outbox == nil || h.lease.lease == nil {
		return math.MaxUint64
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	_ = h.lease.Confirm(ctx, sequence)
	return h.lease.lease.Confirmed()
}

// CheckWritable says why this ledger takes no steps, before anything beside the record is written.
func (h *Host) CheckWritable() error {
	if err := h.Failed(); err != nil {
		return err
	}
	if m := h.ledger.ReadOnly(); m != nil {
		return m
	}
	return h.lease.May()
}

// Options of [Open].
type Options struct {
	Holder   string // who opens the directory, for others who find it held
	Begin    bool   // begin a ledger where there is none
	Listen   string // "host:port" on which the embedded NATS server listens; empty: nowhere
	Guests   int    // how many may be connected there; 0 for [stream.DefaultGuests]
	NATS     string // URL or nats CLI context of a server elsewhere; empty for the embedded one
	Rounds   string // where rounds of beacons come from, as [rounds.Open] takes it
	Replicas int    // how many servers of a cluster keep the stream; 0 leaves it as it is
	Copy     string // directory of a follower's copy, for [FromCopy]
	NewHome  bool   // the stream lives from now on where this command has it
	Yes      bool   // leave a home that cannot be asked whether another host goes on there
	Steps    bool   // fail where no steps can be taken, instead of reading

	Environment string // $WATU_NATS, which may have the password of the server that the ledger remembers

	Flags string       // as given, for commands that a report proposes: " --dir D"
	Dir   string       // the same without the server
	Say   func(string) // receives in a line whatever is worth reporting; nil for nobody

	Term time.Duration // of the lease; 0 for the usual one, since tests alone have another

	keep bool // leave a stream alone whose files were damaged
}

// Host is a ledger's directory, open. While it is open no other process writes to the ledger. Its methods may be
// called by several goroutines.
type Host struct {
	dir    string
	say    func(string)
	ledger *ledger.Ledger
	umpire *replay.Umpire
	runner *projections.Runner // nil if the directory is only inspected

	lease lease // by what right steps are taken
	// where the stream is; nil for a ledger that publishes nothing
	server    *server
	appended  atomic.Pointer[func(events int, took time.Duration)] // that of [Host.OnAppend]
	outbox    *stream.Outbox                                       // nil for a ledger that takes no steps
	found     string                                               // how stream and record stood when it was opened
	following *following                                           // what a follower follows; nil for others

	importing  sync.RWMutex // held by an import; read-locked by who looks whether one is whole
	rebuilding sync.Mutex   // held by a rebuild: two at a time would see each other's empty views
	tokens     *tokens.Book // of those who may see more than the public
	trees      trees
	heads      sync.Mutex // held by who keeps what seats cosigned
	witnessed  sync.Map   // events that a witness cosigned, by [seenBy]
	rounds     *rounds.Source
	archive    *archive.Folder

	looking  sync.Mutex // held by who looks at what lies beside the record
	lastLook atomic.Pointer[lookedAt]

	asked   context.Context // ends when the process is asked to end
	reads   bool            // it was opened to be read alone: the disk was full, or it is only inspected
	failing chan struct{}   // closed when the ledger fails
	closers []closer        // in the order of opening
}

// record is the ledger as the projections read it.
type record struct{ *ledger.Ledger }

// Read keeps no bytes: the projections decode each record at once.
func (r record) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return r.Walk(campaign, from, to)
}

func (r record) Each(f func(campaign ulid.ULID, events uint64)) {
	for _, c := range r.Campaigns() {
		f(c.ID, c.Events)
	}
}

// Open opens the ledger in dir. The record's lock comes first: whoever fails to get it has
// touched nothing else.
func Open(ctx context.Context, dir string, o Options) (*Host, error) {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if !o.Begin && !NotEmpty(dir) {
		return nil, noLedger(dir)
	}
	if err := guarded(dir, o.Say); err != nil {
		return nil, err
	}
	f := newHost(ctx, dir, o)
	if err := f.open(ctx, o); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func noLedger(dir string) error {
	return problem.New(problem.Input, "there is no ledger in %s: name another directory with --dir, or begin with "+
		"watu campaign new", dir)
}

func newHost(ctx context.Context, dir string, o Options) *Host {
	h := &Host{dir: dir, say: func(line string) { o.logf("%s", line) }, asked: ctx, failing: make(chan struct{}),
		archive: archive.In(filepath.Join(dir, "archived"))}
	h.lease.closing, h.lease.close = context.WithCancel(context.Background())
	return h
}

// OpenWhenFree is [Open], with patience for a command that holds the directory for a moment. A server
// that holds it is not waited for.
func OpenWhenFree(ctx context.Context, dir string, o Options) (f *Host, err error) {
	for range 60 {
		if f, err = Open(ctx, dir, o); !errors.Is(err, ledger.ErrHeld) || answers(dir) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil, err
}

// NotEmpty reports whether there is anything in dir; whether it is a ledger is package ledger's to say.
func NotEmpty(dir string) bool {
	names, err := os.ReadDir(dir)
	return len(names) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func (h *Host) open(ctx context.Context, o Options) (err error) {
	h.ledger, err = ledger.Open(h.dir, h.ledgerOptions(o))
	if errors.Is(err, syscall.ENOSPC) {
		if l, failed := ledger.OpenToRead(h.dir, h.ledgerOptions(o), err); failed == nil {
			h.say(err.Error() + "; what is recorded can be read meanwhile")
			h.ledger, h.reads, err = l, true, nil
		}
	}
	if err != nil {
		return unopened(ctx, h.dir, o, err)
	}
	h.closesLedger()
	if err := h.openBeside(); err != nil {
		return err
	}
	if h.reads {
		h.found = "it was not looked at: the disk is full"
	} else if m := h.ledger.ReadOnly(); m == nil {
		err = h.publish(ctx, o)
	} else if o.Listen != "" {
		err = problem.New(problem.Input, "--nats-listen is for a ledger that publishes: %v", m)
	}
	if err != nil {
		return err
	}
	h.followRecord()
	h.rounds, err = rounds.Open(o.Rounds)
	return err
}

// openBeside opens what lies beside the record.
func (h *Host) openBeside() error {
	removeSocket(h.dir) // the lock is ours, so nobody listens on what a crash left behind
	h.umpire = umpireOf(h.dir, h.ledger)
	if err := h.openVouched(); err != nil {
		return problem.Unwritable(h.dir, err)
	}
	if list := h.CheckFiles(); len(list) > 0 {
		h.say(DamageText(list) + "; watu status tells more")
	}
	views, err := store.Open(filepath.Join(h.dir, "views"), store.Options{Say: h.say})
	if err != nil {
		return err
	}
	h.closing(storeBy, "the views are not closed", func(context.Context) error { return views.Close() })
	h.runner, err = projections.Open(record{h.ledger}, views, h.say, Projections()...)
	return err
}

// openVouched opens the tokens, and makes the ledger's key where there is none. What was left unfinished beside the
// record is finished first, unless nothing can be written.
func (h *Host) openVouched() error {
	if h.reads {
		h.tokens = h.openTokens()
		return nil
	}
	if err := h.vouch(); err != nil {
		return err
	}
	h.tokens = h.openTokens()
	return errors.Join(h.tokens.Upgrade(), h.makeKey())
}

// umpireOf seats an umpire at the ledger in dir.
func umpireOf(dir string, l *ledger.Ledger) *replay.Umpire {
	u := replay.NewUmpire(l, keysOf(dir), boardsOf(dir), all.Systems()...)
	u.KeepRefusals(refusalsOf(dir))
	u.KeepOrders(replay.NewOrders(filepath.Join(dir, "orders")))
	return u
}

func refusalsOf(dir string) *replay.Refusals {
	return replay.NewRefusals(filepath.Join(dir, "refusals"))
}

func boardsOf(dir string) *replay.Boards { return replay.NewBoards(filepath.Join(dir, "boards")) }

func keysOf(dir string) *keys.Keys { return keys.NewKeys(filepath.Join(dir, "secrets")) }

// followRecord keeps the public views up to date until Close, and sees to it that they are
// then.
func (h *Host) followRecord() {
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- h.follow(ctx) }()
	h.closing(viewsBy, "the views are not brought up to date", func(late context.Context) error {
		end()
		err := errors.Join(<-done, h.runner.SaveGrown(late))
		switch {
		case err == nil, late.Err() != nil && h.runner.Through() >= h.ledger.Durable():
			return nil
		case late.Err() != nil:
			return problem.New(problem.Failed, "the views are behind the record: the next start brings them up to date")
		// the runner has reported it, and other campaigns have nothing to do with it
		case errors.Is(err, ledger.ErrDamaged):
			return nil
		}
		return err
	})
}

// follow follows the record until ctx ends. A ledger that has failed is followed as far as it goes.
func (h *Host) follow(ctx context.Context) error {
	err := h.runner.Follow(ctx)
	if h.Failed() != nil {
		return nil
	}
	return err
}

// Event reads one event.
func (h *Host) Event(campaign ulid.ULID, index uint64) (events.Event, error) {
	for r, err := range h.ledger.Walk(campaign, index, index+1) {
		if err != nil {
			return events.Event{}, err
		}
		return events.Decode(r.Bytes)
	}
	return events.Event{}, problem.New(problem.Input, "the campaign has no event #%d", index)
}

// Projections lists the views that are kept.
func Projections() []projections.Projection {
	return []projections.Projection{pools.Projection(), strategic.Projection(), income.Projection(),
		situation.Projection()}
}
