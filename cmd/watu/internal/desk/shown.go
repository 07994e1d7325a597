package desk

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/review"
)

// What an act would change is shown before it is recorded, and others may enter something meanwhile. If that changes
// nothing of what was shown, the act is recorded; else what it would change now is shown in its place. The form names
// what was shown by its digest, in this field.
const asShown = "shown"

// digestOf names what was shown, so that other words have another name.
func digestOf(lists ...[]string) string {
	all := sha256.New()
	for _, list := range lists {
		fmt.Fprintf(all, "%q\n", list)
	}
	return hex.EncodeToString(all.Sum(nil)[:12])
}

// Shown names what a ruling would change.
func (w Weighed) Shown() string {
	texts := func(list []timeline.NarratedEvent) (texts []string) {
		for _, e := range list {
			texts = append(texts, fmt.Sprint(e.Index, e.Text))
		}
		return texts
	}
	return digestOf(texts(w.Gone), texts(w.Back), w.Results, w.Later)
}

// Shown names what a correction would change, whatever is decided of it.
func (p Page) Shown() string {
	if p.Previewed() == nil {
		return ""
	}
	return shownOf(*p.Done.Corrected)
}

func shownOf(x service.Corrected) string {
	texts := func(list []service.ChangedEvent) (texts []string) {
		for _, r := range list {
			texts = append(texts, r.Text)
		}
		return texts
	}
	lists := [][]string{texts(x.Results)}
	for _, later := range x.Consequences {
		lists = append(lists, []string{later.Entry, later.Gone, later.Waits}, texts(later.Results))
	}
	return digestOf(lists...)
}

// Goes names the act of an event and those that are taken back with it, each by its entry's id and its last event.
func (v View) Goes(event uint64) string { return goes(v.Slips, event) }

func goes(slips []service.UndoableAct, event uint64) string {
	var list []string
	for _, x := range slips {
		if x.Event == event || !x.Undo {
			list = append(list, fmt.Sprint(x.Command, " ", x.Event))
		}
		if x.Event == event {
			return digestOf(list)
		}
	}
	return ""
}

// sameSlips is how many events a campaign has by now, if the act of an event and those that are taken back with it are
// the ones that were shown.
func (d *Desk) sameSlips(c timeline.Campaign, event uint64, shown string) (uint64, error) {
	found, err := d.service.Find(c.ID) // before the acts are listed: those are of no earlier moment
	if err != nil {
		return 0, err
	}
	now, err := d.service.UndoableActs(c.ID)
	if same := goes(now.UndoableActs, event); err == nil && (same == "" || same != shown) {
		err = problem.New(problem.Refused, "the campaign went on since this was shown, and #%d cannot be taken back "+
			"as it was listed there: look at what would go with it now, or what keeps it", event)
	}
	return found.Events, err
}

// recordAsShown records a correction that was shown. Moved says that it would change something else by now: then
// nothing is recorded, and that is given.
func (d *Desk) recordAsShown(c timeline.Campaign, v timeline.Viewer, r service.CorrectionRequest, shown string) (
	out service.Corrected, moved bool, err error) {
	out, err = d.service.Correct(c.ID, v, r)
	if !errors.Is(err, review.ErrOvertaken) {
		return out, false, err
	}
	look := r
	look.Preview, look.After, look.Decisions = true, 0, nil
	now, failed := d.service.Correct(c.ID, v, look)
	switch {
	case failed != nil:
		return out, false, err
	case shownOf(now) != shown:
		return now, true, nil
	}
	r.After = now.Events
	out, err = d.service.Correct(c.ID, v, r)
	return out, false, err
}
