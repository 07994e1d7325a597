package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/office"
	"github.com/watu-ledger/watu/replay"
)

func (t *tool) correctCommand() *cobra.Command {
	file, asJSON := "", false
	c := &cobra.Command{
		Use: "correct CAMPAIGN EVENT -f correction.yaml", Short: "Correct the inputs of an earlier entry", Args: takes("CAMPAIGN", "EVENT"),
		Long: "Correct the inputs of the entry behind an event: a figure mistyped, a modifier\n" +
			"forgotten, a raider left out. The dice recorded are kept unless the correction\n" +
			"says otherwise, the result is derived again, and the original stays visible.\n" +
			"What was recorded since and would come out otherwise is listed.",
		Example: "  watu correct atlantic-1939 57 -f correction.yaml\n\n" +
			"  reason: the umpire read 34 factors as 43\n  code: mistyped\n  replace:\n    submarine warfare: {asw: 34}\n\n" +
			"  dice: thrown again                # or, with replace or alone:\n" +
			"  dice: {57: [[3, 4], [6, 1]]}      # as they fell at the table, by event\n  seen by: Anna",
		RunE: func(c *cobra.Command, args []string) error {
			event, err := eventNumber(args[1])
			if err != nil {
				return err
			}
			if file == "" {
				return input("say what was wrong in a file: -f correction.yaml")
			}
			name, text, err := t.readFile(file)
			if err != nil {
				return err
			}
			return t.with(c.Context(), "correct", false, func(o *office.Client) error {
				var done office.Corrected
				if err := o.Post(c.Context(), office.Amendment{Event: event, Name: name, Text: text}, &done, "campaigns", args[0], "corrections"); err != nil {
					return err
				}
				if asJSON {
					return t.json(done)
				}
				t.tellCorrected(done)
				return nil
			})
		},
	}
	c.Flags().StringVarP(&file, "file", "f", "", "correction; - for standard input")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (t *tool) tellCorrected(done office.Corrected) {
	if done.Again {
		t.page.Text("The correction stands already; nothing is recorded.")
		return
	}
	t.page.happened(done.Happened)
	t.tellLater(done.Campaign, done.Later)
}

// tellLater lists what a correction leaves as it was, and what to do about it: an event once, with
// its figures. Steps of its derivation are told only where nothing else of it is otherwise.
func (t *tool) tellLater(campaign string, later []office.Outdated) {
	if len(later) == 0 {
		return
	}
	t.page.Heading("Recorded since, and otherwise by what stands now")
	var own []office.Outdated
	for i, x := range later {
		if own = append(own, x); i+1 == len(later) || later[i+1].Event != x.Event {
			t.tellOutdated(own)
			own = nil
		}
	}
	t.page.Text("These stand as recorded until they are heard again: watu correct %s %d -f FILE, where FILE needs no more than reason: and code:.", campaign, later[0].Event)
}

func (t *tool) tellOutdated(list []office.Outdated) {
	t.page.Flow(fmt.Sprintf("%6s ", fmt.Sprintf("#%d", list[0].Event)), "       ", terminal.Plain(list[0].Text))
	reason := func(x office.Outdated) bool { return strings.HasPrefix(x.Field, "derivation[") }
	figures := slices.DeleteFunc(slices.Clone(list), reason)
	if len(figures) == 0 {
		figures = list
	}
	for _, x := range figures {
		rule := ""
		if x.Rule != "" {
			rule = "[" + x.Rule + "]"
		}
		said := fmt.Sprintf("%s: recorded %s, would be %s", x.Field, x.Recorded, x.Derived)
		if x.Field == "event" {
			said = otherCourse(x.Finding)
		}
		t.page.Flow("       ", "         ", terminal.Plain(said), terminal.Faint(rule))
	}
}

// otherCourse says how what follows from an entry would go on otherwise from an event on.
func otherCourse(x replay.Finding) string {
	const nothing = "nothing more"
	switch {
	case x.Derived == nothing:
		return "would not happen; nothing would come in its place"
	case x.Recorded == nothing:
		return "would not be the last: " + x.Derived + " would follow"
	}
	return "would not happen here; next would come: " + x.Derived
}

// eventNumber reads "57" or "#57".
func eventNumber(text string) (uint64, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 64)
	if err != nil {
		return 0, input("an event is named by its index, such as 57, not %q", text)
	}
	return n, nil
}
