package maintenance

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/stream"
)

// server is a NATS server as far as a ledger needs one: our own, inside the process, or one
// elsewhere.
type server struct {
	where     string         // for people
	anew      string         // id of the home that was begun anew there, because its lease was deleted
	server    *stream.Server // our own; nil elsewhere
	open      func(context.Context, stream.Log, stream.Options) (*stream.Outbox, stream.Report, error)
	compare   func(context.Context, stream.Log) (stream.Report, error)
	rebuild   func(context.Context, stream.Log, stream.Options) (stream.Report, error)
	tail      func(context.Context, stream.Following, func(events.Record) error) error
	follow    func(context.Context, stream.Following, func(events.Record) error) error
	ledgers   func(context.Context) ([]stream.Found, error)
	lease     func(context.Context, ulid.ULID, stream.LeaseOptions) (*stream.Lease, error)
	home      func(ctx context.Context, ledger ulid.ULID) (id string, published uint64, err error)
	connected func() bool
	close     func()
}

// bind makes a server of a connection and what package stream does with one. It is generic
// because only that package names the type of a connection.
func bind[C interface {
	Close()
	IsConnected() bool
}](nc C,
	open func(context.Context, C, stream.Log, stream.Options) (*stream.Outbox, stream.Report, error),
	compare func(context.Context, C, stream.Log) (stream.Report, error),
	rebuild func(context.Context, C, stream.Log, stream.Options) (stream.Report, error),
	tail func(context.Context, C, stream.Following, func(events.Record) error) error,
	follow func(context.Context, C, stream.Following, func(events.Record) error) error,
	ledgers func(context.Context, C) ([]stream.Found, error),
	lease func(context.Context, C, ulid.ULID, stream.LeaseOptions) (*stream.Lease, error),
	home func(context.Context, C, ulid.ULID) (string, uint64, error),
) *server {
	return &server{
		open: func(ctx context.Context, log stream.Log, o stream.Options) (*stream.Outbox, stream.Report, error) {
			return open(ctx, nc, log, o)
		},
		compare: func(ctx context.Context, log stream.Log) (stream.Report, error) { return compare(ctx, nc, log) },
		rebuild: func(ctx context.Context, log stream.Log, o stream.Options) (stream.Report, error) {
			return rebuild(ctx, nc, log, o)
		},
		tail: func(ctx context.Context, w stream.Following, fn func(events.Record) error) error {
			return tail(ctx, nc, w, fn)
		},
		follow: func(ctx context.Context, w stream.Following, fn func(events.Record) error) error {
			return follow(ctx, nc, w, fn)
		},
		ledgers: func(ctx context.Context) ([]stream.Found, error) { return ledgers(ctx, nc) },
		lease: func(ctx context.Context, ledger ulid.ULID, o stream.LeaseOptions) (*stream.Lease, error) {
			return lease(ctx, nc, ledger, o)
		},
		home: func(ctx context.Context, ledger ulid.ULID) (string, uint64, error) {
			return home(ctx, nc, ledger)
		},
		connected: nc.IsConnected,
		close:     nc.Close,
	}
}

// reach connects to the server that o names, or starts the embedded one on the stream's files
// in dir. The record's lock must be held for that.
func reach(ctx context.Context, dir string, o Options) (*server, error) {
	if o.NATS != "" {
		return reachElsewhere(ctx, o)
	}
	files := filepath.Join(dir, "stream")
	server, err := stream.StartServer(stream.ServerOptions{StoreDir: files, Listen: o.Listen, Guests: o.Guests,
		Keep: o.keep, Logf: o.logf})
	switch {
	case err != nil && o.Listen != "" && isNetwork(err):
		return nil, problem.New(problem.Failed, "cannot listen on %s: %v; choose another address with --nats-listen",
			o.Listen, err)
	case err != nil:
		return nil, problem.New(problem.Diverged, "the stream in %s does not open: %v; it is a copy of the record: "+
			"move it aside, and start again if the record is whole", files, err)
	}
	nc, err := server.Connect()
	if err != nil {
		server.Shutdown()
		return nil, err
	}
	p := bind(nc, stream.Open, stream.Compare, stream.Rebuild, stream.Tail, stream.Follow, stream.Streams,
		stream.TakeLease, stream.HomeOf)
	p.where, p.server = files, server
	p.close = func() { nc.Close(); server.Shutdown() }
	return p, nil
}

func reachElsewhere(ctx context.Context, o Options) (*server, error) {
	nc, err := stream.Dial(ctx, o.NATS, o.logf)
	if err != nil {
		return nil, err
	}
	p := bind(nc, stream.Open, stream.Compare, stream.Rebuild, stream.Tail, stream.Follow, stream.Streams,
		stream.TakeLease, stream.HomeOf)
	p.where = bare(o.NATS)
	return p, nil
}

// unchanged says what a command that was refused has changed: nothing, unless a home was begun anew.
func (p *server) unchanged() string {
	if p.anew == "" {
		return "nothing was changed"
	}
	return fmt.Sprintf("nothing was changed but the home of this ledger, which was begun anew at %s (home %s)", p.where,
		p.anew)
}

// bare gives a target as it may be shown: without users, passwords and tokens.
func bare(target string) string {
	var list []string
	for _, s := range strings.Split(target, ",") {
		scheme, rest, isURL := strings.Cut(strings.TrimSpace(s), "://")
		if isURL {
			s = scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
		} else {
			s = scheme[strings.LastIndex(scheme, "@")+1:]
		}
		list = append(list, s)
	}
	return strings.Join(list, ",")
}

func (o Options) logf(format string, args ...any) {
	if o.Say != nil {
		o.Say(fmt.Sprintf(format, args...))
	}
}
