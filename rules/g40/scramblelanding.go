package g40

import "github.com/watu-ledger/watu/rules"

// LandingInput is the aircraft of one base that scrambled and survived.
type LandingInput struct {
	Origin   string         `json:"origin"`
	Captured bool           `json:"origin_captured"`
	AirUnits int            `json:"air_units"`
	Spaces   []LandingSpace `json:"landing_spaces"`
	Options  struct{}       `json:"options"`
}

// LandingSpace is a place where aircraft might land.
type LandingSpace struct {
	Space    string `json:"space"`
	Distance int    `json:"distance"` // in spaces from where the aircraft are
	Kind     string `json:"kind"`     // friendly_territory or friendly_carrier
	Room     *int   `json:"room"`     // on a carrier
	Most     *int   `json:"-"`        // how many are to land there at most, where that was given
}

// LandingOutcome counts where the aircraft end.
type LandingOutcome struct {
	Returned int `json:"returned_to_origin"`
	Diverted int `json:"diverted"`
	Lost     int `json:"lost"`
}

// ScrambleLanding rules on the landing of aircraft that scrambled (Scramble).
func ScrambleLanding(in LandingInput) (LandingOutcome, rules.Findings) {
	f := in.understand()
	if f.Refused() {
		return LandingOutcome{}, f
	}
	f.Cite("G40-SCR-LAND", "they land in this turn's Noncombat Move, before the attacker moves")
	if !in.Captured {
		f.Cite("G40-SCR-LAND", "%s was not captured: %s return there", in.Origin, counted(in.AirUnits, "air unit"))
		return LandingOutcome{Returned: in.AirUnits}, f
	}
	f.Cite("G40-SCR-LAND", "%s was captured: they may move one space to a friendly territory or carrier", in.Origin)
	var out LandingOutcome
	for _, s := range in.Spaces {
		left := in.AirUnits - out.Diverted
		n := s.room(left)
		switch {
		case s.Distance > 1:
			f.Cite("G40-SCR-LAND", "%s is %d spaces away: too far", s.Space, s.Distance)
			continue
		case s.Kind == "friendly_carrier":
			f.Cite("G40-SCR-LAND", "a friendly carrier in reach at %s has room for %d: %d land there", s.Space, *s.Room,
				n)
		default:
			f.Cite("G40-SCR-LAND", "%s is friendly and in reach: %d land there", s.Space, n)
		}
		out.Diverted += n
	}
	if out.Lost = in.AirUnits - out.Diverted; out.Lost > 0 {
		f.Cite("G40-SCR-LAND", "no space is left for %s: lost", counted(out.Lost, "air unit"))
	}
	return out, f
}

// room is how many of some aircraft a space takes.
func (s LandingSpace) room(left int) int {
	if s.Kind == "friendly_carrier" {
		left = min(left, *s.Room)
	}
	if s.Most != nil {
		left = min(left, *s.Most)
	}
	return left
}

// understand refuses names that stand for two things (GEN-UNIQUE), and a carrier without its room.
func (in LandingInput) understand() rules.Findings {
	var f rules.Findings
	seen := map[string]bool{}
	for _, s := range in.Spaces {
		if seen[s.Space] {
			f.Violate(rules.Input, "landing space %s is named twice", s.Space)
		}
		seen[s.Space] = true
		if s.Kind == "friendly_carrier" && s.Room == nil {
			f.Violate(rules.Input, "give the room of the carrier at %s: how many aircraft it can still take", s.Space)
		}
		if in.Captured && s.Space == in.Origin && s.Kind == "friendly_territory" {
			f.Violate(rules.Input, "%s was captured, so it is no friendly territory to land in", s.Space)
		}
	}
	return f
}
