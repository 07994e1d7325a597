package api

import (
	"errors"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// guests takes in requests that come over the network. What the umpire enters is heard at once; who reads waits his
// turn, and the public gets what was answered before as long as it is the same.
type guests struct {
	service *service.Service
	mux     *http.ServeMux
	kept    *readers.Cache[*exchange]
	known   map[string][]string // by pattern: the parameters of what is read
}

// parametersOf lists the parameters of every operation that reads, by its pattern.
func parametersOf(o *huma.OpenAPI) map[string][]string {
	known := map[string][]string{}
	for path, item := range o.Paths {
		if item.Get == nil {
			continue
		}
		list := []string{}
		for _, p := range item.Get.Parameters {
			if p.In == "query" {
				list = append(list, p.Name)
			}
		}
		known["GET "+path] = list
	}
	return known
}

// ServeHTTP answers a request.
func (d *guests) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, pattern := d.mux.Handler(r)
	known, reads := d.known[pattern]
	if p := unread(r); p != nil {
		p.send(w, r)
		return
	}
	if !reads {
		e := &exchange{answer: w, service: d.service}
		e.take(r, d.mux).send(w, r)
		r.Pattern = e.request.Pattern // by which requests are counted
		return
	}
	r.Pattern = pattern
	own := access.SendsTokens(r)
	e, done, err := d.kept.Serve(r, readers.Request[*exchange]{
		Parameters: known, Private: own, Version: d.version,
		Draw: func(r *http.Request) (*exchange, bool, error) {
			e := &exchange{service: d.service}
			if own {
				e.answer = w
			}
			if e.take(r, d.mux); !own {
				e.request = nil
			}
			return e, e.problem == nil && e.keep != never && e.status < http.StatusMultipleChoices, nil
		},
	})
	if err == nil {
		defer done()
	}
	d.answer(w, r, e, err)
}

// misread is the problem of a query that is not taken.
func misread(wrong *readers.ParameterError) *ProblemDetails {
	p := problemf(http.StatusBadRequest, "the request does not read: %v", wrong)
	if wrong.Name != "" {
		p.Where = "query." + wrong.Name
	}
	return p
}

// answer sends an answer, or why there is none now to whoever is still there.
func (d *guests) answer(w http.ResponseWriter, r *http.Request, e *exchange, err error) {
	var wrong *readers.ParameterError
	switch {
	case err == nil:
		e.send(w, r)
	case errors.As(err, &wrong):
		misread(wrong).send(w, r)
	case errors.Is(err, readers.ErrBusy):
		busy.send(w, r)
	case errors.Is(err, readers.ErrLong):
		long.send(w, r)
	case r.Context().Err() == nil:
		serviceProblem(d.service.PublicProblem(err)).send(w, r)
	}
}

// version is how far that has gone which an answer is of: a campaign, or the record where there may be
// something of others in it, as precedents are.
func (d *guests) version(r *http.Request) uint64 {
	name, rest, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, root+"/campaigns/"), "/")
	if !ok || strings.HasPrefix(rest, "disputes") {
		return d.service.Listed()
	}
	return d.service.Version(name)
}
