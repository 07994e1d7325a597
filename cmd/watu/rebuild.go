package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

func (t *tool) rebuildCommand() *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use: "rebuild", Short: "Drop the views and build them again from the record", Args: cobra.NoArgs,
		Long: "Drop the views, build them again from the record, and print the digest of\n" +
			"each. The same record gives the same lines on any machine. Exit code 3: the\n" +
			"views that were live until now had other digests.",
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(c.Context(), "rebuild", false, func(o *office.Client) error {
				built, err := t.rebuild(c.Context(), o)
				if built == nil {
					return err
				}
				if asJSON {
					if failed := t.json(built); failed != nil {
						return failed
					}
					return err
				}
				t.tellDigests(built)
				return err
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// long is the number of events from which a rebuild shows how far it is.
const long = 20_000

// rebuild gives the digests of the views built anew; the error may come beside them.
func (t *tool) rebuild(ctx context.Context, o *office.Client) (built *office.Rebuilt, err error) {
	var bar *progressbar.ProgressBar
	terminal := false
	if f, ok := t.err.(*os.File); ok {
		terminal = term.IsTerminal(int(f.Fd()))
	}
	err = o.Lines(ctx, http.MethodPost, nil, func(line json.RawMessage) error {
		var r office.Rebuilding
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		if r.Total > long && terminal {
			if bar == nil {
				bar = progressbar.NewOptions64(int64(r.Total), progressbar.OptionSetWriter(t.err), progressbar.OptionSetWidth(40),
					progressbar.OptionSetDescription("rebuilding"), progressbar.OptionClearOnFinish())
			}
			_ = bar.Set64(int64(r.Done))
		}
		if r.Result != nil {
			built = r.Result
		}
		if r.Problem != nil {
			return r.Problem
		}
		return nil
	}, "rebuild")
	if bar != nil {
		_ = bar.Finish()
	}
	return built, err
}

// tellDigests prints nothing that varies: two people compare these lines.
func (t *tool) tellDigests(built *office.Rebuilt) {
	if len(built.Digests) == 0 {
		t.page.text("There is no campaign, so there is nothing to build.")
	}
	last := ""
	for _, d := range built.Digests {
		if d.Campaign != last {
			t.page.text("%s, %s (%s)", d.Campaign, plural(int(d.Events), "event"), d.ID)
			last = d.Campaign
		}
		t.page.flow("  ", "  ", words{d.Projection, inkPlain})
		t.page.flow("    ", "    ", words{d.Digest, inkPlain})
	}
}
