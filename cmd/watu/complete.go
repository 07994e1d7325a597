package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/forum"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// completes has a shell complete what the ledger knows: campaigns where a command takes one, views behind one, sides,
// turns and rules for the flags that take them.
func (t *tool) completes(c *cobra.Command) {
	for _, sub := range c.Commands() {
		t.completes(sub)
	}
	if c.Flags().Lookup("rule") != nil {
		_ = c.RegisterFlagCompletionFunc("rule", completeRule)
	}
	for _, choice := range choosable {
		if name := c.Name(); choice.of == name && c.Flags().Lookup(choice.flag) != nil {
			_ = c.RegisterFlagCompletionFunc(choice.flag, cobra.FixedCompletions(choice.words(),
				cobra.ShellCompDirectiveNoFileComp))
		}
	}
	takes := strings.Fields(c.Use)
	if len(takes) < 2 || !strings.Contains(takes[1], "CAMPAIGN") {
		return
	}
	if c.ValidArgsFunction == nil {
		c.ValidArgsFunction = t.completeArgument
	}
	if c.Name() == "move" { // to an edition, not to a turn
		return
	}
	for flag, of := range map[string]func(context.Context, *api.Client, []string) []string{
		"as": t.sidesOf, "for": t.playersOf, "turn": t.turnsOf, "from": t.turnsOf, "to": t.turnsOf, "seat": t.seatsOf,
	} {
		if c.Flags().Lookup(flag) == nil {
			continue
		}
		// The error says that the flag is completed already, or is not the command's.
		_ = c.RegisterFlagCompletionFunc(flag, func(c *cobra.Command, args []string, typed string) ([]string,
			cobra.ShellCompDirective) {
			return t.complete(c, args, typed, of)
		})
	}
}

// choosable are flags that take one of a few words.
var choosable = []struct {
	of, flag string
	words    func() []string
}{
	{"log", "format", func() []string { return forum.Formats }},
	{"invite", "by", func() []string { return []string{"key", "token"} }},
	{"new", "system", func() []string {
		return rules.Each(all.Systems(), func(s rules.System) string { return s.Name })
	}},
}

// completeArgument completes the campaign, and behind it the view, the turn file or nothing.
func (t *tool) completeArgument(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return t.complete(c, args, typed, t.campaigns)
	case c.Name() == "show" && len(args) == 1:
		return t.complete(c, args, typed, t.viewsOf)
	case c.Name() == "invite" && len(args) == 1:
		return t.complete(c, args, typed, t.seatsOf)
	case c.Name() == "submit" && len(args) == 1:
		return nil, cobra.ShellCompDirectiveDefault
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

// mostCompleting is how long a shell waits: whoever holds the ledger may be busy.
const mostCompleting = 2 * time.Second

// complete gives what begins as typed, of what the ledger gives. A shell that completes hears no error.
func (t *tool) complete(c *cobra.Command, args []string, typed string,
	of func(context.Context, *api.Client, []string) []string) (list []string, _ cobra.ShellCompDirective) {
	ctx := c.Context()
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := context.WithTimeout(ctx, mostCompleting)
	defer stop()
	_ = t.with(ctx, "completion", false, func(o *api.Client) error {
		list = begunBy(typed, of(ctx, o, args))
		return nil
	})
	return list, cobra.ShellCompDirectiveNoFileComp
}

// begunBy gives the words that begin as typed, whatever the case of letters.
func begunBy(typed string, list []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(word string) bool {
		return !strings.HasPrefix(strings.ToLower(word), strings.ToLower(typed))
	})
}

func (t *tool) campaigns(ctx context.Context, o *api.Client, _ []string) (names []string) {
	var list timeline.Campaigns
	_ = o.Get(ctx, &list, "campaigns")
	for _, c := range list.All() {
		names = append(names, c.Name)
	}
	return names
}

// onLine gives the campaign that stands on the command line, empty where none does.
func onLine(ctx context.Context, o *api.Client, args []string) (c timeline.Campaign) {
	if len(args) > 0 {
		_ = o.Get(ctx, &c, "campaigns", args[0])
	}
	return c
}

func (t *tool) viewsOf(ctx context.Context, o *api.Client, args []string) []string {
	return onLine(ctx, o, args).Views
}

func (t *tool) playersOf(ctx context.Context, o *api.Client, args []string) []string {
	return onLine(ctx, o, args).Sides
}

func (t *tool) sidesOf(ctx context.Context, o *api.Client, args []string) []string {
	return append(t.playersOf(ctx, o, args), timeline.Umpire, timeline.Public)
}

func (t *tool) seatsOf(ctx context.Context, o *api.Client, args []string) (names []string) {
	for _, s := range onLine(ctx, o, args).Seats {
		names = append(names, s.Name)
	}
	return names
}

func (t *tool) turnsOf(ctx context.Context, o *api.Client, args []string) (labels []string) {
	if len(args) == 0 {
		return nil
	}
	var list struct {
		Turns []timeline.TurnPlayed `json:"turns"`
	}
	_ = o.Get(ctx, &list, "campaigns", args[0], "turns")
	for _, turn := range list.Turns {
		if turn.Label != "" {
			labels = append(labels, turn.Label)
		}
	}
	return labels
}
