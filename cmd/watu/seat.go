package main

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/seatfile"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

func (t *tool) seatCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "seat", Short: "Have players sign for their seats",
		Long: "A player whose seat has a key signs what he enters, on his own machine. Then\n" +
			"nobody has to believe the host that he entered it, and nobody else can enter\n" +
			"it for him.",
	}, t.inviteCommand(), t.seatShowCommand(), t.rekeyCommand(), t.handCommand(), t.seatExportCommand())
}

func (t *tool) inviteCommand() *cobra.Command {
	server, by := "", ""
	c := t.orJSON(&cobra.Command{
		Use: "invite CAMPAIGN SEAT [--url URL]", Short: "Print the link by which a player comes to his seat",
		Args: takes("CAMPAIGN", "SEAT"),
		Long: "Print the link by which a player comes to his seat. Send it to him alone. URL is\n" +
			"how he reaches watu serve from where he is; without it the link has the address\n" +
			"of the pages that are served now. Where players sign, or with --by key, he\n" +
			"brings a key by the link, once. From then on the umpire cannot enter the acts of\n" +
			"its sides any more, unless the campaign was opened with --proxy; nobody takes\n" +
			"that back. Another link ends one that was not used. A seat that has a key gets\n" +
			"another one; that is recorded, and from then on its signatures prove no more\n" +
			"than the umpire's word. Where nobody signs, or with --by token, the link signs a\n" +
			"browser in as the sides of the seat.",
		Example: "  watu seat invite atlantic-1939 Anna\n" +
			"  watu seat invite atlantic-1939 Anna --url https://games.example\n" +
			"  watu seat invite atlantic-1939 Anna --by key --url https://games.example",
		RunE: func(c *cobra.Command, args []string) error {
			at, err := serverAddress(server)
			if err != nil {
				return err
			}
			invite := post(seats.Invite{Seat: args[1], By: by}, "campaigns", args[0], "invitations")
			what := func(ctx context.Context, o *api.Client, into any) error {
				if at == "" {
					if at, err = servedAt(ctx, o); err != nil {
						return err
					}
				}
				return invite(ctx, o, into)
			}
			return ask(t, c, what, func(v seats.Invitation) {
				t.printInvitation(at, v)
				if server == "" && local(at) {
					t.page.Text("The link leads to this machine alone: for a player elsewhere, give with --url " +
						"the address by which he reaches it.")
				}
			})
		},
	})
	c.Flags().StringVar(&server, "url", "", "`URL` by which the player reaches watu serve (default where "+
		"the pages are)")
	c.Flags().StringVar(&by, "by", "", "key or token (default: key where players sign, else token)")
	return c
}

var errServerAddress = input("--url takes the address of watu serve as players reach it, such as https://games.example")

// serverAddress reads the address of a server, without a path; empty where none is given.
func serverAddress(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return "", nil
	case err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http":
		return "", errServerAddress
	}
	return u.Scheme + "://" + u.Host, nil
}

// servedAt is the address of the pages, where a server that holds the directory has some.
func servedAt(ctx context.Context, o *api.Client) (string, error) {
	var s service.Status
	if err := o.Get(ctx, &s, "status"); err != nil {
		return "", err
	}
	switch {
	case s.Pages != "":
		return s.Pages, nil
	case o.Served():
		return "", input("the server that holds the directory has no pages, where the player would come to: name " +
			"another address with --url, such as https://games.example")
	}
	return "", input("no server holds the directory, and the player needs one to come to: start watu serve, or name " +
		"with --url where it will be, such as https://games.example")
}

// local reports whether the address of a server leads no further than its machine.
func local(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip.IsLoopback()
}

func (t *tool) printInvitation(server string, v seats.Invitation) {
	t.page.Line(v.Link(server))
	if len(v.Tokens) > 0 {
		t.page.Text("This link signs a browser in as %s (%s), until %s. Send it to nobody else; watu token list shows "+
			"what it gave.", v.Seat, words.And(v.Sides), v.Expires.Format(time.DateOnly))
		return
	}
	t.page.Text("By this link the player of %s (%s) brings a key, once, until %s: watu join LINK FILE. Send it to "+
		"nobody else.", v.Seat, words.And(v.Sides), v.Expires.Format(time.DateOnly))
	if v.Ends {
		t.page.Text("The link that was made for %s before is good for nothing any more.", v.Seat)
	}
	if v.Replaces == "" {
		t.page.Text("Once the key has come, the umpire cannot enter the acts of these sides any more, unless the " +
			"campaign was opened with --proxy; nobody takes that back.")
	} else {
		t.page.Text("%s has the key %s. Another one that comes by this link is recorded as the umpire's doing.", v.Seat,
			v.Replaces)
	}
}

func (t *tool) seatShowCommand() *cobra.Command {
	note := false
	c := t.orJSON(&cobra.Command{
		Use: "show FILE", Short: "Show whose file it is, and the fingerprints to compare", Args: takes("FILE"),
		Long: "Show what the file of a seat says that is no secret. Compare both fingerprints\n" +
			"with the umpire and the other players by voice, or on paper: whoever runs the\n" +
			"host could show them others. --note prints the largest checkpoint that was seen:\n" +
			"a file of the campaign is held against it by watu-verify --head.",
		Example: "  watu seat show anna.seat\n  watu seat show anna.seat --note > note.txt",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := seatfile.Open(args[0])
			if err != nil {
				return err
			}
			v := s.Describe()
			switch {
			case note && v.Note == "":
				return input("%s has seen no checkpoint yet: watu play %s", args[0], args[0])
			case note:
				t.page.Line(strings.TrimSuffix(v.Note, "\n"))
				return nil
			}
			return t.answer(nil, &v, func() { t.printSeat(v) })
		},
	})
	c.Flags().BoolVar(&note, "note", false, "print the largest checkpoint that was seen")
	return c
}

func (t *tool) printSeat(v seatfile.Description) {
	t.page.Text("Seat %s of campaign %s, at %s.", v.Seat, v.Campaign, v.Server)
	t.page.Text("Key of %s: %s.", v.Seat, v.Fingerprint)
	t.page.Text("Key of the ledger: %s.", v.Ledger)
	t.printArbiter(v)
	t.page.Text("%s seen.", words.Count(int(v.Events), "event"))
	if v.Pending != "" {
		t.page.Text("The entry %s has no answer yet: watu play sends it again.", v.Pending)
	}
	if v.Fork != "" {
		t.page.Text("The host showed two records: both notes, which it signed, are in %s. Nothing is signed "+
			"any more.", v.Fork)
	}
}

// printArbiter says who may open the hands of a seat.
func (t *tool) printArbiter(v seatfile.Description) {
	if v.Arbiter != "" {
		t.page.Text("The arbiter %s may open its hands of cards.", v.Arbiter)
	}
}

func (t *tool) rekeyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "rekey FILE", Short: "Give the seat another key, which the old one signs", Args: takes("FILE"),
		Long: "Give the seat another key, which the old one signs: so its signatures go on to\n" +
			"prove what they did. Without the old key the umpire invites the player anew;\n" +
			"that is recorded as the umpire's doing.",
		Example: "  watu seat rekey anna.seat",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := seatfile.Open(args[0])
			if err != nil {
				return err
			}
			done, err := s.Rekey(c.Context())
			if err == nil && done.Problem == nil {
				t.page.Text("Key of %s from here on: %s.", s.Name, s.Fingerprint())
			}
			return errors.Join(err, t.stopped(done))
		},
	}
	return c
}

func (t *tool) joinCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "join LINK [FILE]", Short: "Make the file of a seat by an umpire's link", Args: cobra.RangeArgs(1, 2),
		Long: "Make the file of a player's seat, with its secrets, and bring its key to the\n" +
			"host by the umpire's link. LINK - reads the link from standard input, so that it\n" +
			"stands in no list of processes. FILE is made, and named after the seat if it is\n" +
			"left out. Keep it: nobody else has what is in it. Compare the fingerprints that\n" +
			"are printed with the umpire and the other players by another way than this host.",
		Example: "  watu join 'https://games.example/join#campaign=…' anna.seat",
		RunE: func(c *cobra.Command, args []string) error {
			link := args[0]
			if link == "-" {
				_, text, err := t.readText(link)
				if err != nil {
					return err
				}
				link = text
			}
			v, err := seatfile.ParseLink(link)
			if err != nil {
				return err
			}
			path := seatfile.FileName(v.Seat)
			if len(args) > 1 {
				path = args[1]
			}
			return t.join(c.Context(), v, path)
		},
	}
	return c
}

func (t *tool) join(ctx context.Context, v seatfile.Invitation, path string) error {
	s, done, err := seatfile.Join(ctx, v, path)
	if err != nil {
		return err
	}
	if done.Problem == nil {
		t.page.Text("%s signs for %s in campaign %s from here on, by watu play %s.", path, s.Name, done.Campaign, path)
		t.page.Text("Key of %s: %s.", s.Name, s.Fingerprint())
		t.page.Text("Key of the ledger: %s.", s.LedgerFingerprint())
		t.printArbiter(s.Describe())
	}
	return t.stopped(done)
}

// playing is what `watu play` was asked for.
type playing struct {
	file, entry string
	order       string
	lasts       time.Duration
}

func (t *tool) playCommand() *cobra.Command {
	var p playing
	c := t.orJSON(&cobra.Command{
		Use: "play SEAT-FILE [-e ENTRY | -f turn.yaml]", Short: "Sign entries of a seat, and watch the host's record",
		Args: takes("SEAT-FILE"),
		Long: "Sign what a player enters, with the key of his seat, and send it to the host.\n" +
			"What is signed names the record that was seen, so it fits no other. What an\n" +
			"entry keeps secret stands in the log as commitments that the player made; the\n" +
			"host gets them opened. A host hears what was signed for an hour, and once. What\n" +
			"was not answered is sent again as it is.\n\n" +
			"A standing order answers while the player is away: each open question to the\n" +
			"side that has its option, until its time is over. The host keeps it, and it\n" +
			"stands in the log once it has answered.\n\n" +
			"Without -e and -f it stays until Ctrl-C, cosigns the rolls of other sides that\n" +
			"await a round of a beacon, draws the player's cards where players draw, and\n" +
			"holds the host's record to what was seen. A\n" +
			"record that does not extend that is a fork: both notes are written beside the\n" +
			"seat's file, and nothing is signed any more.",
		Example: "  watu play anna.seat -e '{answer: {Japan: pass}}'\n" +
			"  watu play anna.seat --order Japan=pass --for 72h",
		RunE: func(c *cobra.Command, args []string) error {
			if p.order != "" && p.file+p.entry != "" {
				return input("--order takes no entries: leave out -f and -e")
			}
			if p.file != "" && p.entry != "" {
				return input("give a turn file with -f FILE, or one entry with -e '{VERB: …}'")
			}
			s, err := seatfile.Open(args[0])
			if err != nil {
				return err
			}
			if err := s.Rounds(t.roundsFrom()); err != nil {
				return err
			}
			if p.order != "" {
				return t.order(c.Context(), s, p)
			}
			if p.file == "" && p.entry == "" {
				return t.watch(c.Context(), s)
			}
			return t.play(c.Context(), s, p)
		},
	})
	c.Flags().StringVarP(&p.file, "file", "f", "", "turn file; - for standard input")
	c.Flags().StringVarP(&p.entry, "entry", "e", "", "one entry, as in a turn file")
	c.Flags().StringVar(&p.order, "order", "", "standing order, `SIDE=OPTION`; SIDE= takes it back")
	c.Flags().DurationVar(&p.lasts, "for", 24*time.Hour, "how long a standing order answers, such as 72h")
	return c
}

// order gives a standing order.
func (t *tool) order(ctx context.Context, s *seatfile.Seat, p playing) error {
	side, answer, ok := strings.Cut(p.order, "=")
	if side = strings.TrimSpace(side); !ok || side == "" {
		return input("--order takes SIDE=OPTION, such as Japan=pass, not %q", p.order)
	}
	if answer = strings.TrimSpace(answer); p.lasts < time.Second {
		return input("--for takes a time, such as 72h, not %s", p.lasts)
	}
	done, err := s.Order(ctx, side, answer, p.lasts)
	switch {
	case err != nil:
		return err
	case t.asJSON:
		err = t.printed(done)
	case done.Problem == nil && answer == "":
		t.page.Text("The standing order of %s is taken back.", side)
	case done.Problem == nil:
		t.page.Text("Until %s UTC the host answers %s for %s, to each question that has it.",
			time.Now().Add(p.lasts).UTC().Format(time.DateTime), answer, side)
	}
	if done.Recorded > 0 && !t.asJSON {
		t.printSubmitted(done)
	}
	return errors.Join(err, t.stopped(done))
}

// watch holds the host's record to what the player saw, until Ctrl-C.
func (t *tool) watch(ctx context.Context, s *seatfile.Seat) error {
	return s.Watch(ctx, func(step seatfile.Step) {
		t.settled(step.Before)
		if step.Cosigned != 0 {
			t.page.Text("cosigned the roll that waits at #%d", step.Cosigned)
		}
		if step.Given != 0 {
			t.page.Text("gave a link for the roll #%d", step.Given)
		}
		for _, at := range step.Drawn {
			t.page.Text("drew the cards of #%d: watu seat hand shows them", at)
		}
		t.page.Text("%s, root %s", words.Count(int(step.Head.Events), "event"), step.Head.Root)
	}, func(err error) { t.say(err.Error()) })
}

// settled says what became of something that had no answer.
func (t *tool) settled(before *service.Submitted) {
	if before == nil {
		return
	}
	for _, h := range before.Entries {
		t.page.Text("%s, which had no answer, was sent again: %s.", h.ID, h.State)
	}
	if before.Problem != nil {
		t.say(before.Problem.Error())
	}
}

// play signs and sends the entries one after the other, up to the first that does not go through.
func (t *tool) play(ctx context.Context, s *seatfile.Seat, p playing) error {
	c, err := s.State(ctx)
	if err != nil {
		return err
	}
	system, known := rules.Find(all.Systems(), func(x rules.System) bool { return x.Name == c.System })
	if !known {
		return problem.New(problem.Refused, "this watu knows no system %q", c.System)
	}
	if c.Turn, err = s.Turn(ctx); err != nil {
		return err
	}
	list, err := t.entriesOf(p, c, campaign.Verbs(system))
	if err != nil {
		return err
	}
	show := func(question string) {
		if !t.asJSON {
			t.page.Text("Answers %s", question)
		}
	}
	var done service.Submitted
	for _, e := range list {
		one, err := s.Enter(ctx, c.Turn, e.Command, show)
		if t.settled(one.Before); err != nil {
			return err
		}
		one.Entries, one.Recorded = append(done.Entries, one.Entries...), done.Recorded+one.Recorded
		if done = one.Submitted; done.Problem != nil {
			break
		}
	}
	if !t.asJSON {
		t.printSubmitted(done)
	} else if err := t.printed(done); err != nil {
		return err
	}
	return t.stopped(done)
}

// printed prints JSON of a host that is not believed.
func (t *tool) printed(v any) error {
	text, err := json.Marshal(v)
	if err == nil {
		t.page.Line(document.Printable(string(text)))
	}
	return err
}

// entriesOf reads what is to be signed. An entry without an id is named by its contents.
func (t *tool) entriesOf(p playing, c timeline.Campaign, verbs []rules.Verb) ([]turnfile.Entry, error) {
	if p.file == "" {
		e, err := turnfile.ParseEntry("entry", strings.TrimSpace(p.entry), c.Turn, verbs)
		return []turnfile.Entry{e}, err
	}
	name, text, err := t.readText(p.file)
	if err != nil {
		return nil, err
	}
	f, err := turnfile.Parse(name, []byte(text), verbs)
	if err != nil {
		return nil, err
	}
	if f.Campaign != "" && f.Campaign != c.Name && f.Campaign != c.ID {
		return nil, input("%s is for campaign %s, and the seat's file for %s", name, f.Campaign, c.Name)
	}
	f.GoOn(c.Turn)
	for i := range f.Entries {
		if e := &f.Entries[i]; f.Turn == "" {
			e.ID = turnfile.ID(c.Turn, e.ID)
		}
	}
	return f.Entries, nil
}
