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

// BaseWarfareTable shows the dice of the bases. It has a column for each modifier that bears on some die.
func (r *Report) BaseWarfareTable() document.Table {
	t := document.Table{Title: "Submarine warfare", Columns: document.Columns("Turn", "#", "Sub Base", "Die")}
	results := slices.DeleteFunc(slices.Clone(r.Warfare), func(x Result) bool { return !IsBase(x.Procedure) })
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
	t.Note = document.Noted(attestedNote(results))
	for i := range results {
		x := &results[i]
		for _, reading := range x.Readings {
			row := []any{x.Turn, x.Cell(x.Event), x.Subject, x.diceText(&reading)}
			for _, name := range names {
				row = append(row, modifierText(x.Modifiers, name))
			}
			t.Add(append(row, reading.Modified, document.Figure(x.Event, reading.Result), r.spentText(x))...)
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
func (r *Report) spentText(x *Result) (text document.Text) {
	for _, s := range r.Spent {
		if s.Counts() && s.Base == x.Subject && s.Ordinal == x.Ordinal && x.Counts() {
			text = document.Text{document.Figure(s.Event, map[string]string{"asp": "an ASP", "swm": "the SWM",
				"none": "nothing"}[s.On])}
		}
	}
	return text
}

// BaseTotalTable shows the successes of the bases.
func (r *Report) BaseTotalTable() document.Table {
	t := document.Table{Title: "Sub Bases over all turns", Columns: document.Columns("Sub Base", "Rolls", "Successes")}
	for _, x := range r.Totals {
		if IsBase(x.Procedure) {
			t.Add(x.Box, x.Rolls, x.Successes)
		}
	}
	return t
}

// FigureTable lists the figures of the game as they were stated last.
func (r *Report) FigureTable() document.Table {
	t := document.Table{Title: "As reported last", Columns: document.Columns("Figure", "Value", "#", "Turn")}
	for _, f := range r.Figures {
		value := fmt.Sprint(f.Value)
		if f.Name == figureSWM {
			value = words.Signed(f.Value)
			t.Note = document.Noted("A card played or a new year since then may have moved the SWM.")
		}
		t.Add(f.Name, value, document.Event(f.Event), f.Turn)
	}
	return t
}

// BaseTable shows where the bases are.
func (r *Report) BaseTable() document.Table {
	t := document.Table{Title: "Sub Bases now", Columns: document.Columns("Sub Base", "Where", "Since", "#")}
	for _, b := range r.Bases {
		t.Add(b.Base, document.Figure(b.Event, b.where()), b.Turn, document.Event(b.Event))
	}
	return t
}

// where describes the place of the base.
func (b *Base) where() string {
	if b.Hex == "" {
		return fmt.Sprintf("off the map, back from turn %d", b.Returns)
	}
	return "hex " + b.Hex
}

// PostingTable shows what became of the bases.
func (r *Report) PostingTable() document.Table {
	t := document.Table{Title: "What became of the bases", Columns: document.Columns("Turn", "#", "Sub Base", "What")}
	for _, x := range r.Postings {
		t.Add(x.Turn, x.Cell(x.Event), x.Base, document.Figure(x.Event, x.Text()))
	}
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

// CardsDrawnTable shows the draws of strategy cards, and what cut them.
func (r *Report) CardsDrawnTable() document.Table {
	t := document.Table{Title: "Strategy Cards drawn", Columns: document.Columns("Turn", "#", "Side", "In full",
		"Submarines", "Bombers", "Drawn")}
	for _, x := range r.CardsDrawn {
		t.Add(x.Turn, x.Cell(x.Event), x.Side, x.Base, words.Signed(-x.Submarines), words.Signed(-x.Bombers), x.Draw)
	}
	return t
}

// CardsPlayedTable shows the strategy cards played.
func (r *Report) CardsPlayedTable() document.Table {
	t := document.Table{Title: "Strategy Cards played", Columns: document.Columns("Turn", "#", "Side", "Card", "Event")}
	for _, x := range r.CardsPlayed {
		t.Add(x.Turn, x.Cell(x.Event), x.Side, x.Card, document.Figure(x.Event, x.As))
	}
	return t
}

// HuntTable shows the groups of submarines in each sea zone hunted in. Those that no destroyer hunted
// have no value.
func (r *Report) HuntTable() document.Table {
	t := document.Table{Title: "Hunts for submarines", Columns: document.Columns("Turn", "#", "In turn of", "Sea zone",
		"Submarines", "Found at", "Result"), Note: document.Noted(
		"Found at: on this or less, by the power of the destroyers.")}
	for _, x := range r.Hunts {
		lead := []any{x.Turn, x.Cell(x.Event), x.Attacker, x.Zone}
		for _, g := range x.Groups {
			lead = t.AddUnder(lead, document.Figure(x.Event, g.Power+": "+strings.Join(g.Submarines, ", ")),
				document.Figure(x.Event, figuresText(g.Values)), document.Figure(x.Event, huntedText(&g)))
		}
	}
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

// LossTable shows the units lost.
func (r *Report) LossTable() document.Table {
	t := document.Table{Title: "Losses", Columns: document.Columns("Turn", "#", "Of", "Where", "Units", "To",
		"Picked by")}
	for _, x := range r.Losses {
		units := document.Figure(x.Event, projections.UnitsText(x.Units))
		t.Add(x.Turn, x.Cell(x.Event), x.Power, x.Space, units, x.Cause, x.Chosen)
	}
	return t.WithoutEmpty()
}
