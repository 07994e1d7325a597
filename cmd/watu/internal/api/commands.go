package api

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
)

// mostBody is how large what is sent may be, in bytes.
const mostBody = 1 << 20

// Submission is a turn file or an entry, as it is typed.
type Submission struct {
	Name  string `json:"name,omitempty" maxLength:"200" default:"submission" doc:"of the file, for messages" example:"turn.yaml"`
	Text  string `json:"text" minLength:"1" doc:"the file, or the entry with entry" example:"{answer: {Britain: asw}}"`
	Entry bool   `json:"entry,omitempty" doc:"one entry, not a file"`
	Check bool   `json:"check,omitempty" doc:"judge without dice, and append nothing"`
}

// Plea is an entry of a dispute.
type Plea struct {
	Verb       string         `json:"verb" enum:"dispute,statement,evidence,ruling" doc:"what is said; a ruling is the umpire's"`
	Body       map[string]any `json:"body" doc:"what stands under the verb in a turn file"`
	Correction string         `json:"correction,omitempty" doc:"of a ruling: what it corrects, as in a correction's file"`
}

// Amendment is a correction, and what is decided on the later entries that come out otherwise by it.
type Amendment struct {
	Event     uint64            `json:"event" doc:"any event of the command to correct"`
	Name      string            `json:"name,omitempty" maxLength:"200" default:"correction" doc:"of the file, for messages"`
	Text      string            `json:"text,omitempty" doc:"the correction's file; left out, what is pending at the event is applied"`
	Decisions map[string]string `json:"decisions,omitempty" doc:"apply or keep, by any event of a later entry; by 0 on all others, whatever the file says of them" example:"{\"23\": \"keep\"}"`
	Rest      string            `json:"rest,omitempty" enum:"apply,keep" doc:"what becomes of those that neither decisions nor the file name; without it they stay as they are recorded, undecided"`
	Cause     uint64            `json:"cause,omitempty" doc:"of what is pending: the correction from which it follows"`
	Preview   bool              `json:"preview,omitempty" doc:"say what would be, and record nothing"`
	After     uint64            `json:"after,omitempty" doc:"the number of events of the preview: refused if the campaign has more by now"`
}

// amendment is the same as the service takes it.
func (a Amendment) amendment() (service.Amendment, error) {
	out := service.Amendment{
		Event: a.Event, Name: a.Name, Text: []byte(a.Text), Rest: replay.Decision(a.Rest), Cause: a.Cause, Preview: a.Preview, After: a.After,
		Decisions: map[uint64]replay.Decision{},
	}
	for text, d := range a.Decisions {
		event, err := strconv.ParseUint(strings.TrimPrefix(text, "#"), 10, 64)
		if err != nil {
			return out, said(http.StatusBadRequest, "decisions are by events, such as 57, not by %q", text)
		}
		out.Decisions[event] = replay.Decision(d)
	}
	return out, nil
}

// Keeping decides that something pending stays as it is recorded.
type Keeping struct {
	Event  uint64 `json:"event" doc:"any event of the entry that is pending"`
	Reason string `json:"reason" minLength:"1" maxLength:"10000" doc:"why: the others will read it"`
}

// Slip is what is taken back.
type Slip struct {
	Event  *uint64 `json:"event,omitempty" doc:"any event of the entry; the last entry if nothing is said"`
	Reason string  `json:"reason" minLength:"1" maxLength:"10000" doc:"why: the others will read it"`
}

// saying is the input of a command.
type saying[B any] struct {
	OfCampaign
	AsViewer
	Body B
}

func (x *api) commands(h huma.API) {
	say(h, "submit", "/campaigns/{c}/submissions", "Hand in a turn file or an entry",
		"The umpire hands in whatever a turn file may say. A side answers what it is asked, says what is its own alone, says how dice fell at the table, "+
			"and disputes; the seat that holds it must be a player's. What was refused stands in `problem` of the answer, and what stood before it stands.",
		func(e *exchange, in *saying[Submission]) (out service.Submitted, err error) {
			c, says, err := x.says(e, in.C)
			if err != nil {
				return out, err
			}
			s := service.Submission{Name: in.Body.Name, Text: []byte(in.Body.Text), Entry: in.Body.Entry, Check: in.Body.Check}
			err = x.hears(e, says, s.Check, func(ctx context.Context) error {
				out, err = x.service.Submit(ctx, c.ID, says, s)
				return err
			})
			return out, err
		})
	say(h, "plead", "/campaigns/{c}/disputes", "Dispute, state, bring evidence, rule",
		"One entry of a dispute, in the name of the viewer's seat.",
		func(e *exchange, in *saying[Plea]) (out service.Submitted, err error) {
			c, says, err := x.says(e, in.C)
			if err != nil {
				return out, err
			}
			p := service.Plea{Verb: in.Body.Verb, Correction: []byte(in.Body.Correction)}
			if in.Body.Correction != "" {
				p.Name = "correction"
			}
			if p.Body, err = json.Marshal(in.Body.Body); err != nil {
				return out, said(http.StatusBadRequest, "the body does not read: %v", err)
			}
			err = x.hears(e, says, false, func(ctx context.Context) error {
				out, err = x.service.Plead(ctx, c.ID, says, p)
				return err
			})
			return out, err
		})
	say(h, "correct", "/campaigns/{c}/corrections", "Correct",
		"The umpire corrects what was entered wrongly; the dice stay. With `preview` the answer says what would be changed, and every later entry that "+
			"comes out otherwise, with what is decided on it. Without, all of it is recorded as one step; what is kept, undecided, or waits, is pending.",
		func(e *exchange, in *saying[Amendment]) (out service.Corrected, err error) {
			c, says, err := x.umpire(e, in.C)
			if err != nil {
				return out, err
			}
			a, err := in.Body.amendment()
			if err != nil {
				return out, err
			}
			return x.service.Correct(c.ID, says, a)
		})
	say(h, "keep", "/campaigns/{c}/pending", "Keep what is pending", "The umpire decides that what is pending at an event stays as it is recorded.",
		func(e *exchange, in *saying[Keeping]) (out service.Kept, err error) {
			c, says, err := x.umpire(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Keep(c.ID, says, service.Keeping{Event: in.Body.Event, Reason: in.Body.Reason})
		})
	say(h, "undo", "/campaigns/{c}/undo", "Undo", "The umpire takes an honest slip back, up to the last die, card or secret seen.",
		func(e *exchange, in *saying[Slip]) (out service.Undone, err error) {
			c, says, err := x.umpire(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Undo(c.ID, says, service.Undo{Event: in.Body.Event, Reason: in.Body.Reason})
		})
}

// says finds a campaign, and who says something there: the umpire or a side.
func (x *api) says(e *exchange, name string) (service.Campaign, service.Viewer, error) {
	c, v, err := x.looks(e, name)
	if err == nil && (v.As == service.Public || v.As == service.Commentator) {
		err = x.denied(e.request, &service.Problem{Kind: service.Refused, Message: "the " + v.As + " only looks: send the token of a side or of the umpire, as Authorization: Bearer TOKEN"})
	}
	e.keep = never
	return c, v, err
}

// hears has something heard that is said: what the umpire enters at once, what a side says, and whatever is only
// checked, when it is its turn.
func (x *api) hears(e *exchange, says service.Viewer, check bool, do func(context.Context) error) error {
	ctx := e.request.Context()
	if says.As == service.Umpire && !check {
		return do(ctx)
	}
	var failed error
	err := x.crowd.Hear(ctx, func(ctx context.Context) { failed = do(ctx) })
	return cmp.Or(err, failed)
}

// umpire is says, for what the umpire alone may do.
func (x *api) umpire(e *exchange, name string) (service.Campaign, service.Viewer, error) {
	c, v, err := x.says(e, name)
	if err == nil && v.As != service.Umpire {
		err = said(http.StatusForbidden, "this is for the umpire of campaign %s, not for %s", c.Name, v.As)
	}
	return c, v, err
}
