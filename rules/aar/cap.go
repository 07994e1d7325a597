package aar

import "github.com/watu-ledger/watu/rules"

// Kind is a kind of economic attack.
type Kind string

// The economic attacks.
const (
	ConvoyRaid Kind = "convoy_raid"
	SBR        Kind = "sbr"
	Rockets    Kind = "rockets"
)

func (k Kind) title() string {
	switch k {
	case SBR:
		return "bombers"
	case Rockets:
		return "rockets"
	}
	return "convoy raids"
}

// Attack is economic damage before the caps: as it was rolled, or the sum of the raids.
type Attack struct {
	Kind   Kind `json:"kind"`
	Damage int  `json:"damage"`
}

// CapInput is every economic attack on one territory in one TURN, in the order resolved.
type CapInput struct {
	Territory string   `json:"territory"`
	IPCValue  int      `json:"ipc_value"`
	Attacks   []Attack `json:"attacks"`
	Options   Options  `json:"options"`
}

// CapOutcome says what of each attack counts.
type CapOutcome struct {
	Limit   int   `json:"limit"`   // of all attacks together
	Applied []int `json:"applied"` // beside the attacks
	Total   int   `json:"total"`
}

// EconomicCap holds the economic attacks on a territory in one TURN to twice its value
// (AAR-4-TOTAL), and the convoy raids among them to their own cap (AAR-4-CAP).
func EconomicCap(in CapInput) (CapOutcome, rules.Findings) {
	var f rules.Findings
	out := CapOutcome{Limit: 2 * in.IPCValue, Applied: []int{}}
	raided, limit := 0, in.Options.raidCap(in.IPCValue)
	f.Cite("AAR-4-TOTAL", "%s is worth %d: all economic attacks of one TURN take at most %d", in.Territory, in.IPCValue,
		out.Limit)
	for _, a := range in.Attacks {
		counts := a.Damage
		if a.Kind == ConvoyRaid && counts > limit-raided { // AAR-4-CAP; with double_ipc_value AMB-AAR-1
			counts = limit - raided
			f.Cite(in.Options.capRule(), "convoy raids take at most %d: of %d there count %d", limit, a.Damage, counts)
		}
		if counts > out.Limit-out.Total {
			f.Cite("AAR-4-TOTAL", "%s: of %d there count %d", a.Kind.title(), counts, out.Limit-out.Total)
			counts = out.Limit - out.Total
		}
		if a.Kind == ConvoyRaid {
			raided += counts
		}
		out.Applied = append(out.Applied, counts)
		out.Total += counts
	}
	return out, f
}
