package replay

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

var (
	rulings    = []string{events.RulingUpheld, events.RulingCorrected, events.RulingVoid, events.RulingPrecedent}
	scopes     = []string{events.ScopeEvent, events.ScopeCampaign, events.ScopeLeague}
	rulingKeys = []string{"dispute", "ruling", "reason", "rule", "rules", "scope", "event"}
)

// rule ends a dispute. A correction or a voiding that it orders is made in the same step, behind it.
func (p *disputeEntry) rule() ([]campaign.Part, error) {
	b, correction := p.readRuling()
	if p.findings.Refused() {
		return nil, nil
	}
	p.seat = campaign.UmpireSeat
	d := p.find(b.Dispute)
	b.Reason = p.words("reason", b.Reason, "say why: reason: …")
	ruled := &events.DisputeRuled{Dispute: d.Index, Ruling: b.Ruling, Reason: b.Reason, Scope: review.ScopeOf(b)}
	if b.Rule != "" {
		b.Rules = append([]string{b.Rule}, b.Rules...)
	}
	for _, id := range b.Rules {
		if id = p.ruleID("rules", id); !slices.Contains(ruled.Rules, id) {
			ruled.Rules = append(ruled.Rules, id)
		}
	}
	p.weigh(b, d, correction)
	if p.findings.Refused() {
		return nil, nil
	}
	at := d.Claim.Event
	if b.Event != nil {
		at = *b.Event
	}
	draft := rules.Draft{Payload: ruled}
	switch {
	case b.Ruling == events.RulingCorrected:
		return p.ruleCorrection(at, d, correction, draft)
	case b.Ruling == events.RulingVoid && d.Claim.Refused == "":
		return p.ruleVoid(at, d, draft)
	}
	return []campaign.Part{p.part(draft)}, nil
}

// readRuling takes the entry apart: the ruling, and the keys of a correction.
func (p *disputeEntry) readRuling() (b review.RulingEntry, correction map[string]json.RawMessage) {
	var body struct {
		Ruling map[string]json.RawMessage `json:"ruling"`
	}
	own := map[string]json.RawMessage{}
	understood := campaign.DecodeExactly(p.command.Body, &body)
	for key, value := range body.Ruling {
		if slices.Contains(rulingKeys, key) {
			own[key] = value
			delete(body.Ruling, key)
		}
	}
	raw, err := json.Marshal(own)
	if !understood || err != nil || !campaign.DecodeExactly(raw, &b) {
		p.refuse("", "a ruling takes dispute, the event that opened it; ruling, one of %s; reason; rules, a list of "+
			"ids; and scope, one of %s", strings.Join(rulings, ", "), strings.Join(scopes, ", "))
	}
	return b, body.Ruling
}

// weigh checks that the ruling is one, and fits what is contested.
func (p *disputeEntry) weigh(b review.RulingEntry, d campaign.Dispute, correction map[string]json.RawMessage) {
	switch {
	case !slices.Contains(rulings, b.Ruling):
		p.refuse("ruling", "there is no ruling %q; %s", b.Ruling, words.There(rulings))
		return
	case b.Scope != "" && !slices.Contains(scopes, b.Scope):
		p.refuse("scope", "there is no scope %q; %s", b.Scope, words.There(scopes))
	case b.Ruling == events.RulingPrecedent && b.Scope == events.ScopeEvent:
		p.refuse("scope", "a precedent reaches beyond the event: its scope is campaign or league")
	}
	changes := b.Ruling == events.RulingCorrected || b.Ruling == events.RulingVoid
	switch {
	case b.Ruling == events.RulingCorrected && d.Claim.Refused != "":
		p.refuse("ruling", "nothing is recorded of a refused command that could be corrected: rule it upheld, or "+
			"void and have it submitted as you rule")
	case len(correction) > 0 && b.Ruling != events.RulingCorrected:
		p.refuse("", "%s: that is for a ruling of corrected, and this one is %s",
			strings.Join(slices.Sorted(maps.Keys(correction)), ", "), b.Ruling)
	case b.Event != nil && !changes:
		p.refuse("event", "event says what is corrected or void, and this ruling lets everything stand: leave it out")
	case b.Event != nil:
		p.happened("event", *b.Event)
	}
}

// ruleVoid takes what a command led to out of the campaign.
func (p *disputeEntry) ruleVoid(event uint64, d campaign.Dispute, ruled rules.Draft) ([]campaign.Part, error) {
	voided, violations, err := p.umpire.head(p.live).Void(event, review.CodeDispute,
		ruled.Payload.(*events.DisputeRuled).Reason, d.Index)
	if why := voidAlready(p.live, event, err); why != "" {
		p.refuse("ruling", "%s", why)
		return nil, nil
	}
	p.findings.Violations = append(p.findings.Violations, violations...)
	if err != nil || p.findings.Refused() {
		return nil, err
	}
	voided.Command = p.command.ID
	out := voided.Drafts[0].Payload.(*events.Voided)
	if p.live.campaign.History.Type(event) == "phase_advanced" && !slices.Contains(out.Events, event) {
		p.warnings = append(p.warnings, fmt.Sprintf("#%d stands: the phase stays begun, and the ruling takes back "+
			"what %s recorded in it; if the phase should not have begun either, have #%[1]d disputed and struck out "+
			"once more", event, out.Command))
	}
	return []campaign.Part{p.part(ruled), voided}, nil
}

// ruleCorrection corrects the entry behind an event. The correction is one as in a correction's
// file, its reason that of the ruling.
func (p *disputeEntry) ruleCorrection(event uint64, d campaign.Dispute, correction map[string]json.RawMessage,
	ruled rules.Draft) ([]campaign.Part, error) {
	k, err := p.correctionOf(event, d, correction, ruled.Payload.(*events.DisputeRuled))
	var violations []rules.Violation
	var corrected []campaign.Part
	if err == nil {
		corrected, violations, err = p.umpire.correction(p.live, k, p.part(ruled))
	}
	var typed *turnfile.Error
	if errors.As(err, &typed) {
		p.refuse("", "%s", typed.Message)
		return nil, nil
	}
	p.findings.Violations = append(p.findings.Violations, violations...)
	if err != nil || p.findings.Refused() {
		return nil, err
	}
	if ruled.Payload.(*events.DisputeRuled).Dice, err = p.diceOf(event, k); err != nil {
		return nil, err
	}
	if err := p.sealReplacement(&ruled); err != nil {
		return nil, err
	}
	return append([]campaign.Part{p.part(ruled)}, corrected...), nil
}

// correctionOf reads the correction that a ruling orders.
func (p *disputeEntry) correctionOf(event uint64, d campaign.Dispute, typed map[string]json.RawMessage,
	ruled *events.DisputeRuled) (review.Correction, error) {
	typed = maps.Clone(typed)
	if typed == nil {
		typed = map[string]json.RawMessage{}
	}
	if typed["code"] == nil {
		typed["code"] = json.RawMessage(`"` + review.CodeDispute + `"`)
	}
	reason, err := json.Marshal(ruled.Reason)
	if err != nil {
		return review.Correction{}, err
	}
	typed["reason"] = reason
	text, err := json.Marshal(typed)
	if err != nil {
		return review.Correction{}, err
	}
	k, err := turnfile.ParseCorrection("the correction", text)
	if err != nil {
		return review.Correction{}, err
	}
	k.Alone = p.live.campaign.System.Alone
	made := review.Correction{
		ID: p.command.ID, Event: event, Code: k.Code, Reason: k.Reason, Source: p.command.Body, Replace: k.Apply,
		Dispute: d.Index, Default: review.Undecided,
		Dice: review.DiceRuling{Again: k.Dice.Again, Fell: k.Dice.Fell, Seen: k.Dice.Seen},
	}
	made.Decide(k.Consequences)
	return made, nil
}

// diceOf says what becomes of the dice of a corrected command, if some were thrown.
func (p *disputeEntry) diceOf(event uint64, k review.Correction) (string, error) {
	rolled, err := p.umpire.head(p.live).Rolled(event)
	if err != nil || !rolled {
		return "", err
	}
	return k.Dice.String(), nil
}

// sealReplacement keeps what is put in the place of an entry's figures out of the recorded ruling
// where something is hidden: the correction itself shows what may be shown.
func (p *disputeEntry) sealReplacement(ruled *rules.Draft) error {
	hides, err := p.live.hides()
	if err != nil || !hides {
		return err
	}
	const replace = "replace"
	var body map[string]map[string]json.RawMessage
	if err := json.Unmarshal(p.command.Body, &body); err != nil {
		return err
	}
	own := body[campaign.VerbRuling]
	if own[replace] == nil {
		return nil
	}
	ruled.Secrets = []rules.Secret{{Slot: replace, Fact: rules.Fact(string(own[replace]))}}
	sealed, err := json.Marshal(rules.Sealed(replace))
	if err != nil {
		return err
	}
	own[replace] = sealed
	entry, err := json.Marshal(body)
	p.request = &campaign.Request{Verb: p.command.Verb, Entry: entry}
	return err
}
