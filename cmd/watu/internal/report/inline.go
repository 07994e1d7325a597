package report

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/strategic"
)

// Page is a page that charts stand in. There every bar leads to the event that it comes from. A chart
// is an svg element without a style of its own: the classes are for the page's style sheet. What is
// written in it is escaped.
type Page struct {
	Turns  []events.Turn             // to draw, oldest first
	Strips int                       // most strips of a chart, 0 for all
	Link   func(event uint64) string // path of an event's page
}

func (p Page) builder(r Record) *builder { return &builder{Record: r, link: p.Link, strips: p.Strips} }

// Income draws the income by power and turn.
func (p Page) Income(r *income.Report) string {
	return p.builder(Record{Income: r}).incomeChart(p.Turns).inline()
}

// Warfare draws the two numbers of the results and the factors, by box and turn.
func (p Page) Warfare(r *strategic.Report) string {
	return p.builder(Record{Strategic: r}).warfareChart(p.Turns).inline()
}

// Bases draws where the submarine bases were, and how their dice fell.
func (p Page) Bases(r *strategic.Report) string {
	return p.builder(Record{Strategic: r}).baseChart(p.Turns).inline()
}

// Cards draws the strategy cards drawn by turn.
func (p Page) Cards(r *strategic.Report) string {
	return p.builder(Record{Strategic: r}).cardChart(p.Turns).inline()
}

// Luck draws each side's dice on the band of what fair dice give.
func (p Page) Luck(l Luck) string { return l.chart().inline() }
