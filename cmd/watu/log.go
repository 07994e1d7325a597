package main

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/forum"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) logCommand() *cobra.Command {
	from, to, turn, follow := "", "", "", false
	var forPost postOptions
	c := &cobra.Command{
		Use: "log CAMPAIGN", Short: "Print the events of a campaign", Args: takes("CAMPAIGN"),
		Long: "Print the events of a campaign: index, type, what happened, the rules applied.\n" +
			"With --json one object a line, an event's JSON view and its narration. What is\n" +
			"not confirmed was recorded while the server of the stream was away: do not act\n" +
			"on it. With --format what is printed is a post for a forum, with links to the\n" +
			"pages of a server that --url names.",
		Example: "  watu log atlantic-1939 --turn 'Winter 1941' --format bbcode\n" +
			"  watu log atlantic-1939 --from 57 --to 57 --format markdown",
		RunE: func(c *cobra.Command, args []string) error {
			q, err := between(from, to)
			if err != nil {
				return err
			}
			if turn != "" {
				q.Set("turn", turn)
			}
			if follow && (to != "" || turn != "") {
				return input("--follow goes on without end: leave out --to and --turn")
			}
			if err := forPost.read(follow, t.asJSON); err != nil {
				return err
			}
			return t.with(c.Context(), "log", false, func(o *api.Client) error {
				if forPost.format != "" {
					return t.printPost(c.Context(), o, args[0], q, forPost)
				}
				return t.log(c.Context(), o, args[0], q, follow)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "first event")
	f.StringVar(&to, "to", "", "last event")
	f.StringVar(&turn, "turn", "", "events of one game turn, by its label")
	f.BoolVar(&follow, "follow", false, "go on with events as they are published")
	f.StringVar(&forPost.format, "format", "", "print a post for a forum: `markdown or bbcode`")
	f.StringVar(&forPost.site, "url", "", "`address` of the server whose pages a post links to, such as "+
		"https://example.org")
	f.BoolVar(&t.asJSON, "json", false, "print JSON, one object a line")
	return c
}

// postOptions are how a log is printed for a forum.
type postOptions struct{ format, site string }

// read checks what was asked for.
func (p *postOptions) read(follow, asJSON bool) (err error) {
	switch {
	case p.format == "" && p.site != "":
		return input("--url is for the links of a post: give --format markdown or bbcode with it")
	case p.format == "":
		return nil
	case follow || asJSON:
		return input("--format prints a post, which has an end and is no JSON: leave out --follow and --json")
	}
	if p.site != "" {
		sites := []string{strings.TrimSuffix(p.site, "/")}
		err = readOrigins("--url", sites)
		p.site = sites[0]
	}
	return cmp.Or(oneOf("format", p.format, forum.Formats...), err)
}

// printPost prints events for a forum.
func (t *tool) printPost(ctx context.Context, o *api.Client, campaign string, q url.Values, p postOptions) error {
	var c timeline.Campaign
	if err := o.Get(ctx, &c, "campaigns", campaign); err != nil {
		return err
	}
	var list []timeline.LogEvent
	err := readLog(ctx, o, campaign, q, func(l *logged, _ json.RawMessage) error {
		list = append(list, l.LogEvent)
		return nil
	})
	if err != nil {
		return err
	}
	_, err = io.WriteString(t.out, forum.Format(p.format).Post(c.Name, p.site, list))
	return err
}

// between asks for the events from the one to the other, either of which may be left out.
func between(from, to string) (url.Values, error) {
	q := url.Values{}
	first, err := eventIn(q, "from", from)
	if err != nil {
		return nil, err
	}
	last, err := eventIn(q, "to", to)
	if err != nil {
		return nil, err
	}
	if to != "" && last < first {
		return nil, input("--from %d is behind --to %d: the first event comes first", first, last)
	}
	return q, nil
}

// logged is a line of the log, or why there is no more.
type logged struct {
	timeline.LogEvent
	Problem *problem.Problem `json:"problem"`
}

// line is the event as a page shows it, with what became of it.
func (l *logged) line() timeline.NarratedEvent {
	text := words.Join(" ", l.Narration, l.Became())
	return timeline.NarratedEvent{Index: l.Index, Text: text, Rules: narrator.Rules(l.Derivation)}
}

// readLog gives take each event that a query of the log gives.
func readLog(ctx context.Context, o *api.Client, campaign string, q url.Values,
	take func(l *logged, line json.RawMessage) error) error {
	return o.Lines(ctx, http.MethodGet, q, nil, func(line json.RawMessage) error {
		var l logged
		if err := json.Unmarshal(line, &l); err != nil {
			return err
		}
		if l.Problem != nil {
			return l.Problem
		}
		return take(&l, line)
	}, "campaigns", campaign, "log")
}

// log prints events as they come.
func (t *tool) log(ctx context.Context, o *api.Client, campaign string, q url.Values, follow bool) error {
	if follow && o.Served() {
		q.Set("follow", "1")
	}
	err := readLog(ctx, o, campaign, q, func(l *logged, line json.RawMessage) error {
		if t.asJSON {
			t.wrote = true
			_, err := t.out.Write(append(line, '\n'))
			return err
		}
		t.page.moment(l.Turn, l.Phase)
		t.page.event(l.line(), string(l.Type))
		return nil
	})
	switch {
	case follow && ctx.Err() != nil:
		return nil // Ctrl-C is how following ends
	case err == nil && follow && o.Served():
		return &problem.Problem{Kind: problem.Unreachable, Message: "the server has stopped, so nothing more " +
			"will follow"}
	case err == nil && follow:
		return &problem.Problem{Kind: problem.Unreachable, Message: "nothing will follow: no server holds the " +
			"directory; start one with watu serve"}
	}
	return err
}
