package replay

import (
	"encoding/hex"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// BeaconLead is how many seconds ahead of the host's clock the round of a roll is at least: time for a witness to
// cosign.
const BeaconLead = 9

// nextRound is the round that a roll declared now names.
func (u *Umpire) nextRound(c *campaign.Campaign) uint64 {
	return c.Beacon.RoundAt(u.now().Unix() + BeaconLead)
}

// RoundCome is a round of a beacon that has come, for the roll that awaits it, as an entry {round: …} has it.
type RoundCome struct {
	Number    uint64 `json:"number"`
	Signature string `json:"signature"` // hexadecimal digits
	Note      string `json:"note"`      // the cosigned checkpoint that holds the declaration
}

// judgeRound lets the dice of the open roll fall by its round, if witnesses cosigned the declaration before that came.
func (u *Umpire) judgeRound(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	var body struct {
		Round RoundCome `json:"round"`
	}
	var f rules.Findings
	open := t.campaign.Open
	if !campaign.DecodeExactly(c.Body, &body) {
		f.ViolateField(campaign.VerbRound, rules.Input, "a round takes number, signature and note")
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	r := body.Round
	signature, err := hex.DecodeString(r.Signature)
	if err == nil {
		err = t.campaign.Beacon.Verify(r.Number, signature)
	}
	switch {
	case open.Roll.Link.Chain != "":
		f.ViolateField(campaign.VerbRound, rules.Input, "the host's chain decides the roll #%d: no round does any more",
			open.Index)
	case r.Number != open.Roll.Round:
		f.ViolateField(campaign.VerbRound, rules.Input, "the roll #%d awaits round %d, not %d", open.Index,
			open.Roll.Round, r.Number)
	case err != nil:
		f.ViolateField(campaign.VerbRound, rules.Input, "%v", err)
	default:
		if err := u.cosigned(t, r.Note, &f); err != nil {
			return nil, Answer{}, err
		}
	}
	if f.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	come := &rehear.Round{Mode: campaign.Beacon, Campaign: t.campaign.ID, Number: r.Number,
		Randomness: beacon.Randomness(signature), First: open.Index, Declared: open.Roll.Hash, Rolls: 1}
	dice, err := come.Dice(open.Roll.Declared)
	if err != nil {
		return nil, Answer{}, err
	}
	return u.resume(t, reply{command: c, request: &campaign.Request{Verb: c.Verb, Entry: c.Body}, round: come,
		answer: rules.Answer{Dice: dice, Round: r.Number, Signature: r.Signature, Note: r.Note},
		events: len(open.Roll.Declared.Throws)}, dry)
}

// cosigned finds what is wrong with the note that shows when the open roll was declared.
func (u *Umpire) cosigned(t *liveCampaign, note string, f *rules.Findings) error {
	roll := t.campaign.Open.Roll
	return u.seen(t, note, roll.Asked, roll.Round, roll.Cosigners, f)
}

// seen finds what is wrong with the note that shows that what named a round, in the event at index named, was recorded
// before that round came.
func (u *Umpire) seen(t *liveCampaign, note string, named, round uint64, by tree.Policy, f *rules.Findings) error {
	c := t.campaign
	x, err := tree.ParseCosigned(note, tree.Verifier{}, by)
	switch {
	case err != nil:
		f.ViolateField("note", rules.Input, "%v", err)
		return nil
	case x.Campaign != c.ID || x.Events <= named || x.Events > c.Next:
		f.ViolateField("note", rules.Input, "it is not of this campaign's events up to #%d at least", named)
		return nil
	}
	root, err := u.rootOf(t, x.Events)
	switch {
	case err != nil:
		return err
	case root != x.Root:
		f.ViolateField("note", rules.Input, "it is of other events than this campaign's")
	case !by.MetBefore(x.Cosignatures, c.Beacon.Time(round)):
		f.ViolateField("note", rules.Input, "too few witnesses cosigned it before round %d came", round)
	}
	return nil
}

// judgeLapse names another round for the open roll, when its own has come and the declaration was not cosigned before.
func (u *Umpire) judgeLapse(t *liveCampaign, c rules.Command) ([]campaign.Part, Answer, error) {
	var body struct {
		Lapse uint64 `json:"lapse"`
	}
	var f rules.Findings
	open := t.campaign.Open
	switch due := t.campaign.Beacon.Time(open.Roll.Round); {
	case !campaign.DecodeExactly(c.Body, &body) || body.Lapse != open.Roll.Round:
		f.ViolateField(campaign.VerbLapse, rules.Input, "lapse takes the number of the round that the roll awaits, %d",
			open.Roll.Round)
	case t.at.Unix() < due:
		f.ViolateField(campaign.VerbLapse, rules.Input, "round %d is still to come", open.Roll.Round)
	case open.Roll.Lapses >= beacon.MostLapses && t.campaign.Unwitnessed != campaign.Chain:
		f.ViolateField(campaign.VerbLapse, campaign.RuleDice, "the roll has lapsed %d times, and no other round "+
			"is named: see why no witness answers, and rule it void", open.Roll.Lapses)
	case open.Roll.Link.Chain != "":
		f.ViolateField(campaign.VerbLapse, rules.Input, "the host's chain decides the roll: no round lapses any more")
	}
	if f.Refused() {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	lapsed := &events.RollLapsed{Declared: open.Index, Round: open.Roll.Round}
	next := *open.Roll
	if open.Roll.Lapses < beacon.MostLapses {
		lapsed.Next = u.nextRound(t.campaign)
		next.Round = lapsed.Next
	} else {
		var err error
		if lapsed.Link, _, err = t.campaign.Chain(t.secrets).Next(chance.Dice); err != nil {
			return nil, Answer{}, err
		}
		next.Link = lapsed.Link
	}
	p := campaign.Part{Command: c.ID, Seat: c.Seat, Request: &campaign.Request{Verb: c.Verb, Entry: c.Body},
		Drafts: []rules.Draft{{Payload: lapsed, Side: open.Roll.Side}}}
	return []campaign.Part{p}, asked(c, &campaign.Question{Index: open.Index, Roll: &next}), nil
}

// judgeUnwitnessed lets the dice of a roll fall by the link that was named when it lapsed too often.
func (u *Umpire) judgeUnwitnessed(t *liveCampaign, c rules.Command, dry bool) ([]campaign.Part, Answer, error) {
	var body struct {
		Unwitnessed uint64 `json:"unwitnessed"`
	}
	open := t.campaign.Open
	roll := open.Roll
	if !campaign.DecodeExactly(c.Body, &body) || body.Unwitnessed != open.Index || roll.Link.Chain == "" {
		var f rules.Findings
		f.ViolateField(c.Verb, rules.Input, "unwitnessed takes the index of a roll that the host's chain decides; a "+
			"round decides #%d", open.Index)
		return nil, refusal(c, f.Violations), nil
	}
	a, err := t.byLink(open.Index, roll.Declared, roll.Epoch, roll.Link)
	if err != nil {
		return nil, Answer{}, err
	}
	return u.resume(t, reply{command: c, request: &campaign.Request{Verb: c.Verb, Entry: c.Body}, answer: a,
		events: len(roll.Declared.Throws)}, dry)
}

// byLink throws the dice of a roll by a link.
func (t *liveCampaign) byLink(declared uint64, p *events.RollDeclared, epoch uint64, s events.Source) (a rules.Answer,
	err error) {
	c := t.campaign
	link, err := c.Link(t.secrets, epoch, s)
	if err != nil {
		return a, err
	}
	a, err = rehear.SampleDice(link, c.Seeds(epoch).Dice(c.ID, epoch, declared, s.Position), p)
	a.Links = []events.Link{{Chain: s.Chain, Position: s.Position, Link: link}}
	return a, err
}

// unseen refuses a roll that no seat could cosign.
func unseen(n *rules.Need) []rules.Violation {
	var f rules.Findings
	of := "a seat"
	if n.Side != "" {
		of = "a seat that does not hold " + n.Side
	}
	f.ViolateField("", campaign.RuleDice, "nobody could vouch for the roll (%s): %s cosigns it before its round, and "+
		"none has a key of its own yet: invite its player", n.Roll.Purpose, of)
	return f.Violations
}

// witnessed checks what a campaign with beacon dice is to be opened with.
func witnessed(o NewCampaign) []rules.Violation {
	var f rules.Findings
	if err := o.Beacon.Check(); err != nil {
		f.ViolateField("beacon", rules.Input, "%v", err)
	}
	p, err := tree.ParsePolicy(o.Witnesses)
	switch {
	case o.Witnesses == "" && len(o.Seats) < 2:
		f.ViolateField("witnesses", rules.Input, "dice by a beacon prove nothing unless somebody else cosigned "+
			"the declaration before the round: name the witnesses in a policy, or seats of two players, who "+
			"cosign for one another")
	case o.Witnesses == "":
	case err != nil:
		f.ViolateField("witnesses", rules.Input, "%v", err)
	case p.Overlaps() != nil:
		f.ViolateField("witnesses", rules.Input, "%v", p.Overlaps())
	}
	if o.Unwitnessed != "" && o.Unwitnessed != campaign.Refuse && o.Unwitnessed != campaign.Chain {
		f.ViolateField("unwitnessed", rules.Input, "a roll that nobody cosigned is left to %s or %s, not to %q",
			campaign.Refuse, campaign.Chain, o.Unwitnessed)
	}
	if o.Seed != "" {
		f.ViolateField("seed", rules.Input, "a published seed is for dice by a chain")
	}
	return f.Violations
}
