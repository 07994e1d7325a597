package awaw

import (
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// HarborMode is how a harbor attack is made (HA-MODE).
type HarborMode string

// The two modes.
const (
	BySubmarine HarborMode = "submarine"
	ByCarrier   HarborMode = "carrier"
)

// Theater is one of the two theaters of the game.
type Theater string

// The theaters.
const (
	TheaterEurope  Theater = "europe"
	TheaterPacific Theater = "pacific"
)

// Name is the theater's name in a sentence.
func (t Theater) Name() string {
	switch t {
	case TheaterEurope:
		return "Europe"
	case TheaterPacific:
		return "Pacific"
	}
	return string(t)
}

// Power is a country that makes a harbor attack.
type Power string

// The powers.
const (
	PowerGermany      Power = "germany"
	PowerItaly        Power = "italy"
	PowerBritain      Power = "britain"
	PowerFrance       Power = "france"
	PowerJapan        Power = "japan"
	PowerUnitedStates Power = "united_states"
	PowerRussia       Power = "russia"
)

// Name is the power's name in a sentence.
func (p Power) Name() string {
	switch p {
	case "":
		return ""
	case PowerUnitedStates:
		return "the U.S."
	}
	return strings.ToUpper(string(p[:1])) + string(p[1:])
}

// HarborAttackInput is one harbor attack. Of the modifiers only those of the mode count.
type HarborAttackInput struct {
	Mode                HarborMode     `json:"mode"`
	Theater             Theater        `json:"theater"`
	Attacker            Power          `json:"attacker"`
	ResearchResult      string         `json:"research_result"` // "6", "7" or "8+"; empty with the initial attack
	ResultsCombined     int            `json:"results_combined"`
	InitialGermanAttack bool           `json:"initial_german_attack"`
	Year                int            `json:"year"`   // 0 if not given
	Season              string         `json:"season"` // spring, summer, fall, winter, empty if not given
	PreviousAttacks     int            `json:"previous_attacks"`
	AnyAttackMade       bool           `json:"any_attack_made"`
	CounterIntelligence bool           `json:"counter_intelligence"`
	TacticalAdvantage   int            `json:"tactical_advantage"` // −1, 0 or +1, seen from the attacker
	AttackerNavalDRM    int            `json:"attacker_naval_nationality_drm"`
	DefenderNavalDRM    int            `json:"defender_naval_nationality_drm"`
	AttackerAirDRM      int            `json:"attacker_air_nationality_drm"`
	NetTorpedoASW       int            `json:"net_torpedo_asw"`
	AdvancedSubmarine   bool           `json:"advanced_submarine"`
	AirDefenseLevel     int            `json:"air_defense_level"`
	UninvertedAAF       int            `json:"uninverted_aaf"`
	UninvertedNAS       int            `json:"uninverted_nas"`
	TargetHex           HarborHex      `json:"target_hex"`
	Base                HarborBase     `json:"base"`
	Targets             []HarborTarget `json:"targets"`
	Options             Options        `json:"options"`
}

// HarborHex is the port attacked.
type HarborHex struct {
	Name         string `json:"name"`
	MapboardBox  bool   `json:"mapboard_box"`
	Counteraired bool   `json:"counteraired_this_player_turn"`
	Front        string `json:"front"` // western, eastern, mediterranean, pacific, southeast_asia, china
}

// HarborBase is where the attacking submarine or carrier is based. Distance is nil if it was
// not given; it counts hexes to the port (submarine) or to a hex within air range (carrier).
type HarborBase struct {
	Location        string `json:"location"` // on_board, atlantic_sw_box, pacific_sw_box
	OperationalPort bool   `json:"operational_port"`
	Distance        *int   `json:"distance"`
	Uninverted      bool   `json:"uninverted"`
	FastCarrier     bool   `json:"fast_carrier"`
}

// place is the SW box of a base that is not on the board.
func (b HarborBase) place() string {
	if b.Location == pacificSWBox {
		return "Pacific SW box"
	}
	return "Atlantic SW box"
}

func hexes(n int) string {
	if n == 1 {
		return "1 hex"
	}
	return strconv.Itoa(n) + " hexes"
}

// HarborTarget is one target and its dice: two by submarine, three by carrier. Light ships
// are not named.
type HarborTarget struct {
	Ship  string `json:"ship"`
	Named bool   `json:"named"`
	Dice  []int  `json:"dice"`
}

// HarborAttackOutcome is a result for each target, and what becomes of the carrier. What a
// result does to a ship is outside these rules (AMB-AWAW-16).
type HarborAttackOutcome struct {
	Modifiers                 []Modifier     `json:"modifiers"`
	NetModifier               int            `json:"net_modifier"`
	Targets                   []HarborResult `json:"targets"`
	CarrierInverted           bool           `json:"carrier_inverted"`
	CarrierEliminated         bool           `json:"carrier_eliminated"`
	CountsAgainstLaterAttacks bool           `json:"counts_against_later_attacks"`
}

// HarborResult is the reading of the Harbor Attack Table for one target.
type HarborResult struct {
	Ship      string `json:"ship"`
	DiceTotal int    `json:"dice_total"`
	Modified  int    `json:"modified"`
	Column    string `json:"column"`
	Result    int    `json:"result"` // 0 to 6
}

// harborResultRow is the one row of the Harbor Attack Table.
const harborResultRow = "Result"

// HarborDice is how many dice each target takes (HA-DICE).
func HarborDice(mode HarborMode) int {
	if mode == ByCarrier {
		return 3
	}
	return 2
}

// HarborLevel is how many targets a harbor attack result allows: 6 one, 7 two, 8+ three
// (HA-TARGETS, AMB-AWAW-14). One that is not given is the lowest.
func HarborLevel(researchResult string) int {
	switch researchResult {
	case "7":
		return 2
	case "8+":
		return 3
	}
	return 1
}

// result names the result spent.
func (in HarborAttackInput) result() string {
	if in.ResearchResult == "" {
		return "the lowest result, as none is named,"
	}
	return "a result of " + in.ResearchResult
}

// HarborReach is how many hexes away the base may be: 20 in Europe, 10 in the Pacific.
func HarborReach(t Theater) int {
	if t == TheaterPacific {
		return 10
	}
	return 20
}

// HarborAttack rules on one harbor attack.
func HarborAttack(in HarborAttackInput) (HarborAttackOutcome, rules.Findings) {
	f := CheckHarborAttack(in)
	for i, t := range in.Targets {
		f.Add(checkDice("targets["+strconv.Itoa(i)+"].dice", t.Dice, HarborDice(in.Mode), "AWAW-HA-DICE"))
	}
	if f.Refused() {
		return HarborAttackOutcome{}, f
	}
	citeHarborAttack(&f, in)
	modifiers, found := HarborModifiers(in)
	f.Add(found)
	out := HarborAttackOutcome{
		Modifiers:                 modifiers,
		NetModifier:               Net(modifiers),
		Targets:                   []HarborResult{},
		CarrierInverted:           in.Mode == ByCarrier,
		CountsAgainstLaterAttacks: !in.InitialGermanAttack,
	}
	for _, t := range in.Targets {
		r := ReadHarborAttack(t.Ship, t.Dice, out.NetModifier)
		f.Consult(TableHarborAttack, harborResultRow, r.Column)
		f.Cite("AWAW-HA-TABLE", "%s: %s %+d gives %d, column %s: result %d", r.Ship, diceText(t.Dice), out.NetModifier,
			r.Modified, r.Column, r.Result)
		out.Targets = append(out.Targets, r)
	}
	out.carrierFate(&f)
	if in.InitialGermanAttack {
		f.Cite("AWAW-HA-INITIAL-2", "the initial attack does not count against later ones")
	}
	return out, f
}

// carrierFate inverts the carrier, and eliminates it where any modified roll is 2 or less,
// before the table's clamp (HA-CV-LOST).
func (out *HarborAttackOutcome) carrierFate(f *rules.Findings) {
	if !out.CarrierInverted {
		return
	}
	f.Cite("AWAW-HA-CV-INVERT", "the carrier is inverted by its attack and cannot be intercepted")
	for _, r := range out.Targets {
		if CarrierLost(r.Modified) && !out.CarrierEliminated {
			out.CarrierEliminated = true
			f.Cite("AWAW-HA-CV-LOST", "a modified roll of %d, 2 or less, eliminates the carrier", r.Modified)
		}
	}
}

// CarrierLost reports whether a modified roll eliminates the attacking carrier.
func CarrierLost(modified int) bool { return modified <= 2 }

// ReadHarborAttack reads the Harbor Attack Table for one target: below 2 counts as 2, above
// 14 as 14+.
func ReadHarborAttack(ship string, dice []int, modifier int) HarborResult {
	r := HarborResult{Ship: ship, DiceTotal: sum(dice)}
	r.Modified = r.DiceTotal + modifier
	r.Column, _ = harborAttackTable.Column(r.Modified)
	r.Result = harborAttackTable.MustFigure(harborResultRow, r.Column)
	return r
}

func citeHarborAttack(f *rules.Findings, in HarborAttackInput) {
	f.Cite("AWAW-HA-MODE", "%s attacks %s by %s", in.Attacker.Name(), in.TargetHex.Name, in.Mode)
	f.Cite("AWAW-HA-ONE-HEX", "the whole result is spent on %s", in.TargetHex.Name)
	if in.Mode == ByCarrier {
		f.Cite("AWAW-HA-CV-REVEAL", "every defending ship there is revealed, and the attacker picks from them all")
	} else {
		f.Cite("AWAW-HA-SUB-GROUPS",
			"the attacker picks one of the defender's combat groups, and all targets are in it")
	}
	if in.InitialGermanAttack {
		f.Cite("AWAW-HA-INITIAL", "Germany makes its initial attack on one target; no other was made before")
	} else {
		f.Cite("AWAW-HA-TARGETS", "%s allows %s; chosen: %d", in.result(),
			words.Count(HarborLevel(in.ResearchResult), "target"), len(in.Targets))
	}
	if in.Base.Location != onBoard {
		f.Cite("AWAW-HA-SW-BOX", "a submarine in the %s serves against the %s front", in.Base.place(),
			in.TargetHex.Front)
		return
	}
	if in.Base.Distance == nil {
		f.Cite("AWAW-HA-RANGE", "the distance is not told, and is taken to be within the reach of %d",
			HarborReach(in.Theater))
		return
	}
	f.Cite("AWAW-HA-RANGE", "%s away, within the reach of %d", hexes(*in.Base.Distance), HarborReach(in.Theater))
}

// HarborModifiers lists the modifiers that are not zero, seen from the attacker, and cites a
// rule for each.
func HarborModifiers(in HarborAttackInput) ([]Modifier, rules.Findings) {
	m := modifierList{list: []Modifier{}}
	if in.Mode == BySubmarine && in.AdvancedSubmarine {
		m.add("AWAW-HA-MOD-6", "advanced submarine", 1, "advanced submarines attack at +1")
		if in.Options.AdvancedSubmarine != "add" { // AMB-AWAW-9
			return m.list, m.found
		}
	}
	m.add("AWAW-HA-MOD-1", "earlier harbor attacks", -in.PreviousAttacks, "%d made before", in.PreviousAttacks)
	if in.CounterIntelligence {
		m.add("AWAW-HA-MOD-2", "counter-intelligence", -2, "the defender applies a result")
	}
	m.add("AWAW-HA-MOD-3", "tactical codebreaking", in.TacticalAdvantage, "codebreaking advantage")
	if in.Mode == ByCarrier {
		m.carrier(in)
		return m.list, m.found
	}
	m.add("AWAW-HA-MOD-4", "attacker's Naval Nationality DRM", in.AttackerNavalDRM, "added")
	m.add("AWAW-HA-MOD-4", "defender's Naval Nationality DRM", -in.DefenderNavalDRM, "taken off")
	m.add("AWAW-HA-MOD-5", "torpedo and ASW research", in.NetTorpedoASW, "net of the two levels")
	return m.list, m.found
}

func (m *modifierList) carrier(in HarborAttackInput) {
	m.add("AWAW-HA-MOD-7", "attacker's Air Nationality DRM", in.AttackerAirDRM, "added")
	m.add("AWAW-HA-MOD-7", "defender's Naval Nationality DRM", -in.DefenderNavalDRM, "taken off")
	m.add("AWAW-HA-MOD-8", "air defense level", -in.AirDefenseLevel, "of the hex without its ships")
	equivalents := in.UninvertedNAS / 3
	if in.Options.NASRounding == "up" { // AMB-AWAW-13
		equivalents = ceilDiv(in.UninvertedNAS, 3)
	}
	m.add("AWAW-HA-MOD-9", "uninverted air", -(in.UninvertedAAF + equivalents), "%d AAF, and %d NAS worth %d",
		in.UninvertedAAF, in.UninvertedNAS, equivalents)
}
