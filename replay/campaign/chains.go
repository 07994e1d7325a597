package campaign

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// chainState is a chain of the current epoch: how many of its links are spoken for.
type chainState struct {
	length uint64
	anchor events.Hash
	used   uint64
	chain  *chance.Chain // nil where the secret is not known
	seat   string        // whose own it is; empty for the host's
}

func (c *Campaign) beginEpoch(e *events.Event) {
	var p events.EpochBegun
	if !e.Read(&p) {
		return
	}
	if c.chains = map[string]*chainState{}; chance.Seeds(p.Seeds) == chance.ByPosition && c.byPosition == 0 {
		c.byPosition = e.Epoch
	}
	for _, a := range p.Chains {
		c.chains[a.Chain] = &chainState{length: a.Length, anchor: a.Anchor}
	}
}

func (c *Campaign) spend(sources ...events.Source) {
	for _, s := range sources {
		for _, chains := range []map[string]*chainState{c.chains, c.own} {
			if chain := chains[s.Chain]; chain != nil {
				chain.used = max(chain.used, s.Position)
			}
		}
	}
}

// SpentLinks gives, of each chain of the epoch, how many of its links are spent.
func (c *Campaign) SpentLinks() map[string]uint64 {
	spent := map[string]uint64{}
	for name, chain := range c.chains {
		spent[name] = chain.used
	}
	return spent
}

// DetachChains continues the chains from another secret: what was spent of them stays spent.
func (c *Campaign) DetachChains() {
	for name, chain := range c.chains {
		c.chains[name] = &chainState{length: chain.length, used: chain.used}
	}
}

// Places gives each draft its index: those of the events recorded, and then the next ones of the campaign.
func (c *Campaign) Places(recorded ...uint64) func(int) uint64 {
	next := c.Next
	return func(n int) uint64 {
		if n < len(recorded) {
			return recorded[n]
		}
		return next + uint64(n-len(recorded))
	}
}

// Awaited reports whether the dice that are needed come from elsewhere.
func (c *Campaign) Awaited(n *rules.Need) bool {
	return n.Roll != nil && (c.Dice == Attested || c.Dice == Beacon || c.Dice == Contested)
}

// Chain gives the campaign's chains as a source, from the first link on that is not spent.
func (c *Campaign) Chain(secrets keys.Secrets) rehear.Chain {
	taken := map[string]uint64{}
	next := func(name string) (s events.Source, link events.Hash, err error) {
		chain := c.chains[name]
		if chain == nil {
			return s, link, fmt.Errorf("campaign %s has no chain %q in epoch %d", c.Name, name, c.Epoch)
		}
		taken[name]++
		if s = (events.Source{Chain: name, Position: chain.used + taken[name]}); s.Position > chain.length {
			return s, link, fmt.Errorf("chain %q of campaign %s has no link left in epoch %d", name, c.Name, c.Epoch)
		}
		link, err = c.Link(secrets, c.Epoch, s)
		return s, link, err
	}
	chain := rehear.Chain{Campaign: c.ID, Epoch: c.Epoch, Seeds: c.Seeds(c.Epoch), Attested: c.Dice == Attested,
		Next: next}
	if c.Dice == Contested {
		chain.Contest = c.Contest
	}
	if c.Hands == Players {
		chain.Hand = func(side string) (events.Source, error) {
			s, err := c.Hand(side)
			s.Position += taken[s.Chain]
			taken[s.Chain]++
			return s, err
		}
	}
	return chain
}

// Seeds says how the seeds of an epoch's rolls and draws are made.
func (c *Campaign) Seeds(epoch uint64) chance.Seeds {
	if c.byPosition != 0 && epoch >= c.byPosition {
		return chance.ByPosition
	}
	return chance.ByIndex
}

// Link gives the link at a source. The chain of the current epoch is grown from the secret once. Another host may have
// begun the epoch with a secret that is not here: then its anchor is another, and no dice may follow from this one.
func (c *Campaign) Link(secrets keys.Secrets, epoch uint64, s events.Source) (events.Hash, error) {
	chain := c.chains[s.Chain]
	if chain == nil || s.Position < 1 || s.Position > chain.length {
		return events.Hash{}, fmt.Errorf("campaign %s has no link %d on chain %q", c.Name, s.Position, s.Chain)
	}
	if epoch != c.Epoch {
		if err := secrets.CheckHeld(epoch); err != nil {
			return events.Hash{}, err
		}
		return secrets.Chain(c.ID, epoch, s.Chain, chain.length).Link(s.Position), nil
	}
	if chain.chain == nil {
		grown := secrets.Chain(c.ID, epoch, s.Chain, chain.length)
		if !chain.anchor.IsZero() && grown.Anchor() != chain.anchor { // zero: of a what-if, which anchors nothing
			return events.Hash{}, fmt.Errorf("%w: epoch %d was begun elsewhere, with a secret of its own",
				keys.ErrNoSecret, epoch)
		}
		chain.chain = grown
	}
	return chain.chain.Link(s.Position), nil
}

// Drawn repeats draws from their links.
func (c *Campaign) Drawn(link func(epoch uint64, s events.Source) (events.Hash, error)) rehear.Drawn {
	return func(e *events.Event, p *events.DrawDeclared) (rules.Answer, error) {
		l, err := link(e.Epoch, p.Source)
		if err != nil {
			return rules.Answer{}, fmt.Errorf("event %d: %w", e.Index, err)
		}
		return rehear.SampleDraw(l, c.Seeds(e.Epoch).Draw(c.ID, e.Epoch, e.Index, p.Source.Position), p)
	}
}

// reserve is how many links a chain keeps for the command to come; no command takes as many.
const reserve = 64

// ChainRunsOut reports whether some chain might not last through another command.
func (c *Campaign) ChainRunsOut() bool {
	for _, chain := range c.chains {
		if chain.used+reserve > chain.length {
			return true
		}
	}
	return false
}
