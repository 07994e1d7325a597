package events

// The payloads of battles on a board: attacks declared, who comes to the defence, strikes and raids.
// Units are counted by kind, under the rulebook's names.

// AttackDeclared is an attack on a space, declared with the moves. With From it is an amphibious
// assault on a territory, made from that sea zone.
type AttackDeclared struct {
	Attacker string `pb:"1" json:"attacker"`
	Space    string `pb:"2" json:"space"`
	From     string `pb:"3" json:"from,omitempty"`
	Units    []Unit `pb:"4" json:"units,omitempty"` // of the attacker, as far as they are given
}

// AircraftScrambled sends aircraft from their base to defend in a sea zone.
type AircraftScrambled struct {
	Power string `pb:"1" json:"power"`
	From  string `pb:"2" json:"from"`
	Zone  string `pb:"3" json:"zone"`
	Units []Unit `pb:"4" json:"units"`
}

// AircraftLanded brings defending aircraft of one base down again, those that scrambled or
// intercepted.
type AircraftLanded struct {
	Power    string    `pb:"1" json:"power"`
	From     string    `pb:"2" json:"from"`     // their base
	Returned int       `pb:"3" json:"returned"` // to it
	Diverted []Landing `pb:"4" json:"diverted,omitempty"`
	Lost     int       `pb:"5" json:"lost"`
	// by kind, where the record carries it; the aircraft that return stay where they are counted, at their base
	Fallen []Unit `pb:"6" json:"fallen,omitempty"` // in the battles that they flew to
	Gone   []Unit `pb:"7" json:"gone,omitempty"`   // the Lost: for want of a place
}

// Landing is a space where aircraft land, and how many.
type Landing struct {
	Space    string `pb:"1" json:"space"`
	Aircraft int    `pb:"2" json:"aircraft"`
	Units    []Unit `pb:"3" json:"units,omitempty"` // by kind, where the record carries it
}

// StrikesDeclared spends tokens for strikes at ships, before any die. In the sea zones of the
// strikes no bombardment supports an assault in this turn.
type StrikesDeclared struct {
	Power   string   `pb:"1" json:"power"`
	Strikes []Strike `pb:"2" json:"strikes,omitempty"` // none: the power makes none in this turn
	Left    int      `pb:"3" json:"left"`              // tokens
}

// Strike is one strike: its sea zone and the one ship that it is aimed at.
type Strike struct {
	Zone  string `pb:"1" json:"zone"`
	Owner string `pb:"2" json:"owner"` // of the ship
	Ship  string `pb:"3" json:"ship"`  // its kind
	Nth   int    `pb:"4" json:"nth"`   // which of the owner's ships of that kind there, from 1
}

// RaidDeclared sends bombers against the facilities of a territory, and fighters to escort them.
type RaidDeclared struct {
	Attacker  string       `pb:"1" json:"attacker"`
	Defender  string       `pb:"2" json:"defender"` // who holds the territory
	Territory string       `pb:"3" json:"territory"`
	Targets   []RaidTarget `pb:"4" json:"targets"`
	Escorts   int          `pb:"5" json:"escorts"`
}

// RaidTarget is a facility, by its kind, and the bombers sent against it.
type RaidTarget struct {
	Facility  string `pb:"1" json:"facility"`
	Strategic int    `pb:"2" json:"strategic"`
	Tactical  int    `pb:"3" json:"tactical"`
}

// FightersIntercepted commits fighters of a territory against a raid on it.
type FightersIntercepted struct {
	Power     string `pb:"1" json:"power"`
	Territory string `pb:"2" json:"territory"`
	Fighters  int    `pb:"3" json:"fighters"`
}

// TransportsUnloaded lands an amphibious assault.
type TransportsUnloaded struct {
	Power      string `pb:"1" json:"power"`
	From       string `pb:"2" json:"from"` // the sea zone
	Onto       string `pb:"3" json:"onto"`
	Warships   int    `pb:"4" json:"warships"`   // own ones in the sea zone at the end of the moves
	Submarines int    `pb:"5" json:"submarines"` // hostile ones there
	Bombarding int    `pb:"6" json:"bombarding,omitempty"`
}

func (*AttackDeclared) Type() Type      { return "attack_declared" }
func (*AircraftScrambled) Type() Type   { return "aircraft_scrambled" }
func (*AircraftLanded) Type() Type      { return "aircraft_landed" }
func (*StrikesDeclared) Type() Type     { return "strikes_declared" }
func (*RaidDeclared) Type() Type        { return "raid_declared" }
func (*FightersIntercepted) Type() Type { return "fighters_intercepted" }
func (*TransportsUnloaded) Type() Type  { return "transports_unloaded" }

func battlePayloads() []Payload {
	return []Payload{
		&AttackDeclared{}, &AircraftScrambled{}, &AircraftLanded{}, &StrikesDeclared{}, &RaidDeclared{},
		&FightersIntercepted{}, &TransportsUnloaded{},
	}
}
