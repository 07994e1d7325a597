package dashboard

import (
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/delta"
	"github.com/watu-ledger/watu/cmd/watu/internal/desk"
	"github.com/watu-ledger/watu/cmd/watu/internal/league"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/sheets"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Dashboard draws the pages of one ledger. It is safe for concurrent use.
type Dashboard struct {
	service *service.Service
	who     access.ViewerFunc
	holds   func(*http.Request) bool
	held    HeldFunc
	mux     *http.ServeMux
	kept    *readers.Cache[response]
	sent    delta.Memory
	busy    response
	boards  mapBoards
	fronts  fronts
	played  atomic.Int64 // until when the front page says rightly who plays, in nanoseconds; 0 while nobody does
	ceased  atomic.Uint64
	now     func() time.Time
	site    func(*http.Request) string
	drawing chan struct{} // a place for who draws a preview
	desk    *desk.Desk
}

// New gives the pages of the service's ledger, for readers who share their bounds with others.
func New(f *service.Service, who access.ViewerFunc, crowd *readers.Readers) *Dashboard {
	d := &Dashboard{service: f, who: who, mux: http.NewServeMux(), kept: readers.NewCache(crowd, response.size),
		now: time.Now, drawing: make(chan struct{}, 1), desk: desk.New(f, crowd)}
	d.SetSite(func(r *http.Request) string { return "http://" + r.Host })
	d.busy = d.trouble(readers.ErrBusy).draw()
	d.mux.HandleFunc("GET /{$}", d.page(d.onFront, d.front))
	d.mux.HandleFunc("GET "+league.Path, d.page(d.record, d.league))
	d.mux.HandleFunc("GET "+league.FeedPath, d.answer(d.record, d.leagueFeed, "lang"))
	d.mux.HandleFunc("GET /style", d.page(d.record, d.style))
	d.mux.HandleFunc("GET /join", d.page(d.record, join))
	d.mux.HandleFunc("GET /campaigns/{c}", d.page(d.ofCampaign, d.campaign, "at", "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/desk", d.page(d.ofCampaign, d.atDesk, "as", "event", "dispute", "taken",
		"correct"))
	d.mux.HandleFunc("POST /campaigns/{c}/desk", d.act)
	d.mux.HandleFunc("GET /campaigns/{c}/events", d.page(d.ofCampaign, d.events, "from", "turn", "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/events/{index}", d.page(d.ofCampaign, d.why, "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/events/{index}/proof", d.answer(d.ofCampaign, d.proof, "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/disputes/{index}", d.page(d.record, d.dispute, "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/rules", d.page(d.ofCampaign, d.rules, "at", "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/spaces/{space}", d.page(d.ofCampaign, d.space, "at", "before", "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/rules/{id}", d.page(d.record, d.rule, "at", "from", "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/overlay", d.page(d.ofCampaign, d.overlay, "size", "show", "at", "as"))
	d.mux.HandleFunc("GET /campaigns/{c}/map/{hash}/{file}", d.answer(d.ofCampaign, d.mapFile, "at"))
	d.mux.HandleFunc("GET /campaigns/{c}/feed.atom", d.answer(d.ofCampaign, d.feed, "lang"))
	d.mux.HandleFunc("GET /campaigns/{c}/preview.png", d.answer(d.ofCampaign, d.preview, "at", "lang"))
	d.mux.HandleFunc("GET /campaigns/{c}/events/{index}/preview.png", d.answer(d.ofCampaign, d.preview, "lang"))
	d.mux.HandleFunc("GET /campaigns/{c}/disputes/{index}/preview.png", d.answer(d.record, d.preview, "lang"))
	d.mux.HandleFunc("GET /embed/{c}", d.page(d.ofCampaign, d.embed, "at"))
	d.mux.HandleFunc("GET /campaigns/{$}", sendOn("/"))
	d.mux.HandleFunc("GET /campaigns", sendOn("/"))
	d.mux.HandleFunc("GET /campaigns/{c}/{$}", func(w http.ResponseWriter, r *http.Request) {
		sendOn(pathTo("campaigns", r.PathValue("c")))(w, r)
	})
	d.mux.Handle("GET "+sheets.Dir+"/{hash}/{file}", loaded())
	d.mux.HandleFunc("GET /", func(w http.ResponseWriter, r *http.Request) { d.trouble(errNoPage).draw().write(w, r) })
	return d
}

// asked reads the campaign and the event of a path, and who looks.
func (d *Dashboard) asked(r *http.Request) (c timeline.Campaign, viewer timeline.Viewer, index uint64, err error) {
	if index, err = strconv.ParseUint(r.PathValue("index"), 10, 64); err != nil {
		return c, viewer, index, errNoPage
	}
	c, viewer, err = d.looks(r)
	return c, viewer, index, err
}

// looks reads the campaign of a path, and who looks.
func (d *Dashboard) looks(r *http.Request) (c timeline.Campaign, viewer timeline.Viewer, err error) {
	if c, err = d.service.Campaign(r.PathValue("c")); err != nil {
		return c, viewer, err
	}
	viewer, err = d.who(r, c.ID)
	return c, viewer, err
}

// sendOn sends those on who typed an address almost right.
func sendOn(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, path, http.StatusPermanentRedirect) }
}

// SetTokenCheck sets who says whether a request brings a token, which its reader may put away at /logout.
func (d *Dashboard) SetTokenCheck(holds func(*http.Request) bool) { d.holds = holds }

// HeldFunc says as whom a request's tokens let its reader look at a campaign.
type HeldFunc func(r *http.Request, campaign string) []timeline.Viewer

// SetHeld sets who says as whom a reader may look, for the links by which he looks as another of those.
func (d *Dashboard) SetHeld(held HeldFunc) { d.held = held }

// SetSite sets by which address a request was sent, for links from elsewhere: https://watu.example.org.
func (d *Dashboard) SetSite(of func(*http.Request) string) { d.site = of }

// ServeHTTP answers with a page.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }
