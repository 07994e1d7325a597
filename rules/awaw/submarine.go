package awaw

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// Port is a port, or group of ports, that the submarine warfare modifiers name.
type Port string

// The ports of the submarine warfare modifiers.
const (
	Brest        Port = "brest"
	Lorient      Port = "lorient"
	StNazaire    Port = "st_nazaire"
	LaRochelle   Port = "la_rochelle"
	LaCoruna     Port = "la_coruna"
	Vigo         Port = "vigo"
	Lisbon       Port = "lisbon"
	Cadiz        Port = "cadiz"
	Gibraltar    Port = "gibraltar"
	Colombo      Port = "colombo"
	Townsville   Port = "townsville"
	Noumea       Port = "noumea"
	Suva         Port = "suva"
	HawaiianPort Port = "hawaiian_port"
	Manila       Port = "manila"
)

// Ports gives every port that a submarine warfare modifier names.
func Ports() []Port {
	return []Port{
		Brest, Lorient, StNazaire, LaRochelle, LaCoruna, Vigo, Lisbon, Cadiz, Gibraltar,
		Colombo, Townsville, Noumea, Suva, HawaiianPort, Manila,
	}
}

// Name is the port's name in a sentence.
func (p Port) Name() string {
	if p == HawaiianPort {
		return "a Hawaiian port"
	}
	return p.Title()
}

// SubmarineWarfareInput is submarine warfare in one SW box. The attacker is the side of the
// submarines. CVEs are the defender's (AMB-AWAW-20).
type SubmarineWarfareInput struct {
	Box                Box     `json:"box"`
	Submarines         Faction `json:"submarines"`
	SubmarineFactors   int     `json:"submarine_factors"`
	ASWFactors         int     `json:"asw_factors"`
	SubmarineDice      []int   `json:"submarine_dice"`
	ASWDice            []int   `json:"asw_dice"`
	AttackerNavalDRM   int     `json:"attacker_naval_nationality_drm"`
	DefenderNavalDRM   int     `json:"defender_naval_nationality_drm"`
	AttackerAirRange   int     `json:"attacker_air_range"`
	DefenderAirRange   int     `json:"defender_air_range"`
	TorpedoResearch    int     `json:"torpedo_research"`
	ASWResearch        int     `json:"asw_research"`
	CVEs               int     `json:"cves"`
	AttackerControls   []Port  `json:"attacker_controls"`
	GermanyUSWarTurn   int     `json:"germany_us_war_turn"` // 0 no war, 1 first turn, 2 second, 3 later
	IrelandResult      int     `json:"ireland_result"`
	CodebreakingResult int     `json:"codebreaking"` // −1, 0 or +1, seen from the submarines
	Options            Options `json:"options"`
}

// SubmarineWarfareOutcome is both rolls; the net modifier is added to the submarines' roll
// and taken from the ASW roll.
type SubmarineWarfareOutcome struct {
	Modifiers     []Modifier `json:"modifiers"`
	NetModifier   int        `json:"net_modifier"`
	SubmarineRoll SWReading  `json:"submarine_roll"`
	ASWRoll       SWReading  `json:"asw_roll"`
}

// CheckSubmarineWarfare finds what forbids the combat, without looking at dice.
func CheckSubmarineWarfare(in SubmarineWarfareInput) rules.Findings {
	var f rules.Findings
	if !slices.Contains(SubmarineBoxes(in.Submarines), in.Box) {
		f.ViolateField("submarines", "AWAW-SW-BOX", "submarines of %s do not fight in the %s box", in.Submarines.Name(),
			in.Box.Name())
	}
	if in.CodebreakingResult < -1 || in.CodebreakingResult > 1 {
		f.ViolateField("codebreaking", "AWAW-SW-CODE", "codebreaking modifies by -1 to +1, not by %+d",
			in.CodebreakingResult)
		f.ViolateField("codebreaking", "AWAW-48.42",
			"however many cards are played, the modifier is at most 1 either way")
	}
	f.Add(CheckSWFactors("submarine_factors", in.SubmarineFactors))
	f.Add(CheckSWFactors("asw_factors", in.ASWFactors))
	return f
}

// SubmarineWarfare rules on submarine warfare in one SW box (24.62).
func SubmarineWarfare(in SubmarineWarfareInput) (SubmarineWarfareOutcome, rules.Findings) {
	f := CheckSubmarineWarfare(in)
	f.Add(checkDice("submarine_dice", in.SubmarineDice, 2, "AWAW-24.62-H"))
	f.Add(checkDice("asw_dice", in.ASWDice, 2, "AWAW-24.62-H"))
	if f.Refused() {
		return SubmarineWarfareOutcome{}, f
	}
	f.Cite("AWAW-SW-BOX", "submarines of %s attack in the %s box", in.Submarines.Name(), in.Box.Name())
	modifiers, found := SubmarineModifiers(in)
	f.Add(found)
	out := SubmarineWarfareOutcome{Modifiers: modifiers, NetModifier: Net(modifiers)}
	f.Cite("AWAW-24.62-B", "net %+d: the submarine roll gets %+d, the ASW roll %+d", out.NetModifier, out.NetModifier,
		-out.NetModifier)

	var submarines, asw rules.Findings
	out.SubmarineRoll, submarines = ReadStrategicWarfare(in.SubmarineFactors, in.SubmarineDice, out.NetModifier,
		in.Options)
	out.ASWRoll, asw = ReadStrategicWarfare(in.ASWFactors, in.ASWDice, -out.NetModifier, in.Options)
	addFor(&f, "submarines", submarines)
	addFor(&f, "ASW", asw)
	return out, f
}

// addFor adds the steps of one side's roll under its name.
func addFor(f *rules.Findings, side string, g rules.Findings) {
	for _, c := range g.Derivation {
		f.Cite(c.Rule, "%s: %s", side, c.Step)
	}
	f.Consulted = append(f.Consulted, g.Consulted...)
}

// SubmarineModifiers lists the modifiers that are not zero, seen from the submarines, and
// cites a rule for each. What both sides have is the attacker's less the defender's
// (AMB-AWAW-17). Ports that do not count in the box are passed over.
func SubmarineModifiers(in SubmarineWarfareInput) ([]Modifier, rules.Findings) {
	m := modifierList{list: []Modifier{}}
	m.add("AWAW-SW-GEN-1", "Naval Nationality DRM", in.AttackerNavalDRM-in.DefenderNavalDRM,
		"attacker %+d, defender %+d", in.AttackerNavalDRM, in.DefenderNavalDRM)
	m.add("AWAW-SW-GEN-2", "air range research", in.AttackerAirRange-in.DefenderAirRange,
		"attacker's level %d, defender's %d", in.AttackerAirRange, in.DefenderAirRange)
	m.add("AWAW-SW-GEN-3", "torpedo research", in.TorpedoResearch, "attacker's level %d", in.TorpedoResearch)
	m.add("AWAW-SW-GEN-4", "ASW research", -in.ASWResearch, "defender's level %d", in.ASWResearch)
	switch in.Box {
	case Atlantic:
		m.atlantic(in)
	case IndianOcean:
		m.indianOcean(in)
	case Pacific:
		m.pacific(in)
	}
	return m.list, m.found
}

func (m *modifierList) atlantic(in SubmarineWarfareInput) {
	m.cves("AWAW-SW-ATL-1", in, 6)
	m.port("AWAW-SW-ATL-2", "French ports", 2, in, Brest, Lorient, StNazaire, LaRochelle)
	m.port("AWAW-SW-ATL-3", "Iberian ports", 1, in, LaCoruna, Vigo, Lisbon, Cadiz)
	m.port("AWAW-SW-ATL-4", "Gibraltar", 1, in, Gibraltar)
	m.usEntry(in)
	if in.IrelandResult >= 7 {
		m.add("AWAW-SW-ATL-7", "Ireland", 1, "its diplomatic result stands at %d, 7 or more", in.IrelandResult)
	}
	m.add("AWAW-SW-ATL-8", "Ultra", in.CodebreakingResult, "codebreaking advantage")
}

// usEntry counts the German-American war: +1, and in its first two turns +2 and +1, which
// come on top or instead (AMB-AWAW-8).
func (m *modifierList) usEntry(in SubmarineWarfareInput) {
	turn := in.GermanyUSWarTurn
	bonus := 0
	if turn == 1 || turn == 2 {
		bonus = 3 - turn
	}
	if turn > 0 && (bonus == 0 || in.Options.USEntry != "exclusive") {
		m.add("AWAW-SW-ATL-5", "German-American war", 1, "Germany and the U.S. are at war")
	}
	m.add("AWAW-SW-ATL-6", "start of the German-American war", bonus, "turn %d of that war", turn)
}

func (m *modifierList) indianOcean(in SubmarineWarfareInput) {
	m.cves("AWAW-SW-IND-1", in, 3)
	if in.Submarines == Japan {
		m.port("AWAW-SW-IND-2", "Colombo", 1, in, Colombo)
		m.add("AWAW-SW-IND-4", "Magic", in.CodebreakingResult, "codebreaking advantage, Japanese submarines")
		return
	}
	m.add("AWAW-SW-IND-3", "Ultra", in.CodebreakingResult, "codebreaking advantage, German submarines")
}

func (m *modifierList) pacific(in SubmarineWarfareInput) {
	m.cves("AWAW-SW-PAC-1", in, 3)
	if in.Submarines == Japan {
		m.port("AWAW-SW-PAC-2", "South Pacific or Hawaiian port", 1, in, Townsville, Noumea, Suva, HawaiianPort)
	}
	if in.Submarines == UnitedStates {
		m.port("AWAW-SW-PAC-3", "Manila", 2, in, Manila)
	}
	m.add("AWAW-SW-PAC-4", "Magic", in.CodebreakingResult, "codebreaking advantage")
}

// port adds a line of the table that any one of its ports fulfils, once (AMB-AWAW-18).
func (m *modifierList) port(rule, name string, value int, in SubmarineWarfareInput, ports ...Port) {
	for _, p := range ports {
		if slices.Contains(in.AttackerControls, p) {
			m.add(rule, name, value, "%s holds %s", in.Submarines.Name(), p.Name())
			return
		}
	}
}

// cves adds the line of the escort carriers in the box.
func (m *modifierList) cves(rule string, in SubmarineWarfareInput, each int) {
	if in.CVEs == 0 {
		return
	}
	value := CVEModifier(in.Box, in.CVEs)
	m.found.Consult(TableCVEs, in.Box.Name(), strconv.Itoa(value))
	m.add(rule, "CVEs", value, "%s in the box, one for %d", words.Count(in.CVEs, "CVE"), each)
}

// CVEModifier is what escort carriers in the box are worth to the submarines, 0 to −4.
func CVEModifier(box Box, cves int) int {
	for _, column := range cvesTable.Columns {
		low, high, _ := rules.Band(cvesTable.MustCell(box.Name(), column))
		if cves < low || cves > high {
			continue
		}
		value, err := strconv.Atoi(column)
		if err != nil {
			panic(err)
		}
		return value
	}
	return 0
}
