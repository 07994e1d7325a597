package desk

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// umpire is the viewer whose entries these are.
var umpire = timeline.Viewer{As: timeline.Umpire}

// Taken is what was taken back, as the page says it.
type Taken struct {
	Acts    []TakenAct      // the last one first
	Entries []rules.Command // those among them that have forms, in the order in which they were made
}

// Event is that of the last act: it names all of them.
func (t Taken) Event() uint64 { return t.Acts[0].Event }

// Lines are the entries, a line each.
func (t Taken) Lines() []string {
	return rules.Each(t.Entries, func(c rules.Command) string { return turnfile.FlowEntry(c.Body, c.Verb) })
}

// TakenAct is an act that was taken back.
type TakenAct struct {
	Event uint64 // that voids it
	Text  string // in words
}

// Fast is what keeps acts from being taken back.
type Fast struct {
	Event uint64 // the last that does
	Why   string // "a die fell"
	Turn  bool   // it began a turn
	Fresh bool   // nothing was entered yet
}

// fast says what keeps the acts before the first that can be taken back.
func (d *Desk) fast(c ledger.Campaign) (Fast, error) {
	e, why, err := d.service.Umpire().LastBlocking(c.ID)
	return Fast{e.Index, why, e.Type == "turn_advanced", e.Command == campaign.CommandOpen}, err
}

// Taken reads what was taken back with an event that voids; nil for another event, and for who is not the umpire.
func (d *Desk) Taken(ctx context.Context, c timeline.Campaign, v timeline.Viewer, event uint64) (*Taken, error) {
	found, err := d.service.Find(c.ID)
	if err != nil || v.As != timeline.Umpire || event >= found.Events {
		return nil, err
	}
	opened, err := d.service.Openings(ctx, found, v, found.Events)
	if err != nil {
		return nil, err
	}
	out := &Taken{}
	for command := ""; event < found.Events; event++ {
		e, err := d.service.Event(found.ID, event)
		var gone events.Voided
		if err != nil || !e.Read(&gone) || gone.Dispute != 0 || command != "" && e.Command != command {
			break
		}
		command = e.Command
		out.Acts = append(out.Acts, TakenAct{event, narrator.Sentence(&e)})
		if gone.Scope != events.VoidCommand || len(gone.Events) == 0 {
			continue
		}
		first, err := d.service.Event(found.ID, gone.Events[0])
		if err != nil {
			return nil, err
		}
		k, err := campaign.CommandOf(first, campaign.OpeningsOf(opened))
		if err != nil || k.ID != gone.Command {
			continue
		}
		if _, _, _, err := d.declared(c, umpire, k.Verb); err == nil {
			out.Entries = append(out.Entries, k)
		}
	}
	if len(out.Acts) == 0 {
		return nil, nil
	}
	slices.Reverse(out.Entries)
	return out, err
}

// retake is the button that has what was taken back entered anew. Its value is the event that took it back.
const retake = "anew"

// anew opens the form of the entry that was taken back, filled with what it said; of several entries, or beside a form
// that is open, the text gets them, with ids that are free.
func (d *Desk) anew(ctx context.Context, c timeline.Campaign, v timeline.Viewer, p *Page, form url.Values) error {
	event, err := index(form.Get(retake))
	if err != nil {
		return err
	}
	t, err := d.Taken(ctx, c, v, event)
	if err != nil || t == nil {
		return cmp.Or(err, error(problem.New(problem.Input, "#%d took back nothing that can be entered anew", event)))
	}
	if len(t.Entries) == 1 && form.Get(formOf) == "" {
		k := t.Entries[0]
		entry, err := entryIn(k.Body)
		if err != nil {
			return err
		}
		verb, _, _, err := d.declared(c, v, k.Verb)
		putEntry(verb, entry, form)
		form.Set(formOf, k.Verb)
		return cmp.Or(err, d.openForm(c, v, p, form))
	}
	found, err := d.service.Find(c.ID)
	if err != nil {
		return err
	}
	for _, k := range t.Entries {
		entry := turnfile.FlowEntry(k.Body, k.Verb)
		members := strings.TrimSuffix(strings.TrimPrefix(entry, "{"), "}")
		text, err := d.withEntry(c, found, form.Get("text"), members, "")
		if err != nil {
			return err
		}
		form.Set("text", text)
	}
	return d.openForm(c, v, p, form)
}

// withEntry gives a text with one entry more, whose id is free in a campaign of so many events.
func (d *Desk) withEntry(c timeline.Campaign, found ledger.Campaign, text, members, by string) (string, error) {
	taken := func(id string) bool {
		if !strings.Contains(id, "/") {
			id = turnfile.ID(c.Turn, id)
		}
		a, there, err := d.service.Ledger().Command(found.ID, id)
		return there && err == nil && a.First < found.Events
	}
	return turnfile.Add(textName, text, members, by, campaign.Verbs(d.service.System(c.System)), taken)
}
