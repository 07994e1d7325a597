package dashboard

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/fixtures"

	"golang.org/x/net/html"
)

// classed gives the first element of a class in another.
func classed(n *html.Node, class string) *html.Node {
	for x := range n.Descendants() {
		if x.Type == html.ElementNode && strings.Contains(" "+attr(x, "class")+" ", " "+class+" ") {
			return x
		}
	}
	return nil
}

// The front page tells the campaign that was played last, with its score, and has a card for each other.
func TestFrontPage(t *testing.T) {
	d, all := pages(t)
	doc := read(t, d, "/")
	list, err := all.service.Campaigns()
	if err != nil {
		t.Fatal(err)
	}
	last := list.Campaigns[0]
	for _, c := range list.Campaigns {
		at, err := d.playedAt(c)
		before, _ := d.playedAt(last)
		if err != nil {
			t.Fatal(err)
		}
		if at.After(before) {
			last = c
		}
	}
	first := classed(doc, "front-first")
	text := textOf(first)
	for _, part := range []string{words.Titled(last.Name), last.Title, last.Turn, "Playing now", "Watch"} {
		if !strings.Contains(text, part) {
			t.Errorf("the first campaign lacks %q: %s", part, text)
		}
	}
	page := read(t, d, pathTo("campaigns", last.Name))
	headline := textOf(classed(page, "headline-title"))
	if headline == "" || !strings.Contains(text, headline) {
		t.Errorf("%q is the headline, and the front page says %s", headline, text)
	}
	for _, c := range list.Campaigns {
		if title := byID(doc, "c-"+c.ID); textOf(title) != words.Titled(c.Name) {
			t.Errorf("%s is called %q", c.Name, textOf(title))
		}
	}
	whole := textOf(doc)
	if !strings.Contains(whole, "44 escort factors") || !strings.Contains(whole, "Atlantic and Pacific") {
		t.Errorf("the cards lack their figures: %s", whole)
	}
}

// Nobody plays now what was played an hour ago, and the page that is kept knows it.
func TestFrontPageKnowsWhoPlays(t *testing.T) {
	_, all := pages(t)
	d := all.public()
	now := time.Now()
	d.now = func() time.Time { return now }
	if text := textOf(read(t, d, "/")); !strings.Contains(text, "Playing now") {
		t.Errorf("nobody plays: %s", text)
	}
	read(t, d, "/") // is kept
	now = now.Add(time.Hour)
	text := textOf(read(t, d, "/"))
	if strings.Contains(text, "Playing now") || !strings.Contains(text, "Last played") {
		t.Errorf("an hour later: %s", text)
	}
}

// A campaign's map is a picture: it is well-formed, painted, kept for good at its own address, and at that of an
// earlier one it is the map of now.
func TestMapPicture(t *testing.T) {
	d, _ := pages(t)
	var src string
	for n := range read(t, d, "/").Descendants() {
		if n.Data == "img" && strings.Contains(attr(n, "src"), "straits-1942") {
			src = attr(n, "src")
		}
	}
	if src == "" {
		t.Fatal("the front page has no map of straits-1942")
	}
	address := src[:strings.LastIndex(src, "/")+1]
	seen := map[string]bool{}
	for file := range picture.Files {
		w := get(d, address+file)
		body := w.Body.String()
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/svg+xml" ||
			!strings.HasSuffix(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d, %v", file, w.Code, w.Header())
		}
		for x := xml.NewDecoder(bytes.NewReader(w.Body.Bytes())); ; {
			if _, err := x.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
		}
		if strings.Contains(body, `=""`) || strings.Contains(body, "var(") || seen[body] || len(body) > 40_000 {
			t.Errorf("%s, %d bytes: %s", file, len(body), body)
		}
		seen[body] = true
	}
	w := get(d, "/campaigns/straits-1942/map/0000/light.svg")
	if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "no-cache" || !seen[w.Body.String()] {
		t.Errorf("an earlier address: %d, %v", w.Code, w.Header())
	}
	for _, path := range []string{address + "x.svg", "/campaigns/atlantic-and-pacific/map/0/light.svg"} {
		if w := get(d, path); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// Every colour of a power is known to pictures, on light and on dark.
func TestPaints(t *testing.T) {
	for dark, paint := range []map[string]string{paints().Light, paints().Dark} {
		for name := range fillsOf(t) {
			if !strings.HasPrefix(paint["f-"+name], "#") || !strings.HasPrefix(paint["on-"+name], "#") {
				t.Errorf("scheme %d, %s: %q, %q", dark, name, paint["f-"+name], paint["on-"+name])
			}
		}
		for _, name := range []string{"--water", "--ink", "--red", "--brass", "--faint"} {
			if !strings.HasPrefix(paint[name], "#") {
				t.Errorf("scheme %d, %s: %q", dark, name, paint[name])
			}
		}
	}
}

// The page, the overlay and the report of a campaign say the same: one headline, and each turn in the same sentences.
func TestPageOverlayAndReportSayTheSame(t *testing.T) {
	d, all := pages(t)
	for _, k := range fixtures.Campaigns() {
		r, err := all.service.Report(t.Context(), k.Name, timeline.Viewer{As: timeline.Public}, service.Period{})
		if err != nil {
			t.Fatal(err)
		}
		url := pathTo("campaigns", k.Name)
		page, over := read(t, d, url), read(t, d, url+"/overlay")
		headline := r.Headline[0].Text.String()
		if got := textOf(classed(page, "headline-title")); got != headline {
			t.Errorf("%s: the page's headline is %q, the report's %q", k.Name, got, headline)
		}
		if got := textOf(classed(over, "band-title")); got != headline {
			t.Errorf("%s: the overlay's headline is %q, the report's %q", k.Name, got, headline)
		}
		compared := 0
		for _, turn := range r.Turns {
			card := byID(page, fmt.Sprintf("story-%d", turn.Ordinal))
			if len(turn.Story) == 0 || card == nil { // the page tells the last turns alone
				continue
			}
			compared++
			want := textOf(classed(card, "story-turn")) + " " + turn.Story[0].Text.String()
			if !strings.HasPrefix(want, turn.Label+" ") {
				t.Errorf("%s: the card of %s begins with %q", k.Name, turn.Label, want)
			}
			for _, l := range turn.Story[1:] {
				want += " " + l.Text.String() + "."
			}
			if got := textOf(card); got != want {
				t.Errorf("%s, %s: the page says %q, the report %q", k.Name, turn.Label, got, want)
			}
		}
		if compared < 3 {
			t.Errorf("%s: only %d turns have a card", k.Name, compared)
		}
	}
}
