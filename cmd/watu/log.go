package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

func (t *tool) logCommand() *cobra.Command {
	from, to, turn, follow, asJSON := "", "", "", false, false
	c := &cobra.Command{
		Use: "log CAMPAIGN", Short: "Print the events of a campaign", Args: takes("CAMPAIGN"),
		Long: "Print the events of a campaign: index, type, what happened, the rules applied.\n" +
			"With --json one object a line, an event's JSON view and its narration.",
		RunE: func(c *cobra.Command, args []string) error {
			q := url.Values{}
			for name, value := range map[string]string{"from": from, "to": to} {
				if value == "" {
					continue
				}
				event, err := eventNumber(value)
				if err != nil {
					return err
				}
				q.Set(name, strconv.FormatUint(event, 10))
			}
			if turn != "" {
				q.Set("turn", turn)
			}
			if follow && (to != "" || turn != "") {
				return input("--follow goes on without end: leave out --to and --turn")
			}
			return t.with(c.Context(), "log", false, func(o *office.Client) error { return t.log(c.Context(), o, args[0], q, follow, asJSON) })
		},
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "first event")
	f.StringVar(&to, "to", "", "last event")
	f.StringVar(&turn, "turn", "", "events of one game turn, by its label")
	f.BoolVar(&follow, "follow", false, "go on with events as they are published")
	f.BoolVar(&asJSON, "json", false, "print JSON, one object a line")
	return c
}

// log prints events as they come.
func (t *tool) log(ctx context.Context, o *office.Client, campaign string, q url.Values, follow, asJSON bool) error {
	if follow && o.Served() {
		q.Set("follow", "1")
	}
	err := o.Lines(ctx, http.MethodGet, q, func(line json.RawMessage) error {
		var l struct {
			office.Logged
			office.Broken
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if l.Problem != nil {
			return l.Problem
		}
		if asJSON {
			_, err := t.out.Write(append(line, '\n'))
			return err
		}
		t.page.moment(l.Turn, l.Phase)
		t.page.event(office.Line{Index: l.Index, Text: l.Narration, Rules: narrator.Rules(l.Derivation)}, string(l.Type))
		return nil
	}, "campaigns", campaign, "log")
	switch {
	case follow && ctx.Err() != nil:
		return nil // Ctrl-C is how following ends
	case err == nil && follow && o.Served():
		return &office.Problem{Kind: office.Unreachable, Message: "the server has stopped, so nothing more will follow"}
	case err == nil && follow:
		return &office.Problem{Kind: office.Unreachable, Message: "nothing will follow: no server holds the directory; start one with watu serve"}
	}
	return err
}
