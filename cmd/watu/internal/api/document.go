package api

import (
	"bytes"
	"embed"
	"encoding/json"
	"html/template"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

const schemas = "#/components/schemas/"

//go:embed index.html
var files embed.FS

var index = template.Must(template.ParseFS(files, "index.html"))

// configuration is huma's, with nothing that asks other hosts, and formats of its own.
func configuration() huma.Config {
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "watu", Version: "1", Description: about,
				License: &huma.License{Name: "Apache 2.0", Identifier: "Apache-2.0"},
			},
			Tags: []*huma.Tag{
				{Name: "ledger", Description: "the ledger and its campaigns"},
				{Name: "events", Description: "what happened, and why"},
				{Name: "moments", Description: "a campaign at a moment, as a viewer may know it"},
				{Name: "disputes", Description: "what is contested, and how it was ruled"},
				{Name: "rules", Description: "how a campaign reads its rules"},
				{Name: "commands", Description: "what sides and umpires say"},
			},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry(schemas, nameOf),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token": {Type: "http", Scheme: "bearer", Description: "a token that the umpire gave out"},
					"session": {Type: "apiKey", In: "cookie", Name: "__Host-watu",
						Description: "the same token, kept by the pages after /login"},
				},
			},
		},
		Formats: map[string]huma.Format{"application/json": huma.DefaultJSONFormat,
			"json": huma.DefaultJSONFormat},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{understood},
	}
}

const about = `A ledger of wargame campaigns: what was declared, rolled, drawn and ruled, and why.

Everything that is public needs no token. A token shows, beside that, what its viewer may know. What goes
wrong is answered with application/problem+json. A campaign is called by its name or by its ULID; what
cannot change may be kept for good where it was asked for by ULID, everything else is asked for again
with If-None-Match.`

// nameOf names a schema: that of a use case by its type, that of another package by package and type.
func nameOf(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	name := huma.DefaultSchemaNamer(t, hint)
	parts := strings.Split(t.PkgPath(), "/")
	switch of := parts[len(parts)-1]; of {
	case "", "service", "maintenance", "problem", "timeline", "api":
		return name
	default:
		return strings.ToUpper(of[:1]) + of[1:] + name
	}
}

// complete puts into the document what is not made of the operations, and takes out what they do not give.
func complete(o *huma.OpenAPI) {
	o.Components.Schemas.Schema(reflect.TypeFor[ProblemDetails](), true, "")
	unseen := []reflect.Type{ // see understood, and api.view
		reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[huma.ErrorDetail](),
		reflect.TypeFor[timeline.PendingCount](),
	}
	for _, t := range unseen {
		delete(o.Components.Schemas.Map(), nameOf(t, ""))
	}
	describe(o.Components.Schemas)
	describeParameters(o)
	o.AddOperation(&huma.Operation{
		Method: http.MethodGet, Path: root + "/campaigns/{c}/live", OperationID: "follow", Tags: []string{"events"},
		Summary: "Follow a campaign",
		Description: "Server-sent events: one of the name `event` for each event of the record, in order and without " +
			"gaps. `id` is the event's index, so that Last-Event-ID goes on behind it; `data` is one JSON object. " +
			"A stream begins behind the last event, or with the one that from names. " +
			"The same stream is at /campaigns/{c}/live.",
		Parameters: []*huma.Param{
			{Name: "c", In: "path", Required: true, Description: called, Schema: &huma.Schema{Type: huma.TypeString}},
			{Name: "Last-Event-ID", In: "header", Description: "the index of the last event that came",
				Schema: &huma.Schema{Type: huma.TypeString}},
			{Name: "from", In: "query", Description: "the index of the first event that is wanted: 0 gives all",
				Schema: &huma.Schema{Type: huma.TypeInteger}},
		},
		Responses: map[string]*huma.Response{
			"200": {Description: "the stream",
				Content: map[string]*huma.MediaType{
					"text/event-stream": {Schema: &huma.Schema{Type: huma.TypeString}},
				}},
		},
	})
}

// parameters describes the query parameters whose text is too long for a tag.
var parameters = map[string]string{
	"as": "who looks: public, umpire, commentator or a side by any of its names; by default whoever the token is " +
		"for. More than the token's viewer may know is refused",
	"at": "the moment after an event, 57; the end of a turn, Winter 1941 or turn:Winter 1941; dispute:57, where a " +
		"dispute was opened; by default the head",
	"by": "in place of at: the next stop of this kind after from, or with back the one before it; by default " +
		"turn",
	"from":     "how many events had happened at the stop to start from",
	"unlikely": "the greatest chance of a throw that counts as far from expectation",
}

func describeParameters(o *huma.OpenAPI) {
	for _, item := range o.Paths {
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Delete} {
			if op == nil {
				continue
			}
			for _, p := range op.Parameters {
				put(&p.Description, parameters[p.Name])
			}
		}
	}
}

const called = "the campaign's name or ULID"

// Document is the OpenAPI document, in JSON for people.
func Document() ([]byte, error) { return documentOf(operations(&api{}, http.NewServeMux())) }

func documentOf(o *huma.OpenAPI) ([]byte, error) {
	b, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, b, "", " "); err != nil {
		return nil, err
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

// listed is an operation on the page.
type listed struct{ Method, Path, Summary, Description string }

// published answers with the document and with a page that lists what there is, each made when it is first asked for.
func published(mux *http.ServeMux, o *huma.OpenAPI) {
	give := func(path, kind string, body func() ([]byte, error)) {
		once := sync.OnceValues(body)
		mux.HandleFunc("GET "+root+path, func(w http.ResponseWriter, _ *http.Request) {
			body, err := once()
			if err != nil {
				panic(err) // it is made of this code alone
			}
			w.Header().Set("Content-Type", kind)
			_, _ = w.Write(body)
		})
	}
	give("/openapi.json", "application/openapi+json", func() ([]byte, error) { return documentOf(o) })
	give("/openapi.yaml", "application/openapi+yaml", o.YAML)
	give("/{$}", "text/html; charset=utf-8", func() ([]byte, error) {
		var page bytes.Buffer
		err := index.Execute(&page, listing(o))
		return page.Bytes(), err
	})
}

// listing is the operations by path, reading operations first.
func listing(o *huma.OpenAPI) (list []listed) {
	for _, path := range slices.Sorted(maps.Keys(o.Paths)) {
		for _, at := range []struct {
			method string
			*huma.Operation
		}{{http.MethodGet, o.Paths[path].Get}, {http.MethodPost, o.Paths[path].Post}} {
			if at.Operation != nil {
				list = append(list, listed{at.method, path, at.Summary, at.Description})
			}
		}
	}
	return list
}
