package dashboard

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// deskPage is what the page of the desk shows.
type deskPage struct {
	desk.View
	As    string // as whom the reader asked to look
	About string // the dispute, or the event, that the forms of disputes begin with
	Event string
	Done  *desk.Done       // what became of the form that was sent
	Wrong *problem.Problem // why it came to nothing
	Typed url.Values       // what was sent and did not go through, so that nobody types it twice
	Link  string           // that was made
}

// moveForm is a question with the form that answers it.
type moveForm struct {
	*desk.Move
	Campaign, As string
}

// Asked is the question with its form; nil where nothing is asked.
func (p deskPage) Asked() *moveForm { return asking(p.Campaign.Name, p.As, p.Move) }

func asking(campaign, as string, m *desk.Move) *moveForm {
	if m == nil {
		return nil
	}
	return &moveForm{m, campaign, as}
}

// Corrects reports whether a correction was sent, and Previewed is what it would change.
func (p deskPage) Corrects() bool {
	return p.Done != nil && (p.Typed.Get("do") == desk.Preview || p.Typed.Get("do") == desk.Correct)
}

func (p deskPage) Previewed() *service.Corrected {
	if p.Corrects() && p.Wrong == nil {
		return p.Done.Corrected
	}
	return nil
}

// Desk is where the form goes.
func (m moveForm) Desk() string { return deskAt(m.Campaign, m.As) }

// Here is where the forms of the page go.
func (p deskPage) Here() string { return deskAt(p.Campaign.Name, p.As) }

func deskAt(campaign, as string) string {
	at := pathTo("campaigns", campaign, "desk")
	if as != "" {
		at += "?" + url.Values{"as": {as}}.Encode()
	}
	return at
}

// atDesk draws what a viewer may do in a campaign.
func (d *Dashboard) atDesk(r *http.Request) (page, error) {
	return d.deskAfter(r, deskPage{About: r.FormValue("dispute"), Event: r.FormValue("event")})
}

func (d *Dashboard) deskAfter(r *http.Request, x deskPage) (page, error) {
	c, viewer, err := d.deskViewer(r)
	if err != nil {
		return page{}, err
	}
	if x.View, err = d.desk.Look(r.Context(), c, viewer); err != nil {
		return page{}, err
	}
	x.As = r.URL.Query().Get("as")
	title := "Desk"
	if x.Move != nil && x.Move.Mine {
		title = "Your move"
	}
	return page{name: "desk", Title: title, Campaign: c.Name, Viewer: viewer, Body: x}, nil
}

func (d *Dashboard) deskViewer(r *http.Request) (c timeline.Campaign, v timeline.Viewer, err error) {
	if c, err = d.service.Campaign(r.PathValue("c")); err != nil {
		return c, v, err
	}
	v, err = d.who(r, c.ID)
	return c, v, err
}

// act does what a form asks for. What went through leads to where it is seen; of the rest the desk says why not, with
// all that was typed.
func (d *Dashboard) act(w http.ResponseWriter, r *http.Request) {
	c, viewer, err := d.deskViewer(r)
	if err == nil {
		err = r.ParseForm()
	}
	if err != nil {
		d.dressed(r, d.trouble(err)).draw().write(w, r)
		return
	}
	x := deskPage{Typed: r.PostForm, About: r.PostForm.Get("dispute"), Event: r.PostForm.Get("event")}
	done, err := d.desk.Do(r.Context(), c, viewer, r.PostForm)
	x.Done = &done
	switch {
	case errors.Is(err, readers.ErrBusy):
		d.refuse(w, r, err)
		return
	case err != nil:
		x.Wrong = d.service.PublicProblem(err)
	case done.Problem != nil:
		x.Wrong = done.Problem
	case done.Token != "":
		x.Link = d.site(r) + "/login?" + url.Values{"token": {done.Token}}.Encode()
	case done.Stands() && r.PostForm.Get("do") != desk.Enter:
		http.Redirect(w, r, d.leads(r, c.Name, done), http.StatusSeeOther)
		return
	case done.Stands():
		x.Typed = nil
	}
	p, err := d.deskAfter(r, x)
	if err != nil {
		p = d.trouble(err)
	}
	if x.Wrong != nil {
		p.status = http.StatusUnprocessableEntity
	}
	d.dressed(r, p).draw().write(w, r)
}

// leads is where somebody goes on who did something: to the dispute, or back to where he was.
func (d *Dashboard) leads(r *http.Request, campaign string, done desk.Done) string {
	query := ""
	if as := r.URL.Query().Get("as"); as != "" {
		query = "?" + url.Values{"as": {as}}.Encode()
	}
	switch r.PostForm.Get("do") {
	case desk.Open:
		if happened := done.Entries[0].Happened; len(happened) > 0 {
			return pathTo("campaigns", campaign, "disputes", happened[0].Index) + query
		}
	case desk.Correct:
		return pathTo("campaigns", campaign, "events", done.Corrected.Event) + query
	case desk.State, desk.Bring, desk.Rule:
		if n, err := strconv.ParseUint(r.PostForm.Get("dispute"), 10, 64); err == nil {
			return pathTo("campaigns", campaign, "disputes", n) + query
		}
	case desk.Answer:
		if done.Given > 0 {
			return pathTo("campaigns", campaign, "events", done.Given) + query
		}
		return pathTo("campaigns", campaign) + query
	}
	return deskAt(campaign, r.URL.Query().Get("as"))
}
