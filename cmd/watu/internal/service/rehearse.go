package service

import (
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// rehearsal is a file being checked: the entries are judged on a copy of the state, one after
// the other, until one needs dice, cards or an answer. What comes behind it depends on those,
// so there only the form is checked.
type rehearsal struct {
	service  *Service
	campaign ledger.Campaign
	at       *campaign.Campaign // at its head
	file     string
	game     rules.Game
	next     uint64 // index that the next event would have
	asked    bool   // a question is open at the head
	out      *Submitted
}

// rehearsal gives a judge for [Service.submit] that appends nothing.
func (f *Service) rehearsal(c ledger.Campaign, file string,
	out *Submitted) (func(turnfile.Entry, *EntryResult) *problem.Problem, error) {
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		return nil, err
	}
	r := &rehearsal{service: f, campaign: c, at: at, file: file, game: at.Game, next: at.Next, asked: at.Open != nil,
		out: out}
	return r.judge, nil
}

func (r *rehearsal) judge(e turnfile.Entry, h *EntryResult) *problem.Problem {
	_, applied, err := r.service.Ledger().Command(r.campaign.ID, e.ID)
	switch {
	case err != nil:
		return problem.Of(err)
	// it may be about what is to come of the file
	case !applied && (r.out.FormOnly != "" || campaign.HeardDuringQuestion(e.Verb) && r.next != r.at.Next):
		h.State = Form
		return nil
	case applied || r.asked || campaign.HeardDuringQuestion(e.Verb) ||
		slices.Contains([]string{"answer", "dice", "confirm"}, e.Verb):
		return r.ask(e, h)
	}
	if violations := r.at.Admit(&e.Command); len(violations) > 0 {
		h.State, h.Violations = Stopped, timeline.Violations(violations)
		return refusal(r.file, e, violations)
	}
	o, err := rehear.Run(r.game, e.Command, rules.Given(), func(n int) uint64 { return r.next + uint64(n) })
	if o.Verdict == rules.Refused {
		h.State, h.Violations = Stopped, timeline.Violations(o.Violations)
		return refusal(r.file, e, o.Violations)
	}
	if err == nil {
		err = rehear.CheckDecided(e.ID, o)
	}
	if err != nil {
		h.State = Stopped
		return problem.Of(err)
	}
	var f rules.Findings
	r.at.Unsigned(e.Seat, e.Command, o.Drafts, &f)
	if e.As != "" && !f.Refused() {
		r.at.Alone(e.Command, o.Drafts, o.Warnings, &f)
	}
	if f.Refused() {
		h.State, h.Violations = Stopped, timeline.Violations(f.Violations)
		return refusal(r.file, e, f.Violations)
	}
	h.State, h.Warnings = Fits, o.Warnings
	if o.Need != nil {
		r.out.FormOnly = e.ID
		return nil
	}
	r.evolve(o.Drafts)
	return nil
}

// ask leaves to the umpire what he hears himself: what stands already, answers, disclosures.
func (r *rehearsal) ask(e turnfile.Entry, h *EntryResult) *problem.Problem {
	a, err := r.service.Umpire().Check(r.campaign.ID, e.Command)
	switch {
	case err != nil:
		h.State = Stopped
		return r.service.stopped(r.campaign, r.file, e, err, a.TakenBack)
	case a.Again:
		h.before(a)
		return nil
	case a.Verdict == rules.Refused:
		h.judged(a)
		return refusal(r.file, e, violationsOf(a))
	}
	h.State = Fits
	if campaign.HeardDuringQuestion(e.Verb) {
		r.next += uint64(a.Events)
		return nil
	}
	if r.asked { // the command that waited goes on, and what comes of it is not known here
		r.out.FormOnly = e.ID
	}
	return nil
}

// evolve applies what would happen to the copy of the state, secrets known.
func (r *rehearsal) evolve(drafts []rules.Draft) {
	for _, d := range drafts {
		e := events.Event{
			Campaign: r.campaign.ID, Index: r.next, Type: d.Payload.Type(), Side: d.Side,
			Payload: events.EncodePayload(d.Payload), Corrects: d.Corrects,
		}
		var known []events.Opening
		for i, s := range d.Secrets {
			e.Commitments = append(e.Commitments, events.Commitment{Slot: s.Slot, Hash: events.Hash{byte(i + 1)}})
			fact, _ := s.Fact.Get() // it was decided, so it is known
			known = append(known, events.Opening{Index: r.next, Slot: s.Slot, Fact: fact})
		}
		r.game = r.game.Evolve(&e, known)
		r.next++
	}
}
