package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

func (t *tool) undoCommand() *cobra.Command {
	reason, list := "", false
	c := t.orJSON(&cobra.Command{
		Use: "undo CAMPAIGN [EVENT]", Short: "Take back an honest slip", Args: cobra.RangeArgs(1, 2),
		Long: "Take back the last act, or the one behind an event and all that came after it:\n" +
			"an entry with the answers to what it asked, a correction, a ruling with what it\n" +
			"ordered, or an undo, whose event must be named. An act that revealed\n" +
			"something cannot be taken back, nor anything before it: a die fell, a card was\n" +
			"drawn, a secret was opened, an option was ruled on, a turn began, something was\n" +
			"said in a dispute. What somebody has seen is corrected (watu correct) or\n" +
			"disputed (watu dispute). Nothing is deleted: the events stay where they are\n" +
			"and no longer stand.",
		Example: "  watu undo atlantic-1939 --list\n  watu undo atlantic-1939 --reason 'the wrong box'\n" +
			"  watu undo atlantic-1939 57 --reason 'it was the right box'   # an undo",
		RunE: func(c *cobra.Command, args []string) error {
			if list {
				return ask(t, c, get("campaigns", args[0], "slips"), t.printUndoable)
			}
			u := service.Undo{Reason: reason}
			if len(args) == 2 {
				event, err := eventNumber(args[1])
				if err != nil {
					return err
				}
				u.Event = &event
			}
			if err := explained(reason); err != nil {
				return err
			}
			return ask(t, c, post(u, "campaigns", args[0], "undo"), t.printUndone)
		},
	})
	f := c.Flags()
	f.StringVar(&reason, "reason", "", "why, in a sentence")
	f.BoolVar(&list, "list", false, "say what can be undone")
	return c
}

// explained refuses an act without a reason.
func explained(reason string) error {
	if strings.TrimSpace(reason) == "" {
		return input("say why, with --reason: the others will read it")
	}
	return nil
}

// printUndone says what was taken back, and how to go on.
func (t *tool) printUndone(done service.Undone) {
	t.page.happened(done.Happened)
	if len(done.Restored) > 0 {
		t.page.Heading("Stands again")
		t.page.turn = ""
		t.page.happened(done.Restored)
	}
	t.printUnfinished(done.Unfinished)
	for _, d := range done.Disputes {
		t.page.Text("To rule anew: watu dispute rule %s %d --VERDICT --reason TEXT.", done.Campaign, d)
	}
	if len(done.Entries) > 0 {
		t.page.Text("An entry that is submitted again in a file needs an id of its own.")
	}
}

func (t *tool) printUndoable(s service.UndoableActs) {
	if len(s.UndoableActs) == 0 {
		t.page.Text("Nothing can be undone: the last act revealed something.")
	}
	for _, x := range s.UndoableActs {
		t.page.Flow(fmt.Sprintf("%6s ", fmt.Sprintf("#%d", x.Event)), "       ", terminal.Plain(x.Text),
			terminal.Faint("["+x.Command+"]"))
	}
}
