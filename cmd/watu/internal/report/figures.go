package report

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/strategic"
)

// struck marks the cells of a row that does not count.
func struck(cells []document.Text, from int) []document.Text {
	for i := from; i < len(cells); i++ {
		if s := cells[i].String(); s != "" {
			cells[i] = document.Text{{Text: s, Mark: document.Was, To: cells[i][0].To}}
		}
	}
	return cells
}

// labels are the turns' names, for the axis of a chart.
func labels(turns []events.Turn) []string {
	var list []string
	for _, t := range turns {
		list = append(list, t.Label)
	}
	return list
}

// event is "#57", with the event that corrects it.
func event(index uint64, f projections.Fate) document.Text {
	if !f.Counts() {
		return document.Text{document.Event(index), {Text: ", " + f.Mark(), To: document.About(f.By())}}
	}
	return document.Text{document.Event(index)}
}

// incomeTable is the incomes, turn by turn, corrected ones struck.
func (t *builder) incomeTable() document.Table {
	out := document.Table{
		Title: "Income, turn by turn", Columns: document.Columns("Turn", "Power", "Base", "Objectives", "Lost to raids",
			"Net", "In hand", "Event"),
		Note: document.Note{{Text: "Lost to raids is what was taken off base and objectives; in hand is what the " +
			"power had afterwards."}},
	}
	for _, x := range t.Income.Turns {
		if !t.covers(x.Ordinal) {
			continue
		}
		for _, c := range x.Corrected {
			out.Rows = append(out.Rows, struck(incomeRow(x, c), 2))
		}
		if x.Income != nil {
			out.Rows = append(out.Rows, incomeRow(x, *x.Income))
		}
	}
	return out.WithoutEmpty("Objectives")
}

func incomeRow(x income.Turn, c income.Income) []document.Text {
	return document.Row(x.Turn, x.Power, c.Base, c.Bonus, c.Damage, c.Net, c.Treasury, event(c.Event, c.Fate))
}

// warfareTable is the results of strategic warfare, box by box.
func (t *builder) warfareTable() document.Table {
	out := document.Table{
		Title: "Strategic warfare, box by box",
		Columns: document.Columns("Turn", "Box", "Whose campaign", "Roll", "Of", "Factors", "Dice", "Modified",
			"Result", "Event"),
		Note: document.Note{{Text: "The result is the cell of the table as it is printed: its first and " +
			"second number."}},
	}
	for _, x := range t.Strategic.Warfare {
		if !t.covers(x.Ordinal) || strategic.IsBase(x.Procedure) {
			continue
		}
		for _, r := range x.Readings {
			cells := document.Row(x.Turn, x.Subject, x.Attacker, r.Name, r.Side, r.Factors, words.Numbers(r.Dice, "+"),
				r.Modified, r.Result, event(x.Event, x.Fate))
			if !x.Counts() {
				cells = struck(cells, 5)
			}
			out.Rows = append(out.Rows, cells)
		}
	}
	return out
}

// baseTable is what became of the submarine bases, and their dice, in the order of events.
func (t *builder) baseTable() document.Table {
	out := document.Table{Title: "Submarine bases", Columns: document.Columns("Turn", "Base", "What", "Event")}
	postings, results := t.Strategic.Postings, t.Strategic.Warfare
	for len(postings)+len(results) > 0 {
		if len(results) == 0 || len(postings) > 0 && postings[0].Event < results[0].Event {
			p := postings[0]
			postings = postings[1:]
			if t.covers(p.Ordinal) {
				cells := document.Row(p.Turn, p.Base, p.Text(), event(p.Event, p.Fate))
				out.Rows = append(out.Rows, counts(cells, p.Fate))
			}
			continue
		}
		x := results[0]
		results = results[1:]
		if t.covers(x.Ordinal) && strategic.IsBase(x.Procedure) {
			for _, r := range x.Readings {
				text := fmt.Sprintf("die %s, modified %d: %s", words.Numbers(r.Dice, "+"), r.Modified, r.Result)
				cells := document.Row(x.Turn, x.Subject, text, event(x.Event, x.Fate))
				out.Rows = append(out.Rows, counts(cells, x.Fate))
			}
		}
	}
	return out
}

// counts strikes a row that does not count.
func counts(cells []document.Text, f projections.Fate) []document.Text {
	if !f.Counts() {
		return struck(cells, 2)
	}
	return cells
}

// cardTable is the strategy cards drawn, and what cut the draws.
func (t *builder) cardTable() document.Table {
	out := document.Table{Title: "Strategy Cards drawn", Columns: document.Columns("Turn", "Side", "Without cuts",
		"Cut by submarines", "Cut by bombers", "Drawn", "Event")}
	for _, c := range t.Strategic.CardsDrawn {
		if t.covers(c.Ordinal) {
			out.Rows = append(out.Rows, counts(document.Row(c.Turn, c.Side, c.Base, c.Submarines, c.Bombers, c.Draw,
				event(c.Event, c.Fate)), c.Fate))
		}
	}
	return out
}

// lossTable is the units lost, in their order.
func (t *builder) lossTable() document.Table {
	out := document.Table{Title: "Losses", Columns: document.Columns("Turn", "Power", "Units", "Where", "To what",
		"Event")}
	for _, l := range t.Strategic.Losses {
		if !t.covers(l.Ordinal) {
			continue
		}
		var units []string
		for _, u := range l.Units {
			units = append(units, projections.CountUnits(u.Count, strings.ReplaceAll(u.Name, "_", " ")))
		}
		out.Rows = append(out.Rows, counts(document.Row(l.Turn, l.Power, words.And(units), l.Space, l.Cause,
			event(l.Event, l.Fate)), l.Fate))
	}
	return out
}

// standing is how the campaign stands at its end.
func (t *builder) standing() []document.Table {
	list := []document.Table{}
	add := func(x document.Table) {
		if len(x.Rows) > 0 {
			list = append(list, x)
		}
	}
	if t.Income != nil {
		add(t.totalTable())
		add(treasuryTable(t.Income.Treasuries))
	}
	if s := t.Strategic; s != nil {
		bases := document.Table{Title: "Bases", Columns: document.Columns("Base", "Where", "Since", "Event")}
		for _, b := range s.Bases {
			bases.Add(b.Base, b.Where(), b.Turn, event(b.Event, projections.Fate{}))
		}
		add(bases)
		figures := document.Table{Title: "Figures", Columns: document.Columns("What", "Now", "Since", "Event")}
		for _, f := range s.Figures {
			figures.Add(f.Name, f.Value, f.Turn, event(f.Event, projections.Fate{}))
		}
		add(figures)
	}
	if t.Pools != nil {
		add(t.poolTable())
	}
	return list
}

func (t *builder) totalTable() document.Table {
	out := document.Table{
		Title: "Earned and lost, over the whole campaign", Columns: document.Columns("Power", "Times collected", "Base",
			"Objectives", "Lost to raids", "Net", "Lost to bombing and rockets"),
	}
	for _, x := range t.Income.Totals {
		out.Add(x.Power, x.Collected, x.Base, x.Bonus, x.LostToRaids, x.Net, x.LostToAttacks)
	}
	return out.WithoutEmpty("Objectives", "Lost to bombing and rockets")
}

func treasuryTable(list []income.Treasury) document.Table {
	out := document.Table{
		Title: "In hand", Columns: document.Columns("Treasury", "At the start", "Income", "Loot", "Spent",
			"Paid for damage", "Given", "Adjusted", "In hand"),
		Note: document.Note{{Text: "Spent is all purchases, repairs, facilities and research. What was given in " +
			"compensation, or adjusted by the umpire, stands in a column of its own."}},
	}
	for _, x := range list {
		out.Add(x.Power, x.Opening, x.Income, x.Loot, x.Purchases+x.Repairs+x.Built+x.Research, x.Paid, x.Given,
			x.Adjusted, x.InHand)
	}
	return out.WithoutEmpty("Loot", "Paid for damage", "Given", "Adjusted")
}

// poolTable is the card pools, as far as the reader knows them.
func (t *builder) poolTable() document.Table {
	out := document.Table{Title: "Card pools", Columns: document.Columns("Side", "Deck", "Cards", "Known", "Not known")}
	for _, p := range t.Pools.Pools {
		var known []string
		for _, c := range p.Contents {
			if c.Count != 0 {
				known = append(known, fmt.Sprintf("%d %s", c.Count, cardText(c.Card)))
			}
		}
		out.Add(p.Side, p.Deck, p.Size, strings.Join(known, ", "), p.Unknown)
	}
	return out
}
