package replay

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Why events are voided, as [events.Voided] tells it.
const (
	codeSlip    = "slip"    // undone before anybody knew more for it
	codeDispute = "dispute" // ruled void
)

// voiding is what takes the act behind an event out of the campaign.
func (u *Umpire) voiding(t *table, event uint64, code, reason string, dispute uint64) (part, []rules.Violation, error) {
	all, err := listed(u.ledger.Read(t.campaign.ID, 0, t.campaign.Next))
	if err != nil {
		return part{}, nil, err
	}
	a := actsOf(all)
	x, err := a.of(event, code)
	if err != nil {
		return part{}, nil, err
	}
	if violations := a.blocked(x); len(violations) > 0 {
		return part{}, violations, nil
	}
	return part{seat: UmpireSeat, drafts: []rules.Draft{x.draft(code, reason, dispute)}}, nil, nil
}

// Slip is a command that may still be undone: since it was heard nobody has seen a die fall or a
// secret opened, nor drawn a card.
type Slip struct {
	Command string
	Verb    string
	First   uint64 // index of its first event
	Last    uint64 // and of the last that stands
	Turn    string
	events  []uint64
}

// Slips lists the commands that may still be undone, the last one first.
func (u *Umpire) Slips(id ulid.ULID) ([]Slip, error) {
	t, err := u.table(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	return u.slips(t)
}

func (u *Umpire) slips(t *table) ([]Slip, error) {
	all, err := listed(u.ledger.Read(t.campaign.ID, 0, t.campaign.Next))
	if err != nil {
		return nil, err
	}
	var list []Slip
	told := lastTold(all)
	stands := events.Standing(all)
	a := actsOf(all)
	for i := len(stands) - 1; i >= 0; i-- {
		e := &stands[i]
		if cmp.Or(e.Replaces, e.Index) <= told {
			break
		}
		if e.Request == "" || said(e) {
			continue
		}
		var r Request
		if r = requestIn(e); r.Verb == verbAnswer || r.Verb == verbDice || r.Verb == verbConfirm {
			continue // part of the command that asked
		}
		if x, err := a.whole(e.Index, codeSlip); err == nil {
			heard := a.heard[x.command]
			list = append(list, Slip{Command: e.Command, Verb: r.Verb, First: e.Index, Last: heard[len(heard)-1].Index, Turn: e.Turn.Label, events: x.events})
		} else {
			break
		}
	}
	return list, nil
}

// lastTold is the last event that told somebody something, whether it stands or not: dice that were
// voided were seen all the same, and those of a correction fell when it was made.
func lastTold(all []events.Event) uint64 {
	for i := len(all) - 1; i >= 0; i-- {
		if tells(&all[i]) {
			return all[i].Index
		}
	}
	return 0
}

// tells reports whether somebody knows more since the event: a die fell, a card was drawn, a secret
// was opened; or a turn began, an epoch, the campaign itself.
func tells(e *events.Event) bool {
	switch e.Type {
	case "dice_rolled", "dice_typed", "cards_drawn", "opened", "turn_advanced", "epoch_begun", "seat_taken", "campaign_opened", "option_ruled", "edition_moved":
		return true
	}
	return len(e.Openings) > 0
}

// said reports whether an event says something about the record, and moves nothing in the campaign.
func said(e *events.Event) bool {
	switch e.Type {
	case "dispute_opened", "statement_made", "evidence_brought", "dispute_ruled", "corrected", "voided", "referred", "rules_changed":
		return true
	}
	return false
}

// Undo takes back commands that were slips: the one behind the event and all that came after it, the
// last one first. It is offered as far back as [Umpire.Slips] goes, and no further.
func (u *Umpire) Undo(id ulid.ULID, event uint64, reason string) (Answer, error) {
	t, err := u.table(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if err := u.pin(t); err != nil {
		return Answer{}, err
	}
	slips, err := u.slips(t)
	if err != nil {
		return Answer{}, err
	}
	at := slices.IndexFunc(slips, func(s Slip) bool { return slices.Contains(s.events, event) })
	command := fmt.Sprintf("undo/%d", t.campaign.Next)
	if at < 0 {
		var f rules.Findings
		f.ViolateField("undo", rules.Input, "#%d cannot be undone: since then a die fell, a card was drawn, a secret was opened, an option was ruled on or a turn began. Correct it, or dispute it", event)
		return Answer{Command: command, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	p := part{command: command, seat: UmpireSeat, request: &Request{Verb: verbUndo, Entry: undoEntry(event, reason)}}
	for _, s := range slips[:at+1] {
		p.drafts = append(p.drafts, rules.Draft{Payload: &events.Voided{Command: s.Command, Events: s.events, Code: codeSlip, Reason: reason}})
	}
	digest := events.CommandDigest(t.secrets.first(), command, p.request.Entry)
	return u.append(t, command, digest, []part{p}, Answer{Command: command, Verdict: rules.Allowed})
}
