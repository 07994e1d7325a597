package dashboard

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"

	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/fixtures"
)

// Every bundled campaign is drawn whole at every stop of interest, as it was then.
func TestCampaignsAtMoments(t *testing.T) {
	d, all := pages(t)
	read(t, d, "/")
	for _, k := range fixtures.Campaigns() {
		c, err := all.service.Campaign(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		path := pathTo("campaigns", c.Name)
		if got := textOf(byID(read(t, d, path), "moment")); !strings.Contains(got, fmt.Sprintf("Event #%d of %d",
			c.Events-1, c.Events)) || !strings.Contains(got, "Up to date") {
			t.Errorf("%s at its head: %s", k.Name, got)
		}
		turns, err := all.service.Turns(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		moments := []string{"0", "1", strconv.FormatUint(c.Events/2, 10), strconv.FormatUint(c.Events-1, 10)}
		for _, p := range turns {
			moments = append(moments, strconv.FormatUint(strip.LastOf(p), 10), strconv.FormatUint(p.First, 10))
		}
		for _, at := range moments {
			doc := read(t, d, path+"?at="+at)
			event, _ := strconv.ParseUint(at, 10, 64)
			logged, err := all.service.Log(t.Context(), k.Name, event, event+1)
			if err != nil {
				t.Fatal(err)
			}
			if got := textOf(byID(doc, "here")); !strings.Contains(got,
				strings.Join(strings.Fields(worded.Sentence(logged[0].Narration)), " ")) {
				t.Errorf("%s at #%s: %s", k.Name, at, got)
			}
			if scrub := byID(doc, "scrub"); attr(scrub, "value") != at ||
				attr(scrub, "max") != strconv.FormatUint(c.Events-1, 10) {
				t.Errorf("%s at #%s: the scrubber stands at %s of %s", k.Name, at, attr(scrub, "value"),
					attr(scrub, "max"))
			}
			onTheWay(t, doc, event)
		}
	}
}

// onTheWay holds what happened against the moment: nothing of it is later, and the newest is first.
func onTheWay(t *testing.T, doc *html.Node, event uint64) {
	t.Helper()
	first := true
	for n := range byID(doc, "happened").Descendants() {
		if n.Type != html.ElementNode || attr(n, "class") != "n" {
			continue
		}
		index, err := strconv.ParseUint(strings.TrimPrefix(textOf(n), "#"), 10, 64)
		if err != nil || index > event || first && index != event {
			t.Errorf("at #%d there happened %s", event, textOf(n))
		}
		first = false
	}
	if first {
		t.Errorf("at #%d nothing happened", event)
	}
}

// settled says in words how disputes were ruled.
var settled = map[string]string{"upheld": "Settled: what was contested stands.",
	"corrected": "Settled: what was contested is corrected.", "void": "Settled: what was contested is struck out.",
	"precedent": "Settled: what was contested stands, and like cases with it."}

// A dispute stands on the page as it stood at the moment.
func TestDisputesAtMoments(t *testing.T) {
	d, all := pages(t)
	list, err := all.service.Disputes("second-front-1944", timeline.DisputeFilter{})
	if err != nil || len(list.Disputes) == 0 {
		t.Fatal(err, len(list.Disputes))
	}
	text := func(at uint64, index uint64) string {
		for n := range byID(read(t, d, fmt.Sprintf("/campaigns/second-front-1944?at=%d", at)),
			"disputes").Descendants() {
			if line := attr(n, "class"); strings.HasPrefix(line, "event-line") &&
				strings.HasPrefix(textOf(n), fmt.Sprintf("#%d ", index)) {
				return textOf(n)
			}
		}
		return ""
	}
	ruled := 0
	for _, x := range list.Disputes {
		if got := text(x.Index-1, x.Index); got != "" {
			t.Errorf("dispute #%d is told before it was opened: %s", x.Index, got)
		}
		if got := text(x.Index, x.Index); !strings.Contains(got, "Open") || !strings.Contains(got, x.Claim.Claim) {
			t.Errorf("dispute #%d when it was opened: %s", x.Index, got)
		}
		if x.Ruling == nil {
			continue
		}
		ruled++
		if got := text(x.Ruling.Event, x.Index); !strings.Contains(got, settled[x.Ruling.Ruling]) {
			t.Errorf("dispute #%d when it was ruled: %s", x.Index, got)
		}
	}
	if ruled == 0 {
		t.Error("no dispute was ruled")
	}
}

// What is not there is answered with a page that says so.
func TestNoSuchPage(t *testing.T) {
	d, _ := pages(t)
	for url, says := range map[string]string{
		"/nothing":                                       "no such page",
		"/campaigns/nobody":                              "no such campaign",
		"/campaigns/straits-1942?at=99999":               "no event #99999",
		"/campaigns/straits-1942?at=turn:Never":          "no turn",
		"/campaigns/straits-1942/events?from=99999":      "no events from",
		"/campaigns/straits-1942/events?from=-1":         "no events from",
		"/campaigns/straits-1942/events?turn=Never":      "no turn",
		"/campaigns/straits-1942/events?turn=%3Cscript>": "&lt;script&gt;",
	} {
		w := get(d, url)
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%s: %d\n%s", url, w.Code, w.Body)
		}
	}
}

// The list of events is whole, page by page, and turn by turn.
func TestEventsPageByPage(t *testing.T) {
	d, all := pages(t)
	const campaign = "atlantic-and-pacific"
	c, err := all.service.Campaign(campaign)
	if err != nil {
		t.Fatal(err)
	}
	walk := func(url string) (seen []uint64) {
		for url != "" {
			doc := read(t, d, url)
			url = ""
			for n := range byID(doc, "events").Descendants() {
				if n.Type != html.ElementNode {
					continue
				}
				if attr(n, "rel") == "next" {
					url = attr(n, "href")
				}
				if attr(n, "class") == "n" {
					index, err := strconv.ParseUint(strings.TrimPrefix(textOf(n), "#"), 10, 64)
					if err != nil {
						t.Fatal(err)
					}
					if len(seen) == 0 || index < seen[len(seen)-1] { // the last page is full too, with some again
						seen = append(seen, index)
					}
				}
			}
		}
		return seen
	}
	falls := func(seen []uint64, from, to uint64) bool {
		for i, index := range seen {
			if index != to-uint64(i)-1 {
				return false
			}
		}
		return uint64(len(seen)) == to-from
	}
	if seen := walk("/campaigns/" + campaign + "/events"); !falls(seen, 0, c.Events) {
		t.Errorf("of %d events there are %v", c.Events, seen)
	}
	turns, err := all.service.Turns(campaign)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range turns[1:] {
		if seen := walk("/campaigns/" + campaign + "/events?turn=" + strings.ReplaceAll(p.Label, " ",
			"+")); !falls(seen, p.First, p.First+p.Events) {
			t.Errorf("of %s there are %v", p.Label, seen)
		}
	}
}
