package web_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// On paper a campaign is its score, its whole map, its plot and its story: no controls, and nothing wider than the
// sheet.
func TestPrint(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"}))
	b.do(chromedp.EmulateViewport(720, 1020)) // A4 but for its margins
	b.visit("/campaigns/straits-1942")
	b.until("the map's buttons", `document.querySelector("#map-zoom:not([hidden])")`)
	ask[bool](b, `dispatchEvent(new Event("beforeprint")), document.fonts.ready.then(() => true)`)
	shown := ask[[]string](b, `["#timeline", "#board", ".zoom", ".map-sheet", ".viewer", ".pulse", ".skip", "button",
		"select", "input"].filter((s) => [...document.querySelectorAll(s)].some((e) => e.checkVisibility()))`)
	if len(shown) > 0 {
		t.Errorf("on paper there are %v", shown)
	}
	if lost := ask[[]string](b, `["#score", "#headline", "#map svg", "#plot svg", "#story-cards article"]
		.filter((s) => !document.querySelector(s)?.checkVisibility())`); len(lost) > 0 {
		t.Errorf("on paper there is no %v", lost)
	}
	if wide := ask[[]string](b, `[...document.querySelectorAll("main *")].filter((e) => e.checkVisibility() &&
		!e.ownerSVGElement && e.getBoundingClientRect().right > innerWidth + 1)
		.map((e) => e.outerHTML.slice(0, 80))`); len(wide) > 0 {
		t.Errorf("wider than the sheet: %v", wide)
	}
	if cut := ask[string](b, `document.querySelector("#map svg").getAttribute("viewBox")`); cut == "" {
		t.Error("the map has no box")
	}
	if *screenshots == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	data, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "..", "..", "docs", "screenshots", "print.png")
	if err := os.WriteFile(file, slim(t, data), 0o644); err != nil {
		t.Fatal(err)
	}
}
