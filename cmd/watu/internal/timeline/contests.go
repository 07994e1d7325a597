package timeline

import (
	"context"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// ContestAt is a contest of cards as it stood at a moment. All of it is public.
type ContestAt struct {
	Index   uint64 `json:"index"` // of its opening
	Turn    string `json:"turn"`
	Rules   []string
	Opened  events.ContestOpened   `json:"opened"`
	Plays   []ContestPlay          `json:"plays"` // and passes, in order
	Settled *events.ContestSettled `json:"settled,omitempty"`
	End     *NarratedEvent         `json:"end,omitempty"` // the event that settles it
}

// ContestPlay is what a side did when it was its turn to play.
type ContestPlay struct {
	NarratedEvent
	Card      string `json:"card,omitempty"` // none of a pass, and of a play under seal
	As        string `json:"as,omitempty"`
	Sealed    bool   `json:"sealed,omitempty"`
	Negated   uint64 `json:"negated,omitempty"`    // index of the event that says so
	NegatedBy uint64 `json:"negated_by,omitempty"` // index of the play that does it
}

// ContestAt gives the contest that was opened last before so many events had happened, nil if there
// was none.
func (r *Reader) ContestAt(ctx context.Context, campaign string, at uint64) (*ContestAt, error) {
	c, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	before, _ := slices.BinarySearch(it.contests, at)
	if before == 0 {
		return nil, nil
	}
	out := &ContestAt{Index: it.contests[before-1], Plays: []ContestPlay{}}
	for _, i := range append([]uint64{out.Index}, it.History().At(at).Sources(history.Contest, out.Index)...) {
		e, err := r.Event(c.ID, i)
		if err != nil {
			return nil, err
		}
		out.take(&e)
	}
	return out, nil
}

// take adds an event of the contest.
func (x *ContestAt) take(e *events.Event) {
	line := NarrateEvent(e, 0)
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.ContestOpened:
		x.Turn, x.Rules, x.Opened = e.Turn.Label, line.Rules, *p
	case *events.CardPlayed:
		x.Plays = append(x.Plays, ContestPlay{NarratedEvent: line, Card: p.Card, As: p.As})
	case *events.PlayCommitted:
		x.Plays = append(x.Plays, ContestPlay{NarratedEvent: line, Sealed: true})
	case *events.Passed:
		x.Plays = append(x.Plays, ContestPlay{NarratedEvent: line})
	case *events.CardNegated:
		if i := slices.IndexFunc(x.Plays, func(y ContestPlay) bool { return y.Index == p.Played }); i >= 0 {
			x.Plays[i].Negated, x.Plays[i].NegatedBy = e.Index, p.By
		}
	case *events.ContestSettled:
		x.Settled, x.End = p, &line
	}
}

// RulingsAt describes the last rulings of the umpire, on disputes, on options and on the edition, and what was
// put to him, after so many events: the latest first, at most so many.
func (r *Reader) RulingsAt(ctx context.Context, campaign string, at uint64, most int) ([]MarkedEvent, error) {
	c, it, err := r.indexed(ctx, campaign)
	if err != nil {
		return nil, err
	}
	far, err := farOf("")
	if err != nil {
		return nil, err
	}
	way := walk{ctx: ctx, f: r, c: c, it: it, as: Viewer{As: Public}, far: far}
	list := []MarkedEvent{}
	for _, index := range slices.Backward(it.rulings) {
		if index >= at || len(list) == most {
			continue
		}
		ruling, err := way.narrated(index, index+1, at)
		if err != nil {
			return nil, err
		}
		list = append(list, ruling...)
	}
	return list, nil
}
