package events

// The payloads of operations on a board: what is declared now and carried out later, the hunt for
// submarines, artillery.

// OperationDeclared binds powers to an operation that comes later: "D-Day".
type OperationDeclared struct {
	Operation string `pb:"1" json:"operation"`
	By        string `pb:"2" json:"by"`
	Target    string `pb:"3" json:"target"`
}

// OperationCarriedOut says that an operation takes place, and which units take part.
type OperationCarriedOut struct {
	Operation string        `pb:"1" json:"operation"`
	By        string        `pb:"2" json:"by"` // who moves and fights with all units
	Target    string        `pb:"3" json:"target"`
	Defender  string        `pb:"4" json:"defender,omitempty"`
	Units     []Participant `pb:"5" json:"units"`
}

// Participant is one unit and its part in an operation.
type Participant struct {
	Name  string `pb:"1" json:"name"` // its own: "2nd Army"
	Power string `pb:"2" json:"power"`
	Kind  string `pb:"3" json:"kind"`           // "infantry"
	Role  string `pb:"4" json:"role"`           // "amphibious"
	From  string `pb:"5" json:"from,omitempty"` // where it was
}

// SubmarinesHunted says which submarines were found in a sea zone, and what those may do that were
// not.
type SubmarinesHunted struct {
	Zone     string        `pb:"1" json:"zone"`
	Attacker string        `pb:"2" json:"attacker"` // whose turn it is
	Groups   []HuntedGroup `pb:"3" json:"groups"`
	// index of the RollDeclared event, 0 where no destroyer rolled
	Declared uint64 `pb:"4" json:"declared,omitempty" ref:"roll"`
}

// HuntedGroup is the submarines of one owner. Values are what a roll had to come to at most, by the
// destroyers' power.
type HuntedGroup struct {
	Power        string   `pb:"1" json:"power"`
	Submarines   []string `pb:"2" json:"submarines"`
	Values       []Figure `pb:"3" json:"values,omitempty"`
	Detected     bool     `pb:"4" json:"detected,omitempty"`
	MaySubmerge  bool     `pb:"5" json:"may_submerge,omitempty"`
	MayCallShots bool     `pb:"6" json:"may_call_shots,omitempty"`
}

// SubmarinesSubmerged takes submarines out of a combat.
type SubmarinesSubmerged struct {
	Power      string   `pb:"1" json:"power"`
	Zone       string   `pb:"2" json:"zone"`
	Turn       string   `pb:"3" json:"turn"` // whose turn it is
	Submarines []string `pb:"4" json:"submarines"`
}

// ShotsCalled says what submarines aim at.
type ShotsCalled struct {
	Power   string `pb:"1" json:"power"`
	Zone    string `pb:"2" json:"zone"`
	Targets []Unit `pb:"3" json:"targets"`
}

// UnitsFired says that units fired from a space into another.
type UnitsFired struct {
	Power string `pb:"1" json:"power"`
	From  string `pb:"2" json:"from"`
	At    string `pb:"3" json:"at"`
	Units []Unit `pb:"4" json:"units"`
}

// UnitsMoved takes units from a space to another.
type UnitsMoved struct {
	Power string `pb:"1" json:"power"`
	From  string `pb:"2" json:"from"`
	To    string `pb:"3" json:"to"`
	Units []Unit `pb:"4" json:"units"`
}

func (*OperationDeclared) Type() Type   { return "operation_declared" }
func (*OperationCarriedOut) Type() Type { return "operation_carried_out" }
func (*SubmarinesHunted) Type() Type    { return "submarines_hunted" }
func (*SubmarinesSubmerged) Type() Type { return "submarines_submerged" }
func (*ShotsCalled) Type() Type         { return "shots_called" }
func (*UnitsFired) Type() Type          { return "units_fired" }
func (*UnitsMoved) Type() Type          { return "units_moved" }

func operationPayloads() []Payload {
	return []Payload{
		&OperationDeclared{}, &OperationCarriedOut{}, &SubmarinesHunted{}, &SubmarinesSubmerged{}, &ShotsCalled{},
		&UnitsFired{}, &UnitsMoved{},
	}
}
