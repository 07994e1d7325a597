package report

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/strategic"
)

// row is a row of a table: texts, numbers, sentences, or stretches that are marked.
func row(cells ...any) []Text {
	var out []Text
	for _, c := range cells {
		if t, ok := c.(Text); ok {
			out = append(out, t)
			continue
		}
		out = append(out, plain("%v", c))
	}
	return out
}

// struck marks the cells of a row that does not count.
func struck(cells []Text, from int) []Text {
	for i := from; i < len(cells); i++ {
		if s := cells[i].String(); s != "" {
			cells[i] = Text{{s, Was}}
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
func event(index uint64, f projections.Fate) string {
	if !f.Counts() {
		return fmt.Sprintf("#%d, %s", index, f.Mark())
	}
	return fmt.Sprintf("#%d", index)
}

// incomeTable is the incomes, turn by turn, corrected ones struck.
func (t *teller) incomeTable() Table {
	out := Table{
		Title: "Income, turn by turn", Columns: []string{"Turn", "Power", "Base", "Objectives", "Lost to raids", "Net", "In hand", "Event"},
		Note: "Lost to raids is what was taken off base and objectives; in hand is what the power had afterwards.",
	}
	for _, x := range t.Income.Turns {
		if !t.told(x.Ordinal) {
			continue
		}
		for _, c := range x.Corrected {
			out.Rows = append(out.Rows, struck(incomeRow(x, c), 2))
		}
		if x.Income != nil {
			out.Rows = append(out.Rows, incomeRow(x, *x.Income))
		}
	}
	return without(out, "Objectives")
}

func incomeRow(x income.Turn, c income.Income) []Text {
	return row(x.Turn, x.Power, c.Base, c.Bonus, c.Damage, c.Net, c.Treasury, event(c.Event, c.Fate))
}

// without drops a column that says nothing but 0.
func without(t Table, column string) Table {
	at := -1
	for i, c := range t.Columns {
		if c == column {
			at = i
		}
	}
	for _, r := range t.Rows {
		if s := r[at].String(); s != "0" && s != "" {
			return t
		}
	}
	t.Columns = append(append([]string{}, t.Columns[:at]...), t.Columns[at+1:]...)
	for i, r := range t.Rows {
		t.Rows[i] = append(append([]Text{}, r[:at]...), r[at+1:]...)
	}
	return t
}

// warfareTable is the results of strategic warfare, box by box.
func (t *teller) warfareTable() Table {
	out := Table{
		Title:   "Strategic warfare, box by box",
		Columns: []string{"Turn", "Box", "Whose campaign", "Roll", "Of", "Factors", "Dice", "Modified", "Result", "Event"},
		Note:    "The result is the cell of the table as it is printed: its first and second number.",
	}
	for _, x := range t.Strategic.Warfare {
		if !t.told(x.Ordinal) || isBase(x.Procedure) {
			continue
		}
		for _, r := range x.Readings {
			cells := row(x.Turn, x.Subject, x.Attacker, r.Name, r.Side, r.Factors, words.Numbers(r.Dice, "+"), r.Modified, r.Result, event(x.Event, x.Fate))
			if !x.Counts() {
				cells = struck(cells, 5)
			}
			out.Rows = append(out.Rows, cells)
		}
	}
	return out
}

func isBase(procedure string) bool { return strings.HasSuffix(procedure, ".sub-warfare") }

// baseTable is what became of the submarine bases, and their dice, in the order of events.
func (t *teller) baseTable() Table {
	out := Table{Title: "Submarine bases", Columns: []string{"Turn", "Base", "What", "Hex", "Event"}}
	postings, results := t.Strategic.Postings, t.Strategic.Warfare
	for len(postings)+len(results) > 0 {
		if len(results) == 0 || len(postings) > 0 && postings[0].Event < results[0].Event {
			p := postings[0]
			postings = postings[1:]
			if t.told(p.Ordinal) {
				out.Rows = append(out.Rows, counts(row(p.Turn, p.Base, posted(p), p.Hex, event(p.Event, p.Fate)), p.Fate))
			}
			continue
		}
		x := results[0]
		results = results[1:]
		if t.told(x.Ordinal) && isBase(x.Procedure) {
			for _, r := range x.Readings {
				said := fmt.Sprintf("die %s, modified %d: %s", words.Numbers(r.Dice, "+"), r.Modified, r.Result)
				out.Rows = append(out.Rows, counts(row(x.Turn, x.Subject, said, "", event(x.Event, x.Fate)), x.Fate))
			}
		}
	}
	return out
}

// counts strikes a row that does not count.
func counts(cells []Text, f projections.Fate) []Text {
	if !f.Counts() {
		return struck(cells, 2)
	}
	return cells
}

// posted says what became of a base.
func posted(p strategic.Posting) string {
	switch p.What {
	case "placed":
		if p.From != "" {
			return fmt.Sprintf("goes there from %s (%s)", p.From, p.How)
		}
		return fmt.Sprintf("placed (%s)", p.How)
	case "replaced":
		said := "replaced by " + p.By
		if p.Joined != "" {
			said += ", and " + p.Joined + " arrives"
		}
		return said
	case "attacked":
		said := fmt.Sprintf("%d of %d hits", p.Hits, p.Needed)
		if p.Left {
			said += fmt.Sprintf(", displaced until Turn %d", p.Returns)
		}
		return said
	}
	return fmt.Sprintf("displaced until Turn %d: %s", p.Returns, p.How)
}

// cardTable is the strategy cards drawn, and what cut the draws.
func (t *teller) cardTable() Table {
	out := Table{Title: "Strategy Cards drawn", Columns: []string{"Turn", "Side", "Without cuts", "Cut by submarines", "Cut by bombers", "Drawn", "Event"}}
	for _, c := range t.Strategic.CardsDrawn {
		if t.told(c.Ordinal) {
			out.Rows = append(out.Rows, counts(row(c.Turn, c.Side, c.Base, c.Submarines, c.Bombers, c.Draw, event(c.Event, c.Fate)), c.Fate))
		}
	}
	return out
}

// lossTable is the units lost, in their order.
func (t *teller) lossTable() Table {
	out := Table{Title: "Losses", Columns: []string{"Turn", "Power", "Units", "Where", "To what", "Event"}}
	for _, l := range t.Strategic.Losses {
		if !t.told(l.Ordinal) {
			continue
		}
		var units []string
		for _, u := range l.Units {
			units = append(units, projections.Counted(u.Count, strings.ReplaceAll(u.Name, "_", " ")))
		}
		out.Rows = append(out.Rows, counts(row(l.Turn, l.Power, words.And(units), l.Space, l.Cause, event(l.Event, l.Fate)), l.Fate))
	}
	return out
}

// standing is how the campaign stands at its end.
func (t *teller) standing() []Table {
	list := []Table{}
	add := func(x Table) {
		if len(x.Rows) > 0 {
			list = append(list, x)
		}
	}
	if t.Income != nil {
		add(t.totalTable())
		add(treasuryTable(t.Income.Treasuries))
	}
	if s := t.Strategic; s != nil {
		bases := Table{Title: "Bases", Columns: []string{"Base", "Hex", "Since", "Event"}}
		for _, b := range s.Bases {
			where := b.Hex
			if where == "" {
				where = fmt.Sprintf("off the map until Turn %d", b.Returns)
			}
			bases.Rows = append(bases.Rows, row(b.Base, where, b.Turn, event(b.Event, projections.Fate{})))
		}
		add(bases)
		figures := Table{Title: "Figures", Columns: []string{"What", "Now", "Since", "Event"}}
		for _, f := range s.Figures {
			figures.Rows = append(figures.Rows, row(f.Name, f.Value, f.Turn, event(f.Event, projections.Fate{})))
		}
		add(figures)
	}
	if t.Pools != nil {
		add(t.poolTable())
	}
	return list
}

func (t *teller) totalTable() Table {
	out := Table{
		Title: "Earned and lost, over the whole campaign", Columns: []string{"Power", "Times collected", "Base", "Objectives", "Lost to raids", "Net", "Lost to bombing and rockets"},
	}
	for _, x := range t.Income.Totals {
		out.Rows = append(out.Rows, row(x.Power, x.Collected, x.Base, x.Bonus, x.LostToRaids, x.Net, x.LostToAttacks))
	}
	return without(without(out, "Objectives"), "Lost to bombing and rockets")
}

func treasuryTable(list []income.Treasury) Table {
	out := Table{
		Title: "In hand", Columns: []string{"Treasury", "At the start", "Income", "Loot", "Spent", "Paid for damage", "Given", "Adjusted", "In hand"},
		Note: "Spent is all purchases, repairs, facilities and research. What was given in compensation, or adjusted by the umpire, stands in a column of its own.",
	}
	for _, x := range list {
		out.Rows = append(out.Rows, row(x.Power, x.Opening, x.Income, x.Loot, x.Purchases+x.Repairs+x.Built+x.Research, x.Paid, x.Given, x.Adjusted, x.InHand))
	}
	for _, column := range []string{"Loot", "Paid for damage", "Given", "Adjusted"} {
		out = without(out, column)
	}
	return out
}

// poolTable is the card pools, as far as the reader knows them.
func (t *teller) poolTable() Table {
	out := Table{Title: "Card pools", Columns: []string{"Side", "Deck", "Cards", "Known", "Not known"}}
	for _, p := range t.Pools.Pools {
		var known []string
		for _, c := range p.Contents {
			if c.Count != 0 {
				known = append(known, fmt.Sprintf("%d %s", c.Count, cardText(c.Card)))
			}
		}
		out.Rows = append(out.Rows, row(p.Side, p.Deck, p.Size, strings.Join(known, ", "), p.Unknown))
	}
	return out
}
