package campaign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// ErrNotKnown is wrapped when a campaign has, or asks for, what this program does not know. It is read as far as that
// goes, and nothing is written to it.
var ErrNotKnown = errors.New("this watu does not know all that the campaign needs")

// RequiresPosition stands among the types of event that a program must know, where seeds are by position: one that
// does not would throw other dice.
const RequiresPosition = "seeds_by_position"

// RequiresBeacon stands there for dice by a beacon.
const RequiresBeacon = "dice_by_beacon"

// Stand there too: dice by a beacon that seats cosign, and that a chain decides if nobody does.
const (
	RequiresSeats       = "dice_by_beacon_of_seats"
	RequiresUnwitnessed = "dice_by_beacon_or_chain"
)

// RequiresContested stands there for dice that two links decide.
const RequiresContested = "dice_contested"

// RequiresSigned stands there where a seat enters nothing before it has a key.
const RequiresSigned = "signed_from_the_start"

// RequiresHands stands there for cards that players draw by themselves.
const RequiresHands = "hands_of_players"

// Unknown is what a campaign has, or asks for, that this program does not know. Its views are incomplete then.
type Unknown struct {
	Types   []string    // of events, recorded or required, as they came
	Schema  uint64      // the highest of its events, if it is above this program's; 0 if it is not
	Edition events.Hash // on which it is played, if this program does not have it; zero if it has
}

// Any reports whether there is anything.
func (u *Unknown) Any() bool { return len(u.Types) > 0 || u.Schema > 0 || !u.Edition.IsZero() }

// Add takes the campaign's next event. The edition is for who knows the system.
func (u *Unknown) Add(e *events.Event) {
	if e.Schema > events.SchemaVersion {
		u.Schema = max(u.Schema, e.Schema)
	}
	u.needs(string(e.Type))
	if e.Type != "campaign_opened" && e.Type != "rules_changed" {
		return
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		u.needs(p.Requires...)
	case *events.RulesChanged:
		u.needs(p.Requires...)
	}
}

var required = []string{RequiresPosition, RequiresBeacon, RequiresSeats, RequiresUnwitnessed,
	RequiresContested, RequiresSigned, RequiresHands}

func (u *Unknown) needs(types ...string) {
	for _, t := range types {
		known := slices.Contains(required, t) || events.Known(events.Type(t))
		if !known && !slices.Contains(u.Types, t) {
			u.Types = append(u.Types, t)
		}
	}
}

// String lists what it is: "events of type ship_renamed".
func (u *Unknown) String() string {
	var list []string
	if len(u.Types) > 0 {
		list = append(list, "events of type "+strings.Join(u.Types, ", "))
	}
	if u.Schema > 0 {
		list = append(list, fmt.Sprintf("events of schema %d", u.Schema))
	}
	if !u.Edition.IsZero() {
		list = append(list, "edition "+u.Edition.String()[:12]+" of its rules")
	}
	return strings.Join(list, "; ")
}

// Playable fails for a campaign that can be read, but not played on.
func (c *Campaign) Playable() error {
	unknown := c.Unknown
	if _, ok := c.System.Edition(c.Edition); !ok {
		unknown.Edition = c.Edition
	}
	if unknown.Any() {
		return fmt.Errorf("%w: campaign %s has %s. It can be read here; to play on, use the watu that recorded it, "+
			"or a later one", ErrNotKnown, c.Name, &unknown)
	}
	return c.Lacks
}

// Fingerprint names the rules by which this program judges the campaign; zero without its edition.
func (c *Campaign) Fingerprint() events.Hash {
	if e, ok := c.System.Edition(c.Edition); ok {
		return c.System.Fingerprint(e)
	}
	return events.Hash{}
}
