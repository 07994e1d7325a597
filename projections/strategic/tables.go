package strategic

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
)

// Tables shows the rolls in the boxes, over bombing targets and of bases, their modifiers, the totals,
// the contests, bases and strategy cards, and the further results. What there is nothing of is left
// out; if there is nothing at all, that is said.
func (v *View) Tables() []projections.Table {
	r := v.report()
	var boxes, targets, bases []Result
	for _, x := range r.Warfare {
		switch {
		case x.isBombing():
			targets = append(targets, x)
		case x.isBase():
			bases = append(bases, x)
		default:
			boxes = append(boxes, x)
		}
	}
	var tables []projections.Table
	for _, t := range slices.Concat([]projections.Table{
		warfareTable("Strategic warfare", "Box", boxes), warfareTable("Strategic bombing", "Target", targets),
		modifierTable(boxes, targets, r.Further), totalTable(r.Totals), contestTable(r.Contests),
	}, r.baseTables(bases), []projections.Table{furtherTable(r.Further), figureResultTable(r.Further), huntTable(r.Hunts), lossTable(r.Losses), compensationTable(r.Compensations), madeGoodTable(r.MadeGood)}) {
		if len(t.Rows) > 0 {
			tables = append(tables, t)
		}
	}
	if len(tables) == 0 {
		tables = append(tables, projections.Table{Title: "Strategic warfare and results"})
	}
	return tables
}

// warfareTable shows rolls on 24.62. In a box the side says which roll it is; over a target its
// name does, for a mission has four.
func warfareTable(title, where string, results []Result) projections.Table {
	who := "Side"
	if where == "Target" {
		who = "Roll"
	}
	t := projections.Table{Title: title, Columns: []string{"Turn", "#", where, who, "SF", "Dice", "Mod", "Col", "Row", "Result"}}
	if len(results) > 0 {
		t.Note = sentences("SF: factors. Result: first/second, as printed.", attestedNote(results), correctionNote(results))
	}
	for i := range results {
		r := &results[i]
		turn, event, box := r.Turn, r.eventText(), r.Subject
		for _, x := range r.Readings {
			roll := x.Side
			if r.isBombing() {
				roll = x.Name
			}
			t.Rows = append(t.Rows, []string{
				turn, event, box, roll, strconv.Itoa(x.Factors), r.diceText(&x), signed(x.Modified - x.Total),
				x.Column, words.Numbers(x.Rows, "+"), x.Result,
			})
			turn, event, box = "", "", ""
		}
	}
	return t
}

// eventText marks a result that is not counted.
func (r *Result) eventText() string {
	if !r.Counts() {
		return fmt.Sprintf("#%d*", r.Event)
	}
	return fmt.Sprintf("#%d", r.Event)
}

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

// sentences joins those that there are.
func sentences(list ...string) string {
	return strings.Join(slices.DeleteFunc(list, func(s string) bool { return s == "" }), " ")
}

func modifierTable(lists ...[]Result) projections.Table {
	t := projections.Table{Title: "Modifiers", Columns: []string{"Event", "Box or target", "Value", "Modifier", "Rule"}}
	for _, results := range lists {
		for i := range results {
			r := &results[i]
			event, subject := r.eventText(), r.Subject
			for _, m := range r.Modifiers {
				t.Rows = append(t.Rows, []string{event, subject, signed(m.Value), m.Name, m.Rule})
				event, subject = "", ""
			}
			if r.Contest != nil {
				t.Rows = append(t.Rows, []string{event, subject, "", fmt.Sprintf("cards: contest #%d, %s", r.Contest.Contest, r.Contest.text()), ""})
				event, subject = "", ""
			}
			if len(r.Modifiers) > 0 {
				t.Rows = append(t.Rows, []string{event, subject, signed(r.Net), "net", ""})
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

func totalTable(totals []Total) projections.Table {
	t := projections.Table{
		Title:   "Totals over all turns",
		Columns: []string{"Box or target", "Campaign", "Rolls of", "Side", "Rolls", "First", "Second"},
	}
	for _, x := range totals {
		if (&Result{Procedure: x.Procedure}).isBase() {
			continue // these have successes
		}
		t.Rows = append(t.Rows, []string{
			x.Box, x.Attacker, x.Reading, x.Side, fmt.Sprint(x.Rolls), fmt.Sprint(x.First), fmt.Sprint(x.Second),
		})
	}
	return t
}

func contestTable(contests []Contest) projections.Table {
	t := projections.Table{
		Title:   "Contests of cards",
		Columns: []string{"Turn", "Event", "Contest", "Cards", "Effect"},
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
		event := fmt.Sprintf("#%d", c.Contest)
		if !c.Counts() {
			event += "*"
		}
		effect := signed(c.Modifier)
		if len(c.Effects) > 0 {
			effect = figuresText(c.Effects)
		}
		cards := fmt.Sprintf("%s %d, %s %d", c.Acting, c.ActingCards, c.Opposing, c.OpposingCards)
		t.Rows = append(t.Rows, []string{c.Turn, event, what, cards, effect})
	}
	return t
}

// furtherTable shows results of any kind that were read off dice and tables; other figures of theirs
// stand below.
func furtherTable(results []Result) projections.Table {
	t := projections.Table{
		Title:   "Further results",
		Columns: []string{"Turn", "#", "What", "Reading", "Dice", "Mod", "Col", "Result"},
	}
	results = slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return len(r.Readings) == 0 })
	notes := []string{sentences(attestedNote(results), correctionNote(results))}
	for i := range results {
		r := &results[i]
		lead := []string{r.Turn, r.eventText(), r.what()}
		for _, x := range r.Readings {
			t.Rows = append(t.Rows, append(lead, x.Name, r.diceText(&x), signed(x.Modified-x.Total), x.Column, x.Result))
			lead = []string{"", "", ""}
		}
		if len(r.Figures) > 0 {
			notes = append(notes, r.eventText()+": "+figuresText(r.Figures)+".")
		}
	}
	t.Note = strings.Join(notes, "\n")
	return withoutEmpty(t)
}

// figureResultTable shows the results that are figures alone, a line each.
func figureResultTable(results []Result) projections.Table {
	t := projections.Table{
		Title:   "Further results, in figures",
		Columns: []string{"Turn", "#", "What", "Attacker", "Figure", "Value"},
	}
	results = slices.DeleteFunc(slices.Clone(results), func(r Result) bool { return len(r.Readings) > 0 })
	t.Note = sentences(attestedNote(results), correctionNote(results))
	for i := range results {
		r := &results[i]
		event := r.eventText()
		if r.Attested {
			event += attestedMark
		}
		lead := []string{r.Turn, event, r.what(), r.Attacker}
		for _, f := range r.Figures {
			t.Rows = append(t.Rows, append(lead, f.Name, figureText(f)))
			lead = []string{"", "", "", ""}
		}
		if len(r.Figures) == 0 {
			t.Rows = append(t.Rows, lead)
		}
	}
	return t
}

// withoutEmpty drops columns that no row fills.
func withoutEmpty(t projections.Table) projections.Table {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if slices.ContainsFunc(t.Rows, func(row []string) bool { return i < len(row) && row[i] != "" }) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for j, row := range t.Rows {
			if i < len(row) {
				t.Rows[j] = slices.Delete(row, i, i+1)
			}
		}
	}
	return t
}

// shortNames are what the short names of procedures stand for.
var shortNames = map[string]string{"aa-fire": "AA fire", "sbr": "bombing raid", "d-day": "AA fire on D-Day", "sub-warfare": "submarine warfare"}

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

func signed(n int) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}
