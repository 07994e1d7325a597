package review

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// judged is the state before the hearing, by the edition that it is judged on: an option that the
// campaign took from its own edition is that edition's, one that it chose or ruled on stays.
func (b *trialRun) judged(c *campaign.Campaign, before rules.Game) rules.Game {
	if b.trial.Edition == "" || b.trial.Edition == b.ruled.Edition {
		return before
	}
	_, err := campaign.EditionOf(c.System, b.ruled.Edition)
	other, err2 := campaign.EditionOf(c.System, b.trial.Edition)
	if err != nil || err2 != nil {
		return before
	}
	p := b.ruled.Move(c.System, other, "")
	e := &events.Event{Index: b.heard[0].Index - 1, Type: p.Type(), Payload: events.EncodePayload(p)}
	return before.Evolve(e, nil)
}

// moveAgain moves the campaign to the edition recorded again, and holds the move to the record.
func (b *trialRun) moveAgain(c *campaign.Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.EditionMoved
	if !e.Read(&p) {
		return nil
	}
	r, err := b.timeline.RuledBy(c.History.At(e.Index))
	if err != nil {
		return err
	}
	if _, err := campaign.EditionOf(c.System, r.Edition); err != nil {
		h.Unchecked = fmt.Sprintf("#%d: %v", e.Index, err)
		return nil
	}
	at := slices.IndexFunc(c.System.Editions, func(x rules.Edition) bool { return x.Hash == p.Hash })
	if at < 0 {
		h.Unchecked = fmt.Sprintf("#%d: this watu does not have edition %s", e.Index, p.Hash.String()[:12])
		return nil
	}
	other := c.System.Editions[at]
	var asked struct{ Edition struct{ To, Reason string } }
	_ = json.Unmarshal(campaign.RequestIn(e).Entry, &asked) // else it asked for no edition, and that is a finding
	is := r.Move(c.System, other, asked.Edition.Reason)
	is.Rules = p.Rules
	if asked.Edition.To != other.Name {
		h.Findings = append(h.Findings, envelopeFinding(e, "request.entry", asked.Edition.To, other.Name))
	}
	h.hold(rehear.Recording{Events: b.heard, Known: b.known}, []rules.Draft{{Payload: is}}, false)
	return nil
}
