package explain

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/document"
)

// Bases of events that no rule gives.
const (
	fact = ", not ruled on: the ledger cannot see the board, and takes what is reported until it is reported anew."

	declaration = "A declaration, not ruled on: it says what is meant before anything comes of it."
	bookkeeping = "A book entry, not ruled on: what was reported goes into the books as it is, and is added up there."
	chance      = "Chance: what was declared before decides it, and no rule has a say."
	freeRoll    = "What dice show that were thrown for something these rules do not resolve: no rule reads it."
	choice      = "A choice of whoever was asked, not ruled on."
	course      = "As it was entered: it says what is on, and no rule is asked."
	hearing     = "A step of a hearing, or of putting the record right: no rule of the game gives it."
)

// bases lists the types of events by what they rest on. It lacks those that carry nothing to be asked about, and those
// that rules always give.
var bases = []struct {
	text  string
	types []events.Type
}{
	{fact, []events.Type{"fact_reported", "submarines_reported", "facilities_reported", "headquarters_reported",
		"targets_reported", "units_reported", "territory_captured", "units_lost"}},
	{declaration, []events.Type{"war_declared", "roll_declared", "raid_declared", "operation_declared",
		"attack_declared"}},
	{bookkeeping, []events.Type{"units_purchased", "research_paid", "units_mobilized", "facilities_repaired",
		"facility_built", "economic_attack_made", "income_collected"}},
	{chance, []events.Type{"dice_rolled", "dice_typed", "cards_drawn"}},
	{freeRoll, []events.Type{"result_adjudicated"}},
	{choice, []events.Type{"choice_made"}},
	{course, []events.Type{"turn_advanced", "phase_advanced", "seat_taken", "seat_keyed", "seat_rekeyed",
		"campaign_opened", "epoch_begun"}},
	{hearing, []events.Type{"dispute_opened", "statement_made", "evidence_brought", "dispute_ruled", "voided",
		"corrected", "consequence_kept", "edition_moved", "rules_changed"}},
}

// basis says what kind of event it is that no rule gives.
func (e *evidence) basis() document.Section {
	s := document.Section{ID: "nature", Title: "What it rests on"}
	if len(e.Derivation) > 0 {
		return s
	}
	if p, ok := e.Event.Payload.(*events.Compensated); ok {
		answer := document.Concat("By the umpire's ruling: no rule of the game gives it.")
		if p.Dispute != 0 {
			to := document.Link{Kind: document.ToCase, Event: p.Dispute}
			answer = document.Concat(answer, " It was ruled on dispute ",
				document.Span{Text: document.Event(p.Dispute).Text, To: to}, ".")
		}
		s.Paragraph(answer)
		if p.Reason != "" {
			s.Paragraph("Its reason: " + p.Reason)
		}
		return s
	}
	for _, b := range bases {
		switch {
		case !slices.Contains(b.types, e.Event.Type):
		case b.text == fact:
			s.Paragraph("Reported by " + seat(e.Command.Seat) + b.text)
		default:
			s.Paragraph(b.text)
		}
	}
	return s
}
