package awaw

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// lastRow is the last row of 24.62.
const lastRow = 30

// SWTableInput asks for a reading of the Strategic Warfare Combat Table.
type SWTableInput struct {
	Factors  int     `json:"factors"`
	Dice     []int   `json:"dice"` // two six-sided dice
	Modifier int     `json:"modifier"`
	Options  Options `json:"options"`
}

// SWReading is one side's roll on 24.62. First and Second are the two numbers of the cells,
// each summed over the rows; the table does not say what they are (AMB-AWAW-5). Modified is
// the roll as it came out, Column where it was read.
type SWReading struct {
	DiceTotal int    `json:"dice_total"`
	Modifier  int    `json:"modifier"`
	Modified  int    `json:"modified"`
	Column    string `json:"column"`
	Factors   int    `json:"factors"`
	Rows      []int  `json:"rows"`
	First     int    `json:"first"`
	Second    int    `json:"second"`
	Result    string `json:"result"` // "0" or "first/second"
}

// CheckSWFactors finds negative factors (24.62-F).
func CheckSWFactors(field string, factors int) rules.Findings {
	var f rules.Findings
	if factors < 0 {
		f.ViolateField(field, "AWAW-24.62-F", "%d SW factors cannot fight; 0 or more are expected", factors)
	}
	return f
}

// SWTable rules on a reading of 24.62.
func SWTable(in SWTableInput) (SWReading, rules.Findings) {
	f := CheckSWFactors("factors", in.Factors)
	f.Add(checkDice("dice", in.Dice, 2, "AWAW-24.62-H"))
	if f.Refused() {
		return SWReading{}, f
	}
	return ReadStrategicWarfare(in.Factors, in.Dice, in.Modifier, in.Options)
}

// ReadStrategicWarfare reads 24.62 for factors of 0 or more: two dice and the modifier give
// the column, the factors the row or rows. Of the options low_roll and result_meaning count.
func ReadStrategicWarfare(factors int, dice []int, modifier int, o Options) (SWReading, rules.Findings) {
	var f rules.Findings
	r := SWReading{DiceTotal: sum(dice), Modifier: modifier, Factors: factors, Rows: SWRows(factors)}
	r.Modified = r.DiceTotal + modifier
	r.Column, _ = strategicWarfareTable.Column(r.Modified)
	f.Cite("AWAW-24.62-A", "%s %+d gives %d for %s", diceText(dice), modifier, r.Modified,
		words.Count(factors, "factor"))

	switch {
	case factors == 0:
		f.Cite("AWAW-24.62-F", "no factors, no effect")
	case r.Modified < 2 && o.LowRoll == "no_effect":
		f.Cite("AWAW-24.62-E", "%d is below 2 and has no effect (low_roll: no_effect)", r.Modified)
	default:
		r.citeColumn(&f)
		r.addRows(&f)
	}
	r.Result = swResult(r.First, r.Second)
	r.citeNumbers(&f, o)
	return r, f
}

// citeNumbers names the two numbers as far as the campaign has names for them (AMB-AWAW-5).
func (r SWReading) citeNumbers(f *rules.Findings, o Options) {
	switch {
	case r.Result == "0":
	case o.ResultMeaning == "eliminated_inverted":
		f.Cite("AWAW-24.62-G", "%s eliminated, %d inverted (result_meaning: eliminated_inverted)",
			words.Count(r.First, "factor"), r.Second)
	default:
		f.Cite("AWAW-24.62-G", "first number %d, second %d", r.First, r.Second)
	}
}

func (r SWReading) citeColumn(f *rules.Findings) {
	if r.Modified < 2 {
		f.Cite("AWAW-24.62-E", "%d is below 2 and is read in column 2 (low_roll: column_2)", r.Modified)
	}
	if r.Modified > 12 {
		f.Cite("AWAW-24.62-E", "%d is above 12 and is read in column 12+", r.Modified)
	}
}

// addRows adds up the cells of the rows: both numbers, each for itself (24.62-C).
func (r *SWReading) addRows(f *rules.Findings) {
	for i, row := range r.Rows {
		if i == 0 || row != r.Rows[i-1] {
			f.Consult(TableStrategicWarfare, strconv.Itoa(row), r.Column)
		}
		first, second := swCell(row, r.Column)
		r.First += first
		r.Second += second
	}
	switch n := len(r.Rows); {
	case n == 1:
		f.Cite("AWAW-24.62-A", "row %d, column %s: %s", r.Rows[0], r.Column, swResult(r.First, r.Second))
	case n == 2:
		f.Cite("AWAW-24.62-C", "%d factors: rows %d and %d, column %s, together %s", r.Factors, r.Rows[0], r.Rows[1],
			r.Column, swResult(r.First, r.Second))
	default:
		f.Cite("AWAW-24.62-D", "%d factors: row 30 is used as often as needed, %d rows", r.Factors, n)
		f.Cite("AWAW-24.62-C", "the one roll counts for each of them: column %s, together %s", r.Column,
			swResult(r.First, r.Second))
	}
}

// SWRows gives the rows of 24.62 for a number of factors: row 30 as often as needed, then
// the row of the rest (24.62-C, -D, AMB-AWAW-7). None for 0.
func SWRows(factors int) []int {
	rows := []int{}
	for ; factors > lastRow; factors -= lastRow {
		rows = append(rows, lastRow)
	}
	if factors > 0 {
		rows = append(rows, factors)
	}
	return rows
}

// swCell is a cell of 24.62: "0" is 0/0.
func swCell(row int, column string) (first, second int) {
	cell := strategicWarfareTable.MustCell(strconv.Itoa(row), column)
	if cell == "0" {
		return 0, 0
	}
	if _, err := fmt.Sscanf(cell, "%d/%d", &first, &second); err != nil {
		panic(fmt.Errorf("24.62 row %d, column %s: %w", row, column, err))
	}
	return first, second
}

func swResult(first, second int) string {
	if first == 0 && second == 0 {
		return "0"
	}
	return fmt.Sprintf("%d/%d", first, second)
}

// checkDice finds a wrong number of dice, under the rule given, and impossible ones.
func checkDice(field string, dice []int, want int, rule string) rules.Findings {
	var f rules.Findings
	if len(dice) != want {
		f.ViolateField(field, rule, "%d dice are thrown, not %d", want, len(dice))
	}
	for _, d := range dice {
		if d < 1 || d > 6 { // GEN-DICE
			f.ViolateField(field, rules.Input, "%s: %d is given, a die of 1 to 6 is expected", field, d)
		}
	}
	return f
}

func sum(dice []int) int {
	return rules.Sum(dice, func(d int) int { return d })
}

// diceText is "3+4=7", or "5" for one die.
func diceText(dice []int) string {
	var b strings.Builder
	for i, d := range dice {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(strconv.Itoa(d))
	}
	if len(dice) > 1 {
		fmt.Fprintf(&b, "=%d", sum(dice))
	}
	return b.String()
}
