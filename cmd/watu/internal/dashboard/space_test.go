package dashboard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/situation"
)

// linesOf are the events that a page of a space lists.
func linesOf(doc *html.Node) (list []string) {
	for n := range byID(doc, "space-history").Descendants() {
		if strings.Contains(attr(n, "class"), "event-line") {
			list = append(list, textOf(n))
		}
	}
	return list
}

// TestSpace: the page of a space has all that was recorded of it, the newest first, and nothing of what came after the
// moment.
func TestSpace(t *testing.T) {
	d, _ := pages(t)
	const path = "/campaigns/straits-1942/spaces/"
	all := linesOf(read(t, d, path+"United%20Kingdom"))
	if len(all) < 8 || !strings.Contains(all[0], "United Kingdom") {
		t.Errorf("%q", all)
	}
	doc := read(t, d, path+"Western%20Europe")
	if h := textOf(byID(doc, "space")); !strings.Contains(h, "France") || len(linesOf(doc)) != 1 {
		t.Errorf("%s: %q", h, linesOf(doc))
	}
	if early := linesOf(read(t, d, path+"United%20Kingdom?at=20")); len(early) == 0 || len(early) >= len(all) {
		t.Errorf("%d of %d events at #20", len(early), len(all))
	}
	if before := linesOf(read(t, d, path+"United%20Kingdom?before=20")); len(before) == 0 || len(before) >= len(all) {
		t.Errorf("%d of %d events before #20", len(before), len(all))
	}
	if text := textOf(byID(read(t, d, path+"Turkey"), "space-history")); text != "Nothing has been recorded here." {
		t.Error(text)
	}
	w := httptest.NewRecorder()
	d.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path+"Atlantis", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("Atlantis: %d", w.Code)
	}
}

// TestStacks: reported units stand within their space, with a symbol for each arm and their number, and cover neither
// names nor each other; each leads to its event, and the table has all of them.
func TestStacks(t *testing.T) {
	m := plot(bundled(t, "straits"))
	units := func(power, space string, list ...events.Unit) timeline.Garrison {
		return timeline.Garrison{Power: power, Space: space, Units: list, Event: 7}
	}
	p := m.panel(links{name: "a"}, situation.Report{},
		units("UK", "Eastern Canada", events.Unit{Name: "infantry", Count: 3}),
		units("US", "Eastern Canada", events.Unit{Name: "fighter", Count: 2}, events.Unit{Name: "tank", Count: 11}),
		units("Japan", "60 Sea Zone", events.Unit{Name: "carrier", Count: 1}, events.Unit{Name: "submarine", Count: 4}),
		units("Germany", "Japan", events.Unit{Name: "infantry", Count: 1}, events.Unit{Name: "tank", Count: 1},
			events.Unit{Name: "fighter", Count: 1}), units("UK", "Atlantis", events.Unit{Name: "tank", Count: 1}))
	shown := 0
	for i, s := range p.Stacks {
		if !s.Off && !s.Hidden {
			shown++
		}
		land := m.lands[s.Space]
		if land != nil && !s.Off && !land.rings[0].Inside(spotOf(s)) {
			t.Errorf("%s stands outside of %s", s.Says, s.Space)
		}
		for _, o := range p.Stacks[:i] {
			if !s.Off && !o.Off && !s.Hidden && !o.Hidden && frameOf(m, s).Meets(frameOf(m, o)) {
				t.Errorf("%s lies on %s", s.Says, o.Says)
			}
		}
	}
	if shown < 3 || !p.Stacks[4].Off || p.Stacks[1].Says != "2 fighters and 11 tanks" {
		t.Errorf("%d are shown: %+v", shown, p.Stacks)
	}
	text := panelText(t, p)
	svg := drawing(t, text)
	for _, want := range []string{`href="#u-foot"`, `href="#u-planes"`, `>11</text>`, "SZ 60: Japan has 1 carrier"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the map has not %q", want)
		}
	}
	if !strings.Contains(text, "<td>Atlantis</td><td>1 tank</td>") {
		t.Error("the table lacks what the board does not show")
	}
}

func spotOf(s mapStack) coast.Spot { return coast.SpotOf(s.At) }

func frameOf(m *plotted, s mapStack) coast.Frame {
	unit := float64(m.Size) / mapLetters
	return coast.FrameAt(spotOf(s), float64(s.W)*unit-1, float64(s.H)*unit-1)
}
