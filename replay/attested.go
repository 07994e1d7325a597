package replay

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// judgeDice takes down how the dice of the open roll fell, on the word of one seat:
//
//	{"dice": [[3, 4], [6, 1]], "by": "Anna"}
//
// by names the seat where the umpire types what another says.
func (u *Umpire) judgeDice(t *liveCampaign, c rules.Command) ([]campaign.Part, Answer, error) {
	open := t.campaign.Open
	var body campaign.DiceEntry
	var f rules.Findings
	t.campaign.CheckTurn(c, &f)
	if !campaign.DecodeExactly(c.Body, &body) {
		f.ViolateField(campaign.VerbDice, rules.Input, "dice takes the dice that fell and by, the seat that "+
			"says so: %s", open.Example())
	}
	seat := t.campaign.Speaker(c, body.By, &f)
	fell := campaign.ReadDice(body.Dice, open, &f)
	if f.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	typed := &events.DiceTyped{Declared: open.Index, Fell: fell}
	f.Cite(campaign.RuleDice, "as many dice as were declared, each within its sides")
	p := campaign.Part{Command: c.ID, Seat: seat, Request: &campaign.Request{Verb: c.Verb, Entry: c.Body}}
	p.Drafts = []rules.Draft{{Payload: typed, Side: open.Roll.Side, Derivation: f.Derivation}}
	next := *open.Roll
	next.Typed, next.By = typed, seat
	return []campaign.Part{p}, asked(c, &campaign.Question{Index: open.Index, Roll: &next}), nil
}

// judgeConfirmation hears another seat on the dice typed: {"confirm": "yes"} lets them count,
// and the command that waits goes on; {"confirm": "no", "reason": "…"} asks for them again.
func (u *Umpire) judgeConfirmation(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	open := t.campaign.Open
	var f rules.Findings
	t.campaign.CheckTurn(c, &f)
	k, by := campaign.ReadConfirmation(c, &f)
	c.Seat = t.campaign.Speaker(c, by, &f)
	if c.Seat == open.Roll.By {
		f.ViolateField(campaign.VerbConfirm, campaign.RuleDice, "%s typed these dice: it is for %s to say whether "+
			"they fell so",
			campaign.SeatWords(c.Seat), open.Of())
	}
	if f.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	request := &campaign.Request{Verb: c.Verb, Entry: c.Body}
	if k.Yes {
		r := reply{command: c, request: request, events: len(open.Roll.Typed.Fell)}
		r.answer = rules.Answer{Dice: [][]int{}, Typed: open.Roll.By, Confirmed: c.Seat}
		for _, throw := range open.Roll.Typed.Fell {
			r.answer.Dice = append(r.answer.Dice, throw.Dice)
		}
		return u.resume(t, r, dry)
	}
	denied := &events.DiceDenied{Declared: open.Index, Reason: k.Reason}
	p := campaign.Part{Command: c.ID, Seat: c.Seat, Request: request,
		Drafts: []rules.Draft{{Payload: denied, Side: open.Roll.Side}}}
	again := *open.Roll
	again.Typed, again.By = nil, ""
	return []campaign.Part{p}, asked(c, &campaign.Question{Index: open.Index, Roll: &again}), nil
}
