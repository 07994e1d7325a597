package dashboard

import (
	"fmt"
	"github.com/watu-ledger/watu/cmd/watu/internal/sums"
	"github.com/watu-ledger/watu/events/words"
	"html/template"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/rules"
)

// warfarePanel is what strategic warfare, bases and other results came to.
type warfarePanel struct {
	links
	Title  string
	Boxes  []box // the latest result of each, the latest last
	Totals document.Table
	Charts []chartDrawn
	Bases  []document.Table // of submarine bases, figures and strategy cards
	Beside []document.Table // other results, hunts, losses
}

// Empty reports that nothing of the kind has happened yet.
func (w *warfarePanel) Empty() bool {
	return len(w.Boxes) == 0 && len(w.Charts) == 0 && len(w.Bases) == 0 && len(w.Beside) == 0
}

// chartDrawn is a chart with the table of its figures.
type chartDrawn struct {
	links
	Name  string
	SVG   template.HTML // of package report, which escapes every text in it
	Table document.Table
}

// box is the latest result in a strategic warfare box, over a target or of a base.
type box struct {
	Title     string
	What      string // the campaign of the attacker
	Attacker  string
	Defender  string
	Turn      string
	Readings  document.Table
	Modifiers []document.Text
	Net       document.Span
	Cards     document.Text // what the contest of cards did
	Former    document.Text // a result that it takes the place of
	Table     bool          // the dice were thrown at a table
}

// mostBoxes is how many results are shown in full.
const mostBoxes = 6

func (f figures) warfare(r *strategic.Report) *warfarePanel {
	p := &warfarePanel{links: f.links, Title: f.system.StrategicTitle, Boxes: f.boxes(r.Warfare),
		Totals: f.warfareTotals(r)}
	draw, lately := f.chart(), r.During(f.shows)
	for _, c := range []chartDrawn{
		{f.links, "warfare", f.drawn(draw.Warfare(r)), f.table(lately.WarfareTable())},
		{f.links, "bases", f.drawn(draw.Bases(r)), f.table(lately.PostingTable())},
		{f.links, "cards", f.drawn(draw.Cards(r)), f.table(lately.CardsDrawnTable())},
	} {
		if len(c.Table.Rows) > 0 {
			p.Charts = append(p.Charts, c)
		}
	}
	p.Bases = f.tables(lately.BaseWarfareTable(), lately.BaseTable(), lately.FigureTable(), lately.CardsPlayedTable())
	p.Beside = f.tables(lately.FurtherTable(), lately.FurtherFigureTable(), lately.HuntTable(), lately.LossTable(),
		lately.CompensationTable())
	return p
}

// boxes shows the latest result of each box in full: of those latest rolled for, if they are many.
func (f figures) boxes(list []strategic.Result) []box {
	type key struct{ procedure, subject, attacker string }
	seen := map[key]bool{}
	var out []box
	for i := range slices.Backward(list) {
		x := &list[i]
		k := key{x.Procedure, x.Subject, x.Attacker}
		if !x.Counts() || seen[k] || len(out) == mostBoxes {
			continue
		}
		seen[k] = true
		out = append(out, f.box(x, list))
	}
	slices.Reverse(out)
	return out
}

func (f figures) box(x *strategic.Result, all []strategic.Result) box {
	b := box{
		Title: x.Subject, What: campaignOf(x.Procedure), Attacker: x.Attacker, Defender: x.Defender, Turn: x.Turn,
		Net: figure(x.Event, words.Modifier(x.Net)), Table: x.Attested,
	}
	t := strategic.RollTable([]strategic.Result{*x}).Figures().WithoutEmpty("Roll", "Factors", "Column", "Row")
	t.Title, t.Note = "", nil
	b.Readings = t.Without("Turn", document.EventColumn, "Box", "Campaign of")
	for _, m := range x.Modifiers {
		b.Modifiers = append(b.Modifiers, document.Text{figure(x.Event, words.Modifier(m.Value)),
			plain(" "), {Text: m.Name, To: rule(m.Rule).To}})
	}
	if c := x.Contest; c != nil {
		b.Cards = document.Text{plain("cards: "), figure(c.Settled, fmt.Sprintf("%d to %d", c.ActingCards,
			c.OpposingCards))}
		if c.Advantage != "" {
			b.Cards = append(b.Cards, plain(", "), plain(c.Advantage), plain(" ahead"))
		}
	}
	for i := range all {
		if o := &all[i]; o.CorrectedBy == x.Event {
			b.Former = append(b.Former, struck(o.Event, f.results(o)), plain(" "))
		}
	}
	return b
}

// campaignOf is what the rolls of a procedure are called.
func campaignOf(procedure string) string {
	if strings.HasSuffix(procedure, ".submarine") {
		return "submarine warfare"
	}
	return narrator.Procedure(procedure)
}

// results is "0/2, 1/4": the results as they are printed.
func (f figures) results(x *strategic.Result) string {
	return strings.Join(rules.Each(x.Readings, func(r events.Reading) string { return r.Result }), ", ")
}

// warfareTotals are the sums over all turns. A sum leads to the results in it.
func (f figures) warfareTotals(r *strategic.Report) document.Table {
	ofBase := func(t strategic.Total) bool { return strategic.IsBase(t.Procedure) }
	t, totals := r.TotalTable(), slices.DeleteFunc(slices.Clone(r.Totals), ofBase)
	if len(totals) < len(r.Totals) { // a campaign has boxes, or bases
		t, totals = r.BaseTotalTable(), r.Totals
	}
	t = sums.MadeOf(t, "Made of", "warfare", true, func(i int) []sums.Part {
		return madeFrom(r.Warfare, &totals[i])
	}, "Rolls", "First", "Second", "Successes")
	t.Last(mostRows / 2)
	return t
}

// madeFrom gives the results that a total is made of: of a base successes, of all others both figures.
func madeFrom(list []strategic.Result, t *strategic.Total) (made []sums.Part) {
	for i := range list {
		x := &list[i]
		if !x.Counts() || x.Procedure != t.Procedure || x.Subject != t.Box || x.Attacker != t.Attacker {
			continue
		}
		for _, r := range x.Readings {
			if r.Name != t.Reading || r.Side != t.Side {
				continue
			}
			p := sums.Part{Event: x.Event, Values: []int64{int64(r.First), int64(r.Second)}}
			if strategic.IsBase(x.Procedure) {
				p.Values = []int64{0}
				if r.Result == "success" {
					p.Values[0] = 1
				}
			}
			made = append(made, p)
		}
	}
	return made
}
