package dashboard

import (
	"net/http"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// Who decides who looks at a campaign: from what the request carries, and never more than that may
// know.
type Who func(r *http.Request, campaign string) (office.Viewer, error)

// Dashboard draws the pages of one ledger. It is safe for concurrent use.
type Dashboard struct {
	office *office.Office
	who    Who
	holds  func(*http.Request) bool
	mux    *http.ServeMux
	shelf  shelf
	boards mapBoards
}

// New gives the pages of the office's ledger.
func New(f *office.Office, who Who) *Dashboard {
	d := &Dashboard{office: f, who: who, mux: http.NewServeMux()}
	d.mux.HandleFunc("GET /{$}", d.page(d.campaigns))
	d.mux.HandleFunc("GET /campaigns/{c}", d.page(d.campaign))
	d.mux.HandleFunc("GET /campaigns/{c}/events", d.page(d.events))
	d.mux.HandleFunc("GET /campaigns/{c}/events/{index}", d.page(d.why))
	d.mux.HandleFunc("GET /campaigns/{c}/events/{index}/proof", d.proof)
	d.mux.HandleFunc("GET /campaigns/{c}/disputes/{index}", d.page(d.dispute))
	d.mux.HandleFunc("GET /campaigns/{c}/rules", d.page(d.rules))
	d.mux.HandleFunc("GET /campaigns/{c}/rules/{id}", d.page(d.rule))
	d.mux.HandleFunc("GET /campaigns/{c}/overlay", d.page(d.overlay))
	d.mux.HandleFunc("GET /campaigns/{$}", sendOn("/"))
	d.mux.HandleFunc("GET /campaigns", sendOn("/"))
	d.mux.HandleFunc("GET /campaigns/{c}/{$}", func(w http.ResponseWriter, r *http.Request) {
		sendOn(pathTo("campaigns", r.PathValue("c")))(w, r)
	})
	d.mux.HandleFunc("GET /static/{hash}/{file}", static)
	d.mux.HandleFunc("GET /", d.page(func(*http.Request) (page, error) { return page{}, errNoPage }))
	return d
}

// asked reads the campaign and the event of a path, and who looks.
func (d *Dashboard) asked(r *http.Request) (c office.Campaign, looks office.Viewer, index uint64, err error) {
	if index, err = strconv.ParseUint(r.PathValue("index"), 10, 64); err != nil {
		return c, looks, index, errNoPage
	}
	if c, err = d.office.Campaign(r.PathValue("c")); err != nil {
		return c, looks, index, err
	}
	looks, err = d.who(r, c.ID)
	return c, looks, index, err
}

// sendOn sends those on who typed an address almost right.
func sendOn(path string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, path, http.StatusPermanentRedirect) }
}

// Asks sets who says whether a request brings a token, which its reader may put away at /logout.
func (d *Dashboard) Asks(holds func(*http.Request) bool) { d.holds = holds }

// ServeHTTP answers with a page.
func (d *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.mux.ServeHTTP(w, r) }

// page answers with what draw gives, or with a page that says what is wrong. A reader who carries
// nothing gets the page that the public got before, as long as the record is the same.
func (d *Dashboard) page(draw func(*http.Request) (page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		stopped := d.office.Stopped()
		anew := func() drawn {
			p, err := draw(r)
			if err != nil {
				p = d.trouble(err)
			}
			p.Stopped = stopped
			p.Holds = d.holds != nil && d.holds(r)
			if p.Campaign != "" {
				p.As = r.URL.Query().Get("as")
			}
			return p.draw()
		}
		if access.Carries(r) {
			anew().write(w, r)
			return
		}
		d.shelf.get(r.URL.RequestURI()+stopped, d.office.Durable(), anew).write(w, r)
	}
}
