package share

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Feed is the feed of a campaign.
type Feed struct {
	ID, Title string
	Site      string // the address of the server
	Path      string // of the campaign's page
	Self      string // of the feed
	Opened    time.Time
	Lang      string // the tag of its language; empty for English

	entries []Entry
}

// Entry is an entry of a feed.
type Entry struct {
	ID, Title          string
	Path               string
	Kind               string // "turn", "ruling" or "dispute"
	Text               string
	Published, Updated time.Time
}

// MostEntries is how many entries a feed has: the ones that changed last.
const MostEntries = 60

// Add adds an entry.
func (f *Feed) Add(e Entry) { f.entries = append(f.entries, e) }

// ID names a thing of a campaign for good, wherever its ledger is served: a UUID of version 8 (RFC 9562) from the ULID
// of the campaign, what it is, and its number.
func ID(campaign string, of ...any) string {
	sum := sha256.Sum256([]byte("watu feed " + campaign + " " + fmt.Sprintln(of...)))
	u := sum[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:])
}

// The elements of Atom.
type (
	atomFeed struct {
		XMLName   xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
		Lang      string      `xml:"xml:lang,attr"`
		ID        string      `xml:"id"`
		Title     string      `xml:"title"`
		Updated   string      `xml:"updated"`
		Links     []atomLink  `xml:"link"`
		Author    string      `xml:"author>name"`
		Generator string      `xml:"generator"`
		Entries   []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		ID        string   `xml:"id"`
		Title     string   `xml:"title"`
		Published string   `xml:"published"`
		Updated   string   `xml:"updated"`
		Link      atomLink `xml:"link"`
		Category  struct {
			Term string `xml:"term,attr"`
		} `xml:"category"`
		Summary string `xml:"summary,omitempty"`
	}
)

// XML is the feed, what changed last first.
func (f *Feed) XML() []byte {
	slices.SortStableFunc(f.entries, func(a, b Entry) int {
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	out := atomFeed{Lang: cmp.Or(f.Lang, "en"), ID: f.ID, Title: f.Title, Author: "watu", Generator: "watu",
		Updated: stamp(f.Opened), Links: []atomLink{{"self", "application/atom+xml", f.Site + f.Self},
			{"alternate", "text/html", f.Site + f.Path}}}
	for i, e := range f.entries {
		if i == 0 {
			out.Updated = stamp(e.Updated)
		}
		if i == MostEntries {
			break
		}
		x := atomEntry{ID: e.ID, Title: e.Title, Published: stamp(e.Published), Updated: stamp(e.Updated),
			Link: atomLink{"alternate", "text/html", f.Site + e.Path}, Summary: e.Text}
		x.Category.Term = e.Kind
		out.Entries = append(out.Entries, x)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	w := xml.NewEncoder(&b)
	w.Indent("", " ")
	if err := w.Encode(out); err != nil {
		panic(err) // strings into memory
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// stamp is a date of RFC 3339.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
