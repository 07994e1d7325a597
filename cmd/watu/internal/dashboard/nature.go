package dashboard

import "github.com/watu-ledger/watu/events"

// What an event is where no rule gives it.
const (
	natureFact = ", not ruled on: the ledger cannot see the board, and takes what is reported until it is " +
		"reported anew."
	natureDeclared = "A declaration, not ruled on: it says what is meant before anything comes of it."
	natureBook     = "A book entry, not ruled on: what was reported goes into the books as it is, and is " +
		"added up there."
	natureChance  = "Chance: what was declared before decides it, and no rule has a say."
	natureChoice  = "A choice of whoever was asked, not ruled on."
	natureCourse  = "As it was entered: it says what is on, and no rule is asked."
	natureHearing = "A step of a hearing, or of putting the record right: no rule of the game gives it."
)

// natures has no kind of event that carries nothing to be asked about, or that rules always give.
var natures = map[events.Type]string{
	"fact_reported": natureFact, "submarines_reported": natureFact, "facilities_reported": natureFact,
	"headquarters_reported": natureFact,
	"targets_reported":      natureFact, "units_reported": natureFact, "territory_captured": natureFact,
	"units_lost":   natureFact,
	"war_declared": natureDeclared, "roll_declared": natureDeclared, "raid_declared": natureDeclared,
	"operation_declared": natureDeclared,
	"attack_declared":    natureDeclared, "units_purchased": natureBook, "research_paid": natureBook,
	"units_mobilized":     natureBook,
	"facilities_repaired": natureBook, "facility_built": natureBook, "economic_attack_made": natureBook,
	"income_collected": natureBook,
	"dice_rolled":      natureChance, "dice_typed": natureChance, "cards_drawn": natureChance,
	"choice_made":   natureChoice,
	"turn_advanced": natureCourse, "phase_advanced": natureCourse, "seat_taken": natureCourse,
	"campaign_opened": natureCourse, "epoch_begun": natureCourse,
	"dispute_opened": natureHearing, "statement_made": natureHearing, "evidence_brought": natureHearing,
	"dispute_ruled": natureHearing,
	"voided":        natureHearing, "corrected": natureHearing, "consequence_kept": natureHearing,
	"edition_moved": natureHearing, "rules_changed": natureHearing,
}

// nature says what kind of event it is that no rule gives; nil where rules are cited, or where there is
// nothing to be said.
type nature struct {
	Said    string
	Dispute uint64 // on which it was ruled
	Reason  string
}

// Nature is that of the event.
func (w why) Nature() *nature {
	if len(w.Derivation) > 0 {
		return nil
	}
	if p, ok := w.Event.Payload.(*events.Compensated); ok {
		return &nature{"By the umpire's ruling: no rule of the game gives it.", p.Dispute, p.Reason}
	}
	said := natures[w.Event.Type]
	if said == natureFact {
		by := "the umpire"
		if w.Command.Seat != "umpire" {
			by = w.Command.Seat
		}
		return &nature{Said: "Reported by " + by + said}
	}
	if said == "" {
		return nil
	}
	return &nature{Said: said}
}
