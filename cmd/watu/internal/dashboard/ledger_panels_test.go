package dashboard

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// deskOf opens a service in a fresh directory.
func deskOf(t testing.TB) (*service.Service, *api.Client) {
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
	return f, c
}

// playBundled plays the bundled campaigns in a service, corrections and moves among them.
func playBundled(t testing.TB) (*service.Service, *api.Client) {
	t.Helper()
	f, c := deskOf(t)
	for _, k := range fixtures.Campaigns() {
		openBundled(t, c, k, k.Name)
		for _, file := range k.Files {
			playFile(t, f, c, k.Name, file)
		}
	}
	return f, c
}

func openBundled(t testing.TB, c *api.Client, k fixtures.Campaign, name string) {
	t.Helper()
	n := replay.NewCampaign{Name: name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	if err := c.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
}

func playFile(t testing.TB, f *service.Service, c *api.Client, campaign string, file fixtures.File) {
	t.Helper()
	switch file.Kind {
	case fixtures.Correction:
		a := service.CorrectionRequest{Event: resultBy(t, f, campaign, file.Entry), Name: file.Name,
			Text: string(file.Data)}
		if err := c.Post(t.Context(), a, &service.Corrected{}, "campaigns", campaign, "corrections"); err != nil {
			t.Fatal(err)
		}
	case fixtures.Move:
		if err := c.Post(t.Context(), replay.NewEdition{To: file.To, Reason: file.Reason}, &service.Moved{},
			"campaigns", campaign, "edition"); err != nil {
			t.Fatal(err)
		}
	default:
		handIn(t, c, campaign, file.Data, file.Expect == fixtures.Refused)
	}
}

func handIn(t testing.TB, c *api.Client, campaign string, file []byte, refused bool) {
	t.Helper()
	var done service.Submitted
	if err := c.Post(t.Context(), service.Submission{Name: "turn", Text: string(file)}, &done, "campaigns", campaign,
		"submissions"); err != nil {
		t.Fatal(err)
	}
	if (done.Problem != nil) != refused {
		t.Fatalf("%s: %v\n%s", campaign, done.Problem, file)
	}
}

// resultBy gives the event that an entry came to: its result, or what it reported.
func resultBy(t testing.TB, f *service.Service, campaign, entry string) (index uint64) {
	t.Helper()
	list, err := f.Log(t.Context(), campaign, 0, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.CommandID == entry && l.Corrects == 0 && (l.Type == "result_adjudicated" || index == 0) {
			index = l.Index
		}
	}
	return index
}

// playRounds plays convoy raids round after round, until the campaign has so many events.
func playRounds(t testing.TB, c *api.Client, name string, rounds int) {
	t.Helper()
	for _, k := range fixtures.Campaigns() {
		if k.Name == "straits-1942" {
			openBundled(t, c, k, name)
		}
	}
	for n := 1; n <= rounds; n++ {
		var b strings.Builder
		fmt.Fprintf(&b, "campaign: %s\nturn: Round %d\nfacts:\n  submarines:\n", name, n)
		fmt.Fprintf(&b, "    Germany: {SZ 6: %d, SZ 7: 3, SZ 8: 3, SZ 9: %d}\n    Japan: {SZ 60: 3}\n    US: {SZ 55: "+
			"3}\nentries:\n", 1+n%4, n%3)
		for _, power := range []string{"Russia", "Germany", "UK", "Japan", "US"} {
			fmt.Fprintf(&b, "  - {id: %s, collect income: %s}\n", strings.ToLower(power), power)
		}
		handIn(t, c, name, []byte(b.String()), false)
	}
}

// playWar plays submarine warfare in all boxes, turn after turn to the end of the calendar, so many
// rounds of it in each turn.
func playWar(t testing.TB, c *api.Client, name string, turns, rounds int) {
	t.Helper()
	for _, k := range fixtures.Campaigns() {
		if k.Name == "atlantic-and-pacific" {
			openBundled(t, c, k, name)
		}
	}
	seasons := [...]string{"Spring", "Summer", "Fall", "Winter"}
	for n := range turns {
		var b strings.Builder
		fmt.Fprintf(&b, "campaign: %s\nturn: %s %d\nfacts:\n  cves: {Atlantic: %d}\nentries:\n  - {id: axis, "+
			"draw: Ultra}\n", name, seasons[n%4], 1940+n/4, n)
		for i := range rounds {
			for k, box := range []string{"Atlantic", "Indian Ocean"} {
				fmt.Fprintf(&b, "  - {id: %s-%d, submarine warfare: {box: %s, side: European Axis, submarines: %d, "+
					"asw: %d, again: true}, cards: []}\n", strings.Fields(box)[0], i, box, 9-k, 40)
			}
		}
		handIn(t, c, name, []byte(b.String()), false)
	}
}
