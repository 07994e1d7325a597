package web_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// seaWar is a second round on the board of Axis & Allies Revised: raids from several zones, lands that changed hands.
const seaWar = `turn: Round 2
facts:
  submarines: {Germany: {SZ 8: 3, SZ 9: 2, SZ 10: 1}, US: {SZ 60: 2}, Japan: {SZ 55: 1}}
  control: {Southern Europe: UK, India: Japan}
entries:
  - {id: russia-2, collect income: Russia}
  - {id: germany-2, collect income: Germany}
  - {id: uk-2, collect income: UK}
  - {id: japan-2, collect income: Japan}
  - {id: us-2, collect income: US}
`

func TestMapPictures(t *testing.T) {
	if *screenshots == "" {
		t.Skip("NOT TESTED: pictures of the map are drawn with -screenshots DIRECTORY alone")
	}
	g := played(t)
	g.begin(t, "sea-war", "aar", revised(t))
	g.submit(t, "sea-war", overThere)
	g.submit(t, "sea-war", seaWar)
	b := browse(t, g.url)
	for _, s := range []shot{
		{"map-revised", "/campaigns/sea-war", 1280, 900, "light", ""},
		{"map-revised-dark", "/campaigns/sea-war", 1280, 900, "dark", ""},
		{"map-revised-390", "/campaigns/sea-war", 390, 1200, "light", ""},
		{"map-straits", "/campaigns/straits-1942", 1280, 900, "light", ""},
		{"map-straits-390", "/campaigns/straits-1942", 390, 1200, "dark", ""},
		{"map-oceans", "/campaigns/two-oceans-1941", 1280, 900, "light", ""},
		{"map-oceans-dark", "/campaigns/two-oceans-1941", 1280, 900, "dark", ""},
		{"map-zoomed", "/campaigns/sea-war", 1280, 900, "light", "#map-in"},
		{"map-only", "/campaigns/sea-war", 1280, 900, "light", "#map-only"},
		{"map-sheet", "/campaigns/sea-war", 1280, 1100, "light", "#map .land a path"},
		{"map-oceans-390", "/campaigns/two-oceans-1941", 390, 1200, "light", ""},
	} {
		b.media(s.scheme, "still")
		b.do(chromedp.EmulateViewport(s.width, s.height))
		b.visit(s.path)
		if s.ready != "" {
			b.until("the map's buttons", `document.querySelector("#map-zoom:not([hidden])")`)
			b.click(s.ready)
			b.click(s.ready)
			if s.ready == "#map-only" {
				b.click(s.ready)
			}
			ask[bool](b, `scrollTo(0, 0), true`)
		}
		if err := os.WriteFile(filepath.Join(*screenshots, s.name+".png"), shoot(b), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
