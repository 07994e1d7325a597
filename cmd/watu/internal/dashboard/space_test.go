package dashboard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
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
	if h := textOf(byID(doc, "space")); !strings.Contains(h, "Western Europe") || len(linesOf(doc)) != 1 {
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

// TestStacksAreDrawn: reported units have a symbol for each arm and their number; the table has those of spaces that
// the board does not show too.
func TestStacksAreDrawn(t *testing.T) {
	in := mapOf("a", situation.Report{})
	in.Units = []timeline.Garrison{
		{Power: "UK", Space: "Eastern Canada", Units: []events.Unit{{Name: "infantry", Count: 3}}},
		{Power: "US", Space: "Eastern Canada", Units: []events.Unit{{Name: "fighter", Count: 2},
			{Name: "tank", Count: 11}}},
		{Power: "Japan", Space: "60 Sea Zone", Units: []events.Unit{{Name: "carrier", Count: 1}}},
		{Power: "UK", Space: "Atlantis", Units: []events.Unit{{Name: "tank", Count: 1}}},
	}
	text := panelText(t, mapview.Plot(maptest.Bundled(t, "straits")).Draw(in))
	svg := drawing(t, text)
	for _, want := range []string{`href="#u-foot"`, `href="#u-planes"`, `>11</text>`,
		"60 Sea Zone: Japan has 1 carrier"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the map has not %q", want)
		}
	}
	if !strings.Contains(text, "<td>Atlantis</td><td>1 tank</td>") {
		t.Error("the table lacks what the board does not show")
	}
}
