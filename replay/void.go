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

// voiding is what takes the command behind an event out of the campaign: every event that it led to
// and every correction of it. What another event rests on cannot be taken from under it, and a
// turn that has begun stays begun.
func (u *Umpire) voiding(t *table, event uint64, code, reason string, dispute uint64) (part, []rules.Violation, error) {
	w, err := u.revisit(t, event)
	if err != nil {
		return part{}, nil, err
	}
	all, err := listed(u.ledger.Read(t.campaign.ID, 0, t.campaign.Next))
	if err != nil {
		return part{}, nil, err
	}
	list := w.everything(code)
	var f rules.Findings
	for _, index := range list {
		if e := &all[index]; e.Type == "turn_advanced" {
			f.ViolateField("void", rules.Input, "#%d began %s, and a turn that has begun stays begun", index, e.Turn.Label)
		}
	}
	if on, by, rests := restsOn(all, list); rests {
		f.ViolateField("void", rules.Input, "#%d (%s) rests on #%d: void that first", by, words(all[by].Type), on)
	}
	if f.Refused() {
		return part{}, f.Violations, nil
	}
	d := rules.Draft{Payload: &events.Voided{Command: w.command.ID, Events: list, Code: code, Reason: reason, Dispute: dispute}}
	return part{seat: UmpireSeat, drafts: []rules.Draft{d}}, nil, nil
}

// everything lists what the command led to, what corrected it, and what was said of its dice,
// ascending. What a correction took out is among it, for without the correction it would stand again.
// A phase that it began stays begun for those who acted in it since, unless it is undone.
func (w *revisited) everything(code string) []uint64 {
	list := slices.Concat(w.heads, w.gone)
	for i, e := range w.heard {
		if e.Type == "phase_advanced" && code != codeSlip && i+1 < len(w.heard) {
			continue
		}
		list = append(append(list, e.Index), w.amending[e.Index]...)
	}
	for _, index := range slices.Clone(list) {
		list = append(list, w.said[index]...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// restsOn finds an event that stands and rests on one of those listed, being none of them.
func restsOn(all []events.Event, list []uint64) (on, by uint64, rests bool) {
	for _, e := range events.Standing(all) {
		if slices.Contains(list, e.Index) || e.Index < list[0] {
			continue
		}
		p, _ := events.PayloadOf(&e)
		for _, index := range events.Refers(p) {
			if index != 0 && slices.Contains(list, index) {
				return index, e.Index, true
			}
		}
	}
	return 0, 0, false
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
		if w, err := lookBack(t.campaign, all, openings{}, e.Index); err == nil {
			list = append(list, Slip{Command: e.Command, Verb: r.Verb, First: e.Index, Last: w.heard[len(w.heard)-1].Index, Turn: e.Turn.Label, events: w.everything(codeSlip)})
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
	case "dispute_opened", "statement_made", "evidence_brought", "dispute_ruled", "corrected", "voided", "referred":
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
