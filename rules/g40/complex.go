package g40

import "github.com/watu-ledger/watu/rules"

// Deed is what is done about an industrial complex.
type Deed string

// The deeds.
const (
	BuildMajor     Deed = "build_major"
	UpgradeToMajor Deed = "upgrade_to_major"
	CaptureComplex Deed = "capture"
)

// Size is the industrial complex of a territory.
type Size string

// The sizes.
const (
	NoComplex    Size = "none"
	MinorComplex Size = "minor"
	MajorComplex Size = "major"
)

// ComplexInput is a deed in a territory. Without a controller named the territory is in the hands
// of whoever builds, or of its original owner when it is captured.
type ComplexInput struct {
	Action        Deed   `json:"action"`
	Territory     string `json:"territory"`
	By            string `json:"by"`
	OriginalOwner string `json:"original_owner"`
	Controller    string `json:"controller"`
	Complex       Size   `json:"complex"`
}

// ComplexOutcome is the complex and the controller afterwards.
type ComplexOutcome struct {
	Complex    Size   `json:"complex"`
	Controller string `json:"controller"`
}

// IndustrialComplex rules on building, upgrading and capturing complexes.
func IndustrialComplex(in ComplexInput) (ComplexOutcome, rules.Findings) {
	if in.Action == CaptureComplex {
		return captureComplex(in)
	}
	f := CheckMajor(in)
	if f.Refused() {
		return ComplexOutcome{}, f
	}
	f.Cite("G40-IC-MAJOR", "%s is originally %s: it may have a major industrial complex", in.Territory,
		possessive(in.OriginalOwner))
	if in.Action == UpgradeToMajor {
		f.Cite("G40-IC-RECAPTURE", "its original owner may upgrade the complex, also after a recapture")
	}
	return ComplexOutcome{MajorComplex, in.By}, f
}

// CheckMajor finds what stands against a major complex: it is for the original owner, who must hold
// the territory (G40-IC-MAJOR), and nobody else upgrades one there (G40-IC-CAPTURED).
func CheckMajor(in ComplexInput) rules.Findings {
	var f rules.Findings
	stranger := !samePower(in.By, in.OriginalOwner)
	lost := in.Controller != "" && !samePower(in.Controller, in.By)
	upgrade := in.Action == UpgradeToMajor || in.Complex == MinorComplex
	if stranger && upgrade {
		f.ViolateField("by", "G40-IC-CAPTURED", "%s was originally %s: %s may not upgrade its complex", in.Territory,
			possessive(in.OriginalOwner), in.By)
	}
	if stranger {
		f.ViolateField("by", "G40-IC-MAJOR",
			"%s may have a major complex on territory that it controlled originally; %s was %s", in.By, in.Territory,
			possessive(in.OriginalOwner))
	}
	if lost && upgrade && !stranger {
		f.ViolateField("controller", "G40-IC-CAPTURED",
			"the complex of %s is captured: %s may upgrade it once it has recaptured it", in.Territory, in.By)
	}
	if lost {
		f.ViolateField("controller", "G40-IC-MAJOR", "%s is held by %s: %s cannot have a major complex there",
			in.Territory, in.Controller, in.By)
	}
	switch {
	case in.Complex == MajorComplex:
		f.ViolateField("complex", rules.Input, "%s has a major complex already", in.Territory)
	case in.Complex == NoComplex && in.Action == UpgradeToMajor:
		f.ViolateField("complex", rules.Input, "%s has no minor complex that could be upgraded", in.Territory)
	}
	return f
}

// captureComplex: a captured major complex becomes a minor one (G40-IC-REDUCE).
func captureComplex(in ComplexInput) (ComplexOutcome, rules.Findings) {
	var f rules.Findings
	if in.Controller != "" && samePower(in.Controller, in.By) {
		f.ViolateField("controller", rules.Input, "%s holds %s already and does not capture it", in.By, in.Territory)
		return ComplexOutcome{}, f
	}
	out := ComplexOutcome{Complex: in.Complex, Controller: in.By}
	switch in.Complex {
	case MajorComplex:
		out.Complex = MinorComplex
		f.Cite("G40-IC-REDUCE", "%s captures %s: its major industrial complex becomes a minor one", in.By, in.Territory)
	case MinorComplex:
		f.Cite("G40-IC-REDUCE", "%s captures %s: its minor industrial complex stays one", in.By, in.Territory)
	default:
		f.Cite("G40-IC-REDUCE", "%s captures %s: there is no industrial complex to reduce", in.By, in.Territory)
	}
	return out, f
}

func possessive(power string) string { return power + "'s" }
