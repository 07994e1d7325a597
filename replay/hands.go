package replay

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/arbiter"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// hands says what is wrong with who is to draw the cards of a new campaign.
func hands(s rules.System, o NewCampaign) []rules.Violation {
	var f rules.Findings
	game, err := s.New(nil)
	_, draws := game.(rules.Drawer)
	switch {
	case o.Hands == "":
		if o.Arbiter != "" {
			f.ViolateField("arbiter", rules.Input, "an arbiter opens what players draw by themselves: open the "+
				"campaign with hands of players")
		}
	case o.Hands != campaign.Players:
		f.ViolateField("hands", rules.Input, "cards are drawn by the players, or by the host if nothing is said; "+
			"not by %q", o.Hands)
	case err != nil || !draws:
		f.ViolateField("hands", rules.Input, "%s has no hands of cards", s.Title)
	case o.Dice != campaign.Beacon:
		f.ViolateField("hands", rules.Input, "players draw by a round of a beacon and a link of their own: "+
			"open the campaign with dice by a beacon")
	case o.Proxy:
		f.ViolateField("hands", rules.Input, "the umpire cannot enter what he does not know: leave out the proxy")
	case o.Arbiter != "":
		if _, err := arbiter.Recipient(o.Arbiter); err != nil {
			f.ViolateField("arbiter", rules.Input, "%v", err)
		}
	}
	return f.Violations
}

// hidden takes the openings that came with a command, and the commitments that came without: of a hand alone there may
// be some, where players draw by themselves. What is encrypted to the arbiter comes with it.
func (t *liveCampaign) hidden(s *signature, openings []events.Opening) []rules.Violation {
	x := s.envelope
	if s.verb != campaign.VerbHand || t.campaign.Hands != campaign.Players {
		return opened(x, openings)
	}
	var f rules.Findings
	if slices.ContainsFunc(openings, func(o events.Opening) bool { return o.Slot != events.SlotArbiter }) {
		f.ViolateField("openings", rules.Signed, "a hand is for its player alone: its cards come without openings")
	} else if named := t.campaign.Arbiter != ""; named != (len(openings) == 1) || len(openings) > 1 {
		f.ViolateField("openings", rules.Signed, "what is encrypted to the arbiter comes with a hand, if any is named")
	} else if named && len(openings[0].Fact) > arbiter.Most {
		f.ViolateField("openings", rules.Input, "what is encrypted to the arbiter has %d bytes, and may have %d",
			len(openings[0].Fact), arbiter.Most)
	}
	for _, k := range x.Commitments {
		s.Hidden[k.Slot] = k.Hash
	}
	return f.Violations
}

// sealed lets an entry by which a player commits to what he alone knows be heard.
func (t *liveCampaign) sealed(c rules.Command) rules.Command {
	if c.Verb != campaign.VerbHand || t.campaign.Hands != campaign.Players {
		return c
	}
	var at []events.Ref
	for _, slot := range rules.SealedSlots(c.Body) {
		at = append(at, events.Ref{Index: t.campaign.Next, Slot: slot})
	}
	return c.WithSealed(at)
}

// disclose takes openings of commitments of a seat's sides that its player made alone. They are kept before anything
// is judged by them, so a command that is refused discloses them to the host all the same.
func (u *Umpire) disclose(t *liveCampaign, seat string, list []events.Opening) ([]rules.Violation, error) {
	if len(list) == 0 {
		return nil, nil
	}
	var f rules.Findings
	own, _ := t.campaign.SeatNamed(seat)
	var news []events.Opening
	for _, o := range list {
		if o.Index >= t.campaign.Next {
			f.ViolateField("discloses", rules.Signed, "there is no event #%d", o.Index)
			return f.Violations, nil
		}
		known, err := u.openings(t.campaign.ID)(o.Index, o.Index+1)
		if err != nil {
			return nil, err
		}
		if was, is := known[events.Ref{Index: o.Index, Slot: o.Slot}]; is && was == o {
			continue // it was played before, or comes with the form and with what is signed
		}
		news = append(news, o)
		e, err := t.timeline.Event(o.Index)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(e.Commitments, func(k events.Commitment) bool { return k.Slot == o.Slot })
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: o.Slot}
		if at < 0 || !slices.Contains(own.Sides, e.Side) ||
			!events.Opens(e.Commitments[at].Hash, place, o.Salt, o.Fact) {
			f.ViolateField("discloses", rules.Signed, "this opens nothing of %s: %q of #%d", seat, o.Slot, o.Index)
			return f.Violations, nil
		}
	}
	if len(news) == 0 { // nothing is folded anew, however often it comes
		return nil, nil
	}
	if err := u.ledger.Adopt(nil, []journal.Adopted{{Campaign: t.campaign.ID, Openings: news}}); err != nil {
		return nil, err
	}
	id := t.campaign.ID
	t.forget() // what is known of the hand has changed
	return nil, u.load(t, id)
}

// checkHand holds the hand in a step to the round that its draw named.
func (u *Umpire) checkHand(t *liveCampaign, parts []campaign.Part) ([]rules.Violation, error) {
	var f rules.Findings
	for _, p := range parts {
		for _, d := range p.Drafts {
			hand, is := d.Payload.(*events.CardsDrawn)
			if !is || t.campaign.Hands != campaign.Players || d.Corrects != 0 {
				continue
			}
			e, err := t.timeline.Event(hand.Declared)
			var draw events.DrawDeclared
			if err != nil || !e.Read(&draw) {
				return nil, errors.Join(err, fmt.Errorf("no draw was declared in #%d", hand.Declared))
			}
			signature, err := hex.DecodeString(hand.Signature)
			if err == nil {
				err = t.campaign.Beacon.Verify(draw.Round, signature)
			}
			if err != nil {
				f.ViolateField("hand.signature", rules.Input, "%v", err)
			} else if hand.Note == "" {
				continue
			} else if err := u.seen(t, hand.Note, e.Index, draw.Round, t.sawDrawn(e.Index), &f); err != nil {
				return nil, err
			}
		}
	}
	return f.Violations, nil
}

// sawDrawn is who may cosign that a draw which waits for its cards was declared.
func (t *liveCampaign) sawDrawn(declared uint64) tree.Policy {
	list := t.campaign.Draws()
	at := slices.IndexFunc(list, func(d campaign.OpenDraw) bool { return d.Event == declared })
	if at < 0 { // the rules let no other be drawn
		return tree.AnyOf()
	}
	return list[at].Cosigners
}

// unopened is the refusal of a command that turns on a card which its player has not opened.
func unopened() rules.Outcome {
	var f rules.Findings
	f.Violate(rules.Signed, "it turns on a card of a hand that its player alone knows: he plays it by watu play, "+
		"which opens it")
	return rules.Outcome{Verdict: rules.Refused, Violations: f.Violations}
}

// judgeDeclassify discloses all that is sealed of a seat's sides, by an entry {declassify: LINK} that its player
// signed: the last used link of his chain. He opens what he alone knew beside the command.
func (u *Umpire) judgeDeclassify(t *liveCampaign, c rules.Command) ([]campaign.Part, Answer, error) {
	var body struct {
		Link events.Link `json:"declassify"`
	}
	var f rules.Findings
	own, _ := t.campaign.SeatNamed(c.Seat)
	switch {
	case t.campaign.Hands != campaign.Players:
		f.ViolateField(c.Verb, rules.Input, "the host knows all hands of this campaign: he discloses them by reveal")
	case c.Seat == campaign.UmpireSeat:
		f.ViolateField(c.Verb, rules.Input, "a player discloses his own hands, by watu declassify")
	case !campaign.DecodeExactly(c.Body, &body):
		f.ViolateField(c.Verb, rules.Input, "declassify takes a link: chain, position and link")
	default:
		for _, d := range t.campaign.Draws() {
			if slices.Contains(own.Sides, d.Side) {
				f.ViolateField(c.Verb, rules.Signed, "the draw #%d of %s waits for its cards, and its link would "+
					"disclose them: watu play commits to them first", d.Event, d.Side)
			}
		}
		if err := t.campaign.CheckLink(c.Seat, body.Link); err != nil {
			f.ViolateField(c.Verb, rules.Input, "%v", err)
		}
	}
	if f.Refused() {
		return nil, refusal(c, f.Violations), nil
	}
	refs, err := u.undisclosed(t, own.Sides, &f)
	if err != nil || f.Refused() {
		return nil, refusal(c, f.Violations), err
	}
	p := campaign.Part{Command: c.ID, Seat: c.Seat, Request: &campaign.Request{Verb: c.Verb, Entry: c.Body},
		Drafts: []rules.Draft{{Payload: &events.Declassified{Seat: c.Seat, Link: body.Link}, Opens: refs}}}
	return []campaign.Part{p}, Answer{Command: c.ID, Verdict: rules.Allowed, Events: 1}, nil
}

// undisclosed lists what is sealed of sides, and not disclosed to everybody. What the host cannot open is a violation.
func (u *Umpire) undisclosed(t *liveCampaign, sides []string, f *rules.Findings) (refs []events.Ref, err error) {
	opened, err := u.openings(t.campaign.ID)(0, t.campaign.Next)
	if err != nil {
		return nil, err
	}
	for e, err := range events.Decoded(u.ledger.Walk(t.campaign.ID, 0, t.campaign.Next)) {
		if err != nil {
			return nil, err
		}
		for _, k := range e.Commitments {
			ref := events.Ref{Index: e.Index, Slot: k.Slot}
			if _, disclosed := t.campaign.History.Disclosed(ref); disclosed || !slices.Contains(sides, e.Side) ||
				k.Slot == events.SlotArbiter { // the arbiter's copy of what is disclosed here
				continue
			}
			if _, known := opened[ref]; !known && !f.Refused() {
				f.ViolateField(campaign.VerbDeclassify, rules.Signed, "the player opens all that he alone knows, and "+
					"%q of #%d is not opened", k.Slot, e.Index)
			}
			refs = append(refs, ref)
		}
	}
	return refs, nil
}
