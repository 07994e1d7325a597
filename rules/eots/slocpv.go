package eots

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// Pusan is the hex of Pusan (11.22.C).
const Pusan = "3306"

// SpaceKind is why a space counts for the SLOC PV.
type SpaceKind string

// The kinds of spaces. An HQ counts on top of the space that it stands in.
const (
	HomeIslandPort SpaceKind = "home_island_port"
	PusanPort      SpaceKind = "pusan"
	Resource       SpaceKind = "resource"
	JapaneseHQ     SpaceKind = "hq"
)

// name is the kind in a sentence.
func (k SpaceKind) name() string {
	switch k {
	case HomeIslandPort:
		return "home island port"
	case PusanPort:
		return "Pusan"
	case JapaneseHQ:
		return "HQ"
	}
	return string(k)
}

// SLOCSpace is a space, or an HQ, that may count. Distance is in hexes from the base.
type SLOCSpace struct {
	Hex      string    `json:"hex"`
	Kind     SpaceKind `json:"kind"`
	Japanese bool      `json:"japanese"`
	Distance int       `json:"distance"`
	Name     string    `json:"name"`
}

// SLOCPVInput is a base's SLOC Proximity Range, in hexes, and every space that may count.
type SLOCPVInput struct {
	Range   int         `json:"sloc_proximity_range"`
	Spaces  []SLOCSpace `json:"spaces"`
	Options Options     `json:"options"`
}

// SLOCPVOutcome has the numbers of spaces and HQs within range, their sum, and the value that follows from it.
type SLOCPVOutcome struct {
	Spaces int `json:"spaces"`
	HQs    int `json:"hqs"`
	Count  int `json:"count"`
	SLOCPV int `json:"sloc_pv"`
}

// SLOCPV rules on the SLOC Proximity Value of one Sub Base (11.22.C).
func SLOCPV(in SLOCPVInput) (SLOCPVOutcome, rules.Findings) {
	f := checkSpaces(in.Spaces)
	if f.Refused() {
		return SLOCPVOutcome{}, f
	}
	spaces := in.count(&f)
	out := SLOCPVOutcome{HQs: in.within(JapaneseHQ)}
	f.Cite("EOTS-11.22.C-4", "Japanese HQs within %d hexes: %d, on top of the spaces that they stand in", in.Range,
		out.HQs)
	out.Spaces = spaces
	out.Count = out.Spaces + out.HQs
	out.SLOCPV = (out.Count + 2) / 5 // to the nearest integer: fifths never tie
	f.Cite("EOTS-11.22.C-5", "spaces %d and HQs %d make %d; divided by 5, to the nearest integer: %d", out.Spaces,
		out.HQs, out.Count, out.SLOCPV)
	return out, f
}

// count counts the spaces within range, and says how.
func (in SLOCPVInput) count(f *rules.Findings) int {
	f.Cite("EOTS-11.22.C-1", "home island ports within %d hexes: %d", in.Range, in.within(HomeIslandPort))
	f.Cite("EOTS-11.22.C-2", "Pusan within %d hexes: %d", in.Range, in.within(PusanPort))
	f.Cite("EOTS-11.22.C-3", "Japanese-controlled resource hexes within %d hexes: %d", in.Range, in.within(Resource))
	conditions, hexes, lost := 0, []string{}, 0
	for _, s := range in.Spaces {
		if s.Kind == JapaneseHQ || !in.counts(s) {
			continue
		}
		conditions++
		if !slices.Contains(hexes, s.Hex) {
			hexes = append(hexes, s.Hex)
		}
		if !s.Japanese {
			lost++
		}
	}
	if lost > 0 {
		f.Cite("AMB-EOTS-6", "home island ports and Pusan count whoever controls them: %d not controlled by Japan",
			lost)
	}
	if conditions == len(hexes) {
		return conditions
	}
	if in.Options.SpacesCounted == "each_condition" {
		f.Cite("AMB-EOTS-5", "%d hexes meet %d conditions, and each condition counts", len(hexes), conditions)
		return conditions
	}
	f.Cite("AMB-EOTS-5", "%d hexes meet %d conditions, and each hex counts once", len(hexes), conditions)
	return len(hexes)
}

// within counts what meets one condition.
func (in SLOCPVInput) within(kind SpaceKind) int {
	return rules.Count(in.Spaces, func(s SLOCSpace) bool { return s.Kind == kind && in.counts(s) })
}

// counts reports whether a space meets its condition: within range, and Japanese where that is asked
// (AMB-EOTS-6: not of ports and Pusan).
func (in SLOCPVInput) counts(s SLOCSpace) bool {
	return s.Distance <= in.Range && (s.Japanese || s.Kind == HomeIslandPort || s.Kind == PusanPort)
}

// checkSpaces refuses spaces given twice and Pusan in another hex than its own (GEN-UNIQUE).
func checkSpaces(spaces []SLOCSpace) rules.Findings {
	var f rules.Findings
	for i, s := range spaces {
		if s.Kind == PusanPort && s.Hex != Pusan {
			f.ViolateField("spaces", rules.Input, "Pusan is hex %s, not %s", Pusan, s.Hex)
		}
		for _, other := range spaces[:i] {
			switch {
			case s.Kind != other.Kind:
			case s.Kind != JapaneseHQ && s.Hex == other.Hex:
				f.ViolateField("spaces", rules.Input, "hex %s is given twice as %s", s.Hex, s.Kind.name())
			case s.Kind == JapaneseHQ && s.Name != "" && strings.EqualFold(s.Name, other.Name):
				f.ViolateField("spaces", rules.Input, "the HQ %s is given twice", s.Name)
			}
		}
	}
	return f
}
