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
	a, err := u.acts(t)
	if err != nil {
		return part{}, nil, err
	}
	x, err := a.of(event, code)
	if err != nil {
		return part{}, nil, err
	}
	if by, ok := t.campaign.reopens(x.events); ok && !t.campaign.idle() {
		var f rules.Findings
		f.ViolateField("void", rules.Input, "what #%d took back waits for an answer, and play has gone on since: enter it again", by)
		return part{}, f.Violations, nil
	}
	if violations := a.blocked(x, a.without(x)); len(violations) > 0 {
		return part{}, violations, nil
	}
	return part{seat: UmpireSeat, drafts: []rules.Draft{x.draft(code, reason, dispute)}}, nil, nil
}

// Slip is an act that may still be undone: since it was made nobody has learnt anything by the record.
type Slip struct {
	Command string
	Verb    string
	First   uint64 // index of its first event
	Last    uint64 // and of the last that stands
	Turn    string
	scope   string
	events  []uint64
}

// Slips lists the acts that may still be undone, the last one first: entries with the answers to what they asked,
// corrections, rulings with what they ordered, and undos, which give back what they took.
func (u *Umpire) Slips(id ulid.ULID) ([]Slip, error) {
	t, err := u.table(id)
	if err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	a, err := u.acts(t)
	if err != nil {
		return nil, err
	}
	return a.slips(), nil
}

// acts reads what belongs together in a campaign.
func (u *Umpire) acts(t *table) (*acts, error) {
	all, err := listed(u.ledger.Read(t.campaign.ID, 0, t.campaign.Next))
	if err != nil {
		return nil, err
	}
	return actsOf(all), nil
}

// slips goes back from the last act to the last event that told somebody something.
func (a *acts) slips() (list []Slip) {
	told := a.lastTold().Index
	taken := map[uint64]bool{}
	for i := len(a.all) - 1; i >= 0 && a.all[i].Index > told; i-- {
		if e := &a.all[i]; a.stands(e.Index) && !taken[e.Index] && e.Type != "rules_changed" {
			s, ok := a.slip(e)
			if !ok || slices.Min(s.events) <= told {
				break
			}
			list = append(list, s)
			for _, index := range s.events {
				taken[index] = true
			}
		}
	}
	return list
}

// slip is the act of an event, as one that is undone. An answer is part of the command that asked.
func (a *acts) slip(e *events.Event) (s Slip, ok bool) {
	var x act
	var err error
	first := e
	if a.scope(e) == events.VoidCommand {
		if x, err = a.named(a.asking[e.Index], e.Index, codeSlip); err == nil && len(a.heard[x.command]) > 0 {
			first = &a.heard[x.command][0]
		}
	} else if x, err = a.of(e.Index, codeSlip); err == nil {
		first = &a.all[x.events[0]]
	}
	if err != nil {
		return s, false
	}
	return Slip{
		Command: x.command, Verb: requestIn(first).Verb, First: cmp.Or(first.Replaces, first.Index), Last: e.Index, Turn: first.Turn.Label,
		scope: x.scope, events: x.events,
	}, true
}

// again finds the act of a slip on what stands by now.
func (a *acts) again(s Slip) (act, error) {
	if s.scope == events.VoidCommand {
		return a.named(s.Command, s.First, codeSlip)
	}
	return a.of(s.events[0], codeSlip)
}

// LastTold gives the last event that told somebody something: what came before it cannot be undone. Why says what it told.
func (u *Umpire) LastTold(id ulid.ULID) (e events.Event, why string, err error) {
	t, err := u.table(id)
	if err != nil {
		return e, "", err
	}
	defer t.mu.Unlock()
	a, err := u.acts(t)
	if err != nil {
		return e, "", err
	}
	e = *a.lastTold()
	return e, told(&e), nil
}

// lastTold is the last event that told somebody something, or after which somebody spoke in a dispute.
func (a *acts) lastTold() *events.Event {
	i := len(a.all) - 1
	for i > 0 && tells(&a.all[i]) == "" && !spoken(&a.all[i]) {
		i--
	}
	return &a.all[i]
}

// spoken reports whether an event is what somebody said in a dispute: what was said is not taken back, and who
// said it had seen what came before.
func spoken(e *events.Event) bool {
	return e.Type == "dispute_opened" || e.Type == "statement_made" || e.Type == "evidence_brought"
}

// told says why nothing up to an event can be undone.
func told(e *events.Event) string {
	if spoken(e) {
		return "something was said in a dispute"
	}
	return tells(e)
}

// tells says what somebody knows more since the event, whether it stands or not, or what cannot be taken back: dice that
// were voided were seen all the same, and those of a correction fell when it was made. It is empty for nothing.
func tells(e *events.Event) string {
	switch e.Type {
	case "dice_rolled", "dice_typed":
		return "a die fell"
	case "cards_drawn":
		return "a card was drawn"
	case "turn_advanced":
		return "a turn began"
	case "epoch_begun":
		return "an epoch began"
	case "option_ruled":
		return "an option was ruled on"
	case "edition_moved":
		return "the campaign went on by another edition"
	case "campaign_opened", "seat_taken":
		return "the campaign was opened"
	}
	if e.Type == "opened" || len(e.Openings) > 0 {
		return "a secret was opened"
	}
	return ""
}

// Undo takes back acts that told nobody anything: the one behind the event and all that came after it, the last one
// first. Undos that came after it stand, unless it is one itself. It is offered as far back as [Umpire.Slips] goes, and
// no further.
func (u *Umpire) Undo(id ulid.ULID, event uint64, reason string) (Answer, error) {
	t, err := u.table(id)
	if err != nil {
		return Answer{}, err
	}
	defer t.mu.Unlock()
	if err := u.pin(t); err != nil {
		return Answer{}, err
	}
	a, err := u.acts(t)
	if err != nil {
		return Answer{}, err
	}
	p := part{command: fmt.Sprintf("undo/%d", t.campaign.Next), seat: UmpireSeat, request: &Request{Verb: verbUndo, Entry: undoEntry(event, reason)}}
	drafts, violations, err := a.undo(event, reason)
	if err != nil || len(violations) > 0 {
		return Answer{Command: p.command, Verdict: rules.Refused, Violations: violations}, err
	}
	p.drafts = drafts
	digest := events.CommandDigest(t.secrets.first(), p.command, p.request.Entry)
	return u.append(t, p.command, digest, []part{p}, Answer{Command: p.command, Verdict: rules.Allowed})
}

// undo voids one act after the other, each on what stands once those after it are gone.
func (a *acts) undo(event uint64, reason string) (drafts []rules.Draft, violations []rules.Violation, err error) {
	slips := a.slips()
	at := slices.IndexFunc(slips, func(s Slip) bool { return slices.Contains(s.events, event) })
	if at < 0 {
		return nil, a.notUndone(event), nil
	}
	for i, s := range slips[:at+1] {
		if s.scope == events.VoidUndo && i < at {
			continue
		}
		x, err := a.again(s)
		if err != nil {
			return nil, nil, err
		}
		after := a.without(x)
		if violations := a.blocked(x, after); len(violations) > 0 {
			return nil, violations, nil
		}
		drafts, a = append(drafts, x.draft(codeSlip, reason, 0)), after
	}
	return drafts, nil, nil
}

// notUndone says why nothing behind an event can be undone.
func (a *acts) notUndone(event uint64) []rules.Violation {
	var f rules.Findings
	by, void := a.voided[event]
	last := a.lastTold()
	switch {
	case event >= uint64(len(a.all)):
		f.ViolateField(verbUndo, rules.Input, "there is no event %d yet", event)
	case void:
		f.ViolateField(verbUndo, rules.Input, "#%d does not stand any more, since #%d", event, by)
	default:
		f.ViolateField(verbUndo, rules.Input, "#%d cannot be undone: with #%d (%s) %s. Correct it, or dispute it", event, last.Index, words(last.Type), told(last))
	}
	return f.Violations
}
