package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

func (t *tool) serveCommand() *cobra.Command {
	listen := ""
	c := &cobra.Command{
		Use: "serve", Short: "Hold the ledger and answer the other commands until Ctrl-C", Args: cobra.NoArgs,
		Long: "Hold the ledger's directory and answer the other commands on its socket. NATS\n" +
			"listens nowhere unless --nats-listen asks; whoever connects may read and\n" +
			"follow, and publish nothing.",
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := t.directory()
			if err != nil {
				return err
			}
			f, err := office.Hold(c.Context(), dir, office.Options{Holder: "watu serve", Listen: listen, Begin: true, Say: t.say})
			if err != nil {
				return err
			}
			return t.closed(t.serve(c.Context(), f), f.Close)
		},
	}
	c.Flags().StringVar(&listen, "nats-listen", "", "host:port where NATS listens for followers; port 0 for any")
	return c
}

// serve answers until ctx ends, having said where, and what start-up found.
func (t *tool) serve(ctx context.Context, f *office.Office) error {
	return f.Serve(ctx, func(socket string) {
		s := f.Standing()
		t.page.line("ledger  " + s.Ledger)
		t.page.line("in      " + printable(s.Directory))
		t.page.line("socket  " + printable(socket))
		t.page.flow("stream  ", "        ", words{s.Stream, inkPlain})
		if s.NATS != "" {
			t.page.line("nats    " + s.NATS)
		} else {
			t.page.line("nats    in this process alone; --nats-listen ADDR lets others follow")
		}
		t.page.line("serving until Ctrl-C")
	})
}
