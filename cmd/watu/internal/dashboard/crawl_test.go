package dashboard

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
	"golang.org/x/net/html"
)

// elsewhere are the paths that other packages answer.
var elsewhere = regexp.MustCompile(`^/(login|logout|api/.*|(campaigns/[^/]+/)?live)$`)

// ruleThen is a rule at a moment. There are as many of these as rules times events: only those at moments
// that end in 40 are looked at.
var ruleThen = regexp.MustCompile(`/rules/.*\bat=(\d*[0-35-9])?\d$|/rules/.*\bat=\d*4[1-9]$`)

// crawler follows every link of the pages of one campaign.
type crawler struct {
	t     *testing.T
	d     *Dashboard
	under string // the campaign's path: what lies under it is followed on
	seen  map[string]bool
	todo  []string
	from  map[string]string // where a link was found first
	tried *longrun.Sample   // of links that differ in their numbers alone
}

var number = regexp.MustCompile(`\d+`)

// Every link on the pages leads to a page: from the list of campaigns to why an event is as it is.
func TestEveryLinkLeadsSomewhere(t *testing.T) {
	d, _ := pages(t)
	for _, campaign := range []string{"straits-1942", "second-front-1944"}[:longrun.Of(1, 2)] {
		c := &crawler{t: t, d: d, under: "/campaigns/" + campaign, seen: map[string]bool{}, from: map[string]string{},
			tried: longrun.OneOf(6)}
		c.found("/", "")
		for len(c.todo) > 0 {
			next := c.todo[0]
			c.todo = c.todo[1:]
			c.visit(next)
		}
		if len(c.seen) < 20 {
			t.Errorf("only %d pages were found from %s", len(c.seen), c.under)
		}
		t.Logf("%s: %d pages", campaign, len(c.seen))
	}
}

// found notes a link, once.
func (c *crawler) found(link, on string) {
	if !c.seen[link] && !ruleThen.MatchString(link) {
		c.seen[link] = true
		c.from[link] = on
		if c.tried.Has(number.ReplaceAllString(link, "N")) {
			c.todo = append(c.todo, link)
		}
	}
}

// visit reads a page and notes its links; a page of another campaign is looked at, and not followed.
func (c *crawler) visit(link string) {
	u, err := url.Parse(link)
	if err != nil {
		c.t.Errorf("%s links to %q: %v", c.from[link], link, err)
		return
	}
	if elsewhere.MatchString(u.Path) {
		return
	}
	if _, pattern := c.d.mux.Handler(httptest.NewRequest(http.MethodGet, link, nil)); pattern == "GET /" {
		c.t.Errorf("%s links to %s: there is no such page", c.from[link], link)
		return
	}
	if strings.HasPrefix(link, "/static/") || strings.Contains(link, "/feed.atom") {
		if w := get(c.d, link); w.Code != http.StatusOK {
			c.t.Errorf("%s links to %s: %d", c.from[link], link, w.Code)
		}
		return
	}
	doc := read(c.t, c.d, link)
	if u.Path != "/" && u.Path != c.under && !strings.HasPrefix(u.Path, c.under+"/") {
		return
	}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode {
			c.links(n, u, doc)
		}
	}
}

// links notes where an element leads.
func (c *crawler) links(n *html.Node, on *url.URL, doc *html.Node) {
	for _, key := range []string{"href", "src", "action", "data-stream"} {
		if !has(n, key) {
			continue
		}
		to, err := on.Parse(attr(n, key))
		if err != nil {
			c.t.Errorf("%s: %s=%q: %v", on, key, attr(n, key), err)
			continue
		}
		if attr(n, "rel") == "canonical" && to.Host == "example.com" { // as tests ask
			to.Scheme, to.Host = "", ""
		}
		if to.Host != "" {
			c.t.Errorf("%s leads to another host: %s", on, to)
			continue
		}
		if to.Fragment != "" && to.Path == on.Path && to.RawQuery == on.RawQuery && byID(doc, to.Fragment) == nil {
			c.t.Errorf("%s: nothing there is called #%s", on, to.Fragment)
		}
		to.Fragment = ""
		c.found(to.String(), on.String())
	}
}
