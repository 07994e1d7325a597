package service

import (
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	afteraction "github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections/document"
)

var updateReports = flag.Bool("update-reports", false, "write the golden reports anew")

func reportOf(t *testing.T, c *Service, campaign string, q url.Values) afteraction.Report {
	t.Helper()
	r, err := reported(t, c, campaign, q)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func reported(t *testing.T, c *Service, campaign string, q url.Values) (afteraction.Report, error) {
	t.Helper()
	viewer, err := c.Viewer(campaign, q.Get("for"))
	if err != nil {
		return afteraction.Report{}, err
	}
	return c.Report(t.Context(), campaign, viewer, Period{Turn: q.Get("turn"), From: q.Get("from"), To: q.Get("to")})
}

// The hash of the last event differs from run to run, for the events have times.
var headHash = regexp.MustCompile(`hash [0-9a-f]{64}`)

// Reports of the bundled campaigns, for their readers, are those that were read and found good.
func TestGoldenReports(t *testing.T) {
	t.Parallel()
	c := played(t)
	for name, k := range map[string]struct {
		campaign string
		q        url.Values
	}{
		"straits.md":        {"straits-1942", nil},
		"pacific-patrol.md": {"pacific-patrol-1942", nil},
		"pearl-harbor.md":   {"atlantic-and-pacific", url.Values{"turn": {"Winter 1941"}, "for": {"Japan"}}},
	} {
		r := reportOf(t, c, k.campaign, k.q)
		got := headHash.ReplaceAllString(r.Markdown(strings.TrimSuffix(name, ".md")), "hash HEAD")
		file := filepath.Join("testdata", "reports", name)
		if *updateReports {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil || got != string(want) {
			t.Errorf("%s is another report now (go test ./cmd/watu/internal/service -run TestGoldenReports "+
				"-update-reports, and read it): %v\n%s", file, err, got)
		}
	}
}

// Every bundled campaign can be reported on, for every reader, in both formats; what is told is whole,
// and every event that is more than a heading is named.
func TestEveryCampaignIsReported(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		readers := []string{"public", "umpire"}
		var of timeline.Campaign
		if err := into(&of)(c.Campaign(k.Name)); err != nil {
			t.Fatal(err)
		}
		for _, reader := range append(readers, of.Sides...) {
			r := reportOf(t, c, k.Name, url.Values{"for": {reader}})
			if r.As != reader || !r.Whole || len(r.Charts) == 0 || len(r.Standing) == 0 {
				t.Errorf("%s for %s: as %q, whole %v, %d charts, %d tables at the end", k.Name, reader, r.As, r.Whole,
					len(r.Charts), len(r.Standing))
			}
			page, err := r.HTML()
			if err != nil || r.Markdown("x") == "" {
				t.Fatal(err)
			}
			wellFormed(t, k.Name, page)
			for _, chart := range r.Charts {
				if chart.SVG != "" {
					wellFormed(t, k.Name+" "+chart.Name, chart.SVG)
				}
			}
		}
		everyEventIsNamed(t, c, k.Name)
	}
}

func everyEventIsNamed(t *testing.T, c *Service, campaign string) {
	t.Helper()
	r := reportOf(t, c, campaign, nil)
	named := map[uint64]bool{}
	var walk func(list []afteraction.Line)
	walk = func(list []afteraction.Line) {
		for _, l := range list {
			for _, index := range l.Events {
				named[index] = true
			}
			walk(l.Under)
		}
	}
	for _, turn := range r.Turns {
		for _, part := range turn.Parts {
			walk(part.Lines)
		}
	}
	walk(r.Corrections)
	for _, d := range r.Disputes {
		for _, answer := range d.Statements {
			named[answer.Event] = true
		}
	}
	for _, l := range logOf(t, c, campaign) {
		switch l.Type {
		case "campaign_opened", "turn_advanced", "phase_advanced":
			continue
		}
		if !named[l.Index] {
			t.Errorf("%s: #%d (%s) is not told: %s", campaign, l.Index, l.Type, l.Narration)
		}
	}
}

// wellFormed reads a page or a drawing as XML.
func wellFormed(t *testing.T, what, page string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(page, "<!DOCTYPE html>\n")))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s is not well-formed: %v", what, err)
		}
	}
}

// What a side keeps sealed is in its own report and in the umpire's, and in no other: not in the value,
// not in Markdown, not in a page.
func TestReportCanary(t *testing.T) {
	t.Parallel()
	c := played(t)
	secrets := map[string]string{"Britain": "7313", "European Axis": "7417", "Japan": "7519", "United States": "7621"}
	for side, secret := range secrets {
		entry := fmt.Sprintf("{id: canary-%s, facts: {general intelligence: {%s: %s}}}", strings.ReplaceAll(side, " ",
			"-"), side, secret)
		var done Submitted
		if err := into(&done)(c.Submit(t.Context(), "atlantic-and-pacific", umpire, Submission{Name: "-e", Text: entry,
			Entry: true})); err != nil || done.Problem != nil {
			t.Fatal(err, done.Problem)
		}
	}
	for _, reader := range []string{"public", "umpire", "Britain", "European Axis", "Japan", "United States"} {
		r := reportOf(t, c, "atlantic-and-pacific", url.Values{"for": {reader}})
		page, err := r.HTML()
		if err != nil {
			t.Fatal(err)
		}
		for side, secret := range secrets {
			for format, text := range map[string]string{"value": fmt.Sprintf("%+v", r), "markdown": r.Markdown("x"),
				"html": headHash.ReplaceAllString(page, "")} {
				may := reader == "umpire" || reader == side
				if has := regexp.MustCompile(`\b` + secret + `\b`).MatchString(text); has != may {
					t.Errorf("the %s for %s tells the secret of %s: %v", format, reader, side, has)
				}
			}
		}
		sealed := sealedIn(r.Turns)
		if (sealed == 0) != (reader == "public") {
			t.Errorf("for %s %d stretches are sealed", reader, sealed)
		}
	}
}

// sealedIn counts the stretches that only the reader may know.
func sealedIn(turns []afteraction.Turn) int {
	n := 0
	var walk func(list []afteraction.Line)
	walk = func(list []afteraction.Line) {
		for _, l := range list {
			for _, s := range l.Text {
				if s.Mark == document.Sealed {
					n++
				}
			}
			walk(l.Under)
		}
	}
	for _, turn := range turns {
		for _, part := range turn.Parts {
			walk(part.Lines)
		}
	}
	return n
}

// A report of some turns tells those, with what became of them later.
func TestReportOfSomeTurns(t *testing.T) {
	t.Parallel()
	c := played(t)
	r := reportOf(t, c, "straits-1942", url.Values{"from": {"round 2"}, "to": {"Round 3"}})
	if len(r.Turns) != 2 || r.Turns[0].Label != "Round 2" || r.Whole || len(r.Standing) != 0 {
		t.Errorf("%d turns, whole %v, %d tables at the end", len(r.Turns), r.Whole, len(r.Standing))
	}
	for _, q := range []url.Values{{"turn": {"Round 9"}}, {"from": {"Round 3"}, "to": {"Round 2"}},
		{"turn": {"Round 1"}, "to": {"Round 2"}}, {"for": {"Atlantis"}}} {
		if _, err := reported(t, c, "straits-1942", q); problem.Of(err) == nil ||
			problem.Of(err).Kind != problem.Input {
			t.Errorf("%v: %v", q, err)
		}
	}
}
