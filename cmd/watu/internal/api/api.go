// Package api is the one interface of watu over HTTP, under /api/v1, and its client. One table has the operations: what
// anybody may read of a ledger and its campaigns, and what sides and umpires may say ([table]). Two handlers give them.
//
//   - [New] is for guests, over the network: who looks follows from a token, what many ask is made by few at a time and
//     kept, and trouble of this machine is not shown. It is described by an OpenAPI 3.1 document that is made of this
//     code, at /api/v1/openapi.json.
//   - [Owner] is for whoever holds the directory, over its unix socket or in the same process: the umpire of every
//     campaign, bounded by nobody. The owner alone opens campaigns, issues tokens, follows the log, exports, audits,
//     verifies, makes backups and builds views again; these operations are in [api.ownerOnly]. A long answer comes as
//     JSON, a [ProgressLine] a line.
//
// [Client] is how the command line asks the owner's handler.
//
// The shapes are those of package service, which decides what a viewer may know; package access decides
// who a guest is. Here an answer becomes HTTP: errors are problems (RFC 9457), what cannot change is cached
// for good, everything else is asked for again with its entity tag. See docs/api.md.
package api

import (
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// api answers for one ledger.
type api struct {
	service *service.Service
	who     access.ViewerFunc
	crowd   *readers.Readers
	owned   bool // whoever holds the directory asks: the umpire of every campaign, whom nobody bounds
}

// New gives the handler of everything under /api/v1, for readers who share their bounds with others. Feed
// streams the events of the campaign that the path's {c} names; with nil there is no stream.
func New(f *service.Service, who access.ViewerFunc, crowd *readers.Readers, feed http.Handler) http.Handler {
	mux := http.NewServeMux()
	o := operations(&api{service: f, who: who, crowd: crowd}, mux)
	published(mux, o)
	outer := http.NewServeMux()
	kept := readers.NewCache(crowd, (*exchange).size)
	outer.Handle("/", &guests{service: f, mux: mux, known: parametersOf(o), kept: kept})
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
	for _, r := range x.routes() {
		r.register(h, r.Operation)
	}
}

// routes are the operations, in the order of the document.
func (x *api) routes() (t table) {
	x.ledger(&t)
	x.events(&t)
	x.checkpoints(&t)
	x.rolls(&t)
	x.moments(&t)
	x.disputes(&t)
	x.pending(&t)
	x.rulebook(&t)
	x.commands(&t)
	x.signed(&t)
	return t
}

const root = "/api/v1"

// table lists operations, and how each is put on an interface.
type table []route

type route struct {
	huma.Operation
	register func(huma.API, huma.Operation)
}

// read adds something to read.
func read[I, O any](t *table, id, path, tag, summary, description string, do func(*exchange, *I) (O, error)) {
	o := operation(http.MethodGet, id, path, tag, summary, description)
	*t = append(*t, route{o, func(h huma.API, o huma.Operation) { huma.Register(h, o, handler(do)) }})
}

// say adds something to say.
func say[I, O any](t *table, id, path, summary, description string, do func(*exchange, *I) (O, error)) {
	o := operation(http.MethodPost, id, path, "commands", summary, description)
	o.Security = []map[string][]string{{"token": {}}, {"session": {}}}
	o.MaxBodyBytes = mostBody
	*t = append(*t, route{o, func(h huma.API, o huma.Operation) { huma.Register(h, o, handler(do)) }})
}

func operation(method, id, path, tag, summary, description string) huma.Operation {
	o := huma.Operation{
		Method: method, OperationID: id, Path: root + path, Tags: []string{tag}, Summary: summary,
		Description: description,
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
