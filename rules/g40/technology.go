package g40

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/rules"
)

// Technology is one of those that the text changes.
type Technology string

// The technologies.
const (
	Rocketry           Technology = "rockets"
	ImprovedMechanized Technology = "improved_mechanized_infantry"
	SuperSubmarines    Technology = "super_submarines"
	JetFighters        Technology = "jet_fighters"
	ImprovedShipyards  Technology = "improved_shipyards"
)

// What may be asked of a unit.
const (
	questionAttack      = "attack_value"
	questionEscort      = "escort_hits_on"
	questionInterceptor = "interceptor_hits_on"
	questionConvoy      = "convoy_loss"
	questionCost        = "cost"
	questionBlitz       = "may_blitz"
)

const mechanizedInfantry = "mechanized_infantry"

// technologies are all of them, in the order of the contract.
func technologies() []Technology {
	return []Technology{Rocketry, ImprovedMechanized, SuperSubmarines, JetFighters, ImprovedShipyards}
}

// TechInput asks what a unit is worth to a power that has some technologies. PairedWith is a tank,
// artillery or nothing.
type TechInput struct {
	Techs      []Technology  `json:"techs"`
	Unit       string        `json:"unit"`
	Question   string        `json:"question"`
	PairedWith string        `json:"paired_with"`
	Power      string        `json:"power"`
	Options    ConvoyOptions `json:"options"`
}

// TechOutcome is the answer: a whole number, or whether the unit may.
type TechOutcome struct {
	Value any `json:"value"`
}

// columns are where the unit sheet answers a question.
var columns = map[string]string{
	questionAttack: "attack", questionEscort: "escort", questionInterceptor: "interceptor",
	questionConvoy: "convoy", questionCost: "cost", questionBlitz: "blitz",
}

// Tech answers a question about a unit from the unit sheet. What the text does not give is refused,
// not guessed (G40-TECH-UNKNOWN).
func Tech(in TechInput) (TechOutcome, rules.Findings) {
	var f rules.Findings
	column := columns[in.Question]
	if in.Question == questionAttack && in.PairedWith != "" && in.Unit == mechanizedInfantry {
		column = "paired"
	}
	row, tech := in.row(column)
	cell, _ := unitTable.Cell(row, column)
	if cell == "" || cell == "-" {
		f.Violate("G40-TECH-UNKNOWN", "the text does not give the %s of a %s%s", plainName(in.Question),
			plainName(in.Unit), having(in.Techs))
		return TechOutcome{}, f
	}
	if in.Question == questionConvoy {
		raider := Raider{Power: in.Power, Unit: in.Unit, Super: tech == SuperSubmarines}
		in.Options.SuperSubmarine = convoyTable.MustFigure(superRow, "ipcs")
		return TechOutcome{raider.takes(&f, in.Options)}, f
	}
	f.Consult(TableUnits, row, column)
	if in.Question == questionBlitz {
		may := cell == "yes" || cell == in.PairedWith
		in.citeBlitz(&f, may)
		return TechOutcome{may}, f
	}
	n, err := strconv.Atoi(cell)
	if err != nil {
		f.Violate("G40-TECH-UNKNOWN", "a %s has no %s", plainName(in.Unit), plainName(in.Question))
		return TechOutcome{}, f
	}
	in.cite(&f, tech, n)
	return TechOutcome{n}, f
}

// row is the line of the unit sheet that answers, and the technology that it stands under.
func (in TechInput) row(column string) (string, Technology) {
	for _, t := range technologies() {
		row := in.Unit + "+" + string(t)
		if cell, ok := unitTable.Cell(row, column); ok && cell != "-" && slices.Contains(in.Techs, t) {
			return row, t
		}
	}
	return in.Unit, ""
}

// cite names the rule behind a figure of the sheet.
func (in TechInput) cite(f *rules.Findings, tech Technology, n int) {
	unit := plainName(in.Unit)
	switch {
	case in.Question == questionInterceptor:
		f.Cite("G40-SBR-RETURN", "an intercepting %s hits on %d or less; no technology changes that", unit, n)
	case in.Question == questionEscort && in.Unit == "fighter" && tech == JetFighters:
		f.Cite("G40-TECH-JET", "with Jet Fighters escorting fighters hit on 1 or %d", n)
	case in.Question == questionEscort:
		f.Cite("G40-SBR-FIRE", "an attacking %s hits on %d in the air battle%s", unit, n, in.stays())
	case in.Question == questionCost:
		f.Cite("G40-TECH-SHIPYARD", "with Improved Shipyards a %s costs %d IPCs", unit, n)
	case in.Unit == mechanizedInfantry && tech != "" && in.PairedWith != "":
		f.Cite("G40-TECH-MECH", "paired with %s, improved mechanized infantry attacks with %d", in.PairedWith, n)
	case in.Unit == mechanizedInfantry:
		f.Cite("AMB-G40-8",
			"mechanized infantry attacks with %d: the text raises it only with the technology, and beside a tank or "+
				"artillery", n)
	case in.Unit == "fighter":
		f.Cite("G40-TECH-JET", "a fighter attacks with %d, with Jet Fighters 4 instead of 3", n)
	default:
		f.Cite("G40-TECH-SUPER", "a %s attacks with %d, as a Super Submarine 3 instead of 2", unit, n)
	}
}

// stays says why Jet Fighters do not help a bomber.
func (in TechInput) stays() string {
	if in.Unit != "fighter" && slices.Contains(in.Techs, JetFighters) {
		return ": Jet Fighters help escorting fighters alone"
	}
	return ""
}

func (in TechInput) citeBlitz(f *rules.Findings, may bool) {
	switch {
	case slices.Contains(in.Techs, ImprovedMechanized):
		f.Cite("G40-TECH-MECH", "improved mechanized infantry may blitz without a tank")
	case may:
		f.Cite("G40-TECH-MECH", "mechanized infantry may blitz, paired with a tank")
	default:
		f.Cite("G40-TECH-MECH", "without the technology mechanized infantry may blitz only when paired with a tank")
	}
}

// having names technologies in a sentence.
func having(techs []Technology) string {
	if len(techs) == 0 {
		return " without a technology"
	}
	text := " with "
	for i, t := range techs {
		if i > 0 {
			text += ", "
		}
		text += plainName(string(t))
	}
	return text
}
