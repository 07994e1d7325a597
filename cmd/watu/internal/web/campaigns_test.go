package web_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// ground is a ledger with the bundled campaigns played in it, and its pages. The tests share it: they
// read what is there, and open campaigns of their own.
type ground struct {
	service *service.Service
	server  *web.Server
	client  *api.Client
	url     string // without the slash at its end
	dir     string
}

// shared is played once, when the first test wants it.
var shared = sync.OnceValues(func() (*ground, error) {
	dir, err := os.MkdirTemp("", "watu-web-")
	if err != nil {
		return nil, err
	}
	atEnd(func() { _ = os.RemoveAll(dir) })
	g := &ground{dir: dir}
	if err := g.start("127.0.0.1:0"); err != nil {
		return nil, err
	}
	atEnd(func() { _ = g.stop() })
	for _, k := range fixtures.Campaigns() {
		if err := g.play(context.Background(), k); err != nil {
			return nil, fmt.Errorf("%s: %w", k.Name, err)
		}
	}
	return g, nil
})

// start opens the ledger, and serves its pages at an address.
func (g *ground) start(address string) error {
	f, err := service.New(maintenance.Open(context.Background(), filepath.Join(g.dir, "ledger"),
		maintenance.Options{Begin: true, Say: func(string) {}}))
	if err != nil {
		return err
	}
	g.service, g.client = f, api.InProcess(f)
	if g.server, err = web.Listen(web.Options{Address: address}); err != nil {
		return errors.Join(err, g.client.Close())
	}
	g.server.Serve(f)
	g.url = strings.TrimSuffix(g.server.URL(), "/")
	return nil
}

// stop ends the server, and gives the ledger free.
func (g *ground) stop() error { return errors.Join(g.server.Close(), g.client.Close()) }

func played(t *testing.T) *ground {
	t.Helper()
	g, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play plays a bundled campaign.
func (g *ground) play(ctx context.Context, k fixtures.Campaign) error {
	if err := g.open(ctx, k); err != nil {
		return err
	}
	for _, file := range k.Files {
		if err := g.hear(ctx, k.Name, file); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
	}
	return nil
}

func (g *ground) open(ctx context.Context, k fixtures.Campaign) error {
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, f := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(f))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	return g.client.Post(ctx, n, &service.Opened{}, "campaigns")
}

func (g *ground) hear(ctx context.Context, campaign string, file fixtures.File) error {
	switch file.Kind {
	case fixtures.Correction:
		own := func(l timeline.LogEvent) bool { return l.CommandID == file.Entry && l.Corrects == 0 }
		event, err := g.find(campaign, func(e timeline.LogEvent) bool {
			return own(e) && e.Type == "result_adjudicated"
		})
		if err != nil { // it came to no result
			event, err = g.find(campaign, own)
		}
		if err != nil {
			return err
		}
		a := service.CorrectionRequest{Event: event, Name: file.Name, Text: string(file.Data)}
		return g.client.Post(ctx, a, &service.Corrected{}, "campaigns", campaign, "corrections")
	case fixtures.Move:
		return g.client.Post(ctx, replay.NewEdition{To: file.To, Reason: file.Reason}, &service.Moved{}, "campaigns",
			campaign, "edition")
	}
	var done service.Submitted
	if err := g.client.Post(ctx, service.Submission{Name: file.Name, Text: string(file.Data)}, &done, "campaigns",
		campaign, "submissions"); err != nil {
		return err
	}
	if (done.Problem != nil) != (file.Expect == fixtures.Refused) {
		return done.Problem
	}
	return nil
}

// find gives the first event of a campaign that is so.
func (g *ground) find(campaign string, so func(timeline.LogEvent) bool) (uint64, error) {
	c, err := g.service.Campaign(campaign)
	if err != nil {
		return 0, err
	}
	list, err := g.service.Log(context.Background(), campaign, 0, c.Events)
	if err != nil {
		return 0, err
	}
	i := slices.IndexFunc(list, so)
	if i < 0 {
		return 0, fmt.Errorf("no such event in %s", campaign)
	}
	return list[i].Index, nil
}

// event is find by type: the first of those types that corrects none.
func (g *ground) event(t *testing.T, campaign string, kinds ...events.Type) uint64 {
	t.Helper()
	index, err := g.find(campaign, func(l timeline.LogEvent) bool {
		return slices.Contains(kinds, l.Type) && l.Corrects == 0
	})
	if err != nil {
		t.Fatalf("%v: %v", kinds, err)
	}
	return index
}

// begin opens a campaign of the test's own; its board is that of a bundled campaign, or the files
// given.
func (g *ground) begin(t *testing.T, name, system string, board []rules.BoardFile) {
	t.Helper()
	n := replay.NewCampaign{Name: name, System: system, Seed: "watu " + name, Board: board}
	if err := g.client.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
}

// submit hears a turn file.
func (g *ground) submit(t *testing.T, campaign, text string) service.Submitted {
	t.Helper()
	var done service.Submitted
	sent := service.Submission{Name: "turn.yaml", Text: text}
	if err := g.client.Post(t.Context(), sent, &done, "campaigns", campaign, "submissions"); err != nil {
		t.Fatal(err)
	}
	if done.Problem != nil {
		t.Fatal(done.Problem)
	}
	return done
}

// straits is the board of a bundled campaign.
func (g *ground) straits(t *testing.T) []rules.BoardFile {
	t.Helper()
	files, ok := fixtures.Board("straits")
	if !ok {
		t.Fatal("no board straits")
	}
	return rules.Each(files, func(f fixtures.BoardFile) rules.BoardFile { return rules.BoardFile(f) })
}

// revised is the files of a real board, if they are here; the test is skipped if not.
func revised(t *testing.T) []rules.BoardFile {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ to see a real map")
	}
	var list []rules.BoardFile
	for _, name := range []string{"ww2v2.xml", "polygons.txt", "centers.txt"} {
		data, err := os.ReadFile(filepath.Join(dir, "revised", name))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, rules.BoardFile{Name: name, Data: data})
	}
	return list
}
