package events

// The payloads of bases on a map of numbered hexes, of the headquarters that they hang on, and of
// what they do to the other side's cards. Distances and ranges are in hexes.

// HeadquartersReported says how far a headquarters activates, and how far it is from hexes that
// matter. It replaces what was reported of that headquarters before.
type HeadquartersReported struct {
	Name      string     `pb:"1" json:"name"`
	Hex       string     `pb:"2" json:"hex,omitempty"`
	Range     int        `pb:"3" json:"range"`          // of activation
	Idle      bool       `pb:"4" json:"idle,omitempty"` // it can activate no base now
	Distances []Distance `pb:"5" json:"distances,omitempty"`
}

// Distance is how far it is to a hex.
type Distance struct {
	Hex   string `pb:"1" json:"hex"`
	Hexes int    `pb:"2" json:"hexes"`
}

// TargetsReported says what lies about a hex that a base there can reach. It replaces what was
// reported of that hex before.
type TargetsReported struct {
	Hex     string   `pb:"1" json:"hex"`
	Range   int      `pb:"2" json:"range"` // of a base there
	Targets []Target `pb:"3" json:"targets,omitempty"`
}

// Target is a space or a headquarters and how far it is.
type Target struct {
	Kind     string `pb:"1" json:"kind"` // "resource"
	Name     string `pb:"2" json:"name"` // a hex, or the name of a headquarters
	Distance int    `pb:"3" json:"distance"`
}

// BasePlaced puts a base on a hex of the map.
type BasePlaced struct {
	Base string `pb:"1" json:"base"`
	Hex  string `pb:"2" json:"hex"`
	From string `pb:"3" json:"from,omitempty"` // the hex that it leaves, empty if it was not on the map
	How  string `pb:"4" json:"how"`            // "scenario", "reinforcement", "relocation", "emergency move"
	// hexes of an emergency move; older records do not say
	Distance int `pb:"5" json:"distance,omitempty"`
}

// BaseDisplaced takes a base off the map.
type BaseDisplaced struct {
	Base    string `pb:"1" json:"base"`
	Hex     string `pb:"2" json:"hex"`
	Cause   string `pb:"3" json:"cause"`
	Returns int    `pb:"4" json:"returns"` // number of the turn in which it may be placed again
}

// BaseAttacked is hits on a base.
type BaseAttacked struct {
	Base      string `pb:"1" json:"base"`
	Hex       string `pb:"2" json:"hex"`
	Hits      int    `pb:"3" json:"hits"`
	Needed    int    `pb:"4" json:"needed"` // to displace it
	Critical  bool   `pb:"5" json:"critical,omitempty"`
	Displaced bool   `pb:"6" json:"displaced"`
	Returns   int    `pb:"7" json:"returns,omitempty"` // where it is displaced, as of BaseDisplaced
}

// BaseReplaced puts a base in the place of another, on the map or off it.
type BaseReplaced struct {
	Base   string `pb:"1" json:"base"`             // the one that leaves
	By     string `pb:"2" json:"by"`               // the one that comes
	Hex    string `pb:"3" json:"hex,omitempty"`    // empty off the map
	Joined string `pb:"4" json:"joined,omitempty"` // one that arrives besides, to be placed
}

// SuccessSpent says what the envelope's side takes for a success of a base.
type SuccessSpent struct {
	Base     string `pb:"1" json:"base"`
	On       string `pb:"2" json:"on"`       // "asp", "swm" or "none"
	Shipping int    `pb:"3" json:"shipping"` // ASPs, the other side's shipping points, after it; -1 where not reported
	Modifier int    `pb:"4" json:"modifier"` // the modifier after it
}

// StrategyCardPlayed is a card of the game's own deck played openly by the envelope's side.
type StrategyCardPlayed struct {
	Card  int    `pb:"1" json:"card"`             // its number
	Event string `pb:"2" json:"event"`            // its event, as played
	AtEnd bool   `pb:"3" json:"at_end,omitempty"` // of an offensive, in which no more follows
}

// StrategyCardsDrawn is how many cards of the game's own deck the envelope's side draws.
type StrategyCardsDrawn struct {
	Base       int `pb:"1" json:"base"`       // without any cut
	Submarines int `pb:"2" json:"submarines"` // to be cut for submarines
	Bombers    int `pb:"3" json:"bombers"`    // to be cut for bombers
	Draw       int `pb:"4" json:"draw"`
}

func (*HeadquartersReported) Type() Type { return "headquarters_reported" }
func (*TargetsReported) Type() Type      { return "targets_reported" }
func (*BasePlaced) Type() Type           { return "base_placed" }
func (*BaseDisplaced) Type() Type        { return "base_displaced" }
func (*BaseAttacked) Type() Type         { return "base_attacked" }
func (*BaseReplaced) Type() Type         { return "base_replaced" }
func (*SuccessSpent) Type() Type         { return "success_spent" }
func (*StrategyCardPlayed) Type() Type   { return "strategy_card_played" }
func (*StrategyCardsDrawn) Type() Type   { return "strategy_cards_drawn" }

func basePayloads() []Payload {
	return []Payload{
		&HeadquartersReported{}, &TargetsReported{}, &BasePlaced{}, &BaseDisplaced{}, &BaseAttacked{}, &BaseReplaced{},
		&SuccessSpent{}, &StrategyCardPlayed{}, &StrategyCardsDrawn{},
	}
}
