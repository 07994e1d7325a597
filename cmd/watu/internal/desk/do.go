package desk

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
)

// Acts are what the field "do" of a form may say.
const (
	// choice, for the question asked; reason of a ruling on how a rule is read; dice for each throw at a table; by, the
	// seat in whose name the umpire types those, or confirms them
	Answer = "answer"
	Check  = "check" // text: judged, and nothing recorded
	Enter  = "enter" // text: a turn file, or an entry; despite: the warnings that were shown of it
	// of a form of an entry: the text with its entry, also where all that it holds stands there by itself
	EnterForm = "enter-form"
	Add       = "add"       // text, and a form of an entry: the text with the entry added; nothing recorded
	Open      = "dispute"   // event or refused, claim, rule
	State     = "statement" // dispute, text
	Bring     = "evidence"  // dispute, events, note
	Withdraw  = "withdraw"  // dispute: whoever opened it gives it up
	Weigh     = "weigh"     // of a ruling: what it would change; nothing recorded
	// dispute, ruling, reason, rules; right: what a correction has; seen, seen-right, after: as it was shown
	Rule     = "ruling"
	TakeBack = "undo"    // event, reason; after, shown: how many events the campaign had, and what was to go
	Preview  = "preview" // event, text: what a correction would change; nothing recorded
	// event, text, as they were previewed: seen-event, seen, after; decide-EVENT: apply or keep for each later entry
	Correct = "correct"
	Apply   = "apply"   // event, cause, after: what is pending at an event comes out as its correction has it
	Keep    = "keep"    // event, reason: or stays as it is recorded
	Ask     = "request" // word, text, and a form of an entry: for the umpire to see to; nothing is recorded
	Invite  = "invite"  // seat; by: as [seats.Invite] has it
)

// Done is what became of a form.
type Done struct {
	service.Submitted
	Undone    *service.Undone
	Corrected *service.Corrected // or what would be
	Kept      *service.Kept
	Weighed   *Weighed                 // a ruling, before it is recorded
	Rolls     []timeline.NarratedEvent // dice behind a correction that no figure of it decides
	Moved     bool                     // what was shown would change something else by now, which is shown in its place
	Invited   *seats.Invitation
	Given     uint64 // the answer that stands to a question that is not open any more; 0 for none
	judged    string // the text that was checked or entered
}

// Stands reports whether what the form asked for is recorded, now or before.
func (d Done) Stands() bool {
	return d.Problem == nil && !d.Check && (len(d.Entries) > 0 || d.Undone != nil || d.Kept != nil || d.Given > 0 ||
		d.Corrected != nil && !d.Corrected.Preview)
}

// Do has a form's act done for a viewer. The error says why it came to nothing; what an entry was refused for stands
// in the answer.
func (d *Desk) Do(ctx context.Context, c timeline.Campaign, v timeline.Viewer, form url.Values) (out Done, err error) {
	act := form.Get("do")
	if v.As == timeline.Umpire && act != Check { // he waits for nobody
		return d.do(ctx, c, v, act, form)
	}
	failed := d.crowd.DoCommand(ctx, func(ctx context.Context) { out, err = d.do(ctx, c, v, act, form) })
	if failed != nil {
		return out, failed
	}
	return out, err
}

func (d *Desk) do(ctx context.Context, c timeline.Campaign, v timeline.Viewer, act string, form url.Values) (
	out Done, err error) {
	switch act {
	case Answer:
		out, err = d.answer(ctx, c, v, form)
	case Check, Enter:
		out, err = d.text(ctx, c, v, act, form)
	case Weigh, Rule:
		out, err = d.rule(ctx, c, v, act, form)
	case Open, State, Bring, Withdraw:
		out.Submitted, err = d.plead(ctx, c, v, act, form)
	case TakeBack:
		out.Undone, err = d.takeBack(c, v, form)
	case Preview, Correct:
		out.Corrected, out.Moved, err = d.correct(c, v, act, form)
		if err == nil && out.Corrected.Preview {
			out.Rolls, err = d.freeRolls(c, *out.Corrected)
		}
	case Apply:
		out.Corrected, err = d.apply(c, v, form)
	case Keep:
		out.Kept, err = d.keep(c, v, form)
	case Invite:
		out.Invited, err = d.invite(ctx, c, v, form)
	default:
		err = problem.New(problem.Input, "the form does not say what to do: %q is none of what is done here", act)
	}
	return out, err
}

// answer gives an answer to the question that the form shows, or a ruling where the text of the rules is open. Another
// one may be open by now: it is not the one that was answered.
func (d *Desk) answer(ctx context.Context, c timeline.Campaign, v timeline.Viewer, form url.Values) (
	out Done, err error) {
	asked, err := index(form.Get("asked"))
	if err != nil {
		return out, err
	}
	m, err := d.Move(ctx, c, v)
	if err != nil {
		return out, err
	}
	if m == nil || m.Asked != asked {
		return d.passed(ctx, c, asked)
	}
	body := map[string]any{}
	switch chosen := choices(form); {
	case m.Option != "":
		body[campaign.VerbRule] = map[string]any{"option": m.Option, "value": form.Get("choice"),
			"reason": strings.TrimSpace(form.Get("reason"))}
	case m.Table && len(m.Choices) > 0 && len(chosen) == 1:
		body[campaign.VerbConfirm] = chosen[0]
		m.inName(body, form.Get("by"))
		if reason := strings.TrimSpace(form.Get("reason")); reason != "" {
			body["reason"] = reason
		}
	case len(m.Throws) > 0:
		if body[campaign.VerbDice], err = m.dice(form["dice"]); err != nil {
			return out, err
		}
		m.inName(body, form.Get("by"))
	case len(chosen) > 1:
		body[campaign.VerbAnswer] = map[string]any{m.Of: chosen}
	case len(chosen) == 1:
		body[campaign.VerbAnswer] = map[string]any{m.Of: chosen[0]}
	default:
		return out, problem.New(problem.Input, "choose an answer first")
	}
	if out.Submitted, err = d.entry(ctx, c, v, asked, body); err != nil || out.Problem == nil {
		return out, err
	}
	if now, err := d.Move(ctx, c, v); err == nil && (now == nil || now.Asked != asked) { // somebody was faster
		return d.passed(ctx, c, asked)
	}
	return out, nil
}

// passed is what becomes of an answer to a question that is not open: the one that stands is shown.
func (d *Desk) passed(ctx context.Context, c timeline.Campaign, asked uint64) (out Done, err error) {
	if out.Given, err = d.given(ctx, c, asked); out.Given == 0 && err == nil {
		err = problem.New(problem.Refused, "question #%d is not open any more: look at what happened, and at what "+
			"is asked now", asked)
	}
	return out, err
}

// given is the answer to a question that stands, by its event; 0 if none does. Dice, and the word on them, are asked
// for by the declaration of the roll, by what was typed, or by the last denial.
func (d *Desk) given(ctx context.Context, c timeline.Campaign, asked uint64) (uint64, error) {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return 0, err
	}
	it, err := d.service.Index(ctx, found)
	if err != nil {
		return 0, err
	}
	now := it.History()
	roll, ok := now.Target(history.Roll, asked)
	if !ok {
		roll = asked
	}
	for _, answer := range append(now.Sources(history.Question, asked), now.Sources(history.Roll, roll)...) {
		if answer > asked && now.Stands(answer) {
			return answer, nil
		}
	}
	return 0, nil
}

// choices are what was chosen; places of a list that were left empty are none.
func choices(form url.Values) (list []string) {
	for _, text := range form["choice"] {
		if text != "" {
			list = append(list, text)
		}
	}
	return list
}

// entry enters one entry, as the answer to a question.
func (d *Desk) entry(ctx context.Context, c timeline.Campaign, v timeline.Viewer, asked uint64, body map[string]any) (
	out service.Submitted, err error) {
	text, err := json.Marshal(body)
	if err != nil {
		return out, err
	}
	out, err = d.service.Submit(ctx, c.ID, v, service.Submission{Name: "answer", Text: string(text), Entry: true,
		Asked: asked})
	if out.Problem != nil {
		out.Problem.Where = "" // there is no text whose line could be named
	}
	return out, err
}

// plead enters an entry of a dispute. Fields that are empty are left out.
func (d *Desk) plead(ctx context.Context, c timeline.Campaign, v timeline.Viewer, act string, form url.Values) (
	out service.Submitted, err error) {
	body := map[string]any{}
	if act == Open {
		if body["rule"], err = d.ruleNamed(c, form); err == nil {
			err = d.disputedAlready(c, form)
		}
		if err != nil {
			return out, err
		}
		if body["rule"] == "" {
			delete(body, "rule")
		}
	}
	if act == Withdraw {
		act, body["text"] = State, withdrawn
	}
	for _, name := range []string{"refused", "claim", "text", "note", "ruling", "reason"} {
		if text := strings.TrimSpace(form.Get(name)); text != "" {
			body[name] = text
		}
	}
	for _, name := range []string{"event", "dispute"} {
		if text := strings.TrimSpace(form.Get(name)); text != "" {
			if body[name], err = index(text); err != nil {
				return out, err
			}
		}
	}
	if act == Bring {
		list := []uint64{}
		for _, text := range words(strings.Join(form["events"], " ")) {
			n, err := index(text)
			if err != nil {
				return out, err
			}
			list = append(list, n)
		}
		body["events"] = list
	}
	if list := words(form.Get("rules")); len(list) > 0 {
		body["rules"] = list
	}
	p := service.DisputeEntry{Verb: act, Body: body}
	if form.Get("ruling") == events.RulingCorrected {
		p.Correction = form.Get("right")
	}
	return d.service.SubmitDispute(ctx, c.ID, v, p)
}

// words are the parts of a list that was typed.
func words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// index reads the index of an event, with or without its mark: 57, #57.
func index(text string) (uint64, error) {
	n, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(text), "#"), 10, 64)
	if err != nil {
		return 0, problem.New(problem.Input, "an event is named by its number, such as #57, not %q", text)
	}
	return n, nil
}

// decided is the field that says what becomes of a later entry.
const decided = "decide-"

// correct previews a correction, or records it as it was previewed.
func (d *Desk) correct(c timeline.Campaign, v timeline.Viewer, act string, form url.Values) (
	_ *service.Corrected, moved bool, err error) {
	n, err := index(form.Get("event"))
	if err != nil {
		return nil, false, err
	}
	r := service.CorrectionRequest{Event: n, Text: form.Get("text"), Preview: act == Preview,
		Decisions: service.Decisions{}}
	if r.Text == "" {
		return nil, false, problem.New(problem.Input, "say what is right: the fields that were entered wrongly, and "+
			"reason:")
	}
	if act == Correct {
		if r.After, err = strconv.ParseUint(form.Get("after"), 10, 64); err != nil {
			return nil, false, problem.New(problem.Input, "a correction is previewed before it is recorded")
		}
		seen, err := index(form.Get("seen-event"))
		if err != nil || seen != n || strings.TrimSpace(form.Get("seen")) != strings.TrimSpace(r.Text) {
			return nil, false, problem.New(problem.Input, "this is not the correction whose changes were shown: have "+
				"its own shown, and then record it")
		}
	}
	for name := range form {
		text, is := strings.CutPrefix(name, decided)
		if !is || form.Get(name) == "" {
			continue
		}
		event, err := index(text)
		if err != nil {
			return nil, false, err
		}
		r.Decisions[event] = review.Decision(form.Get(name))
	}
	out, moved, err := d.recordAsShown(c, v, r, form.Get(asShown))
	return &out, moved, err
}

func (d *Desk) takeBack(c timeline.Campaign, v timeline.Viewer, form url.Values) (*service.Undone, error) {
	n, err := index(form.Get("event"))
	if err != nil {
		return nil, err
	}
	reason := strings.TrimSpace(form.Get("reason"))
	if reason == "" {
		return nil, problem.New(problem.Input, "say why it is taken back: the others will read it")
	}
	after, err := strconv.ParseUint(form.Get("after"), 10, 64)
	if err != nil || after == 0 {
		return nil, problem.New(problem.Input, "what is taken back is chosen from the list of what can be")
	}
	u := service.Undo{Event: &n, Reason: reason, After: after}
	out, err := d.service.Undo(c.ID, v, u)
	if !errors.Is(err, review.ErrOvertaken) {
		return &out, err
	}
	if u.After, err = d.sameSlips(c, n, form.Get(asShown)); err == nil {
		out, err = d.service.Undo(c.ID, v, u)
	}
	return &out, err
}

// invite makes the link that signs the browser of a seat's player in, or lets it make his key.
func (d *Desk) invite(ctx context.Context, c timeline.Campaign, v timeline.Viewer, form url.Values) (
	*seats.Invitation, error) {
	if v.As != timeline.Umpire {
		return nil, problem.New(problem.Refused, "the umpire alone gives out links")
	}
	out, err := seats.NewInvitation(ctx, d.service, c.ID, seats.Invite{Seat: form.Get("seat"), By: form.Get("by")})
	return &out, err
}
