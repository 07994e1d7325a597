package g40

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// ConvoyOptions are the house choices of convoy disruptions, in IPCs a raider.
type ConvoyOptions struct {
	GermanSubmarine int `json:"german_submarine"`
	SuperSubmarine  int `json:"super_submarine"`
	Submarine       int `json:"submarine"`
	SurfaceWarship  int `json:"surface_warship"`
}

// rows of the convoy sheet
const (
	germanRow    = "German_submarine"
	superRow     = "Super_Submarine"
	submarineRow = "submarine"
	warshipRow   = "surface_warship"
)

// ConvoyTerritory is a territory of the power that collects, and the sea zones with a convoy
// symbol that touch it.
type ConvoyTerritory struct {
	Name     string   `json:"name"`
	IPCValue int      `json:"ipc_value"`
	SeaZones []string `json:"convoy_sea_zones"`
}

// Raider is a number of like units of one power in a sea zone.
type Raider struct {
	SeaZone string `json:"sea_zone"`
	Power   string `json:"power"`
	Unit    string `json:"unit"`
	Count   int    `json:"count"`
	Super   bool   `json:"super_submarines"` // the power has Super Submarines
	AtWar   bool   `json:"at_war"`           // with the power that collects
}

// ConvoyInput is a power's territories and its enemies in the convoys' sea zones.
type ConvoyInput struct {
	Territories []ConvoyTerritory `json:"territories"`
	Raiders     []Raider          `json:"raiders"`
	Options     ConvoyOptions     `json:"options"`
	Taken       map[string]int    `json:"-"` // by sea zone: of the United Kingdom's other economy in this turn
}

// ConvoyOutcome is what the raiders of each sea zone could take, and what is lost in all.
type ConvoyOutcome struct {
	Potential map[string]int `json:"potential_by_sea_zone"`
	Loss      int            `json:"loss"`
}

// Disruption is what the raiders in a sea zone take of a territory.
type Disruption struct {
	SeaZone   string
	Territory string
	IPCs      int
}

// ConvoyRuling is the outcome with one way in which the loss falls: the first, by the order in
// which the territories and their sea zones are given.
type ConvoyRuling struct {
	ConvoyOutcome
	Disruptions []Disruption
}

// DisruptConvoys rules on the income lost: as much as the territories can lose, none of them more
// than it is worth (G40-CONVOY-CAP, G40-CONVOY-FLOW).
func DisruptConvoys(in ConvoyInput) (ConvoyRuling, rules.Findings) {
	f := in.check()
	if f.Refused() {
		return ConvoyRuling{}, f
	}
	r := ConvoyRuling{ConvoyOutcome: ConvoyOutcome{Potential: map[string]int{}}}
	var zones []string
	for _, t := range in.Territories {
		for _, z := range t.SeaZones {
			if !slices.Contains(zones, z) {
				zones = append(zones, z)
			}
			r.Potential[z] = 0
		}
	}
	for _, raider := range in.Raiders {
		r.Potential[raider.SeaZone] += raider.Count * raider.takes(&f, in.Options)
	}
	for _, z := range zones {
		if taken := min(in.Taken[z], r.Potential[z]); taken > 0 {
			r.Potential[z] -= taken
			f.Cite("G40-UK-COLLECT",
				"the raiders in %s have taken %d of the other economy in this turn: %d are left to them", zoneTitle(z),
				taken, r.Potential[z])
		}
	}
	r.place(in, zones)
	r.cite(&f, in)
	return r, f
}

func (in ConvoyInput) check() rules.Findings {
	var f rules.Findings
	o := in.Options
	checkFigures(&f,
		[]string{"options.german_submarine", "options.super_submarine", "options.submarine", "options.surface_warship"},
		o.GermanSubmarine, o.SuperSubmarine, o.Submarine, o.SurfaceWarship)
	named := map[string]bool{}
	for _, t := range in.Territories {
		checkFigures(&f, []string{"territories." + t.Name}, t.IPCValue)
		if named[t.Name] { // GEN-UNIQUE
			f.ViolateField("territories", rules.Input, "%s is given twice: each territory is expected once", t.Name)
		}
		named[t.Name] = true
	}
	for _, r := range in.Raiders {
		checkFigures(&f, []string{"raiders." + r.SeaZone}, r.Count)
	}
	return f
}

// takes is what one of the raiders takes, and why.
func (r Raider) takes(f *rules.Findings, o ConvoyOptions) int {
	power, _ := PowerNamed(r.Power)
	row, rule, ipcs := warshipRow, "G40-CONVOY-OTHER", o.SurfaceWarship
	switch {
	case r.Unit == "submarine" && r.Super:
		row, rule, ipcs = superRow, "G40-TECH-SUPER", o.SuperSubmarine
	case r.Unit == "submarine" && power == Germany:
		row, rule, ipcs = germanRow, "G40-CONVOY-GERMAN", o.GermanSubmarine
	case r.Unit == "submarine":
		row, ipcs = submarineRow, o.Submarine
	}
	who := r.title()
	switch {
	case r.Unit == "transport":
		f.Cite(rule, "%s: transports are no warships and disrupt nothing", who)
		return 0
	case r.SeaZone != "" && !r.AtWar:
		f.Cite(rule, "%s: not at war, and disrupts nothing", who)
		return 0
	}
	f.Cite(rule, "%s: %d each", who, ipcs)
	option, printed := convoyTable.MustCell(row, "option"), convoyTable.MustFigure(row, "ipcs")
	switch {
	case ipcs != printed:
		f.Cite("AMB-G40-1", "%d is the house's figure (%s)", ipcs, option)
		return ipcs
	case rule == "G40-CONVOY-OTHER":
		f.Cite("AMB-G40-1", "the text gives no figure for a %s: it is taken as %d (%s)", plainName(row), ipcs, option)
	}
	f.Consult(TableConvoys, row, "ipcs")
	return ipcs
}

// title is "2 submarine of Italy in 119", as far as it is known.
func (r Raider) title() string {
	text := fmt.Sprintf("%d %s", max(1, r.Count), r.Unit)
	if r.Power != "" {
		text += " of " + r.Power
	}
	if r.SeaZone != "" {
		text += " in " + r.SeaZone
	}
	return text
}

// place puts what the raiders could take on the territories, as much of it as can be placed.
func (r *ConvoyRuling) place(in ConvoyInput, zones []string) {
	touches := make([][]int, len(zones))
	var rooms []int
	for t, territory := range in.Territories {
		rooms = append(rooms, territory.IPCValue)
		for _, z := range territory.SeaZones {
			at := slices.Index(zones, z)
			touches[at] = append(touches[at], t)
		}
	}
	var potential []int
	for _, z := range zones {
		potential = append(potential, r.Potential[z])
	}
	for z, row := range mostLost(touches, potential, rooms) {
		for t, ipcs := range row {
			if ipcs > 0 {
				r.Disruptions = append(r.Disruptions, Disruption{zones[z], in.Territories[t].Name, ipcs})
				r.Loss += ipcs
			}
		}
	}
}

// cite says where the loss falls and what held it.
func (r *ConvoyRuling) cite(f *rules.Findings, in ConvoyInput) {
	lost := map[string]int{}
	sum := 0
	for _, d := range r.Disruptions {
		f.Cite("G40-CONVOY-FLOW", "%s takes %d of %s", d.SeaZone, d.IPCs, d.Territory)
		lost[d.Territory] += d.IPCs
	}
	for _, t := range in.Territories {
		could := 0
		for _, z := range t.SeaZones {
			could += r.Potential[z]
		}
		sum += t.IPCValue
		if could > t.IPCValue {
			f.Cite("G40-CONVOY-CAP",
				"%s is worth %d and loses no more: it loses %d of the %d that raiders next to it could take", t.Name,
				t.IPCValue, lost[t.Name], could)
		}
	}
	f.Cite("G40-CONVOY-FLOW", "%d IPCs are lost in all: no way of placing them costs more", r.Loss)
}
