package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
)

func (t *tool) rulingsCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "rulings CAMPAIGN", Short: "Say how a campaign reads what its rules leave open", Args: takes("CAMPAIGN"),
		Long: "Print every option of the rules with its value now and where it comes from: the\n" +
			"edition, the opening of the campaign, or a ruling of the umpire; then the\n" +
			"rulings with their reasons, and the questions put to the umpire, answered or\n" +
			"open.",
		RunE: func(c *cobra.Command, args []string) error {
			return ask(t, c, get("campaigns", args[0], "rulings"), t.printRulings)
		},
	})
}

func (t *tool) printRulings(r timeline.Rulings) {
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("%s: %s, edition %s", r.Campaign, r.Title, r.Edition)))
	t.page.Line("")
	table := document.Plain{Columns: []string{"Option", "Now", "From", "Rule left open"}}
	for _, o := range r.Options {
		table.Rows = append(table.Rows, []string{o.Option, o.Value, originOf(o, r.Edition), o.Ambiguity})
	}
	t.page.Block("", table.String())
	if len(r.Rulings) > 0 {
		t.page.Heading("Rulings of the umpire")
	}
	for _, x := range r.Rulings {
		text := fmt.Sprintf("%s%s is %s, was %s", inTurn(x.Turn), x.Option, x.Value, x.Was)
		if x.Answers != 0 {
			text += fmt.Sprintf(", in answer to #%d", x.Answers)
		}
		t.page.Flow(indexed(x.Event), "      ",
			terminal.Plain(text+". Reason: "+x.Reason), terminal.Faint("["+x.Ambiguity+"]"))
	}
	if len(r.Moves) > 0 {
		t.page.Heading("Editions")
	}
	for _, m := range r.Moves {
		message := fmt.Sprintf("%sfrom edition %s to %s", inTurn(m.Turn), m.Was, m.Now)
		for _, o := range m.Options {
			message += fmt.Sprintf("; %s is %s", o.Name, o.Value)
		}
		t.page.Flow(indexed(m.Event), "      ", terminal.Plain(message+". Reason: "+m.Reason))
	}
	if len(r.Questions) > 0 {
		t.page.Heading("Questions to the umpire")
	}
	for _, q := range r.Questions {
		t.printQuestionAsked(q)
	}
	t.printDisputes("Disputes ruled on", r.Disputes)
}

// inTurn is the turn before what happened in it, and nothing before the first.
func inTurn(turn string) string {
	if turn == "" {
		return ""
	}
	return turn + ": "
}

// originOf says where an option's value comes from.
func originOf(o timeline.CurrentOption, edition string) string {
	switch o.From {
	case timeline.FromRuling:
		if o.Turn == "" {
			return fmt.Sprintf("ruled, #%d", o.Event)
		}
		return fmt.Sprintf("ruled in %s, #%d", o.Turn, o.Event)
	case timeline.FromOpening:
		if o.Default == "" {
			return "the opening"
		}
		return "the opening (else " + o.Default + ")"
	}
	return "edition " + edition
}

func (t *tool) printQuestionAsked(q timeline.QuestionAsked) {
	const hang = "      "
	t.page.Flow(indexed(q.Event), hang,
		terminal.Plain(fmt.Sprintf("%s, asked by %s: %s", q.Option, q.Entry, q.Question)),
		terminal.Faint("["+q.Ambiguity+"]"))
	for _, reading := range q.Readings {
		t.page.Flow(hang+"  ", hang+"    ", terminal.Plain(reading))
	}
	if q.Open {
		t.page.Flow(hang, hang, terminal.Bold("open: it waits for the umpire"))
		return
	}
	t.page.Flow(hang, hang, terminal.Plain(fmt.Sprintf("answered in #%d: %s", q.Answer, q.Value)))
}
