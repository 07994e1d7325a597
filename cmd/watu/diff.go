package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

func (t *tool) diffCommand() *cobra.Command {
	from, to, as := "", "", ""
	c := t.orJSON(&cobra.Command{
		Use: "diff CAMPAIGN --from MOMENT --to MOMENT", Short: "Show a campaign at two moments side by side",
		Args: takes("CAMPAIGN"),
		Long: "Print every figure of the campaign's views that differs between two moments,\n" +
			"as it was and as it is, and the events that changed it, which stand below, each\n" +
			"in a line. A moment is the end of a turn, by its label, or the state\n" +
			"after an event.",
		Example: "  watu diff atlantic-and-pacific --from 'Fall 1939' --to 'Summer 1942'\n  watu diff " +
			"two-oceans-1941 --from 28 --to 64 --as UK",
		RunE: func(c *cobra.Command, args []string) error {
			if from == "" || to == "" {
				return input("two moments are to be compared: name them with --from and --to, a turn or an event each")
			}
			return t.with(c.Context(), "diff", false, func(o *api.Client) error {
				var d timeline.Difference
				q := url.Values{"from": {from}, "to": {to}, "as": {as}}
				err := o.Query(c.Context(), &d, q, "campaigns", args[0], "difference")
				if from, to := d.From.Event, d.To.Event; from > to {
					err = input("--from #%d is behind --to #%d: the earlier moment comes first", from, to)
				}
				if err != nil || t.asJSON {
					return t.answer(err, &d, nil)
				}
				happened, err := t.behind(c.Context(), o, d)
				if err != nil {
					return err
				}
				return t.paged(func() error { t.printDifference(d, happened); return nil })
			})
		},
	})
	f := c.Flags()
	f.StringVar(&from, "from", "", "the end of this `turn`, or after this event")
	f.StringVar(&to, "to", "", "and the end of this `turn`, or after this event")
	f.StringVar(&as, "as", "", "a side, umpire or public (default what the public could know)")
	return c
}

// behind gives the events that a difference names, in their order.
func (t *tool) behind(ctx context.Context, o *api.Client, d timeline.Difference) ([]timeline.NarratedEvent, error) {
	named := map[uint64]bool{}
	for _, v := range d.Views {
		for _, c := range v.Changes {
			for _, n := range c.Events {
				named[n] = true
			}
			if _, event, ok := entryOf(c.Path); ok {
				n, _ := eventNumber(event)
				named[n] = true
			}
		}
	}
	if len(named) == 0 {
		return nil, nil
	}
	list := slices.Sorted(maps.Keys(named))
	q, err := between(fmt.Sprint(list[0]), fmt.Sprint(list[len(list)-1]))
	if err != nil {
		return nil, err
	}
	var happened []timeline.NarratedEvent
	err = readLog(ctx, o, d.Campaign, q, func(l *logged, _ json.RawMessage) error {
		if named[l.Index] {
			happened = append(happened, l.line())
		}
		return nil
	})
	return happened, err
}

// printDifference prints figures side by side, then what came and what went, and what the events say that it names.
func (t *tool) printDifference(d timeline.Difference, happened []timeline.NarratedEvent) {
	t.page.Flow("", "", terminal.Bold(fmt.Sprintf("%s: %s beside %s", d.Campaign, instantText(d.From),
		instantText(d.To))))
	t.page.Text("%s", seenBy(d.As))
	same := true
	for _, v := range d.Views {
		if len(v.Changes) > 0 {
			same = false
			t.printDiffered(v, d)
		}
	}
	if same {
		t.page.Line("")
		t.page.Line("Nothing that a view shows differs.")
	}
	if len(happened) > 0 {
		t.page.Heading("The events named, each in a line")
		for _, l := range happened {
			t.page.oneLine(indexed(l.Index), l.Text)
		}
	}
	if d.Partly {
		t.page.Line("")
		t.page.Text("The way is long: the events that changed a figure are not all named.")
	}
}

func instantText(at timeline.MomentRef) string {
	if at.Turn == "" {
		return fmt.Sprintf("#%d", at.Event)
	}
	return fmt.Sprintf("#%d (%s)", at.Event, at.Turn)
}

func (t *tool) printDiffered(v timeline.ViewDifference, d timeline.Difference) {
	table := document.Plain{Columns: []string{"Figure", fmt.Sprintf("#%d", d.From.Event),
		fmt.Sprintf("#%d", d.To.Event), "Changed by"}}
	var others []projections.Change
	for _, c := range v.Changes {
		_, _, isEntry := entryOf(c.Path)
		switch {
		case isDate(c.Path):
		case isEntry || !isShort(c.Was) || !isShort(c.Now):
			others = append(others, c.Change)
		default:
			table.Rows = append(table.Rows, []string{figureOf(c.Path), cmp.Or(c.Was, "-"),
				cmp.Or(c.Now, "-"), causes(c.Events)})
		}
	}
	t.page.Heading("%s", v.Projection)
	if len(table.Rows) > 0 {
		t.page.Block("", table.String())
	}
	t.printChanged("", others, math.MaxInt)
}

// causes names the events that changed a figure: all, unless they are many.
func causes(list []uint64) string {
	const most = 6
	var parts []string
	for i, n := range list {
		if i == most && len(list) > most+1 {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-most))
			break
		}
		parts = append(parts, fmt.Sprintf("#%d", n))
	}
	return strings.Join(parts, " ")
}
