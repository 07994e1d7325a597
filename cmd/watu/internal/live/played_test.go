package live

import (
	"fmt"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// table is a service at which campaigns are played.
type table struct {
	testing.TB
	service *service.Service
	client  *api.Client
}

// sit opens a service in a fresh directory.
func sit(t testing.TB) *table {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"),
		maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	c := api.InProcess(f)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return &table{TB: t, service: f, client: c}
}

// bundled gives a campaign that comes with watu.
func bundled(t testing.TB, name string) fixtures.Campaign {
	t.Helper()
	for _, k := range fixtures.Campaigns() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no campaign %s comes with watu", name)
	return fixtures.Campaign{}
}

func (t *table) open(k fixtures.Campaign) {
	t.Helper()
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	if err := t.client.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
}

// play submits turn files to the umpire. It may run beside others, for it only gives an error.
func (t *table) play(k fixtures.Campaign, files []fixtures.File) error {
	for _, file := range files {
		if file.Kind != fixtures.Turn {
			continue
		}
		var done service.Submitted
		sent := service.Submission{Name: file.Name, Text: string(file.Data)}
		if err := t.client.Post(t.Context(), sent, &done, "campaigns", k.Name, "submissions"); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

// submit hands in one entry, which is recorded.
func (t *table) submit(campaign, entry string) {
	t.Helper()
	var done service.Submitted
	sent := service.Submission{Name: "entry", Text: entry, Entry: true}
	if err := t.client.Post(t.Context(), sent, &done, "campaigns", campaign, "submissions"); err != nil {
		t.Fatal(err)
	}
	if done.Recorded == 0 {
		t.Fatalf("%s: nothing was recorded: %v", entry, done.Problem)
	}
}

// events says how many events a campaign has.
func (t *table) events(campaign string) uint64 {
	t.Helper()
	there, err := t.service.Extent(campaign)
	if err != nil {
		t.Fatal(err)
	}
	return there.Events
}
