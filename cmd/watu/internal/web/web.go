// Package web is the server that people reach over the network: pages, the interface under /api/v1,
// the streams of events, and what an operator watches. It puts together what packages dashboard, api,
// live and access give, and guards the door.
package web

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/dashboard"
	"github.com/watu-ledger/watu/cmd/watu/internal/live"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// Server answers for a service on a network address.
type Server struct {
	listener net.Listener
	http     *http.Server
	feed     *live.Feed
	readers  *readers.Readers
	crowd    *crowd
	gauges   *gauges
	log      *slog.Logger
	options  Options
	tls      bool

	late  context.Context // ends when requests under way are given up
	spare context.CancelFunc
}

// Options of [Listen].
type Options struct {
	Address string // host:port
	Next    bool   // take the next free port if this one is taken

	Hosts            []string // names that the server goes by, beside those of this machine
	Certificate, Key string   // PEM files, both or none: with them it speaks TLS

	Frame []string // origins of the sites that may show /embed/ in a frame, by [ParseOrigin]
	Read  []string // origins of the sites whose pages may read what is public

	Limits  Limits       // of what one address may have
	Metrics bool         // others than this machine may read /metrics
	Log     *slog.Logger // hears of requests and troubles; nil drops them
}

// ErrTaken is wrapped when another program listens on the address.
var ErrTaken = errors.New("the address is taken")

// Listen takes the address. [Server.Serve] begins to answer: that nobody else has the address is known before a
// ledger is begun.
func Listen(o Options) (*Server, error) {
	secured, err := o.tls()
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", o.Address)
	if errors.Is(err, syscall.EADDRINUSE) {
		err = ErrTaken
		if o.Next {
			l, err = next(o.Address)
		}
	}
	if err != nil {
		return nil, err
	}
	s := &Server{listener: l, log: o.Log, options: o, tls: secured != nil}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.http = &http.Server{
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelWarn), TLSConfig: secured, MaxHeaderBytes: longestHead,
		ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, ConnContext: connected,
	}
	return s, nil
}

// Serve begins to answer for a service. A server that is nil answers nobody.
func (s *Server) Serve(f *service.Service) {
	if s == nil {
		return
	}
	f.Site = s.Site()
	door := access.New(f)
	s.readers = readers.New(readers.Options{HasToken: door.HasValidToken})
	s.feed = live.New(f, live.Options{Turn: s.readers.Turn})
	s.gauges = gaugesOf(f, s.feed)
	s.crowd = crowdOf(s.options.Limits, door.TokenIDs)
	s.http.Handler = s.handler(f, door, s.options)
	s.late, s.spare = f.Requests()
	go s.serve(limited{narrow{s.listener}, s.crowd})
}

// serve answers until Close. What ends it otherwise is reported: nobody can look any more.
func (s *Server) serve(l net.Listener) {
	answer := s.http.Serve
	if s.tls {
		answer = func(l net.Listener) error { return s.http.ServeTLS(l, "", "") }
	}
	if err := answer(l); !errors.Is(err, http.ErrServerClosed) {
		s.log.Error("the pages have ended", slog.String("because", err.Error()))
	}
}

// handler puts together everything that answers, behind the guard.
func (s *Server) handler(f *service.Service, door *access.Authenticator, o Options) http.Handler {
	pages := dashboard.New(f, door.Viewer, s.readers)
	pages.SetTokenCheck(door.HasValidToken)
	pages.SetHeld(door.Held)
	pages.SetSite(s.site)
	door.SetLoginPage(pages.Login)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login", door.LoginForm)
	mux.HandleFunc("POST /login", door.Login)
	mux.HandleFunc("POST /logout", door.Logout)
	stream := s.crowd.following(door.WhileValid(s.feed))
	mux.Handle("GET /campaigns/{c}/live", stream)
	mux.Handle("GET /live", stream)
	mux.Handle("/api/v1/", api.New(f, door.Viewer, s.readers, stream))
	s.watched(mux, f, o.Metrics)
	mux.Handle("/", pages)
	return s.gauges.meter(s.log, guard(o.Hosts, elsewhere(o.Frame, o.Read, s.crowd.requests(mux))))
}

// ports is how many ports behind a taken one are tried.
const ports = 64

// next takes the first free port behind that of the address.
func next(address string) (net.Listener, error) {
	host, text, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	port, err := strconv.ParseUint(text, 10, 16)
	if err != nil {
		return nil, err
	}
	for range ports {
		port++
		if l, err := net.Listen("tcp", net.JoinHostPort(host, strconv.FormatUint(port, 10))); err == nil {
			return l, nil
		}
	}
	return nil, ErrTaken
}

// URL is where the pages are: with TLS by the first name that the server was given, which is the one that
// its certificate is for. A loopback address stays, since this machine alone finds it.
func (s *Server) URL() string {
	scheme := "http://"
	if s.tls {
		scheme = "https://"
	}
	at := s.listener.Addr()
	a, ok := at.(*net.TCPAddr)
	switch {
	case ok && s.tls && len(s.options.Hosts) > 0 && !a.IP.IsLoopback():
		return scheme + net.JoinHostPort(s.options.Hosts[0], strconv.Itoa(a.Port)) + "/"
	case ok && a.IP.IsUnspecified(): // all addresses of the machine: none of them is called so
		return scheme + net.JoinHostPort("localhost", strconv.Itoa(a.Port)) + "/"
	}
	return scheme + at.String() + "/"
}

// Site is the address by which players reach the pages, without a path, for links that are sent: behind a proxy by the
// first name that the server was given. It is empty where there are none.
func (s *Server) Site() string {
	switch {
	case s == nil:
		return ""
	case !s.tls && len(s.options.Hosts) > 0:
		return addressed("https", s.options.Hosts[0], "")
	}
	return strings.TrimSuffix(s.URL(), "/")
}

// Warning says what people from elsewhere cannot do here; empty where there is nothing to say.
func (s *Server) Warning() string {
	at, ok := s.listener.Addr().(*net.TCPAddr)
	if s.tls || ok && at.IP.IsLoopback() {
		return ""
	}
	return "whoever reaches " + at.String() + " sees what is public; nobody can log in from elsewhere without " +
		"--tls-cert and --tls-key"
}

// Close ends the streams, lets requests finish, and gives the address free. A server that is nil has
// nothing to close.
func (s *Server) Close() error {
	if s == nil {
		return nil
	}
	if s.feed == nil { // it never answered
		return s.listener.Close()
	}
	defer s.spare()
	err := s.feed.Close()
	ctx, cancel := context.WithTimeout(s.late, maintenance.RequestDeadline)
	defer cancel()
	if s.http.Shutdown(ctx) != nil { // a client that stopped reading must not hold the ledger for ever
		err = errors.Join(err, s.http.Close())
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	s.readers.Close(ctx) // what is still drawn, for nobody any more
	return err
}
