package eots

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// SubBaseRoll is one Sub Base in the Strategic Warfare Segment, its die and the Allied choice for
// a success.
type SubBaseRoll struct {
	Name        string   `json:"name"`
	Die         int      `json:"die"`
	SLOCPV      int      `json:"sloc_pv"`
	InSupply    bool     `json:"in_supply"`
	Activatable bool     `json:"activatable"` // by an American HQ
	HQs         []string `json:"hqs_in_half_range"`
	OnMap       bool     `json:"on_map_at_start_of_reinforcement"` // it, or the base that it replaced
	Choice      string   `json:"choice"`                           // asp, swm or none
}

// The choices for a success.
const (
	takeASP  = "asp"
	takeSWM  = "swm"
	takeNone = "none"
)

// SubWarfareInput is the Strategic Warfare Segment of one turn.
type SubWarfareInput struct {
	SWMInput
	Turn         int           `json:"turn"`
	JapaneseASPs int           `json:"japanese_asps"`
	SubBases     []SubBaseRoll `json:"sub_bases"`
	Options      Options       `json:"options"`
}

// SubBaseResult is what one base came to: die and SWM less its SLOC PV.
type SubBaseResult struct {
	Name    string `json:"name"`
	Result  int    `json:"result"`
	Success bool   `json:"success"`
}

// SubWarfareOutcome is what all bases came to. The reduction is in cards of the Japanese draw.
type SubWarfareOutcome struct {
	SWM           int             `json:"swm"`
	SubBases      []SubBaseResult `json:"sub_bases"`
	Successes     int             `json:"successes"`
	CardReduction int             `json:"card_reduction"`
	ASPsLost      int             `json:"asps_lost"`
	JapaneseASPs  int             `json:"japanese_asps"`
	SWMReduced    bool            `json:"swm_reduced"`
	SWMAfter      int             `json:"swm_after"`
}

// CheckSubWarfare finds what forbids submarine warfare, without looking at dice.
func CheckSubWarfare(in SubWarfareInput) rules.Findings {
	var f rules.Findings
	if len(in.SubBases) > basesOf(in.Turn) {
		f.ViolateField("sub_bases", "EOTS-11.21.B-1", "on Turn %d there can be at most %d Sub Bases, not %d", in.Turn,
			basesOf(in.Turn), len(in.SubBases))
	}
	var names []string
	var near [][]string
	for i, b := range in.SubBases {
		for _, other := range in.SubBases[:i] {
			if strings.EqualFold(unit(other.Name, in.Turn), unit(b.Name, in.Turn)) {
				f.ViolateField("sub_bases", rules.Input, "the Sub Base %s is given twice", b.Name)
			}
		}
		b.check(&f, in.Turn)
		names, near = append(names, b.Name), append(near, b.HQs)
	}
	if _, ok := OwnHQs(near); !ok {
		f.ViolateField("sub_bases", "EOTS-11.22.A-3",
			"each Sub Base needs an American HQ of its own within half its activation range: %s", sharing(names, near))
	}
	return f
}

// basesOf is how many Sub Bases there can be on a turn (EOTS-11.21.B-1).
func basesOf(turn int) int {
	if turn < arrival(rowLockwood6) {
		return 1
	}
	return 2
}

// Conducting names the Sub Bases that may conduct submarine warfare on a turn (EOTS-11.21.B-8).
func Conducting(turn int) []string {
	column, _ := submarineWarfareTable.Column(turn)
	var names []string
	for _, name := range subBases() {
		if submarineWarfareTable.MustCell(name, column) == "yes" {
			names = append(names, name)
		}
	}
	return names
}

// check holds one base to the conditions that regard it alone.
func (b SubBaseRoll) check(f *rules.Findings, turn int) {
	allowed, name := Conducting(turn), unit(b.Name, turn)
	inPlace := slices.ContainsFunc(allowed, func(other string) bool { return strings.EqualFold(other, name) })
	if !inPlace && turn == arrival(rowLockwood6) && strings.EqualFold(name, Lockwood) {
		f.ViolateField("sub_bases", "EOTS-11.21.B-6",
			"the Lockwood that arrives on Turn %d conducts submarine warfare from Turn %d", turn, turn+1)
	}
	if !inPlace {
		f.ViolateField("sub_bases", "EOTS-11.21.B-8", "on Turn %d submarine warfare is conducted by %s, not by %s",
			turn, strings.Join(allowed, " and "), b.Name)
	}
	if !b.OnMap {
		f.ViolateField("sub_bases", "EOTS-11.22.A-4",
			"%s was not on the map when the Reinforcement Segment of Turn %d began, nor was the base that it replaced",
			b.Name, turn)
	}
	if !b.OnMap && replaces(b.Name, turn) {
		f.ViolateField("sub_bases", "EOTS-11.21.B-5",
			"%s came in place of a base on the Turn Record Track, and waits for a turn", b.Name)
	}
	if !b.InSupply {
		f.ViolateField("sub_bases", "EOTS-11.22.A-1", "%s is not in supply", b.Name)
	}
	if !b.Activatable {
		f.ViolateField("sub_bases", "EOTS-11.22.A-2", "no American HQ may activate %s", b.Name)
	}
}

// replaces reports whether the base comes in place of another on that turn.
func replaces(name string, turn int) bool {
	return turn == arrival(rowLockwood4) && strings.EqualFold(unit(name, turn), Lockwood) ||
		turn == arrival(rowFife) && strings.EqualFold(name, Fife)
}

// unit gives the name of a base that may be given as the scenario table has it: "Lockwood (4)" until
// Fife replaces it, "Lockwood (6)" from its arrival.
func unit(name string, turn int) string {
	later := turn >= arrival(rowLockwood6)
	if strings.EqualFold(name, rowLockwood4) && !later || strings.EqualFold(name, rowLockwood6) && later {
		return Lockwood
	}
	return name
}

// SubWarfare rules on submarine warfare and its effects (11.22, 11.23).
func SubWarfare(in SubWarfareInput) (SubWarfareOutcome, rules.Findings) {
	f := CheckSubWarfare(in)
	before := len(f.Violations)
	for _, b := range in.SubBases {
		checkDie(&f, "sub_bases", b.Die, in.Options)
	}
	if len(f.Violations) > before {
		return SubWarfareOutcome{}, f
	}
	swm, found := SWM(in.SWMInput)
	out := SubWarfareOutcome{SWM: swm, SWMAfter: swm, JapaneseASPs: in.JapaneseASPs}
	in.citeConditions(&f)
	f.Add(found)
	f.Cite("EOTS-11.22.B-6", "SWM %+d, shown by the %s", swm, marker(swm))
	citeDie(&f, in.Options)
	in.resolve(&f, &out)
	if f.Refused() {
		return SubWarfareOutcome{}, f
	}
	return out, f
}

// marker is the counter that shows the SWM on the track.
func marker(swm int) string {
	if swm > 0 {
		return "Japanese Escort marker"
	}
	return "US Sub marker"
}

// citeConditions says how the bases meet every condition.
func (in SubWarfareInput) citeConditions(f *rules.Findings) {
	f.Cite("EOTS-11.21.B-8", "on Turn %d submarine warfare is conducted by %s", in.Turn,
		strings.Join(Conducting(in.Turn), " and "))
	column, _ := submarineWarfareTable.Column(in.Turn)
	var near [][]string
	for _, b := range in.SubBases {
		near = append(near, b.HQs)
		if name, ok := baseNamed(unit(b.Name, in.Turn)); ok {
			f.Consult(TableSubmarineWarfare, name, column)
		}
	}
	own, _ := OwnHQs(near)
	for i, b := range in.SubBases {
		f.Cite("EOTS-11.22.A-1", "%s is in supply", b.Name)
		f.Cite("EOTS-11.22.A-2", "an American HQ may activate %s", b.Name)
		f.Cite("EOTS-11.22.A-3", "%s is within half range of %s, an HQ of its own", b.Name, own[i])
		if replaces(b.Name, in.Turn) {
			f.Cite("EOTS-11.21.B-4", "%s replaced another base on the map this turn", b.Name)
		}
		f.Cite("EOTS-11.22.A-4",
			"%s, or the base that it replaced, was on the map when the Reinforcement Segment began", b.Name)
	}
}

// baseNamed gives a Sub Base's name as the rules spell it.
func baseNamed(name string) (string, bool) {
	for _, known := range subBases() {
		if strings.EqualFold(known, name) {
			return known, true
		}
	}
	return "", false
}
