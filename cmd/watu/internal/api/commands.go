package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// mostBody is how large what is sent may be, in bytes.
const mostBody = 1 << 20

// saying is the input of a command.
type saying[B any] struct {
	CampaignInput
	ViewerInput
	Body B
}

func (x *api) commands(t *table) {
	say(t, "submit", "/campaigns/{c}/submissions", "Hand in a turn file or an entry",
		"The umpire hands in whatever a turn file may say. A side answers what it is asked, says what is its own "+
			"alone, says how dice fell at the table, and disputes; the seat that holds it must be a player's. What "+
			"was refused stands in `problem` of the answer, and what stood before it stands.",
		func(e *exchange, in *saying[service.Submission]) (out service.Submitted, err error) {
			if err := x.unseated(in.Body.Seat != "" || in.Body.Most != 0); err != nil {
				return out, err
			}
			c, viewer, err := x.says(e, in.C)
			if err != nil {
				return out, err
			}
			err = x.hears(e, viewer, in.Body.Check, func(ctx context.Context) error {
				out, err = x.service.Submit(ctx, c.ID, viewer, in.Body)
				return err
			})
			return out, err
		})
	say(t, "plead", "/campaigns/{c}/disputes", "Dispute, state, bring evidence, rule",
		"One entry of a dispute, in the name of the viewer's seat.",
		func(e *exchange, in *saying[service.DisputeEntry]) (out service.Submitted, err error) {
			if err := x.unseated(in.Body.Seat != "" || in.Body.Name != ""); err != nil {
				return out, err
			}
			c, viewer, err := x.says(e, in.C)
			if err != nil {
				return out, err
			}
			err = x.hears(e, viewer, false, func(ctx context.Context) error {
				out, err = x.service.SubmitDispute(ctx, c.ID, viewer, in.Body)
				return err
			})
			return out, err
		})
	say(t, "correct", "/campaigns/{c}/corrections", "Correct",
		"The umpire corrects what was entered wrongly; the dice stay. With `preview` the answer says what would be "+
			"changed, and every later entry that comes out otherwise, with what is decided on it. Without, all of it "+
			"is recorded as one step; what is kept, undecided, or waits, is pending.",
		func(e *exchange, in *saying[service.CorrectionRequest]) (out service.Corrected, err error) {
			c, viewer, err := x.umpire(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Correct(c.ID, viewer, in.Body)
		})
	say(t, "keep", "/campaigns/{c}/pending", "Keep what is pending", "The umpire decides that what is pending at an "+
		"event stays as it is recorded.",
		func(e *exchange, in *saying[service.KeepRequest]) (out service.Kept, err error) {
			c, viewer, err := x.umpire(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Keep(c.ID, viewer, in.Body)
		})
	say(t, "undo", "/campaigns/{c}/undo", "Undo", "The umpire takes an honest slip back, up to the last die, card or "+
		"secret seen.",
		func(e *exchange, in *saying[service.Undo]) (out service.Undone, err error) {
			c, viewer, err := x.umpire(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Undo(c.ID, viewer, in.Body)
		})
}

// unseated refuses what only whoever holds the directory may say.
func (x *api) unseated(named bool) error {
	if named && !x.owned {
		return problemf(http.StatusBadRequest, "the request does not read: what is sent here names no seat: that "+
			"follows from the token")
	}
	return nil
}

// says finds a campaign, and who says something there: the umpire or a side. Whoever holds the directory is the umpire.
func (x *api) says(e *exchange, name string) (timeline.Campaign, timeline.Viewer, error) {
	if x.owned {
		c, err := x.campaign(name)
		return c, timeline.Viewer{As: timeline.Umpire}, err
	}
	c, v, err := x.looks(e, name)
	if err == nil && (v.As == timeline.Public || v.As == timeline.Commentator) {
		err = x.denied(e.request, &problem.Problem{Kind: problem.Refused, Message: "the " + v.As +
			" only looks: send the token of a side or of the umpire, as Authorization: Bearer TOKEN"})
	}
	e.keep = never
	return c, v, err
}

// hears has an entry heard: what the umpire enters at once, what a side says, and whatever is only
// checked, when it is its turn.
func (x *api) hears(e *exchange, viewer timeline.Viewer, check bool, do func(context.Context) error) error {
	ctx := e.request.Context()
	if x.owned || viewer.As == timeline.Umpire && !check {
		return do(ctx)
	}
	var failed error
	err := x.crowd.DoCommand(ctx, func(ctx context.Context) { failed = do(ctx) })
	return cmp.Or(err, failed)
}

// umpire is says, for what the umpire alone may do.
func (x *api) umpire(e *exchange, name string) (timeline.Campaign, timeline.Viewer, error) {
	c, v, err := x.says(e, name)
	if err == nil && v.As != timeline.Umpire {
		err = problemf(http.StatusForbidden, "this is for the umpire of campaign %s, not for %s", c.Name, v.As)
	}
	return c, v, err
}
