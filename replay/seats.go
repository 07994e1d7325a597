package replay

import (
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Seat is a person at a campaign and the sides that he speaks for.
type Seat struct {
	Name  string
	Role  string // "umpire" or "player"
	Sides []string
}

const rolePlayer = "player"

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

// seatNamed finds a seat; people write a name in any case.
func (c *Campaign) seatNamed(name string) (Seat, bool) {
	i := slices.IndexFunc(c.Seats, func(s Seat) bool { return strings.EqualFold(s.Name, name) })
	if i < 0 {
		return Seat{}, false
	}
	return c.Seats[i], true
}

func (c *Campaign) seatNames() []string {
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
	s, ok := c.seatNamed(command.Seat)
	switch {
	case !ok:
		f.ViolateField("", rules.Input, "nobody has the seat %q in campaign %s; there is %s", command.Seat, c.Name,
			list(c.seatNames()))
	case s.Name != UmpireSeat && slices.Contains([]string{verbRule, verbReveal, verbRuling, rules.VerbCompensate},
		command.Verb):
		f.ViolateField(command.Verb, rules.Input, "%s is for the umpire to say, not for %s", command.Verb, s.Name)
	}
	command.Seat = s.Name
	return f.Violations
}

// seated checks the seats that a campaign is to be opened with, and names their sides as the
// rulebook does.
func seated(o Opening, sides []string) ([]Seat, []rules.Violation) {
	var f rules.Findings
	var seats []Seat
	taken := map[string]string{} // side, by whom
	for _, asked := range o.Seats {
		if !validSeat(asked.Name) {
			f.ViolateField("seat", rules.Input,
				"%q is no name for a seat: it has 1 to 48 letters or signs, and no comma, colon, slash or equals sign",
				asked.Name)
		}
		if strings.EqualFold(asked.Name, UmpireSeat) || slices.ContainsFunc(seats,
			func(s Seat) bool { return strings.EqualFold(s.Name, asked.Name) }) {
			f.ViolateField("seat", rules.Input, "the seat %s is taken already", asked.Name)
		}
		s := Seat{Name: asked.Name, Role: rolePlayer}
		for _, name := range asked.Sides {
			if o.SideNamed != nil {
				if side, ok := o.SideNamed(sides, name); ok {
					name = side
				}
			}
			i := slices.IndexFunc(sides, func(side string) bool { return strings.EqualFold(side, name) })
			switch {
			case i < 0:
				f.ViolateField("seat", rules.Input, "there is no side %q for %s; there is %s", name, s.Name,
					list(sides))
			case taken[sides[i]] != "":
				f.ViolateField("seat", rules.Input, "%s is held by %s already: a side has one seat", sides[i],
					taken[sides[i]])
			default:
				taken[sides[i]] = s.Name
				s.Sides = append(s.Sides, sides[i])
			}
		}
		if len(asked.Sides) == 0 {
			f.ViolateField("seat", rules.Input, "the seat %s has no side: name one, of %s", s.Name, list(sides))
		}
		seats = append(seats, s)
	}
	if o.Dice != "" && o.Dice != Chain && o.Dice != Attested {
		f.ViolateField("dice", rules.Input, "there are no dice %q; there is %s and %s", o.Dice, Chain, Attested)
	}
	if o.Dice == Attested && len(seats) == 0 {
		f.ViolateField("seat", rules.Input,
			"attested dice are typed by one seat and confirmed by another: name a player's seat beside the umpire's")
	}
	return seats, f.Violations
}

// validSeat holds names to what can stand in a list, in a flag and in a turn file.
func validSeat(name string) bool {
	return name != "" && len(name) <= 48 && strings.TrimSpace(name) == name && !strings.ContainsAny(name, ",=/:") &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}
