package main

import (
	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
)

func (t *tool) campaignArchiveCommand() *cobra.Command {
	return t.archiving("archive", "Have a campaign stand apart in lists",
		"Have a campaign stand apart, behind the others, wherever campaigns are listed.\n"+
			"It is read, verified and played as ever: this is a note of whoever keeps the\n"+
			"ledger, and nothing of the game. watu campaign unarchive takes it back.",
		true, "archived: it stands apart in lists")
}

func (t *tool) campaignUnarchiveCommand() *cobra.Command {
	return t.archiving("unarchive", "Have an archived campaign stand among the others again",
		"Have a campaign that was archived stand among the others again.", false, "among the others again")
}

func (t *tool) archiving(verb, short, long string, apart bool, said string) *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: verb + " CAMPAIGN", Short: short, Args: takes("CAMPAIGN"), Long: long,
		RunE: func(c *cobra.Command, args []string) error {
			way := post(api.Archiving{Archived: apart}, "campaigns", args[0], "archive")
			return ask(t, c, way, func(done api.Archived) {
				so := ""
				if !done.Changed {
					so = " already"
				}
				t.page.Text("Campaign %s is%s %s.", done.Campaign.Name, so, said)
			})
		},
	})
}
