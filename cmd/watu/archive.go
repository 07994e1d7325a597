package main

import (
	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
)

func (t *tool) campaignArchiveCommand() *cobra.Command {
	return t.archiving("archive", "Have a campaign stand apart in lists",
		"Have a campaign that is over stand apart, behind the others, wherever campaigns\n"+
			"are listed. Its page and the front page say Final, and how the sides stood.\n"+
			"It is read, verified and played as ever: this is a note of whoever keeps the\n"+
			"ledger, and nothing of the game. watu campaign unarchive takes it back.",
		true, "is archived: it stands apart in lists.", "is archived already.")
}

func (t *tool) campaignUnarchiveCommand() *cobra.Command {
	return t.archiving("unarchive", "Have an archived campaign stand among the others again",
		"Have a campaign that was archived stand among the others again.",
		false, "is among the others again.", "is not archived.")
}

func (t *tool) archiving(verb, short, long string, apart bool, done, already string) *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: verb + " CAMPAIGN", Short: short, Args: takes("CAMPAIGN"), Long: long,
		RunE: func(c *cobra.Command, args []string) error {
			way := post(api.Archiving{Archived: apart}, "campaigns", args[0], "archive")
			return ask(t, c, way, func(a api.Archived) {
				said := done
				if !a.Changed {
					said = already
				}
				t.page.Text("Campaign %s %s", a.Campaign.Name, said)
			})
		},
	})
}
