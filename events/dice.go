package events

// RollDeclared states a roll before its dice are known: what for, how many dice of how many
// sides, the modifiers, the rows of the table, and the link that will decide.
type RollDeclared struct {
	Purpose   string     `pb:"1" json:"purpose"`
	Subject   string     `pb:"2" json:"subject,omitempty"`
	Throws    []Throw    `pb:"3" json:"throws"`
	Modifiers []Modifier `pb:"4" json:"modifiers,omitempty"`
	Net       int        `pb:"5" json:"net"`
	Sources   []Source   `pb:"6" json:"sources"`
	Mode      string     `pb:"7" json:"mode,omitempty"` // "attested" or "beacon" where no chain decides

	Round uint64 `pb:"8" json:"round,omitempty" ref:"-"` // beacon: the round that decides, which was to come
	// beacon: the roll of the same command that awaited the round
	First   uint64 `pb:"9" json:"first,omitempty" ref:"roll"`
	Ordinal int    `pb:"10" json:"ordinal,omitempty"` // beacon: which roll of that round it is, from 0
}

// RollLapsed says that nobody cosigned a declaration before its round. Another round decides, or a link of the host's
// chain.
type RollLapsed struct {
	Declared uint64 `pb:"1" json:"declared" ref:"roll"` // index of the RollDeclared event
	Round    uint64 `pb:"2" json:"round" ref:"-"`       // that passed
	Next     uint64 `pb:"3" json:"next" ref:"-"`        // that decides now; 0 where a link does
	Link     Source `pb:"4" json:"link,omitzero"`       // that decides in place of a round
}

// Throw is one handful of dice within a roll.
type Throw struct {
	Name     string `pb:"1" json:"name"`
	Side     string `pb:"2" json:"side"`
	Dice     int    `pb:"3" json:"dice"`
	Sides    int    `pb:"4" json:"sides"`
	Table    string `pb:"5" json:"table,omitempty"`
	Rows     []int  `pb:"6" json:"rows,omitempty"`     // rows of the table, where they are known before the dice
	Modifier int    `pb:"7" json:"modifier,omitempty"` // as it will be applied to this throw
	// a die shows 0 to sides-1, as one of ten sides does in some games
	FromZero bool `pb:"8" json:"from_zero,omitempty"`
}

// Shows gives the lowest and the highest figure of one die.
func (t Throw) Shows() (low, high int) {
	if t.FromZero {
		return 0, t.Sides - 1
	}
	return 1, t.Sides
}

// DiceRolled is one throw as it fell. Link is the link of the chain that decided it; it
// serves every throw of its declaration, in order.
type DiceRolled struct {
	Declared uint64 `pb:"1" json:"declared" ref:"roll"` // index of the RollDeclared event
	Throw    string `pb:"2" json:"throw"`
	Dice     []int  `pb:"3" json:"dice"`
	Links    []Link `pb:"4" json:"links"`

	Typed     string `pb:"5" json:"typed,omitempty"`     // attested: the seat that typed the dice in
	Confirmed string `pb:"6" json:"confirmed,omitempty"` // attested: the other seat, that saw them too

	// beacon, of the first throw behind a round: the round, its signature in hexadecimal digits, and the checkpoint
	// with the declaration that was cosigned before it
	Round     uint64 `pb:"7" json:"round,omitempty" ref:"-"`
	Signature string `pb:"8" json:"signature,omitempty"`
	Note      string `pb:"9" json:"note,omitempty"`
}

// DiceTyped says how the dice of a declared roll fell on a table, on the word of the envelope's
// seat. They count once another seat confirms them.
type DiceTyped struct {
	Declared uint64   `pb:"1" json:"declared" ref:"roll"` // index of the RollDeclared event
	Fell     []Fallen `pb:"2" json:"fell"`                // one for each throw, in their order
}

// Fallen is one throw as it fell.
type Fallen struct {
	Throw string `pb:"1" json:"throw"`
	Dice  []int  `pb:"2" json:"dice"`
}

// DiceDenied says that the envelope's seat saw other dice: those typed do not count, and are
// asked for again.
type DiceDenied struct {
	Declared uint64 `pb:"1" json:"declared" ref:"roll"` // index of the RollDeclared event
	Reason   string `pb:"2" json:"reason"`
}

// Link is a revealed link of a chain, as named by Source.
type Link struct {
	Chain    string `pb:"1" json:"chain"`
	Position uint64 `pb:"2" json:"position" ref:"-"`
	Link     Hash   `pb:"3" json:"link"`
}
