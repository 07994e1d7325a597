package main

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) campaignBoardCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "board CAMPAIGN", Short: "List the territories and sea zones of a campaign's board",
		Args: takes("CAMPAIGN"),
		Long: "List what is on the board that a campaign is played on, as its files have it:\n" +
			"the territories with their owners, what they are worth, what stands there, and\n" +
			"what touches them; then the sea zones. Who holds what now is in\n" +
			"watu show CAMPAIGN situation.",
		Example: "  watu campaign board two-oceans",
		RunE: func(c *cobra.Command, args []string) error {
			return ask(t, c, get("campaigns", args[0], "board"), t.printBoard)
		},
	})
}

func (t *tool) printBoard(b timeline.Spaces) {
	if b.Title == "" {
		t.page.Text("%s: no board is here.", b.Campaign)
		return
	}
	t.page.Text("%s is played on the board %s.", b.Campaign, b.Title)
	for _, part := range []struct {
		title  string
		places []timeline.Place
	}{{"Territories", b.Territories}, {"Sea zones", b.SeaZones}} {
		t.page.Heading("%s", part.title)
		for _, p := range part.places {
			var says []string
			if p.Owner != "" {
				says = append(says, p.Owner)
			}
			if p.IPCs > 0 {
				says = append(says, words.Count(p.IPCs, "IPC"))
			}
			if p.Capital != "" {
				says = append(says, "capital of "+p.Capital)
			}
			if says = append(says, p.Marks...); len(says) > 0 {
				says = []string{strings.Join(says, ", ") + "."}
			}
			says = append(says, "Beside "+words.And(p.Beside)+".")
			t.page.Flow("", "  ", terminal.Bold(p.Name+":"), terminal.Plain(strings.Join(says, " ")))
		}
	}
}

func (t *tool) campaignAliasesCommand() *cobra.Command {
	var file string
	c := t.orJSON(&cobra.Command{
		Use: "aliases CAMPAIGN -f FILE", Short: "Add names for the powers and spaces of a campaign's board",
		Args: takes("CAMPAIGN"),
		Long: "Add names for the powers and spaces of the board that a campaign is played on.\n" +
			"FILE is an alias file: a name a line, such as\n\n" +
			"  space Ostland = Baltic States\n" +
			"  zone Z# = # Sea Zone\n\n" +
			"What stands behind = is any name that the board has. The names are an event of\n" +
			"the record and count from there on; what is printed keeps the names that it has.\n" +
			"It is an entry as in a turn file, {aliases: [LINE, …]}: it can be corrected and\n" +
			"undone. A line that names nothing, or that stands for something else already, is\n" +
			"refused, and with it the file.",
		Example: "  watu campaign aliases convoys -f names.txt",
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" {
				return input("name the file with -f FILE: it has a line for each name, such as space Ostland = " +
					"Baltic States")
			}
			name, text, err := t.readText(file)
			if err != nil {
				return err
			}
			return t.with(c.Context(), "campaign aliases", false, func(o *api.Client) error {
				var played timeline.Campaign
				if err := o.Get(c.Context(), &played, "campaigns", args[0]); err != nil {
					return err
				}
				if played.Board == nil {
					return input("campaign %s is played without a board: it has no names to add to", played.Name)
				}
				s := submission{campaign: args[0], file: file}
				done, late := t.submitted(c.Context(), o, s, service.Submission{Name: name, Text: aliasEntry(text),
					Entry: true})
				if late != nil {
					return late
				}
				if t.asJSON {
					if err := t.json(done); err != nil {
						return err
					}
				}
				return t.stopped(done)
			})
		},
	})
	c.Flags().StringVarP(&file, "file", "f", "", "alias file; - for standard input")
	return c
}

// aliasEntry is the entry that adds the names of an alias file. Each stands on its line of the file.
func aliasEntry(text string) string {
	var entry strings.Builder
	entry.WriteString(`{"aliases": [`)
	comma := ""
	for line := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			item, _ := json.Marshal(line) // of a text: it cannot fail
			entry.WriteString(comma + string(item))
			comma = ", "
		}
		entry.WriteString("\n")
	}
	entry.WriteString("]}")
	return entry.String()
}
