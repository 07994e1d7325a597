package dashboard

import (
	"cmp"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/words"
	"golang.org/x/net/html"
)

var (
	slot  = regexp.MustCompile(`\{[a-z ]+\}`)
	wordy = regexp.MustCompile(`\p{L}{3,}`)
)

// vocabulary are the words of a language's file, without what is put into its lines.
func vocabulary(t *testing.T, tag string) map[string]bool {
	t.Helper()
	text, err := os.ReadFile("../story/languages/" + tag + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	list := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		_, says, ok := strings.Cut(line, ": ")
		if strings.HasPrefix(line, "word ") {
			_, says, ok = strings.Cut(line, " = ")
		}
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range wordy.FindAllString(strings.ToLower(slot.ReplaceAllString(says, " ")), -1) {
			list[word] = true
		}
	}
	return list
}

// TestGermanPages: no page in German has a word that English alone says, but where it says that this is English
// (lang="en": what events say, the words of rules), and in what people typed or called by a name.
func TestGermanPages(t *testing.T) {
	d, all := pages(t)
	english, german := vocabulary(t, "en"), vocabulary(t, "de")
	list, err := all.service.Campaigns()
	if err != nil {
		t.Fatal(err)
	}
	own := ownNames(t, d, list.Campaigns)
	for _, c := range list.Campaigns {
		home, found := "/campaigns/"+c.Name, 0
		for _, path := range []string{"/", "/league", home, home + "?at=40", home + "/events",
			home + "/events/0", home + "/events/30",
			home + "/rules", "/embed/" + c.Name, home + "/overlay?show=turn,last,result,income,disputes,band"} {
			to := path + "?lang=de"
			if strings.Contains(path, "?") {
				to = path + "&lang=de"
			}
			doc := read(t, d, to)
			for n := range doc.Descendants() {
				if n.Type == html.ElementNode && n.Data == "a" && found < 3 &&
					strings.Contains(attr(n, "href"), "/disputes/") {
					found++
					germanOnly(t, attr(n, "href"), read(t, d, attr(n, "href")), own, english, german)
				}
			}
			germanOnly(t, to, doc, own, english, german)
		}
	}
}

// ownNames takes out what campaigns call by a name: themselves, turns and phases, spaces, what a contest was about.
func ownNames(t *testing.T, d *Dashboard, campaigns []timeline.Campaign) *strings.Replacer {
	t.Helper()
	list := []string{"Takagi's carriers", "Admiral Scheer against HX 84", "Italian boats against the Substance convoy",
		"New Submarine Doctrine", "Submarines Target Troop Transports", "First Convoy Escort Fleet", "New South"}
	for _, c := range campaigns {
		list = append(list, c.Name, c.Title, words.Titled(c.Name))
		events, err := d.service.Log(t.Context(), c.ID, 0, c.Events)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range events {
			number, _, _ := strings.Cut(e.Turn, ",") // of "Turn 7, 1943"
			list = append(list, e.Turn, number, string(e.Phase))
		}
		if b, err := d.boards.of(d.service, c.ID); err == nil && b != nil {
			for _, s := range slices.Concat(b.Lands, b.Waters) {
				list = append(append(list, s.Name), coast.Halves(s.Name)...) // as a map breaks it
				for _, l := range s.Names {                                  // by the table, where that is shorter
					list = append(list, strings.TrimSpace(strings.Join(l.Lines, " ")))
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, name := range slices.Compact(list) {
		if name != "" {
			pairs = append(pairs, name, "·")
		}
	}
	return strings.NewReplacer(pairs...)
}

// germanOnly looks through what a page says.
func germanOnly(t *testing.T, path string, n *html.Node, own *strings.Replacer, english, german map[string]bool) {
	t.Helper()
	looked := func(text string) {
		for _, word := range wordy.FindAllString(own.Replace(text), -1) {
			if low := strings.ToLower(word); english[low] && !german[low] && word != strings.ToUpper(word) {
				t.Errorf("%s: %q is English: %.120s", path, word, text)
				return
			}
		}
	}
	switch {
	case n.Type == html.TextNode:
		looked(n.Data)
	case n.Type == html.ElementNode && (attr(n, "lang") == "en" || strings.Contains(attr(n, "href"), "/rules/") ||
		n.Data == "meta" && !strings.HasSuffix(attr(n, "name")+attr(n, "property"), "description") || slices.Contains(
		[]string{"script", "style", "q", "code", "td"}, n.Data)):
		return
	case n.Type == html.ElementNode:
		for _, key := range []string{"title", "aria-label", "alt", "placeholder", "content"} {
			if !strings.HasPrefix(attr(n, key), "http") {
				looked(attr(n, key))
			}
		}
	}
	for child := range n.ChildNodes() {
		germanOnly(t, path, child, own, english, german)
	}
}
