package web_test

import (
	"fmt"
	"testing"
)

// What happens in the campaign takes nothing from who is reading: the focus stays where it is, on links
// without an id, in drawings and in tables, and what he has selected stays selected.
func TestBrowserKeepsTheFocus(t *testing.T) {
	g := played(t)
	g.begin(t, "focused", "aar", g.straits(t))
	turn := "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n  - {id: germany, collect income: Germany}\n"
	g.submit(t, "focused", turn)
	b := browse(t, g.url)
	b.visit("/campaigns/focused")
	b.mark()
	for i, selector := range []string{
		"#happened-list a.n", "#head a", "#strip a.on", "#map summary", "#income .powers a", "#income tbody a", "#moment a", "#viewer a",
	} {
		found := ask[bool](b, fmt.Sprintf(`(() => {
			const e = window.watuFocus = document.querySelector(%q);
			e?.closest("details:not(:has(> summary:focus))")?.setAttribute("open", "");
			e?.focus();
			getSelection().selectAllChildren(document.getElementById("head").querySelector("h1"));
			return e !== null && document.activeElement === e;
		})()`, selector))
		if !found {
			t.Errorf("%s takes no focus", selector)
			continue
		}
		before, href := ask[int](b, at), ask[string](b, `watuFocus.getAttribute("href") ?? ""`)
		if i > 0 { // the first comes in the same turn
			turn = fmt.Sprintf("turn: Round %d\nentries:\n", i+1)
		}
		g.submit(t, "focused", turn+"  - {id: uk, collect income: UK}\n")
		b.until("the new event", fmt.Sprintf("%s > %d", at, before))
		if !ask[bool](b, `document.activeElement === watuFocus`) {
			t.Errorf("%s: the focus went to %s", selector, ask[string](b, `document.activeElement.outerHTML.slice(0, 80)`))
		}
		if now := ask[string](b, `watuFocus.getAttribute("href") ?? ""`); i == 0 && now != href {
			t.Errorf("%s: the focus is on %s, no more on %s", selector, now, href)
		}
		if chosen := ask[string](b, `getSelection().toString()`); chosen != "focused" {
			t.Errorf("%s: %q is selected", selector, chosen)
		}
	}
	same(b, "/campaigns/focused")
	if !b.marked() {
		t.Error("the page was loaded again")
	}
}
