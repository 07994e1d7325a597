package eots

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// Action is how a Sub Base comes to where it goes.
type Action string

// The actions.
const (
	PlaceIt               Action = "place"
	Relocate              Action = "relocate"
	Emergency             Action = "emergency"
	PutOnTrack            Action = "to_turn_record_track"
	activationsToRelocate        = 2  // activations that a relocation takes (EOTS-11.21.C-MOVE)
	farthest                     = 10 // hexes of an emergency move (EOTS-11.21.E-1)
)

// Cause is why a base makes an emergency move.
type Cause string

// The causes: two that give one to every base, two to Wilkes, and one that gives none.
const (
	PoliticalPhase   Cause = "political_phase"
	EndOfOffensive   Cause = "end_of_offensive"
	IAIOffensive     Cause = "iai_offensive"
	StartOf1942      Cause = "start_of_1942"
	GroundOccupation Cause = "ground_occupation"
)

// Hex is a space and what stands there, for the Allied player.
type Hex struct {
	ID             string `json:"id"`
	Port           bool   `json:"port"`
	Airfield       bool   `json:"airfield"`
	Coastal        bool   `json:"coastal"`
	Friendly       bool   `json:"friendly"`
	InSupply       bool   `json:"in_supply"`
	JapaneseZOI    bool   `json:"japanese_zoi"`
	ZOINeutralized bool   `json:"zoi_neutralized"`
	HoldsSubBase   bool   `json:"holds_sub_base"`
}

// OtherBase is another Sub Base on the map and the American HQs in half range of it.
type OtherBase struct {
	Name string   `json:"name"`
	HQs  []string `json:"hqs_in_half_range"`
}

// PlaceInput is one base and where it goes. Distance is in hexes from the space that it leaves,
// nil where it is not given and so not examined.
type PlaceInput struct {
	SubBase         string      `json:"sub_base"`
	Action          Action      `json:"action"`
	Activations     int         `json:"activations_spent"`
	DuringOffensive bool        `json:"during_offensive"`
	Distance        *int        `json:"distance_moved"`
	Cause           Cause       `json:"emergency_cause"`
	Hex             *Hex        `json:"hex"`
	HQs             []HQ        `json:"american_hqs"`
	Others          []OtherBase `json:"other_sub_bases"`
	Options         Options     `json:"options"`
}

// PlaceOutcome is where the base is.
type PlaceOutcome struct {
	Placed         bool     `json:"placed"`
	Hex            *string  `json:"hex"`
	OnTrack        bool     `json:"on_turn_record_track"`
	HQsInHalfRange []string `json:"hqs_in_half_range"`
}

// Place rules on placing, relocating or an emergency move of a Sub Base (11.21.C, 11.21.E).
func Place(in PlaceInput) (PlaceOutcome, rules.Findings) {
	var f rules.Findings
	in.checkNames(&f)
	in.checkCause(&f)
	in.checkMove(&f)
	if in.Action == PutOnTrack || in.Action == Emergency && in.Hex == nil { // EOTS-11.21.E-2: no hex will do
		return in.track(&f), f
	}
	if in.Hex == nil || in.Hex.ID == "" {
		f.ViolateField("hex", rules.Input, "hex: missing; to %s a Sub Base its hex is needed", in.Action)
		return PlaceOutcome{}, f
	}
	near := InHalfRange(in.HQs)
	in.Hex.check(&f)
	in.checkHQs(&f, near)
	if f.Refused() {
		return PlaceOutcome{}, f
	}
	in.cite(&f, near)
	return PlaceOutcome{Placed: true, Hex: &in.Hex.ID, HQsInHalfRange: near}, f
}

// checkNames refuses two of one name (GEN-UNIQUE) and a third base (EOTS-11.21.B-1).
func (in PlaceInput) checkNames(f *rules.Findings) {
	among := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.EqualFold(other, name) })
	}
	bases := []string{in.SubBase}
	for _, o := range in.Others {
		if among(bases, o.Name) {
			f.ViolateField("other_sub_bases", rules.Input, "the Sub Base %s is given twice", o.Name)
		}
		bases = append(bases, o.Name)
	}
	if len(bases) > 2 {
		f.ViolateField("other_sub_bases", "EOTS-11.21.B-1", "there are never more than two Sub Bases: %s are %d",
			strings.Join(bases, ", "), len(bases))
	}
	var hqs []string
	for _, q := range in.HQs {
		if among(hqs, q.Name) {
			f.ViolateField("american_hqs", rules.Input, "the HQ %s is given twice", q.Name)
		}
		hqs = append(hqs, q.Name)
	}
}

// checkCause holds an emergency move, and going to the Turn Record Track instead, to its causes.
func (in PlaceInput) checkCause(f *rules.Findings) {
	if in.Action != Emergency && in.Action != PutOnTrack {
		return
	}
	switch in.Cause {
	case "":
		f.ViolateField("emergency_cause", "EOTS-11.21.E-1",
			"%s has no cause to move: Japan must gain its hex in the Political phase or at the end of an offensive",
			in.SubBase)
	case GroundOccupation:
		f.ViolateField("emergency_cause", "EOTS-11.21.E-4", "ground combat has put %s on the Turn Record Track already",
			in.SubBase)
		if in.Action == Emergency {
			f.ViolateField("emergency_cause", "EOTS-11.21.D-7",
				"a base occupied in ground combat makes no Emergency Naval Move")
		}
	case IAIOffensive, StartOf1942:
		if !strings.EqualFold(in.SubBase, Wilkes) {
			f.ViolateField("emergency_cause", "EOTS-11.21.E-3", "only Wilkes may move %s, not %s", in.Cause.when(),
				in.SubBase)
		}
	}
}

func (c Cause) when() string {
	switch c {
	case PoliticalPhase:
		return "in the Political phase"
	case IAIOffensive:
		return "after the IAI offensive"
	case StartOf1942:
		return "at the start of 1942"
	}
	return "at the end of the offensive"
}

// checkMove holds a relocation to its time and price, and an emergency move to its distance.
func (in PlaceInput) checkMove(f *rules.Findings) {
	switch in.Action {
	case Relocate:
		if !in.DuringOffensive {
			f.ViolateField("during_offensive", "EOTS-11.21.C-MOVE", "a Sub Base is relocated during an offensive only")
		}
		if in.Activations != activationsToRelocate {
			f.ViolateField("activations_spent", "EOTS-11.21.C-MOVE",
				"a relocation takes exactly %d activations, not %d", activationsToRelocate, in.Activations)
		}
	case Emergency:
		if in.Distance != nil && *in.Distance > farthest {
			f.ViolateField("distance_moved", "EOTS-11.21.E-1", "an emergency move goes at most %d hexes, not %d",
				farthest, *in.Distance)
		}
	}
}

// check holds a hex to what is asked of the space itself (11.21.C).
func (x Hex) check(f *rules.Findings) {
	switch {
	case !x.Friendly:
		f.ViolateField("hex", "EOTS-11.21.C-SPACE",
			"%s is not friendly; a friendly port or a friendly coastal airfield is needed", x.ID)
	case !x.Port && !(x.Airfield && x.Coastal):
		f.ViolateField("hex", "EOTS-11.21.C-SPACE", "%s holds neither a port nor a coastal airfield", x.ID)
	}
	if !x.InSupply {
		f.ViolateField("hex", "EOTS-11.21.C-SUPPLY", "%s is not in supply", x.ID)
	}
	if x.JapaneseZOI && !x.ZOINeutralized {
		f.ViolateField("hex", "EOTS-11.21.C-ZOI", "%s lies in an unneutralized Japanese ZoI", x.ID)
	}
	if x.HoldsSubBase {
		f.ViolateField("hex", "EOTS-11.21.C-STACK", "%s holds a Sub Base already; one may stand in a hex", x.ID)
	}
}

// checkHQs wants an American HQ near, and one of its own for every base.
func (in PlaceInput) checkHQs(f *rules.Findings, near []string) {
	if len(near) == 0 {
		f.ViolateField("american_hqs", "EOTS-11.21.C-HQ", "no American HQ has %s within half its activation range (%s)",
			in.Hex.ID, in.ranges())
	}
	names, lists := in.others()
	if len(near) > 0 {
		names, lists = append(names, in.SubBase), append(lists, near)
	}
	if _, ok := OwnHQs(lists); !ok {
		f.ViolateField("american_hqs", "EOTS-11.21.C-UNIQUE",
			"each Sub Base needs an American HQ of its own in half range: %s", sharing(names, lists))
	}
}

func (in PlaceInput) others() (names []string, near [][]string) {
	for _, o := range in.Others {
		names, near = append(names, o.Name), append(near, o.HQs)
	}
	return names, near
}

// ranges says how far the HQs are and how far they reach.
func (in PlaceInput) ranges() string {
	parts := rules.Each(in.HQs, reach)
	if len(parts) == 0 {
		return "none is given"
	}
	return strings.Join(parts, "; ")
}
