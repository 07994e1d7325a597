package dashboard

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
)

// printed gives the rule ids that a page prints, each with the path it leads to.
func printed(doc *html.Node) map[string]string {
	ids := map[string]string{}
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attr(n, "class") == "rule" {
			id := textOf(n)
			if named := attr(n, "title"); named != "" { // it goes by its title
				id = named
			}
			ids[id] = attr(n, "href")
		}
	}
	return ids
}

// listedOn walks the pages of a rule, and gives the events that they list with what stands under each.
func listedOn(t *testing.T, d *Dashboard, path string) map[string]string {
	t.Helper()
	text := map[string]string{}
	for path != "" {
		doc := read(t, d, path)
		path = ""
		last := ""
		for n := range byID(doc, "rule").Descendants() {
			switch {
			case n.Type != html.ElementNode:
			case attr(n, "rel") == "next":
				path = attr(n, "href")
			case attr(n, "class") == "n":
				last = attr(n, "href")
			case attr(n, "class") == "words":
				text[last] = textOf(n)
			}
		}
	}
	return text
}

// Every rule that an event of a bundled campaign cites is printed on the event's page as a link, and the
// page behind it lists the event with the words of the citation.
func TestEveryRuleLeadsToWhatItWasAppliedTo(t *testing.T) {
	d, all := pages(t)
	for _, k := range fixtures.Campaigns() {
		c, err := all.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		rules := map[string]map[string]string{} // by path, what stands there, by event
		list, err := all.service.Log(t.Context(), k.Name, 0, c.Events)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			event := pathTo("campaigns", c.Name, "events", l.Index)
			for _, cited := range l.Derivation {
				path := ruleTo(c.Name, cited.Rule).Path
				if rules[path] == nil {
					rules[path] = listedOn(t, d, path)
				}
				if words := strings.Join(strings.Fields(cited.Step), " "); !strings.Contains(rules[path][event],
					words) {
					t.Errorf("%s does not say of %s %q but %q", path, event, words, rules[path][event])
				}
			}
			if len(l.Derivation) == 0 && l.Type != "dispute_opened" && l.Type != "dispute_ruled" && l.Index%10 != 0 {
				continue
			}
			printedOn(t, d, c, event, rules)
		}
		for _, path := range []string{"", "/events", "/rules"} {
			for id, to := range printed(read(t, d, pathTo("campaigns", c.Name)+path)) {
				if rules[to] == nil && len(listedOn(t, d, to)) == 0 {
					t.Errorf("%s: %s on %s leads to %q, which lists nothing", c.Name, id, path, to)
				}
			}
		}
		t.Logf("%s: %d rules", c.Name, len(rules))
	}
}

// printedOn holds the rules printed on an event's page against their pages.
func printedOn(t *testing.T, d *Dashboard, c timeline.Campaign, event string, rules map[string]map[string]string) {
	t.Helper()
	doc := read(t, d, event)
	for id, to := range printed(doc) {
		if to == "" {
			t.Errorf("%s prints %s and leads nowhere", event, id)
			continue
		}
		if rules[to] == nil {
			rules[to] = listedOn(t, d, to)
		}
		if len(rules[to]) == 0 {
			t.Errorf("%s: the page of %s lists no event", event, id)
		}
	}
	result := byID(doc, "result")
	if result == nil {
		return
	}
	for n := range result.Descendants() { // its modifiers
		if n.Type == html.ElementNode && attr(n, "class") == "rule" && rules[attr(n, "href")][event] == "" {
			t.Errorf("%s prints %s, whose page does not list it", event, textOf(n))
		}
	}
}

// At a moment a rule was applied to what had happened, and to nothing later.
func TestRulesAtMoments(t *testing.T) {
	d, all := pages(t)
	const campaign = "second-front-1944"
	head, err := all.service.RulesApplied(t.Context(), campaign, 1<<40)
	if err != nil || len(head.Rules) < 10 {
		t.Fatal(err, len(head.Rules))
	}
	for _, r := range head.Rules {
		path := ruleTo(campaign, r.ID).Path
		if w := get(d, fmt.Sprintf("%s?at=%d", path, r.Last)); w.Code != http.StatusOK {
			t.Errorf("%s at #%d: %d", r.ID, r.Last, w.Code)
		}
		if r.Last == 0 {
			continue
		}
		w := get(d, fmt.Sprintf("%s?at=%d", path, r.Last-1))
		switch {
		case r.Events == 1 && (w.Code != http.StatusOK || !strings.Contains(w.Body.String(),
			fmt.Sprintf("No event of Second Front 1944 names it up to #%d.", r.Last-1))):
			t.Errorf("%s before it was first applied: %d", r.ID, w.Code)
		case r.Events > 1 && strings.Contains(w.Body.String(), fmt.Sprintf(`events/%d"`, r.Last)):
			t.Errorf("%s at #%d tells #%d", r.ID, r.Last-1, r.Last)
		}
	}
	for _, at := range []uint64{1, head.Events / 3, head.Events - 1} {
		then, err := all.service.RulesApplied(t.Context(), campaign, at)
		if err != nil {
			t.Fatal(err)
		}
		rows := printed(byID(read(t, d, fmt.Sprintf("/campaigns/%s/rules?at=%d", campaign, at-1)), "rules"))
		if len(rows) != len(then.Rules) {
			t.Errorf("after %d events the page has %d rules of %d", at, len(rows), len(then.Rules))
		}
		for _, r := range then.Rules {
			if r.Last >= at {
				t.Errorf("after %d events %s was applied in #%d", at, r.ID, r.Last)
			}
		}
	}
}

// What is no rule is answered in words, whatever it is called.
func TestNoSuchRule(t *testing.T) {
	d, _ := pages(t)
	for _, id := range []string{"NO-1", `"><script>alert(1)</script>`, "AAR-4-CAP/../..", "\x00", "%", "{{.}}",
		strings.Repeat("A", 5000)} {
		w := get(d, "/campaigns/second-front-1944/rules/"+url.PathEscape(id))
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), "has applied no rule") ||
			strings.Contains(w.Body.String(), "<script>") {
			t.Errorf("%.40q: %d\n%.300s", id, w.Code, w.Body)
		}
	}
	for query, code := range map[string]int{"from=x": 404, "from=-1": 404, "from=18446744073709551615": 200,
		"at=nothing": 404, "from=0": 404} {
		if w := get(d, "/campaigns/second-front-1944/rules/AAR-4-RANGE?"+query); w.Code != code {
			t.Errorf("%s: %d", query, w.Code)
		}
	}
}

// The page of a rule has at its top the words of the rule.
func TestRuleSaysWhatItSays(t *testing.T) {
	d, _ := pages(t)
	text := textOf(read(t, d, "/campaigns/second-front-1944/rules/AAR-4-RANGE"))
	says, err := timeline.FindRule("AAR-4-RANGE")
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{says.Of + ", " + says.Paragraph + " · AAR-4-RANGE", says.Title, says.Sentence,
		"Worked example from Second Front 1944", "raids take", "For example", says.Example, "What it was applied to"} {
		n := strings.Index(text[at:], want)
		if n < 0 {
			t.Fatalf("no %q behind byte %d of %q", want, at, text)
		}
		at += n
	}
}

// A rule that no event has named has its words on its page, and no list. One of other rules has no page.
func TestRuleThatWasNeverApplied(t *testing.T) {
	d, _ := pages(t)
	const path = "/campaigns/second-front-1944/rules/"
	says, err := timeline.FindRule("AAR-7-MOD-SUPER")
	if err != nil {
		t.Fatal(err)
	}
	doc := read(t, d, path+"aar-7-mod-super")
	for _, want := range []string{says.Title, says.Sentence, says.Example,
		"No event of Second Front 1944 names it yet."} {
		if text := textOf(doc); !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if byID(doc, "uses") != nil {
		t.Error("the page lists uses of a rule that has none")
	}
	if w := get(d, path+"G40-SCR-TIME"); w.Code != http.StatusNotFound {
		t.Errorf("a rule of Global 1940 in a campaign of Revised: %d", w.Code)
	}
}

// An id is found as people write it, and a rule of a dispute names the dispute.
func TestRuleOfADispute(t *testing.T) {
	d, all := pages(t)
	list, err := all.service.Disputes("second-front-1944", timeline.DisputeFilter{})
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, x := range list.Disputes {
		for _, id := range x.Rules() {
			found++
			doc := read(t, d, ruleTo(x.Campaign, strings.ToLower(id)).Path)
			if text := byID(doc, "disputed"); text == nil || !strings.Contains(textOf(text), x.Claim.Claim) {
				t.Errorf("the page of %s does not name dispute #%d", id, x.Index)
			}
		}
	}
	if found == 0 {
		t.Error("no dispute turns on a rule")
	}
}
