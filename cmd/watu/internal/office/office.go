// Package office is where the work on one ledger directory is done: it opens what the
// directory holds (record, secrets, views, stream), wires it together, and answers for it over
// HTTP. Every command of watu is a client of that one handler: over the unix socket of the
// process that holds the directory, or, if nobody does, in its own process ([Dial]). So there
// is one way in which a thing is done, and one place where it is said what came of it.
//
// A ledger in directory D consists of D/LEDGER and D/record (package events/ledger), D/secrets
// (one file for each campaign, package replay), D/views (package projections/store), D/stream
// (the embedded NATS server's) and, while a server holds it, the socket D/watu.sock. Views and
// stream are made from the record and may be deleted.
//
// The shapes of requests and answers are those of api.go, in JSON, under /v1:
//
//	GET  /v1/ledger                                    Ledger
//	GET  /v1/campaigns                                 Campaigns
//	POST /v1/campaigns                                 NewCampaign -> Opened
//	GET  /v1/campaigns/{c}                             Campaign
//	POST /v1/campaigns/{c}/submissions                 Submission -> Submitted
//	POST /v1/campaigns/{c}/corrections                 Amendment -> Corrected
//	GET  /v1/campaigns/{c}/log?from&to&turn&follow     Logged, one a line; or Broken
//	GET  /v1/campaigns/{c}/views/{p}?as&at&turn        View
//	GET  /v1/campaigns/{c}/events/{index}              Explanation
//	POST /v1/rebuild                                   Rebuilding, one a line
//
// {c} is a campaign's name or ULID. What goes wrong is answered with a [Problem].
//
// What is told of an event is package narrator's business, what a page looks like is that of
// cmd/watu.
package office

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// Options of [Open].
type Options struct {
	Holder string       // who opens the directory, for others who find it held
	Begin  bool         // begin a ledger where there is none
	Listen string       // "host:port" on which NATS listens; empty: nowhere
	Say    func(string) // told in a line whatever is worth hearing; nil for nobody
}

// Office is an open ledger directory. Its handler may be used by several goroutines.
type Office struct {
	dir     string
	say     func(string)
	systems map[string]rules.System
	ledger  *ledger.Ledger
	umpire  *replay.Umpire
	runner  *projections.Runner

	server *stream.Server
	outbox *stream.Outbox
	found  stream.Report
	follow func(ctx context.Context, campaign ulid.ULID, from uint64, fn func(events.Record) error) error

	rebuilding sync.Mutex     // held by a rebuild: two at a time would see each other's empty views
	closers    []func() error // in the order of opening
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
func Open(ctx context.Context, dir string, o Options) (*Office, error) {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if !o.Begin && !holds(dir) {
		return nil, problem(Input, "there is no ledger in %s: name another directory with --dir, or begin with watu campaign new", dir)
	}
	f := &Office{dir: dir, say: o.Say, systems: map[string]rules.System{}}
	s := awaw.System()
	f.systems[s.Name] = s
	if err := f.open(ctx, o); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Hold is [Open], with patience for a command that holds the directory for a moment. A server
// that holds it is not waited for.
func Hold(ctx context.Context, dir string, o Options) (f *Office, err error) {
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

// holds reports whether there is anything in dir; whether it is a ledger is package ledger's
// to say.
func holds(dir string) bool {
	names, err := os.ReadDir(dir)
	return len(names) > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func (f *Office) open(ctx context.Context, o Options) (err error) {
	logf := func(format string, args ...any) { f.say(fmt.Sprintf(format, args...)) }
	if f.ledger, err = ledger.Open(f.dir, ledger.Options{Holder: o.Holder, Logf: logf}); err != nil {
		return unwritable(f.dir, err)
	}
	f.closing(f.ledger.Close)
	removeSocket(f.dir) // the lock is ours, so nobody listens on what a crash left behind
	f.umpire = replay.NewUmpire(f.ledger, replay.NewVault(filepath.Join(f.dir, "secrets")), replay.NewShelf(filepath.Join(f.dir, "boards")), f.systems["awaw"])
	views, err := store.Open(filepath.Join(f.dir, "views"), store.Options{Say: f.say})
	if err != nil {
		return err
	}
	f.closing(views.Close)
	if f.runner, err = projections.Open(record{f.ledger}, views, f.say, pools.Projection(), strategic.Projection()); err != nil {
		return err
	}
	if err := f.openStream(ctx, o.Listen, logf); err != nil {
		return err
	}
	f.followRecord()
	return nil
}

// openStream starts the embedded server and the outbox, which compares stream and record.
func (f *Office) openStream(ctx context.Context, listen string, logf func(string, ...any)) (err error) {
	dir := filepath.Join(f.dir, "stream")
	if f.server, err = stream.StartServer(stream.ServerOptions{StoreDir: dir, Listen: listen, Logf: logf}); err != nil {
		if listen != "" && isNetwork(err) {
			return problem(Failed, "cannot listen on %s: %v; choose another address with --nats-listen", listen, err)
		}
		return problem(Diverged, "the stream in %s does not open: %v; it is only a copy of the record: remove %s and start again", dir, err, dir)
	}
	f.closing(func() error { f.server.Shutdown(); return nil })
	nc, err := f.server.Connect()
	if err != nil {
		return err
	}
	f.closing(func() error { nc.Close(); return nil })
	f.outbox, f.found, err = stream.Open(ctx, nc, f.ledger, stream.Options{Logf: logf, Heard: f.server.Heard})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return problem(Diverged, "stream and record cannot be compared: %v; the stream is only a copy: remove %s and start again", err, dir)
	}
	f.closing(f.closeOutbox)
	if f.found.State == stream.Rebuilt {
		f.say("the stream was not a clean part of the record and is made again: " + f.found.Was)
	}
	f.follow = func(ctx context.Context, campaign ulid.ULID, from uint64, fn func(events.Record) error) error {
		return stream.Follow(ctx, nc, f.ledger.ID(), campaign, from, fn)
	}
	return nil
}

// publishWait is how long Close lets the outbox go on; what is left is published by the next
// one.
const publishWait = 10 * time.Second

func (f *Office) closeOutbox() error {
	ctx, cancel := context.WithTimeout(context.Background(), publishWait)
	defer cancel()
	err := f.outbox.Drain(ctx)
	f.outbox.Close()
	if err != nil {
		return problem(Diverged, "recorded, but not all of it is published yet: %v; the next start publishes the rest", err)
	}
	return nil
}

// followRecord keeps the public views up to date until Close, and sees to it that they are
// then.
func (f *Office) followRecord() {
	ctx, end := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- f.runner.Follow(ctx) }()
	f.closing(func() error {
		end()
		return errors.Join(<-done, f.runner.CatchUp(context.Background(), nil))
	})
}

func (f *Office) closing(c func() error) { f.closers = append(f.closers, c) }

// Close publishes what is recorded and gives the directory free.
func (f *Office) Close() error {
	var errs []error
	for i := len(f.closers) - 1; i >= 0; i-- {
		errs = append(errs, f.closers[i]())
	}
	f.closers = nil
	return errors.Join(errs...)
}

// Standing says how the office stands; see [Ledger].
func (f *Office) Standing() Ledger {
	s := f.outbox.Status()
	return Ledger{
		Version: Version, Ledger: f.ledger.ID().String(), Directory: f.dir, PID: os.Getpid(), NATS: f.server.URL(),
		Stream: f.found.String(), Durable: s.Durable, Published: s.Published, Trouble: s.Trouble,
	}
}

// find gives the campaign of that name or ULID; an unknown one is answered with those there are.
func (f *Office) find(name string) (ledger.Campaign, error) {
	c, err := f.umpire.Find(name)
	if err == nil {
		return c, nil
	}
	var names []string
	for _, c := range f.ledger.Campaigns() {
		names = append(names, c.Name)
	}
	if len(names) == 0 {
		return c, problem(Input, "no such campaign: %q; there is none yet: open one with watu campaign new NAME --system awaw", name)
	}
	return c, problem(Input, "no such campaign: %q; there is %s", name, listed(names))
}

// describe tells a campaign from its first event and its last.
func (f *Office) describe(c ledger.Campaign) (Campaign, error) {
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
	out.System, out.Edition, out.EditionHash, out.Sides, out.Demo = p.System, p.Edition, last.Edition, p.Sides, p.Demo
	out.Title = f.systems[p.System].Title
	out.Turn, out.TurnOrdinal, out.Phase, out.Opened = last.Turn.Label, last.Turn.Ordinal, last.Phase, first.Recorded.UTC()
	return out, nil
}

// event reads one event.
func (f *Office) event(campaign ulid.ULID, index uint64) (events.Event, error) {
	for r, err := range f.ledger.Read(campaign, index, index+1) {
		if err != nil {
			return events.Event{}, err
		}
		return events.Decode(r.Bytes)
	}
	return events.Event{}, problem(Input, "the campaign has no event #%d", index)
}

// system is the body of rules of a campaign.
func (f *Office) system(campaign ulid.ULID) (rules.System, error) {
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
