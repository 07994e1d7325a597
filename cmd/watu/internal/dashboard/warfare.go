package dashboard

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/strategic"
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
	Of        string
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
	draw := f.chart()
	byDie := func(x strategic.Result) bool { return strategic.IsBase(x.Procedure) }
	results := f.warfareTable(r.Warfare)
	if len(results.Rows) > 0 && !slices.ContainsFunc(r.Warfare, byDie) {
		p.Charts = append(p.Charts, chartDrawn{f.links, "warfare", template.HTML(draw.Warfare(r)), results})
	}
	if t := f.postings(r.Postings); len(t.Rows) > 0 {
		p.Charts = append(p.Charts, chartDrawn{f.links, "bases", template.HTML(draw.Bases(r)), t})
	}
	if t := f.cardsDrawn(r.CardsDrawn); len(t.Rows) > 0 {
		p.Charts = append(p.Charts, chartDrawn{f.links, "cards", template.HTML(draw.Cards(r)), t})
	}
	if slices.ContainsFunc(r.Warfare, byDie) { // their dice are in the chart of the bases
		p.Bases = filled(results)
	}
	p.Bases = append(p.Bases, filled(f.basesNow(r.Bases), f.reported(r.Figures), f.spent(r.Spent),
		f.cardsPlayed(r.CardsPlayed))...)
	p.Beside = filled(f.further(r.Further), f.hunts(r.Hunts), f.losses(r.Losses), f.madeGood(r.Compensations))
	return p
}

// filled leaves out tables without a row.
func filled(list ...document.Table) []document.Table {
	return slices.DeleteFunc(list, func(t document.Table) bool { return len(t.Rows) == 0 })
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
		Title: x.Subject, Of: campaignOf(x.Procedure) + ", " + x.Attacker + " against " + x.Defender, Turn: x.Turn,
		Net: figure(x.Event, signed(int64(x.Net))), Table: x.Attested, Readings: f.readings(x),
	}
	for _, m := range x.Modifiers {
		b.Modifiers = append(b.Modifiers, document.Text{figure(x.Event, signed(int64(m.Value))),
			plain(" " + m.Name + " "), rule(m.Rule)})
	}
	if c := x.Contest; c != nil {
		b.Cards = document.Text{plain("cards: "), figure(c.Settled, fmt.Sprintf("%d to %d", c.ActingCards,
			c.OpposingCards))}
		if c.Advantage != "" {
			b.Cards = append(b.Cards, plain(", "+c.Advantage+" ahead"))
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

// readings are the looks into the printed table.
func (f figures) readings(x *strategic.Result) document.Table {
	if strategic.IsBase(x.Procedure) {
		t := document.Table{Columns: document.Columns("Dice of", "#Die", "#Comes to", "Result")}
		for _, r := range x.Readings {
			t.Add(r.Side, figure(x.Event, words.Numbers(r.Dice, "+")), figure(x.Event, r.Modified),
				figure(x.Event, r.Result))
		}
		return t
	}
	t := document.Table{Columns: document.Columns("Rolls of", "#Factors", "Dice", "#Column", "#Row", "#First",
		"#Second")}
	for _, r := range x.Readings {
		of := r.Name
		if r.Side != "" {
			of += ", " + r.Side
		}
		rows := make([]string, len(r.Rows))
		for i, n := range r.Rows {
			rows[i] = text(n)
		}
		t.Add(of, figure(x.Event, r.Factors), figure(x.Event, fmt.Sprintf("%s = %d", words.Numbers(r.Dice, "+"),
			r.Total)), figure(x.Event, r.Column),
			figure(x.Event, strings.Join(rows, "+")), figure(x.Event, r.First), figure(x.Event, r.Second))
	}
	return t
}

// results is "0/2, 1/4": the results as they are printed.
func (f figures) results(x *strategic.Result) string {
	var parts []string
	for _, r := range x.Readings {
		parts = append(parts, r.Result)
	}
	return strings.Join(parts, ", ")
}

// warfareTable is the results of the last turns.
func (f figures) warfareTable(list []strategic.Result) document.Table {
	t := document.Table{Title: "Results by turn", Columns: document.Columns("Turn", "Box", "Roll", "Roll against it",
		"#Net")}
	last := ""
	for i := range list {
		x := &list[i]
		if !f.shows(x.Ordinal) {
			continue
		}
		cells := []any{"", x.Subject}
		if x.Turn != last {
			cells[0], last = x.Turn, x.Turn
		}
		for n := range 2 {
			c := document.Text{}
			if n < len(x.Readings) {
				c = f.reading(x, &x.Readings[n])
			}
			cells = append(cells, c)
		}
		t.Add(append(cells, figure(x.Event, signed(int64(x.Net))))...)
	}
	t = t.WithoutEmpty("Roll against it")
	t.Last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

// reading is "submarines 8: 5+3 → 2/5", struck if another result takes its place.
func (f figures) reading(x *strategic.Result, r *events.Reading) document.Text {
	what := words.Numbers(r.Dice, "+") + " → " + r.Result
	if r.Factors != 0 {
		what = text(r.Factors) + ": " + what
	}
	p := figure(x.Event, what)
	if x.Counts() {
		return document.Text{plain(r.Name + " "), p}
	}
	p.Mark = document.Was
	return document.Text{plain(r.Name + " "), p, plain(" "), figure(x.By(), x.Mark())}
}

// warfareTotals are the sums over all turns. A sum leads to the results in it.
func (f figures) warfareTotals(r *strategic.Report) document.Table {
	t := document.Table{Title: "Totals over all turns", Columns: document.Columns("Box", "Campaign of", "Rolls of",
		"#Rolls", "#First", "#Second", "&Made of")}
	if slices.ContainsFunc(r.Totals, func(t strategic.Total) bool { return strategic.IsBase(t.Procedure) }) {
		t.Columns = document.Columns("Base", "Campaign of", "Rolls of", "#Rolls", "#Successes", "&Made of")
	}
	for i := range r.Totals {
		x := &r.Totals[i]
		made := madeFrom(r.Warfare, x)
		if len(made) == 0 {
			continue
		}
		of, id := x.Reading+", "+x.Side, fmt.Sprintf("made-warfare-%d", i)
		parts := partsOf(id, made, true)
		if strategic.IsBase(x.Procedure) {
			t.Add(x.Box, x.Attacker, of, below(id, x.Rolls, 1), below(id, x.Successes, 1), parts)
			continue
		}
		t.Add(x.Box, x.Attacker, of, below(id, x.Rolls, 1), below(id, x.First, 1), below(id, x.Second, 1), parts)
	}
	t.Last(mostRows / 2)
	return t
}

// madeFrom gives the results that a total is made of: of a base successes, of all others both figures.
func madeFrom(list []strategic.Result, t *strategic.Total) (made []part) {
	for i := range list {
		x := &list[i]
		if !x.Counts() || x.Procedure != t.Procedure || x.Subject != t.Box || x.Attacker != t.Attacker {
			continue
		}
		for _, r := range x.Readings {
			if r.Name != t.Reading || r.Side != t.Side {
				continue
			}
			p := part{Event: x.Event, Values: []int64{int64(r.First), int64(r.Second)}}
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
