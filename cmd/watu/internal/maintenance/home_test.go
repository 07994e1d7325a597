package maintenance_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/replay"
)

// club is a nats server that is not ours. It can be stopped and comes again where it was.
type club struct {
	options *server.Options
	server  *server.Server
}

func newClub(t *testing.T) *club {
	t.Helper()
	c := &club{options: &server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
	}}
	c.start(t)
	t.Cleanup(c.stop)
	return c
}

func (c *club) start(t *testing.T) {
	t.Helper()
	s, err := server.NewServer(c.options.Clone())
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		t.Fatal("the nats server does not get ready")
	}
	c.server, c.options.Port = s, s.Addr().(*net.TCPAddr).Port
}

func (c *club) stop() {
	c.server.Shutdown()
	c.server.WaitForShutdown()
}

// at opens a service whose stream is at the club, with a term that a test can wait for.
func (c *club) at(t *testing.T, dir string) (*service.Service, error) {
	t.Helper()
	return service.New(maintenance.Open(t.Context(), dir, maintenance.Options{
		Begin: true, Steps: true, Holder: "watu serve", NATS: c.server.ClientURL(), Term: 2 * time.Second,
		Say: func(line string) { t.Log(line) },
	}))
}

// reports gives the kind of a problem, and fails unless it says some words.
func reports(t *testing.T, err error, kind problem.Kind, words ...string) {
	t.Helper()
	p := problem.Of(err)
	if p == nil || p.Kind != kind {
		t.Errorf("problem %+v, want one that is %s", p, kind)
		return
	}
	for _, w := range words {
		if !strings.Contains(p.Message, w) {
			t.Errorf("%q does not say %q", p.Message, w)
		}
	}
}

// TestTwoCopies opens two copies of one directory on one stream: the second is refused; once the first is
// cut off it goes on after the term, and the first, which is still there, takes no step and can be closed.
func TestTwoCopies(t *testing.T) {
	t.Parallel()
	n, dir := newClub(t), filepath.Join(t.TempDir(), "first")
	first, err := n.at(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	step(t, first, "opened")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	twin := filepath.Join(t.TempDir(), "twin")
	if err := os.CopyFS(twin, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if first, err = n.at(t, dir); err != nil {
		t.Fatal(err)
	}
	_, err = n.at(t, twin)
	reports(t, err, problem.Unreachable, "held by watu serve (process ")

	first.LoseLease(errors.New("a test ends it")) // as one that sleeps: it renews no more
	second, err := n.at(t, twin)
	if err != nil {
		t.Fatal(err)
	}
	step(t, second, "second")
	_, err = first.OpenCampaign(replay.NewCampaign{Name: "third", System: "eots"})
	reports(t, err, problem.Diverged, "the lease of this ledger is lost")
	if s := first.Standing(); s.Durable != second.Standing().Durable/2 || s.Stopped == "" || s.Lease.Generation != 2 {
		t.Errorf("standing %+v", s)
	}
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
	_, err = n.at(t, dir) // its record lacks what the other took
	reports(t, err, problem.Diverged, stream.ErrDiverged.Error())
}

// TestCloseWithoutServer closes a service while a step waits for a server that is away.
func TestCloseWithoutServer(t *testing.T) {
	t.Parallel()
	n, dir := newClub(t), filepath.Join(t.TempDir(), "ledger")
	f, err := n.at(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	step(t, f, "opened")
	n.stop()
	answered := make(chan error, 1)
	go func() {
		_, err := f.OpenCampaign(replay.NewCampaign{Name: "unconfirmed", System: "eots"})
		answered <- err
	}()
	for before := f.Ledger().Durable(); f.Ledger().Durable() == before; time.Sleep(time.Millisecond) {
		if t.Context().Err() != nil {
			t.Fatal("it is not recorded")
		}
	}
	reports(t, f.Close(), problem.Unreachable, "recorded, but only")
	reports(t, <-answered, problem.Diverged, "is recorded here at sequence", "not confirmed")
	n.start(t)
	if f, err = n.at(t, dir); err != nil { // after the term
		t.Fatal(err)
	}
	if c, err := f.Umpire().Find("unconfirmed"); err != nil || c.Events == 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func step(t *testing.T, f *service.Service, campaign string) {
	t.Helper()
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: campaign, System: "eots"}); err != nil {
		t.Fatal(err)
	}
}

// TestFollowTooEarly follows a host that is still publishing its record.
func TestFollowTooEarly(t *testing.T) {
	t.Parallel()
	host, err := stream.StartServer(stream.ServerOptions{StoreDir: t.TempDir(), Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	defer host.Shutdown() // nobody is admitted
	dir := filepath.Join(t.TempDir(), "copy")
	_, err = service.New(maintenance.Follow(t.Context(), dir, "01ARZ3NDEKTSV4RRFFQ69G5FAV",
		maintenance.Options{NATS: host.URL()}))
	reports(t, err, problem.Unreachable, "the host lets nobody read at the moment", "try again")
	if maintenance.NotEmpty(dir) {
		t.Error("a directory was made")
	}
}
