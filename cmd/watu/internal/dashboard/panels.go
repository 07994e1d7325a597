package dashboard

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// panels are the figures of a campaign at a moment. A panel is nil where the campaign's rules have
// nothing of the kind; whether it is there does not change with the moment.
type panels struct {
	Contest contestPanel
	Rulings rulingsPanel
	Pools   *poolsPanel
	Warfare *warfarePanel
	Income  *incomePanel
	Dice    dicePanel
}

// What a page shows of a long campaign: the rest is a link away.
const (
	lately    = 12 // game turns in charts and tables
	mostRows  = 48 // of a table
	mostBars  = 6  // strips of a chart
	mostLines = 6  // rulings, unlikely throws
)

// panels gathers the figures: the views are those of the viewer, all else is public.
func (d *Dashboard) panels(ctx context.Context, c timeline.Campaign, m timeline.Moment,
	v timeline.Views, in *story.Language) (p panels, err error) {
	f := figures{links: links{c.Name, in}, system: d.service.System(c.System)}
	if f.turns, f.before, err = d.lately(c, m); err != nil {
		return p, err
	}
	if p.Contest, err = d.contestPanel(ctx, c, m, f); err != nil {
		return p, err
	}
	if p.Rulings, err = d.rulingsPanel(ctx, c, m, f); err != nil {
		return p, err
	}
	if p.Contest.Cards = v.Pools != nil; p.Contest.Cards {
		p.Pools = f.pools(v.Pools)
	}
	if v.Strategic != nil {
		p.Warfare = f.warfare(v.Strategic)
	}
	if v.Income != nil {
		p.Income = f.income(v.Income)
	}
	p.Dice, err = d.dicePanel(ctx, c, m, f)
	return p, err
}

// lately gives the last game turns at the moment, and how many there were before them.
func (d *Dashboard) lately(c timeline.Campaign, m timeline.Moment) (turns []events.Turn, before int, err error) {
	all, err := d.service.Turns(c.ID)
	if err != nil {
		return nil, 0, err
	}
	for _, t := range all {
		n := len(turns)
		if t.Ordinal != 0 && t.First < m.Events && (n == 0 || turns[n-1].Ordinal < t.Ordinal) {
			turns = append(turns, events.Turn{Ordinal: t.Ordinal, Label: t.Label})
		}
	}
	before = max(0, len(turns)-lately)
	return turns[before:], before, nil
}

// figures makes the figures of a campaign's page, each with the way to its event.
type figures struct {
	links
	system rules.System
	turns  []events.Turn // those that charts and tables show
	before int           // how many turns there were before them
}

// event is the page that says why an event is as it is.
func (c links) event(index uint64) string { return c.path(document.About(index)) }

// from is the list of the events from one on.
func from(index uint64) document.Link { return document.Link{Kind: document.ToEvents, Event: index} }

// shows reports whether a turn is among those that tables show.
func (f figures) shows(ordinal uint64) bool {
	return f.before == 0 || len(f.turns) > 0 && ordinal >= f.turns[0].Ordinal
}

// chart is the page as charts are drawn into it.
func (f figures) chart() report.Page {
	return report.Page{Turns: f.turns, Strips: mostBars, Link: f.event}
}

// earlier says that turns are left out of a table, and where they are.
func (f figures) earlier() document.Note {
	if f.before == 0 {
		return nil
	}
	say := story.LinesOf(f.in)
	return document.Note{
		plain(say.Says("turns-shown", "n", len(f.turns), "before",
			story.Count{Of: "before", N: int64(f.before)}) + " "),
		{Text: say.Within("list-of-events"), To: from(0)}, plain("."),
	}
}
