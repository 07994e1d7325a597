package dashboard

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/words"
)

// pending is what corrections left as it is recorded, though it would come out otherwise.
type pending struct {
	Known bool // false while it is found out
	All   int
	List  []pendingEntry // the first of them
	// Unchecked is how many later entries are not known to be pending or not.
	Unchecked int
	tied
}

// pendingEntry is an entry that is pending.
type pendingEntry struct {
	service.Consequence
	Decided string // in words: "kept as recorded"
}

// Text tells the entry as it is recorded and as it would be.
func (p pendingEntry) Text() string { return p.Results[0].Text }

// More is how many further events of the entry would be others.
func (p pendingEntry) More() int { return len(p.Results) - 1 }

// mostPending is how many entries a page names.
const mostPending = 6

// pendingAt gives what is pending at the head of a campaign; nil for nothing, and for another moment. What is sealed to
// the reader is no news where the campaign is played: that something could not be heard again stands beside what is
// pending, and by itself in an import alone, where nobody knows more.
func (d *Dashboard) pendingAt(ctx context.Context, c service.Campaign, looks service.Viewer,
	last bool) (*pending, error) {
	if !last {
		return nil, nil
	}
	p, known, err := d.service.PendingSoon(ctx, c.ID, looks)
	nothing := len(p.Pending) == 0 && (len(p.Unchecked) == 0 || !p.ReadOnly)
	if err != nil || known && nothing {
		return nil, ctx.Err() // what keeps it from being found out, an audit says
	}
	return pendingOf(tied{links(c.Name), c.Events}, p.Pending, len(p.Unchecked), known), nil
}

// pendingOf makes ready to tell what is pending; nil for nothing.
func pendingOf(t tied, list []service.Consequence, unchecked int, known bool) *pending {
	if known && len(list)+unchecked == 0 {
		return nil
	}
	out := &pending{Known: known, All: len(list), Unchecked: unchecked, tied: t}
	for _, x := range list[:min(len(list), mostPending)] {
		out.List = append(out.List, pendingEntry{x, narrator.Decided(string(x.Decision))})
	}
	return out
}

// First is the first event that is pending.
func (p pending) First() uint64 { return p.List[0].Event }

// Campaign is the campaign's name, as commands take it.
func (p pending) Campaign() string { return string(p.links) }

// Entries counts them: "3 entries".
func (p pending) Entries() string {
	return words.Count(p.All, "entry")
}

// NotChecked says of how many entries it is not known.
func (p pending) NotChecked() string { return narrator.Unchecked(p.Unchecked) }

// Rest is how many are not named.
func (p pending) Rest() int { return p.All - len(p.List) }
