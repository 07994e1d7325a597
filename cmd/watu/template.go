package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

func (t *tool) templateCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "template CAMPAIGN", Short: "Write a turn file to fill in", Args: takes("CAMPAIGN"),
		Long: "Write a turn file for a campaign as it stands: the turn that goes on or begins,\n" +
			"the question that is open, and each entry that the rules know, as a comment with\n" +
			"an example and its keys, in the names of this campaign. Nothing in it is entered\n" +
			"before a # is taken away.",
		Example: "  watu template atlantic-1939 > winter-1941.yaml\n" +
			"  watu submit atlantic-1939 winter-1941.yaml --check",
		RunE: func(c *cobra.Command, args []string) error {
			return ask(t, c, get("campaigns", args[0], "template"), func(x service.Template) {
				_, _ = io.WriteString(t.out, x.Text)
			})
		},
	})
}
