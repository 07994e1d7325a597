package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

func (t *tool) demoCommand() *cobra.Command {
	show, door := show{}, doorFlags{}
	c := &cobra.Command{
		Use: "demo", Short: "Play the bundled campaigns, and serve them until Ctrl-C", Args: cobra.NoArgs,
		Long: "Play the bundled campaigns through the real pipeline, in a temporary directory\n" +
			"unless --dir names one: say what each turn came to, build the views again from\n" +
			"zero and compare their digests. Then serve until Ctrl-C. The pages are open\n" +
			"from the start; with --pace the campaigns unfold there, one entry at a\n" +
			"time, beginning with one that has a map.",
		RunE: func(c *cobra.Command, _ []string) error { return t.demo(c.Context(), show, door) },
	}
	door.add(c)
	c.Flags().BoolVar(&show.once, "once", false, "exit when the campaigns are played")
	c.Flags().DurationVar(&show.pace, "pace", 0, "wait so long for each event recorded, such as 500ms")
	c.Flags().StringVar(&show.only, "campaign", "", "play the bundled campaign of this `name` alone")
	return c
}

// show is how the demo is asked to play.
type show struct {
	once bool
	pace time.Duration // for each event; 0 for as fast as it goes
	only string        // one campaign
}

// opener is played first where there is time to watch: its board has a map.
const opener = "straits-1942"

// programme is what is played, in order.
func (s show) programme() ([]fixtures.Campaign, error) {
	if s.pace < 0 {
		return nil, input("--pace is a time to wait, such as 500ms, not %s", s.pace)
	}
	list, names := fixtures.Campaigns(), []string{}
	for _, k := range list {
		if k.Name == s.only {
			return []fixtures.Campaign{k}, nil
		}
		names = append(names, k.Name)
	}
	if s.only != "" {
		return nil, input("there is no bundled campaign %q; %s", s.only, words.There(names))
	}
	if s.pace > 0 {
		i := slices.IndexFunc(list, func(k fixtures.Campaign) bool { return k.Name == opener })
		list = slices.Concat(list[i:i+1], list[:i], list[i+1:])
	}
	return list, nil
}

// demo plays in --dir, or in a directory that it removes again.
func (t *tool) demo(ctx context.Context, show show, door doorFlags) (err error) {
	programme, err := show.programme()
	if err != nil {
		return err
	}
	if t.dir == "" {
		if t.dir, err = os.MkdirTemp("", "watu-demo-"); err != nil {
			return err
		}
		defer func() { err = t.closed(err, func() error { return os.RemoveAll(t.dir) }) }()
	}
	dir, o, err := t.opening("demo")
	if err != nil {
		return err
	}
	o.Begin, o.Steps, o.NATS = true, true, t.nats // the demo goes to a real server only if the user asks for it
	if show.once && door.address == "" {
		door.address = noPages // nobody would have the time to look
	}
	pages, err := t.pages(door, true) // before a ledger is begun
	if err != nil {
		return err
	}
	f, err := service.New(maintenance.OpenWhenFree(ctx, dir, o))
	if err != nil {
		return t.closed(err, pages.Close)
	}
	s := &stage{tool: t, client: api.InProcess(f), pace: show.pace}
	defer func() { err = t.closed(err, s.client.Close) }()
	s.pages = pages
	defer func() { err = t.closed(err, s.pages.Close) }()
	if err := s.alone(ctx, dir, fixtures.Campaigns()); err != nil {
		return err
	}
	pages.Serve(f)
	s.welcome()
	if err := s.play(ctx, programme); err != nil || show.once {
		return s.interrupted(ctx, show, err)
	}
	s.invite(dir)
	published := func(s service.Status) string {
		return fmt.Sprintf("%d of %d events published", s.Published, s.Durable)
	}
	return t.serve(ctx, f, s.pages, published, "")
}

// interrupted makes an end of a play that Ctrl-C ended: whoever watches may go when he likes. With
// --once somebody waits for all of it.
func (s *stage) interrupted(ctx context.Context, show show, err error) error {
	if err == nil || ctx.Err() == nil || show.once {
		return err
	}
	s.page.Line("")
	s.page.Text("Stopped in the middle of %s.", s.title)
	return nil
}

// welcome says where to look.
func (s *stage) welcome() {
	if s.pages == nil {
		return
	}
	s.printPages(s.pages)
	what := "the campaigns, as they stand when they are played"
	if s.pace > 0 {
		what = "open it now: the campaigns unfold there, event by event"
	}
	s.page.labelled("", what)
}

// stage is where campaigns are played before an audience.
type stage struct {
	*tool
	client *api.Client
	pages  *web.Server // nil for none
	pace   time.Duration

	title    string // of the campaign that is played
	campaign string // the one played last
	view     string // its first view
	turn     string // its last turn
	result   uint64 // its last result
	recorded int    // events of the file that is played
	last     string // the last result of that file, or else its last event
	isResult bool   // last is one
}

// alone refuses a ledger that holds campaigns of others: the demo should not play among them.
func (s *stage) alone(ctx context.Context, dir string, campaigns []fixtures.Campaign) error {
	var list timeline.Campaigns
	if err := s.client.Get(ctx, &list, "campaigns"); err != nil {
		return err
	}
	var others []string
	for _, c := range list.All() {
		own := slices.ContainsFunc(campaigns, func(k fixtures.Campaign) bool { return k.Name == c.Name })
		if !own || !c.Demo {
			others = append(others, c.Name)
		}
	}
	if len(others) > 0 {
		return input("the ledger in %s holds campaigns that are not the demo's: %s; name an empty directory, or none",
			dir, strings.Join(others, ", "))
	}
	return nil
}

// play plays every campaign, shows what it came to, and compares digests.
func (s *stage) play(ctx context.Context, campaigns []fixtures.Campaign) error {
	for _, k := range campaigns {
		s.campaign = k.Name
		if err := s.playCampaign(ctx, k); err != nil {
			return err
		}
		var played timeline.Campaign
		if err := s.client.Get(ctx, &played, "campaigns", k.Name); err != nil {
			return err
		}
		s.view = played.Views[0]
		if err := s.standing(ctx, s.client, played); err != nil {
			return err
		}
		s.page.Line("")
		s.page.Flow("The rest: ", "  ", terminal.Plain(fmt.Sprintf("%s log %s; %s replay %s", self(), k.Name, self(),
			k.Name)))
	}
	return s.compare(ctx)
}

func (s *stage) playCampaign(ctx context.Context, k fixtures.Campaign) error {
	s.title = k.Title
	s.page.Heading("%s", k.Title)
	if s.pages != nil {
		s.page.Line(s.pages.URL() + "campaigns/" + k.Name)
	}
	if err := s.open(ctx, k); err != nil {
		return err
	}
	if s.pace <= 0 {
		s.page.Line("")
	}
	for _, file := range k.Files {
		if s.pace > 0 {
			s.page.Heading("%s", file.Name)
		}
		s.recorded, s.last, s.isResult = 0, "", false
		play := s.playTurn
		switch file.Kind {
		case fixtures.Correction:
			play = s.playCorrection
		case fixtures.Move:
			play = s.playMove
		}
		if err := play(ctx, file); err != nil {
			return fmt.Errorf("%s: %w", file.Name, err)
		}
		if s.pace <= 0 && s.recorded > 0 {
			s.page.oneLine(file.Name+": ", words.Count(s.recorded, "event")+". "+s.last)
		}
	}
	return nil
}

// open opens the campaign, unless the ledger has it from an earlier performance.
func (s *stage) open(ctx context.Context, k fixtures.Campaign) error {
	var there timeline.Campaign
	if s.client.Get(ctx, &there, "campaigns", k.Name) == nil {
		s.page.Text("Campaign %s is in the ledger already; what stands is not played again.", k.Name)
		return nil
	}
	var opened service.Opened
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, f := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(f))
	}
	for _, seat := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: seat.Name, Sides: seat.Sides})
	}
	if err := s.client.Post(ctx, n, &opened, "campaigns"); err != nil {
		return err
	}
	if s.pace <= 0 {
		s.page.happened(opened.Happened[:1])
		return nil
	}
	return s.print(ctx, opened.Happened)
}

// playTurn submits a turn file and holds what came of it against what was expected.
func (s *stage) playTurn(ctx context.Context, file fixtures.File) error {
	done, recorded, err := s.submitTurn(ctx, file)
	if err != nil {
		return err
	}
	switch p := done.Problem; {
	case p != nil && file.Expect == fixtures.Refused:
		s.page.oneLine("  Refused, as it should be: ", p.Error())
	case p != nil:
		return p
	case file.Expect == fixtures.Refused:
		return errors.New("the rules should refuse its last entry, and do not")
	case file.Expect == fixtures.Referred && done.Waiting == nil && recorded > 0:
		return errors.New("the umpire should be asked, and is not")
	}
	if w := done.Waiting; w != nil {
		s.page.Flow("  The campaign waits for ", "  ", terminal.Plain(w.Of+"."))
	}
	return nil
}

// submitTurn submits a turn file until all of it is heard: with a pace one entry at a time, so that
// the record grows no faster than the events are printed. It gives the last answer, and how many events
// were recorded.
func (s *stage) submitTurn(ctx context.Context, file fixtures.File) (done service.Submitted, recorded int, err error) {
	sent := service.Submission{Name: file.Name, Text: string(file.Data)}
	if s.pace > 0 {
		sent.Most = 1
	}
	for {
		done = service.Submitted{}
		if err := s.client.Post(ctx, sent, &done, "campaigns", s.campaign, "submissions"); err != nil {
			return done, recorded, err
		}
		recorded += done.Recorded
		for _, h := range done.Entries {
			if h.Before() {
				continue
			}
			if err := s.print(ctx, h.Happened); err != nil {
				return done, recorded, err
			}
		}
		if done.Problem != nil || len(done.NotHeard) == 0 {
			return done, recorded, nil
		}
	}
}

// playCorrection corrects an entry by its result, or what else came of it, found in the log.
func (s *stage) playCorrection(ctx context.Context, file fixtures.File) error {
	event, found := uint64(0), false
	err := s.client.Lines(ctx, http.MethodGet, nil, nil, func(line json.RawMessage) error {
		var l timeline.LogEvent
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if l.CommandID == file.Entry && l.Corrects == 0 && (l.Type == "result_adjudicated" || !found) {
			event, found = l.Index, true
		}
		return nil
	}, "campaigns", s.campaign, "log")
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("nothing came of an entry %q", file.Entry)
	}
	var done service.Corrected
	sent := service.CorrectionRequest{Event: event, Name: file.Name, Text: string(file.Data)}
	if err := s.client.Post(ctx, sent, &done, "campaigns", s.campaign, "corrections"); err != nil || done.Again {
		return err
	}
	return s.print(ctx, done.Happened)
}

// playMove moves the campaign to another edition, unless it has gone there in an earlier performance.
func (s *stage) playMove(ctx context.Context, file fixtures.File) error {
	var known timeline.Editions
	if err := s.client.Get(ctx, &known, "editions", s.campaign); err != nil {
		return err
	}
	if slices.ContainsFunc(known.Played, func(p timeline.EditionPlayed) bool { return p.Name == file.To }) {
		return nil
	}
	var done service.Moved
	sent := replay.NewEdition{To: file.To, Reason: file.Reason}
	if err := s.client.Post(ctx, sent, &done, "campaigns", s.campaign, "edition"); err != nil {
		return err
	}
	return s.print(ctx, done.Happened)
}

// print prints events with a pause after each. Without a pace nobody reads as fast: they are counted, and the last
// result of a file is kept.
func (s *stage) print(ctx context.Context, lines []timeline.NarratedEvent) error {
	for i, l := range lines {
		s.turn = l.Turn
		result := l.Type == "result_adjudicated" || l.Type == "income_collected"
		if result {
			s.result = l.Index
		}
		if s.pace <= 0 {
			if s.recorded++; result || !s.isResult {
				s.last, s.isResult = l.Text, result
			}
			continue
		}
		s.page.happened(lines[i : i+1])
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(s.pace):
		}
	}
	return nil
}

// compare builds the views again from zero; the service says if they had other digests.
func (s *stage) compare(ctx context.Context) error {
	built, err := s.rebuild(ctx, s.client)
	if err != nil {
		return err
	}
	s.page.Heading("The views, dropped and built again from the record, have the same digests.")
	s.printDigests(built)
	var l service.Status
	if err := s.client.Get(ctx, &l, "status"); err != nil {
		return err
	}
	s.page.Text("%s are recorded in Pebble, and published on NATS in the same order.", words.Count(l.Durable, "event"))
	return nil
}

// self is how this program is called again: what `go run` built is gone when it ends, and no
// watu need be installed.
func self() string {
	path, err := os.Executable()
	if err == nil && strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "go run ./cmd/watu"
	}
	return "watu"
}

// invite says what to try while the demo serves.
func (s *stage) invite(dir string) {
	s.page.Heading("The campaigns stay here until Ctrl-C. In another terminal:")
	s.page.Line("  export WATU_DIR=" + document.Printable(dir))
	for _, line := range []string{
		fmt.Sprintf("log %s --turn '%s'", s.campaign, s.turn),
		fmt.Sprintf("show %s %s --as umpire", s.campaign, s.view),
		fmt.Sprintf("explain %s %d", s.campaign, s.result),
	} {
		s.page.Line(document.Printable("  " + self() + " " + line))
	}
	s.page.Line("")
}
