package bundle

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/rules/chance"
)

// contests checks the links that a declaration names: the next of the host's dice, and the next of the seat that
// contests the roll. A roll behind another of its command takes the same.
func (c *check) contests(e *events.Event, p *events.RollDeclared) {
	due := 2
	if p.First != 0 {
		due = 0
	}
	if len(p.Sources) != due {
		c.wrong(e, CheckPositions, "payload.sources", len(p.Sources), due,
			"a link of the host and one of a seat decide contested dice")
	} else if due > 0 && e.Corrects == 0 && e.Replaces == 0 {
		c.spend(e, p.Sources[0], chance.Dice, "payload.sources[0]")
		name, byUmpire := c.contester(e.Side)
		c.spend(e, p.Sources[1], name, "payload.sources[1]")
		if c.rolls[e.Index].byUmpire = byUmpire; byUmpire {
			c.unable(1, "contested rolls whose link comes by a key that the umpire gave",
				"no player has brought one of his own that could contest them")
		}
	}
}

// contester names the chain of the seat that contests rolls of a side: the first by its name that does not hold the
// side, and whose player brought a chain that has links left; with a key that no umpire gave him, if there is one.
func (c *check) contester(side string) (chain string, byUmpire bool) {
	for _, byUmpire := range []bool{false, true} {
		for _, seat := range slices.Sorted(maps.Keys(c.signers.keys)) {
			key := c.signers.keys[seat]
			name := envelope.ChainName(key.Fingerprint())
			if on := c.own[name]; (key.byUmpire != 0) == byUmpire && on != nil && on.used+1 < on.Length &&
				c.signers.seats[side] != seat {
				return name, byUmpire
			}
		}
	}
	return "of a player with a key", false
}

// contested checks a throw that two links decide, or the umpire because one of them did not come.
func (c *check) contested(e *events.Event, p *events.DiceRolled, r *roll, t events.Throw) {
	first := len(r.fell) == 1 && r.declared.First == 0
	awaited := c.awaited
	if first {
		c.awaited = nil
	}
	switch {
	case first && !c.waits(r, awaited):
		c.wrong(e, CheckLinks, "payload.declared", p.Declared, nil, "no roll awaits a link there")
	case first && p.Typed != "":
		c.ruled(e, p, r)
	case first:
		c.gives(e, p, r)
	case p.Typed != r.typed || p.Confirmed != "":
		c.wrong(e, CheckDice, "payload.typed", p.Typed+p.Confirmed, r.typed, "nobody else vouches for these dice")
	case !slices.Equal(p.Links, r.links):
		c.wrong(e, CheckLinks, "payload.links", len(p.Links), len(r.links), "the same links decide a whole roll")
	}
	if r.sampler != nil {
		c.falls(e, p, r.sampler.Throw(t), "the links give another die")
	}
}

// gives takes the links that decide a roll. The seat's came in a command that its player signed for this declaration.
func (c *check) gives(e *events.Event, p *events.DiceRolled, r *roll) {
	s := r.declared.Sources
	if len(s) != 2 {
		return // a finding of the declaration
	}
	r.links = p.Links
	for i := range s {
		if c.count(CheckLinks); len(p.Links) != 2 || p.Links[i].Chain != s[i].Chain ||
			p.Links[i].Position != s[i].Position {
			c.wrong(e, CheckLinks, "payload.links", len(p.Links), s, "the links given are not those that #%d declared",
				p.Declared)
			return
		}
		if !c.anchored(r.epoch, p.Links[i]) {
			c.wrong(e, CheckLinks, fmt.Sprintf("payload.links[%d].link", i), p.Links[i].Link, nil,
				"hashing it %d times does not give the anchor stated for its chain", p.Links[i].Position)
			return
		}
	}
	own := c.own[s[1].Chain]
	switch {
	case own == nil: // a finding of the declaration
		return
	case p.Confirmed != "":
		c.wrong(e, CheckDice, "payload.confirmed", p.Confirmed, nil, "nobody vouches for dice that links decide")
	case e.Signed == "" || e.Seat != own.seat:
		c.wrong(e, CheckEnvelopes, "seat", e.Seat, own.seat, "the player whose link decides signs that he gives it "+
			"for this roll")
		r.doubt = true
	}
	r.typed = ""
	r.confirmed = own.seat
	c.come = come{randomness: chance.Contested(p.Links[0].Link, p.Links[1].Link), first: p.Declared, declared: r.hash,
		command: r.at.Command, rolls: 1}
	r.sampler = c.sampler(0)
}

// ruled takes the umpire's word for dice whose link did not come in the time that the campaign gives.
func (c *check) ruled(e *events.Event, p *events.DiceRolled, r *roll) {
	within := time.Duration(c.opened.AnswerWithin) * time.Second
	r.typed = p.Typed
	switch {
	case p.Typed != umpireSeat || e.Seat != umpireSeat || p.Confirmed != "" || len(p.Links) != 0:
		c.wrong(e, CheckDice, "payload.typed", p.Typed, umpireSeat, "the umpire alone rules dice for want of a link")
	case within == 0 || e.Recorded.Before(r.asked.Truncate(time.Millisecond).Add(within)):
		c.wrong(e, CheckDice, "recorded", e.Recorded, r.asked.Add(within), "the umpire ruled the dice before the time "+
			"was over in which their link might come")
	}
	c.unable(1, "contested dice that the umpire ruled", "the link that was to decide did not come in time, as he says")
}

// contestChooser is the chooser of dice that links decided, by the roll that named them.
func (c *check) contestChooser(r *roll) (who Chooser, why string) {
	switch {
	case r.doubt:
		return ByHost, fmt.Sprintf("what is recorded of the roll #%d, which named their links, is wrong", r.at.Index)
	case r.byUmpire:
		return ByHost, fmt.Sprintf("the umpire gave the key of %s, whose link decides beside his own", r.confirmed)
	case r.typed != "":
		return ByHost, "the link that was to decide did not come in time, as he says, and he ruled the dice"
	}
	return ByHostWithCosigner, fmt.Sprintf("the host together with %s: each gave a link that the other could not know",
		r.confirmed)
}
