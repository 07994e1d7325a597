package replay

import (
	"fmt"
	"reflect"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// SetClock has the umpire read another clock.
func (u *Umpire) SetClock(now func() time.Time) { u.now = now }

// SameAsFolded compares the campaign that the umpire keeps with one folded anew from the
// record.
func (u *Umpire) SameAsFolded(id ulid.ULID) error {
	t, err := u.acquire(id)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	anew, err := u.foldedAnew(id, campaign.Everything)
	if err != nil {
		return err
	}
	return sameCampaign(t.campaign, anew)
}

func sameCampaign(is, anew *campaign.Campaign) error {
	for _, pair := range [][2]any{
		{is.Game, anew.Game}, {is.Open, anew.Open}, {is.Head, anew.Head}, {is.Next, anew.Next}, {is.Epoch, anew.Epoch},
		{is.Heard, anew.Heard}, {is.SpentLinks(), anew.SpentLinks()}, {is.Seats, anew.Seats},
		{is.Edition, anew.Edition},
		{is.Docket.Disputes(is.History), anew.Docket.Disputes(is.History)},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			return fmt.Errorf("live:\n%+v\nfolded:\n%+v", pair[0], pair[1])
		}
	}
	return nil
}

// The campaigns of tests are short: states are kept more often than in play.
func init() { campaign.CheckpointInterval = 8 }

// MomentsAsFolded compares the campaign after so many events, as the states kept give it, with one folded anew.
func (u *Umpire) MomentsAsFolded(id ulid.ULID, moments ...uint64) error {
	for _, n := range moments {
		at, err := u.At(id, n)
		if err != nil {
			return err
		}
		anew, err := u.foldedAnew(id, n)
		if err == nil {
			err = sameCampaign(at, anew)
		}
		if err != nil {
			return fmt.Errorf("after %d events: %w", n, err)
		}
	}
	return nil
}

// foldedAnew folds a campaign from its first events, and keeps no state on the way.
func (u *Umpire) foldedAnew(id ulid.ULID, upTo uint64) (*campaign.Campaign, error) {
	all, err := campaign.DecodeAll(u.ledger.Read(id, 0, upTo))
	if err != nil {
		return nil, err
	}
	list, err := u.ledger.Openings(id, 0, campaign.Everything)
	if err != nil {
		return nil, err
	}
	known := campaign.OpeningsOf(list)
	t := u.timeline(id)
	t.LastGameOnly = true
	if err := t.Extend(1, nil); err != nil {
		return nil, err
	}
	start := t.Head.Game
	state := func(n uint64) rules.Game {
		var x history.Index
		for i := range all[:n] {
			x.Add(&all[i])
		}
		game := start
		for e, err := range x.Head().Effective(1, history.From(all)) {
			if err != nil {
				panic(err)
			}
			game = game.Evolve(e.Event, known.Of(e.Event))
		}
		return game
	}
	if err := t.Extend(uint64(len(all)), nil); err != nil {
		return nil, err
	}
	c := t.Head
	if c.Game = state(uint64(len(all))); len(c.Heard.Events) > 0 && c.Heard.Events[0] > 0 {
		c.Heard.Before = state(c.Heard.Events[0])
		for i := c.Heard.Events[0]; i < c.Heard.Events[len(c.Heard.Events)-1]; i++ {
			if e := &all[i]; c.Hands == campaign.Players && e.Type == "cards_drawn" && e.Request != "" {
				c.Heard.Before = c.Heard.Before.Evolve(e, known.Of(e)) // a hand, while a question was open
			}
		}
	}
	return c, nil
}

// Require records that a program must know a type of event, as a later watu would.
func (u *Umpire) Require(id ulid.ULID, eventType string) error {
	t, err := u.acquire(id)
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	p := &events.RulesChanged{Was: t.campaign.Rules, Rules: t.campaign.Rules, Requires: []string{eventType}}
	step := campaign.Part{Command: "later", Seat: campaign.UmpireSeat,
		Request: &campaign.Request{Verb: campaign.VerbRules},
		Drafts:  []rules.Draft{{Payload: p}}}
	_, err = u.append(t, "later", events.Hash{}, []campaign.Part{step},
		Answer{Command: "later", Verdict: rules.Allowed})
	return err
}

// Head gives the campaign as the umpire keeps it.
func (u *Umpire) Head(id ulid.ULID) (*campaign.Campaign, error) {
	t, err := u.acquire(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	c := *t.campaign
	return &c, nil
}

// CorrectAlone corrects as earlier programs did: what follows is neither applied nor left.
func (u *Umpire) CorrectAlone(id ulid.ULID, k review.Correction) (Answer, error) {
	k.WithoutConsequences = true
	return u.Correct(id, k)
}
