package main

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/seatfile"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

func (t *tool) seatCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "seat", Short: "Invite players to sign for their seats", Args: cobra.NoArgs,
		Long: "A player whose seat has a key signs what he enters, on his own machine. Then\n" +
			"nobody has to believe the host that he entered it, and nobody else can enter\n" +
			"it for him.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(t.inviteCommand())
	return c
}

func (t *tool) inviteCommand() *cobra.Command {
	server, asJSON := "", false
	c := &cobra.Command{
		Use: "invite CAMPAIGN SEAT --url URL", Short: "Print a link by which a player brings the key of his seat",
		Args: takes("CAMPAIGN", "SEAT"),
		Long: "Print a link by which a player brings the key of his seat, once. Send it to him\n" +
			"alone. URL is how he reaches watu serve from where he is. A seat that has a key\n" +
			"gets another one; that is recorded, and from then on its signatures prove no\n" +
			"more than the umpire's word.",
		Example: "  watu seat invite atlantic-1939 Anna --url https://games.example",
		RunE: func(c *cobra.Command, args []string) error {
			u, err := url.Parse(server)
			if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
				return input("--url takes the address of watu serve as players reach it, such as https://games.example")
			}
			return t.with(c.Context(), "seat invite", false, func(o *api.Client) error {
				var v seats.Invitation
				err := o.Post(c.Context(), seats.Invite{Seat: args[1]}, &v, "campaigns", args[0], "invitations")
				return t.answer(err, asJSON, &v, func() { t.printInvitation(u.Scheme+"://"+u.Host, v) })
			})
		},
	}
	c.Flags().StringVar(&server, "url", "", "`URL` by which the player reaches watu serve")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (t *tool) printInvitation(server string, v seats.Invitation) {
	t.page.Line(seatfile.Link(server, v))
	t.page.Text("By this link the player of %s (%s) brings a key, once, until %s: watu join LINK FILE. Send it to "+
		"nobody else.", v.Seat, words.And(v.Sides), v.Expires.Format(time.DateOnly))
	if v.Replaces != "" {
		t.page.Text("%s has the key %s. Another one that comes by this link is recorded as the umpire's doing.", v.Seat,
			v.Replaces)
	}
}

func (t *tool) joinCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "join LINK FILE", Short: "Make the key of a seat by an umpire's link", Args: takes("LINK", "FILE"),
		Long: "Make the key with which the player of a seat signs, and bring it to the host by\n" +
			"the umpire's link. FILE is made; it holds the key, and which ledger it is for.\n" +
			"Keep it: nobody else has it. Compare the fingerprints that are printed with\n" +
			"the umpire and the other players by another way than this host.",
		Example: "  watu join 'https://games.example/join#campaign=…' anna.seat",
		RunE: func(c *cobra.Command, args []string) error {
			s, done, err := seatfile.Join(c.Context(), args[0], args[1])
			if err != nil {
				return err
			}
			if done.Problem == nil {
				t.page.Text("%s signs for %s in campaign %s from here on, by watu play %s.", args[1], s.Name,
					done.Campaign, args[1])
				t.page.Text("Key of %s: %s.", s.Name, s.Fingerprint())
				t.page.Text("Key of the ledger: %s.", s.LedgerFingerprint())
			}
			return t.stopped(done)
		},
	}
	return c
}

// playing is what `watu play` was asked for.
type playing struct {
	file, entry string
	json        bool
}

func (t *tool) playCommand() *cobra.Command {
	var p playing
	c := &cobra.Command{
		Use: "play SEAT-FILE -e ENTRY | -f turn.yaml", Short: "Sign entries of a seat, and send them to the host",
		Args: takes("SEAT-FILE"),
		Long: "Sign what a player enters, with the key of his seat, and send it to the host.\n" +
			"What is signed names the record that was seen, so it fits no other: a record\n" +
			"that does not extend the one seen before is a fork, which is written into a file\n" +
			"with both notes, and nothing is signed. What an entry keeps secret stands in the\n" +
			"log as commitments that the player made; the host gets them opened. A host\n" +
			"hears what was signed for an hour, and once.",
		Example: "  watu play anna.seat -e '{answer: {Japan: pass}}'",
		RunE: func(c *cobra.Command, args []string) error {
			if (p.file == "") == (p.entry == "") {
				return input("give a turn file with -f FILE, or one entry with -e '{VERB: …}'")
			}
			s, err := seatfile.Open(args[0])
			if err != nil {
				return err
			}
			return t.play(c.Context(), s, p)
		},
	}
	c.Flags().StringVarP(&p.file, "file", "f", "", "turn file; - for standard input")
	c.Flags().StringVarP(&p.entry, "entry", "e", "", "one entry, as in a turn file")
	c.Flags().BoolVar(&p.json, "json", false, "print JSON")
	return c
}

// play signs and sends the entries one after the other, up to the first that does not go through.
func (t *tool) play(ctx context.Context, s *seatfile.Seat, p playing) error {
	c, err := s.Describe(ctx)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all.Systems(), func(x rules.System) bool { return x.Name == c.System })
	if at < 0 {
		return problem.New(problem.Refused, "this watu knows no system %q", c.System)
	}
	list, err := t.entriesOf(p, c.Turn, campaign.Verbs(all.Systems()[at]))
	if err != nil {
		return err
	}
	var done service.Submitted
	for _, e := range list {
		one, err := s.Enter(ctx, e.ID, e.Verb, e.Body)
		if err != nil {
			return err
		}
		one.Entries, one.Recorded = append(done.Entries, one.Entries...), done.Recorded+one.Recorded
		if done = one; done.Problem != nil {
			break
		}
	}
	if p.json {
		if err := t.json(done); err != nil {
			return err
		}
	} else {
		t.printSubmitted(done)
	}
	return t.stopped(done)
}

// entriesOf reads what is to be signed. An entry without an id is named by the host.
func (t *tool) entriesOf(p playing, turn string, verbs []rules.Verb) ([]turnfile.Entry, error) {
	if p.file == "" {
		e, err := turnfile.ParseEntry("entry", strings.TrimSpace(p.entry), turn, verbs)
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
	for i := range f.Entries {
		if e := &f.Entries[i]; f.Turn == "" {
			e.ID = turnfile.ID(turn, e.ID)
		}
	}
	return f.Entries, nil
}
