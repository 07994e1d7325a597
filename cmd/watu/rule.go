package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

func (t *tool) ruleCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "rule ID", Short: "Say what a rule says", Args: takes("ID"),
		Long: "Say what the id of a rule stands for: its title, the paragraph of its text, what\n" +
			"it asks in a sentence, an example, and the options that settle it where its text\n" +
			"is open. It needs no ledger.",
		Example: "  watu rule AAR-4-CAP\n  watu rule amb-aar-1",
		ValidArgsFunction: func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return completeRule(c, args, typed)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := timeline.FindRule(args[0])
			return t.answer(err, &r, func() { t.printRule(r.Rule) })
		},
	})
}

// completeRule gives the ids that begin as typed, with their titles.
func completeRule(_ *cobra.Command, _ []string, typed string) (list []string, _ cobra.ShellCompDirective) {
	for _, r := range rules.Requirements() {
		if strings.HasPrefix(r.ID, strings.ToUpper(typed)) {
			list = append(list, r.ID+"\t"+r.Title)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// printRule prints what a rule says.
func (t *tool) printRule(r timeline.Rule) {
	t.page.Flow("", "  ", terminal.Bold(rules.Titled(r.ID)))
	t.page.Flow("", "  ", terminal.Faint(r.Of+", "+r.Paragraph))
	if said := r.Marked(); said != "" {
		t.page.Flow("", "", terminal.Faint(said))
	}
	t.page.Line("")
	t.page.Flow("  ", "  ", terminal.Plain(r.Sentence))
	t.page.Line("")
	t.page.Flow("  ", "  ", terminal.Faint("Example:"), terminal.Plain(r.Example))
	for _, o := range r.Options {
		t.page.Line("")
		t.page.Flow("  ", "  ", terminal.Faint("Option"), terminal.Plain(o.Option+":"))
		for _, reading := range o.Readings {
			value := reading.Value
			if n := len(reading.Editions); n > 0 {
				value += " (" + words.Number(n, "edition ", "editions ") + words.And(reading.Editions) + ")"
			}
			t.page.Flow("    ", "      ", terminal.Plain(value+": "+reading.Meaning))
		}
	}
}
