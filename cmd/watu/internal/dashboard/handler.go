package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/delta"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/sheets"
)

// version says what a page is of, as far as it goes by now: a page is kept until that goes on.
type version func(r *http.Request) uint64

// record is the version of what shows more than one campaign.
func (d *Dashboard) record(*http.Request) uint64 { return d.service.Listed() }

// ofCampaign is the version of what shows one campaign alone.
func (d *Dashboard) ofCampaign(r *http.Request) uint64 { return d.service.Version(r.PathValue("c")) }

// page answers with what draw gives, or with a page that says what is wrong. known are the parameters that
// the page takes.
func (d *Dashboard) page(of version, draw func(*http.Request) (page, error), known ...string) http.HandlerFunc {
	return d.answer(of, func(r *http.Request) response {
		p, err := draw(r)
		if err != nil {
			p = d.trouble(err)
		}
		return d.dressed(r, p).draw()
	}, append(known, "lang")...)
}

// dressed gives a page what stands on all of them.
func (d *Dashboard) dressed(r *http.Request, p page) page {
	p.Stopped = d.service.Stopped()
	p.lang = languageOf(r)
	p.Holds = d.holds != nil && d.holds(r)
	if p.Share != nil {
		p.Share.In(p.lang).Site = d.site(r)
	}
	if p.Campaign != "" {
		p.As = r.URL.Query().Get("as")
		if p.Holds && d.held != nil {
			p.Others = others(r, p.Viewer, d.held(r, p.Campaign))
		}
		p.Lacking = d.service.Incomplete(p.Campaign)
	}
	return p
}

// answer answers with what draw gives. A reader who carries nothing gets what the public got before, as long as
// what it is of is the same.
func (d *Dashboard) answer(of version, draw func(*http.Request) response, known ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if slices.Contains(known, "lang") {
			r = tongued(w, r)
		}
		own, whose := access.SendsTokens(r), access.Sender(r)
		p, done, err := d.kept.Serve(r, readers.Request[response]{
			Parameters: known, Private: own, Version: of,
			Variant: d.service.Stopped() + "\x00" + d.site(r), // which every page says
			Draw: func(r *http.Request) (response, bool, error) {
				p := draw(r)
				if p.follows {
					d.sent.Remember(whose, p.tag, p.bytes)
				}
				if !own {
					p = p.pack()
				}
				return p, p.status == http.StatusOK && !p.passing, nil
			},
		})
		if err != nil {
			d.refuse(w, r, err)
			return
		}
		defer done()
		now := delta.Page{Whose: whose, Tag: p.tag, Data: p.bytes, Packed: p.patches}
		if !p.follows || !d.sent.Serve(w, r, now, sheets.Unpacks(r)) {
			p.write(w, r)
		}
	}
}

// refuse says that a page is not drawn now, to whoever is still there.
func (d *Dashboard) refuse(w http.ResponseWriter, r *http.Request, err error) {
	var misread *readers.ParameterError
	switch {
	case errors.As(err, &misread):
		d.misread(err).write(w, r)
	case errors.Is(err, readers.ErrBusy):
		readers.SetRetryAfter(w)
		d.busy.write(w, r)
	case errors.Is(err, readers.ErrLong):
		readers.SetRetryAfter(w)
		d.trouble(err).draw().write(w, r)
	case r.Context().Err() == nil:
		d.trouble(err).draw().write(w, r)
	}
}

// misread is the page for an address whose parameters are not those of its page.
func (d *Dashboard) misread(err error) response {
	return page{name: "trouble", Title: "Not understood", status: http.StatusBadRequest, Body: err.Error()}.draw()
}
