package rehear

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// Attested is the mode of dice that are thrown at a table: typed in by one seat, confirmed by another.
const Attested = "attested"

// Chain answers rolls and draws from the hash chains of a campaign's host, and tells the declaration by which link. It
// has no answer to a choice.
type Chain struct {
	Campaign ulid.ULID
	Epoch    uint64
	Seeds    chance.Seeds
	Attested bool // dice are thrown at a table: a roll is declared so, and has no answer here
	// of a beacon, that decides dice and is to come: a roll names it, and has no answer here; 0 for none
	Round uint64
	// Contest gives the next position of the chain of a seat that does not hold the side which rolls; nil where dice
	// are not contested. A roll names it beside the host's, and has no answer here.
	Contest func(side string) (events.Source, error)
	// Hand gives the next position of the chain from which a side's player draws by himself; nil where the host draws.
	Hand func(side string) (events.Source, error)
	// Next gives the next link of a chain, and spends it.
	Next func(chain string) (events.Source, events.Hash, error)
}

// Answer rolls or draws.
func (c Chain) Answer(n rules.Need, at uint64) (a rules.Answer, ok bool, err error) {
	name := chance.Dice
	switch {
	case n.Draw != nil && c.Hand != nil:
		n.Draw.Round = c.Round
		n.Draw.Source, err = c.Hand(n.Side)
		a.Unknown = &rules.Unanswered{Draw: true, At: events.Ref{Index: at, Slot: rules.SlotLink}}
		return a, err == nil, err
	case n.Draw != nil:
		name = chance.Draws(n.Side)
	case n.Roll == nil:
		return a, false, nil
	case c.Attested:
		n.Roll.Mode = Attested
		return a, false, nil
	case c.Round != 0:
		n.Roll.Mode, n.Roll.Round = Beacon, c.Round
		return a, false, nil
	case c.Contest != nil:
		n.Roll.Mode = Contested
		seat, err := c.Contest(n.Side)
		if err != nil {
			return a, false, err
		}
		host, _, err := c.Next(chance.Dice)
		n.Roll.Sources = []events.Source{host, seat}
		return a, false, err
	}
	source, link, err := c.Next(name)
	if err != nil {
		return a, false, err
	}
	if n.Draw != nil {
		a, err = SampleDraw(link, c.Seeds.Draw(c.Campaign, c.Epoch, at, source.Position), n.Draw)
	} else {
		a, err = SampleDice(link, c.Seeds.Dice(c.Campaign, c.Epoch, at, source.Position), n.Roll)
	}
	if err != nil {
		return a, false, err
	}
	if n.Draw != nil {
		n.Draw.Source = source // the link stays secret: it would tell every draw of that side before it
		return a, true, nil
	}
	n.Roll.Sources = []events.Source{source}
	a.Links = []events.Link{{Chain: source.Chain, Position: source.Position, Link: link}}
	return a, true, nil
}

// SampleDice turns a link into the dice of a roll.
func SampleDice(link events.Hash, d chance.Declaration, p *events.RollDeclared) (a rules.Answer, err error) {
	a.Dice, err = thrown(chance.Seed(d, chance.Contribution{Link: link}), p)
	return a, err
}

// SampleHand turns a player's own link, and the signature of the round that his draw named, into the positions of the
// draw.
func SampleHand(link events.Hash, campaign ulid.ULID, epoch uint64, p *events.DrawDeclared, signature []byte) ([]int,
	error) {
	if p.PoolSize > chance.MaxSides || p.Count < 0 || p.Count > p.PoolSize {
		return nil, fmt.Errorf("cannot draw %d of %d cards", p.Count, p.PoolSize)
	}
	d := chance.ByPosition.Draw(campaign, epoch, 0, p.Source.Position)
	s := chance.NewSampler(chance.Seed(d, chance.Contribution{Link: link, Round: signature}))
	return s.Shuffle(p.PoolSize)[:p.Count], nil
}

// SampleDraw turns a link into the positions of a draw.
func SampleDraw(link events.Hash, d chance.Declaration, p *events.DrawDeclared) (a rules.Answer, err error) {
	if p.PoolSize > chance.MaxSides || p.Count < 0 || p.Count > p.PoolSize {
		return a, fmt.Errorf("cannot draw %d of %d cards", p.Count, p.PoolSize)
	}
	s := chance.NewSampler(chance.Seed(d, chance.Contribution{Link: link}))
	return rules.Answer{Positions: s.Shuffle(p.PoolSize)[:p.Count]}, nil
}
