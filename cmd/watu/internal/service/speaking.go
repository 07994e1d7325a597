package service

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// Each statement is made by a viewer: the umpire, or a side through the seat that holds it. The umpire may enter
// anything, and for any seat. A side enters what it does itself, of which nothing is warned of. Where something is
// hidden, what a side says is heard only if nothing but its own is in it, because an entry is judged by everything that
// the umpire knows: a refusal reveals that the other side holds no such card, and the name of an entry that stands
// already reveals whether its secret was guessed.

// Submit hears, or checks, a turn file or an entry for a viewer. Whose seat it is follows from the viewer.
func (f *Service) Submit(ctx context.Context, campaign string, viewer timeline.Viewer, s Submission) (
	Submitted, error,
) {
	c, err := f.Stepping(campaign)
	if err != nil {
		return Submitted{}, err
	}
	if s.Seat, err = f.seatOf(c, viewer, s.Seat); err != nil {
		return Submitted{}, err
	}
	if viewer.As != timeline.Umpire {
		s.as = viewer.As
	}
	return f.submit(ctx, c, s)
}

// SubmitDispute hears an entry of a dispute for a viewer.
func (f *Service) SubmitDispute(ctx context.Context, campaign string, viewer timeline.Viewer, p DisputeEntry) (
	Submitted, error,
) {
	c, err := f.Stepping(campaign)
	if err != nil {
		return Submitted{}, err
	}
	if p.Seat, err = f.seatOf(c, viewer, p.Seat); err != nil {
		return Submitted{}, err
	}
	if !slices.Contains(timeline.Pleas, p.Verb) && (p.Verb != "ruling" || viewer.As != timeline.Umpire) {
		return Submitted{}, problem.New(problem.Refused, "%q is not for %s to say on a dispute; %s", p.Verb,
			viewer.As, words.There(timeline.Pleas))
	}
	return f.plead(ctx, c, p)
}

// umpires finds a campaign for what its umpire alone may do.
func (f *Service) umpires(campaign string, viewer timeline.Viewer, what string) (ledger.Campaign, error) {
	c, err := f.Stepping(campaign)
	if err == nil && viewer.As != timeline.Umpire {
		err = problem.New(problem.Refused, "%s is for the umpire to make, not for %s", what, viewer.As)
	}
	return c, err
}

// seatOf is the seat for which a viewer speaks; "" is the umpire's, who may name another. A side without a seat of
// its own is played by the umpire, who alone speaks for it.
func (f *Service) seatOf(c ledger.Campaign, viewer timeline.Viewer, named string) (string, error) {
	switch viewer.As {
	case timeline.Umpire:
		return named, nil
	case timeline.Public, timeline.Commentator, "":
		return "", problem.New(problem.Refused, "%s only looks: what is said needs the token of a side or "+
			"of the umpire",
			cmp.Or(viewer.As, timeline.Public))
	}
	list, err := f.Seats(c)
	if err != nil {
		return "", err
	}
	for _, s := range list {
		if s.Role == "player" && slices.Contains(s.Sides, viewer.As) {
			return s.Name, nil
		}
	}
	return "", problem.New(problem.Refused, "no player's seat holds %s in campaign %s, so its umpire speaks for it: "+
		"give the entry to the umpire", viewer.As, c.Name)
}

// ownOnly refuses entries that a side may not enter, before anybody judges them. Where nothing is hidden, the umpire
// judges whose act each of the others is ([rules.Command.As]); what stands on the board he reports himself.
func (f *Service) ownOnly(c ledger.Campaign, side string, entries []turnfile.Entry) error {
	hides, err := f.Hides(c)
	if err != nil {
		return err
	}
	for i := range entries {
		e := &entries[i]
		own, err := f.OwnEntry(c, []string{side}, e.Verb, e.Body)
		switch {
		case err != nil:
			return err
		case own:
		case hides || e.Verb == "facts":
			return problem.New(problem.Refused, "entry %q (%s) is for the umpire to enter: give it to him. %s answers "+
				"what it is asked, says what is its own alone, says how dice fell, and disputes", e.ID, e.Verb, side)
		default:
			e.As = side
		}
	}
	return nil
}

// OwnEntry reports whether an entry is one that some of these sides may enter by themselves.
func (f *Service) OwnEntry(c ledger.Campaign, sides []string, verb string, body json.RawMessage) (bool, error) {
	described, err := f.Describe(c)
	return timeline.OwnEntry(f.System(described.System), described.Sides, sides, verb, body), err
}
