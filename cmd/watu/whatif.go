package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

func (t *tool) whatIfCommand() *cobra.Command {
	s, at := timeline.WhatIfRequest{}, ""
	c := t.orJSON(&cobra.Command{
		Use: "whatif CAMPAIGN [--at EVENT] --change '…'", Short: "Play a campaign again with something changed, " +
			"beside the record", Args: takes("CAMPAIGN"),
		Long: "Hear the commands of a campaign again, from the one behind an event on, with\n" +
			"something changed, and say what would have been different. Dice and cards are\n" +
			"those of the record wherever the same roll or draw is called for; others fall by\n" +
			"a seed of their own, never by the campaign's. Nothing is recorded. It is for\n" +
			"whoever holds the ledger: all that its umpire knows is used, and secrets are\n" +
			"shown with --as umpire alone.\n\n" +
			"A change is one of:\n" +
			"  die #57 = 3 5              how the dice of an event fell\n" +
			"  card #63 = asw             the card played there, or all that were drawn\n" +
			"  option tiers = cumulative  an option of the rules, from there on\n" +
			"  ruling #70 = exclusive     what the umpire ruled\n" +
			"  edition 2                  the edition of the rules, from there on\n" +
			"  entry #57: {asw: 34}       fields of an entry, as in a correction\n" +
			"  without #57                the entry behind the event is not heard",
		Example: "  watu whatif atlantic-1939 --change 'die #57 = 6 6'\n  watu whatif straits-1942 --at 9 --change " +
			"'option tiers = cumulative'",
		RunE: func(c *cobra.Command, args []string) error {
			if at != "" {
				event, err := eventNumber(at)
				if err != nil {
					return err
				}
				s.At = event
			}
			return ask(t, c, post(s, "campaigns", args[0], "whatif"), t.printSupposed)
		},
	})
	f := c.Flags()
	f.StringVar(&at, "at", "", "play again from the command behind this event on (default the first that a "+
		"change names)")
	f.StringArrayVar(&s.Changes, "change", []string{}, "what is otherwise; may be given again")
	f.StringVar(&s.Seed, "seed", "1", "of the dice and cards that the record does not have")
	f.StringVar(&s.As, "as", "public", "public, or umpire to see secrets too")
	return c
}

// mostDiffering is how many differences a page lists.
const mostDiffering = 40

func (t *tool) printSupposed(s timeline.WhatIfResult) {
	seen := "as the public sees it"
	if s.As != "public" {
		seen = "as seen by the umpire"
	}
	t.page.Flow("", "", terminal.Bold("HYPOTHETICAL: nothing of this is recorded."))
	from := fmt.Sprintf("#%d", s.From)
	if s.Turn != "" {
		from += " (" + s.Turn + ")"
	}
	t.page.Text("%s played again from %s on, %s; new dice by the seed %s", s.Campaign, from, seen, s.Seed)
	t.page.Text("%s, edition %s", s.Title, s.Edition)
	for _, change := range s.Changes {
		t.page.Flow("  supposed: ", "            ", terminal.Bold(change))
	}
	t.page.Text("%s of the record heard again; %s, and %d in the record.", words.Count(s.Heard, "command"),
		words.Count(s.Events, "event"), s.Recorded)
	if s.First == nil {
		t.page.Heading("Nothing would have been different.")
		t.printBeside(s)
		return
	}
	t.page.Heading("The first that differs")
	if s.First.Event != nil {
		t.differing(*s.First.Event)
	} else {
		t.unheard(*s.First.Command)
	}
	list := s.Unheard
	if s.First.Command != nil && list[0].Command == s.First.Command.Command {
		list = list[1:]
	}
	if len(list) > 0 {
		t.page.Heading("Commands that come to nothing, or not to their end")
	}
	for _, u := range list {
		t.unheard(u)
	}
	t.printDiffering(s)
	if len(s.Fresh) > 0 {
		t.page.Heading("New dice and cards, hypothetical, by the seed %s", s.Seed)
	}
	for _, l := range s.Fresh {
		t.page.event(l, "")
	}
	if s.Waiting != nil {
		t.page.Heading("Open at the end")
		t.page.Flow(indexed(s.Waiting.Index), "      ", terminal.Plain(s.Waiting.Of+": "+s.Waiting.Question))
	}
	t.printBeside(s)
}

// printDiffering prints the events that differ behind the first.
func (t *tool) printDiffering(s timeline.WhatIfResult) {
	list := s.Differences
	if s.First.Event != nil && len(list) > 0 {
		list = list[1:]
	}
	if len(list) > 0 {
		t.page.Heading("Events that differ")
	}
	for i, d := range list {
		if i == mostDiffering {
			t.page.Text("… and %d more; --json tells all.", len(list)-i)
			return
		}
		t.differing(d)
	}
}

const hangIs = "               "

// differing prints an event of the record and the one in its place.
func (t *tool) differing(d timeline.EventDifference) {
	tell := func(whose string, l *timeline.NarratedEvent) {
		if l == nil {
			t.page.Flow(fmt.Sprintf("%-8s       ", whose), hangIs, terminal.Faint("nothing"))
			return
		}
		t.page.Flow(fmt.Sprintf("%-8s%6s ", whose, fmt.Sprintf("#%d", l.Index)), hangIs, terminal.Plain(l.Text))
	}
	tell("record", d.Recorded)
	tell("what if", d.Hypothetical)
	list := d.Figures
	if len(list) == 0 {
		list = d.Reasons
	}
	for _, f := range append(list[:len(list):len(list)], d.Secrets...) {
		t.page.Flow(hangIs, hangIs+"  ", terminal.Faint(strings.ReplaceAll(f.Field, "_", " ")+":"),
			terminal.Plain(orNone(f.Recorded)), terminal.Faint("->"), terminal.Bold(orNone(f.Hypothetical)))
	}
}

func (t *tool) unheard(u timeline.FailedCommand) {
	say := u.Say
	switch {
	case u.Why == "refused" && say == "":
		say = "refused"
	case u.Why == "open":
		say = fmt.Sprintf("stops at a question that the record does not answer: %s: %s What it led to stands so far.",
			u.Waiting.Of, u.Waiting.Question)
	}
	for _, v := range u.Violations {
		if v.Message != "" {
			say += ": " + v.Message
		}
	}
	runs := []terminal.Run{terminal.Plain(fmt.Sprintf("%s (%s):", u.Command, u.Verb)), terminal.Plain(say)}
	for _, v := range u.Violations {
		if v.Rule != rules.Input {
			runs = append(runs, terminal.Faint("["+rules.Titled(v.Rule)+"]"))
		}
	}
	t.page.Flow(indexed(u.Event), "      ", runs...)
}

// printBeside sets the views of the record beside those of the hypothesis.
func (t *tool) printBeside(s timeline.WhatIfResult) {
	for _, v := range s.Views {
		if len(v.Rows) == 0 {
			t.page.Heading("%s at the end: the same", sentenceCase(v.Projection))
			continue
		}
		t.page.Heading("%s at the end, recorded and HYPOTHETICAL", sentenceCase(v.Projection))
		table := document.Plain{Columns: []string{"Table", "Of", "", "Recorded", "What if"}}
		last := ""
		for _, r := range v.Rows {
			title := r.Table
			if title == last {
				title = ""
			}
			last = r.Table
			table.Rows = append(table.Rows, []string{title, r.Row, r.Column, orNone(r.Recorded),
				orNone(r.Hypothetical)})
		}
		t.page.Block("", table.String())
	}
	t.page.Line("")
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("HYPOTHETICAL, seed %s: nothing of this is recorded.", s.Seed)))
}

// sentenceCase begins a word with a capital.
func sentenceCase(word string) string {
	if word == "" {
		return word
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
