package main

import (
	"context"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) importCommand() *cobra.Command {
	head := ""
	c := t.orJSON(&cobra.Command{
		Use: "import FILE.watu", Short: "Make a read-only campaign of a file", Args: takes("FILE.watu"),
		Long: "Verify a file of watu export and put its campaign into the ledger, with the same\n" +
			"events and hashes. It can be read like any other (log, show, explain), and not\n" +
			"be played on: its dice to come are known to its host alone. Secrets are shown to\n" +
			"whom the file was for.",
		Example: "  watu import atlantic.watu --dir second-opinion",
		RunE: func(c *cobra.Command, args []string) error {
			file, err := t.readRecord(args[0]) // before a ledger is begun for it
			if err != nil {
				return err
			}
			if head, err = terminal.Head(head); err != nil {
				return input("--head: %v", err)
			}
			b := file.Encode() // as it was read: there is one form
			return t.with(c.Context(), "import", true, func(o *api.Client) error {
				return t.importRecord(c.Context(), o, b, head)
			})
		},
	})
	c.Flags().StringVar(&head, "head", "", "`hash` of an event, or a file with a checkpoint, known from elsewhere")
	return c
}

func (t *tool) importRecord(ctx context.Context, o *api.Client, b []byte, head string) error {
	var done service.Imported
	err := o.Upload(ctx, b, &done, url.Values{"head": {head}}, "imports")
	return t.answer(err, done, func() { t.printImported(done, head) })
}

func (t *tool) printImported(done service.Imported, head string) {
	c := done.Campaign
	if done.Events == 0 {
		t.page.Text("Campaign %s is here already, with the same head: %s.", c.Name, words.Count(c.Events, "event"))
	} else {
		t.page.Text("Campaign %s is here, read-only: %s, %s edition %s, from a file for %s.", c.Name,
			words.Count(c.Events, "event"), c.Title, c.Edition, terminal.Reader(done.For))
	}
	t.page.Text("Its head is")
	t.page.Line("  " + c.Head.String())
	if head == "" {
		t.page.Text("That it is the campaign that was played is for you to know: compare the head with what " +
			"its host says.")
	}
	t.page.Text("Next: watu log %s", c.Name)
}
