package stream

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
)

// Dial connects to a server or cluster elsewhere. The target is one URL or several with commas
// between (nats://, tls://, ws:// or wss://, with user:password@ or token@ before the host), or
// else the name of a context of the nats CLI, which may hold TLS files, credentials and keys. A
// target without "://" is a name.
//
// A wrong address or wrong credentials fail at once: [ErrTarget], [ErrUnknownContext],
// [ErrUnreachable], [ErrUnauthorized], [ErrTLS]. Errors never repeat a password or token. Once
// made, the connection comes back for ever. Whether the server has JetStream, and what the
// connection may do there, is seen by who uses it. The caller closes it.
func Dial(ctx context.Context, target string, logf func(format string, args ...any),
	options ...nats.Option) (*nats.Conn, error) {
	if logf == nil {
		logf = func(string, ...any) {}
	}
	servers, own, err := resolve(target)
	if err != nil {
		return nil, err
	}
	o := nats.GetDefaultOptions()
	for _, option := range slices.Concat(connectionOptions(logf), own, options) {
		if err := option(&o); err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrTarget, plain(target), err)
		}
	}
	nc, err := dial(ctx, o, servers)
	if err == nil {
		return nc, nil
	}
	// nats.go reports one server, and not always of the one that answered.
	var errs []error
	for _, server := range servers {
		if len(servers) > 1 {
			err = try(ctx, o, server)
		}
		errs = append(errs, refusal(server, err))
	}
	return nil, joinErrors(errs)
}

// resolve gives the servers of a target, and the options that a context adds.
func resolve(target string) (servers []string, options []nats.Option, err error) {
	if !strings.Contains(target, "://") {
		return fromContext(target)
	}
	servers, err = addresses(target)
	return servers, nil, err
}

// addresses takes a list of URLs apart.
func addresses(list string) ([]string, error) {
	var servers []string
	for i, s := range strings.Split(list, ",") {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if !strings.Contains(s, "://") {
			s = "nats://" + s // as nats.go has it
		}
		u, err := url.Parse(s)
		switch {
		case err != nil: // what was typed may hold a password anywhere, so it is not repeated
			return nil, fmt.Errorf("%w: address %d is no URL like nats://host:4222", ErrTarget, i+1)
		case u.Hostname() == "" || !slices.Contains([]string{"nats", "tls", "ws", "wss"}, u.Scheme):
			return nil, fmt.Errorf("%w: %s: a URL has the form nats://host:4222 or tls://host:4222", ErrTarget,
				plain(s))
		}
		servers = append(servers, s)
	}
	if len(servers) == 0 {
		return nil, fmt.Errorf("%w: no URL in %q", ErrTarget, list)
	}
	return servers, nil
}

// dial connects, and leaves when ctx ends before nats.go does.
func dial(ctx context.Context, o nats.Options, servers []string) (*nats.Conn, error) {
	type result struct {
		nc  *nats.Conn
		err error
	}
	made := make(chan result, 1)
	o.Servers = servers
	go func() {
		nc, err := o.Connect()
		made <- result{nc, err}
	}()
	select {
	case r := <-made:
		return r.nc, r.err
	case <-ctx.Done():
		go func() {
			if r := <-made; r.err == nil {
				r.nc.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// try gives the error of one server of several.
func try(ctx context.Context, o nats.Options, server string) error {
	nc, err := dial(ctx, o, []string{server})
	if err == nil {
		nc.Close()
		err = errors.New("it answers only now; try again")
	}
	return err
}

// refusal names a server and classes its error.
func refusal(server string, err error) error {
	is := func(targets ...error) bool {
		return slices.ContainsFunc(targets, func(t error) bool { return errors.Is(err, t) })
	}
	kind := ErrUnreachable
	switch {
	case is(context.Canceled):
		return err
	case is(nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired):
		kind = ErrUnauthorized
	case is(nats.ErrTLS, nats.ErrSecureConnWanted, nats.ErrSecureConnRequired),
		strings.Contains(err.Error(), "remote error: tls:"): // an alert has no type of its own
		kind = ErrTLS
	case is(fs.ErrNotExist, fs.ErrPermission): // a file of credentials, read only now
		kind = ErrTarget
	case is(nats.ErrNoServers): // what nats.go makes of it
		err = errors.New("connection refused")
	}
	if kind == ErrTLS { // what a server wants is not always in its answer
		return fmt.Errorf("%w: %s: %w; a context can name certificates (ca, cert, key)", kind, plain(server), err)
	}
	return fmt.Errorf("%w: %s: %w", kind, plain(server), err)
}

// joinErrors joins the errors of several servers in a line, the most specific first: an answer says
// more than silence.
func joinErrors(errs []error) error {
	rank := func(err error) int {
		kinds := []error{ErrTarget, ErrUnauthorized, ErrTLS, ErrUnreachable}
		return slices.IndexFunc(kinds, func(kind error) bool { return errors.Is(err, kind) })
	}
	slices.SortStableFunc(errs, func(a, b error) int { return rank(a) - rank(b) })
	all := errs[0]
	for _, err := range errs[1:] {
		all = fmt.Errorf("%w; %v", all, err)
	}
	return all
}

// plain gives a URL without user, password, token and path.
func plain(target string) string {
	scheme, rest, isURL := strings.Cut(target, "://")
	if !isURL {
		return target
	}
	var hosts []string
	for _, s := range strings.Split(rest, ",") {
		if _, after, found := strings.Cut(s, "://"); found {
			s = after
		}
		s = s[strings.LastIndex(s, "@")+1:]
		s, _, _ = strings.Cut(s, "/")
		hosts = append(hosts, s)
	}
	return scheme + "://" + strings.Join(hosts, ",")
}
