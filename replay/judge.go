package replay

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// Judgement is a command to be judged in play.
type Judgement struct {
	Before  rules.Game // the state on which it is judged
	Command rules.Command
	Given   []rules.Answer   // the answers that it has so far
	Place   func(int) uint64 // index of the n-th draft

	dry   bool          // stop where dice or cards would be needed
	round *rehear.Round // of a beacon, that has come; nil for none
}

// run judges a command, rolling and drawing as it asks.
func (u *Umpire) run(t *liveCampaign, j Judgement) (rules.Outcome, error) {
	given := rules.Given(j.Given...)
	source := rules.Source(given)
	if !j.dry {
		source = rehear.FirstOf(given, u.chance(t, j))
	}
	o, err := rehear.Run(j.Before, j.Command, source, j.Place)
	if errors.Is(err, campaign.ErrNoHand) || errors.Is(err, campaign.ErrNoContest) {
		var f rules.Findings
		f.Violate(rules.Input, "%v", err)
		return rules.Outcome{Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	if own := t.campaign.Hands == campaign.Players && j.Command.Hides(o.Sealed); err == nil && !own {
		if err = rehear.CheckDecided(j.Command.ID, o); err != nil && t.campaign.Hands == campaign.Players {
			return unopened(), nil
		}
	}
	if err == nil && o.Verdict != rules.Refused && given.Left() > 0 {
		err = fmt.Errorf("the ruling on %q no longer follows its record", j.Command.ID)
	}
	return o, err
}

// chance answers the rolls and draws that a command calls for now.
func (u *Umpire) chance(t *liveCampaign, j Judgement) rules.Source {
	chain := t.campaign.Chain(t.secrets)
	switch {
	case u.simulated != nil:
		return u.simulated.Source(j, chain)
	case t.campaign.Dice == campaign.Beacon:
		chain.Round = u.nextRound(t.campaign)
	}
	if j.round != nil {
		return rehear.FirstOf(j.round, chain)
	}
	return chain
}

// drawn repeats the draws of the campaign.
func (u *Umpire) drawn(t *liveCampaign) rehear.Drawn {
	if u.simulated != nil {
		return u.simulated.Drawn
	}
	return t.campaign.Drawn(func(epoch uint64, s events.Source) (events.Hash, error) {
		return t.campaign.Link(t.secrets, epoch, s)
	})
}
