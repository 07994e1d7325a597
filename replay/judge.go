package replay

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// ErrSealed is wrapped where a command turns on a secret whose opening is not here. In play all of them are, unless the
// ledger has lost some: then the command is neither allowed nor refused, for both would be guesses.
var ErrSealed = errors.New("a secret that it turns on is not known here")

// Decided says why an outcome that was reached in play decides nothing, as an [ErrSealed]; nil if it does. A refusal
// always does.
func Decided(command string, o rules.Outcome) error {
	if len(o.Sealed) == 0 || o.Verdict == rules.Refused {
		return nil
	}
	at := o.Sealed[0]
	return fmt.Errorf("entry %q: %w: %q of #%d, whose opening the ledger has lost", command, ErrSealed, at.Slot,
		at.Index)
}

// judgement is a command to be judged in play.
type judgement struct {
	before  rules.Game // the state on which it is judged
	command rules.Command
	given   []rules.Answer   // the answers that it has so far
	place   func(int) uint64 // index of the n-th draft
	dry     bool             // stop where dice or cards would be needed
}

// run judges a command, rolling and drawing as it asks.
func (u *Umpire) run(t *liveCampaign, j judgement) (rules.Outcome, error) {
	given := rules.Given(j.given...)
	source := rules.Source(given)
	if !j.dry {
		source = rehear.First(given, u.chance(t, j))
	}
	o, err := rehear.Run(j.before, j.command, source, j.place)
	if err == nil {
		err = Decided(j.command.ID, o)
	}
	if err == nil && o.Verdict != rules.Refused && given.Left() > 0 {
		err = fmt.Errorf("the ruling on %q no longer follows its record", j.command.ID)
	}
	return o, err
}

// places gives each draft its index: those of the events recorded, and then the next ones of the campaign.
func (c *Campaign) places(recorded ...uint64) func(int) uint64 {
	next := c.Next
	return func(n int) uint64 {
		if n < len(recorded) {
			return recorded[n]
		}
		return next + uint64(n-len(recorded))
	}
}

// chance answers the rolls and draws that a command calls for now.
func (u *Umpire) chance(t *liveCampaign, j judgement) rules.Source {
	chain := t.campaign.chain(t.secrets)
	if w := u.whatIf; w != nil {
		return w.recalled.source(j, chain)
	}
	return chain
}

// drawn repeats the draws of the campaign.
func (u *Umpire) drawn(t *liveCampaign) rehear.Drawn {
	if w := u.whatIf; w != nil {
		return w.recalled.again
	}
	return t.campaign.drawn(func(epoch uint64, s events.Source) (events.Hash, error) {
		return t.campaign.link(t.secrets, epoch, s)
	})
}

// throws reports whether the dice that are needed are thrown at a table.
func (c *Campaign) throws(n *rules.Need) bool { return n.Roll != nil && c.Dice == Attested }

// chain gives the campaign's chains as a source, from the first link on that is not spent.
func (c *Campaign) chain(secrets keys.Secrets) rehear.Chain {
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
		link, err = c.link(secrets, c.Epoch, s)
		return s, link, err
	}
	return rehear.Chain{Campaign: c.ID, Epoch: c.Epoch, Attested: c.Dice == Attested, Next: next}
}

// link gives the link at a source. The chain of the current epoch is grown from the secret once. Another host may have
// begun the epoch with a secret that is not here: then its anchor is another, and no dice may follow from this one.
func (c *Campaign) link(secrets keys.Secrets, epoch uint64, s events.Source) (events.Hash, error) {
	chain := c.chains[s.Chain]
	if chain == nil || s.Position < 1 || s.Position > chain.length {
		return events.Hash{}, fmt.Errorf("campaign %s has no link %d on chain %q", c.Name, s.Position, s.Chain)
	}
	if epoch != c.Epoch {
		if err := secrets.Here(epoch); err != nil {
			return events.Hash{}, err
		}
		return secrets.Chain(c.ID, epoch, s.Chain, chain.length).Link(s.Position), nil
	}
	if chain.chain == nil {
		grown := secrets.Chain(c.ID, epoch, s.Chain, chain.length)
		if !chain.anchor.IsZero() && grown.Anchor() != chain.anchor { // zero: of a what-if, which anchors nothing
			return events.Hash{}, fmt.Errorf("%w: epoch %d was begun elsewhere, with a secret of its own",
				keys.ErrNoSecret,
				epoch)
		}
		chain.chain = grown
	}
	return chain.chain.Link(s.Position), nil
}

// drawn repeats draws from their links.
func (c *Campaign) drawn(link func(epoch uint64, s events.Source) (events.Hash, error)) rehear.Drawn {
	return func(e *events.Event, p *events.DrawDeclared) (rules.Answer, error) {
		l, err := link(e.Epoch, p.Source)
		if err != nil {
			return rules.Answer{}, fmt.Errorf("event %d: %w", e.Index, err)
		}
		return rehear.Sample(l, c.ID, e.Epoch, e.Index, rules.Need{Draw: p, Side: e.Side})
	}
}
