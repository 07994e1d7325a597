package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
	"github.com/watu-ledger/watu/projections"
)

func (t *tool) rulingsCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "rulings CAMPAIGN", Short: "Say how a campaign reads what its rules leave open", Args: takes("CAMPAIGN"),
		Long: "Print every option of the rules with its value now and where it comes from: the\n" +
			"edition, the opening of the campaign, or a ruling of the umpire; then the\n" +
			"rulings with their reasons, and the questions put to the umpire, answered or\n" +
			"open.",
		RunE: func(c *cobra.Command, args []string) error {
			return t.with(c.Context(), "rulings", false, func(o *office.Client) error {
				var r office.Rulings
				if err := o.Get(c.Context(), &r, "campaigns", args[0], "rulings"); err != nil {
					return err
				}
				if asJSON {
					return t.json(r)
				}
				t.tellRulings(r)
				return nil
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (t *tool) tellRulings(r office.Rulings) {
	t.page.flow("", "", words{fmt.Sprintf("%s: %s, edition %s", r.Campaign, r.Title, r.Edition), inkBold})
	t.page.line("")
	table := projections.Table{Columns: []string{"Option", "Now", "From", "Rule left open"}}
	for _, o := range r.Options {
		table.Rows = append(table.Rows, []string{o.Option, o.Value, originOf(o, r.Edition), o.Ambiguity})
	}
	t.page.block("", printable(table.String()))
	if len(r.Rulings) > 0 {
		t.page.heading("Rulings of the umpire")
	}
	for _, x := range r.Rulings {
		said := fmt.Sprintf("%s: %s is %s, was %s", x.Turn, x.Option, x.Value, x.Was)
		if x.Answers != 0 {
			said += fmt.Sprintf(", in answer to #%d", x.Answers)
		}
		t.page.flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", x.Event)), "      ", words{said + ". Reason: " + x.Reason, inkPlain}, words{"[" + x.Ambiguity + "]", inkFaint})
	}
	if len(r.Moves) > 0 {
		t.page.heading("Editions")
	}
	for _, m := range r.Moves {
		said := fmt.Sprintf("%s: from edition %s to %s", m.Turn, m.Was, m.Now)
		for _, o := range m.Options {
			said += fmt.Sprintf("; %s is %s", o.Name, o.Value)
		}
		t.page.flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", m.Event)), "      ", words{said + ". Reason: " + m.Reason, inkPlain})
	}
	if len(r.Questions) > 0 {
		t.page.heading("Questions to the umpire")
	}
	for _, q := range r.Questions {
		t.tellQuestionAsked(q)
	}
	t.tellDisputes("Disputes ruled on", r.Disputes)
}

// originOf says where an option's value comes from.
func originOf(o office.OptionNow, edition string) string {
	switch o.From {
	case office.FromRuling:
		return fmt.Sprintf("ruled in %s, #%d", o.Turn, o.Event)
	case office.FromOpening:
		if o.Default == "" {
			return "the opening"
		}
		return "the opening (else " + o.Default + ")"
	}
	return "edition " + edition
}

func (t *tool) tellQuestionAsked(q office.QuestionAsked) {
	const hang = "      "
	t.page.flow(fmt.Sprintf("%5s ", fmt.Sprintf("#%d", q.Event)), hang,
		words{fmt.Sprintf("%s, asked by %s: %s", q.Option, q.Entry, q.Question), inkPlain}, words{"[" + q.Ambiguity + "]", inkFaint})
	for _, reading := range q.Readings {
		t.page.flow(hang+"  ", hang+"    ", words{reading, inkPlain})
	}
	if q.Open {
		t.page.flow(hang, hang, words{"open: it waits for the umpire", inkBold})
		return
	}
	t.page.flow(hang, hang, words{fmt.Sprintf("answered in #%d: %s", q.Answer, q.Value), inkPlain})
}
