package share

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/raster"
	"github.com/watu-ledger/watu/rules/board"
)

// read holds a feed to RFC 4287, section 4: what must be there is there once, and dates and links are such.
func read(t *testing.T, b []byte) (entries []Entry) {
	t.Helper()
	var f struct {
		XMLName xml.Name
		IDs     []string                     `xml:"id"`
		Titles  []string                     `xml:"title"`
		Updates []string                     `xml:"updated"`
		Authors []string                     `xml:"author>name"`
		Links   []struct{ Rel, Href string } `xml:"link"`
		Attrs   []xml.Attr                   `xml:",any,attr"`
		Entries []struct {
			IDs       []string `xml:"id"`
			Titles    []string `xml:"title"`
			Updates   []string `xml:"updated"`
			Published string   `xml:"published"`
			Summary   string   `xml:"summary"`
			Links     []struct {
				Rel  string `xml:"rel,attr"`
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal(b, &f); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	if f.XMLName.Space != "http://www.w3.org/2005/Atom" || f.XMLName.Local != "feed" || len(f.IDs) != 1 ||
		len(f.Titles) != 1 || len(f.Updates) != 1 || len(f.Authors) != 1 || len(f.Links) != 2 {
		t.Errorf("the feed has not what it must have: %+v", f)
	}
	seen := map[string]bool{f.IDs[0]: true}
	newest := f.Updates[0]
	for i, e := range f.Entries {
		if len(e.IDs) != 1 || len(e.Titles) != 1 || len(e.Updates) != 1 || len(e.Links) != 1 || seen[e.IDs[0]] ||
			!strings.HasPrefix(e.Links[0].Href, "https://watu.example.org/") || e.Links[0].Rel != "alternate" {
			t.Fatalf("entry %d has not what it must have: %+v", i, e)
		}
		seen[e.IDs[0]] = true
		at, err := time.Parse(time.RFC3339, e.Updates[0])
		from, wrong := time.Parse(time.RFC3339, e.Published)
		if err != nil || wrong != nil || from.After(at) || e.Updates[0] > newest {
			t.Errorf("entry %d: from %s to %s, behind %s", i, e.Published, e.Updates[0], newest)
		}
		newest = e.Updates[0]
		entries = append(entries, Entry{ID: e.IDs[0], Title: e.Titles[0], Text: e.Summary})
	}
	return entries
}

func TestFeed(t *testing.T) {
	day := time.Date(1942, 3, 1, 12, 0, 0, 0, time.UTC)
	f := Feed{ID: ID("01J"), Title: "Straits", Site: "https://watu.example.org", Path: "/campaigns/straits",
		Self: "/campaigns/straits/feed.atom", Opened: day}
	if got := read(t, f.XML()); len(got) != 0 {
		t.Errorf("a campaign in which nothing happened has %v", got)
	}
	for i := range 2 * MostEntries {
		f.Add(Entry{ID: ID("01J", "turn", i), Title: fmt.Sprint("<b>Round & ", i), Path: "/x", Kind: "turn",
			Text: "a\x00b\x1b]c & <script>", Published: day, Updated: day.Add(time.Duration(i) * time.Hour)})
	}
	got := read(t, f.XML())
	if len(got) != MostEntries || got[0].Title != fmt.Sprint("<b>Round & ", 2*MostEntries-1) ||
		got[0].Text != "a\ufffdb\ufffd]c & <script>" {
		t.Errorf("%d entries, the first %+v", len(got), got[0])
	}
	if !bytes.Equal(f.XML(), f.XML()) {
		t.Error("it is another the second time")
	}
}

// An id is for good: this one was given to readers.
func TestID(t *testing.T) {
	got := ID("01JDMZ0000000000000000000", "turn", uint64(3))
	if got != "urn:uuid:8127673d-b741-8bd1-9fd1-5278a05f98b2" {
		t.Error(got)
	}
	seen := map[string]bool{}
	for _, id := range []string{ID("a"), ID("b"), ID("a", "turn", 1), ID("a", "turn", 2), ID("a", "ruling", 1),
		ID("b", "turn", 1), ID("a", "turn", 11)} {
		if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).
			MatchString(id) || seen[id] {
			t.Errorf("%s", id)
		}
		seen[id] = true
	}
}

var paints = picture.Paints{Light: map[string]string{"--paper": "#fbf9f4", "--ink": "#1c2024", "--soft": "#4b5157",
	"--faint": "#666b70", "--line": "#ddd7c9", "--water": "#dfe8ea", "--brass": "#6f5610", "--red": "#a8261c",
	"--live": "#1f7a4d", "f-uk": "#cfae6b", "on-uk": "#1c2024", "f-us": "#cbdcb4", "on-us": "#1c2024"}}

func full(head, deck string, sides int) Preview {
	p := Preview{Campaign: "Convoys 1942", When: "Round 6", Head: head, Deck: deck, Of: "IPCs collected last"}
	for _, name := range []string{"The Axis", "The Allies"} {
		g := Group{Called: name, Total: "49 IPCs"}
		for i := range sides {
			g.Sides = append(g.Sides, Side{Called: fmt.Sprintf("The United Kingdom Pacific %d", i), Figure: "144",
				Tint: "uk", Change: int64(i - 1)})
		}
		p.Groups = append(p.Groups, g)
	}
	land := func(x int, fill string) picture.Land {
		return picture.Land{Path: fmt.Sprintf("M%d 100q50 20 100 0v100h-100z", x), Fill: fill, Worth: 6, Changed: true,
			At: board.Point{X: x + 50, Y: 150}, Box: [2]board.Point{{X: x, Y: 100}, {X: x + 100, Y: 200}}}
	}
	p.Map = &picture.Map{Across: 1200, Down: 700, Seas: []string{"M0 0h1200v700h-1200z"},
		Lands: []picture.Land{land(100, "uk"), land(900, "us")},
		Raids: []picture.Raid{{From: board.Point{X: 800, Y: 90}, To: board.Point{X: 950, Y: 150}, Fill: "uk",
			Damage: 5}}}
	return p
}

var texts = regexp.MustCompile(`<text x="(\d+)" y="(\d+)" font-size="(\d+)"( font-family="[^"]*")? ` +
	`font-weight="(\d+)"( text-anchor="end")? fill="([^"]*)">([^<]*)</text>`)

// Whatever there is to say, no words leave their column or lie on the score, and the picture is drawn from all of it.
func TestPreview(t *testing.T) {
	long := strings.Repeat("Submarines of Germany raid the United Kingdom and ", 12)
	for _, p := range []Preview{full("U-boats cost Britain 17 IPCs, the most yet", "Boats took 12 of its 36.", 3),
		full(long, long, 9), full(strings.Repeat("W", 900), "", 1), full("", "", 0), {},
		full("\x00\uffff日本 <b> & \u202e", "", 2)} {
		svg := string(p.SVG(paints))
		for _, m := range texts.FindAllStringSubmatch(svg, -1) {
			var x, size int
			fmt.Sscan(m[1], &x)
			fmt.Sscan(m[3], &size)
			face := raster.Face{Serif: strings.Contains(m[4], "STIX"), Bold: m[5] == "700"}
			end := float64(x) + raster.Width(m[8], face, float64(size))
			if m[6] != "" {
				end = float64(x)
			}
			if x < edge || end > edge+column+1 {
				t.Errorf("%q goes from %d to %f", m[8], x, end)
			}
		}
		if _, err := raster.Draw([]byte(svg), previewWide, previewHigh); err != nil {
			t.Errorf("%v in %s", err, svg)
		}
	}
	p := full("U-boats cost Britain 17 IPCs, the most yet", "Boats took 12 of its 36.", 3)
	first, err := p.PNG(paints)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(first))
	if err != nil || img.Bounds().Dx() != 1200 || img.Bounds().Dy() != 630 {
		t.Fatal(img.Bounds(), err)
	}
	if again, err := p.PNG(paints); err != nil || !bytes.Equal(first, again) {
		t.Error("the same preview is another picture", err)
	}
	if got := theatre(p.Map, 570); got < 420 {
		t.Errorf("what happened lies in the east, and %d is shown", got)
	}
}

// A map that is not understood, or has no end, is left out, and what happened is shown all the same.
func TestPreviewWithoutMap(t *testing.T) {
	p := full("A headline", "", 2)
	p.Map.Lands[0].Path = "M0 0A1 1 0 0 0 9 9"
	if b, err := p.PNG(paints); err != nil || len(b) == 0 {
		t.Error(err)
	}
	p = full("A headline", "", 2)
	p.Map.Seas = []string{strings.Repeat("h1", mostMap)}
	if svg := p.SVG(paints); len(svg) > 1<<20 {
		t.Errorf("a picture of %d bytes", len(svg))
	}
	p = Preview{Head: "Ours", Emblem: picture.EmblemOf([]picture.Force{{Of: "factor asw", N: 44, Tint: "uk"},
		{Of: "factor submarines", N: 9, Tint: "us"}, {Of: "base", N: 3, Tint: "us"}, {Of: "card", N: 7, Tint: "uk"}})}
	if _, err := raster.Draw(p.SVG(paints), 1200, 630); err != nil {
		t.Error(err)
	}
}

func BenchmarkPreview(b *testing.B) {
	p := full("U-boats cost Britain 17 IPCs, the most yet", "Boats took 12 of its 36.", 3)
	for b.Loop() {
		out, err := p.PNG(paints)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Discard.Write(out)
	}
}
