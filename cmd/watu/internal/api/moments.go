package api

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// goingTo is which moment is asked for.
type goingTo struct {
	CampaignInput
	ViewerInput
	At       string `query:"at" maxLength:"200" example:"57"`
	By       string `query:"by" enum:"event,phase,turn,dispute,unlikely"`
	Back     bool   `query:"back" doc:"the stop before, in place of the next"`
	From     string `query:"from" maxLength:"20" pattern:"^[0-9]*$" patternDescription:"a whole number"`
	Unlikely string `query:"unlikely" maxLength:"20" example:"1/20"`
}

// viewAt is which view is asked for.
type viewAt struct {
	CampaignInput
	ViewerInput
	Projection string `path:"projection" maxLength:"200" doc:"one of the campaign's views" example:"pools"`
	At         string `query:"at" maxLength:"200" example:"57"`
}

// between is which two moments are set side by side.
type between struct {
	CampaignInput
	ViewerInput
	From string `query:"from" required:"true" maxLength:"200" doc:"a moment, as at names it" example:"12"`
	To   string `query:"to" required:"true" maxLength:"200" doc:"another" example:"57"`
}

// period is which game turns a report covers.
type period struct {
	CampaignInput
	ViewerInput
	Turn string `query:"turn" maxLength:"200" doc:"one game turn, by its label"`
	From string `query:"from" maxLength:"200" doc:"the first of several, by its label"`
	To   string `query:"to" maxLength:"200" doc:"the last of several, by its label"`
}

func (x *api) moments(t *table) {
	read(t, "moment", "/campaigns/{c}/moment", "moments", "A moment",
		"A stop on the way through a campaign, as a viewer could know it then, and what happened on the way to it. "+
			"Without at, by and from it is the head.", x.moment)
	read(t, "view", "/campaigns/{c}/views/{projection}", "moments", "A view",
		"What is in the pools, what was raided and earned, how strategic warfare went: figures as JSON, and as "+
			"tables for people.", x.view)
	read(t, "difference", "/campaigns/{c}/difference", "moments", "Two moments side by side",
		"Every figure that differs, and the events that changed it.",
		func(e *exchange, in *between) (out timeline.Difference, err error) {
			c, viewer, err := x.looks(e, in.C)
			if err != nil {
				return out, err
			}
			from, err := x.instant(c, in.From)
			if err != nil {
				return out, err
			}
			to, err := x.instant(c, in.To)
			if err != nil {
				return out, err
			}
			return x.service.Difference(e.request.Context(), c.ID, viewer, from, to)
		})
	read(t, "report", "/campaigns/{c}/report", "moments", "The after-action report",
		"What happened turn by turn, figures as tables and as series, luck, disputes, rulings and corrections.",
		func(e *exchange, in *period) (out report.Report, err error) {
			c, viewer, err := x.looks(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Report(e.request.Context(), c.ID, viewer, service.Period{Turn: in.Turn, From: in.From,
				To: in.To})
		})
}

func (x *api) moment(e *exchange, in *goingTo) (out timeline.Moment, err error) {
	c, viewer, err := x.looks(e, in.C)
	if err != nil {
		return out, err
	}
	g := timeline.MomentQuery{By: in.By, Back: in.Back, Unlikely: in.Unlikely}
	if g.At, err = x.instant(c, in.At); err != nil {
		return out, err
	}
	if in.From != "" {
		from, err := strconv.ParseUint(in.From, 10, 64)
		if err != nil {
			return out, problemf(http.StatusBadRequest, "from is how many events had happened, not %q", in.From)
		}
		g.From = &from
	}
	g.Back = g.Back || in.At == "" && in.By == "" && in.From == ""
	return x.service.Moment(e.request.Context(), c.ID, viewer, g)
}

func (x *api) view(e *exchange, in *viewAt) (out timeline.View, err error) {
	c, viewer, err := x.looks(e, in.C)
	if err != nil {
		return out, err
	}
	if !slices.Contains(c.Views, in.Projection) {
		return out, problemf(http.StatusNotFound, "campaign %s has no view %q; its views are %s",
			c.Name, in.Projection, strings.Join(c.Views, ", "))
	}
	at, err := x.instant(c, in.At)
	if err != nil {
		return out, err
	}
	if strings.HasPrefix(at, "#") {
		e.settled(in.C, c)
	}
	out, err = x.service.View(e.request.Context(), c.ID, viewer, in.Projection, at)
	if err == nil && x.owned && out.Events >= c.Events {
		out.Pending, err = x.service.CountPending(e.request.Context(), c.ID, viewer)
	}
	return out, err
}

// instant reads the name of a moment. Here a whole number is always an event, so that its moment never
// changes: a game turn that is called like one, 5, is turn:5. Whoever types commands says 5 for the turn.
func (x *api) instant(c timeline.Campaign, at string) (string, error) {
	if x.owned {
		return at, nil
	}
	digits := strings.TrimPrefix(at, "#")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return at, nil
	}
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n >= c.Events {
		return "", problemf(http.StatusNotFound, "%v", problem.NoEvent(c.Name, digits, c.Events))
	}
	return "#" + strconv.FormatUint(n, 10), nil
}
