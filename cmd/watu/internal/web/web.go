// Package web is the server that people reach over the network: pages, the interface under /api/v1,
// the streams of events, and what an operator watches. It puts together what packages dashboard, api,
// live and access give, and guards the door.
package web

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/dashboard"
	"github.com/watu-ledger/watu/cmd/watu/internal/live"
	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// Server answers for an office on a network address.
type Server struct {
	listener net.Listener
	http     *http.Server
	feed     *live.Feed
}

// Options of [Listen].
type Options struct {
	Address string // host:port
	Next    bool   // take the next free port if this one is taken
}

// ErrTaken is wrapped when another program listens on the address.
var ErrTaken = errors.New("the address is taken")

// Listen takes the address and begins to answer.
func Listen(f *office.Office, o Options) (*Server, error) {
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
	book, err := access.New(f)
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	s := &Server{listener: l, feed: live.New(f, live.Options{})}
	mux := http.NewServeMux()
	mux.Handle("GET /campaigns/{c}/live", s.feed)
	mux.Handle("GET /live", s.feed)
	mux.Handle("/api/v1/", api.New(f, book.Viewer))
	mux.Handle("/", dashboard.New(f, book.Viewer))
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.http.Serve(l) }()
	return s, nil
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

// URL is where the pages are.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/" }

// Close ends the streams, lets requests finish, and gives the address free. A server that is nil has
// nothing to close.
func (s *Server) Close() error {
	if s == nil {
		return nil
	}
	err := s.feed.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return errors.Join(err, s.http.Shutdown(ctx))
}
