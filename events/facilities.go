package events

// The payloads of territories and of what is built on them. A facility goes by the name of its
// kind ("major_ic", "air_base"); a treasury by its own name, which is mostly a power's.

// FacilitiesReported says what facilities stand in a territory. It replaces what was known of them.
type FacilitiesReported struct {
	Territory  string     `pb:"1" json:"territory"`
	Facilities []Facility `pb:"2" json:"facilities,omitempty"`
}

// Facility is a facility as it stands.
type Facility struct {
	Kind        string `pb:"1" json:"kind"`
	Damage      int    `pb:"2" json:"damage,omitempty"`
	Inoperative bool   `pb:"3" json:"inoperative,omitempty"`
}

// FacilityDamaged is damage done to one facility.
type FacilityDamaged struct {
	Territory string `pb:"1" json:"territory"`
	Facility  string `pb:"2" json:"facility"`
	Victim    string `pb:"3" json:"victim"` // who holds the territory
	Attacker  string `pb:"4" json:"attacker"`
	Cause     string `pb:"5" json:"cause"`          // "rockets", "bombing raid"
	From      string `pb:"6" json:"from,omitempty"` // the territory that rockets are fired from
	Distance  int    `pb:"7" json:"distance,omitempty"`
	Rolled    int    `pb:"8" json:"rolled"`
	Before    int    `pb:"9" json:"before"` // the facility's damage until now
	Limit     int    `pb:"10" json:"limit"` // the most that it takes
	Damage    int    `pb:"11" json:"damage"`
	Declared  uint64 `pb:"12" json:"declared,omitempty" ref:"roll"` // index of the RollDeclared event
}

// FacilitiesRepaired takes the cost of repairs out of a treasury.
type FacilitiesRepaired struct {
	Power    string   `pb:"1" json:"power"` // whose treasury pays
	Repairs  []Repair `pb:"2" json:"repairs"`
	Cost     int      `pb:"3" json:"cost"`
	Treasury int      `pb:"4" json:"treasury"` // in hand afterwards
}

// Repair is damage taken off one facility.
type Repair struct {
	Territory string `pb:"1" json:"territory"`
	Facility  string `pb:"2" json:"facility"`
	Damage    int    `pb:"3" json:"damage"`
	Left      int    `pb:"4" json:"left"`
}

// FacilityBuilt puts a facility into a territory, in the place of another where it is an upgrade.
type FacilityBuilt struct {
	Power     string `pb:"1" json:"power"` // whose treasury pays
	Territory string `pb:"2" json:"territory"`
	Facility  string `pb:"3" json:"facility"`
	Was       string `pb:"4" json:"was,omitempty"` // the facility upgraded
	Cost      int    `pb:"5" json:"cost"`          // 0 where it was paid with other purchases
	Treasury  int    `pb:"6" json:"treasury"`      // in hand afterwards
}

// TerritoryCaptured is the capture of a territory, and of a capital's money.
type TerritoryCaptured struct {
	Territory string `pb:"1" json:"territory"`
	By        string `pb:"2" json:"by"`
	From      string `pb:"3" json:"from,omitempty"` // who held it
	// who holds it now: the captor, or the power that it is liberated for
	Holder  string `pb:"4" json:"holder"`
	Was     string `pb:"5" json:"was,omitempty"`     // the complex there
	Complex string `pb:"6" json:"complex,omitempty"` // and what it is now
	// whose capital it is: a power, or a treasury that has one of its own
	Capital  string `pb:"7" json:"capital,omitempty"`
	LootFrom string `pb:"8" json:"loot_from,omitempty"` // a treasury
	LootTo   string `pb:"9" json:"loot_to,omitempty"`
	Loot     int    `pb:"10" json:"loot,omitempty"`
}

// UnitsMobilized puts units that were bought onto the board.
type UnitsMobilized struct {
	Power   string `pb:"1" json:"power"`
	Bought  string `pb:"2" json:"bought"`  // by which treasury
	Complex string `pb:"3" json:"complex"` // the territory of the complex
	Space   string `pb:"4" json:"space"`   // that territory, or a sea zone next to it
	Units   []Unit `pb:"5" json:"units"`
}

// ResearchPaid takes the cost of research out of one or more treasuries of a power.
type ResearchPaid struct {
	Power    string    `pb:"1" json:"power"`
	Cost     int       `pb:"2" json:"cost"`
	Payments []Payment `pb:"3" json:"payments"`
}

// Payment is a part of a cost.
type Payment struct {
	Treasury string `pb:"1" json:"treasury"`
	Paid     int    `pb:"2" json:"paid"`
	Left     int    `pb:"3" json:"left"` // in hand afterwards
}

// ConvoyDisrupted is what the raiders in one sea zone take of a territory's income. What they could
// take in all they may take of several.
type ConvoyDisrupted struct {
	Victim    string `pb:"1" json:"victim"` // the treasury that loses it
	Territory string `pb:"2" json:"territory"`
	Zone      string `pb:"3" json:"zone"`
	Raiders   []Raid `pb:"4" json:"raiders"`
	Potential int    `pb:"5" json:"potential"` // what they could take in all
	Damage    int    `pb:"6" json:"damage"`    // what they take of this territory
	Worth     int    `pb:"7" json:"worth"`     // what the territory is worth
}

// Raid is a number of like raiders in a sea zone.
type Raid struct {
	Power string `pb:"1" json:"power"`
	Unit  string `pb:"2" json:"unit"`
	Count int    `pb:"3" json:"count"`
	Each  int    `pb:"4" json:"each"` // IPCs
}

func (*FacilitiesReported) Type() Type { return "facilities_reported" }
func (*FacilityDamaged) Type() Type    { return "facility_damaged" }
func (*FacilitiesRepaired) Type() Type { return "facilities_repaired" }
func (*FacilityBuilt) Type() Type      { return "facility_built" }
func (*TerritoryCaptured) Type() Type  { return "territory_captured" }
func (*UnitsMobilized) Type() Type     { return "units_mobilized" }
func (*ResearchPaid) Type() Type       { return "research_paid" }
func (*ConvoyDisrupted) Type() Type    { return "convoy_disrupted" }

func facilityPayloads() []Payload {
	return []Payload{
		&FacilitiesReported{}, &FacilityDamaged{}, &FacilitiesRepaired{}, &FacilityBuilt{}, &TerritoryCaptured{},
		&UnitsMobilized{}, &ResearchPaid{}, &ConvoyDisrupted{},
	}
}
