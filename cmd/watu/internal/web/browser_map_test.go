package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// overThere is a first round on the board of Axis & Allies Revised: two boats that raid Britain, and a
// territory that changed hands.
const overThere = `turn: Round 1
facts:
  submarines: {Germany: {SZ 8: 2}}
  control: {Western Europe: US}
entries:
  - {id: russia, collect income: Russia}
  - {id: germany, collect income: Germany}
  - {id: uk, collect income: UK}
`

// A board as TripleA has it is drawn with its territories and their owners, the boats at sea, and a
// raid that leads to the event that made it.
func TestBrowserReadsTheMap(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "revised", "aar", revised(t))
	g.submit(t, "revised", overThere)
	b := browse(t, g.url)
	b.visit("/campaigns/revised")
	if n := ask[int](b, `document.querySelectorAll("#map .land path").length`); n < 60 {
		t.Errorf("%d pieces of land are drawn", n)
	}
	if n := ask[int](b, `document.querySelectorAll("#map .sea path").length`); n < 60 {
		t.Errorf("%d sea zones are drawn", n)
	}
	held, err := g.find("revised", func(l timeline.LogEvent) bool {
		return l.Type == "fact_reported" && strings.Contains(l.Narration, "Western Europe")
	})
	if err != nil {
		t.Fatal(err)
	}
	first := g.event(t, "revised", "convoy_raided")
	raid, err := g.find("revised", func(e timeline.LogEvent) bool {
		return e.Type == "convoy_raided" && e.Index > first
	})
	if err != nil {
		t.Fatal(err)
	}
	for what, selector := range map[string]string{
		"the territory that changed hands": fmt.Sprintf(`#map .land a[href="/campaigns/revised/events/%d"] path`, held),
		"the plate of both raids": fmt.Sprintf(`#map .plates a[href="/campaigns/revised/events/%d"]`,
			raid),
		"the way of the raid": fmt.Sprintf(`#map .ways a[href="/campaigns/revised/events/%d"] path`, first),
		"the boats":           `#map .boats a`,
	} {
		if box := ask[float64](b, fmt.Sprintf(`(document.querySelector(%q)?.getBoundingClientRect().width) ?? 0`,
			selector)); box <= 0 {
			t.Errorf("%s is not drawn: %s", what, selector)
		}
	}
	if text := ask[string](b,
		fmt.Sprintf(
			`document.querySelector('#map .land a[href="/campaigns/revised/events/%d"] title')?.textContent ?? ""`,
			held)); !strings.Contains(text, "US") && !strings.Contains(text, "United States") {
		t.Errorf("who holds Western Europe is not said: %q", text)
	}
	if figures := ask[string](b, `document.getElementById("map-figures").textContent`); !strings.Contains(figures,
		"Submarines") || !strings.Contains(figures, "Raids on convoys") {
		t.Errorf("the figures of the map are not in its tables: %s", figures)
	}
	b.visit(fmt.Sprintf("/campaigns/revised?at=%d", held-1))
	if n := ask[int](b, `document.querySelectorAll("#map .plates a").length`); n > 0 {
		t.Errorf("%d raids stand on the map before they happened", n)
	}
	b.do(chromedp.EmulateViewport(390, 800))
	b.visit("/campaigns/revised")
	for _, fault := range ask[[]string](b, audit) {
		t.Errorf("390 wide: %s", fault)
	}
	for _, scheme := range []string{"light", "dark"} {
		b.media(scheme)
		for _, fault := range ask[[]string](b, contrast)[1:] {
			t.Errorf("%s: %s", scheme, fault)
		}
	}
}
