package web

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
)

// A server that lost the lease of its ledger is not ready, says so on every page, takes no step and can
// be read.
func TestLostLeaseIsShown(t *testing.T) {
	longrun.Only(t)
	t.Parallel()
	n, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
	})
	must(t, err)
	n.Start()
	t.Cleanup(func() { // after the service is closed
		n.Shutdown()
		n.WaitForShutdown()
	})
	if !n.ReadyForConnections(10 * time.Second) {
		t.Fatal("the nats server does not get ready")
	}
	s, c, f := servedFrom(t, Options{}, maintenance.Options{NATS: n.ClientURL()})
	if _, page := asked(t, s, "/campaigns/patrol"); strings.Contains(page, `class="stopped"`) {
		t.Error("it is said too early")
	}

	nc, err := nats.Connect(n.ClientURL())
	must(t, err)
	defer nc.Close()
	js, err := jetstream.New(nc)
	must(t, err)
	must(t, js.DeleteKeyValue(t.Context(), "WATU_LEASE_"+f.Standing().Ledger))
	for deadline := time.Now().Add(time.Minute); f.Stopped() == ""; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the lease is not lost")
		}
	}
	why := "no steps are taken: the lease of this ledger is lost: the bucket that kept it is gone"
	answer, text := asked(t, s, "/readyz")
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, why) {
		t.Errorf("%s %q", answer.Status, text)
	}
	for _, path := range []string{"/", "/campaigns/patrol", "/campaigns/patrol/events/0"} {
		answer, page := asked(t, s, path)
		stated := strings.Contains(page, `<p class="stopped" role="alert">This server takes no more steps: `)
		if answer.StatusCode != http.StatusOK || !stated {
			t.Errorf("%s: %s, without a word", path, answer.Status)
		}
	}
	err = c.Post(t.Context(), replay.NewCampaign{Name: "second", System: "eots"}, &service.Opened{}, "campaigns")
	p := problem.Of(err)
	if p == nil || p.Kind != problem.Diverged || !strings.Contains(p.Message, "start it again with --new-home") {
		t.Errorf("a step: %v", err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
