package dashboard

import (
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// TestFirstScreenAnswers: of every bundled campaign the first screen says in words who stands better and that this is
// no victory, what happened last, and what it cost.
func TestFirstScreenAnswers(t *testing.T) {
	d, _ := pages(t)
	for name, want := range map[string][3]string{
		"straits-1942": {"The Allies lead by income, 50 to the 31 IPCs of the Axis. Income, in IPCs (the money of " +
			"the game), says who can buy more, and is no victory count.", "The US takes Western Europe, worth 6 IPCs",
			"Germany’s income fell from 27 IPCs in Round 3 to 21: its land brings 6 less."},
		"second-front-1944": {"The Allies lead by income, 49 to the 28 IPCs of the Axis.",
			"U-boats and bombers cost the UK 12 IPCs, the most yet",
			"Raids took 5 of an income of 16 IPCs, and bombs 7 from the treasury: 11 collected."},
		"two-oceans-1941": {"The Allies lead by income, 52 to the 24 IPCs of the Axis, counting each power’s last " +
			"income, from Round 1 to Round 5; without an income yet: Russia, China and Italy.",
			"The UK takes Western Germany from Germany, worth 5 IPCs",
			"Without that land Germany collects 5 IPCs less each turn; its treasury holds 0 IPCs."},
		"atlantic-and-pacific": {"Britain stands best: its results add up to 69 and 140, first and second " +
			"numbers; those of the European Axis to 18 and 56; Japan 4 and 10; the United States 4 and 9. The rules " +
			"do not name the two numbers of a result, and count no victory by them; the large figures below are " +
			"strength in the last combat.",
			"Double six: escorts of Britain score 13 and 22 (Atlantic), the most yet",
			"The printed table’s first number is 13, its second 22; what they take off the 18 submarine factors is " +
				"settled on the board, and seen when they fight next."},
		"pacific-patrol-1942": {"The Allies stand better: their submarines have cost Japan 3 cards and 2 shipping " +
			"points (ASPs) so far, and were driven away once. This is no victory count.",
			"Japan draws all of its 7 cards",
			"Submarines took none of them; in Turn 7, 1943 they took 2 of 7 cards."},
	} {
		doc := read(t, d, "/campaigns/"+name)
		got := [3]string{wordsOf(byID(doc, "score"), "verdict"), wordsOf(byID(doc, "headline"), "headline-title"),
			wordsOf(byID(doc, "headline"), "deck-line")}
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("%s: %q, not %q", name, got[i], want[i])
			}
		}
	}
}

// wordsOf is the text of the first element of a class.
func wordsOf(in *html.Node, class string) string {
	for n := range in.Descendants() {
		if n.Type == html.ElementNode && attr(n, "class") == class {
			return strings.Join(strings.Fields(textOf(n)), " ")
		}
	}
	return ""
}

// TestFinal: what stands apart is over, and says who stood better at its end.
func TestFinal(t *testing.T) {
	d, all := pages(t)
	c, err := all.service.Campaign("straits-1942")
	if err != nil {
		t.Fatal(err)
	}
	v, err := all.service.ViewsAt(t.Context(), c.ID, timeline.Viewer{As: timeline.Public}, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	c.Archived = true
	view, err := d.storyAt(t.Context(), c, timeline.Moment{Events: c.Events, Event: c.Events - 1}, v, story.English)
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, x := range view.Score().Verdict() {
		text += x.Text
	}
	if text != "Final: the Allies lead by income, 50 to the 31 IPCs of the Axis." {
		t.Error(text)
	}
}

// TestFiguresSayWhatTheyAre: no figure of the score stands without what it is, and the key of the map has those on
// land.
func TestFiguresSayWhatTheyAre(t *testing.T) {
	d, _ := pages(t)
	for _, x := range []struct{ name, part, want string }{
		{"two-oceans-1941", "score", "IPCs collected last, Round 1 to Round 5, lead by 28 52 IPCs The US 24 IPCs"},
		{"straits-1942", "score", "treasury 27 = 14 + 11 + 2 since that income"},
		{"pacific-patrol-1942", "score", "Japan 7 cards ▲ 2 from"},
		{"atlantic-and-pacific", "score", "Britain 44 escort factors ▲ 8 from"},
		{"atlantic-and-pacific/overlay", "overlay", "Britain 44 escort factors"},
		{"two-oceans-1941", "map", "bold: worth in IPCs framed: units reported; a number alone counts them all"},
	} {
		text := strings.Join(strings.Fields(textOf(byID(read(t, d, "/campaigns/"+x.name), x.part))), " ")
		if !strings.Contains(text, x.want) {
			t.Errorf("%s: %q lacks %q", x.name, text, x.want)
		}
	}
}
