package strategic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// baseTables shows the dice of the bases and what came of them, where the bases are, and the cards.
func (r *Report) baseTables(results []Result) []document.Table {
	return []document.Table{
		r.baseWarfareTable(results), baseTotalTable(r.Totals), figureTable(r.Figures), r.baseTable(),
		postingTable(r.Postings),
		cardsDrawnTable(r.CardsDrawn), cardsPlayedTable(r.CardsPlayed),
	}
}

// baseWarfareTable has a column for each modifier that bears on some die.
func (r *Report) baseWarfareTable(results []Result) document.Table {
	t := document.Table{Title: "Submarine warfare", Columns: document.Columns("Turn", "#", "Sub Base", "Die")}
	var names []string
	for i := range results {
		for _, m := range results[i].Modifiers {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	t.Columns = append(append(t.Columns, document.Columns(names...)...), document.Columns("Comes to", "Result",
		"Spent on")...)
	if len(results) > 0 {
		t.Note = document.Noted(words.Join(" ", attestedNote(results), correctionNote(results)))
	}
	for i := range results {
		x := &results[i]
		for _, reading := range x.Readings {
			row := []any{x.Turn, x.at(), x.Subject, x.diceText(&reading)}
			for _, name := range names {
				row = append(row, modifierText(x.Modifiers, name))
			}
			t.Add(append(row, reading.Modified, reading.Result, r.spentText(x))...)
		}
	}
	return t
}

func modifierText(list []events.Modifier, name string) string {
	if i := slices.IndexFunc(list, func(m events.Modifier) bool { return m.Name == name }); i >= 0 {
		return words.Signed(list[i].Value)
	}
	return ""
}

// spentText says what the success was spent on: what stands, and was reported of that base in that turn.
func (r *Report) spentText(x *Result) string {
	text := ""
	for _, s := range r.Spent {
		if s.Counts() && s.Base == x.Subject && s.Ordinal == x.Ordinal && x.Counts() {
			text = map[string]string{"asp": "an ASP", "swm": "the SWM", "none": "nothing"}[s.On]
		}
	}
	return text
}

func baseTotalTable(totals []Total) document.Table {
	t := document.Table{Title: "Sub Bases over all turns", Columns: document.Columns("Sub Base", "Rolls", "Successes")}
	for _, x := range totals {
		if IsBase(x.Procedure) {
			t.Add(x.Box, x.Rolls, x.Successes)
		}
	}
	return t
}

func figureTable(figures []Figure) document.Table {
	t := document.Table{Title: "As reported last", Columns: document.Columns("Figure", "Value", "#", "Turn")}
	for _, f := range figures {
		value := fmt.Sprint(f.Value)
		if f.Name == figureSWM {
			value = words.Signed(int(f.Value))
			t.Note = document.Noted("A card played or a new year since then may have moved the SWM.")
		}
		t.Add(f.Name, value, document.Event(f.Event), f.Turn)
	}
	return t
}

func (r *Report) baseTable() document.Table {
	t := document.Table{Title: "Sub Bases now", Columns: document.Columns("Sub Base", "Where", "Since", "#")}
	for _, b := range r.Bases {
		t.Add(b.Base, b.Where(), b.Turn, document.Event(b.Event))
	}
	return t
}

// Where describes the place of the base.
func (b *Base) Where() string {
	if b.Hex == "" {
		return fmt.Sprintf("off the map, back from turn %d", b.Returns)
	}
	return "hex " + b.Hex
}

func postingTable(list []Posting) document.Table {
	t := document.Table{Title: "What became of the bases", Columns: document.Columns("Turn", "#", "Sub Base", "What")}
	var notes []string
	for i := range list {
		x := &list[i]
		t.Add(x.Turn, mark(&x.Place, &notes), x.Base, x.Text())
	}
	t.Note = document.Noted(strings.Join(notes, " "))
	return t
}

// Text describes what became of the base.
func (x *Posting) Text() string {
	away := ""
	if x.Left {
		away = fmt.Sprintf(": off the map, back from turn %d", x.Returns)
	}
	switch x.What {
	case placed:
		if x.From != "" {
			return fmt.Sprintf("%s from %s to %s", x.How, x.From, x.Hex)
		}
		return fmt.Sprintf("placed in %s, %s", x.Hex, x.How)
	case displaced:
		return fmt.Sprintf("displaced from %s, %s%s", x.Hex, x.How, away)
	case attacked:
		return fmt.Sprintf("attacked in %s, %d hits, %d to displace it%s", x.Hex, x.Hits, x.Needed, away)
	}
	text := "replaced by " + x.By
	if x.Hex != "" {
		text += " in " + x.Hex
	}
	if x.Joined != "" {
		text += "; " + x.Joined + " arrives"
	}
	return text
}

func cardsDrawnTable(list []CardsDrawn) document.Table {
	t := document.Table{Title: "Strategy cards drawn", Columns: document.Columns("Turn", "#", "Side", "In full",
		"Submarines", "Bombers", "Drawn")}
	var notes []string
	for i := range list {
		x := &list[i]
		t.Add(x.Turn, mark(&x.Place, &notes), x.Side, x.Base, words.Signed(-x.Submarines), words.Signed(-x.Bombers),
			x.Draw)
	}
	t.Note = document.Noted(strings.Join(notes, " "))
	return t
}

func cardsPlayedTable(list []CardPlayed) document.Table {
	t := document.Table{Title: "Strategy cards played", Columns: document.Columns("Turn", "#", "Side", "Card", "Event")}
	var notes []string
	for i := range list {
		x := &list[i]
		t.Add(x.Turn, mark(&x.Place, &notes), x.Side, x.Card, x.As)
	}
	t.Note = document.Noted(strings.Join(notes, " "))
	return t
}

// huntTable shows the groups of submarines in each sea zone hunted in. Those that no destroyer hunted
// have no value.
func huntTable(list []Hunt) document.Table {
	t := document.Table{Title: "Hunts for submarines", Columns: document.Columns("Turn", "#", "In turn of", "Sea zone",
		"Submarines", "Found at", "Result")}
	var notes []string
	for i := range list {
		x := &list[i]
		lead := []any{x.Turn, mark(&x.Place, &notes), x.Attacker, x.Zone}
		for _, g := range x.Groups {
			lead = t.AddUnder(lead, g.Power+": "+strings.Join(g.Submarines, ", "), figuresText(g.Values),
				huntedText(&g))
		}
	}
	t.Note = document.Noted(strings.Join(append([]string{"Found at: on this or less, by the power of the destroyers."},
		notes...), " "))
	return t
}

func huntedText(g *events.HuntedGroup) string {
	if g.Detected {
		return "detected"
	}
	text := "undetected"
	if g.MaySubmerge {
		text += ", may submerge"
	}
	if g.MayCallShots {
		text += ", may call shots"
	}
	return text
}

func lossTable(list []Loss) document.Table {
	t := document.Table{Title: "Losses", Columns: document.Columns("Turn", "#", "Of", "Where", "Units", "To",
		"Picked by")}
	var notes []string
	for i := range list {
		x := &list[i]
		var units []string
		for _, u := range x.Units {
			units = append(units, projections.CountUnits(u.Count, u.Name))
		}
		t.Add(x.Turn, mark(&x.Place, &notes), x.Power, x.Space, strings.Join(units, ", "), x.Cause, x.Chosen)
	}
	t.Note = document.Noted(strings.Join(notes, " "))
	return t.WithoutEmpty()
}

// mark names an event, and one that is not counted with the note that says so.
func mark(p *projections.Place, notes *[]string) document.Span {
	if !p.Counts() {
		*notes = append(*notes, fmt.Sprintf("*#%d is %s and not counted.", p.Event, p.Mark()))
	}
	return p.Fate.Event(p.Event)
}
