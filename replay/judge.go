package replay

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

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
		err = rehear.Decided(j.command.ID, o)
	}
	if err == nil && o.Verdict != rules.Refused && given.Left() > 0 {
		err = fmt.Errorf("the ruling on %q no longer follows its record", j.command.ID)
	}
	return o, err
}

// chance answers the rolls and draws that a command calls for now.
func (u *Umpire) chance(t *liveCampaign, j judgement) rules.Source {
	chain := t.campaign.Chain(t.secrets)
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
	return t.campaign.Drawn(func(epoch uint64, s events.Source) (events.Hash, error) {
		return t.campaign.Link(t.secrets, epoch, s)
	})
}
