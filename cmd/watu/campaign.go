package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

func (t *tool) campaignCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "campaign", Short: "Open, list and archive campaigns, list what is on their boards",
	}, t.campaignNewCommand(), t.campaignListCommand(), t.campaignBoardCommand(), t.campaignAliasesCommand(),
		t.campaignArchiveCommand(), t.campaignUnarchiveCommand())
}

func (t *tool) campaignNewCommand() *cobra.Command {
	var n replay.NewCampaign
	var options, seats, boards []string
	var witnesses, named string
	var within time.Duration
	c := t.orJSON(&cobra.Command{
		Use: "new NAME --system SYSTEM", Short: "Open a campaign", Args: takes("NAME"),
		Long: "Open a campaign. NAME is small letters, digits and hyphens. Every option of\n" +
			"the rules is written into the first event with its default unless --option\n" +
			"gives another; the value ask puts it to the umpire when it first matters.\n" +
			"With --dice attested the dice are thrown at a table: one seat types them in,\n" +
			"another confirms them. With --dice beacon they follow from public randomness\n" +
			"that was to come when they were declared, and the witnesses of a policy see to\n" +
			"the order (watu witness); without a policy, players by the keys of their seats.\n" +
			"The umpire has a seat; --seat adds those of players.\n" +
			"Rules that are played on a map take it with --board: TripleA's XML file (files\n" +
			"beside it that belong to it are taken along), a directory, or the name of a\n" +
			"board that comes with watu: " + strings.Join(fixtures.Boards(), ", ") + ".",
		Example: "  watu campaign new atlantic-1939 --system awaw --option us_entry=ask\n" +
			"  watu campaign new table --system awaw --dice attested \\\n" +
			"    --seat 'Anna=European Axis,Japan' --seat 'Ben=Britain,United States'\n" +
			"  watu campaign new fair --system awaw --dice beacon --witnesses policy.txt\n" +
			"  watu campaign new convoys --system aar --board ww2v2.xml\n" +
			"  watu campaign new two-oceans --system g40 --board two-oceans --edition 8",
		RunE: func(c *cobra.Command, args []string) error {
			n.Name = args[0]
			var err error
			if n.Options, err = optionsOf(options); err != nil {
				return err
			}
			if n.Seats, err = seatsOf(seats); err != nil {
				return err
			}
			if n.System == "" {
				return input("which rules? name them: watu campaign new %s --system %s", n.Name, timeline.Systems())
			}
			if n.Board, err = boardFiles(boards); err != nil {
				return err
			}
			if n.AnswerWithin = int64(within / time.Second); within%time.Second != 0 || within < 0 {
				return input("--answer-within takes whole seconds, such as 72h, not %s", within)
			}
			if err := t.fairDice(&n, witnesses, named); err != nil {
				return err
			}
			return t.with(c.Context(), "campaign new", true, func(o *api.Client) error {
				return t.newCampaign(c.Context(), o, n)
			})
		},
	})
	f := c.Flags()
	f.StringVar(&n.System, "system", "", "rules of the campaign: "+timeline.Systems())
	f.StringArrayVar(&boards, "board", nil, "map to play on: `FILE`, directory, or name; may be repeated")
	f.BoolVar(&n.Force, "force", false, "play on a board that has the marks of other rules")
	f.StringVar(&n.Edition, "edition", "", "edition of the rules (default: the first that watu edition list shows)")
	f.StringArrayVar(&options, "option", nil, "reading of an open rule, name=value; may be repeated")
	diceFlags(f, &n, &witnesses, &named)
	f.BoolVar(&n.Signed, "signed", false, "a seat enters nothing before it has a key; dice by a beacon are the default")
	f.StringVar(&n.Hands, "hands", "", "players: each player draws the cards of his sides by himself; with "+
		"--dice beacon")
	f.StringVar(&n.Arbiter, "arbiter", "", "who may open the hands of players, for a dispute: age1…, of watu backup "+
		"keygen")
	f.BoolVar(&n.Proxy, "proxy", false, "the umpire may enter what a seat with a key has to sign; it is marked")
	f.StringArrayVar(&seats, "seat", nil, "a player's seat, NAME=SIDE,SIDE; may be repeated")
	f.DurationVar(&within, "answer-within", 0, "`TIME` after which the umpire may answer for a side, such as 72h")
	f.StringVar(&n.Note, "note", "", "what the players should know of the campaign")
	f.StringVar(&n.Seed, "seed", "", "published seed, for demonstrations: its dice prove nothing")
	return c
}

// diceFlags are the flags that say how dice are thrown.
func diceFlags(f *pflag.FlagSet, n *replay.NewCampaign, witnesses, named *string) {
	f.StringVar(&n.Dice, "dice", "", "chain (default without --signed); attested: thrown at a table; beacon; or "+
		"contested: by a link of the host and one of a seat that does not roll")
	f.StringVar(witnesses, "witnesses", "", "`FILE` with the policy of those who witness --dice beacon")
	f.StringVar(&n.Unwitnessed, "unwitnessed", "", "dice by a beacon that nobody cosigns after three lapses: refuse "+
		"(default), or chain, marked as the host's choice")
	f.StringVar(named, "beacon", "", "`FILE` with another beacon than drand's quicknet, as its servers give it at "+
		"CHAIN/info")
}

// optionsOf reads options of the rules.
func optionsOf(list []string) (map[string]string, error) {
	out := map[string]string{}
	for _, o := range list {
		name, value, ok := strings.Cut(o, "=")
		if !ok {
			return nil, input("--option takes name=value, not %q", o)
		}
		out[name] = value
	}
	return out, nil
}

// fairDice reads the files of a campaign with dice by a beacon.
func (t *tool) fairDice(n *replay.NewCampaign, witnesses, named string) error {
	if witnesses != "" {
		name, text, err := t.readText(witnesses)
		if err == nil {
			_, err = tree.ParsePolicy(text)
		}
		if n.Witnesses = text; err != nil {
			return inFile(name, err)
		}
	}
	if named != "" {
		name, text, err := t.readFile(named)
		if err == nil {
			n.Beacon, err = beacon.Parse(text)
		}
		if err != nil {
			return inFile(name, err)
		}
	}
	return nil
}

// seatsOf reads NAME=SIDE,SIDE.
func seatsOf(flags []string) ([]campaign.Seat, error) {
	var list []campaign.Seat
	for _, flag := range flags {
		name, sides, ok := strings.Cut(flag, "=")
		if !ok {
			return nil, input("--seat takes NAME=SIDE,SIDE, not %q", flag)
		}
		s := campaign.Seat{Name: strings.TrimSpace(name)}
		for side := range strings.SplitSeq(sides, ",") {
			s.Sides = append(s.Sides, strings.TrimSpace(side))
		}
		list = append(list, s)
	}
	return list, nil
}

func (t *tool) newCampaign(ctx context.Context, o *api.Client, n replay.NewCampaign) error {
	var opened service.Opened
	err := o.Post(ctx, n, &opened, "campaigns")
	return t.answer(err, opened, func() { t.printOpened(opened, n) })
}

func (t *tool) printOpened(opened service.Opened, n replay.NewCampaign) {
	c := opened.Campaign
	t.page.Text("Campaign %s is open: %s, edition %s (%s).", c.Name, c.Title, c.Edition, c.ID)
	if b := c.Board; b != nil {
		t.page.Text("It is played on %s (board %s).", b.Title, b.Hash.String()[:12])
		for _, lack := range opened.Lacks {
			t.page.Flow("  Of the board: ", "    ", terminal.Plain(lack))
		}
	}
	t.page.happened(opened.Happened)
	if n.Signed {
		t.page.Text("Next: watu seat invite %s %s", c.Name, n.Seats[0].Name)
		return
	}
	t.page.Text("Next: watu submit %s -f turn.yaml", c.Name)
}

func (t *tool) campaignListCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "list", Short: "List the campaigns of the ledger", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if t.asJSON {
				return ask(t, c, get("campaigns"), t.listCampaigns)
			}
			return t.with(c.Context(), "campaign list", false, func(o *api.Client) error {
				var list timeline.Campaigns
				var s service.Status
				if err := o.Get(c.Context(), &list, "campaigns"); err != nil {
					return err
				}
				err := o.Get(c.Context(), &s, "status")
				t.listCampaigns(list)
				for _, w := range s.Waits {
					t.printWaits(w, w.Campaign+": ")
				}
				return err
			})
		},
	})
}

func (t *tool) listCampaigns(list timeline.Campaigns) {
	if len(list.All()) == 0 {
		t.page.Text("There is no campaign yet. Open one: watu campaign new NAME --system SYSTEM")
		return
	}
	t.tableOf(list.Campaigns)
	if len(list.Archived) > 0 {
		if len(list.Campaigns) > 0 {
			t.page.Line("")
		}
		t.page.Flow("", "", terminal.Bold("Archived"))
		t.tableOf(list.Archived)
	}
	for _, c := range list.All() {
		if c.OpenDisputes > 0 {
			t.page.Text("%s has %s: watu dispute list %s --open", c.Name, words.Count(c.OpenDisputes, "open dispute"),
				c.Name)
		}
		if c.Imported != "" {
			t.page.Text("%s: imported from a file for %s, read-only", c.Name, terminal.Reader(c.Imported))
		}
	}
}

// tableOf prints a list of campaigns, if it has any.
func (t *tool) tableOf(list []timeline.Campaign) {
	if len(list) == 0 {
		return
	}
	table := document.Plain{Columns: []string{"Campaign", "Rules", "Dice", "Turn", "Phase", "Events", "Opened"}}
	for _, c := range list {
		name := c.Name
		if c.Demo {
			name += " (demo)"
		}
		turn := cmp.Or(c.Turn, "none yet")
		table.Rows = append(table.Rows, []string{
			name, c.System + " " + c.Edition, c.Dice, turn, c.Phase, fmt.Sprint(c.Events),
			c.Opened.Format("2006-01-02"),
		})
	}
	t.page.Block("", table.String())
}
