package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

func (t *tool) tokenCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "token", Short: "Give out tokens for pages that show more than the public sees",
		Long: "A token lets whoever holds it look at one campaign as a side, as a commentator\n" +
			"or as the umpire, on the pages and through the interface of watu serve. The\n" +
			"ledger keeps its hash alone.",
	}, t.tokenNewCommand(), t.tokenListCommand(), t.tokenRevokeCommand())
}

// bearerFlags say for whom a token is.
type bearerFlags struct {
	side        string
	commentator bool
	late        uint64
	umpire      bool
}

func (b bearerFlags) viewer(late bool) (string, error) {
	answer := 0
	for _, is := range []bool{b.side != "", b.commentator, b.umpire} {
		if is {
			answer++
		}
	}
	switch {
	case answer != 1:
		return "", input("for whom is the token? name one of --side SIDE, --commentator, --umpire")
	case late && !b.commentator:
		return "", input("--late is for --commentator")
	case b.commentator && late:
		return fmt.Sprintf("%s:%d", timeline.Commentator, b.late), nil
	case b.commentator:
		return timeline.Commentator, nil
	case b.umpire:
		return timeline.Umpire, nil
	}
	switch name := strings.ToLower(strings.TrimSpace(b.side)); {
	case name == timeline.Public, name == timeline.Umpire, strings.HasPrefix(name, timeline.Commentator):
		return "", input("--side takes a side of the campaign, not %q", b.side)
	}
	return b.side, nil
}

func (t *tool) tokenNewCommand() *cobra.Command {
	var n service.NewToken
	var bears bearerFlags
	expires, server := "", ""
	c := t.orJSON(&cobra.Command{
		Use: "new [CAMPAIGN] --side SIDE | --commentator | --umpire", Short: "Give out a token, and print it once",
		Args: cobra.MaximumNArgs(1),
		Long: "Give out a token, and print it once: it cannot be shown again. CAMPAIGN may\n" +
			"be left out where the ledger has only one. A commentator knows what the umpire\n" +
			"knows, --late game turns late. With --url, the address of watu serve as its\n" +
			"holder reaches it, the token is printed as a link that signs a browser in.",
		Example: "  watu token new --side Britain --note 'for Anna'\n" +
			"  watu token new atlantic-1939 --side Britain --url https://games.example\n" +
			"  watu token new atlantic-1939 --commentator --late 3 --expires 90d",
		RunE: func(c *cobra.Command, args []string) (err error) {
			n.Campaign = strings.Join(args, "")
			if n.As, err = bears.viewer(c.Flags().Changed("late")); err != nil {
				return err
			}
			if n.For, err = lasting(expires); err != nil {
				return err
			}
			if server, err = serverAddress(server); err != nil {
				return err
			}
			return ask(t, c, post(n, "tokens"), func(k service.IssuedToken) { t.printIssued(server, k) })
		},
	})
	f := c.Flags()
	f.StringVar(&bears.side, "side", "", "for a `SIDE`: what it holds")
	f.BoolVar(&bears.commentator, "commentator", false, "for a commentator: everything, some game turns late")
	f.Uint64Var(&bears.late, "late", 2, "how many game `turns` late a commentator sees")
	f.BoolVar(&bears.umpire, "umpire", false, "for the umpire: everything")
	f.StringVar(&expires, "expires", "30d", "how `long` it holds: days, as 30d, or hours, as 36h; at most 400d")
	f.StringVar(&server, "url", "", "`URL` by which its holder reaches watu serve: print a link")
	f.StringVar(&n.Note, "note", "", "what it is for; watu token list tells it")
	return c
}

func (t *tool) printIssued(server string, k service.IssuedToken) {
	if server != "" {
		k.Text = service.LoginLink(server, k.Text)
	}
	t.page.Line(k.Text)
	t.page.Text("Token %s shows campaign %s as %s, until %s. It is not shown again; watu token revoke %s ends it.",
		k.ID, k.Campaign, shownTo(k.Token), k.Expires.Format(time.DateOnly), k.ID)
}

// lasting reads how long a token holds: "30d", "36h".
func lasting(text string) (time.Duration, error) {
	var d time.Duration
	days, isDays := strings.CutSuffix(text, "d")
	n, err := strconv.ParseUint(days, 10, 16)
	if isDays && err == nil {
		d = time.Duration(n) * 24 * time.Hour
	} else {
		d, err = time.ParseDuration(text)
	}
	if err != nil || d < time.Second || d > service.TokenMaxLife {
		return 0, input("--expires takes days, as 30d, or hours, as 36h, up to %dd, not %q: no token holds for ever",
			service.TokenMaxLife/(24*time.Hour), text)
	}
	return d, nil
}

// shownTo says who sees what a token shows.
func shownTo(k service.Token) string {
	switch k.As {
	case timeline.Umpire:
		return "the umpire sees it"
	case timeline.Commentator:
		return "a commentator sees it, " + words.Count(k.Late, "turn") + " late"
	}
	return k.As + " sees it"
}

func (t *tool) tokenListCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "list", Short: "List the tokens that were given out", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return ask(t, c, get("tokens"), t.listTokens)
		},
	})
}

func (t *tool) listTokens(list service.Tokens) {
	if len(list.Tokens) == 0 {
		t.page.Text("No token was given out yet: watu token new --side SIDE")
		return
	}
	table := document.Plain{Columns: []string{"Token", "Campaign", "Sees as", "Until", "Note"}}
	for _, k := range list.Tokens {
		as := k.As
		if k.As == timeline.Commentator {
			as = fmt.Sprintf("%s, %d late", k.As, k.Late)
		}
		until := k.Expires.Format(time.DateOnly)
		switch {
		case k.Revoked != nil:
			until = "revoked "
			if k.Note != "" && strings.HasPrefix(k.As, "key of ") { // an invitation: why it is over
				until, k.Note = k.Note+" ", ""
			}
			until += k.Revoked.Format(time.DateOnly)
		case !k.Holds:
			until = "expired " + until
		}
		table.Rows = append(table.Rows, []string{k.ID, k.Campaign, as, until, k.Note})
	}
	t.page.Block("", table.String())
}

func (t *tool) tokenRevokeCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "revoke ID", Short: "End a token: it opens nothing from now on", Args: takes("ID"),
		RunE: func(c *cobra.Command, args []string) error {
			return t.with(c.Context(), "token revoke", false, func(o *api.Client) error {
				var k service.Token
				err := o.Delete(c.Context(), &k, "tokens", args[0])
				return t.answer(err, &k, func() { t.page.Text("Token %s opens nothing any more.", k.ID) })
			})
		},
	})
}
