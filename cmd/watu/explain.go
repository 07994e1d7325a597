package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
)

func (t *tool) explainCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "explain CAMPAIGN EVENT", Short: "Say why an event is as it is", Args: takes("CAMPAIGN", "EVENT"),
		Long: "Print what an event rests on: the inputs, the declaration made before the\n" +
			"dice, the dice and the link that decided them, each modifier with its rule,\n" +
			"the printed table with the cells consulted in brackets, caps, the derivation,\n" +
			"the edition, and corrections.",
		RunE: func(c *cobra.Command, args []string) error {
			event, err := eventNumber(args[1])
			if err != nil {
				return err
			}
			what := get("campaigns", args[0], "events", strconv.FormatUint(event, 10), "explanation")
			return ask(t, c, what, func(x explain.Explanation) { t.page.Document(x.Document) })
		},
	})
}
