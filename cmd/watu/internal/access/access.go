// Package access says who looks: it reads the tokens that a request carries, takes them in at a login
// and gives them back at a logout. What a token lets its holder see is package service's business; it
// is asked at each request, so that one that is revoked or has expired opens nothing from then on.
//
// The public needs nothing. A browser carries the tokens themselves, at most eight, in one cookie,
// __Host-watu, their texts with a dot between. So there is no session to keep, to lose at a restart or to
// end. A program sends one as Authorization: Bearer TOKEN, and nothing of a cookie counts then.
//
// What travels in clear may be read on the way. Without TLS, tokens are taken from this machine alone:
// there a proxy that speaks TLS to the world may stand.
package access

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// ViewerFunc finds the viewer of a campaign from what the request carries.
type ViewerFunc func(r *http.Request, campaign string) (timeline.Viewer, error)

// Authenticator finds the viewer of a request by its tokens, and serves login and logout. It is safe for concurrent
// use.
type Authenticator struct {
	service *service.Service
	slow    chan struct{} // a place for each wrong token that waits for its answer
	wait    time.Duration // how long it does
	draw    LoginPage
}

// LoginPage draws the login page.
type LoginPage func(w http.ResponseWriter, r *http.Request, status int, l Login)

// Login is what the login page shows.
type Login struct {
	Held  []HeldToken // what the browser holds
	Wrong string      // why somebody was not let in
	Token string      // that a link brings, or several with a dot between
	Opens []HeldToken // what they open; none where the link brings none
}

// HeldToken is one of the tokens that a browser has, as the page of the login shows it.
type HeldToken struct {
	Campaign string // its name
	timeline.Viewer
	Expires time.Time
}

// New gives the authenticator of the service's ledger.
func New(f *service.Service) *Authenticator {
	return &Authenticator{service: f, slow: make(chan struct{}, waiting), wait: time.Second}
}

// SetLoginPage sets what draws the login page.
func (d *Authenticator) SetLoginPage(draw LoginPage) { d.draw = draw }

// errClear is why a token is not taken.
var errClear = refused("a token is taken over TLS, or from this machine alone: what travels in clear may be read on " +
	"the way. Use https, or have the umpire start the server with --tls-cert and --tls-key, or behind a proxy on its " +
	"own machine")

func refused(text string) error { return &problem.Problem{Kind: problem.Refused, Message: text} }

// Viewer says who looks at a campaign: as the umpire if a token of the request says so, else as the side that is asked
// something, or as the last of its tokens for the campaign says, else the public. With as in the query it is that
// viewer instead, if he may see no more than one that the tokens allow.
func (d *Authenticator) Viewer(r *http.Request, campaign string) (timeline.Viewer, error) {
	public := timeline.Viewer{As: timeline.Public}
	id, err := d.service.ID(campaign)
	if err != nil {
		return public, err
	}
	held, err := d.grants(r, id)
	if err != nil {
		return public, err
	}
	as := r.URL.Query().Get("as")
	if as == "" {
		return d.noted(id, d.best(id, held))
	}
	asked, err := d.service.Viewer(id, as)
	if err != nil {
		return public, err
	}
	by := slices.DeleteFunc(append(held, public), func(has timeline.Viewer) bool { return !asked.KnowsNoMoreThan(has) })
	switch umpire := (timeline.Viewer{As: timeline.Umpire}); {
	case len(by) == 0:
		return public, refused("to see what " + as + " sees takes a token that the umpire gives out; log in with " +
			"it at /login")
	case slices.ContainsFunc(by, func(has timeline.Viewer) bool { return has != umpire }):
		return asked, nil
	}
	return asked, d.service.NoteReading(id, asked, false) // the umpire's token alone shows it
}

// noted records that somebody looks as the umpire, where that is to be seen.
func (d *Authenticator) noted(campaign string, v timeline.Viewer) (timeline.Viewer, error) {
	if v.As != timeline.Umpire {
		return v, nil
	}
	return v, d.service.NoteReading(campaign, v, false)
}

// best is as whom the holder looks if he does not say: of several sides as the one that is asked something, else as the
// last.
func (d *Authenticator) best(campaign string, held []timeline.Viewer) timeline.Viewer {
	switch umpire := (timeline.Viewer{As: timeline.Umpire}); {
	case slices.Contains(held, umpire):
		return umpire
	case len(held) == 0:
		return timeline.Viewer{As: timeline.Public}
	}
	best := held[len(held)-1]
	if c, err := d.service.Find(campaign); err == nil && len(held) > 1 {
		w, err := d.service.Waiting(c)
		if err == nil && w != nil && slices.Contains(held, timeline.Viewer{As: w.Of}) {
			best.As, best.Late = w.Of, 0
		}
	}
	return best
}

// grants are what the tokens of the request allow at the campaign with that ULID. One in a cookie that
// holds no more is passed over, for a browser keeps it on; a program gets an error.
func (d *Authenticator) grants(r *http.Request, id string) ([]timeline.Viewer, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		g, err := d.bearer(r, header)
		if err != nil || g.Campaign != id {
			return nil, err
		}
		return []timeline.Viewer{g.Viewer}, nil
	}
	if !private(r) {
		return nil, nil
	}
	var held []timeline.Viewer
	for _, text := range carried(r) {
		if g, err := d.service.Grant(text); err == nil && g.Campaign == id {
			held = append(held, g.Viewer)
		}
	}
	return held, nil
}

// Held are as whom the tokens of a request let its sender look at the campaign of that name.
func (d *Authenticator) Held(r *http.Request, campaign string) []timeline.Viewer {
	id, err := d.service.ID(campaign)
	if err != nil {
		return nil
	}
	held, err := d.grants(r, id)
	if err != nil {
		return nil // what is wrong with them, the page says
	}
	return held
}

func (d *Authenticator) bearer(r *http.Request, header string) (service.Grant, error) {
	scheme, text, _ := strings.Cut(header, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return service.Grant{}, &problem.Problem{Kind: problem.Input, Message: "a token is sent as Authorization: " +
			"Bearer TOKEN"}
	}
	if !private(r) {
		return service.Grant{}, errClear
	}
	return d.service.Grant(text)
}

// private reports whether nobody reads the request on its way: TLS, or a client on this machine.
func private(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	from, err := netip.ParseAddr(host)
	return err == nil && from.Unmap().IsLoopback()
}

// wrong is what an error says to the person who brought a token.
func wrong(err error) string {
	var p *problem.Problem
	if errors.As(err, &p) {
		return p.Error()
	}
	return problem.Of(err).Error()
}
