package web_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/rules"
)

// Every event of every bundled campaign has a page that says why it is as it is: whole, with the way
// to its neighbours, its hash, every rule of its derivation, and the cells consulted of every table.
func TestEveryEventSaysWhy(t *testing.T) {
	t.Parallel()
	g := played(t)
	lit := 0
	for _, k := range fixtures.Campaigns() {
		c, err := g.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for index := range c.Events {
			x, err := g.service.Explain(t.Context(), k.Name, index)
			if err != nil {
				t.Fatal(err)
			}
			page := g.page(t, fmt.Sprintf("/campaigns/%s/events/%d", k.Name, index))
			for _, part := range wanted(x, index, c.Events) {
				if !strings.Contains(page, part) {
					t.Errorf("%s #%d: its page has no %s", k.Name, index, part)
				}
			}
			n := strings.Count(page, `class="lit"`)
			if want := cellsConsulted(t, x); n < want {
				t.Errorf("%s #%d: %d cells are lit, and %d were consulted", k.Name, index, n, want)
			}
			lit += n
		}
	}
	if lit < 50 {
		t.Errorf("only %d cells are lit in all", lit)
	}
}

// wanted is what the page of an event must have.
func wanted(x service.Explanation, index, of uint64) []string {
	parts := []string{`id="why"`, `id="verify"`, x.Event.Hash.String(), x.Edition.Hash.String(),
		fmt.Sprintf("?at=%d\"", index)}
	if index > 0 {
		parts = append(parts, fmt.Sprintf(`rel="prev" href="/campaigns/%s/events/%d"`, x.Campaign, index-1),
			x.Event.Previous.String())
	}
	if index+1 < of {
		parts = append(parts, fmt.Sprintf(`rel="next" href="/campaigns/%s/events/%d"`, x.Campaign, index+1))
	}
	for _, k := range x.Derivation {
		parts = append(parts, fmt.Sprintf(`<a href="/campaigns/%s/rules/%s" class="rule" title="%s">%s</a>`, x.Campaign,
			url.PathEscape(k.Rule), k.Rule, strings.ReplaceAll(html.EscapeString(rules.TitleOf(k.Rule)), "+", "&#43;")))
	}
	rolls := x.Earlier
	if x.Roll != nil {
		rolls = append(rolls, *x.Roll)
	}
	for _, r := range rolls {
		for _, m := range r.Modifiers {
			parts = append(parts, m.Rule)
		}
		for _, l := range r.Links {
			parts = append(parts, l.Link.String())
		}
	}
	for _, s := range x.Secrets {
		parts = append(parts, s.Hash.String())
	}
	for _, d := range x.Disputes {
		parts = append(parts, fmt.Sprintf(`href="/campaigns/%s/disputes/%d"`, x.Campaign, d.Index))
	}
	return parts
}

// cellsConsulted is how many readings of a result are in a printed table.
func cellsConsulted(t *testing.T, x service.Explanation) (n int) {
	if x.Result == nil {
		return 0
	}
	for _, r := range x.Result.Readings {
		if r.Table == "" || r.Column == "" {
			continue
		}
		if r.Sheet == nil {
			t.Errorf("%s #%d: no cell of table %s was found for %s", x.Campaign, x.Event.Index, r.Table, r.Name)
		}
		n++
	}
	return n
}

// Every dispute has a page with its claim, and what was said and ruled.
func TestEveryDisputeHasItsPage(t *testing.T) {
	t.Parallel()
	g := played(t)
	all, err := g.service.Disputes("", timeline.DisputeFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all.Disputes) < 4 {
		t.Fatalf("%d disputes", len(all.Disputes))
	}
	for _, d := range all.Disputes {
		page := g.page(t, fmt.Sprintf("/campaigns/%s/disputes/%d", d.Campaign, d.Index))
		parts := []string{d.Claim.Claim}
		for _, s := range d.Statements {
			parts = append(parts, s.Text)
		}
		for _, e := range d.Evidence {
			for _, index := range e.Events {
				parts = append(parts, fmt.Sprintf(`href="/campaigns/%s/events/%d"`, d.Campaign, index))
			}
		}
		if d.Ruling != nil {
			parts = append(append(parts, d.Ruling.Reason), d.Ruling.Rules...)
		}
		for _, part := range parts {
			if !strings.Contains(html.UnescapeString(page), part) {
				t.Errorf("%s #%d: its page has no %q", d.Campaign, d.Index, part)
			}
		}
	}
}

// What players write is text on every page, and does nothing there.
func TestPlayersWriteTextAlone(t *testing.T) {
	t.Parallel()
	g := played(t)
	const evil = `<script>alert(1)</script><img src=x onerror=alert(2)>{{.}}"'&`
	g.begin(t, "hostile", "aar", g.straits(t))
	say := func(verb, body string) {
		t.Helper()
		g.submit(t, "hostile", fmt.Sprintf("campaign: hostile\nentries:\n  - {id: %s, %s: %s}\n", verb, verb, body))
	}
	quoted := `'` + strings.ReplaceAll(evil, `'`, `''`) + `'`
	c, err := g.service.Campaign("hostile")
	if err != nil {
		t.Fatal(err)
	}
	at := c.Events
	say("dispute", fmt.Sprintf("{event: 0, claim: %s}", quoted))
	say("statement", fmt.Sprintf("{dispute: %d, text: %s}", at, quoted))
	say("evidence", fmt.Sprintf("{dispute: %d, events: [0], note: %s}", at, quoted))
	say("ruling", fmt.Sprintf("{dispute: %d, ruling: upheld, reason: %s}", at, quoted))
	paths := []string{fmt.Sprintf("/campaigns/hostile/disputes/%d", at), "/campaigns/hostile/overlay",
		"/campaigns/hostile/events/0"}
	for i := range uint64(4) {
		paths = append(paths, fmt.Sprintf("/campaigns/hostile/events/%d", at+i))
	}
	for _, path := range paths {
		page := g.page(t, path)
		if strings.Contains(page, "<script>alert") || strings.Contains(page, "<img") {
			t.Errorf("%s: what a player wrote is markup", path)
		}
		if !strings.Contains(html.UnescapeString(page), evil) {
			t.Errorf("%s: what a player wrote is not told as he wrote it", path)
		}
	}
}

// What is not there is said, and is no fault.
func TestWhatIsNotThereIsSaid(t *testing.T) {
	t.Parallel()
	g := played(t)
	for path, text := range map[string]string{
		"/campaigns/straits-1942/events/99999":         "has no event #99999",
		"/campaigns/straits-1942/events/99999/proof":   "has no event #99999",
		"/campaigns/straits-1942/events/last":          "no such page",
		"/campaigns/straits-1942/events/last/proof":    "no such page",
		"/campaigns/straits-1942/disputes/3":           "opened no dispute",
		"/campaigns/straits-1942/disputes/x":           "no such page",
		"/campaigns/nowhere/events/1":                  "nowhere",
		"/campaigns/straits-1942/overlay?size=giant":   "an overlay has the size",
		"/campaigns/straits-1942/overlay?show=turn,xx": "an overlay shows",
	} {
		status, page := g.answer(t, path)
		if status != http.StatusNotFound || !strings.Contains(html.UnescapeString(page), text) {
			t.Errorf("%s: %d, without %q", path, status, text)
		}
	}
}

// An overlay shows what it is asked for, and stands still at a moment.
func TestOverlayShowsWhatIsAsked(t *testing.T) {
	t.Parallel()
	g := played(t)
	at := g.event(t, "straits-1942", "dispute_opened")
	page := g.page(t, fmt.Sprintf("/campaigns/straits-1942/overlay?size=huge&show=last,disputes&at=%d", at))
	for part, want := range map[string]bool{
		`class="overlay huge"`: true, "Disputed: ": true, "IPCs in hand": false, `class="band"`: false,
		"data-stream": false, "<header": false,
		fmt.Sprintf(`href="/campaigns/straits-1942/events/%d"`, at): true,
	} {
		if strings.Contains(page, part) != want {
			t.Errorf("%q: %v, want %v", part, !want, want)
		}
	}
	page = g.page(t, "/campaigns/straits-1942/overlay")
	for _, part := range []string{`class="overlay medium"`, "IPCs in hand", "Round 4", "data-stream", `class="band"`,
		"The US takes Western Europe"} {
		if !strings.Contains(page, part) {
			t.Errorf("nothing of %q", part)
		}
	}
}

// page gives a page that is there and is well-formed.
func (g *ground) page(t *testing.T, path string) string {
	t.Helper()
	status, page := g.answer(t, path)
	if status != http.StatusOK {
		t.Fatalf("%s: %d\n%s", path, status, page)
	}
	if err := balanced(page); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return page
}

func (g *ground) answer(t *testing.T, path string) (int, string) {
	t.Helper()
	r, err := http.Get(g.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

// balanced says which element of a page is not closed where it should be.
func balanced(page string) error {
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.Entity = false, xml.HTMLEntity
	var open []string
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch e := token.(type) {
		case xml.StartElement:
			if !slices.Contains(xml.HTMLAutoClose, e.Name.Local) {
				open = append(open, e.Name.Local)
			}
		case xml.EndElement:
			if slices.Contains(xml.HTMLAutoClose, e.Name.Local) {
				continue
			}
			if len(open) == 0 || open[len(open)-1] != e.Name.Local {
				return fmt.Errorf("</%s> closes %v", e.Name.Local, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%v are never closed", open)
	}
	return nil
}
