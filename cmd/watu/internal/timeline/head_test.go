package timeline_test

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// The head is the head, also for a reader who found the campaign before another went further.
func TestHeadWhileTheCampaignGoesOn(t *testing.T) {
	f, err := service.New(maintenance.Open(t.Context(), t.TempDir(), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	k := fixtures.Campaigns()[0]
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	if _, err := f.OpenCampaign(n); err != nil {
		t.Fatal(err)
	}
	submit := func(file fixtures.File) {
		t.Helper()
		umpire := timeline.Viewer{As: timeline.Umpire}
		done, err := f.Submit(t.Context(), k.Name, umpire, service.Submission{Name: file.Name, Text: string(file.Data)})
		if err != nil || done.Problem != nil {
			t.Fatal(err, done.Problem)
		}
	}
	submit(k.Files[0])
	before, err := f.Find(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	submit(k.Files[1])
	now, err := f.Find(k.Name)
	if err != nil || now.Events == before.Events {
		t.Fatal(err, now.Events)
	}
	if _, err := f.Index(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	public, head := timeline.Viewer{As: timeline.Public}, timeline.MomentQuery{Back: true, Brief: true}
	m, err := f.MomentOf(t.Context(), before, public, head)
	if err != nil || m.Events != now.Events || m.Of != now.Events || !m.Last {
		t.Errorf("the head is after %d events of %d, and there are %d: %v", m.Events, m.Of, now.Events, err)
	}
}
