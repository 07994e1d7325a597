package timeline

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/campaign"
)

// asked is a question on the way through a campaign: it is open from an event, which is its own or voids what closed
// it, until another one answers or closes it.
type asked struct {
	index, from, until uint64 // until 0: nobody has answered
	kind               events.Type
	closed             bool   // by a void, which may be voided itself
	round              uint64 // of a beacon, which decides the dice; 0 for others
}

// ask follows the questions as the umpire does: one at a time is open.
func (it *Index) ask(e *events.Event, payload events.Payload) {
	var open *asked
	if n := len(it.asked); n > 0 && it.asked[n-1].until == 0 {
		open = &it.asked[n-1]
	}
	begins, ends, closes, round := false, false, false, uint64(0)
	switch p := payload.(type) {
	case *events.ChoiceAsked, *events.Referred:
		begins = true
	case *events.RollDeclared:
		begins = e.Corrects == 0 && (p.Mode == campaign.Attested ||
			p.First == 0 && (p.Mode == campaign.Beacon || p.Mode == campaign.Contested))
		round = p.Round
	case *events.RollLapsed: // another round is awaited
		if open != nil && open.index == p.Declared {
			open.until = e.Index
			it.asked = append(it.asked, asked{index: open.index, from: e.Index, kind: open.kind, round: p.Next})
		}
		return
	case *events.ChoiceMade:
		ends = true
	case *events.OptionRuled:
		ends = open != nil && open.kind == "referred"
	case *events.DiceRolled:
		ends = open != nil && open.kind == "roll_declared"
	case *events.Voided:
		closes = open != nil && slices.Contains(events.Voids(e), open.index)
		if n := len(it.asked); n > 0 && it.asked[n-1].closed && slices.Contains(events.Voids(e), it.asked[n-1].until) {
			again := it.asked[n-1]
			it.asked = append(it.asked, asked{index: again.index, from: e.Index, kind: again.kind, round: again.round})
		}
	}
	if open != nil && (begins || ends || closes) {
		open.until, open.closed = e.Index, closes
	}
	if begins {
		it.asked = append(it.asked, asked{index: e.Index, from: e.Index, kind: e.Type, round: round})
	}
}

// OtherSeat is who gives the link of a contested roll.
const OtherSeat = "a seat of another side"

// OpenQuestion is a question that is open at a moment. All of it is public.
type OpenQuestion struct {
	NarratedEvent
	Of       string   `json:"of"` // who must answer
	Question string   `json:"question"`
	Rule     string   `json:"rule,omitempty"`
	Options  []string `json:"options"`
	// of a beacon: it comes at its time, and nobody has to answer
	Round uint64 `json:"round,omitempty"`
}

// OpenQuestion gives the question that was open after so many events, nil if none was.
func (r *Reader) OpenQuestion(ctx context.Context, campaign string, at uint64) (*OpenQuestion, error) {
	c, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	for _, q := range slices.Backward(it.asked) {
		if q.from >= at {
			continue
		}
		if q.until != 0 && q.until < at {
			return nil, nil
		}
		return r.question(c, q)
	}
	return nil, nil
}

// question describes an event that asks.
func (r *Reader) question(c ledger.Campaign, q asked) (*OpenQuestion, error) {
	e, err := r.Event(c.ID, q.index)
	if err != nil {
		return nil, err
	}
	out := &OpenQuestion{NarratedEvent: NarrateEvent(&e, 0), Options: []string{}}
	switch p, _ := events.PayloadOf(&e); p := p.(type) {
	case *events.ChoiceAsked:
		out.Of, out.Question, out.Rule, out.Options = p.Of, p.Question, p.Rule, append(out.Options, p.Options...)
	case *events.Referred:
		out.Of, out.Question, out.Rule, out.Options = "the umpire", p.Question, p.Rule,
			append(out.Options, p.Readings...)
	case *events.RollDeclared:
		if p.Mode == campaign.Beacon {
			return r.awaited(c, q, out)
		}
		if p.Mode == campaign.Contested {
			out.Of, out.Question = OtherSeat, "its link, which watu play gives, decides the dice"
			return out, nil
		}
		out.Of, out.Question = "whoever threw the dice at the table", "how did the dice fall?"
	}
	return out, nil
}

// awaited describes a roll that awaits a round.
func (r *Reader) awaited(c ledger.Campaign, q asked, out *OpenQuestion) (*OpenQuestion, error) {
	e, err := r.Event(c.ID, 0)
	var p events.CampaignOpened
	if err != nil || !e.Read(&p) {
		return nil, err
	}
	due := time.Unix(beacon.Beacon(p.Beacon).Time(q.round), 0).UTC().Format(time.DateTime)
	out.Of, out.Round = "the beacon "+p.Beacon.Name, q.round
	named, err := r.Event(c.ID, q.from)
	if err != nil {
		return nil, err
	}
	by := "a seat of another side"
	if policy, err := tree.ParsePolicy(p.Witnesses); err == nil {
		by = words.And(policy.Names())
	}
	out.Question = fmt.Sprintf("round %d, due %s UTC, gives the dice; since %s UTC %s is asked to cosign the roll "+
		"before", q.round, due, named.Recorded.UTC().Format(time.TimeOnly), by)
	return out, nil
}
