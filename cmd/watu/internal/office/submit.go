package office

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

func (f *Office) postSubmission(w http.ResponseWriter, r *http.Request) {
	var s Submission
	if !read(w, r, &s) {
		return
	}
	c, err := f.find(r.PathValue("c"))
	if err != nil {
		fail(w, err)
		return
	}
	told, err := f.submit(r.Context(), c, s)
	give(w, told, err)
}

// submit reads a turn file or an entry and hears, or checks, its entries in order. It stops
// between two when nobody waits for the answer any more: submitted again, the file goes on.
func (f *Office) submit(ctx context.Context, c ledger.Campaign, s Submission) (Submitted, error) {
	out := Submitted{Version: Version, Campaign: c.Name, Check: s.Check, Entries: []Heard{}, NotHeard: []string{}}
	entries, err := f.parse(c, s)
	if err != nil {
		return out, err
	}
	judge := func(e turnfile.Entry, h *Heard) *Problem { return f.hear(c, s.Name, e, h) }
	if s.Check {
		check, err := f.rehearsal(c, s.Name, &out)
		if err != nil {
			return out, err
		}
		judge = check
	}
	for i, e := range entries {
		if ctx.Err() != nil {
			return out, problem(Unreachable, "stopped before entry %q: what is recorded stands; submit the file again", e.ID)
		}
		h := Heard{ID: e.ID, Verb: e.Verb, Line: e.Line, Happened: []Line{}}
		out.Problem = judge(e, &h)
		if h.State != Stands {
			out.Recorded += len(h.Happened)
		}
		out.Entries = append(out.Entries, h)
		if out.Problem != nil {
			for _, left := range entries[i+1:] {
				out.NotHeard = append(out.NotHeard, left.ID)
			}
			break
		}
	}
	if out.settled() {
		return out, nil
	}
	out.Waiting, err = f.waiting(c)
	return out, err
}

// settled reports whether it is certain that no question is open, which spares a fold: while
// one is, nothing but its answer and disclosures are heard.
func (s *Submitted) settled() bool {
	n := len(s.Entries)
	return n > 0 && s.Entries[n-1].State == Applied && s.Entries[n-1].Verb != "reveal"
}

// parse gives the entries of a submission, each with the seat that asks.
func (f *Office) parse(c ledger.Campaign, s Submission) (entries []turnfile.Entry, err error) {
	system, err := f.system(c.ID)
	if err != nil {
		return nil, err
	}
	last, err := f.event(c.ID, c.Events-1)
	if err != nil {
		return nil, err
	}
	if s.Entry {
		entries, err = f.parseEntry(c, s, last.Turn.Label, system.Verbs)
	} else {
		entries, err = parseFile(c, s, last.Turn.Label, system.Verbs)
	}
	for i := range entries {
		entries[i].Seat = replay.UmpireSeat
	}
	return entries, err
}

// parseEntry reads one entry, of the turn that is on.
func (f *Office) parseEntry(c ledger.Campaign, s Submission, turn string, verbs []rules.Verb) ([]turnfile.Entry, error) {
	e, err := turnfile.ParseEntry(s.Name, string(s.Text), turn, verbs)
	if err != nil {
		return nil, err
	}
	if e.ID == "" {
		name, err := f.umpire.Name(c.ID, e.Command)
		if err != nil {
			return nil, err
		}
		e.ID = turnfile.ID(turn, name)
	}
	return []turnfile.Entry{e}, nil
}

// parseFile reads a turn file; one that names no turn goes on with the turn that is on.
func parseFile(c ledger.Campaign, s Submission, turn string, verbs []rules.Verb) ([]turnfile.Entry, error) {
	file, err := turnfile.Parse(s.Name, s.Text, verbs)
	if err != nil {
		return nil, err
	}
	if file.Campaign != "" && file.Campaign != c.Name && file.Campaign != c.ID.String() {
		return nil, &Problem{Kind: Input, Where: s.Name, Message: fmt.Sprintf("the file is for campaign %s, not for %s: submit it there, or mend its campaign:", file.Campaign, c.Name)}
	}
	for i := range file.Entries {
		if e := &file.Entries[i]; file.Turn == "" {
			e.ID, e.Turn = turnfile.ID(turn, e.ID), turn
		}
	}
	return file.Entries, nil
}

// hear puts one entry before the umpire.
func (f *Office) hear(c ledger.Campaign, file string, e turnfile.Entry, h *Heard) *Problem {
	a, err := f.umpire.Hear(c.ID, e.Command)
	if err != nil {
		h.State = Stopped
		return f.stopped(c, file, e, err)
	}
	if a.Events > 0 {
		if h.Happened, err = f.lines(c, a.First, a.First+uint64(a.Events)); err != nil {
			h.State = Stopped
			return ProblemOf(err)
		}
	}
	if a.Again {
		h.State = Stands
		return nil
	}
	h.judged(a)
	if a.Verdict == rules.Refused {
		return refusal(file, e, a)
	}
	return nil
}

// judged notes an answer that was given now.
func (h *Heard) judged(a replay.Answer) {
	h.Violations = a.Violations
	switch a.Verdict {
	case rules.Refused:
		h.State = Stopped
	case rules.Asked, rules.Referred:
		h.State = Waits
	default:
		h.State = Applied
	}
}

// refusal makes a problem of a refused entry, at the line at fault.
func refusal(file string, e turnfile.Entry, a replay.Answer) *Problem {
	field := ""
	if len(a.Violations) > 0 {
		field = a.Violations[0].Field
	}
	return ofViolations(fmt.Sprintf("%s:%d", file, e.LineOf(field)), a.Violations)
}

// stopped makes a problem of an entry that could not be judged. One that was applied and then
// edited is told the way of corrections.
func (f *Office) stopped(c ledger.Campaign, file string, e turnfile.Entry, err error) *Problem {
	p := *ProblemOf(err)
	if p.Where == "" {
		p.Where = fmt.Sprintf("%s:%d", file, e.LineOf(""))
	}
	if !errors.Is(err, ledger.ErrEdited) {
		return &p
	}
	p.Message = fmt.Sprintf("entry %q stands already with other contents; what stands is not edited: restore the entry, or correct it with watu correct %s", e.ID, c.Name)
	if old, found, err := f.ledger.Command(c.ID, e.ID); err == nil && found {
		p.Message += fmt.Sprintf(" %d -f FILE", old.First)
	}
	return &p
}

// waiting gives the question that is open at the campaign's head.
func (f *Office) waiting(c ledger.Campaign) (*Waiting, error) {
	at, err := f.umpire.At(c.ID, replay.Everything)
	if err != nil || at.Open == nil {
		return nil, err
	}
	return waitingFor(at.Open), nil
}

// waitingFor tells a question.
func waitingFor(q *replay.Question) *Waiting {
	return &Waiting{Index: q.Index, Of: q.Of(), Question: q.Text(), Options: q.Options(), Rule: q.Rule(), Example: q.Example()}
}
