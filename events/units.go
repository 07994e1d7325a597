package events

// The payloads of units on a board. Units are counted by kind, under the rulebook's names.

// UnitsReported says which units of a power stand in a space. It replaces what was reported of that
// power there before.
type UnitsReported struct {
	Power string `pb:"1" json:"power"`
	Space string `pb:"2" json:"space"`
	Units []Unit `pb:"3" json:"units,omitempty"` // by kind; none: nothing of the power is left there
	// those of the Units that have taken a hit and can take another, where the record carries it
	Damaged []Unit `pb:"4" json:"damaged,omitempty"`
}

// UnitsLost takes units off the board.
type UnitsLost struct {
	Power  string `pb:"1" json:"power"`
	Space  string `pb:"2" json:"space"`
	Units  []Unit `pb:"3" json:"units"`
	Cause  string `pb:"4" json:"cause"`            // "AA fire"
	Chosen string `pb:"5" json:"chosen,omitempty"` // who picked them, where somebody did
}

func (*UnitsReported) Type() Type { return "units_reported" }
func (*UnitsLost) Type() Type     { return "units_lost" }

func unitPayloads() []Payload { return []Payload{&UnitsReported{}, &UnitsLost{}} }
