package g40

import "github.com/watu-ledger/watu/rules"

// CaptureInput is the capture of a capital. IPCs are those unspent of the economy whose it was.
type CaptureInput struct {
	Captured        string `json:"captured"` // berlin, rome, tokyo, london or calcutta
	By              string `json:"by"`
	IPCs            int    `json:"ipcs"`
	EuropeTreasury  int    `json:"europe_treasury"`
	PacificTreasury int    `json:"pacific_treasury"`
}

// CaptureOutcome is whom the IPCs go to, and what the economies of the United Kingdom have then.
type CaptureOutcome struct {
	// a power as the request names it, or united_kingdom_europe, united_kingdom_pacific
	To              string `json:"to"`
	IPCs            int    `json:"ipcs"`
	EuropeTreasury  int    `json:"europe_treasury"`
	PacificTreasury int    `json:"pacific_treasury"`
}

// CaptureCapital says where the IPCs of a captured capital go.
func CaptureCapital(in CaptureInput) (CaptureOutcome, rules.Findings) {
	var f rules.Findings
	checkFigures(&f, []string{"ipcs", "europe_treasury", "pacific_treasury"}, in.IPCs, in.EuropeTreasury,
		in.PacificTreasury)
	captor, known := PowerNamed(in.By)
	axis := known && captor.Axis()
	economy, regional := RegionalCapital(in.Captured)
	switch {
	case regional && !axis:
		f.ViolateField("by", "G40-UK-LOOT", "%s surrenders its IPCs to an Axis power that captures %s; %s is none",
			economy.title(), economy.capital(), in.By)
	case regional && in.has(economy) > 0 && in.IPCs > in.has(economy): // 0 stands for one that is not given
		f.ViolateField("ipcs", "G40-UK-LOOT", "%s has %d IPCs, so it surrenders no more than that, not %d",
			economy.title(), in.has(economy), in.IPCs)
	case !regional && axis:
		f.ViolateField("by", "G40-UK-AXIS-CAPITAL", "an Axis capital is captured by an Allied power; %s is none", in.By)
	}
	if f.Refused() {
		return CaptureOutcome{}, f
	}
	out := CaptureOutcome{To: in.By, IPCs: in.IPCs, EuropeTreasury: in.EuropeTreasury,
		PacificTreasury: in.PacificTreasury}
	switch {
	case regional:
		out.surrender(&f, economy)
	case captor == UnitedKingdom:
		out.reward(&f, in.Captured)
	default:
		f.Cite("G40-UK-AXIS-CAPITAL",
			"%s takes the %d IPCs itself: what the United Kingdom captures alone goes to its economies", in.By, in.IPCs)
	}
	return out, f
}

// has is the treasury of an economy.
func (in CaptureInput) has(e Economy) int {
	if e == Pacific {
		return in.PacificTreasury
	}
	return in.EuropeTreasury
}

// RegionalCapital gives the economy of the United Kingdom whose capital a city is.
func RegionalCapital(city string) (Economy, bool) {
	switch plainName(city) {
	case "london":
		return Europe, true
	case "calcutta":
		return Pacific, true
	}
	return "", false
}

// RewardOf gives the economy that an Axis capital's IPCs go to when the United Kingdom captures it
// (G40-UK-AXIS-CAPITAL).
func RewardOf(city string) Economy {
	if plainName(city) == "tokyo" {
		return Pacific
	}
	return Europe
}

// surrender empties an economy's treasury; the other economy's stays (G40-UK-LOOT).
func (out *CaptureOutcome) surrender(f *rules.Findings, e Economy) {
	f.Cite("G40-UK-LOOT", "%s falls to %s: %s surrenders its %d unspent IPCs, and only its own", e.capital(), out.To,
		e.title(), out.IPCs)
	f.Cite("AMB-G40-7", "what it has spent already is not surrendered")
	if e == Pacific {
		out.PacificTreasury = 0
	} else {
		out.EuropeTreasury = 0
	}
}

func (out *CaptureOutcome) reward(f *rules.Findings, city string) {
	e := RewardOf(city)
	out.To = "united_kingdom_" + string(e)
	if e == Pacific {
		out.PacificTreasury += out.IPCs
	} else {
		out.EuropeTreasury += out.IPCs
	}
	f.Cite("G40-UK-AXIS-CAPITAL", "the United Kingdom captures %s: its %d IPCs go to %s, whoever holds %s", city,
		out.IPCs, e.title(), e.capital())
}
