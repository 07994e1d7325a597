// Package service has the use cases of one ledger directory. A [Service] opens what the directory holds (record,
// secrets, views, stream) and wires it together; each of its methods does one thing for whoever asks, with typed
// arguments and a typed answer. Package api gives them over HTTP: to the command line over the directory's unix
// socket, or in its own process where nobody holds the directory, and to others over the network. So there is one way
// in which a thing is done, and one place where it is said what came of it.
//
// A campaign is called by its name or ULID. A [Viewer] says who looks or speaks; what he may know and say is decided
// here. A method that takes steps fails where the ledger takes none: in a copy, on another host's turn, in a campaign
// that was imported. Every error is read by [problem.Of]. The shapes of answers are also those of the --json flags:
// they have a
// [Version], and grow only by fields.
//
//	opened, err := f.OpenCampaign(service.NewCampaign{Name: "atlantic", System: "awaw"})
//	umpire := service.Viewer{As: service.Umpire}
//	done, err := f.Submit(ctx, "atlantic", umpire, service.Submission{Name: "turn.yaml", Text: text})
//	shown, err := f.View(ctx, "atlantic", service.Viewer{As: service.Public}, "pools", "turn:Winter 1941")
//
// A ledger in directory D consists of D/LEDGER, D/record, D/CHECKPOINT and, if it takes no
// steps, D/READONLY (package events/ledger), D/secrets and D/refusals (one file for each campaign) and
// D/boards (package replay), D/imports (what is known of campaigns that were imported), D/tokens (who
// may see more than the public, package tokens), D/views (package projections/store), D/stream (the
// embedded NATS server's) and, while a server holds it, the socket D/watu.sock ([Service.Serve]). Views and stream are
// made from the record and may be deleted.
//
// What concerns a whole ledger, and must not happen while somebody works with it, is a function: [Repair], [Restore],
// [Handover], [Follow]. What is told of an event is package narrator's business, what a page looks like is that of
// cmd/watu.
package service

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
)

// Options of [Open].
type Options struct {
	Holder   string // who opens the directory, for others who find it held
	Begin    bool   // begin a ledger where there is none
	Listen   string // "host:port" on which the embedded NATS server listens; empty: nowhere
	Guests   int    // how many may be connected there; 0 for [stream.DefaultGuests]
	NATS     string // URL or nats CLI context of a server elsewhere; empty for the embedded one
	Replicas int    // how many servers of a cluster keep the stream; 0 leaves it as it is
	Copy     string // directory of a follower's copy, for [FromCopy]
	NewHome  bool   // the stream lives from now on where this command has it
	Yes      bool   // leave a home that cannot be asked whether another host goes on there
	Steps    bool   // fail where no steps can be taken, instead of reading

	Environment string // $WATU_NATS, which may have the password of the server that the ledger remembers

	Flags string       // as given, for commands that a report proposes: " --dir D"
	Dir   string       // the same without the server
	Say   func(string) // told in a line whatever is worth hearing; nil for nobody

	Term time.Duration // of the lease; 0 for the usual one, since tests alone have another

	keep bool // leave a stream alone whose files were damaged
}

// Service is an open ledger directory. Its handler may be used by several goroutines.
type Service struct {
	dir     string
	say     func(string)
	systems map[string]rules.System
	ledger  *ledger.Ledger
	umpire  *replay.Umpire
	runner  *projections.Runner

	tenure tenure // by what right steps are taken
	// where the stream is; nil for a ledger that publishes nothing
	place     *place
	appended  atomic.Pointer[func(events int, took time.Duration)] // that of [Service.OnAppend]
	outbox    *stream.Outbox                                       // nil for a ledger that takes no steps
	found     string                                               // how stream and record stood when it was opened
	following *following                                           // what a follower follows; nil for others

	dockets     dockets
	itineraries itineraries // of the campaigns that somebody went through
	pendings    pendings    // what corrections left
	unknowns    unknowns    // what campaigns have that this program does not know

	importing  sync.RWMutex // held by an import; read-locked by who looks whether one is whole
	rebuilding sync.Mutex   // held by a rebuild: two at a time would see each other's empty views
	tokens     *tokens.Book // of those who may see more than the public

	looking  sync.Mutex // held by who looks at what lies beside the record
	lastLook atomic.Pointer[lookedAt]

	asked   context.Context // ends when the process is asked to end
	reads   bool            // it was opened to be read alone: the disk was full, or it is only looked at
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
func Open(ctx context.Context, dir string, o Options) (*Service, error) {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if !o.Begin && !holds(dir) {
		return nil, noLedger(dir)
	}
	if err := guarded(dir, o.Say); err != nil {
		return nil, err
	}
	f := newService(ctx, dir, o)
	if err := f.open(ctx, o); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func noLedger(dir string) error {
	return problem.New(problem.Input, "there is no ledger in %s: name another directory with --dir, or "+
		"begin with watu "+
		"campaign new", dir)
}

func newService(ctx context.Context, dir string, o Options) *Service {
	say := func(line string) { o.logf("%s", line) }
	f := &Service{dir: dir, say: say, systems: systems(), asked: ctx, failing: make(chan struct{})}
	f.tenure.closing, f.tenure.close = context.WithCancel(context.Background())
	return f
}

// Hold is [Open], with patience for a command that holds the directory for a moment. A server
// that holds it is not waited for.
func Hold(ctx context.Context, dir string, o Options) (f *Service, err error) {
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

// Begun reports whether there is anything in dir.
func Begun(dir string) bool { return holds(dir) }

// holds reports whether there is anything in dir; whether it is a ledger is package ledger's
// to say.
func holds(dir string) bool {
	names, err := os.ReadDir(dir)
	return len(names) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func (f *Service) open(ctx context.Context, o Options) (err error) {
	f.ledger, err = ledger.Open(f.dir, f.ledgerOptions(o))
	if errors.Is(err, syscall.ENOSPC) {
		if l, failed := ledger.OpenToRead(f.dir, f.ledgerOptions(o), err); failed == nil {
			f.say(err.Error() + "; what is recorded can be read meanwhile")
			f.ledger, f.reads, err = l, true, nil
		}
	}
	if err != nil {
		return unopened(ctx, f.dir, o, err)
	}
	f.closesLedger()
	if err := f.furnish(); err != nil {
		return err
	}
	if f.reads {
		f.found = "it was not looked at: the disk is full"
	} else if m := f.ledger.ReadOnly(); m == nil {
		err = f.publish(ctx, o)
	} else if o.Listen != "" {
		err = problem.New(problem.Input, "--nats-listen is for a ledger that publishes: %v", m)
	}
	if err != nil {
		return err
	}
	f.followRecord()
	f.closing(viewsBy, "what is pending is still being found out", func(context.Context) error {
		f.pendings.close()
		return nil
	})
	return nil
}

// furnish opens what lies beside the record.
func (f *Service) furnish() error {
	removeSocket(f.dir) // the lock is ours, so nobody listens on what a crash left behind
	f.umpire = umpireOf(f.dir, f.ledger)
	if err := f.furnishTokens(); err != nil {
		return problem.Unwritable(f.dir, err)
	}
	if list := f.look(); len(list) > 0 {
		f.say(DamageText(list) + "; watu status tells more")
	}
	views, err := store.Open(filepath.Join(f.dir, "views"), store.Options{Say: f.say})
	if err != nil {
		return err
	}
	f.closing(storeBy, "the views are not closed", func(context.Context) error { return views.Close() })
	f.runner, err = projections.Open(record{f.ledger}, views, f.say, projected()...)
	return err
}

// furnishTokens opens the tokens. What was left unfinished beside the record is finished first, unless nothing can be
// written.
func (f *Service) furnishTokens() error {
	if f.reads {
		f.tokens = f.openTokens()
		return nil
	}
	if err := f.vouch(); err != nil {
		return err
	}
	f.tokens = f.openTokens()
	return f.tokens.Seal()
}

// umpireOf seats an umpire at the ledger in dir.
func umpireOf(dir string, l *ledger.Ledger) *replay.Umpire {
	all := slices.Collect(maps.Values(systems()))
	u := replay.NewUmpire(l, keysOf(dir), boardsOf(dir), all...)
	u.KeepRefusals(refusalsOf(dir))
	return u
}

func refusalsOf(dir string) *replay.Refusals {
	return replay.NewRefusals(filepath.Join(dir, "refusals"))
}

func boardsOf(dir string) *replay.Boards { return replay.NewBoards(filepath.Join(dir, "boards")) }

func keysOf(dir string) *keys.Keys { return keys.NewKeys(filepath.Join(dir, "secrets")) }

// followRecord keeps the public views up to date until Close, and sees to it that they are
// then.
func (f *Service) followRecord() {
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.follow(ctx) }()
	f.closing(viewsBy, "the views are not brought up to date", func(late context.Context) error {
		end()
		err := errors.Join(<-done, f.runner.Keep(late))
		switch {
		case err == nil, late.Err() != nil && f.runner.Through() >= f.ledger.Durable():
			return nil
		case late.Err() != nil:
			return problem.New(problem.Failed, "the views are behind the record: the next start brings them up to date")
		// the runner has said it, and other campaigns have nothing to do with it
		case errors.Is(err, ledger.ErrDamaged):
			return nil
		}
		return err
	})
}

// follow follows the record until ctx ends. A ledger that has failed is followed as far as it goes.
func (f *Service) follow(ctx context.Context) error {
	err := f.runner.Follow(ctx)
	if f.Failed() != nil {
		return nil
	}
	return err
}

// find gives the campaign of that name or ULID; an unknown one is answered with those there are.
func (f *Service) find(name string) (ledger.Campaign, error) {
	c, err := f.umpire.Find(name)
	if err == nil {
		return c, nil
	}
	var names []string
	for _, c := range f.ledger.Campaigns() {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return c, problem.New(problem.Input, "no such campaign: %q; there is none yet: open one with watu "+
			"campaign new NAME "+
			"--system SYSTEM", name)
	}
	return c, problem.New(problem.Input, "no such campaign: %q; there is %s", name, listed(names))
}

// describe tells a campaign from its first event and its last.
func (f *Service) describe(c ledger.Campaign) (Campaign, error) {
	out := Campaign{Name: c.Name, ID: c.ID.String(), Events: c.Events, Head: c.Head}
	first, err := f.event(c.ID, 0)
	if err != nil {
		return out, err
	}
	last, err := f.event(c.ID, c.Events-1)
	if err != nil {
		return out, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	out.System, out.Sides, out.Demo, out.Dice = p.System, p.Sides, p.Demo, p.Dice
	if out.Edition, out.EditionHash, err = f.editionAfter(c, &first, &last); err != nil {
		return out, err
	}
	from, _, err := f.imported(c.ID)
	if err != nil && !errors.Is(err, kept.ErrDamaged) { // of damage, who asks about that hears
		return out, err
	}
	out.Imported = from.For
	if out.Seats, err = f.seated(c); err != nil {
		return out, err
	}
	if out.OpenDisputes, err = f.openDisputes(c); err != nil {
		return out, err
	}
	s := f.systems[p.System]
	out.Title, out.Views, out.Board = s.Title, s.Views, boardOf(p.Board)
	out.Turn, out.TurnOrdinal, out.Phase, out.Opened = last.Turn.Label, last.Turn.Ordinal, last.Phase,
		first.Recorded.UTC()
	return out, nil
}

// event reads one event.
func (f *Service) event(campaign ulid.ULID, index uint64) (events.Event, error) {
	for r, err := range f.ledger.Walk(campaign, index, index+1) {
		if err != nil {
			return events.Event{}, err
		}
		return events.Decode(r.Bytes)
	}
	return events.Event{}, problem.New(problem.Input, "the campaign has no event #%d", index)
}

// System gives the rules of a name, zero for one that this program lacks.
func (f *Service) System(name string) rules.System { return f.systems[name] }

// system is the body of rules of a campaign.
func (f *Service) system(campaign ulid.ULID) (rules.System, error) {
	first, err := f.event(campaign, 0)
	if err != nil {
		return rules.System{}, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	s, ok := f.systems[p.System]
	if !ok {
		return s, fmt.Errorf("%w: campaign %s is played by %q", replay.ErrUnknownSystem, p.Name, p.System)
	}
	return s, nil
}
