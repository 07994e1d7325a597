package eots

import "github.com/watu-ledger/watu/rules"

// Location is where a Sub Base is.
type Location string

// The two places of a Sub Base.
const (
	OnMap   Location = "map"
	OnTrack Location = "turn_record_track"
)

func (l Location) name() string {
	if l == OnTrack {
		return "the Turn Record Track"
	}
	return "the map"
}

// ReplaceInput is a scheduled replacement: the turn, and where the base is that leaves.
type ReplaceInput struct {
	Turn     int      `json:"turn"`
	Location Location `json:"location"`
	Options  Options  `json:"options"`
}

// ReplaceOutcome is who goes, who comes in its place, and who arrives besides.
type ReplaceOutcome struct {
	Removed       string         `json:"removed"`
	Arrives       string         `json:"arrives"`
	Location      Location       `json:"location"`
	MayConduct    bool           `json:"may_conduct_submarine_warfare"`
	Reinforcement *Reinforcement `json:"reinforcement"`
}

// Reinforcement is a Sub Base that arrives beside a replacement.
type Reinforcement struct {
	Name       string `json:"name"`
	MayConduct bool   `json:"may_conduct_submarine_warfare"`
	FirstTurn  int    `json:"first_turn"` // on which it may conduct submarine warfare
}

// Replace rules on the scheduled replacement of Sub Bases (11.21.B).
func Replace(in ReplaceInput) (ReplaceOutcome, rules.Findings) {
	var f rules.Findings
	out := ReplaceOutcome{Location: in.Location, MayConduct: in.Location == OnMap} // EOTS-11.21.B-4, EOTS-11.21.B-5
	switch in.Turn {
	case arrival(rowLockwood4):
		out.Removed, out.Arrives = Wilkes, Lockwood
		f.Cite("EOTS-11.21.B-2", "Turn %d: Lockwood replaces Wilkes on %s", in.Turn, in.Location.name())
	case arrival(rowFife):
		out.Removed, out.Arrives = Lockwood, Fife
		out.Reinforcement = &Reinforcement{Name: Lockwood, FirstTurn: in.Turn + 1}
		f.Cite("EOTS-11.21.B-3", "Turn %d: Fife replaces Lockwood on %s, and a new Lockwood arrives", in.Turn,
			in.Location.name())
	default:
		f.ViolateField("turn", "EOTS-11.21.B-3",
			"a Sub Base is replaced in the Reinforcement Segments of Turns %d and %d, not in that of Turn %d",
			arrival(rowLockwood4), arrival(rowFife), in.Turn)
		return ReplaceOutcome{}, f
	}
	if out.MayConduct {
		f.Cite("EOTS-11.21.B-4", "%s was replaced on the map: %s may conduct submarine warfare this turn", out.Removed,
			out.Arrives)
	} else {
		f.Cite("EOTS-11.21.B-5",
			"%s was replaced on the Turn Record Track: %s may not conduct submarine warfare this turn", out.Removed,
			out.Arrives)
	}
	if out.Reinforcement != nil {
		f.Cite("EOTS-11.21.B-6", "the new Lockwood may conduct submarine warfare from Turn %d",
			out.Reinforcement.FirstTurn)
	}
	return out, f
}
