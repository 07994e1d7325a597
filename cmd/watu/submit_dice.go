package main

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
)

// askAgain is how often a command that waits for dice looks for them.
const askAgain = 200 * time.Millisecond

// quiet reports whether what happens is not printed as it happens.
func (t *tool) quiet(s submission) bool { return t.asJSON || s.side != "" }

// submitted hands in a turn file or an entry. Where a roll awaits a round of a beacon it waits for the dice, and
// hands in again what had to wait behind it. The error is that nothing could be handed in, or that the dice are late.
func (t *tool) submitted(ctx context.Context, o *api.Client, s submission, sent service.Submission) (
	all service.Submitted, err error) {
	until := time.Now().Add(s.wait)
	for {
		var done service.Submitted
		if err := o.Post(ctx, sent, &done, "campaigns", s.campaign, "submissions"); err != nil {
			return all, err
		}
		done.Entries = slices.DeleteFunc(done.Entries, func(h service.EntryResult) bool {
			heard := func(k service.EntryResult) bool { return k.ID == h.ID }
			return h.Before() && slices.ContainsFunc(all.Entries, heard)
		})
		if !t.quiet(s) {
			t.printSubmitted(done)
		}
		done.Entries, done.Recorded = append(all.Entries, done.Entries...), done.Recorded+all.Recorded
		all = done
		if w := all.Waiting; w == nil || w.Roll == nil || s.check || s.wait <= 0 {
			return all, nil
		}
		if err := t.awaitDice(ctx, o, s, &all, until); err != nil {
			return all, err
		}
		n := len(all.Entries)
		if n == 0 || all.Entries[n-1].State != service.Later {
			return all, nil
		}
		sent.Turn = cmp.Or(sent.Turn, all.Turn)
		all.Entries, all.Problem, all.NotHeard = all.Entries[:n-1], nil, nil
	}
}

// awaitDice waits until the campaign awaits no round any more, and adds what happens to what was submitted.
func (t *tool) awaitDice(ctx context.Context, o *api.Client, s submission, all *service.Submitted,
	until time.Time) error {
	from, last := all.Waiting.Index+1, -1
	for i, h := range all.Entries {
		if h.State == service.Waits {
			last = i
		}
		for _, e := range h.Happened {
			from = max(from, e.Index+1)
		}
	}
	cosigned, trouble := uint64(0), ""
	if r := all.Waiting.Roll; len(r.Cosigned) > 0 { // which was printed
		cosigned = r.Round
	}
	for {
		var d api.Dice
		q := url.Values{"from": {strconv.FormatUint(from, 10)}}
		if err := o.Query(ctx, &d, q, "campaigns", s.campaign, "dice"); err != nil {
			return err
		}
		from += uint64(len(d.Happened))
		if all.Waiting = d.Waiting; last >= 0 {
			h := &all.Entries[last]
			h.Happened, all.Recorded = append(h.Happened, d.Happened...), all.Recorded+len(d.Happened)
			if d.Waiting == nil {
				h.State = service.Applied
			}
		}
		if !t.quiet(s) {
			t.page.happened(d.Happened)
		}
		if d.Waiting == nil || d.Waiting.Roll == nil {
			if !t.quiet(s) {
				t.printWaiting(*all)
			}
			return nil
		}
		r := d.Waiting.Roll
		if !t.quiet(s) && len(r.Cosigned) > 0 && cosigned != r.Round {
			cosigned = r.Round
			t.page.Text("Cosigned by %s.", cosigners(d.Waiting))
		}
		if o.Served() && r.Trouble != "" && trouble == "" && (len(r.Cosigned) == 0 || time.Since(r.Due) > time.Second) {
			trouble = r.Trouble
			t.say(trouble)
		}
		if !time.Now().Before(until) {
			return problem.New(problem.Unreachable, "the dice of #%d are not there yet: they fall while watu serve, "+
				"or the same command again, holds the ledger; watu status says what they wait for", d.Waiting.Index)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(askAgain):
		}
	}
}

// cosigners are who cosigned the declaration of a roll, with the times of their clocks.
func cosigners(w *timeline.Waiting) string {
	var list []string
	for _, by := range w.Roll.Cosigned {
		list = append(list, by.Witness+" at "+time.Unix(by.Time, 0).UTC().Format(time.TimeOnly)+" UTC")
	}
	return words.And(list)
}
