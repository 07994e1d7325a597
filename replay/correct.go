package replay

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Correct judges the command behind an event again, on what counts before it, with other
// inputs and the recorded dice (unless the correction says otherwise), and appends what comes out
// differently, with what follows from it as far as that is applied: see [Umpire.Propose]. The original events stay
// where they are; those that have no place in what comes out do not stand any more.
func (u *Umpire) Correct(id ulid.ULID, k review.Correction) (Answer, error) {
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if len(k.Source) > 0 {
		if a, done, err := u.correctedBefore(t, &k); done || err != nil {
			return a, err
		}
	}
	if err := review.Overtaken(k.After, t.campaign.Next); err != nil {
		return Answer{}, err
	}
	k.After = 0 // the next event may state the rules
	if !u.stated(t, []campaign.Part{{Drafts: []rules.Draft{{Payload: &events.Corrected{}}}}}) {
		if err := u.stateRules(t); err != nil {
			return Answer{}, err
		}
	}
	if k.Dice.Again {
		if err := u.lastingChains(t); err != nil {
			return Answer{}, err
		}
	}
	if len(k.Source) == 0 {
		entry, err := u.head(t).Entry(k.Event)
		if err != nil {
			return Answer{}, err
		}
		if k.Source, _, err = k.Corrected(entry); err != nil {
			return Answer{}, err
		}
		if a, done, err := u.correctedBefore(t, &k); done || err != nil {
			return a, err
		}
	}
	plan, parts, err := u.head(t).Plan(k, nil, false)
	if err != nil || len(plan.Violations) > 0 {
		return Answer{Command: k.ID, Verdict: rules.Refused, Violations: plan.Violations}, err
	}
	if k.Confirm != nil {
		if err := k.Confirm(plan); err != nil {
			return Answer{}, err
		}
	}
	digest := events.CommandDigest(t.secrets.First(), k.ID, k.Identity())
	return u.append(t, k.ID, digest, parts, Answer{Command: k.ID, Verdict: rules.Allowed})
}

// correctedBefore names a correction, and gives its first answer again if it was made before.
func (u *Umpire) correctedBefore(t *liveCampaign, k *review.Correction) (a Answer, done bool, err error) {
	if k.ID == "" {
		if k.ID, err = u.correctionID(t, k); err != nil {
			return a, false, err
		}
	}
	return u.answered(t.campaign.ID, k.ID, events.CommandDigest(t.secrets.First(), k.ID, k.Identity()))
}

// correction is what a correction appends behind the ruling that it follows from.
func (u *Umpire) correction(t *liveCampaign, k review.Correction,
	ruled campaign.Part) ([]campaign.Part, []rules.Violation, error) {
	plan, parts, err := u.head(t).Plan(k, []campaign.Part{ruled}, false)
	if err != nil || len(plan.Violations) > 0 {
		return nil, plan.Violations, err
	}
	return parts[1:], nil, nil
}

// Propose judges a correction and everything that follows from it, and records nothing. Consequences are decided as the
// correction says, and applied where it says nothing. The errors are those of [Umpire.Correct].
func (u *Umpire) Propose(id ulid.ULID, k review.Correction) (review.Plan, error) {
	t, err := u.acquire(id)
	if err != nil {
		return review.Plan{}, err
	}
	defer t.mu.Unlock()
	if k.ID == "" {
		k.ID = fmt.Sprintf("proposed/%d", t.campaign.Next)
	}
	plan, _, err := u.head(t).Plan(k, nil, true)
	return plan, err
}

// head is a live campaign as corrections of it are judged.
func (u *Umpire) head(t *liveCampaign) review.Reviewer {
	return review.Reviewer{Timeline: t.timeline, Campaign: t.campaign, Secrets: t.secrets, Drawn: u.drawn(t),
		Maker: u.eventMaker(t)}
}

// correctionID names a correction by what it says. One that is made again after it was voided, or after another
// corrected the same command, is another; not where it was recorded after it was proposed.
func (u *Umpire) correctionID(t *liveCampaign, k *review.Correction) (string, error) {
	what, event := campaign.VerbCorrect, k.Event
	for {
		id := fmt.Sprintf("correct/%d/%s", event,
			events.CommandDigest(t.secrets.First(), what, k.Identity()).String()[:8])
		made, found, err := u.ledger.Command(t.campaign.ID, id)
		if err != nil || !found || k.After != 0 && made.First >= k.After {
			return id, err
		}
		by, over := t.campaign.History.VoidedBy(made.First)
		if !over {
			by, over, err = review.Superseded(t.timeline, t.campaign.History, event, made.First+uint64(made.Count))
		}
		if err != nil || !over {
			return id, err
		}
		what = fmt.Sprintf("%s, after #%d", campaign.VerbCorrect, by)
	}
}

// KeepConsequence decides, of what is pending at an event, that it stays as it is recorded.
func (u *Umpire) KeepConsequence(id ulid.ULID, event uint64, reason string) (Answer, error) {
	t, err := u.acquire(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	kept, err := u.head(t).Keep(event, reason)
	if err != nil {
		return Answer{}, err
	}
	drafts := []rules.Draft{{Payload: kept}}
	if !u.stated(t, []campaign.Part{{Drafts: drafts}}) {
		if err := u.stateRules(t); err != nil {
			return Answer{}, err
		}
	}
	entry := map[string]any{"event": event, "reason": reason}
	return u.record(t, fmt.Sprintf("%s/%d", campaign.VerbKeep, t.campaign.Next), campaign.VerbKeep, entry, drafts...)
}
