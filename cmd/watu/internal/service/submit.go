package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// submit reads a turn file or an entry and hears, or checks, its entries in order. It stops
// between two when nobody waits for the answer any more: submitted again, the file goes on.
func (f *Service) submit(ctx context.Context, c ledger.Campaign, s Submission) (Submitted, error) {
	out := Submitted{Version: maintenance.Version, Campaign: c.Name, Check: s.Check, Entries: []EntryResult{},
		NotHeard: []string{}}
	if err := f.Ledger().Err(); errors.Is(err, ledger.ErrGone) {
		return out, err // or the campaign's secret would seem to be what is missing
	}
	entries, named, err := f.parse(c, &s)
	if err == nil && s.as != "" {
		err = f.ownOnly(c, s.as, entries)
	}
	if err != nil {
		return out, err
	}
	out.Turn = s.Turn
	judge := func(e turnfile.Entry, h *EntryResult) *problem.Problem { return f.hear(c, s.Name, e, h) }
	if s.Check {
		check, err := f.rehearsal(c, s.Name, &out)
		if err != nil {
			return out, err
		}
		judge = check
	}
	heard := 0
	for i, e := range entries {
		if ctx.Err() != nil {
			return out, problem.New(problem.Unreachable,
				"stopped before entry %q: what is recorded stands; submit the file again", e.ID)
		}
		h := EntryResult{ID: e.ID, Verb: e.Verb, Line: e.Line, Happened: []timeline.NarratedEvent{}, Named: named}
		if out.Problem = judge(e, &h); out.Problem != nil && len(h.Violations) == 0 && out.Problem.RuleID() != "" {
			h.Violations = []timeline.Violation{{Rule: out.Problem.RuleID(), Message: out.Problem.Message}}
		}
		if !h.Before() {
			heard++
			out.Recorded += len(h.Happened)
		}
		out.Entries = append(out.Entries, h)
		if out.Problem != nil || s.Most > 0 && heard == s.Most {
			for _, left := range entries[i+1:] {
				out.NotHeard = append(out.NotHeard, left.ID)
			}
			break
		}
	}
	if out.Waiting, err = f.Waiting(c); err != nil || s.Check {
		return out, err
	}
	err = f.behindRulings(c, &out)
	return out, err
}

// behindRulings notes what rulings that were recorded now leave to come out otherwise.
func (f *Service) behindRulings(c ledger.Campaign, out *Submitted) error {
	for _, h := range out.Entries {
		if h.Verb != "ruling" || h.State != Applied || len(h.Happened) < 2 { // one that upholds changes nothing
			continue
		}
		left, err := f.leftBy(c, h.Happened)
		if err != nil {
			return err
		}
		out.Pending = append(out.Pending, left...)
		if out.Unfinished, err = f.overtakenNow(c); err != nil {
			return err
		}
	}
	if len(out.Pending) > 0 {
		out.Later = later(out.Pending)
	}
	return nil
}

// parse gives the entries of a submission, each with the seat that asks, and notes the turn of those that name none;
// named says that they came without an id and are named by their contents.
func (f *Service) parse(c ledger.Campaign, s *Submission) (entries []turnfile.Entry, named bool, err error) {
	system, err := f.Rules(c.ID)
	if err != nil {
		return nil, false, err
	}
	last, err := f.Event(c.ID, c.Events-1)
	if err != nil {
		return nil, false, err
	}
	if s.Turn = cmp.Or(s.Turn, last.Turn.Label); s.Entry {
		entries, named, err = f.parseEntry(c, *s, s.Turn, campaign.Verbs(system))
	} else {
		entries, err = f.parseFile(c, *s, last.Turn.Label, campaign.Verbs(system))
	}
	for i := range entries {
		entries[i].Seat, entries[i].Asked = s.seat(), s.Asked
	}
	return entries, named, err
}

// parseEntry reads one entry, of the turn that is on.
func (f *Service) parseEntry(c ledger.Campaign, s Submission, turn string,
	verbs []rules.Verb) (list []turnfile.Entry, named bool, err error) {
	e, err := turnfile.ParseEntry(s.Name, s.Text, turn, verbs)
	if err != nil {
		return nil, false, err
	}
	if named = e.ID == ""; named {
		e.Seat = s.seat()
		name, err := f.Umpire().CommandID(c.ID, e.Command)
		if err != nil {
			return nil, false, err
		}
		e.ID = name
	}
	return []turnfile.Entry{e}, named, nil
}

// parseFile reads a turn file; one that names no turn goes on with that of the submission, and one that names the turn
// that is on, with that: whoever began it, its head begins nothing.
func (f *Service) parseFile(c ledger.Campaign, s Submission, on string,
	verbs []rules.Verb) ([]turnfile.Entry, error) {
	file, err := turnfile.Parse(s.Name, []byte(s.Text), verbs)
	if err != nil {
		return nil, err
	}
	if file.Blank && !s.Check {
		return nil, &problem.Problem{Kind: problem.Input, Where: s.Name,
			Message: "nothing stands below entries: take the # away before what happened and put it in; to begin the " +
				"turn alone, take entries away"}
	}
	if file.Campaign != "" && file.Campaign != c.Name && file.Campaign != c.ID.String() {
		return nil, &problem.Problem{Kind: problem.Input, Where: s.Name,
			Message: fmt.Sprintf("the file is for campaign %s, not for "+
				"%s: submit it there, or mend its campaign:", file.Campaign, c.Name)}
	}
	if file.Turn != "" {
		_, begun, err := f.Ledger().Command(c.ID, turnfile.ID(file.Turn, "turn"))
		if !begun { // by a file; what it recorded is shown then
			file.GoOn(on)
		}
		return file.Entries, err
	}
	for i := range file.Entries {
		e := &file.Entries[i]
		e.ID, e.Turn = turnfile.ID(s.Turn, e.ID), s.Turn
	}
	return file.Entries, nil
}

// hear puts one entry before the umpire.
func (f *Service) hear(c ledger.Campaign, file string, e turnfile.Entry, h *EntryResult) *problem.Problem {
	a, err := f.Umpire().Hear(c.ID, e.Command)
	return f.Heard(c, file, e, h, a, err)
}

// Heard notes in h what became of an entry that was heard. The problem says why it did not go through.
func (f *Service) Heard(c ledger.Campaign, file string, e turnfile.Entry, h *EntryResult, a replay.Answer,
	err error) *problem.Problem {
	happened, unread := f.happened(c, a)
	h.Happened = append(h.Happened, happened...)
	switch {
	case dice.Awaits(err):
		h.State = Later
		return f.stopped(c, file, e, err, 0)
	case err != nil:
		h.State = Stopped
		return f.stopped(c, file, e, err, a.TakenBack)
	case unread != nil:
		h.State = Stopped
		return problem.Of(unread)
	}
	if a.Again {
		h.before(a)
		return nil
	}
	h.judged(a)
	if a.Verdict == rules.Refused {
		return refusal(file, e, violationsOf(a))
	}
	return nil
}

// happened says what an answer's command led to, behind the epoch that was begun for it.
func (f *Service) happened(c ledger.Campaign, a replay.Answer) (list []timeline.NarratedEvent, err error) {
	if a.Epoch > 0 {
		list, err = f.Narrate(c, a.Epoch, a.Epoch+1)
	}
	if err != nil || a.Events+a.Ordered == 0 {
		return list, err
	}
	more, err := f.Narrate(c, a.First, a.First+uint64(a.Events+a.Ordered))
	return append(list, more...), err
}

// before notes an answer that was given before.
func (h *EntryResult) before(a replay.Answer) {
	if h.State, h.VoidedBy = Stands, a.TakenBack; a.TakenBack != 0 {
		h.State = Void
	}
}

// judged notes an answer that was given now.
func (h *EntryResult) judged(a replay.Answer) {
	h.Violations, h.Warnings = timeline.Violations(violationsOf(a)), a.Warnings
	switch a.Verdict {
	case rules.Refused:
		h.State = Stopped
	case rules.Asked, rules.Referred:
		h.State = Waits
	default:
		h.State = Applied
	}
}

// violationsOf gives the rules that an entry breaks. Those that the command breaks which waited
// for it name that one, and no field of this.
func violationsOf(a replay.Answer) []rules.Violation {
	if a.Waited == "" {
		return a.Violations
	}
	text := "%s, which waits, would be refused: %s"
	if a.Events > 0 { // the ruling stands, and with it the refusal
		text = "%s, which waited, is refused: %s"
	}
	list := make([]rules.Violation, len(a.Violations))
	for i, v := range a.Violations {
		list[i] = rules.Violation{Rule: v.Rule, Message: fmt.Sprintf(text, a.Waited, v.Message)}
	}
	return list
}

// refusal makes a problem of a refused entry, at the line at fault.
func refusal(file string, e turnfile.Entry, list []rules.Violation) *problem.Problem {
	field := ""
	if len(list) > 0 {
		field = list[0].Field
	}
	return problem.OfViolations(fmt.Sprintf("%s:%d", file, e.LineOf(field)), list)
}

// stopped makes a problem of an entry that could not be judged. One that was applied and then
// edited names the way of corrections; void is the event since which it does not stand any more, if it does not.
func (f *Service) stopped(c ledger.Campaign, file string, e turnfile.Entry, err error, void uint64) *problem.Problem {
	p := *problem.Of(err)
	if p.Where == "" {
		p.Where = fmt.Sprintf("%s:%d", file, e.LineOf(""))
	}
	if !errors.Is(err, ledger.ErrEdited) {
		return &p
	}
	if void != 0 {
		p.Message = fmt.Sprintf("entry %q is void since #%d, and had other contents: as it is now it is a new entry, "+
			"and needs an id of its own",
			e.ID, void)
		return &p
	}
	p.Message = fmt.Sprintf("entry %q stands already with other contents; what stands is not edited: restore the entry",
		e.ID)
	switch e.Verb {
	case "answer", "rule":
		p.Message += "; an answer stands as given"
		return &p
	case "dice", "confirm":
		p.Message += "; what was said of dice stands: dice thrown again need an id of their own"
		return &p
	}
	p.Message += ", or correct it"
	if old, found, err := f.Ledger().Command(c.ID, e.ID); err == nil && found {
		p.Message += fmt.Sprintf(", watu correct %s %d", c.Name, f.actOf(c, old))
	}
	if e.Verb == "facts" {
		p.Message += "; what has changed on the board since is an entry of its own, {id: …, facts: {…}}"
	} else {
		p.Message += "; a new entry needs an id of its own"
	}
	return &p
}

// actOf is the first event of an entry behind the turns and phases that it begins.
func (f *Service) actOf(c ledger.Campaign, a ledger.Answered) uint64 {
	for i := a.First; i < a.First+uint64(a.Count); i++ {
		if e, err := f.Event(c.ID, i); err == nil && e.Type != "turn_advanced" && e.Type != "phase_advanced" {
			return i
		}
	}
	return a.First
}

// Waiting gives the question that is open at the campaign's head, nil if none is.
func (f *Service) Waiting(c ledger.Campaign) (*timeline.Waiting, error) {
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil || at.Open == nil {
		return nil, err
	}
	w := timeline.WaitingFor(at.Open)
	if r := at.Open.Roll; r != nil && r.Awaits() {
		w.Roll, err = f.dice.Awaited(c)
	}
	return w, err
}
