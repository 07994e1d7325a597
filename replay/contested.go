package replay

import (
	"encoding/json"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// contestable says what keeps the dice of a new campaign from being contested.
func contestable(o NewCampaign) []rules.Violation {
	var f rules.Findings
	if len(o.Seats) < 2 {
		f.ViolateField("seat", rules.Input, "a roll is contested by a seat of another side: name seats of two players")
	}
	if o.Proxy {
		f.ViolateField("proxy", rules.Input, "a player alone has the links of his chain, and no umpire gives them for "+
			"him: leave out the proxy")
	}
	if o.Seed != "" {
		f.ViolateField("seed", rules.Input, "a published seed is for dice by a chain")
	}
	return f.Violations
}

// judgeLink lets the dice of the open roll fall by the host's link and that of the seat which its declaration names.
// The one was fixed by the anchor of the host's chain, the other by that of the player's, before either was known to
// both.
func (u *Umpire) judgeLink(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	var body struct {
		Link events.Link `json:"link"`
	}
	var f rules.Findings
	open := t.campaign.Open
	p := open.Roll.Declared
	if !campaign.DecodeExactly(c.Body, &body) {
		f.ViolateField(campaign.VerbLink, rules.Input, "link takes chain, position and link")
	} else if err := t.campaign.CheckContested(c.Seat, body.Link); err != nil {
		f.ViolateField(campaign.VerbLink, rules.Signed, "%v", err)
	}
	if f.Refused() {
		return nil, refusal(c, f.Violations), nil
	}
	link, err := t.campaign.Link(t.secrets, open.Roll.Epoch, p.Sources[0])
	if err != nil {
		return nil, Answer{}, err
	}
	come := &rehear.Round{Mode: campaign.Contested, Campaign: t.campaign.ID,
		Randomness: chance.Contested(link, body.Link.Link), First: open.Index, Declared: open.Roll.Hash, Rolls: 1}
	dice, err := come.Dice(p)
	if err != nil {
		return nil, Answer{}, err
	}
	host := events.Link{Chain: p.Sources[0].Chain, Position: p.Sources[0].Position, Link: link}
	return u.resume(t, reply{command: c, request: &campaign.Request{Verb: c.Verb, Entry: c.Body}, round: come,
		answer: rules.Answer{Dice: dice, Links: []events.Link{host, body.Link}}, events: len(p.Throws)}, dry)
}

// judgeWithheld takes the umpire's ruling on the dice of a roll whose link did not come in the time that the campaign
// gives: {dice: …, absent: REASON}. No other links are tried.
func (u *Umpire) judgeWithheld(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	var body struct {
		Dice   json.RawMessage `json:"dice"`
		Absent string          `json:"absent"`
	}
	var f rules.Findings
	open := t.campaign.Open
	t.campaign.CheckTurn(c, &f)
	if !campaign.DecodeExactly(c.Body, &body) || strings.TrimSpace(body.Absent) == "" {
		f.ViolateField(campaign.VerbDice, rules.Input, "the link of %s decides these dice. If it does not come in "+
			"time, the umpire rules them: {id: …, dice: …, absent: WHY}", open.Of())
	}
	t.campaign.InPlaceOf(c, t.at, &f)
	fell := campaign.ReadDice(body.Dice, open, &f)
	if f.Refused() {
		return nil, refusal(c, f.Violations), nil
	}
	r := reply{command: c, request: &campaign.Request{Verb: c.Verb, Entry: c.Body}, events: len(fell),
		answer: rules.Answer{Dice: [][]int{}, Typed: campaign.UmpireSeat}}
	for _, throw := range fell {
		r.answer.Dice = append(r.answer.Dice, throw.Dice)
	}
	return u.resume(t, r, dry)
}
