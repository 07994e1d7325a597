package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) followCommand() *cobra.Command {
	once := false
	c := &cobra.Command{
		Use: "follow [LEDGER]", Short: "Keep a read-only copy of another host's ledger", Args: cobra.MaximumNArgs(1),
		Long: "Keep a copy of a ledger, made from its stream: the same events with the same\n" +
			"hashes, and the same public views. It holds no secrets: hands stay with the\n" +
			"host. While it follows, the other commands read it over its socket. LEDGER is\n" +
			"the ULID that the host's watu serve prints; without it the server has to have\n" +
			"one ledger's stream. Followed again, the copy goes on where it stopped, at the\n" +
			"server that it followed last unless --nats names another.",
		Example: "  watu follow --nats nats://host:4222 --dir copy\n  watu follow --dir copy",
		RunE: func(c *cobra.Command, args []string) error {
			name := ""
			if len(args) > 0 {
				name = args[0]
			}
			return t.follow(c.Context(), name, once)
		},
	}
	c.Flags().BoolVar(&once, "once", false, "copy what the stream has now, and exit")
	c.Flags().BoolVar(&t.asJSON, "json", false, "with --once: print JSON")
	return c
}

func (t *tool) follow(ctx context.Context, name string, once bool) error {
	dir, o, err := t.opening("follow")
	if err != nil {
		return err
	}
	if t.asJSON && !once {
		return input("--json goes with --once; of a follower that runs, watu status --json tells")
	}
	f, err := service.New(maintenance.Follow(ctx, dir, name, o))
	if err != nil {
		return err
	}
	if once {
		return t.closed(t.copyOnce(ctx, f), f.Close)
	}
	return t.closed(t.copyOn(ctx, f), f.Close)
}

// copyOnce brings the copy up to date.
func (t *tool) copyOnce(ctx context.Context, f *service.Service) error {
	if err := f.Copy(ctx, true); err != nil {
		return err
	}
	s := f.Standing()
	if t.asJSON {
		return t.json(s)
	}
	list, err := f.Campaigns()
	if err != nil {
		return err
	}
	t.page.Text("%s, %d of them new, copied from %s.", words.Count(s.Durable, "event"), s.Following.Adopted,
		s.Following.From)
	var heads []maintenance.CampaignHead
	for _, c := range list.All() {
		heads = append(heads, maintenance.CampaignHead{Name: c.Name, ID: c.ID, Events: c.Events, Head: c.Head})
	}
	t.printHeads(heads)
	return nil
}

// copyOn follows and serves until ctx ends, or the copy cannot go on.
func (t *tool) copyOn(ctx context.Context, f *service.Service) error {
	late, spare := f.Requests()
	defer spare()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := f.Copy(ctx, false); err != nil && f.Failed() == nil {
			cancel(err) // a copy whose disk has failed can still be read
		}
	}()
	held := func(s service.Status) string {
		return fmt.Sprintf("%s here already", words.Count(s.Durable, "event"))
	}
	err := t.serve(ctx, f, nil, held, "")
	cancel(nil)
	select {
	case <-done:
	case <-late.Done():
	}
	if cause := context.Cause(ctx); err == nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}
