package dashboard

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
)

// byTag is the first element of a name; nil for none.
func byTag(doc *html.Node, name string) *html.Node {
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == name {
			return n
		}
	}
	return nil
}

// tags are what the head of a page says of it: by rel, name or property.
func tags(doc *html.Node) map[string]string {
	list := map[string]string{}
	for n := range doc.Descendants() {
		switch n.Data {
		case "link":
			list[attr(n, "rel")] = attr(n, "href")
		case "meta":
			list[attr(n, "name")+attr(n, "property")] = attr(n, "content")
		}
	}
	return list
}

// Moments, events and disputes have an address of their own that everybody may follow, words and a picture for other
// sites, and a link by which they are shared without a script.
func TestShared(t *testing.T) {
	d, all := pages(t)
	for _, k := range fixtures.Campaigns() {
		c, err := all.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		home := "/campaigns/" + k.Name
		list := map[string]string{home: home, home + "?as=public": home, home + "?at=20": home + "?at=20",
			home + "?at=" + url.QueryEscape(c.Turn): fmt.Sprintf("%s?at=%d", home, c.Events-1),
			home + "/events/20":                     home + "/events/20"}
		disputes, err := all.service.Disputes(c.ID, timeline.DisputeFilter{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range disputes.Disputes {
			at := fmt.Sprintf("%s/disputes/%d", home, x.Index)
			list[at] = at
		}
		for path, canonical := range list {
			doc := read(t, d, path)
			said := tags(doc)
			if said["canonical"] != "http://example.com"+canonical || said["og:url"] != said["canonical"] {
				t.Errorf("%s is %q", path, said["canonical"])
			}
			if link := byID(doc, "share"); link == nil || attr(link, "href") != canonical {
				t.Errorf("%s has no link to %s", path, canonical)
			}
			for _, name := range []string{"description", "og:title", "og:description", "og:image:alt", "twitter:card"} {
				if said[name] == "" || strings.Contains(said[name], "%!") || strings.Contains(said[name], "..") {
					t.Errorf("%s: %s is %q", path, name, said[name])
				}
			}
			image, ok := strings.CutPrefix(said["og:image"], "http://example.com")
			if w := get(d, image); !ok || w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/png" {
				t.Errorf("%s: the picture %s: %d", path, said["og:image"], w.Code)
			}
		}
	}
	for _, path := range []string{"/", "/campaigns/straits-1942/events", "/campaigns/straits-1942/overlay"} {
		if said := tags(read(t, d, path)); said["canonical"]+said["og:image"] != "" {
			t.Errorf("%s: %v", path, said)
		}
	}
}

// A preview is the same bytes each time, says so by its tag, and is that of the public whoever asks.
func TestPreview(t *testing.T) {
	d, all := pages(t)
	umpire := New(all.service, everyone(timeline.Umpire), readers.New(readers.Options{}))
	seen := map[string]string{}
	for _, k := range fixtures.Campaigns() {
		for _, at := range []string{"?at=0", "?at=40", ""} {
			path := "/campaigns/" + k.Name + "/preview.png" + at
			w := get(d, path)
			img, err := png.Decode(bytes.NewReader(w.Body.Bytes()))
			if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 630 || w.Body.Len() > 300<<10 {
				t.Fatalf("%s: %v, %d bytes", path, err, w.Body.Len())
			}
			if same := seen[w.Body.String()]; same != "" {
				t.Errorf("%s is %s", path, same)
			}
			seen[w.Body.String()] = path
			if other := get(umpire, path); !bytes.Equal(other.Body.Bytes(), w.Body.Bytes()) {
				t.Errorf("%s is another for the umpire", path)
			}
			r := httptest.NewRequest("GET", path, nil)
			r.Header.Set("If-None-Match", w.Header().Get("ETag"))
			again := httptest.NewRecorder()
			if d.ServeHTTP(again, r); again.Code != http.StatusNotModified || w.Header().Get("Content-Encoding") != "" {
				t.Errorf("%s again: %d", path, again.Code)
			}
		}
	}
	for path, status := range map[string]int{"/campaigns/nowhere/preview.png": 404,
		"/campaigns/straits-1942/preview.png?as=umpire": 400, "/campaigns/straits-1942/preview.png?at=9999": 404,
		"/campaigns/straits-1942/events/9999/preview.png": 404, "/campaigns/straits-1942/events/20/preview.png": 200} {
		if w := get(d, path); w.Code != status {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// What one side knows stands in no tag of its page: whoever shares that shares what everybody may know.
func TestSharedBySides(t *testing.T) {
	_, all := pages(t)
	britain := New(all.service, everyone("Britain"), readers.New(readers.Options{}))
	said := tags(read(t, britain, "/campaigns/atlantic-and-pacific?at=200"))
	if said["canonical"] != "http://example.com/campaigns/atlantic-and-pacific?at=200" || said["description"] != "" ||
		said["og:title"] != "" || said["og:image"] != "" {
		t.Errorf("%v", said)
	}
}

// Programs follow a campaign by its feed: each entry leads to a page, its ids stay, and pages name it.
func TestFeed(t *testing.T) {
	d, all := pages(t)
	for _, k := range fixtures.Campaigns() {
		home := "/campaigns/" + k.Name
		if at := tags(read(t, d, home))["alternate"]; at != home+"/feed.atom" {
			t.Errorf("%s: the feed is at %q", home, at)
		}
		w := get(d, home+"/feed.atom")
		var f struct {
			ID      string `xml:"id"`
			Entries []struct {
				ID       string `xml:"id"`
				Title    string `xml:"title"`
				Category struct {
					Term string `xml:"term,attr"`
				} `xml:"category"`
				Link struct {
					Href string `xml:"href,attr"`
				} `xml:"link"`
			} `xml:"entry"`
		}
		err := xml.Unmarshal(w.Body.Bytes(), &f)
		kind := w.Header().Get("Content-Type")
		if err != nil || w.Code != http.StatusOK || !strings.HasPrefix(kind, "application/atom+xml") || f.ID == "" {
			t.Fatalf("%s: %d %s %v", home, w.Code, kind, err)
		}
		count := map[string]int{}
		for _, e := range f.Entries {
			count[e.Category.Term]++
			path, ok := strings.CutPrefix(e.Link.Href, "http://example.com")
			if page := get(d, path); !ok || page.Code != http.StatusOK || e.Title == "" {
				t.Errorf("%s: %+v: %d", home, e, page.Code)
			}
		}
		disputes, err := all.service.Disputes(k.Name, timeline.DisputeFilter{})
		if err != nil || count["turn"] < 3 || count["dispute"] != len(disputes.Disputes) {
			t.Errorf("%s: %v entries, %d disputes, %v", home, count, len(disputes.Disputes), err)
		}
	}
}

// Who asks for a language has it in what other sites show, in the feed and in the tables of the map.
func TestSharedInGerman(t *testing.T) {
	d, _ := pages(t)
	const home = "/campaigns/straits-1942"
	for path, with := range map[string]string{home + "?lang=de": "?", home + "?at=60&lang=de": "?at=60&"} {
		doc := read(t, d, path)
		said := tags(doc)
		if said["canonical"] != "http://example.com"+home+with+"lang=de" || said["og:locale"] != "de_DE" ||
			said["alternate"] != home+"/feed.atom?lang=de" || !strings.HasSuffix(said["og:image"], "&lang=de") ||
			!strings.Contains(said["description"], "Einkommen") {
			t.Errorf("%s: %v", path, said)
		}
		if w := get(d, strings.TrimPrefix(said["og:image"], "http://example.com")); w.Code != http.StatusOK {
			t.Errorf("%s: the picture: %d", path, w.Code)
		}
		tables := textOf(byID(doc, "map-figures"))
		for _, words := range []string{"Zahlen der Karte", "Besitzer", "Angriffe auf Geleitzüge", "Seezone"} {
			if !strings.Contains(tables, words) {
				t.Errorf("%s: the tables of the map do not say %s", path, words)
			}
		}
	}
	english, german := get(d, home+"/feed.atom").Body.String(), get(d, home+"/feed.atom?lang=de").Body.String()
	for _, words := range []string{`xml:lang="de"`, "Streitfall #98, entschieden: was bestritten war, ist berichtigt",
		"Amerika nimmt Western Europe", "/campaigns/straits-1942?lang=de",
		"Streitfall #46, entschieden: was bestritten war, gilt, und gleiche Fälle ebenso"} {
		if !strings.Contains(german, words) {
			t.Errorf("the German feed does not say %s", words)
		}
	}
	for _, words := range []string{`xml:lang="en"`, "Dispute #98, ruled: what was contested is corrected",
		"The US takes Western Europe"} {
		if !strings.Contains(english, words) || strings.Contains(german, words) {
			t.Errorf("the feeds do not differ in %s", words)
		}
	}
	if w := get(d, "/campaigns/straits-1942/feed.atom?lang=xx"); w.Code != http.StatusOK || w.Body.String() != english {
		t.Errorf("a language that is not there: %d", w.Code)
	}
}

// For a frame on another site there is score, headline and map, of the public, at the head or at a moment; its links
// open beside it.
func TestEmbed(t *testing.T) {
	d, all := pages(t)
	umpire := New(all.service, everyone(timeline.Umpire), readers.New(readers.Options{}))
	for _, k := range fixtures.Campaigns() {
		for _, at := range []string{"", "?at=40"} {
			path := "/embed/" + k.Name + at
			doc := read(t, d, path)
			text := textOf(byID(doc, "embed"))
			scored := byID(doc, "score") != nil || at != "" && k.System == "awaw" // before its first combat
			if !scored || !strings.Contains(text, "watu") || strings.Contains(text, "log in") {
				t.Errorf("%s: %s", path, text)
			}
			if has(byTag(doc, "body"), "data-stream") != (at == "") || attr(byTag(doc, "base"), "target") != "_blank" {
				t.Errorf("%s follows, or its links open within it", path)
			}
			if img := byTag(doc, "img"); img != nil && get(d, attr(img, "src")).Code != http.StatusOK {
				t.Errorf("%s: the map %s is not there", path, attr(img, "src"))
			}
			if a, b := get(d, path).Body.String(), get(umpire, path).Body.String(); a != b {
				t.Errorf("%s is another for the umpire", path)
			}
		}
	}
}
