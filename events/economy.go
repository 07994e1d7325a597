package events

// The payloads of boards and money. Powers carry the rulebook's own names ("UK"), spaces those
// of the board's file ("8 Sea Zone"); money is in whole IPCs.

// Board names the map that a campaign is played on, by the hashes of its files.
type Board struct {
	Title   string      `pb:"1" json:"title"`
	Version string      `pb:"2" json:"version,omitempty"`
	Hash    Hash        `pb:"3" json:"hash"` // over names and contents of the files
	Files   []BoardFile `pb:"4" json:"files"`
	Lacks   []string    `pb:"5" json:"lacks,omitempty"` // what the files do not tell, in sentences
}

// BoardFile is one file of a board, by the SHA-256 of its contents.
type BoardFile struct {
	Name string `pb:"1" json:"name"`
	Hash Hash   `pb:"2" json:"hash"`
}

// Treasury is what a power has in hand.
type Treasury struct {
	Power string `pb:"1" json:"power"`
	IPCs  int    `pb:"2" json:"ipcs"`
}

// SubmarinesReported says where all submarines of a power lie. It replaces what was reported of
// that power before.
type SubmarinesReported struct {
	Power      string      `pb:"1" json:"power"`
	Submarines []Submarine `pb:"2" json:"submarines,omitempty"` // by sea zone, then by name
}

// Submarine is one submarine and the sea zone it lies in.
type Submarine struct {
	Name string `pb:"1" json:"name"` // its own, or one derived from a count: "8 Sea Zone #1"
	Zone string `pb:"2" json:"zone"`
}

// EconomicAttackMade is damage done to a territory's economy in the attacker's own turn, by
// bombers or rockets.
type EconomicAttackMade struct {
	Kind      string `pb:"1" json:"kind"` // "sbr" or "rockets"
	Attacker  string `pb:"2" json:"attacker"`
	Victim    string `pb:"3" json:"victim"`
	Territory string `pb:"4" json:"territory"`
	Rolled    int    `pb:"5" json:"rolled"`                        // as it was thrown or reported
	Before    int    `pb:"6" json:"before"`                        // what the territory had taken in this turn before
	Limit     int    `pb:"7" json:"limit"`                         // what it may take in one turn
	Damage    int    `pb:"8" json:"damage"`                        // what counts
	Declared  uint64 `pb:"9" json:"declared,omitempty" ref:"roll"` // the roll that threw it, 0 where it was stated
	Bombers   int    `pb:"10" json:"bombers,omitempty"`            // that threw a die each
}

// ConvoyRaided is the raid of one submarine on one industrial complex, in the turn of the power
// that collects income.
type ConvoyRaided struct {
	Victim    string `pb:"1" json:"victim"`
	Territory string `pb:"2" json:"territory"`
	Submarine string `pb:"3" json:"submarine"`
	Owner     string `pb:"4" json:"owner"`
	Zone      string `pb:"5" json:"zone"`
	Distance  int    `pb:"6" json:"distance"`            // sea zones from the complex, 1 for adjacent
	Reach     int    `pb:"7" json:"reach"`               // what a submarine at that distance takes
	Damage    int    `pb:"8" json:"damage"`              // what counts, the caps applied
	Cap       string `pb:"9" json:"cap,omitempty"`       // rule of the cap that took the rest, if one did
	Limit     int    `pb:"10" json:"limit,omitempty"`    // and its figure
	Declared  bool   `pb:"11" json:"declared,omitempty"` // the raider chose the territory himself
}

// IncomeCollected ends a power's turn: what it is due, what the raids took, what is left. Where a
// power has two treasuries it collects for each, and Power is the treasury's name.
type IncomeCollected struct {
	Power    string `pb:"1" json:"power"`
	Base     int    `pb:"2" json:"base"`
	Board    int    `pb:"3" json:"board"`           // what its territories on the board come to
	Typed    bool   `pb:"4" json:"typed,omitempty"` // the base was given, not taken from the board
	Damage   int    `pb:"5" json:"damage"`
	Net      int    `pb:"6" json:"net"`
	Treasury int    `pb:"7" json:"treasury"`        // in hand afterwards
	Bonus    int    `pb:"8" json:"bonus,omitempty"` // objectives, beside the base
}

// UnitsPurchased takes the cost of units out of a power's treasury.
type UnitsPurchased struct {
	Power    string `pb:"1" json:"power"`
	Cost     int    `pb:"2" json:"cost"`
	Units    []Unit `pb:"3" json:"units,omitempty"`
	Treasury int    `pb:"4" json:"treasury"` // in hand afterwards
}

// Unit is a number of units of one kind.
type Unit struct {
	Name  string `pb:"1" json:"name"`
	Count int    `pb:"2" json:"count"`
}

func (*SubmarinesReported) Type() Type { return "submarines_reported" }
func (*EconomicAttackMade) Type() Type { return "economic_attack_made" }
func (*ConvoyRaided) Type() Type       { return "convoy_raided" }
func (*IncomeCollected) Type() Type    { return "income_collected" }
func (*UnitsPurchased) Type() Type     { return "units_purchased" }

func economyPayloads() []Payload {
	return []Payload{&SubmarinesReported{}, &EconomicAttackMade{}, &ConvoyRaided{}, &IncomeCollected{},
		&UnitsPurchased{}}
}
