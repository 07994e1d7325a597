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
	var boxes, targets, bases []Result
	for _, x := range r.Warfare {
		switch {
		case x.isBombing():
			targets = append(targets, x)
		case IsBase(x.Procedure):
			bases = append(bases, x)
		default:
			boxes = append(boxes, x)
		}
	}
	var tables []document.Table
	for _, t := range slices.Concat([]document.Table{
		warfareTable("Strategic warfare", "Box", boxes), warfareTable("Strategic bombing", "Target", targets),
		modifierTable(boxes, targets, r.Further), totalTable(r.Totals), contestTable(r.Contests),
	}, r.baseTables(bases), []document.Table{furtherTable(r.Further), figureResultTable(r.Further), huntTable(r.Hunts),
		lossTable(r.Losses), compensationTable(r.Compensations), madeGoodTable(r.MadeGood)}) {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	if len(tables) == 0 {
		tables = append(tables, document.Table{Title: "Strategic warfare and results"})
	}
	return tables
}

// warfareTable shows rolls on 24.62. In a box the side says which roll it is; over a target its
// name does, for a mission has four.
func warfareTable(title, where string, results []Result) document.Table {
	who := "Side"
	if where == "Target" {
		who = "Roll"
	}
	t := document.Table{Title: title, Columns: document.Columns("Turn", "#", where, who, "SF", "Dice", "Mod", "Col",
		"Row", "Result")}
	if len(results) > 0 {
		t.Note = document.Noted(words.Join(" ", "SF: factors. Result: first/second, as printed.", attestedNote(results),
			correctionNote(results)))
	}
	for i := range results {
		r := &results[i]
		lead := []any{r.Turn, r.at(), r.Subject}
		for _, x := range r.Readings {
			roll := x.Side
			if r.isBombing() {
				roll = x.Name
			}
			lead = t.AddUnder(lead, roll, x.Factors, r.diceText(&x), words.Signed(x.Modified-x.Total), x.Column,
				words.Numbers(x.Rows, "+"), x.Result)
		}
	}
	return t
}

// at names a result's event, and marks one that is not counted.
func (r *Result) at() document.Span { return r.Fate.Event(r.Event) }

func correctionNote(results []Result) string {
	var notes []string
	for i := range results {
		if r := &results[i]; !r.Counts() {
			notes = append(notes, fmt.Sprintf("*#%d is %s and not counted.", r.Event, r.Mark()))
		}
	}
	return strings.Join(notes, " ")
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
			lead := []any{r.at(), r.Subject}
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

func totalTable(totals []Total) document.Table {
	t := document.Table{
		Title:   "Totals over all turns",
		Columns: document.Columns("Box or target", "Campaign", "Rolls of", "Side", "Rolls", "First", "Second"),
	}
	for _, x := range totals {
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
		t.Add(c.Turn, c.Fate.Event(c.Contest), what, cards, effect)
	}
	return t
}

// furtherTable shows results of any kind that were read off dice and tables; other figures of theirs
// stand below.
func furtherTable(results []Result) document.Table {
	t := document.Table{
		Title:   "Further results",
		Columns: document.Columns("Turn", "#", "What", "Reading", "Dice", "Mod", "Col", "Result"),
	}
	results = slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return len(r.Readings) == 0 })
	notes := []string{words.Join(" ", attestedNote(results), correctionNote(results))}
	for i := range results {
		r := &results[i]
		lead := []any{r.Turn, r.at(), r.what()}
		for _, x := range r.Readings {
			lead = t.AddUnder(lead, x.Name, r.diceText(&x), words.Signed(x.Modified-x.Total), x.Column, x.Result)
		}
		if len(r.Figures) > 0 {
			notes = append(notes, r.at().Text+": "+figuresText(r.Figures)+".")
		}
	}
	t.Note = document.Noted(strings.Join(notes, "\n"))
	return t.WithoutEmpty()
}

// figureResultTable shows the results that are figures alone, a line each.
func figureResultTable(results []Result) document.Table {
	t := document.Table{
		Title:   "Further results, in figures",
		Columns: document.Columns("Turn", "#", "What", "Attacker", "Figure", "Value"),
	}
	results = slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return len(r.Readings) > 0 })
	t.Note = document.Noted(words.Join(" ", attestedNote(results), correctionNote(results)))
	for i := range results {
		r := &results[i]
		event := r.at()
		if r.Attested {
			event.Text += attestedMark
		}
		lead := []any{r.Turn, event, r.what(), r.Attacker}
		for _, f := range r.Figures {
			lead = t.AddUnder(lead, f.Name, figureText(f))
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
