package bundle_test

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
	"github.com/watu-ledger/watu/rules/eots"
	"github.com/watu-ledger/watu/rules/g40"
)

// TestMain collects garbage less often than usual: the tests allocate much, hold little, and take a quarter less time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

var systems = map[string]rules.System{"awaw": awaw.System(), "aar": aar.System(), "eots": eots.System(),
	"g40": g40.System()}

// played is a fixture as it was played, with everything in it that the umpire may see.
type played struct {
	name  string
	sides []string
	whole bundle.File
}

var (
	playing sync.Mutex
	all     []*played
)

// campaigns plays every fixture, once for all tests.
func campaigns(t testing.TB) []*played {
	t.Helper()
	playing.Lock()
	defer playing.Unlock()
	if all == nil {
		for _, f := range fixtures.Campaigns() {
			all = append(all, play(t, f))
		}
	}
	return all
}

// play plays a fixture to its end, over a real ledger.
func play(t testing.TB, f fixtures.Campaign, then ...func(u *replay.Umpire, l *ledger.Ledger,
	c ledger.Campaign)) *played {
	t.Helper()
	dir, err := os.MkdirTemp("", "watu-bundle-")
	must(t, err)
	defer os.RemoveAll(dir)
	l, err := ledger.Open(dir, ledger.Options{})
	must(t, err)
	defer l.Close()
	u := replay.NewUmpire(l, keys.NewKeys(filepath.Join(dir, "secrets")),
		replay.NewBoards(filepath.Join(dir, "boards")), systems[f.System])
	u.KeepRefusals(replay.NewRefusals(filepath.Join(dir, "refusals")))
	o := replay.NewCampaign{Name: f.Name, System: f.System, Options: f.Options, Note: f.Note, Seed: f.Seed}
	for _, file := range f.Board {
		o.Board = append(o.Board, rules.BoardFile(file))
	}
	for _, s := range f.Seats {
		o.Seats = append(o.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	c, violations, err := u.Open(o)
	if err != nil || len(violations) > 0 {
		t.Fatal(err, violations)
	}
	for _, file := range f.Files {
		hear(t, u, l, c, f, file)
	}
	for _, more := range then {
		more(u, l, c)
	}
	return collect(t, u, l, c.Name)
}

func hear(t testing.TB, u *replay.Umpire, l *ledger.Ledger, c ledger.Campaign, f fixtures.Campaign,
	file fixtures.File) {
	t.Helper()
	if file.Kind == fixtures.Correction {
		k, err := turnfile.ParseCorrection(file.Name, file.Data)
		must(t, err)
		last := uint64(0)
		for r, err := range l.Read(c.ID, 0, campaign.Everything) {
			must(t, err)
			if e, _ := events.Decode(r.Bytes); e.Command == file.Entry && e.Corrects == 0 {
				last = e.Index
			}
		}
		_, err = u.Correct(c.ID, review.Correction{Event: last, Code: k.Code, Reason: k.Reason, Replace: k.Apply})
		must(t, err)
		return
	}
	if file.Kind == fixtures.Move {
		_, err := u.MoveEdition(c.ID, replay.NewEdition{To: file.To, Reason: file.Reason, Seat: campaign.UmpireSeat})
		must(t, err)
		return
	}
	turn, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(systems[f.System]))
	must(t, err)
	for _, e := range turn.Entries {
		e.Seat = campaign.UmpireSeat
		_, err := u.Hear(c.ID, e.Command)
		must(t, err)
	}
}

// collect makes the umpire's file of a campaign.
func collect(t testing.TB, u *replay.Umpire, l *ledger.Ledger, name string) *played {
	t.Helper()
	c, _ := l.Find(name)
	p := &played{name: name}
	f := &p.whole
	var opened events.CampaignOpened
	for r, err := range l.Read(c.ID, 0, campaign.Everything) {
		must(t, err)
		e, err := events.Decode(r.Bytes)
		must(t, err)
		e.Read(&opened)
		if !slices.Contains(f.Header.Editions, e.Edition) {
			f.Header.Editions = append(f.Header.Editions, e.Edition)
		}
		f.Events = append(f.Events, r.Bytes)
	}
	f.Header.Campaign, f.Header.Name, f.Header.System, f.Header.Edition = c.ID, c.Name, opened.System, opened.Edition
	f.Header.Events, f.Header.Head, f.Header.For = c.Events, c.Head, bundle.Umpire
	for _, e := range systems[opened.System].Editions {
		if slices.Contains(f.Header.Editions, e.Hash) {
			f.Editions = append(f.Editions, e.Text)
		}
	}
	var err error
	f.Openings, err = l.Openings(c.ID, 0, campaign.Everything)
	must(t, err)
	f.Links, err = u.DrawLinks(c.ID, campaign.Everything, opened.Sides)
	must(t, err)
	for _, file := range fixtures.Campaigns() {
		if file.Name == name {
			for _, b := range file.Board {
				f.Boards = append(f.Boards, b.Data)
			}
		}
	}
	p.sides = opened.Sides
	return p
}

// seenBy is the file for a reader.
func (p *played) seenBy(reader string) *bundle.File {
	f := p.whole
	f.Header.For = reader
	if reader == bundle.Umpire {
		return &f
	}
	f.Openings, f.Links = nil, nil
	for _, o := range p.whole.Openings {
		e, err := events.Decode(f.Events[o.Index])
		if err == nil && e.Side == reader {
			f.Openings = append(f.Openings, o)
		}
	}
	for _, l := range p.whole.Links {
		if strings.HasSuffix(l.Chain, "/"+reader) {
			f.Links = append(f.Links, l)
		}
	}
	return &f
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
