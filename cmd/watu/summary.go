package main

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// standings are the tables of the views that say how a campaign stands.
var standings = []string{"Treasuries", "Card pools", "Sub Bases now", "As reported last"}

// inShort gives of a view's tables those that say how it stands, and of the first that goes turn by turn the last
// turn. A view without such tables is given whole.
func inShort(v timeline.View) (list []document.Plain) {
	byTurn := false
	for _, table := range v.Tables {
		switch {
		case slices.Contains(standings, table.Title):
			list = append(list, table)
		case !byTurn && len(table.Rows) > 0 && len(table.Columns) > 0 && table.Columns[0] == "Turn":
			byTurn = true
			list = append(list, lastTurn(table))
		}
	}
	if len(list) == 0 {
		return v.Tables
	}
	return list
}

// lastTurn leaves the rows of the last turn of a table whose first column names turns, the first row of each.
func lastTurn(table document.Plain) document.Plain {
	from := len(table.Rows) - 1
	last := ""
	for ; from > 0; from-- {
		if last = table.Rows[from][0]; last != "" {
			break
		}
	}
	for from > 0 && table.Rows[from-1][0] == last {
		from--
	}
	table.Rows, table.Note = table.Rows[from:], ""
	if text := table.Rows[0][0]; text != "" {
		table.Title = text
	}
	return table
}

// Summary is `watu show CAMPAIGN --json`.
type Summary struct {
	Version  int               `json:"version"`
	Campaign timeline.Campaign `json:"campaign"`
	Waits    service.Awaits    `json:"waits"`
}

// summary prints a campaign on one screen: where it is, who sits, what it waits for, how it stands, what was last.
func (t *tool) summary(ctx context.Context, o *api.Client, name string) error {
	out := Summary{Version: maintenance.Version}
	if err := o.Get(ctx, &out.Campaign, "campaigns", name); err != nil {
		return err
	}
	var s service.Status
	if err := o.Get(ctx, &s, "status"); err != nil {
		return err
	}
	c := out.Campaign
	out.Waits.Campaign = c.Name
	for _, w := range s.Waits {
		if w.Campaign == c.Name {
			out.Waits = w
		}
	}
	if t.asJSON {
		return t.json(out)
	}
	t.page.Flow("", "", terminal.Bold(c.Name+": "+c.Title+", edition "+c.Edition))
	where := words.Count(c.Events, "event") + ", no turn yet"
	if c.Turn != "" {
		where = strings.TrimSuffix(c.Turn+", "+c.Phase, ", ") + "; " + words.Count(c.Events, "event")
	}
	t.page.labelled("turn", where)
	t.page.labelled("seats", seatsIn(c.Seats))
	t.printWaits(out.Waits, "")
	if err := t.standing(ctx, o, c); err != nil {
		return err
	}
	if err := t.latest(ctx, o, c); err != nil {
		return err
	}
	t.page.labelled("more", "watu show "+c.Name+" "+strings.Join(c.Views, "|"))
	return nil
}

// seatsIn names the seats, and whose they are.
func seatsIn(list []campaign.Seat) string {
	return strings.Join(rules.Each(list, func(s campaign.Seat) string {
		if len(s.Sides) == 0 || s.Name == campaign.UmpireSeat {
			return s.Name
		}
		return s.Name + " (" + strings.Join(s.Sides, ", ") + ")"
	}), "; ")
}

// standing prints the first table that says how the campaign stands, as the public sees it.
func (t *tool) standing(ctx context.Context, o *api.Client, c timeline.Campaign) error {
	for _, name := range c.Views {
		var v timeline.View
		if err := o.Query(ctx, &v, url.Values{}, "campaigns", c.Name, "views", name); err != nil {
			return err
		}
		for _, table := range v.Tables {
			if len(table.Rows) > 0 && slices.Contains(standings, table.Title) {
				table.Note = ""
				t.table(table)
				return nil
			}
		}
	}
	return nil
}

// mostLatest is how many events a summary has, a line each.
const mostLatest = 2

// latest prints the last events, each cut to its line.
func (t *tool) latest(ctx context.Context, o *api.Client, c timeline.Campaign) error {
	t.page.Heading("The last of what happened")
	q := url.Values{"from": {count(c.Events - min(mostLatest, c.Events))}}
	return readLog(ctx, o, c.Name, q, func(l *logged, _ json.RawMessage) error {
		t.page.oneLine(indexed(l.Index), l.line().Text)
		return nil
	})
}
