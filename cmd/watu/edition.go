package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

func (t *tool) editionCommand() *cobra.Command {
	return group(&cobra.Command{
		Use: "edition", Short: "List the editions of rules, and move a campaign to another",
	}, t.editionListCommand(), t.editionMoveCommand())
}

func (t *tool) editionListCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "list SYSTEM|CAMPAIGN", Short: "List the editions of a system of rules, and what sets them apart",
		Args: takes("SYSTEM|CAMPAIGN"),
		Long: "List the editions of a system of rules (" + timeline.Systems() + "), or of\n" +
			"those of a campaign, with the readings in which each differs from the first, and\n" +
			"which of them the campaign was and is played on. Those of a system need no\n" +
			"ledger.",
		RunE: func(c *cobra.Command, args []string) error {
			named := func(s rules.System) bool { return strings.EqualFold(s.Name, args[0]) }
			if s, ok := rules.Find(all.Systems(), named); ok {
				list := timeline.SystemEditions(s)
				return t.answer(nil, &list, func() { t.printEditions(list) })
			}
			return ask(t, c, get("editions", args[0]), t.printEditions)
		},
	})
}

func (t *tool) printEditions(list timeline.Editions) {
	if list.Campaign != "" {
		t.page.Text("%s: %s, %s", list.Campaign, list.Title, playedOn(list.Played))
	}
	for i, e := range list.Editions {
		if i > 0 || list.Campaign != "" {
			t.page.Line("")
		}
		t.page.Flow("", "", terminal.Bold(e.Title))
		if e.Note != "" {
			t.page.Flow("  ", "  ", terminal.Plain(e.Note))
		}
		t.page.Line("  " + e.Hash.String())
		for _, o := range e.Apart {
			t.page.Flow("  "+o.Option+": ", "    ", terminal.Plain(fmt.Sprintf("%s, not %s: %s", o.Value, o.First,
				o.Meaning)), terminal.Faint("["+o.Ambiguity+"]"))
		}
	}
}

func (t *tool) editionMoveCommand() *cobra.Command {
	var n replay.NewEdition
	c := t.orJSON(&cobra.Command{
		Use: "move CAMPAIGN --to EDITION --reason WHY", Short: "Play a campaign on another edition from here on",
		Args: takes("CAMPAIGN"),
		Long: "Record the umpire's ruling that the campaign goes on by another edition of its\n" +
			"rules. The readings that it has from its old edition are the new one's from\n" +
			"here on; one that it was opened with otherwise, or that the umpire ruled on,\n" +
			"stays. What was judged stays judged. watu audit CAMPAIGN --edition EDITION\n" +
			"says what would have come out otherwise.",
		Example: "  watu edition move two-oceans --to 8 --reason 'the players have the later text'",
		RunE: func(c *cobra.Command, args []string) error {
			return ask(t, c, post(n, "campaigns", args[0], "edition"), func(done service.Moved) {
				t.page.happened(done.Happened)
			})
		},
	})
	f := c.Flags()
	f.StringVar(&n.To, "to", "", "number of the edition")
	f.StringVar(&n.Reason, "reason", "", "why, in a sentence")
	f.StringVar(&n.Seat, "as", "", "seat that says so (default umpire)")
	return c
}
