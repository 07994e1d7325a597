package main

import (
	"context"
	"net"
	"strconv"

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
			if err := listenable(listen); err != nil {
				return err
			}
			dir, err := t.directory()
			if err != nil {
				return err
			}
			f, err := office.Hold(c.Context(), dir, office.Options{Holder: "watu serve", Listen: listen, Begin: true, Say: t.say})
			if err != nil {
				return err
			}
			found := func(s office.Ledger) string { return s.Stream }
			return t.closed(t.serve(c.Context(), f, found, "; --nats-listen ADDR lets others follow"), f.Close)
		},
	}
	c.Flags().StringVar(&listen, "nats-listen", "", "host:port where NATS listens for followers; port 0 for any")
	return c
}

// listenable checks an address before anything is opened; empty is none.
func listenable(address string) error {
	if address == "" {
		return nil
	}
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return input("--nats-listen takes host:port, not %q", address)
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return input("--nats-listen takes a port from 0 to 65535, not %q", port)
	}
	return nil
}

// serve answers until ctx ends, having said where, and how stream and record stand. The hint
// says how others may follow.
func (t *tool) serve(ctx context.Context, f *office.Office, stream func(office.Ledger) string, hint string) error {
	return f.Serve(ctx, func(socket string) {
		s := f.Standing()
		t.page.line("ledger  " + s.Ledger)
		t.page.line("in      " + printable(s.Directory))
		t.page.line("socket  " + printable(socket))
		t.page.flow("stream  ", "        ", words{stream(s), inkPlain})
		if s.NATS != "" {
			t.page.line("nats    " + s.NATS)
		} else {
			t.page.line("nats    in this process alone" + hint)
		}
		t.page.line("serving until Ctrl-C")
	})
}
