package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// spec is the document as far as answers are held against it.
type spec struct {
	Paths map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Responses   map[string]struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				} `json:"schema"`
			} `json:"content"`
		} `json:"responses"`
	} `json:"paths"`
}

// contract holds answers against the document.
type contract struct {
	spec
	compiler *jsonschema.Compiler
}

func newContract(t *testing.T) contract {
	t.Helper()
	raw, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	k := contract{compiler: jsonschema.NewCompiler()}
	if err := json.Unmarshal(raw, &k.spec); err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if err := k.compiler.AddResource("openapi.json", doc); err != nil {
		t.Fatal(err)
	}
	return k
}

// holds wants an answer to be as the operation of that id says.
func (k contract) holds(t *testing.T, id string, w *httptest.ResponseRecorder) {
	t.Helper()
	for _, methods := range k.Paths {
		for _, o := range methods {
			if o.OperationID != id {
				continue
			}
			stated, ok := o.Responses[fmt.Sprint(w.Code)]
			if !ok {
				stated = o.Responses["default"]
			}
			kind := w.Header().Get("Content-Type")
			content, ok := stated.Content[kind]
			if !ok {
				t.Fatalf("%s answers %d with %q, which the document does not say: %s", id, w.Code, kind, w.Body)
			}
			if content.Schema.Ref != "" {
				k.fits(t, id, content.Schema.Ref, w.Body.Bytes())
			}
			return
		}
	}
	t.Fatalf("the document has no operation %s", id)
}

func (k contract) fits(t *testing.T, id, ref string, body []byte) {
	t.Helper()
	schema, err := k.compiler.Compile("openapi.json" + ref)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	if err := schema.Validate(v); err != nil {
		t.Fatalf("%s: %v\n%.2000s", id, err, body)
	}
}

// readings are paths by operation: every operation that reads, asked of every bundled campaign.
func readings(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{
		"ledger": {"/ledger"}, "campaigns": {"/campaigns"},
		"disputes": {"/disputes", "/disputes?open=true", "/disputes?precedents=true"},
		"rules":    {"/rules"}, "rule": {"/rules/AAR-4-CAP", "/rules/amb-aar-1", "/rules/gen-pure"},
	}
	list, err := played.Campaigns()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Campaigns {
		at := "/campaigns/" + c.Name
		last := fmt.Sprint(c.Events - 1)
		add := func(id string, paths ...string) {
			for _, p := range paths {
				all[id] = append(all[id], at+p)
			}
		}
		add("campaign", "")
		add("turns", "/turns")
		add("board", "/board")
		add("checkpoint", "/checkpoint", "/checkpoint?events=3")
		add("roll", "/roll")
		add("record", "/record", "/record?from="+last)
		add("extension", "/extension?from=2&to="+last)
		add("events", "/events", "/events?limit=500", "/events?from="+last, "/events?turn="+url.QueryEscape(c.Turn))
		add("moment", "/moment", "/moment?at=3", "/moment?at="+last+"&as=public", "/moment?by=phase&from=4",
			"/moment?by=event&back=true&from=9",
			"/moment?at="+url.QueryEscape("turn:"+c.Turn))
		add("difference", "/difference?from=2&to="+last)
		add("campaign-disputes", "/disputes", "/disputes?precedents=true&rule=GEN-ALL")
		add("rulings", "/rulings")
		add("pending", "/pending")
		add("report", "/report", "/report?turn="+url.QueryEscape(c.Turn))
		add("editions", "/editions")
		for _, v := range c.Views {
			add("view", "/views/"+v, "/views/"+v+"?at=5")
		}
		log, err := played.Log(t.Context(), c.ID, 0, c.Events)
		if err != nil {
			t.Fatal(err)
		}
		types := map[events.Type]int{}
		for _, l := range log {
			if types[l.Type]++; types[l.Type]%8 == 1 || l.Corrects != 0 { // the first of each type is one of them
				add("explanation", fmt.Sprintf("/events/%d/explanation", l.Index))
				add("event", fmt.Sprintf("/events/%d", l.Index))
				add("proof", fmt.Sprintf("/events/%d/proof", l.Index))
				add("inclusion", fmt.Sprintf("/events/%d/inclusion?events=%d", l.Index, c.Events))
				add("bytes", fmt.Sprintf("/events/%d/bytes", l.Index))
			}
		}
	}
	reported, err := played.Disputes("", timeline.DisputeFilter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range reported.Disputes {
		all["dispute"] = append(all["dispute"], fmt.Sprintf("/campaigns/%s/disputes/%d", d.Campaign, d.Index))
	}
	return all
}

// Whatever there is to read is answered as the document says, to the public and to the umpire.
func TestAnswersAreAsDocumented(t *testing.T) {
	k, asked := newContract(t), readings(t)
	for path, methods := range k.Paths {
		if o, ok := methods["get"]; ok && asked[o.OperationID] == nil && o.OperationID != "follow" {
			t.Errorf("nothing is asked of %s", path)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(asked)) {
		for _, path := range asked[id] {
			for _, header := range [][]string{nil, {"Authorization", "Bearer umpire"}} {
				if header != nil && !slices.Contains([]string{"moment", "view", "difference", "report"}, id) {
					continue
				}
				w := get(t, front, path, header...)
				if w.Code != http.StatusOK {
					t.Fatalf("%s: %d %s", path, w.Code, w.Body)
				}
				k.holds(t, id, w)
			}
		}
	}
}

// The id of a rule that there is none of is not understood, and the nearest is named.
func TestUnknownRule(t *testing.T) {
	for _, at := range []string{"", "/campaigns/second-front-1944"} {
		w := get(t, front, at+"/disputes?rule=aar-5-onec")
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `the nearest is AAR-5-ONCE`) {
			t.Errorf("%q: %d %s", at, w.Code, w.Body)
		}
	}
	w := get(t, front, "/rules/aar-5-onec")
	if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), `the nearest is AAR-5-ONCE`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// A rule says what it says, and is found whatever the case of its letters.
func TestRule(t *testing.T) {
	body := get(t, front, "/rules/amb-aar-1").Body.String()
	for _, want := range []string{`"id":"AMB-AAR-1"`, `"title":`, `"paragraph":"4, third`, `"sentence":`, `"example":`,
		`"system":"aar"`, `"option":"convoy_raid_cap"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// The document is itself what it says, in both forms, and the page lists every operation.
func TestDocumentIsServed(t *testing.T) {
	want, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	if w := get(t, front, "/openapi.json"); !bytes.Equal(w.Body.Bytes(), want) ||
		w.Header().Get("Content-Type") != "application/openapi+json" {
		t.Errorf("%s", w.Header())
	}
	if w := get(t, front, "/openapi.yaml"); w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(),
		"components:") {
		t.Errorf("%d %.100s", w.Code, w.Body)
	}
	page := get(t, front, "/").Body.String()
	for path := range newContract(t).Paths {
		if !strings.Contains(page, "<code>GET "+path+"</code>") && !strings.Contains(page, "<code>POST "+path+
			"</code>") {
			t.Errorf("the page does not list %s", path)
		}
	}
	if strings.Contains(page, "://") || strings.Contains(page, "<script") {
		t.Error("the page asks elsewhere")
	}
}

// Page by page, on and back, every event comes once.
func TestPages(t *testing.T) {
	list, err := played.Campaigns()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list.Campaigns {
		all, err := played.Log(t.Context(), c.ID, 0, c.Events)
		if err != nil {
			t.Fatal(err)
		}
		var there, back []timeline.LogEvent
		path, last := "/campaigns/"+c.Name+"/events?limit=37", ""
		for path != "" {
			w := get(t, front, path)
			p := into[Page](t, w)
			there, last, path = append(there, p.Events...), path, linked(w, "next")
			if (p.Next == nil) != (path == "") {
				t.Fatalf("next is %v, and the link %q", p.Next, path)
			}
		}
		for path = last; path != ""; {
			w := get(t, front, path)
			back, path = append(into[Page](t, w).Events, back...), linked(w, "prev")
		}
		for _, reported := range [][]timeline.LogEvent{there, back} {
			if len(reported) != len(all) {
				t.Fatalf("%d events of %d", len(reported), len(all))
			}
			for i := range reported {
				if reported[i].Hash != all[i].Hash || reported[i].CorrectedBy != all[i].CorrectedBy {
					t.Errorf("#%d is another on its page", i)
				}
			}
		}
		if p := into[Page](t, get(t, front, fmt.Sprintf("/campaigns/%s/events?from=%d", c.ID,
			c.Events))); len(p.Events) != 0 || p.Next != nil {
			t.Errorf("behind the last event there is %v", p)
		}
	}
}

// linked gives the path of a Link header, below the root.
func linked(w *httptest.ResponseRecorder, rel string) string {
	for _, line := range w.Header().Values("Link") {
		if target, is, ok := strings.Cut(line, ">; rel="); ok && is == `"`+rel+`"` {
			return strings.TrimPrefix(strings.TrimPrefix(target, "<"), root)
		}
	}
	return ""
}
