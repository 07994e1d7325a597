package dashboard

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/strategic"
)

// warfarePanel is what strategic warfare, bases and other results came to.
type warfarePanel struct {
	Title  string
	Boxes  []box // the latest result of each, the latest last
	Totals table
	Charts []chartDrawn
	Bases  []table // of submarine bases, figures and strategy cards
	Beside []table // other results, hunts, losses
}

// Empty reports that nothing of the kind has happened yet.
func (w *warfarePanel) Empty() bool {
	return len(w.Boxes) == 0 && len(w.Charts) == 0 && len(w.Bases) == 0 && len(w.Beside) == 0
}

// chartDrawn is a chart with the table of its figures.
type chartDrawn struct {
	Name  string
	SVG   template.HTML // of package report, which escapes every text in it
	Table table
}

// box is the latest result in a strategic warfare box, over a target or of a base.
type box struct {
	Title     string
	Of        string
	Turn      string
	Readings  table
	Modifiers [][]piece
	Net       piece
	Cards     []piece // what the contest of cards did
	Former    []piece // a result that it takes the place of
	Table     bool    // the dice were thrown at a table
}

// mostBoxes is how many results are shown in full.
const mostBoxes = 6

func (f figures) warfare(r *strategic.Report) *warfarePanel {
	p := &warfarePanel{Title: f.system.StrategicTitle, Boxes: f.boxes(r.Warfare), Totals: f.warfareTotals(r)}
	draw := f.chart()
	byDie := func(x strategic.Result) bool { return isBase(x.Procedure) }
	results := f.warfareTable(r.Warfare)
	if len(results.Rows) > 0 && !slices.ContainsFunc(r.Warfare, byDie) {
		p.Charts = append(p.Charts, chartDrawn{"warfare", template.HTML(draw.Warfare(r)), results})
	}
	if t := f.postings(r.Postings); len(t.Rows) > 0 {
		p.Charts = append(p.Charts, chartDrawn{"bases", template.HTML(draw.Bases(r)), t})
	}
	if t := f.cardsDrawn(r.CardsDrawn); len(t.Rows) > 0 {
		p.Charts = append(p.Charts, chartDrawn{"cards", template.HTML(draw.Cards(r)), t})
	}
	if slices.ContainsFunc(r.Warfare, byDie) { // their dice are in the chart of the bases
		p.Bases = filled(results)
	}
	p.Bases = append(p.Bases, filled(f.basesNow(r.Bases), f.told(r.Figures), f.spent(r.Spent), f.cardsPlayed(r.CardsPlayed))...)
	p.Beside = filled(f.further(r.Further), f.hunts(r.Hunts), f.losses(r.Losses), f.madeGood(r.Compensations))
	return p
}

// filled leaves out tables without a row.
func filled(list ...table) []table {
	return slices.DeleteFunc(list, func(t table) bool { return len(t.Rows) == 0 })
}

// isBase tells the die of a submarine base.
func isBase(procedure string) bool { return strings.HasSuffix(procedure, ".sub-warfare") }

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
		Net: f.figure(x.Event, signed(int64(x.Net))), Table: x.Attested, Readings: f.readings(x),
	}
	for _, m := range x.Modifiers {
		b.Modifiers = append(b.Modifiers, []piece{f.figure(x.Event, signed(int64(m.Value))), said(" " + m.Name + " "), f.rule(m.Rule)})
	}
	if c := x.Contest; c != nil {
		b.Cards = []piece{said("cards: "), f.figure(c.Settled, fmt.Sprintf("%d to %d", c.ActingCards, c.OpposingCards))}
		if c.Advantage != "" {
			b.Cards = append(b.Cards, said(", "+c.Advantage+" ahead"))
		}
	}
	for i := range all {
		if o := &all[i]; o.CorrectedBy == x.Event {
			b.Former = append(b.Former, f.struck(o.Event, f.results(o)), said(" "))
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
func (f figures) readings(x *strategic.Result) table {
	if isBase(x.Procedure) {
		t := table{Columns: columns("Dice of", "#Die", "#Comes to", "Result")}
		for _, r := range x.Readings {
			t.add(r.Side, f.figure(x.Event, words.Numbers(r.Dice, "+")), f.figure(x.Event, r.Modified), f.figure(x.Event, r.Result))
		}
		return t
	}
	t := table{Columns: columns("Rolls of", "#Factors", "Dice", "#Column", "#Row", "#First", "#Second")}
	for _, r := range x.Readings {
		of := r.Name
		if r.Side != "" {
			of += ", " + r.Side
		}
		rows := make([]string, len(r.Rows))
		for i, n := range r.Rows {
			rows[i] = text(n)
		}
		t.add(of, f.figure(x.Event, r.Factors), f.figure(x.Event, fmt.Sprintf("%s = %d", words.Numbers(r.Dice, "+"), r.Total)), f.figure(x.Event, r.Column),
			f.figure(x.Event, strings.Join(rows, "+")), f.figure(x.Event, r.First), f.figure(x.Event, r.Second))
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
func (f figures) warfareTable(list []strategic.Result) table {
	t := table{Title: "Results by turn", Columns: columns("Turn", "Box", "Roll", "Roll against it", "#Net")}
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
			c := cell{}
			if n < len(x.Readings) {
				c = f.reading(x, &x.Readings[n])
			}
			cells = append(cells, c)
		}
		t.add(append(cells, f.figure(x.Event, signed(int64(x.Net))))...)
	}
	t.unless("Roll against it")
	t.last(mostRows)
	t.Note = append(t.Note, f.earlier()...)
	return t
}

// reading is "submarines 8: 5+3 → 2/5", struck if another result takes its place.
func (f figures) reading(x *strategic.Result, r *events.Reading) cell {
	what := words.Numbers(r.Dice, "+") + " → " + r.Result
	if r.Factors != 0 {
		what = text(r.Factors) + ": " + what
	}
	p := f.figure(x.Event, what)
	if x.Counts() {
		return cell{said(r.Name + " "), p}
	}
	p.Was = true
	return cell{said(r.Name + " "), p, said(" "), f.figure(x.By(), x.Mark())}
}

// warfareTotals are the sums over all turns. A sum leads to the results in it.
func (f figures) warfareTotals(r *strategic.Report) table {
	t := table{Title: "Totals over all turns", Columns: columns("Box", "Campaign of", "Rolls of", "#Rolls", "#First", "#Second", "&Made of")}
	if slices.ContainsFunc(r.Totals, func(t strategic.Total) bool { return isBase(t.Procedure) }) {
		t.Columns = columns("Base", "Campaign of", "Rolls of", "#Rolls", "#Successes", "&Made of")
	}
	for i := range r.Totals {
		x := &r.Totals[i]
		made := madeFrom(r.Warfare, x)
		if len(made) == 0 {
			continue
		}
		of, id := x.Reading+", "+x.Side, fmt.Sprintf("made-warfare-%d", i)
		parts := f.made(id, made, true)
		if isBase(x.Procedure) {
			t.add(x.Box, x.Attacker, of, below(id, x.Rolls, 1), below(id, x.Successes, 1), parts)
			continue
		}
		t.add(x.Box, x.Attacker, of, below(id, x.Rolls, 1), below(id, x.First, 1), below(id, x.Second, 1), parts)
	}
	t.last(mostRows / 2)
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
			if isBase(x.Procedure) {
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
