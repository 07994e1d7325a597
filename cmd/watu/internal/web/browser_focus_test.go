package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// What happens in the campaign takes nothing from who is reading: the focus stays where it is, on links
// without an id, in drawings and in tables, and what he has selected stays selected.
func TestBrowserKeepsTheFocus(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "focused", "aar", g.straits(t))
	turn := "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n  - {id: germany, collect " +
		"income: Germany}\n"
	g.submit(t, "focused", turn)
	b := browse(t, g.url)
	b.visit("/campaigns/focused")
	b.mark()
	for i, selector := range []string{
		"#happened-list a.n", "#head a", "#strip a.on", "#map summary", "#income .powers a", "#income tbody a",
		"#moment a", "#viewer a",
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
			t.Errorf("%s: the focus went to %s", selector,
				ask[string](b, `document.activeElement.outerHTML.slice(0, 80)`))
		}
		if now := ask[string](b, `watuFocus.getAttribute("href") ?? ""`); i == 0 && now != href {
			t.Errorf("%s: the focus is on %s, no more on %s", selector, now, href)
		}
		if chosen := ask[string](b, `getSelection().toString()`); chosen != "Focused" {
			t.Errorf("%s: %q is selected", selector, chosen)
		}
	}
	same(b, "/campaigns/focused")
	if !b.marked() {
		t.Error("the page was loaded again")
	}
}

// Who hears the page is told the newest event by its sentence, and nothing where the page stands still.
func TestBrowserTellsTheNewest(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "heard", "aar", g.straits(t))
	head, still := browse(t, g.url), browse(t, g.url)
	head.visit("/campaigns/heard")
	still.visit("/campaigns/heard?at=0")
	for _, b := range []*tab{head, still} {
		b.until("the stream", `document.getElementById("pulse").innerText === "live"`)
	}
	g.submit(t, "heard", "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n")
	head.until("the sentence", `document.getElementById("newest").textContent.includes("Russia collects")`)
	if live := ask[string](head, `document.getElementById("newest").ariaLive`); live != "polite" {
		t.Errorf("it is %q", live)
	}
	still.until("what came later", `/\d+ events? came later/.test(document.getElementById("moment").innerText)`)
	if message := still.text("#newest"); message != "" {
		t.Errorf("the page that stands at #0 says %q", message)
	}
}

// A token that is revoked closes an open page at once, though nothing happens in the campaign; and a page of
// no campaign says that there are tokens, and puts them away.
func TestBrowserSeesTheTokenEnd(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "closed", "awaw", nil)
	b := browse(t, strings.Replace(g.url, "127.0.0.1", "localhost", 1))
	enter := func() service.IssuedToken {
		t.Helper()
		var issued service.IssuedToken
		if err := g.client.Post(t.Context(), service.NewToken{Campaign: "closed", As: "Britain"}, &issued,
			"tokens"); err != nil {
			t.Fatal(err)
		}
		b.visit("/login")
		ask[bool](b, fmt.Sprintf(`document.getElementById("token").value = %q, true`, issued.Text))
		b.click(`form[action="/login"] button`)
		b.until("Britain's page", `document.getElementById("viewer")?.innerText.includes("seen by Britain")`)
		return issued
	}
	revoke := func(id string) {
		t.Helper()
		b.until("the stream", `document.getElementById("pulse").innerText === "live"`)
		if err := g.client.Delete(t.Context(), &service.Token{}, "tokens", id); err != nil {
			t.Fatal(err)
		}
	}
	first := enter()
	b.mark()
	revoke(first.ID)
	b.until("the public's page", `document.getElementById("viewer").innerText.includes("seen by the public")`)
	if !b.marked() {
		t.Error("the page was loaded again")
	}

	second := enter()
	b.expect("status 403")
	b.visit("/campaigns/closed?as=Britain")
	revoke(second.ID)
	b.until("the refusal", `document.querySelector("h1").innerText === "Refused"`)

	enter()
	b.visit("/")
	if message := b.text("#viewer"); !strings.Contains(message, "my campaigns") || strings.Contains(message, "log in") {
		t.Errorf("the page of no campaign says %q", message)
	}
	b.click(`#viewer form[action="/logout"] button`)
	b.until("the public", `document.getElementById("viewer")?.innerText === "log in"`)
}
