package replay

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// complete makes what should have followed a campaign's last event, if its step was cut there.
func (r *recovery) complete(c *recovering) error {
	if !c.playable {
		return nil
	}
	t, err := r.umpire.acquire(c.id)
	if errors.Is(err, keys.ErrNoSecret) {
		r.found.Cut = append(r.found.Cut, fmt.Sprintf("campaign %s can be read, but not played on: %v", c.name, err))
		return nil
	}
	if err != nil {
		return err
	}
	defer t.mu.Unlock()
	k := t.campaign
	cut := func(format string, args ...any) error {
		r.found.Cut = append(r.found.Cut, fmt.Sprintf("campaign %s was cut within #%d: ", c.name,
			c.last.Index)+fmt.Sprintf(format, args...))
		return nil
	}
	switch {
	case k.Epoch == 0 || len(k.SpentLinks()) == 0:
		return cut("in its opening; open another")
	case c.last.Corrects != 0 || c.last.Type == "corrected":
		return nil // what a correction left out, another corrects
	case k.OrdersChange(&c.last):
		return cut("behind the ruling on a dispute; what it orders is missing: correct or undo it by hand, as the " +
			"ruling says")
	case k.Open != nil || len(k.Heard.Events) == 0 || k.Heard.Verb == campaign.CommandOpen:
		return nil
	}
	p, err := r.umpire.remainder(t, &c.last)
	if err != nil { // by the epoch that begins everybody sees why the rest is not there
		return errors.Join(cut("%v", err), r.umpire.RotateSecret(c.id))
	}
	if len(p.Drafts) == 0 {
		return nil
	}
	command := fmt.Sprintf("complete/%d", k.Next)
	a, err := r.umpire.append(t, command, events.Hash{}, []campaign.Part{p},
		Answer{Command: command, Verdict: rules.Allowed})
	r.found.Completed += a.Events
	return err
}

// remainder gives what is missing of the last hearing: nothing if that ended.
func (u *Umpire) remainder(t *liveCampaign, last *events.Event) (campaign.Part, error) {
	heard, known, err := t.heard()
	if err != nil {
		return campaign.Part{}, err
	}
	var ruled events.OptionRuled
	if last.Read(&ruled) && ruled.Referred != 0 {
		return u.afterRuling(t, heard[len(heard)-1], known)
	}
	waiting, err := campaign.CommandOf(heard[0], known)
	if err != nil || waiting.Verb == campaign.VerbReveal || waiting.Verb == campaign.VerbEpoch ||
		waiting.Verb == campaign.VerbRules {
		return campaign.Part{}, err
	}
	given, err := u.givenSoFar(t, heard, known)
	if err != nil {
		return campaign.Part{}, err
	}
	c, asked := t.campaign, len(given)-rehear.Listed(heard)
	o, err := u.run(t, Judgement{Before: c.Heard.Before, Command: waiting, Given: given[:asked],
		Place: c.Places(c.Heard.Events...), round: t.come(heard)})
	lost := errors.Is(err, rehear.ErrSealed)
	if err != nil && !lost {
		return campaign.Part{}, err
	}
	if lost || o.Verdict == rules.Refused || len(o.Drafts) < len(heard) {
		return campaign.Part{}, fmt.Errorf("the rest of %q turned on a secret that is lost with it; it stands "+
			"as far as it goes: tell the players, and report what changed", waiting.ID)
	}
	return campaign.Part{Command: waiting.ID, Seat: waiting.Seat, Drafts: o.Drafts[len(heard):]}, nil
}

// afterRuling hears a command that was referred, and whose ruling alone was recorded.
func (u *Umpire) afterRuling(t *liveCampaign, referred events.Event, known campaign.Openings) (campaign.Part, error) {
	waiting, err := campaign.CommandOf(referred, known)
	if err != nil {
		return campaign.Part{}, err
	}
	o, err := u.run(t, Judgement{Before: t.campaign.Game, Command: waiting, Place: t.campaign.Places()})
	t.heardAgain(&referred, waiting, &o)
	if err != nil || o.Verdict == rules.Refused {
		return campaign.Part{}, err
	}
	return campaign.Part{Command: waiting.ID, Seat: waiting.Seat, Request: campaign.RequestOf(waiting, o),
		Drafts: o.Drafts}, nil
}

// givenSoFar are the answers to a hearing where its record ends. A roll that was declared, and whose dice are
// not all recorded, falls again as its link says.
func (u *Umpire) givenSoFar(t *liveCampaign, heard []events.Event, known campaign.Openings) ([]rules.Answer, error) {
	answers, err := rehear.Recorded(heard, known, u.drawn(t))
	declared, p, fell := lastRoll(heard)
	if err != nil || p == nil || fell == len(p.Throws) {
		return answers, err
	}
	if come := t.come(heard); come != nil {
		a := rules.Answer{}
		if a.Dice, err = come.Dice(p); err != nil {
			return nil, err
		}
		for i := range heard {
			var rolled events.DiceRolled
			if heard[i].Read(&rolled) && rolled.Declared == declared {
				a.Round, a.Signature, a.Note = rolled.Round, rolled.Signature, rolled.Note
				a.Links = rolled.Links
				break
			}
		}
		if fell > 0 {
			answers = answers[:len(answers)-1]
		}
		return append(answers, a), nil
	}
	s, epoch, err := t.linkOf(declared, p)
	if err != nil {
		return nil, err
	}
	a, err := t.byLink(declared, p, epoch, s)
	if err != nil {
		return nil, err
	}
	if fell > 0 {
		answers = answers[:len(answers)-1]
	}
	return append(answers, a), nil
}

// linkOf finds the link that decides a roll: its declaration names it, or the lapse of a round.
func (t *liveCampaign) linkOf(declared uint64, p *events.RollDeclared) (s events.Source, epoch uint64, err error) {
	if len(p.Sources) == 1 {
		return p.Sources[0], t.campaign.Epoch, nil
	}
	for i := declared; i < t.campaign.Next; i++ {
		e, err := t.timeline.Event(i)
		if err != nil {
			return s, 0, err
		}
		var lapsed events.RollLapsed
		if e.Read(&lapsed) && lapsed.Declared == declared && lapsed.Link.Chain != "" {
			return lapsed.Link, e.Epoch, nil
		}
	}
	return s, 0, fmt.Errorf("the dice of #%d were typed, and are not all there: look at the table", declared)
}

// come gives the round that decides the rolls of a command where its record ends; nil if none does.
func (t *liveCampaign) come(heard []events.Event) (come *rehear.Round) {
	rolls := 0
	for _, e := range slices.Backward(heard) {
		switch p, _ := events.PayloadOf(&e); p := p.(type) {
		case *events.ChoiceMade:
			return come
		case *events.RollDeclared:
			if rolls++; p.First == 0 { // with the links that decided it, or by the host's alone, or the umpire
				return come
			}
		case *events.DiceRolled:
			first, err := t.timeline.Event(p.Declared)
			if err != nil || come != nil {
				continue
			}
			now := rehear.Round{Mode: campaign.Beacon, Campaign: t.campaign.ID, Number: p.Round, First: p.Declared,
				Declared: events.Encode(*first).Hash(), Rolls: rolls + 1}
			if signature, err := hex.DecodeString(p.Signature); p.Round != 0 && err == nil {
				now.Randomness = beacon.Randomness(signature)
				return &now
			} else if len(p.Links) == 2 { // in each throw of that roll
				now.Mode, now.Randomness = campaign.Contested, chance.Contested(p.Links[0].Link, p.Links[1].Link)
				come = &now
			}
		}
	}
	return come
}

// lastRoll gives the roll declared last, if nothing but its dice came after it, and how many of
// its throws are recorded.
func lastRoll(heard []events.Event) (index uint64, p *events.RollDeclared, fell int) {
	for i := len(heard) - 1; i >= 0; i-- {
		var roll events.RollDeclared
		switch {
		case heard[i].Read(&roll):
			return heard[i].Index, &roll, fell
		case heard[i].Type != "dice_rolled":
			return 0, nil, 0
		}
		fell++
	}
	return 0, nil, 0
}
