package campaign

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// UmpireSeat is the seat that speaks for every side, alone or beside the players' seats.
const UmpireSeat = "umpire"

// Seat is a person at a campaign and the sides that he speaks for.
type Seat struct {
	Name  string   `json:"name"`
	Role  string   `json:"role,omitempty"` // "umpire" or "player"; a new campaign's are players
	Sides []string `json:"sides"`
}

const RolePlayer = "player"

// seat notes that somebody has taken a seat, or other sides in his.
func (c *Campaign) seat(e *events.Event) {
	var p events.SeatTaken
	if !e.Read(&p) {
		return
	}
	s := Seat{Name: p.Seat, Role: p.Role, Sides: p.Sides}
	if i := slices.IndexFunc(c.Seats, func(k Seat) bool { return k.Name == s.Name }); i >= 0 {
		c.Seats = slices.Clone(c.Seats)
		c.Seats[i] = s
		return
	}
	c.Seats = append(c.Seats, s)
}

// SeatNamed finds a seat; people write a name in any case.
func (c *Campaign) SeatNamed(name string) (Seat, bool) {
	i := slices.IndexFunc(c.Seats, func(s Seat) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return Seat{}, false
	}
	return c.Seats[i], true
}

// SeatNames lists the names of the seats.
func (c *Campaign) SeatNames() []string {
	var names []string
	for _, s := range c.Seats {
		names = append(names, s.Name)
	}
	return names
}

// Admit writes the seat of a command as the campaign does, and says what keeps that seat from
// it: a seat must have been taken, and rulings, compensations and disclosures are the umpire's.
func (c *Campaign) Admit(command *rules.Command) []rules.Violation {
	var f rules.Findings
	s, ok := c.SeatNamed(command.Seat)
	switch {
	case !ok:
		f.ViolateField("", rules.Input, "nobody has the seat %q in campaign %s; %s", command.Seat, c.Name,
			words.There(c.SeatNames()))
	case s.Name != UmpireSeat && slices.Contains([]string{VerbRule, VerbReveal, VerbRuling, VerbRound, VerbLapse,
		rules.VerbCompensate}, command.Verb):
		f.ViolateField(command.Verb, rules.Input, "%s is for the umpire to say, not for %s", command.Verb, s.Name)
	}
	command.Seat = s.Name
	return f.Violations
}
