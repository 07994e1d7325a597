package bundle

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/chance"
)

// seal is a commitment, and where it was made.
type seal struct {
	hash   events.Hash
	place  events.Place
	opened bool // opened, in the record or in the file
	own    bool // its player alone knows it
}

// commitments takes what an event commits to. A second fact in one slot of a command would have the salt of the first.
func (c *check) commitments(e *events.Event) {
	for i, k := range e.Commitments {
		c.count(CheckCommitments)
		k.Slot = strings.Clone(k.Slot) // the event's is part of its bytes, which would stay in memory
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: strings.Clone(e.Command), Slot: k.Slot}
		if c.slots[place] {
			c.wrong(e, CheckCommitments, fmt.Sprintf("commitments[%d].slot", i), k.Slot, nil,
				"the command has committed to something in that slot already")
		}
		c.slots[place] = true
		c.seals[events.Ref{Index: e.Index, Slot: k.Slot}] = &seal{hash: k.Hash, place: place}
	}
}

// disclosures checks what an event opens.
func (c *check) disclosures(e *events.Event, p events.Payload) {
	for i, o := range e.Openings {
		c.count(CheckDisclosed)
		field := fmt.Sprintf("openings[%d]", i)
		if s := c.seals[events.Ref{Index: o.Index, Slot: o.Slot}]; s == nil {
			c.wrong(e, CheckDisclosed, field, fmt.Sprintf("%q in #%d", o.Slot, o.Index), nil,
				"nothing was committed to there")
		} else if s.opened = true; !events.Opens(s.hash, s.place, o.Salt, o.Fact) {
			c.wrong(e, CheckDisclosed, field+".fact", o.Fact, nil, "that is not what #%d has committed to in slot %q",
				o.Index, o.Slot)
		}
		switch p := p.(type) {
		case *events.CardPlayed:
			if len(e.Openings) == 1 && p.Card != o.Fact {
				c.wrong(e, CheckDisclosed, "payload.card", p.Card, o.Fact, "another card was opened")
			}
		case *events.Opened:
			if p.Event != o.Index || p.Slot != o.Slot || p.Fact != o.Fact {
				c.wrong(e, CheckDisclosed, "payload.fact", p.Fact, o.Fact, "something else was opened")
			}
		}
	}
}

// openings checks the openings in the file.
func (c *check) openings() {
	for _, o := range c.file.Openings {
		c.count(CheckOpenings)
		at := &events.Event{Index: o.Index}
		if s := c.seals[events.Ref{Index: o.Index, Slot: o.Slot}]; s == nil {
			c.wrong(at, CheckOpenings, "opening", o.Slot, nil,
				"the file opens a slot %q in which nothing was committed to", o.Slot)
		} else if s.opened = true; !events.Opens(s.hash, s.place, o.Salt, o.Fact) {
			c.wrong(at, CheckOpenings, "opening.fact", o.Fact, nil,
				"what the file opens is not what was committed to in slot %q", o.Slot)
		}
	}
	c.dueOpenings()
}

// audience checks that the file holds no secret of anybody but its reader.
func (c *check) audience() {
	reader := c.file.Header.For
	if reader == Umpire {
		return
	}
	for _, o := range c.file.Openings {
		c.count(CheckAudience)
		if reader == Public || o.Index >= uint64(c.ties.len()) || c.sides.of(o.Index) != reader {
			c.wrong(&events.Event{Index: o.Index}, CheckAudience, "opening", o.Slot, nil,
				"the file is for %s, and opens what others keep sealed", reader)
		}
	}
	for _, l := range c.file.Links {
		c.count(CheckAudience)
		if reader == Public || strings.TrimPrefix(l.Chain, chance.Draws("")) != reader {
			c.wrongFile(CheckAudience, "link", l.Chain, nil, "the file is for %s, and reveals the draws of others",
				reader)
		}
	}
}
