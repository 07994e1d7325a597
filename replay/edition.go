package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// Move plays a campaign on another edition of its rules from here on.
type Move struct {
	To     string // number of the edition
	Reason string // in a sentence
	Seat   string // who rules so: the umpire's, and nobody else's
}

// MoveEdition records the umpire's ruling that the campaign goes on by another edition. An option
// that the campaign has from its old edition is the new edition's from here on; one that it was
// opened with otherwise, or that the umpire ruled on, stays. What was judged stays judged.
func (u *Umpire) MoveEdition(id ulid.ULID, m Move) (Answer, error) {
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
func moved(c *campaign.Campaign, r campaign.RuledOptions, m Move) (*events.EditionMoved, []rules.Violation) {
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
		h.Findings = append(h.Findings, outside(e, "request.entry", asked.Edition.To, other.Name))
	}
	h.hold(rehear.Record{Events: b.heard, Known: b.known}, []rules.Draft{{Payload: is}}, false)
	return nil
}
