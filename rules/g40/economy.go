package g40

import "github.com/watu-ledger/watu/rules"

// Economy is one of the two economies of the United Kingdom.
type Economy string

// The economies: Europe has its capital in London, Pacific in Calcutta.
const (
	Europe  Economy = "europe"
	Pacific Economy = "pacific"
)

func (e Economy) title() string {
	if e == Pacific {
		return "UK Pacific"
	}
	return "UK Europe"
}

func (e Economy) capital() string {
	if e == Pacific {
		return "Calcutta"
	}
	return "London"
}

// Purse is what one economy has and is due. All figures are 0 or more.
type Purse struct {
	TerritoryIncome    int  `json:"territory_income"`
	NationalObjectives int  `json:"national_objectives"`
	ConvoyLosses       int  `json:"convoy_losses"`
	Treasury           int  `json:"treasury"`
	CapitalHeldByAxis  bool `json:"capital_held_by_axis"`
	Spending           int  `json:"spending"` // in this turn's Purchase & Repair, before the income
}

// IncomeInput is both economies at the Collect Income phase.
type IncomeInput struct {
	Europe  Purse `json:"europe"`
	Pacific Purse `json:"pacific"`
}

// Collected is what one economy collects, and what it has in hand then.
type Collected struct {
	Collected int `json:"collected"`
	Treasury  int `json:"treasury"`
}

// IncomeOutcome is what both economies collect.
type IncomeOutcome struct {
	Europe  Collected `json:"europe"`
	Pacific Collected `json:"pacific"`
}

// Income collects for both economies of the United Kingdom, each for itself (G40-UK-COLLECT).
func Income(in IncomeInput) (IncomeOutcome, rules.Findings) {
	var f rules.Findings
	CheckSpending(&f, Europe, in.Europe)
	CheckSpending(&f, Pacific, in.Pacific)
	if f.Refused() {
		return IncomeOutcome{}, f
	}
	out := IncomeOutcome{Europe: CollectFor(&f, Europe, in.Europe), Pacific: CollectFor(&f, Pacific, in.Pacific)}
	if in.Europe.CapitalHeldByAxis != in.Pacific.CapitalHeldByAxis {
		held, free := Europe, Pacific
		if in.Pacific.CapitalHeldByAxis {
			held, free = Pacific, Europe
		}
		f.Cite("G40-UK-NO-TRANSFER", "%s collects nothing of what %s does not", free.title(), held.title())
	}
	return out, f
}

// CheckSpending finds money spent that an economy may not or cannot spend (G40-UK-HELD,
// G40-UK-SEPARATE).
func CheckSpending(f *rules.Findings, e Economy, p Purse) {
	at := string(e) + "."
	checkFigures(f, []string{at + "territory_income", at + "national_objectives", at + "convoy_losses", at + "treasury",
		at + "spending"},
		p.TerritoryIncome, p.NationalObjectives, p.ConvoyLosses, p.Treasury, p.Spending)
	if p.Spending > 0 && p.CapitalHeldByAxis {
		f.ViolateField(at+"spending", "G40-UK-HELD", "%s may not spend %d while the Axis holds %s", e.title(),
			p.Spending, e.capital())
	}
	if p.Spending > p.Treasury {
		f.ViolateField(at+"spending", "G40-UK-SEPARATE",
			"%s has %d IPCs of its own and cannot spend %d; the other economy's are not its to spend",
			e.title(), p.Treasury, p.Spending)
	}
}

// CollectFor is what one economy collects: territories and national objectives, less what convoy
// disruptions take of the territories (G40-CONVOY-CAP). With its capital in Axis hands it is nothing
// (G40-UK-HELD).
func CollectFor(f *rules.Findings, e Economy, p Purse) Collected {
	left := p.Treasury - p.Spending
	if p.Spending > 0 {
		f.Cite("G40-UK-SEPARATE", "%s has spent %d of its own %d: %d are left", e.title(), p.Spending, p.Treasury, left)
	}
	if p.CapitalHeldByAxis {
		f.Cite("G40-UK-HELD", "the Axis holds %s: %s collects nothing and keeps %d", e.capital(), e.title(), left)
		return Collected{0, left}
	}
	losses := p.ConvoyLosses
	if losses > p.TerritoryIncome {
		losses = p.TerritoryIncome
		f.Cite("G40-CONVOY-CAP", "territories worth %d lose no more than that to convoy disruptions: of %d count %d",
			p.TerritoryIncome, p.ConvoyLosses, losses)
	}
	sum := p.TerritoryIncome + p.NationalObjectives - losses
	f.Cite("G40-UK-COLLECT",
		"%s collects %d of territories and %d of national objectives, less %d lost to convoy disruptions: %d, "+
			"and has %d",
		e.title(), p.TerritoryIncome, p.NationalObjectives, losses, sum, left+sum)
	return Collected{sum, left + sum}
}
