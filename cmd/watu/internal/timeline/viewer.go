package timeline

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
)

// Viewer is who looks at a campaign, and so what he may know beside the log.
type Viewer struct {
	As   string // [Public], [Umpire], [Commentator], or a side by its own name
	Late uint64 // of the commentator: how many game turns pass until he knows what was sealed, at least 1
}

// Speaks reports whether he is somebody who may enter something: the umpire or a side.
func (v Viewer) Speaks() bool { return v.As != "" && v.As != Public && v.As != Commentator }

// Who looks, beside the sides. The zero Viewer is nobody.
const (
	Public      = "public"      // knows the log
	Umpire      = "umpire"      // knows every opening
	Commentator = "commentator" // knows what the umpire knows, some turns late
)

// lateness is how many turns late a commentator sees events by default.
const lateness = 2

// Viewer finds who looks at the campaign of that name or ULID: "", "public", "umpire", a side by any
// of its names, "commentator" or, so many turns late, "commentator:3". The error says why what he
// holds is not here, or that there is no such side.
func (r *Reader) Viewer(campaign, as string) (Viewer, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return Viewer{}, err
	}
	return r.viewer(c, as)
}

func (r *Reader) viewer(c ledger.Campaign, name string) (Viewer, error) {
	switch name := words.Plain(name); name {
	case "", Public:
		return Viewer{As: Public}, nil
	case Umpire:
		return Viewer{As: Umpire}, r.CheckReader(c, Umpire)
	default:
		if late, ok := strings.CutPrefix(name, Commentator); ok {
			return r.commentator(c, late)
		}
	}
	described, err := r.Describe(c)
	if err != nil {
		return Viewer{}, err
	}
	side, ok := r.systems[described.System].Side(described.Sides, name)
	if !ok {
		return Viewer{}, problem.New(problem.Input, "there is no side %q in campaign %s; %s", name, c.Name,
			words.There(append(slices.Clip(described.Sides), Umpire)))
	}
	return Viewer{As: side}, r.CheckReader(c, side)
}

// commentator reads how late the commentator is: ":3", or nothing.
func (r *Reader) commentator(c ledger.Campaign, text string) (Viewer, error) {
	v := Viewer{As: Commentator, Late: lateness}
	if text != "" {
		n, err := strconv.ParseUint(strings.TrimPrefix(text, ":"), 10, 32)
		if err != nil || n == 0 || text[0] != ':' {
			return Viewer{}, problem.New(problem.Input, "a commentator sees events one or more turns late, as "+
				"commentator:%d, not %q", lateness, Commentator+text)
		}
		v.Late = n
	}
	return v, r.CheckReader(c, Umpire)
}

// Fold gives the view: the public one from the runner's snapshots, any other from the log and
// the openings that the viewer holds.
func (r *Reader) Fold(ctx context.Context, c ledger.Campaign, p projections.Projection, v Viewer,
	upTo uint64) (projections.View, error) {
	if v.As == Public {
		return r.Views().At(ctx, p.Name, c.ID, upTo)
	}
	openings, err := r.Openings(ctx, c, v, upTo)
	if err != nil {
		return nil, err
	}
	return projections.Fold(p, r.Records(ctx, c.ID, 0, upTo), openings)
}

// Openings gives what a viewer may open of the first upTo events: everything for the umpire; for a
// side, what the events that are its own commit to; for a commentator everything that was sealed
// before his last turns, counted from the end of the campaign and not from upTo.
func (r *Reader) Openings(ctx context.Context, c ledger.Campaign, v Viewer, upTo uint64) ([]events.Opening, error) {
	switch v.As {
	case Public:
		return nil, nil
	case Umpire:
		return r.Ledger().Openings(c.ID, 0, upTo)
	case Commentator:
		until, err := r.knownUntil(c, v.Late)
		if err != nil {
			return nil, err
		}
		return r.Ledger().Openings(c.ID, 0, min(upTo, until))
	}
	all, err := r.Ledger().Openings(c.ID, 0, upTo)
	if err != nil {
		return nil, err
	}
	own := all[:0]
	owner, read := "", events.Event{}
	for _, o := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if owner == "" || read.Index != o.Index {
			if read, err = r.Event(c.ID, o.Index); err != nil {
				return nil, err
			}
			owner = "side " + read.Side
		}
		if owner == "side "+v.As {
			own = append(own, o)
		}
	}
	return own, nil
}

// knownUntil is how many of the campaign's first events a commentator knows all of: those before the
// last late turns, the one that is on among them.
func (r *Reader) knownUntil(c ledger.Campaign, late uint64) (uint64, error) {
	turns, err := r.Ledger().Turns(c.ID)
	if err != nil || late >= uint64(len(turns)) {
		return 0, err
	}
	return turns[uint64(len(turns))-max(1, late)].First, nil
}

// KnowsNoMoreThan reports whether a viewer knows no more than another: what he holds, he may look without.
func (v Viewer) KnowsNoMoreThan(than Viewer) bool {
	switch {
	case v.As == Public || than.As == Umpire || v == than:
		return true
	case v.As == Commentator && than.As == Commentator:
		return v.Late >= than.Late
	}
	return false
}
