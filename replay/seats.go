package replay

import (
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// seated checks the seats that a campaign is to be opened with, and names their sides as the
// rulebook does.
func seated(o NewCampaign, sides []string) ([]campaign.Seat, []rules.Violation) {
	var f rules.Findings
	var seats []campaign.Seat
	taken := map[string]string{} // side, by whom
	for _, asked := range o.Seats {
		if !validSeat(asked.Name) {
			f.ViolateField("seat", rules.Input,
				"%q is no name for a seat: it has 1 to 48 letters or signs, and no comma, colon, slash or equals sign",
				asked.Name)
		}
		if strings.EqualFold(asked.Name, campaign.UmpireSeat) || slices.ContainsFunc(seats,
			func(s campaign.Seat) bool { return strings.EqualFold(s.Name, asked.Name) }) {
			f.ViolateField("seat", rules.Input, "the seat %s is taken already", asked.Name)
		}
		s := campaign.Seat{Name: asked.Name, Role: campaign.RolePlayer}
		for _, name := range asked.Sides {
			if o.SideNamed != nil {
				if side, ok := o.SideNamed(sides, name); ok {
					name = side
				}
			}
			i := slices.IndexFunc(sides, func(side string) bool { return strings.EqualFold(side, name) })
			switch {
			case i < 0:
				f.ViolateField("seat", rules.Input, "there is no side %q for %s; %s", name, s.Name,
					words.There(sides))
			case taken[sides[i]] != "":
				f.ViolateField("seat", rules.Input, "%s is held by %s already: a side has one seat", sides[i],
					taken[sides[i]])
			default:
				taken[sides[i]] = s.Name
				s.Sides = append(s.Sides, sides[i])
			}
		}
		if len(asked.Sides) == 0 {
			f.ViolateField("seat", rules.Input, "the seat %s has no side: name one, of %s", s.Name,
				strings.Join(sides, ", "))
		}
		seats = append(seats, s)
	}
	if o.Dice != "" && o.Dice != campaign.Chain && o.Dice != campaign.Attested && o.Dice != campaign.Beacon &&
		o.Dice != campaign.Contested {
		f.ViolateField("dice", rules.Input, "there are no dice %q; there are %s, %s, %s and %s", o.Dice, campaign.Chain,
			campaign.Attested, campaign.Beacon, campaign.Contested)
	}
	if o.Dice == campaign.Contested {
		f.Violations = append(f.Violations, contestable(o)...)
	}
	if o.Dice == campaign.Attested && len(seats) == 0 {
		f.ViolateField("seat", rules.Input,
			"attested dice are typed by one seat and confirmed by another: name a player's seat beside the umpire's")
	}
	if o.Signed {
		f.Violations = append(f.Violations, signing(o, sides, taken)...)
	}
	return seats, f.Violations
}

// signing says what keeps a campaign from having all entries signed: each side needs somebody who signs.
func signing(o NewCampaign, sides []string, taken map[string]string) []rules.Violation {
	var f rules.Findings
	nobodys := slices.DeleteFunc(slices.Clone(sides), func(side string) bool { return taken[side] != "" })
	if len(nobodys) > 0 {
		f.ViolateField("seat", rules.Input, "nobody would sign for %s: where all entries are signed, each side "+
			"needs a seat", words.And(nobodys))
	}
	if o.Proxy {
		f.ViolateField("signed", rules.Input, "either all entries are signed, or the umpire may enter some by proxy")
	}
	if o.Seed != "" {
		f.ViolateField("seed", rules.Input, "a demonstration has no players who sign")
	}
	return f.Violations
}

// validSeat holds names to what can stand in a list, in a flag and in a turn file.
func validSeat(name string) bool {
	return name != "" && len(name) <= 48 && strings.TrimSpace(name) == name && !strings.ContainsAny(name, ",=/:") &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}
