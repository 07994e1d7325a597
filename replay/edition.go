package replay

import (
	"fmt"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// NewEdition plays a campaign on another edition of its rules from here on.
type NewEdition struct {
	To     string `json:"to"`             // number of the edition
	Reason string `json:"reason"`         // in a sentence
	Seat   string `json:"seat,omitempty"` // who rules so: the umpire's, and nobody else's
}

// MoveEdition records the umpire's ruling that the campaign goes on by another edition. An option
// that the campaign has from its old edition is the new edition's from here on; one that it was
// opened with otherwise, or that the umpire ruled on, stays. What was judged stays judged.
func (u *Umpire) MoveEdition(id ulid.ULID, m NewEdition) (Answer, error) {
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if err := u.pin(t); err != nil {
		return Answer{}, err
	}
	command := fmt.Sprintf("edition/%d", t.campaign.Next)
	if open := t.campaign.Open; open != nil {
		return Answer{}, &OpenError{Command: command, Question: *open}
	}
	r, err := t.timeline.RuledBy(t.campaign.History)
	if err != nil {
		return Answer{}, err
	}
	p, violations := moved(t.campaign, r, m)
	if len(violations) > 0 {
		return Answer{Command: command, Verdict: rules.Refused, Violations: violations}, nil
	}
	return u.record(t, command, campaign.VerbEdition, map[string]any{"to": m.To, "reason": p.Reason},
		rules.Draft{Payload: p})
}

// moved is the move that is asked for, or what keeps the campaign from it.
func moved(c *campaign.Campaign, r campaign.RuledOptions, m NewEdition) (*events.EditionMoved, []rules.Violation) {
	var f rules.Findings
	m.Reason = strings.TrimSpace(m.Reason)
	if s, ok := c.SeatNamed(m.Seat); !ok || s.Name != campaign.UmpireSeat {
		f.ViolateField(campaign.VerbEdition, rules.Input, "the edition is for the umpire to move, not for %s", m.Seat)
	}
	if m.Reason == "" {
		f.ViolateField(campaign.VerbEdition, rules.Input,
			"say why the campaign is to go on by another edition: a move is a ruling")
	}
	if m.To == "" {
		f.ViolateField(campaign.VerbEdition, rules.Input, "name the edition to go on by")
	}
	_, missing := campaign.EditionOf(c.System, r.Edition)
	other, err := campaign.EditionOf(c.System, m.To)
	switch {
	case missing != nil: // what it took from its edition cannot be told from what it chose
		f.ViolateField(campaign.VerbEdition, rules.Input,
			"this program no longer has edition %s, on which campaign %s is played: %v", r.Edition, c.Name, missing)
	case err != nil:
		f.ViolateField(campaign.VerbEdition, rules.Input, "%v", err)
	case other.Hash == c.Edition:
		f.ViolateField(campaign.VerbEdition, rules.Input, "campaign %s is played on edition %s already", c.Name, m.To)
	}
	if f.Refused() {
		return nil, f.Violations
	}
	p := r.Move(c.System, other, m.Reason)
	p.Rules = c.System.Fingerprint(other)
	return p, nil
}
