package main

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/notify"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/projections/document"
)

func (t *tool) serveCommand() *cobra.Command {
	listen, guests, hook, door := "", 0, "", doorFlags{}
	c := &cobra.Command{
		Use: "serve", Short: "Hold the ledger and answer the other commands until Ctrl-C", Args: cobra.NoArgs,
		Long: "Hold the ledger's directory and answer the other commands on its socket. NATS\n" +
			"listens nowhere unless --nats-listen asks; whoever connects may read and\n" +
			"follow, and publish nothing. With --nats the stream is on another server: while\n" +
			"that is away, reading goes on, and steps end after fifteen seconds at most,\n" +
			"until it is back; if another host went on meanwhile, they do not begin again.",
		RunE: func(c *cobra.Command, _ []string) error {
			dir, o, err := t.opening("serve")
			if err != nil {
				return err
			}
			begun := maintenance.NotEmpty(dir)
			if err := listenable(listen, !begun); err != nil {
				return err
			}
			if o.NATS != "" && listen != "" {
				return input("--nats-listen is for the embedded server, and --nats (or $WATU_NATS) names another: " +
					"leave one of them out")
			}
			if guests < 1 {
				return input("--nats-guests takes a number from 1, not %d", guests)
			}
			o.Listen, o.Guests, o.Begin, o.Steps = listen, guests, true, true
			chat, err := t.chat(hook, door.log)
			if err != nil {
				return err
			}
			pages, taken := t.pages(door, false)
			if taken != nil && !begun {
				return taken // and no ledger is begun
			}
			f, err := service.New(maintenance.OpenWhenFree(c.Context(), dir, o))
			if err != nil { // that somebody holds the ledger says more than that he has the address
				return t.closed(err, pages.Close)
			}
			if taken != nil {
				return t.closed(taken, f.Close)
			}
			pages.Serve(f)
			notices := chat(f, pages)
			found := func(s service.Status) string { return s.Stream }
			err = t.closed(t.serve(c.Context(), f, pages, found, "; --nats-listen ADDR lets others follow"),
				pages.Close)
			notices.Close()
			return t.closed(err, f.Close)
		},
	}
	door.add(c)
	c.Flags().StringVar(&listen, "nats-listen", "", "host:port where NATS listens for followers; port 0 for any")
	c.Flags().StringVar(&hook, "notify", "", "`URL` of a webhook, as of a chat, that hears for whom campaigns wait")
	c.Flags().IntVar(&guests, "nats-guests", stream.DefaultGuests, "how many followers may be connected "+
		"there at a time")
	return c
}

// chat gives what begins to tell a webhook for whom campaigns wait; nothing where none is named.
func (t *tool) chat(hook, level string) (func(*service.Service, *web.Server) *notify.Notifier, error) {
	if hook == "" {
		return func(*service.Service, *web.Server) *notify.Notifier { return nil }, nil
	}
	to, err := notify.ParseURL(hook)
	if err != nil {
		return nil, input("--notify %v", err)
	}
	log, err := t.logger(level)
	return func(f *service.Service, pages *web.Server) *notify.Notifier {
		return notify.Begin(f, notify.Options{URL: to, Site: pages.Site(), Log: log})
	}, err
}

// listenable checks an address before anything is opened, and on request that it is free; empty is none.
func listenable(address string, free bool) error {
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
	if !free {
		return nil
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return &problem.Problem{Kind: problem.Failed, Message: fmt.Sprintf("cannot listen on %s: %v; choose another "+
			"address with --nats-listen", address, err)}
	}
	return l.Close()
}

// serve answers until ctx ends, after it printed where, and how stream and record stand. The hint
// says how others may follow.
func (t *tool) serve(ctx context.Context, f *service.Service, pages *web.Server, stream func(service.Status) string,
	hint string) error {
	f.RollDice(ulid.ULID{})
	return f.Serve(ctx, api.Owner(f), func(socket string) {
		s := f.Standing()
		t.page.Line("ledger  " + s.Ledger)
		t.page.Line("in      " + document.Printable(s.Directory))
		t.page.Line("socket  " + document.Printable(socket))
		t.printPublication(s, stream(s), hint)
		t.printPages(pages)
		t.page.Line("serving until Ctrl-C")
	})
}

// printPublication says where the stream is and how it stands.
func (t *tool) printPublication(s service.Status, stream, hint string) {
	t.page.labelled("stream", stream)
	switch {
	case s.Following != nil:
		t.page.labelled("follows", s.Following.From)
	case s.External:
		t.page.labelled("nats", s.NATS+", elsewhere")
	case s.NATS != "":
		t.page.Line("nats    " + s.NATS)
	case s.ReadOnly == "" && s.Stopped == "":
		t.page.Line("nats    in this process alone" + hint)
	}
	t.page.labelled("reading", s.ReadOnly)
	if l := s.Lease; l != nil {
		held := "held"
		if l.Lost {
			held = "was held"
		}
		held = fmt.Sprintf("generation %d, %s by %s until %s", l.Generation, held, l.Holder,
			l.Until.Format(time.RFC3339))
		t.page.labelled("lease", held)
	}
	t.page.labelled("stopped", s.Stopped)
	if s.Trouble != s.Stopped {
		t.page.labelled("trouble", s.Trouble)
	}
}
