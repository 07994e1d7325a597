package rules

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// Findings is what a ruling notes while it is reached: the rules applied, in order, the rules
// found broken, and the cells of printed tables that were read. The zero value is ready.
type Findings struct {
	Derivation []events.Citation // GEN-DERIVE: in the order in which they were applied
	Violations []Violation       // GEN-ALL: not only the first
	Consulted  []Cell
}

// Cell is a place in a printed table of the system.
type Cell struct{ Table, Row, Column string }

// Violation is one broken rule. Rule is an id of the rules inventory, or [Input] for a
// request that is not understood. Field names the part of the command at fault, where one
// part is ("cards[1]"), and is empty otherwise.
type Violation struct {
	Rule    string `json:"rule"`
	Message string `json:"message"`
	Field   string `json:"-"`
	Wants   string `json:"-"` // what has to be entered first: [VerbFacts] or [VerbTurn]; "" where that would not help
}

// Verbs of entries that a refusal may want first.
const (
	VerbFacts = "facts"
	VerbTurn  = "turn"
)

// Input is the rule id of a request that is not understood: malformed, as opposed to illegal
// (GEN-INPUT).
const Input = "INPUT"

// Signed is the rule id of a command whose signature, or what was signed with it, does not fit.
const Signed = "SIGNED"

// Ledger is the rule id of what the ledger refuses whatever the game: what stands is not edited, a copy takes no steps,
// a reader does not see.
const Ledger = "LEDGER"

// Cite notes that rule was applied, and with which figures.
func (f *Findings) Cite(rule, format string, args ...any) {
	f.Derivation = append(f.Derivation, events.Citation{Rule: rule, Step: fmt.Sprintf(format, args...)})
}

// Consult notes that a cell of a printed table was read.
func (f *Findings) Consult(table, row, column string) {
	f.Consulted = append(f.Consulted, Cell{table, row, column})
}

// Violate notes that rule is broken: say what is wrong and what would be right.
func (f *Findings) Violate(rule, format string, args ...any) {
	f.ViolateField("", rule, format, args...)
}

// ViolateField is Violate for one part of the command.
func (f *Findings) ViolateField(field, rule, format string, args ...any) {
	f.Violations = append(f.Violations, Violation{Rule: rule, Message: fmt.Sprintf(format, args...), Field: field})
}

// Unreported is ViolateField where a report of what stands on the board is missing, or may be wrong.
func (f *Findings) Unreported(field, rule, format string, args ...any) {
	f.ViolateField(field, rule, format, args...)
	f.Violations[len(f.Violations)-1].Wants = VerbFacts
}

// Refused reports whether any rule is broken.
func (f *Findings) Refused() bool { return len(f.Violations) > 0 }

// Add takes over what another ruling found, and reports whether nothing is refused so far.
func (f *Findings) Add(g Findings) bool {
	f.Derivation = append(f.Derivation, g.Derivation...)
	f.Consulted = append(f.Consulted, g.Consulted...)
	return f.Check(g)
}

// Check is [Findings.Add] without the derivation: it takes over what is forbidden alone.
func (f *Findings) Check(g Findings) bool {
	f.Violations = append(f.Violations, g.Violations...)
	return !f.Refused()
}
