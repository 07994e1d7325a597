package g40

import "github.com/watu-ledger/watu/rules"

// ResearchInput is a payment for Research & Development of the United Kingdom.
type ResearchInput struct {
	Cost            int  `json:"cost"`
	EuropePays      int  `json:"europe_pays"`
	PacificPays     int  `json:"pacific_pays"`
	EuropeTreasury  int  `json:"europe_treasury"`
	PacificTreasury int  `json:"pacific_treasury"`
	EuropeHeld      bool `json:"europe_capital_held_by_axis"`
	PacificHeld     bool `json:"pacific_capital_held_by_axis"`
}

// ResearchOutcome is what both economies have left, and who has the use of the research.
type ResearchOutcome struct {
	EuropeTreasury  int    `json:"europe_treasury"`
	PacificTreasury int    `json:"pacific_treasury"`
	AppliesTo       string `json:"applies_to"`
}

// PayResearch takes the cost of research out of the treasuries: all of it from either economy, or
// a part from each (G40-UK-RD).
func PayResearch(in ResearchInput) (ResearchOutcome, rules.Findings) {
	var f rules.Findings
	checkFigures(&f, []string{"cost", "europe_pays", "pacific_pays", "europe_treasury", "pacific_treasury"},
		in.Cost, in.EuropePays, in.PacificPays, in.EuropeTreasury, in.PacificTreasury)
	if paid := in.EuropePays + in.PacificPays; paid != in.Cost {
		f.Violate("G40-UK-RD", "%d from %s and %d from %s make %d, and the research costs %d", in.EuropePays,
			Europe.title(), in.PacificPays, Pacific.title(), paid, in.Cost)
	}
	in.checkPart(&f, Europe, "europe_pays", in.EuropePays, in.EuropeTreasury, in.EuropeHeld)
	in.checkPart(&f, Pacific, "pacific_pays", in.PacificPays, in.PacificTreasury, in.PacificHeld)
	if f.Refused() {
		return ResearchOutcome{}, f
	}
	f.Cite("G40-UK-RD", "%d from %s and %d from %s meet the cost of %d; what comes of it serves the whole power",
		in.EuropePays, Europe.title(), in.PacificPays, Pacific.title(), in.Cost)
	f.Cite("G40-UK-SEPARATE", "%s has %d left, %s %d", Europe.title(), in.EuropeTreasury-in.EuropePays, Pacific.title(),
		in.PacificTreasury-in.PacificPays)
	return ResearchOutcome{in.EuropeTreasury - in.EuropePays, in.PacificTreasury - in.PacificPays, "united_kingdom"}, f
}

// checkPart finds a part that an economy cannot pay. What is not in hand does not meet the cost
// either.
func (in ResearchInput) checkPart(f *rules.Findings, e Economy, field string, pays, treasury int, held bool) {
	if pays > 0 && held {
		f.ViolateField(field, "G40-UK-HELD", "%s may not spend %d while the Axis holds %s", e.title(), pays,
			e.capital())
	}
	if pays > 0 && pays > treasury {
		f.ViolateField(field, "G40-UK-SEPARATE", "%s has %d IPCs of its own and cannot pay %d", e.title(), treasury,
			pays)
		f.ViolateField(field, "G40-UK-RD", "%s can pay %d at most, so the cost of %d is not met", e.title(), treasury,
			in.Cost)
	}
}
