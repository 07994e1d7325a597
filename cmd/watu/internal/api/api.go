// Package api is the public interface under /api/v1: what anybody may read of a ledger and its
// campaigns, and what sides and umpires may say. It is described by an OpenAPI 3.1 document that is made
// of this code, at /api/v1/openapi.json.
//
// The shapes are those of package service, which decides what a viewer may know; package access decides
// who looks. Here an answer becomes HTTP: errors are problems (RFC 9457), what cannot change is cached
// for good, everything else is asked for again with its entity tag. See docs/api.md.
package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// Who decides who looks at a campaign.
type Who func(r *http.Request, campaign string) (service.Viewer, error)

// api answers for one ledger.
type api struct {
	service *service.Service
	who     Who
	crowd   *readers.Readers
}

// New gives the handler of everything under /api/v1, for readers who share their bounds with others. Feed
// streams the events of the campaign that the path's {c} names; with nil there is no stream.
func New(f *service.Service, who Who, crowd *readers.Readers, feed http.Handler) http.Handler {
	mux := http.NewServeMux()
	o := operations(&api{service: f, who: who, crowd: crowd}, mux)
	published(mux, o)
	outer := http.NewServeMux()
	kept := readers.AnswersOf(crowd, (*exchange).size)
	outer.Handle("/", &desk{service: f, mux: mux, known: parametersOf(o), kept: kept})
	if feed != nil {
		outer.Handle("GET "+root+"/campaigns/{c}/live", streaming(feed))
	}
	return outer
}

// operations puts the operations on a mux, and gives the document that describes them.
func operations(x *api, mux *http.ServeMux) *huma.OpenAPI {
	h := humago.New(mux, configuration())
	x.register(h)
	complete(h.OpenAPI())
	return h.OpenAPI()
}

func (x *api) register(h huma.API) {
	x.ledger(h)
	x.events(h)
	x.moments(h)
	x.disputes(h)
	x.pending(h)
	x.rulebook(h)
	x.commands(h)
}

const root = "/api/v1"

// read registers something to read.
func read[I, O any](h huma.API, id, path, tag, summary, description string, do func(*exchange, *I) (O, error)) {
	huma.Register(h, operation(http.MethodGet, id, path, tag, summary, description), handler(do))
}

// say registers something to say.
func say[I, O any](h huma.API, id, path, summary, description string, do func(*exchange, *I) (O, error)) {
	o := operation(http.MethodPost, id, path, "commands", summary, description)
	o.Security = []map[string][]string{{"token": {}}, {"session": {}}}
	o.MaxBodyBytes = mostBody
	huma.Register(h, o, handler(do))
}

func operation(method, id, path, tag, summary, description string) huma.Operation {
	o := huma.Operation{
		Method: method, OperationID: id, Path: root + path, Tags: []string{tag}, Summary: summary, Description: description,
		// A misspelt parameter must not pass for one left out.
		RejectUnknownQueryParameters: true,
		Responses: map[string]*huma.Response{
			"200":     {Description: "as asked for", Headers: map[string]*huma.Header{"Cache-Control": keeping}},
			"default": troubles(),
		},
	}
	if method == http.MethodGet {
		o.Responses["200"].Headers["ETag"] = tagged
		o.Responses["304"] = &huma.Response{Description: "the client has it, as If-None-Match says"}
		o.Security = []map[string][]string{{}, {"token": {}}, {"session": {}}} // none is needed
	}
	return o
}

var (
	keeping = header("how the answer may be kept")
	tagged  = header("what the answer is, for If-None-Match; left out of what is for one viewer alone")
)

func header(description string) *huma.Header {
	return &huma.Header{Description: description, Schema: &huma.Schema{Type: huma.TypeString}}
}
