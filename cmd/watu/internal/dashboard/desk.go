package dashboard

import (
	"errors"
	"net/http"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// atDesk draws what a viewer may do in a campaign.
func (d *Dashboard) atDesk(r *http.Request) (page, error) {
	return d.deskPage(r, desk.Page{View: desk.View{Say: story.LinesOf(languageOf(r))}, As: r.FormValue("as"),
		About: r.FormValue("dispute"), Event: r.FormValue("event")})
}

// deskPage draws the desk of a campaign as it stands by now: an act may have come before.
func (d *Dashboard) deskPage(r *http.Request, x desk.Page) (p page, err error) {
	c, viewer, err := d.looks(r)
	if err != nil {
		return page{}, err
	}
	if x.View, err = d.desk.Look(r.Context(), c, viewer, x.Say); err != nil {
		return page{}, err
	}
	if event, err := strconv.ParseUint(r.FormValue("taken"), 10, 64); err == nil && r.Method != http.MethodPost {
		if x.Taken, err = d.desk.Taken(r.Context(), c, viewer, event); err != nil {
			return page{}, err
		}
	}
	if event, err := strconv.ParseUint(r.FormValue("correct"), 10, 64); err == nil && r.Method != http.MethodPost {
		if x.Wrong = problem.Of(d.desk.Amend(c, viewer, &x, event, nil)); x.Wrong != nil {
			x.Wrong = d.service.PublicProblem(x.Wrong)
		}
	}
	if x, err = d.desk.Disputing(r.Context(), x); err != nil {
		return page{}, err
	}
	return page{name: "desk", Title: x.Title(), Campaign: c.Name, Viewer: viewer, Live: x.Live(),
		Body: x}, nil
}

// act does what a form asks for.
func (d *Dashboard) act(w http.ResponseWriter, r *http.Request) {
	c, viewer, err := d.looks(r)
	if wrong := r.ParseForm(); err == nil && wrong != nil {
		d.misread(errors.New("this form is too long, or does not read: go back, and send less")).write(w, r)
		return
	}
	if err != nil {
		d.dressed(r, d.trouble(err)).draw().write(w, r)
		return
	}
	q := r.URL.Query()
	say := story.LinesOf(story.LanguageOf(q.Get("lang")))
	x, leads := d.desk.Act(r.Context(), c, viewer, say, q.Get("as"), d.site(r), r.PostForm)
	if leads != "" {
		http.Redirect(w, r, desk.InLanguage(leads, q.Get("lang")), http.StatusSeeOther)
		return
	}
	p, err := d.deskPage(r, x)
	switch {
	case err != nil:
		p = d.trouble(err)
	case x.Busy:
		p.status = http.StatusServiceUnavailable
		readers.SetRetryAfter(w)
	case x.Refused():
		p.status = http.StatusUnprocessableEntity
	}
	d.dressed(r, p).draw().write(w, r)
}
