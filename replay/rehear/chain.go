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
	Attested bool // dice are thrown at a table: a roll is declared so, and has no answer here
	// Next gives the next link of a chain, and spends it.
	Next func(chain string) (events.Source, events.Hash, error)
}

// Answer rolls or draws.
func (c Chain) Answer(n rules.Need, at uint64) (a rules.Answer, ok bool, err error) {
	name := chance.Dice
	switch {
	case n.Draw != nil:
		name = chance.Draws(n.Side)
	case n.Roll == nil:
		return a, false, nil
	case c.Attested:
		n.Roll.Mode = Attested
		return a, false, nil
	}
	source, link, err := c.Next(name)
	if err != nil {
		return a, false, err
	}
	if a, err = Sample(link, c.Campaign, c.Epoch, at, n); err != nil {
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

// Sample turns a link into the dice or positions of a roll or draw that is declared at an index.
func Sample(link events.Hash, campaign ulid.ULID, epoch, at uint64, n rules.Need) (a rules.Answer, err error) {
	d := chance.Declaration{Label: chance.DiceLabel, Campaign: campaign, Epoch: epoch, Index: at}
	if n.Draw != nil {
		d.Label = chance.DrawLabel
	}
	s := chance.NewSampler(chance.Seed(d, chance.Contribution{Link: link}))
	if n.Draw != nil {
		if n.Draw.PoolSize > chance.MaxSides || n.Draw.Count < 0 || n.Draw.Count > n.Draw.PoolSize {
			return a, fmt.Errorf("cannot draw %d of %d cards", n.Draw.Count, n.Draw.PoolSize)
		}
		return rules.Answer{Positions: s.Shuffle(n.Draw.PoolSize)[:n.Draw.Count]}, nil
	}
	for _, t := range n.Roll.Throws {
		a.Dice = append(a.Dice, s.Throw(t))
	}
	return a, nil
}
