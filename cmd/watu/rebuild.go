package main

import (
	"context"
	"net/http"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) rebuildCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "rebuild", Short: "Drop the views and build them again from the record", Args: cobra.NoArgs,
		Long: "Drop the views, build them again from the record, and print the digest of\n" +
			"each. The same record gives the same lines on any machine. Exit code 3: the\n" +
			"views that were live until now had other digests.",
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(c.Context(), "rebuild", false, func(o *api.Client) error {
				built, err := t.rebuild(c.Context(), o)
				if built == nil {
					return err
				}
				if t.asJSON {
					if failed := t.json(built); failed != nil {
						return failed
					}
					return err
				}
				t.printDigests(built)
				return err
			})
		},
	})
}

// rebuild gives the digests of the views built anew; the error may come beside them.
func (t *tool) rebuild(ctx context.Context, o *api.Client) (built *maintenance.Rebuilt, err error) {
	bar := t.progress("rebuilding", long)
	defer bar.end()
	return api.WithProgress(ctx, o, http.MethodPost, nil, nil, seen[maintenance.Rebuilt](bar), "rebuild")
}

// printDigests prints nothing that varies: two people compare these lines.
func (t *tool) printDigests(built *maintenance.Rebuilt) {
	if len(built.Digests) == 0 {
		t.page.Text("There is no campaign, so there is nothing to build.")
	}
	last := ""
	for _, d := range built.Digests {
		if d.Campaign != last {
			t.page.Text("%s, %s (%s)", d.Campaign, words.Count(d.Events, "event"), d.ID)
			last = d.Campaign
		}
		t.page.Flow("  ", "  ", terminal.Plain(d.Projection))
		t.page.Flow("    ", "    ", terminal.Plain(d.Digest))
	}
}
