// Package waterfall says step by step how modifiers make another number of what dice gave:
//
//	               submarines        asw
//	dice           7  ███████        5  █████
//	torpedoes      +1        █       −1     █
//	French ports   +2         ██     −2   ██
//	read as        10 ██████████     2  ██
//
// What favours the one side counts against the other: a reading adds the net of the modifiers, or takes it off. Where
// what is recorded is neither, [Table.Fits] says so. The package draws nothing: it says where bars begin and end.
package waterfall

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

// Table has a column for each reading, and a row for each step.
type Table struct {
	Heads []string // what each reading is of
	Rows  []Row
	Fits  bool // every column comes to what is recorded
}

// Row is a step: the dice, a modifier, or what they come to.
type Row struct {
	Name  string
	Rule  document.Span // of a modifier
	Sum   bool          // it is what the steps come to
	Cells []Cell
}

// Cell is a step of one reading.
type Cell struct {
	Text    string // "3+4=7", "+1", "8"
	Less    bool   // it takes off
	At, Big int    // the bar: where it begins, and how large it is, in hundredths of the widest
}

// most is how many readings stand beside each other.
const most = 4

// Of is the waterfall of a result; nil of one without modifiers, and of any other event.
func Of(payload any) *Table {
	r, ok := payload.(*events.ResultAdjudicated)
	if !ok || len(r.Modifiers) == 0 || len(r.Readings) == 0 || len(r.Readings) > most {
		return nil
	}
	t := &Table{Fits: true}
	dice, end := Row{Name: "dice"}, Row{Name: "read as", Sum: true}
	rows := make([]Row, len(r.Modifiers))
	for i, m := range r.Modifiers {
		rows[i] = Row{Name: m.Name, Rule: document.Rule(m.Rule)}
	}
	for _, x := range r.Readings {
		sign := 1
		if by := x.Modified - x.Total; by != r.Net && by == -r.Net {
			sign = -1
		}
		t.Heads = append(t.Heads, x.Name)
		dice.Cells = append(dice.Cells, bar(thrown(x), 0, x.Total))
		at := x.Total
		for i, m := range r.Modifiers {
			rows[i].Cells = append(rows[i].Cells, bar(signed(sign*m.Value), at, at+sign*m.Value))
			at += sign * m.Value
		}
		end.Cells = append(end.Cells, bar(number(x.Modified), 0, x.Modified))
		t.Fits = t.Fits && at == x.Modified
	}
	t.Rows = append(append([]Row{dice}, rows...), end)
	t.scale()
	return t
}

// bar is a step from one number to another.
func bar(text string, from, to int) Cell {
	return Cell{Text: text, Less: to < from, At: min(from, to), Big: max(from, to) - min(from, to)}
}

// scale puts all bars on one scale of a hundred, which has room below zero where one goes there.
func (t *Table) scale() {
	low, high := 0, 1
	for _, r := range t.Rows {
		for _, c := range r.Cells {
			low, high = min(low, c.At), max(high, c.At+c.Big)
		}
	}
	for _, r := range t.Rows {
		for i := range r.Cells {
			c := &r.Cells[i]
			from := (c.At - low) * 100 / (high - low)
			c.Big = (c.At+c.Big-low)*100/(high-low) - from
			c.At = from
		}
	}
}

// thrown is "3+4=7", or "5" of one die.
func thrown(x events.Reading) string {
	dice := strings.Trim(strings.ReplaceAll(fmt.Sprint(x.Dice), " ", "+"), "[]")
	if len(x.Dice) < 2 {
		return number(x.Total)
	}
	return dice + "=" + number(x.Total)
}

// number has a minus sign as it is printed.
func number(n int) string { return strings.Replace(fmt.Sprint(n), "-", "−", 1) }

func signed(n int) string { return strings.Replace(fmt.Sprintf("%+d", n), "-", "−", 1) }

// Without are the blocks of a section without its list of modifiers, which the waterfall stands for.
func Without(blocks []document.Block) (list []document.Block) {
	for _, b := range blocks {
		if b.Table == nil || b.Table.Title != "Modifiers" {
			list = append(list, b)
		}
	}
	return list
}
