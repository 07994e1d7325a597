package replay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
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
	r, err := t.timeline.ruledBy(t.campaign.History)
	if err != nil {
		return Answer{}, err
	}
	p, violations := moved(t.campaign, r, m)
	if len(violations) > 0 {
		return Answer{Command: command, Verdict: rules.Refused, Violations: violations}, nil
	}
	return u.record(t, command, verbEdition, map[string]any{"to": m.To, "reason": p.Reason}, rules.Draft{Payload: p})
}

// moved is the move that is asked for, or what keeps the campaign from it.
func moved(c *Campaign, r ruledOptions, m Move) (*events.EditionMoved, []rules.Violation) {
	var f rules.Findings
	m.Reason = strings.TrimSpace(m.Reason)
	if s, ok := c.seatNamed(m.Seat); !ok || s.Name != UmpireSeat {
		f.ViolateField(verbEdition, rules.Input, "the edition is for the umpire to move, not for %s", m.Seat)
	}
	if m.Reason == "" {
		f.ViolateField(verbEdition, rules.Input,
			"say why the campaign is to go on by another edition: a move is a ruling")
	}
	if m.To == "" {
		f.ViolateField(verbEdition, rules.Input, "name the edition to go on by")
	}
	_, missing := editionOf(c.System, r.edition)
	other, err := editionOf(c.System, m.To)
	switch {
	case missing != nil: // what it took from its edition cannot be told from what it chose
		f.ViolateField(verbEdition, rules.Input,
			"this program no longer has edition %s, on which campaign %s is played: %v", r.edition, c.Name, missing)
	case err != nil:
		f.ViolateField(verbEdition, rules.Input, "%v", err)
	case other.Hash == c.Edition:
		f.ViolateField(verbEdition, rules.Input, "campaign %s is played on edition %s already", c.Name, m.To)
	}
	if f.Refused() {
		return nil, f.Violations
	}
	p := r.move(c.System, other, m.Reason)
	p.Rules = c.System.Fingerprint(other)
	return p, nil
}

// ruledOptions are the options of a campaign, and which of them are its umpire's rather than its
// edition's.
type ruledOptions struct {
	edition string
	options []events.Option
	first   string            // the edition of the opening
	chosen  map[string]string // as the campaign was opened
	ruled   map[string]bool
}

// question is an option that was referred, and by which event.
type question struct {
	option string
	by     uint64
}

// ruledBy reads them off a campaign's events.
func (t *timeline) ruledBy(v history.View) (r ruledOptions, err error) {
	for e, err := range v.Effective(0, t.event) {
		if err != nil {
			return r, err
		}
		r.follow(e.Event)
	}
	return r, nil
}

func (r *ruledOptions) follow(e *events.Event) {
	if e.Type != "campaign_opened" && e.Type != "option_ruled" && e.Type != "edition_moved" {
		return
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		r.edition, r.options, r.ruled = p.Edition, slices.Clone(p.Options), map[string]bool{}
		r.first, r.chosen = p.Edition, map[string]string{}
		for _, o := range p.Options {
			r.chosen[o.Name] = o.Value
		}
	case *events.OptionRuled:
		if r.ruled != nil { // nil before the opening
			r.ruled[p.Option] = true
		}
	case *events.EditionMoved:
		r.edition = p.Now
		for _, o := range p.Options {
			if i := slices.IndexFunc(r.options, func(k events.Option) bool { return k.Name == o.Name }); i >= 0 {
				r.options[i].Value = o.Value
			}
		}
	}
}

// move is the move of a campaign to another edition.
func (r *ruledOptions) move(s rules.System, to rules.Edition, reason string) *events.EditionMoved {
	return &events.EditionMoved{Was: r.edition, Now: to.Name, Hash: to.Hash, Options: r.moved(s, to), Reason: reason}
}

// moved lists the options that are otherwise when a campaign goes from its edition to another. It
// has an option from its edition if it was opened with that edition's reading, and nobody ruled on it
// since.
func (r *ruledOptions) moved(s rules.System, other rules.Edition) []events.Option {
	first, err := editionOf(s, r.first)
	if err != nil {
		return nil // what it chose cannot be told from what it took
	}
	var list []events.Option
	for _, o := range r.options {
		if is := other.Default(o.Name); !r.ruled[o.Name] && r.chosen[o.Name] == first.Default(o.Name) && is != "" &&
			is != o.Value {
			list = append(list, events.Option{Name: o.Name, Value: is, Rule: o.Rule})
		}
	}
	return list
}

// judged is the state before the hearing, by the edition that it is judged on: an option that the
// campaign took from its own edition is that edition's, one that it chose or ruled on stays.
func (b *trialRun) judged(c *Campaign, before rules.Game) rules.Game {
	if b.trial.Edition == "" || b.trial.Edition == b.ruled.edition {
		return before
	}
	_, err := editionOf(c.System, b.ruled.edition)
	other, err2 := editionOf(c.System, b.trial.Edition)
	if err != nil || err2 != nil {
		return before
	}
	p := b.ruled.move(c.System, other, "")
	e := &events.Event{Index: b.heard[0].Index - 1, Type: p.Type(), Payload: events.EncodePayload(p)}
	return before.Evolve(e, nil)
}

// moveAgain moves the campaign to the edition recorded again, and holds the move to the record.
func (b *trialRun) moveAgain(c *Campaign, h *Heard) error {
	e := &b.heard[0]
	var p events.EditionMoved
	if !e.Read(&p) {
		return nil
	}
	r, err := b.timeline.ruledBy(c.History.At(e.Index))
	if err != nil {
		return err
	}
	if _, err := editionOf(c.System, r.edition); err != nil {
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
	_ = json.Unmarshal(requestIn(e).Entry, &asked) // else it asked for no edition, and that is a finding
	is := r.move(c.System, other, asked.Edition.Reason)
	is.Rules = p.Rules
	if asked.Edition.To != other.Name {
		h.Findings = append(h.Findings, outside(e, "request.entry", asked.Edition.To, other.Name))
	}
	h.hold(rehear.Record{Events: b.heard, Known: b.known}, []rules.Draft{{Payload: is}}, false)
	return nil
}
