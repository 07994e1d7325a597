package desk

import (
	"context"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
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
	Acts []TakenAct // the last one first
	Text string     // the entries among them, with free ids, to be entered again
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
	var entries []rules.Command // the last one first
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
		if k, err := campaign.CommandOf(first, campaign.OpeningsOf(opened)); err == nil && k.ID == gone.Command {
			entries = append(entries, k)
		}
	}
	if len(out.Acts) == 0 {
		return nil, nil
	}
	out.Text, err = d.again(c, found, entries)
	return out, err
}

// again gives entries as text, in the order in which they were made and with ids that are free. What has no form stays
// out of it.
func (d *Desk) again(c timeline.Campaign, found ledger.Campaign, entries []rules.Command) (text string, err error) {
	for i := len(entries) - 1; i >= 0; i-- {
		verb, _, _, err := d.declared(c, umpire, entries[i].Verb)
		if err != nil {
			continue
		}
		entry := turnfile.FlowEntry(entries[i].Body, verb.Key)
		members := strings.TrimSuffix(strings.TrimPrefix(entry, "{"), "}")
		if text, err = d.withEntry(c, found, text, members, ""); err != nil {
			return "", err
		}
	}
	return text, nil
}

// withEntry gives a text with one entry more, whose id is free.
func (d *Desk) withEntry(c timeline.Campaign, found ledger.Campaign, text, members, by string) (string, error) {
	taken := func(id string) bool {
		if !strings.Contains(id, "/") {
			id = turnfile.ID(c.Turn, id)
		}
		_, there, err := d.service.Ledger().Command(found.ID, id)
		return there && err == nil
	}
	return turnfile.Add(textName, text, members, by, campaign.Verbs(d.service.System(c.System)), taken)
}
