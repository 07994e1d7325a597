package api

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/rules"
)

// ProblemDetails is why a request came to nothing (RFC 9457).
type ProblemDetails struct {
	Type   string   `json:"type" format:"uri" doc:"urn:watu:problem:refused, for example; docs/api.md lists all"`
	Title  string   `json:"title" doc:"the kind of problem in words; the same whenever it occurs"`
	Status int      `json:"status" doc:"the HTTP status of the answer"`
	Detail string   `json:"detail" doc:"what is wrong, where, and what to do"`
	Rule   string   `json:"rule,omitempty" doc:"the rule that says so, or INPUT, or LEDGER" example:"AWAW-48.81"`
	About  string   `json:"rule_title,omitempty" doc:"what the rule is about, in a few words"`
	Where  string   `json:"where,omitempty" doc:"the place in the request or in the file" example:"turn.yaml:12"`
	Report []string `json:"report,omitempty" doc:"further lines for people"`
}

// Error is the problem in a line.
func (p *ProblemDetails) Error() string { return p.Detail }

// GetStatus is the HTTP status.
func (p *ProblemDetails) GetStatus() int { return p.Status }

// ContentType is that of a problem.
func (p *ProblemDetails) ContentType(string) string { return "application/problem+json" }

func (p *ProblemDetails) write(to *bytes.Buffer) {
	e := json.NewEncoder(to)
	e.SetEscapeHTML(false)
	_ = e.Encode(p) // strings and numbers, into memory
}

// kinds are the types of problems by status, and what each is called.
var kinds = map[int]struct{ name, title string }{
	http.StatusBadRequest:            {"input", "Not understood"},
	http.StatusUnauthorized:          {"unauthorised", "A token is needed"},
	http.StatusForbidden:             {"forbidden", "Not for this viewer"},
	http.StatusNotFound:              {"not-found", "Not found"},
	http.StatusMethodNotAllowed:      {"method", "Not done here"},
	http.StatusRequestTimeout:        {"input", "Not understood"},
	http.StatusMisdirectedRequest:    {"misdirected", "Not this server"},
	http.StatusConflict:              {"unverified", "Does not verify"},
	http.StatusRequestEntityTooLarge: {"input", "Not understood"},
	http.StatusUnsupportedMediaType:  {"media", "Not in this form"},
	http.StatusUnprocessableEntity:   {"refused", "Refused"},
	http.StatusTooManyRequests:       {"busy", "Too many ask"},
	http.StatusInternalServerError:   {"failed", "A fault here"},
	http.StatusServiceUnavailable:    {"unreachable", "Nobody answers"},
}

// types begins the type of every problem.
const types = "urn:watu:problem:"

// problemf makes a problem of a status and a message.
func problemf(status int, format string, args ...any) *ProblemDetails {
	kind, ok := kinds[status]
	if !ok {
		kind.name, kind.title = "input", http.StatusText(status)
	}
	p := &ProblemDetails{Type: types + kind.name, Title: kind.title, Status: status,
		Detail: fmt.Sprintf(format, args...)}
	switch kind.name {
	case "input", "not-found", "method", "media":
		p.Rule = rules.Input
	case "refused", "forbidden", "unauthorised":
		p.Rule = rules.Ledger
	}
	return p
}

// problemOf makes a problem of an error, as those see it who ask over the network.
func (e *exchange) problemOf(err error) *ProblemDetails {
	var p *ProblemDetails
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, readers.ErrBusy):
		return busy
	case e.owned:
		return serviceProblem(problem.Of(err))
	}
	return serviceProblem(e.service.PublicProblem(err))
}

// serviceProblem says what the service says.
func serviceProblem(o *problem.Problem) *ProblemDetails {
	p := problemf(o.Status(), "%s", o.Message)
	if o.Kind == problem.Diverged {
		p.Type, p.Title = types+"diverged", "Copies differ"
	}
	p.Rule, p.About, p.Where, p.Report = o.RuleID(), o.Title, o.Where, o.Report
	return p
}

// problem is the same as the service says it.
func (p *ProblemDetails) problem() *problem.Problem {
	message := strings.Join(strings.FieldsFunc(p.Detail, unicode.IsControl), "; ") // of a host who is not believed
	out := &problem.Problem{Kind: problem.Input, Message: message, Rule: p.Rule, Title: p.About,
		Where: p.Where, Report: p.Report}
	if p.Rule == rules.Ledger { // as a service has it that names no rule: see [problem.Problem.RuleID]
		out.Rule = ""
	}
	switch kind := problem.Kind(strings.TrimPrefix(p.Type, types)); kind {
	case problem.Failed, problem.Unverified, problem.Diverged, problem.Unreachable, problem.Refused:
		out.Kind = kind
	}
	return out
}

// unknown is the error of what a path names: if that is not understood, it is not here.
func unknown(err error) error {
	if o := problem.Of(err); o != nil && o.Kind == problem.Input {
		return problemf(http.StatusNotFound, "%s", o.Message)
	}
	return err
}

// denied is the error of somebody who may not look, or not say what he says: without a token that holds
// he needs one, with one it is another's.
func (x *api) denied(r *http.Request, err error) error {
	var p *ProblemDetails
	o := problem.Of(err)
	if x.owned || errors.As(err, &p) || o == nil || o.Kind != problem.Refused {
		return err
	}
	status := http.StatusForbidden
	if sent := r.Header.Get("Authorization"); sent != "" {
		_, token, _ := strings.Cut(sent, " ")
		if _, err := x.service.Grant(token); err != nil {
			status = http.StatusUnauthorized
		}
	} else if !access.SendsTokens(r) {
		status = http.StatusUnauthorized
	}
	return problemf(status, "%s", o.Message)
}

// busy says that too many ask.
var busy = &ProblemDetails{
	Type: types + "busy", Title: "Too many ask", Status: http.StatusServiceUnavailable, Detail: readers.ErrBusy.Error(),
}

// long says that an answer takes too long to make.
var long = &ProblemDetails{
	Type: types + "busy", Title: "Too long to make", Status: http.StatusServiceUnavailable,
	Detail: readers.ErrLong.Error(),
}

// send answers with the problem.
func (p *ProblemDetails) send(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	p.write(&b)
	h := w.Header()
	for _, name := range []string{"ETag", "Link", "Content-Disposition"} {
		h.Del(name)
	}
	h.Set("Content-Type", "application/problem+json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if p.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="watu"`)
	}
	if p == busy || p == long {
		readers.SetRetryAfter(w)
	}
	flush(w, r, p.Status, b.Bytes())
}

// Refuse answers with a problem. It is for those who stand before the interface, and let no request in.
func Refuse(w http.ResponseWriter, status int, detail string) {
	problemf(status, "%s", detail).send(w, &http.Request{})
}

// unfound says what a mux has no words for.
func unfound(r *http.Request, status int) *ProblemDetails {
	switch status {
	case http.StatusNotFound:
		return problemf(status, "there is nothing at %s: begin at %s/", r.URL.Path, root)
	case http.StatusMethodNotAllowed:
		return problemf(status, "%s is not done at %s", r.Method, r.URL.Path)
	}
	return problemf(status, "%s %s cannot be answered", r.Method, r.URL.Path)
}

// understood makes a problem of what huma finds in a request.
func understood(ctx huma.Context, _ string, v any) (any, error) {
	found, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	status := found.Status
	// for the rules; and a body that breaks off
	if status == http.StatusUnprocessableEntity || status == http.StatusInternalServerError {
		status = http.StatusBadRequest
	}
	p := problemf(status, "%s", found.Detail)
	var list []string
	for _, d := range found.Errors {
		if p.Where == "" {
			p.Where = d.Location
		}
		list = append(list, strings.TrimSuffix(d.Location+": ", ": ")+": "+d.Message)
	}
	if len(list) > 0 {
		p.Detail = "the request does not read: " + strings.Join(list, "; ")
	}
	if e, ok := ctx.Context().Value(exchangeKey{}).(*exchange); ok {
		e.problem = p
	}
	return p, nil
}

// troubles documents a problem.
func troubles() *huma.Response {
	return &huma.Response{
		Description: "a problem, in words",
		Content: map[string]*huma.MediaType{"application/problem+json": {Schema: &huma.Schema{Ref: schemas +
			nameOf(reflect.TypeFor[ProblemDetails](), "")}}},
	}
}
