package stream

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// ServerOptions says where the embedded server keeps its files and whether it listens.
type ServerOptions struct {
	StoreDir string // directory of the streams; made when missing
	Listen   string // "host:port" for guests, port 0 for any free one; "" listens nowhere
	Guests   int    // how many may be connected at a time; [DefaultGuests] when 0
	Keep     bool   // fail with [ErrStoreDamaged] instead of beginning anew on damaged files
	Logf     func(format string, args ...any)
}

// Server is an embedded nats-server with JetStream. When it listens, guests may subscribe to what
// is published, and read the stream once they are admitted ([Server.Admit]).
type Server struct {
	srv    *server.Server
	store  string // directory of the streams
	secret string // password of the ledger's own connections, fresh at each start
	logf   func(format string, args ...any)
	gate   *gate // nil until guests are admitted
}

// ledgerAccount is the account whose connections may publish.
const ledgerAccount = "LEDGER"

// maxMessage bounds one event and its JSON view, in bytes.
const maxMessage = 8 << 20

// guestAccount is that of everybody else.
const guestAccount = "GUESTS"

// serverConfig is the server's configuration. Guests have an account of their own, into which
// comes what is published and what is answered, and out of which go their reads: the server
// does not check the reply subject of a message, so what a guest sends may reach nobody but the
// gate.
const serverConfig = `
server_name: %s
accounts {
  LEDGER {
    jetstream: enabled
    exports: [{stream: "watu.v1.>"}, {stream: "watu.answers.>"}]
    imports: [{stream: {account: GUESTS, subject: "watu.read.>"}}]
  }
  GUESTS {
    limits: {max_connections: %d, max_subscriptions: %d, max_payload: %d}
    exports: [{stream: "watu.read.>"}]
    imports: [
      {stream: {account: LEDGER, subject: "watu.v1.>"}}
      {stream: {account: LEDGER, subject: "watu.answers.>"}}
    ]
  }
}
`

// StartServer starts the server and waits until it takes connections. Two servers on one
// directory both start and spoil it: take the ledger's lock first.
func StartServer(o ServerOptions) (*Server, error) {
	s := &Server{store: o.StoreDir, secret: rand.Text(), logf: o.Logf}
	if s.logf == nil {
		s.logf = func(string, ...any) {}
	}
	opts, err := s.options(o)
	if err != nil {
		return nil, err
	}
	if err := s.unseal(o.Keep); err != nil {
		return nil, err
	}
	if s.srv, err = server.NewServer(opts); err != nil {
		return nil, fmt.Errorf("nats server: %w", err)
	}
	log := &serverLog{logf: s.logf, fatal: make(chan error, 1)}
	s.srv.SetLoggerV2(log, false, false, false)
	s.srv.Start()
	if err := s.ready(log.fatal); err != nil {
		s.Shutdown()
		return nil, fmt.Errorf("nats server on %s: %w", o.StoreDir, err)
	}
	return s, nil
}

// ready waits until the server takes connections, or says why it does not.
func (s *Server) ready(fatal <-chan error) error {
	for range 300 {
		up := s.srv.ReadyForConnections(100 * time.Millisecond)
		select {
		case err := <-fatal:
			return err
		default:
		}
		if up && s.srv.JetStreamEnabled() {
			return nil
		}
	}
	return errors.New("it does not get ready")
}

func (s *Server) options(o ServerOptions) (*server.Options, error) {
	opts := &server.Options{}
	o.Guests = cmp.Or(o.Guests, DefaultGuests)
	config := fmt.Sprintf(serverConfig, embeddedName, o.Guests, guestSubscriptions, guestPayload)
	if err := opts.ProcessConfigString(config); err != nil {
		return nil, fmt.Errorf("nats server configuration: %w", err)
	}
	opts.CustomClientAuthentication = s
	opts.NoSigs = true
	opts.MaxPayload = maxMessage
	opts.MaxPending = guestPending
	opts.MaxConn = 2*o.Guests + 16 // also those that have not yet named themselves
	// Who does not read misses messages, and is asked to wait by nobody: the ledger would be.
	opts.NoFastProducerStall = true
	opts.JetStream = true
	opts.StoreDir = o.StoreDir
	opts.JetStreamMaxStore = 1 << 50 // the disk is the limit, as it is for the record
	opts.SyncInterval = time.Minute  // what a crash costs is published again from the record
	opts.DontListen = o.Listen == ""
	if opts.DontListen {
		return opts, nil
	}
	host, port, err := free(o.Listen)
	if err != nil {
		return nil, err
	}
	opts.Host, opts.Port = host, port
	return opts, nil
}

// free reports whether the address can be listened on, which nats-server itself reports only in
// its log. Port 0 becomes -1, the server's word for any free port.
func free(address string) (host string, port int, err error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return "", 0, fmt.Errorf("nats server: %w", err)
	}
	if err := l.Close(); err != nil {
		return "", 0, fmt.Errorf("nats server: %w", err)
	}
	host, number, _ := net.SplitHostPort(address)
	if port, _ = strconv.Atoi(number); port == 0 {
		port = -1
	}
	return host, port, nil
}

// URL is where guests connect, "" when the server listens nowhere.
func (s *Server) URL() string {
	if a := s.srv.Addr(); a != nil {
		return "nats://" + a.String()
	}
	return ""
}

// Connect gives a connection of the ledger's own, inside the process. The caller closes it.
func (s *Server) Connect(options ...nats.Option) (*nats.Conn, error) {
	all := append(connectionOptions(s.logf), nats.InProcessServer(s.srv), nats.UserInfo("ledger", s.secret))
	nc, err := nats.Connect("", append(all, options...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to the embedded nats server: %w", err)
	}
	return nc, nil
}

// Heard reports whether anyone subscribes to subject. It is meant for [Options.Heard].
func (s *Server) Heard(subject string) bool {
	account, err := s.srv.LookupAccount(ledgerAccount)
	return err != nil || account.SubscriptionInterest(subject)
}

// Shutdown stops the server and waits until its files are closed.
func (s *Server) Shutdown() {
	if s.gate != nil {
		s.gate.close()
	}
	s.srv.Shutdown()
	s.srv.WaitForShutdown()
	if err := sealStore(s.store); err != nil {
		s.logf("nats server: no checksums of %s: %v", s.store, err)
	}
	// A timer of nats-server keeps the server for as long as the process lives, and with it whoever it reports to.
	s.srv.SetLoggerV2(nil, false, false, false)
	s.logf, s.gate = func(string, ...any) {}, nil
}

// unseal checks the files of the store. Damaged ones are put aside, unless they are to be kept:
// the stream is a copy, but nobody knows here of how much.
func (s *Server) unseal(keep bool) error {
	err := unsealStore(s.store)
	if !errors.Is(err, ErrStoreDamaged) || keep {
		return err
	}
	aside, moved := setAside(s.store)
	s.logf("nats server: %v; the stream is made again from the record, and what there was is kept in %s", err, aside)
	return moved
}

// connectionOptions make a connection come back for ever, and keep nothing to send while it
// is away: what is to be sent then is decided by comparing stream and record.
func connectionOptions(logf func(string, ...any)) []nats.Option {
	return []nats.Option{
		nats.Name("watu"),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(100 * time.Millisecond),
		nats.ReconnectBufSize(-1),
		nats.IgnoreAuthErrorAbort(), // a server that starts may not know its users yet
		nats.PingInterval(10 * time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				logf("nats: disconnected: %v", err)
			}
		}),
		nats.ReconnectHandler(func(nc *nats.Conn) { logf("nats: connected again to %s", plain(nc.ConnectedUrl())) }),
		nats.ErrorHandler(saidOnce(logf)),
	}
}

// saidOnce passes on the errors of a connection, and what a server forbids once in a row: it forbids each
// of many requests that are under way.
func saidOnce(logf func(string, ...any)) nats.ErrHandler {
	var forbidden atomic.Value // the last such error
	forbidden.Store("")
	return func(_ *nats.Conn, _ *nats.Subscription, err error) {
		if errors.Is(err, nats.ErrPermissionViolation) && forbidden.Swap(err.Error()) == err.Error() {
			return
		}
		logf("nats: %v", err)
	}
}

// serverLog passes on warnings and errors of nats-server, and catches the first fatal one,
// which the server logs instead of returning.
type serverLog struct {
	logf   func(format string, args ...any)
	fatal  chan error
	guests atomic.Int64 // when the last error of a connection was passed on, in seconds
}

func (l *serverLog) Fatalf(format string, v ...any) {
	select {
	case l.fatal <- fmt.Errorf(format, v...):
	default:
	}
}

// Errorf passes on one error a minute that a connection made: whoever reaches the address could
// fill the log with what he may not.
func (l *serverLog) Errorf(format string, v ...any) {
	line := fmt.Sprintf(format, v...)
	if strings.Contains(line, " - cid:") {
		now := time.Now().Unix()
		if last := l.guests.Load(); now-last < 60 || !l.guests.CompareAndSwap(last, now) {
			return
		}
		line += " (others like it are left out for a minute)"
	}
	l.logf("nats server: %s", line)
}

// Warnf leaves out the warning of a plaintext password, which is made at each start and never
// leaves the process, and how the server finds its way after a crash: what came of that is what
// the comparison of stream and record says.
func (l *serverLog) Warnf(format string, v ...any) {
	line := fmt.Sprintf(format, v...)
	for _, idle := range []string{"Plaintext passwords", "Stream state outdated",
		"Recovering stream state from index errored"} {
		if strings.Contains(line, idle) {
			return
		}
	}
	l.logf("nats server: %s", line)
}

func (l *serverLog) Noticef(string, ...any) {}
func (l *serverLog) Debugf(string, ...any)  {}
func (l *serverLog) Tracef(string, ...any)  {}
