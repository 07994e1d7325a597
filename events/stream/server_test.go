package stream

import (
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/watu-ledger/watu/events"
)

// guest connects from outside and collects what the server denies it.
func guest(t *testing.T, s *Server) (*nats.Conn, chan error) {
	t.Helper()
	denied := make(chan error, 100)
	closed := make(chan struct{})
	nc, err := nats.Connect(s.URL(),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }),
		nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nc.Close(); <-closed })
	return nc, denied
}

func TestGuestsMayReadAndNothingElse(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{Listen: "127.0.0.1:0"})
	nc := connect(t, s)
	l := newLog("ledger").write(20, "atlantic").sync()
	box, _ := open(t, nc, l, Options{Heard: s.Heard})
	drain(t, box)
	out, denied := guest(t, s)
	name, log := StreamName(l.id), LogSubject(l.id, named("atlantic"), "passed")

	for _, subject := range []string{
		log, FeedSubject(l.id, named("atlantic"), "passed"), "anything",
		"$JS.API.STREAM.DELETE." + name, "$JS.API.STREAM.PURGE." + name,
		"$JS.API.STREAM.UPDATE." + name, "$JS.API.STREAM.CREATE.MINE",
		"$JS.API.STREAM.INFO." + name, "$JS.API.STREAM.MSG.DELETE." + name, "$JS.API.CONSUMER.CREATE." + name,
		"$JS.API.CONSUMER.DURABLE.CREATE." + name + ".x",
		"$JS.API.DIRECT.GET." + name, "$JS.API.DIRECT.GET." + name + "." + log, "watu.read.x", "watu.answers.x",
		"$SYS.REQ.SERVER.PING", "_INBOX.of.someone",
	} {
		check(t, out.Publish(subject, []byte("{}")))
		check(t, out.Flush())
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), subject) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	for _, subject := range []string{">", "$JS.>", "$SYS.>", "_R_.>", "_INBOX.>", "watu.read.>", "watu.answers.>"} {
		sub, err := out.SubscribeSync(subject)
		check(t, err)
		check(t, out.Flush())
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
			t.Errorf("subscribe to %s: %v", subject, err)
		}
		_ = sub.Unsubscribe()
	}
	wantSame(t, nc, l)
}

func TestGuestsFollow(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{Listen: "127.0.0.1:0"})
	nc := connect(t, s)
	l := newLog("ledger").write(600, "atlantic", "pacific").sync()
	box, _ := open(t, nc, l, Options{Heard: s.Heard})
	drain(t, box)
	out, _ := guest(t, s)
	followWhileItGrows(t, out, l)
}

func TestListenErrorsAreOneClearLine(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer taken.Close()
	for _, address := range []string{taken.Addr().String(), "nowhere", "127.0.0.1:99999"} {
		s, err := StartServer(ServerOptions{StoreDir: t.TempDir(), Listen: address})
		if err == nil {
			s.Shutdown()
			t.Fatalf("listening on %s", address)
		}
		port := address[strings.LastIndex(address, ":")+1:]
		if !strings.Contains(err.Error(), port) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestStoreThatIsAFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/file"
	writeFile(t, dir)
	s, err := StartServer(ServerOptions{StoreDir: dir})
	if err == nil {
		s.Shutdown()
		t.Fatal("started")
	}
	if !strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), "not a directory") {
		t.Error(err)
	}
}

func TestListensNowhere(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{})
	if s.URL() != "" {
		t.Errorf("listens on %s", s.URL())
	}
	if s.Heard(FeedSubject(named("l"), named("c"), "passed")) {
		t.Error("nobody listens, someone is heard")
	}
}

func TestUnusualTypesAreOneToken(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"dice_rolled": "dice_rolled", "v2": "v2", "": "other", "a.b": "other", "*": "other", ">": "other",
		"a b": "other", "a\r\nPUB x 0": "other", "Upper": "other", "é": "other",
	} {
		if got := token(from); got != want {
			t.Errorf("%q became %q", from, got)
		}
	}
}

func TestIdentifyAgreesWithDecode(t *testing.T) {
	t.Parallel()
	l := newLog("ledger").write(300, "atlantic", "pacific")
	for _, r := range l.records {
		e, err := events.Decode(r.Bytes)
		check(t, err)
		id, err := identify(r.Bytes)
		if err != nil || id != (identity{e.Campaign, e.Index, e.Type}) {
			t.Fatalf("%+v, %v", id, err)
		}
		for cut := range 30 {
			_, _ = identify(r.Bytes[:cut]) // no panic
		}
	}
	for _, bad := range []string{"", "x", "\x0a", "\x0a\x10short", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if id, err := identify([]byte(bad)); err == nil {
			t.Errorf("%q: %+v", bad, id)
		}
	}
}
