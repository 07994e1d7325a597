package dashboard

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/strip"

	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// TestScoreAndPlotAreTheView: each income that counts is a dot of the plot that leads to its event, and the last one of
// each power its figure in the score.
func TestScoreAndPlotAreTheView(t *testing.T) {
	d, all := pages(t)
	c, err := all.service.Campaign("straits-1942")
	if err != nil {
		t.Fatal(err)
	}
	v, err := all.service.ViewsAt(t.Context(), c.ID, timeline.Viewer{As: timeline.Public}, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	doc := read(t, d, "/campaigns/straits-1942")
	called := map[string]string{"UK": "The UK", "US": "The US"}
	last := map[string]string{}
	for _, x := range v.Income.Turns {
		if x.Income == nil || !x.Income.Counts() {
			continue
		}
		name := x.Power
		if called[name] != "" {
			name = called[name]
		}
		want := fmt.Sprintf("%s, %s: %d", name, x.Turn, x.Income.Net)
		why := linkOf(byID(doc, "plot"), want)
		if why != fmt.Sprintf("/campaigns/straits-1942/events/%d", x.Income.Event) {
			t.Errorf("%s leads to %q", want, why)
		}
		last[name] = fmt.Sprint(x.Income.Net)
	}
	if len(last) != 5 {
		t.Fatalf("%d powers collect", len(last))
	}
	for n := range byID(doc, "score").Descendants() {
		if n.Data != "li" {
			continue
		}
		words := strings.Fields(textOf(n))
		i := slices.IndexFunc(words, func(w string) bool { return strings.Trim(w, "0123456789") == "" })
		if i < 0 || words[i] != last[strings.Join(words[:i], " ")] {
			t.Errorf("the score says %v, and the view %v", words, last)
		}
		delete(last, strings.Join(words[:max(i, 0)], " "))
	}
	if len(last) > 0 {
		t.Errorf("the score lacks %v", last)
	}
	if got := textOf(byID(doc, "headline")); !strings.HasPrefix(got, "The US takes Western Europe, worth 6 IPCs") {
		t.Error(got)
	}
}

// linkOf is where the figure with a title leads.
func linkOf(in *html.Node, title string) string {
	for n := range in.Descendants() {
		if n.Data == "title" && textOf(n) == title {
			return attr(n.Parent, "href")
		}
	}
	return ""
}

// TestStoryAtAMoment: the story of a moment knows nothing of what came later.
func TestStoryAtAMoment(t *testing.T) {
	d, all := pages(t)
	turns, err := all.service.Turns("straits-1942")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range turns {
		if x.Ordinal == 0 {
			continue
		}
		doc := read(t, d, fmt.Sprintf("/campaigns/straits-1942?at=%d", strip.LastOf(x)))
		story := textOf(byID(doc, "story-cards"))
		if !strings.HasPrefix(story, x.Label) || strings.Contains(story, fmt.Sprintf("Round %d", x.Ordinal+1)) {
			t.Errorf("at the end of %s the story is %.200s", x.Label, story)
		}
	}
	doc := read(t, d, "/campaigns/straits-1942?at=1")
	if got := textOf(byID(doc, "headline")); got != "Nothing is recorded yet" {
		t.Error(got)
	}
	if byID(doc, "score") != nil {
		t.Error("a score before anybody has collected")
	}
}

// TestStoryInAnotherLanguage: the reader has the story in the language that he asks for, with the same links at its
// figures, and the page's own links keep it.
func TestStoryInAnotherLanguage(t *testing.T) {
	d, _ := pages(t)
	const address = "/campaigns/straits-1942"
	english, german := read(t, d, address), read(t, d, address+"?lang=de")
	for _, id := range []string{"headline", "score", "story-cards", "story-title"} {
		a, b := byID(english, id), byID(german, id)
		if attr(a, "lang") != "en" || attr(b, "lang") != "de" || textOf(a) == textOf(b) {
			t.Errorf("%s: %q in English, %q in German", id, textOf(a), textOf(b))
		}
		x, y := hrefs(a), hrefs(b)
		for i := range y {
			y[i] = regexp.MustCompile(`[?&]lang=de`).ReplaceAllString(y[i], "")
		}
		if slices.Sort(y); !slices.Equal(x, y) {
			t.Errorf("%s leads to %v in English, to %v in German", id, x, y)
		}
	}
	kept := hrefs(byID(german, "strip"))
	if len(kept) == 0 || !slices.ContainsFunc(kept, func(to string) bool { return strings.HasSuffix(to, "&lang=de") }) {
		t.Errorf("the links of the strip: %v", kept)
	}
	if other := hrefs(classed(german, "languages")); !slices.Equal(other, []string{address + "?lang=en"}) {
		t.Errorf("English stands at %q", other)
	}
	if other := hrefs(classed(english, "languages")); !slices.Equal(other, []string{address + "?lang=de"}) {
		t.Errorf("German stands at %q", other)
	}
	unknown := read(t, d, address+"?lang=xx")
	if textOf(byID(unknown, "headline")) != textOf(byID(english, "headline")) {
		t.Error("an unknown language is not English")
	}
}

// hrefs are where the links in an element lead, sorted.
func hrefs(in *html.Node) (list []string) {
	for n := range in.Descendants() {
		if to := attr(n, "href"); n.Data == "a" && to != "" {
			list = append(list, to)
		}
	}
	slices.Sort(list)
	return list
}
