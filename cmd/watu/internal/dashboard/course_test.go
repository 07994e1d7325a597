package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/standing"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// TestCourseOfEveryCampaign: each bundled campaign has the plots of its kind, each with its table, and nothing that is
// empty. What raids and bombs took in all is what the view says.
func TestCourseOfEveryCampaign(t *testing.T) {
	d, all := pages(t)
	for name, want := range map[string]string{
		"straits-1942": "course-lost", "second-front-1944": "course-lost course-units-lost course-luck-hits",
		"two-oceans-1941": "course-lost course-damaged course-units-lost course-luck-hits course-luck-pips",
		"atlantic-and-pacific": "course-first course-second course-luck-pips course-deck-0 course-deck-1 " +
			"course-deck-2 course-deck-3", "pacific-patrol-1942": "course-luck-pips course-draws-japan course-cut",
	} {
		var ids []string
		for n := range byID(read(t, d, "/campaigns/"+name), "course").Descendants() {
			if n.Data == "figure" {
				ids = append(ids, attr(n, "id"))
				if text := textOf(byID(n, attr(n, "id")+"-figures")); len(strings.Fields(text)) < 6 {
					t.Errorf("%s, %s has no table: %s", name, attr(n, "id"), text)
				}
			}
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	v, err := all.service.ViewsAt(t.Context(), "straits-1942", timeline.Viewer{As: timeline.Public}, 1000)
	if err != nil {
		t.Fatal(err)
	}
	lost := byID(read(t, d, "/campaigns/straits-1942"), "course-lost")
	for _, x := range v.Income.Totals {
		if n := x.LostToRaids + x.LostToAttacks; n > 0 && x.Power == "UK" && !says(lost, fmt.Sprintf("The UK %d", n)) {
			t.Errorf("%s has lost %d, and the plot says %s", x.Power, n, textOf(lost))
		}
	}
	for n := range lost.Descendants() {
		if n.Data == "svg" && len(strings.Fields(attr(n, "data-ends"))) != 4 {
			t.Errorf("the plot leads to %q", attr(n, "data-ends"))
		}
	}
}

// says reports whether a text element in a drawing says that.
func says(in *html.Node, what string) bool {
	for n := range in.Descendants() {
		if n.Data == "text" && textOf(n) == what {
			return true
		}
	}
	return false
}

// TestDecades: behind the cards in full each turn has a line, under its decade, that leads to its end.
func TestDecades(t *testing.T) {
	v := storyView{links: links{name: "c"}, Words: standing.Words{Lang: story.English}, ends: map[uint64]uint64{}}
	for i := range uint64(500) {
		n := 500 - i
		v.story.Cards = append(v.story.Cards, story.Card{Title: story.Sentence{Key: "u-boats"},
			Turn: events.Turn{Ordinal: n, Label: fmt.Sprintf("Round %d", n)}})
		v.ends[n] = 10 * n
	}
	list := v.Decades()
	if len(list) != mostDecades || list[0].Name != "Round 481 to Round 490" || len(list[0].Lines) != 10 ||
		list[0].N != 49 {
		t.Fatalf("%d decades: %+v", len(list), list[0])
	}
	if l := list[0].Lines[9]; l.Turn != "Round 481" || l.At != "/campaigns/c?at=4810" || l.Title != "U-boats" {
		t.Errorf("%+v", l)
	}
	if got := v.Before(); got != "90 earlier turns before these." {
		t.Error(got)
	}
	v.story.Cards = slices.Delete(v.story.Cards, 11, 500)
	if list = v.Decades(); len(list) != 1 || list[0].Name != "Round 490" || v.Before() != "" {
		t.Errorf("%+v, %q", list, v.Before())
	}
}
