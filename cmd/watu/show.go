package main

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
)

func (t *tool) showCommand() *cobra.Command {
	as, at, turn, brief := "", "", "", false
	c := t.orJSON(&cobra.Command{
		Use: "show CAMPAIGN [VIEW]", Short: "Show card pools, strategic warfare, income, or the board",
		Args: takesOr("CAMPAIGN", "VIEW"),
		Long: "Show a view of the campaign (pools, strategic, income or situation, by its\n" +
			"rules), as the public sees it or as one side or the umpire does, at its head,\n" +
			"after an event, or at the end of a turn. With --short, the last turn and how it\n" +
			"stands. Without a view: the campaign on one screen.",
		Example: "  watu show atlantic-1939\n  watu show atlantic-1939 pools --as Britain\n" +
			"  watu show two-oceans income --short\n" +
			"  watu show atlantic-1939 strategic --turn 'Winter 1941'",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				if as != "" || at != "" || turn != "" {
					return input("--as, --at and --turn are of a view: name one behind %s", args[0])
				}
				return t.with(c.Context(), "show", false, func(o *api.Client) error {
					return t.summary(c.Context(), o, args[0])
				})
			}
			q := url.Values{"as": {as}}
			if turn != "" {
				q.Set("at", "turn:"+turn)
			}
			if at != "" {
				event, err := eventNumber(at)
				if err != nil {
					return err
				}
				q.Set("at", fmt.Sprintf("#%d", event)) // a turn may be named by a number
			}
			if at != "" && turn != "" {
				return input("--at and --turn name two moments: leave one of them out")
			}
			return t.with(c.Context(), "show", false, func(o *api.Client) error {
				var v timeline.View
				err := o.Query(c.Context(), &v, q, "campaigns", args[0], "views", args[1])
				bare := v
				bare.Tables = nil
				if brief {
					v.Tables, v.Digest = inShort(v), ""
				}
				return t.answer(err, bare, func() { t.printView(v) })
			})
		},
	})
	f := c.Flags()
	f.StringVar(&as, "as", "", "a side, or umpire (default what the public sees)")
	f.StringVar(&at, "at", "", "the state after this event")
	f.StringVar(&turn, "turn", "", "the state at the end of this turn")
	f.BoolVar(&brief, "short", false, "the last turn, and how it stands")
	return c
}

// printView prints a view's tables, and above them what is pending.
func (t *tool) printView(v timeline.View) {
	seen := "as the public sees it"
	if v.As != "public" {
		seen = "as seen by " + v.As
	}
	turn := ""
	if v.Turn != "" {
		turn = " (" + v.Turn + ")"
	}
	t.page.Text("%s: %s after #%d%s, %s", v.Campaign, v.Projection, int64(v.Events)-1, turn, seen)
	t.page.Text("%s, edition %s", v.Title, v.Edition)
	if v.Incomplete != "" {
		t.page.Text("%s", v.Incomplete)
	}
	if v.Pending != nil {
		t.page.Flow("Pending ", "  ", pendingIn(*v.Pending)...)
	}
	for _, table := range v.Tables {
		t.table(table)
	}
	if v.Digest != "" {
		t.page.Line("")
		t.page.Flow("", "", terminal.Faint(fmt.Sprintf("digest %s", v.Digest)))
	}
}

func (t *tool) table(table document.Plain) {
	t.page.Line("")
	if len(table.Rows) == 0 {
		t.page.Text("%s: none yet.", table.Title)
		return
	}
	t.page.Flow("", "", terminal.Bold(table.Title))
	table.Title = ""
	t.page.Block("", table.String())
}
