package strategic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// Tables shows the rolls in the boxes, over bombing targets and of bases, their modifiers, the totals,
// the contests, bases and strategy cards, and the further results. What there is nothing of is left
// out; if there is nothing at all, a note says so.
func (v *View) Tables() []document.Table {
	r := v.report()
	boxes := slices.DeleteFunc(r.rolled(), func(x Result) bool { return x.isBombing() })
	targets := slices.DeleteFunc(r.rolled(), func(x Result) bool { return !x.isBombing() })
	inBoxes := RollTable(boxes).Without("Campaign of", "Roll")
	bombing := RollTable(targets).Without("Campaign of", "Side")
	bombing.Title, bombing.Columns[2].Name = "Strategic bombing", "Target"
	for _, t := range []*document.Table{&inBoxes, &bombing} {
		t.Note = append(document.Noted("SF: factors. "), t.Note...)
	}
	tables := document.Filled(inBoxes, bombing, modifierTable(boxes, targets, r.Further), r.TotalTable(),
		contestTable(r.Contests), r.BaseWarfareTable(), r.BaseTotalTable(), r.FigureTable(), r.BaseTable(),
		r.PostingTable(), r.CardsDrawnTable(), r.CardsPlayedTable(), r.FurtherTable(), r.FurtherFigureTable(),
		r.HuntTable(), r.LossTable(), r.CompensationTable(), madeGoodTable(r.MadeGood))
	if len(tables) == 0 {
		tables = append(tables, document.Table{Title: "Strategic warfare and results"})
	}
	return tables
}

// rolled are the results of strategic warfare that are rolled on 24.62.
func (r *Report) rolled() []Result {
	return slices.DeleteFunc(slices.Clone(r.Warfare), func(x Result) bool { return IsBase(x.Procedure) })
}

// WarfareTable shows the rolls of strategic warfare, in boxes and over targets.
func (r *Report) WarfareTable() document.Table { return RollTable(r.rolled()) }

// RollTable shows rolls. In a box the side says which roll it is; over a target its name does, for a mission has four.
func RollTable(results []Result) document.Table {
	t := document.Table{Title: "Strategic warfare", Columns: document.Columns("Turn", "#", "Box", "Campaign of", "Roll",
		"Side", "Factors|SF", "Dice", "Modifier|Mod", "Column|Col", "Row", "Result")}
	t.Note = document.Noted(words.Join(" ", "Result: first/second, as printed.", attestedNote(results)))
	for i := range results {
		r := &results[i]
		lead := []any{r.Turn, r.Cell(r.Event), r.Subject, r.Attacker}
		for _, x := range r.Readings {
			lead = t.AddUnder(lead, x.Name, x.Side, x.Factors, r.diceText(&x), words.Signed(x.Modified-x.Total),
				x.Column, words.Numbers(x.Rows, "+"), x.Result)
		}
	}
	return t
}

// attestedNote explains the mark of dice that no chain decides.
func attestedNote(results []Result) string {
	if slices.ContainsFunc(results, func(r Result) bool { return r.Attested }) {
		return attestedMark + "Attested: thrown at a table, typed in by one seat and confirmed by another."
	}
	return ""
}

const attestedMark = "°"

func modifierTable(lists ...[]Result) document.Table {
	t := document.Table{Title: "Modifiers", Columns: document.Columns("Event", "Box or target", "Value", "Modifier",
		"Rule")}
	for _, results := range lists {
		for i := range results {
			r := &results[i]
			lead := []any{r.Cell(r.Event), r.Subject}
			for _, m := range r.Modifiers {
				lead = t.AddUnder(lead, words.Signed(m.Value), m.Name, m.Rule)
			}
			if r.Contest != nil {
				cards := document.Text{{Text: "cards: contest "}, document.Event(r.Contest.Contest),
					{Text: ", " + r.Contest.text()}}
				lead = t.AddUnder(lead, "", cards, "")
			}
			if len(r.Modifiers) > 0 {
				t.AddUnder(lead, words.Signed(r.Net), "net", "")
			}
		}
	}
	return t
}

func (e *Effect) text() string {
	text := fmt.Sprintf("%d to %d", e.ActingCards, e.OpposingCards)
	if e.Advantage != "" {
		text += ", " + e.Advantage + " ahead"
	}
	return text
}

// TotalTable shows what rolls in boxes and over targets brought.
func (r *Report) TotalTable() document.Table {
	t := document.Table{
		Title:   "Totals over all turns",
		Columns: document.Columns("Box or target", "Campaign", "Rolls of", "Side", "Rolls", "First", "Second"),
	}
	for _, x := range r.Totals {
		if IsBase(x.Procedure) {
			continue // these have successes
		}
		t.Add(x.Box, x.Attacker, x.Reading, x.Side, x.Rolls, x.First, x.Second)
	}
	return t
}

func contestTable(contests []Contest) document.Table {
	t := document.Table{
		Title:   "Contests of cards",
		Columns: document.Columns("Turn", "Event", "Contest", "Cards", "Effect"),
	}
	for i := range contests {
		c := &contests[i]
		what := c.Kind
		if c.Subject != "" {
			what += ": " + c.Subject
		}
		if len(c.Scope) > 0 {
			what += " (" + strings.Join(c.Scope, ", ") + ")"
		}
		effect := words.Signed(c.Modifier)
		if len(c.Effects) > 0 {
			effect = figuresText(c.Effects)
		}
		cards := fmt.Sprintf("%s %d, %s %d", c.Acting, c.ActingCards, c.Opposing, c.OpposingCards)
		t.Add(c.Turn, c.Cell(c.Contest), what, cards, effect)
	}
	return t
}

// FurtherTable shows results of any kind that were read off dice and tables; other figures of theirs
// stand below.
func (r *Report) FurtherTable() document.Table {
	t := document.Table{
		Title:   "Further results",
		Columns: document.Columns("Turn", "#", "What", "Reading", "Dice", "Modifier|Mod", "Column|Col", "Result"),
	}
	read := slices.DeleteFunc(slices.Clone(r.Further), func(x Result) bool { return len(x.Readings) == 0 })
	notes := []string{attestedNote(read)}
	for i := range read {
		r := &read[i]
		lead := []any{r.Turn, r.Cell(r.Event), r.what()}
		for _, x := range r.Readings {
			lead = t.AddUnder(lead, x.Name, r.diceText(&x), words.Signed(x.Modified-x.Total), x.Column, x.Result)
		}
		if len(r.Figures) > 0 {
			notes = append(notes, r.Cell(r.Event).String()+": "+figuresText(r.Figures)+".")
		}
	}
	t.Note = document.Noted(words.Join("\n", notes...))
	return t.WithoutEmpty()
}

// FurtherFigureTable shows the results that are figures alone, a line each.
func (r *Report) FurtherFigureTable() document.Table {
	t := document.Table{
		Title:   "Further results, in figures",
		Columns: document.Columns("Turn", "#", "What", "Attacker", "Figure", "Value"),
	}
	stated := slices.DeleteFunc(slices.Clone(r.Further), func(x Result) bool { return len(x.Readings) > 0 })
	t.Note = document.Noted(attestedNote(stated))
	for i := range stated {
		r := &stated[i]
		event := r.Cell(r.Event)
		if r.Attested {
			event = append(event, document.Span{Text: attestedMark})
		}
		lead := []any{r.Turn, event, r.what(), r.Attacker}
		for _, f := range r.Figures {
			lead = t.AddUnder(lead, f.Name, document.Figure(r.Event, figureText(f)))
		}
		if len(r.Figures) == 0 {
			t.Add(lead...)
		}
	}
	return t
}

// shortNames are what the short names of procedures stand for.
var shortNames = map[string]string{"aa-fire": "AA fire", "sbr": "bombing raid", "d-day": "AA fire on D-Day",
	"sub-warfare": "submarine warfare"}

// what reads a procedure's name as words, and adds the target unless the name says it: "harbor
// attack, Taranto", "pearl harbor, surprise".
func (r *Result) what() string {
	name, short := shortNames[r.kind()]
	if !short {
		name = strings.NewReplacer(".", ", ", "-", " ").Replace(r.kind())
	}
	if r.Subject == "" || strings.HasPrefix(name, strings.ToLower(r.Subject)) {
		return name
	}
	return name + ", " + r.Subject
}

func figuresText(list []events.Figure) string {
	var parts []string
	for _, f := range list {
		parts = append(parts, f.Name+" "+figureText(f))
	}
	return strings.Join(parts, ", ")
}

func figureText(f events.Figure) string {
	if f.Text != "" {
		return f.Text
	}
	return strconv.Itoa(f.Value)
}

func (r *Result) diceText(x *events.Reading) string {
	text := words.Numbers(x.Dice, "+")
	if r.Attested && text != "" {
		text += attestedMark
	}
	return text
}
