package replay

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// acquire loads the campaign if necessary, locks it and reads the clock. The caller must unlock it.
func (u *Umpire) acquire(id ulid.ULID) (*liveCampaign, error) {
	t := u.liveOf(id)
	t.mu.Lock()
	if err := u.load(t, id); err != nil {
		t.mu.Unlock()
		return nil, err
	}
	t.at = u.clock()
	return t, nil
}

// clock is what the clock shows, as an event says it.
func (u *Umpire) clock() time.Time { return u.now().UTC().Truncate(time.Millisecond) }

func (u *Umpire) liveOf(id ulid.ULID) *liveCampaign {
	u.mu.Lock()
	defer u.mu.Unlock()
	t := u.live[id]
	if t == nil {
		t = &liveCampaign{}
		u.live[id] = t
	}
	return t
}

// load folds the campaign on first use. It fails if the secret or the board is missing.
func (u *Umpire) load(t *liveCampaign, id ulid.ULID) error {
	if t.campaign != nil {
		return nil
	}
	secrets, err := t.secrets, error(nil)
	if secrets.IsZero() {
		secrets, err = u.secrets(id)
	}
	if err == nil {
		err = u.follow(t, id)
	}
	if err == nil {
		err = t.timeline.Head.Playable()
	}
	if err != nil {
		return err
	}
	t.campaign, t.secrets = t.timeline.Head, secrets
	if u.simulated != nil {
		t.campaign.DetachChains()
	}
	return nil
}

// follow brings the timeline of a campaign to the end of its record.
func (u *Umpire) follow(t *liveCampaign, id ulid.ULID) error {
	c, _ := u.ledger.Campaign(id)
	if x := t.timeline; x == nil || x.Next() > c.Events || x.Head != nil && x.Head.Lacks != nil {
		t.forget() // the record or the board may be another than it was
		t.timeline = u.timeline(id)
	}
	err := t.timeline.Extend(c.Events, nil)
	if err != nil {
		t.forget()
	}
	return err
}

// forget drops what was folded: what stands is what the ledger says.
func (t *liveCampaign) forget() { t.campaign, t.timeline, t.tree = nil, nil, nil }

// lastingChains sees to it that the chains last through the command to come.
func (u *Umpire) lastingChains(t *liveCampaign) error {
	switch {
	case t.secrets.RotationDue(t.campaign.Epoch):
		return u.beginEpoch(t, "the campaign goes on from a copy of its record: whoever kept an older one knows the "+
			"dice to come of the epoch before")
	case t.campaign.Open == nil && t.campaign.ChainRunsOut():
		return u.beginEpoch(t, "the chains run out")
	}
	return nil
}

// heard reads the events of the command that was heard last, with the umpire's openings of what they commit to.
func (t *liveCampaign) heard() (list []events.Event, known campaign.Openings, err error) {
	if len(t.campaign.Heard.Events) == 0 {
		return nil, nil, errors.New("no command waits for this")
	}
	known = campaign.Openings{}
	for _, i := range t.campaign.Heard.Events {
		e, err := t.timeline.Event(i)
		if err != nil {
			return nil, nil, err
		}
		opened, err := t.timeline.Opened(e)
		if err != nil {
			return nil, nil, err
		}
		list = append(list, *e)
		known.Add(opened...)
	}
	return list, known, nil
}

// events gives the drafts of a step their places, commitments and openings, and encodes and evolves each of them once.
func (u *Umpire) events(t *liveCampaign, parts []campaign.Part) ([]campaign.PreparedEvent, []events.Opening, error) {
	next := u.eventMaker(t)
	for _, p := range parts {
		if err := next.Part(p); err != nil {
			return nil, nil, err
		}
	}
	return next.Events, next.Openings, nil
}

// eventMaker gives the maker of the events to come.
func (u *Umpire) eventMaker(t *liveCampaign) campaign.Maker {
	return campaign.NewMaker(t.campaign, t.secrets, t.at, u.openings(t.campaign.ID))
}

// record appends what the umpire does by himself, as a command of that id. The entry is recorded under the verb.
func (u *Umpire) record(t *liveCampaign, id, verb string, entry any, drafts ...rules.Draft) (Answer, error) {
	text, err := json.Marshal(map[string]any{verb: entry})
	if err != nil {
		return Answer{}, err
	}
	p := campaign.Part{Command: id, Seat: campaign.UmpireSeat, Request: &campaign.Request{Verb: verb, Entry: text},
		Drafts: drafts}
	digest := events.CommandDigest(t.secrets.First(), id, text)
	return u.append(t, id, digest, []campaign.Part{p}, Answer{Command: id, Verdict: rules.Allowed})
}

// append makes the step durable and folds it into the live campaign.
func (u *Umpire) append(t *liveCampaign, command string, digest events.Hash, parts []campaign.Part,
	a Answer) (Answer, error) {
	list, opened, err := u.events(t, parts)
	if err != nil {
		t.forget() // an epoch may have been begun in it
		return Answer{}, err
	}
	a.First, a.Events = t.campaign.Next, len(list)
	kept, err := json.Marshal(a)
	if err != nil {
		return Answer{}, err
	}
	step := journal.Step{
		Campaign: t.campaign.ID, Expected: t.campaign.Next, Command: command, Digest: digest, Openings: opened,
		Answer: kept,
	}
	for _, x := range list {
		step.Events = append(step.Events, x.Encoded)
	}
	if _, err = u.ledger.Append(step); err != nil {
		t.forget()
		return Answer{}, err
	}
	if err := t.append(list, campaign.OpeningsOf(opened)); err != nil {
		t.forget() // the step is durable: who asks next folds it
	}
	return a, nil
}

// append goes on to events that have been recorded. Behind one that changes what counts before it the games that they
// were made with are void. A campaign that has just been opened is folded by whoever asks for it first.
func (t *liveCampaign) append(list []campaign.PreparedEvent, known campaign.Openings) error {
	if t.timeline == nil {
		return nil
	}
	return t.timeline.Append(list, known)
}
