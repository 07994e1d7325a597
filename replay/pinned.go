package replay

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// commonTypes are the types of event that a campaign of any system may have.
var commonTypes = []events.Type{
	"campaign_opened", "seat_taken", "epoch_begun", "turn_advanced", "phase_advanced", "fact_reported",
	"roll_declared", "dice_typed", "dice_denied", "dice_rolled", "result_adjudicated", "choice_asked", "choice_made",
	"referred", "option_ruled", "opened", "corrected", "consequence_kept", "voided", "compensated", "edition_moved",
	"rules_changed",
	"dispute_opened", "statement_made", "evidence_brought", "dispute_ruled",
}

// required lists, sorted, the types of event that a program must know to go on with a campaign of a system.
func required(s rules.System) []string {
	var list []string
	for _, t := range slices.Concat(commonTypes, s.Types) {
		list = append(list, string(t))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// ErrNotKnown is wrapped when a campaign has, or asks for, what this program does not know. It is read as far as that
// goes, and nothing is written to it.
var ErrNotKnown = errors.New("this watu does not know all that the campaign needs")

// Unknown is what a campaign has, or asks for, that this program does not know. Its views are incomplete then.
type Unknown struct {
	Types   []string    // of events, recorded or required, as they came
	Schema  uint64      // the highest of its events, if it is above this program's; 0 if it is not
	Edition events.Hash // on which it is played, if this program does not have it; zero if it has
}

// Any reports whether there is anything.
func (u *Unknown) Any() bool { return len(u.Types) > 0 || u.Schema > 0 || !u.Edition.IsZero() }

// Add takes the campaign's next event. The edition is for who knows the system.
func (u *Unknown) Add(e *events.Event) {
	if e.Schema > events.SchemaVersion {
		u.Schema = max(u.Schema, e.Schema)
	}
	u.needs(string(e.Type))
	if e.Type != "campaign_opened" && e.Type != "rules_changed" {
		return
	}
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.CampaignOpened:
		u.needs(p.Requires...)
	case *events.RulesChanged:
		u.needs(p.Requires...)
	}
}

func (u *Unknown) needs(types ...string) {
	for _, t := range types {
		if !events.Known(events.Type(t)) && !slices.Contains(u.Types, t) {
			u.Types = append(u.Types, t)
		}
	}
}

// String lists what it is: "events of type ship_renamed".
func (u *Unknown) String() string {
	var list []string
	if len(u.Types) > 0 {
		list = append(list, "events of type "+strings.Join(u.Types, ", "))
	}
	if u.Schema > 0 {
		list = append(list, fmt.Sprintf("events of schema %d", u.Schema))
	}
	if !u.Edition.IsZero() {
		list = append(list, "edition "+u.Edition.String()[:12]+" of its rules")
	}
	return strings.Join(list, "; ")
}

// playable fails for a campaign that can be read, but not played on.
func (c *Campaign) playable() error {
	unknown := c.Unknown
	if _, ok := c.System.Edition(c.Edition); !ok {
		unknown.Edition = c.Edition
	}
	if unknown.Any() {
		return fmt.Errorf("%w: campaign %s has %s. It can be read here; to play on, use the watu that recorded it, "+
			"or a later one",
			ErrNotKnown, c.Name, &unknown)
	}
	return c.lacks
}

// fingerprint names the rules by which this program judges the campaign; zero without its edition.
func (c *Campaign) fingerprint() events.Hash {
	if e, ok := c.System.Edition(c.Edition); ok {
		return c.System.Fingerprint(e)
	}
	return events.Hash{}
}

// pinned reports whether the record says by which rules this program judges. A what-if repeats what it says.
func (u *Umpire) pinned(t *liveCampaign) bool {
	return u.whatIf != nil || t.campaign.Rules == t.campaign.fingerprint()
}

// stated reports whether the record says what a program must know to go on with these steps in it: that corrections
// have consequences, beside what judges.
func (u *Umpire) stated(t *liveCampaign, steps []part) bool {
	corrects := slices.ContainsFunc(steps, func(p part) bool {
		return slices.ContainsFunc(p.drafts, func(d rules.Draft) bool {
			return d.Payload.Type() == "corrected" || d.Payload.Type() == "consequence_kept"
		})
	})
	return u.pinned(t) && (!corrects || u.whatIf != nil || slices.Contains(t.campaign.requires, "consequence_kept"))
}

// pin records, before anything else is, that the rules of this program judge from here on, if those before it were
// others, or were not stated.
func (u *Umpire) pin(t *liveCampaign) error {
	if u.pinned(t) {
		return nil
	}
	return u.stateRules(t)
}

// stateRules records the rules of this program, and what a program must know to go on.
func (u *Umpire) stateRules(t *liveCampaign) error {
	c := t.campaign
	is := c.fingerprint()
	p := &events.RulesChanged{Was: c.Rules, Rules: is, Requires: required(c.System)}
	entry := map[string]any{"were": c.Rules, "are": is}
	_, err := u.record(t, fmt.Sprintf("%s/%d", verbRules, c.Next), verbRules, entry, rules.Draft{Payload: p})
	return err
}

// judgedElsewhere says by which rules the command that begins with an event was judged, if not by those that this
// program has; empty if by them, or if the record does not say.
func (b *trialRun) judgedElsewhere(c *Campaign, e *events.Event) string {
	switch e.Type {
	case "campaign_opened", "edition_moved", "rules_changed":
		return ""
	}
	is := c.fingerprint()
	if b.trial.Edition != "" || c.Rules.IsZero() || c.Rules == is {
		return ""
	}
	ours := "those of this watu are " + is.String()[:12]
	if is.IsZero() {
		ours = "this watu does not have that edition"
	}
	return fmt.Sprintf("#%d: judged by another build, by the rules %s; %s", e.Index, c.Rules.String()[:12], ours)
}

// excuse makes what comes out otherwise than another build recorded not checked: neither is proved wrong by that.
func (h *Heard) excuse(elsewhere string, strays int) {
	if elsewhere == "" || len(h.Findings) == strays {
		return
	}
	h.Findings, h.Instead = h.Findings[:strays], nil
	h.Unchecked, h.Unheld = elsewhere, nil
}

// pinnedAgain holds a change of rules to the campaign.
func (b *trialRun) pinnedAgain(h *Heard) {
	e := &b.heard[0]
	var p events.RulesChanged
	if e.Read(&p) && p.Was != b.pinned {
		h.Findings = append(h.Findings, outside(e, "was", p.Was.String(), b.pinned.String()))
	}
}
