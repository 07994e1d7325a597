package stream

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// elsewhere starts a server as its operator would: its configuration is what stands in the text,
// and a store where JetStream is on.
func elsewhere(t testing.TB, config string, jetstream bool) *server.Server {
	t.Helper()
	o := &server.Options{}
	if config != "" {
		check(t, o.ProcessConfigString(config))
	}
	o.Host, o.Port = "127.0.0.1", -1
	if o.JetStream = jetstream; jetstream {
		o.StoreDir = t.TempDir()
	}
	return run(t, o)
}

// run starts a server and waits until it takes connections.
func run(t testing.TB, o *server.Options) *server.Server {
	t.Helper()
	o.NoSigs, o.NoLog = true, true
	s, err := server.NewServer(o)
	check(t, err)
	s.Start()
	t.Cleanup(func() { stop(s) })
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the server does not get ready")
	}
	return s
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// restartable runs a server, connects to it, and gives the options with which it runs again where it was.
func restartable(t *testing.T) (*server.Options, *server.Server, *nats.Conn) {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", JetStream: true, StoreDir: t.TempDir()}
	_, err := fmt.Sscanf(freeAddress(t), "127.0.0.1:%d", &o.Port)
	check(t, err)
	s := run(t, o.Clone())
	return o, s, dialled(t, s.ClientURL())
}

// dialled connects as a program would.
func dialled(t testing.TB, target string, options ...nats.Option) *nats.Conn {
	t.Helper()
	closed := make(chan struct{})
	options = append(options, nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	nc, err := Dial(soon(t), target, t.Logf, options...)
	check(t, err)
	t.Cleanup(func() { nc.Close(); <-closed })
	return nc
}

// urlOf is a server's address with a user before it.
func urlOf(s *server.Server, user string) string {
	if user != "" {
		user += "@"
	}
	return "nats://" + user + s.Addr().String()
}
