package eots

import (
	"github.com/watu-ledger/watu/rules"
)

const (
	intercepts     = "cryptographic_intercepts"
	matador        = "operation_matador"
	interceptsCard = 5
	timingEnd      = "offensive_end_no_battle_hexes"
	fewestInChina  = 2 // divisions that this event never removes (EOTS-11.24.A-5)
)

// InterceptInput is Allied card 5 played against troop transports.
type InterceptInput struct {
	Card     int    `json:"card"`
	PlayedAs string `json:"played_as"` // cryptographic_intercepts or operation_matador
	Timing   string `json:"timing"`    // offensive_before_combat_phase, offensive_end_no_battle_hexes or other
	SubBase  struct {
		Name      string `json:"name"`
		Relocated bool   `json:"relocated_this_card_phase"`
		HQs       int    `json:"japanese_hqs_in_sloc_range"`
	} `json:"sub_base"`
	Die       int     `json:"die"`
	Divisions int     `json:"divisions_in_china"`
	Options   Options `json:"options"`
}

// InterceptOutcome is how many divisions leave China, and how many are left there.
type InterceptOutcome struct {
	Removed   int `json:"removed"`
	Divisions int `json:"divisions_in_china"`
}

// CheckTroopTransports finds what forbids the event, without looking at the die.
func CheckTroopTransports(in InterceptInput) rules.Findings {
	var f rules.Findings
	if in.Card != interceptsCard {
		f.ViolateField("card", "EOTS-11.24.A-1",
			"Cryptographic Intercepts is an event of Allied card %d, not of card %d", interceptsCard, in.Card)
	}
	if in.PlayedAs == matador {
		f.ViolateField("played_as", "EOTS-11.24.A-1",
			"the card is played as Operation Matador, so it is not Cryptographic Intercepts too")
	}
	if in.Timing == "other" {
		f.ViolateField("timing", "EOTS-11.24.A-2",
			"the event is played during an offensive before the combat phase, or at the end of one without "+
				"battle hexes")
	}
	if in.SubBase.Relocated {
		f.ViolateField("sub_base", "EOTS-11.24.A-3",
			"%s was relocated in this strategy card phase; another base is needed", in.SubBase.Name)
	}
	if in.SubBase.HQs == 0 {
		f.ViolateField("sub_base", "EOTS-11.24.A-3", "no Japanese HQ is within the SLOC Proximity Range of %s",
			in.SubBase.Name)
	}
	return f
}

// TroopTransports rules on the event (11.24.A).
func TroopTransports(in InterceptInput) (InterceptOutcome, rules.Findings) {
	f := CheckTroopTransports(in)
	checkDie(&f, "die", in.Die, in.Options)
	if f.Refused() {
		return InterceptOutcome{}, f
	}
	f.Cite("EOTS-11.24.A-0", "Allied card %d is a Reaction Event in either form", interceptsCard)
	f.Cite("EOTS-11.24.A-1", "it is played as Cryptographic Intercepts, not as Operation Matador")
	f.Cite("EOTS-11.24.A-2", "played %s", timings()[in.Timing])
	f.Cite("EOTS-11.24.A-3",
		"%s stood still in this strategy card phase and has Japanese HQs within its SLOC Proximity Range: %d",
		in.SubBase.Name, in.SubBase.HQs)
	citeDie(&f, in.Options)
	if in.Die == 10 {
		f.Cite("AMB-EOTS-12", "the 10 is read in the row of 0")
	}
	column, _ := readTroopTransports(in.Die)
	wanted := tables.Figure(&f, TableTroopTransports, "Divisions", column)
	f.Cite("EOTS-11.24.A-4", "die %d: divisions to leave China: %d", in.Die, wanted)
	removed := min(wanted, max(0, in.Divisions-fewestInChina))
	f.Cite("EOTS-11.24.A-5", "of %d divisions in China, %d leave; the last %d never do", in.Divisions, removed,
		fewestInChina)
	return InterceptOutcome{Removed: removed, Divisions: in.Divisions - removed}, f
}

// readTroopTransports reads the table of the event: the column of the die, and the divisions there. A
// 10 is read as a 0 (AMB-EOTS-12).
func readTroopTransports(die int) (column, cell string) {
	if die == 10 { // AMB-EOTS-12
		die = 0
	}
	column, _ = troopTransportsTable.Column(die)
	return column, troopTransportsTable.MustCell("Divisions", column)
}

// timings are when the event may be played, in words.
func timings() map[string]string {
	return map[string]string{
		"offensive_before_combat_phase": "during an offensive, before the combat phase",
		timingEnd:                       "at the end of an offensive without declared battle hexes",
	}
}
