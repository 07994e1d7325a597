package dashboard

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/situation"
	boards "github.com/watu-ledger/watu/rules/board"
)

// mapOf is a situation as the page of a campaign is given it.
func mapOf(campaign string, r situation.Report) mapview.Input {
	return mapview.Input{Situation: r, Event: links{name: campaign}.To}
}

// panelText draws the map's part of a page.
func panelText(t testing.TB, p *mapview.Panel) string {
	t.Helper()
	var b bytes.Buffer
	if err := sets()["campaign.html"].ExecuteTemplate(&b, "map", p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// drawing is the map itself, which must be an XML document.
func drawing(t testing.TB, text string) string {
	t.Helper()
	_, rest, found := strings.Cut(text, `<svg class="plotted"`)
	svg, _, closed := strings.Cut(rest, "</svg>")
	if !found || !closed {
		t.Fatalf("no map is drawn: %.300s", text)
	}
	svg = `<svg class="plotted"` + svg + "</svg>"
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return svg
		} else if err != nil {
			t.Fatalf("the map is not XML: %v", err)
		}
	}
}

// Real boards are drawn whole, in the size that a page bears: every space that they show, each point
// within the drawing.
func TestMapOfRealBoards(t *testing.T) {
	for _, x := range []struct {
		name         string
		most, marked int // bytes
	}{{"revised", 80_000, 170_000}, {"global1940", 135_000, 335_000}} {
		t.Run(x.name, func(t *testing.T) {
			b := maptest.TripleA(t, x.name)
			soundMap(t, b)
			if n := len(panelText(t, mapview.Plot(b).Draw(mapOf("a", situation.Report{})))); n > x.most {
				t.Errorf("%d bytes as it is set up, more than %d", n, x.most)
			}
			if n := len(panelText(t, mapview.Plot(b).Draw(mapOf("a", maptest.Every(b))))); n > x.marked {
				t.Errorf("%d bytes with something said of every space, more than %d", n, x.marked)
			}
		})
	}
}

func TestMapOfBundledBoards(t *testing.T) {
	for _, name := range fixtures.Boards() {
		t.Run(name, func(t *testing.T) { soundMap(t, maptest.Bundled(t, name)) })
	}
}

var pathData = regexp.MustCompile(`^M\d+ \d+([lhvm]-?\d+([ -]\d+)*|z)*z$`)

// soundMap holds the drawing of a board against the board.
func soundMap(t *testing.T, b *boards.Board) {
	t.Helper()
	m := mapview.Plot(b)
	if m == nil {
		t.Fatal("the board has no outlines")
	}
	svg := drawing(t, panelText(t, m.Draw(mapOf("a", maptest.Every(b)))))
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "ZgotmplZ") || strings.Contains(svg, "%!") {
		t.Error("nonsense in the drawing")
	}
	drawn := map[string]string{}
	for _, s := range slices.Concat(m.Lands, m.Waters) {
		drawn[s.Name] = s.Path
	}
	for _, s := range b.Spaces() {
		outlines, err := b.Polygons(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		path, ok := drawn[s.Name]
		switch {
		case ok != (len(outlines) > 0) && !ok:
			t.Errorf("%s is not drawn", s.Name)
		case !ok:
		case !pathData.MatchString(path):
			t.Errorf("%s: not a path: %s", s.Name, path)
		case !strings.Contains(svg, `d="`+path+`"`):
			t.Errorf("%s is not in the drawing", s.Name)
		default:
			within(t, m, s.Name, path)
		}
	}
}

// within follows a path, all points of which are on the map or, for a ring about an island at its edge,
// next to it.
func within(t *testing.T, m *mapview.Board, space, path string) {
	t.Helper()
	x, y, fromX, fromY := 0, 0, 0, 0
	for _, c := range regexp.MustCompile(`[Mmlhvz][-\d ]*`).FindAllString(path, -1) {
		var n []int
		for _, text := range regexp.MustCompile(`-?\d+`).FindAllString(c[1:], -1) {
			v, err := strconv.Atoi(text)
			if err != nil {
				t.Fatal(err)
			}
			n = append(n, v)
		}
		for i := 0; i < len(n); i++ {
			switch c[0] {
			case 'h':
				x += n[i]
			case 'v':
				y += n[i]
			default:
				x, y = x+n[i], y+n[i+1]
				i++
			}
			if x < -5 || y < -5 || x > m.Width+5 || y > m.Height+5 {
				t.Fatalf("%s leaves the map at %d,%d: %s", space, x, y, path)
			}
		}
		if c[0] == 'M' || c[0] == 'm' {
			fromX, fromY = x, y
		}
		x, y = map[bool]int{true: fromX, false: x}[c[0] == 'z'], map[bool]int{true: fromY, false: y}[c[0] == 'z']
	}
}

// What the record says stands on the map, each with the page of its event.
func TestMapTellsTheSituation(t *testing.T) {
	m := mapview.Plot(maptest.Bundled(t, "straits"))
	at := projections.Place{Event: 41, Ordinal: 2, Turn: "Round 2"}
	r := situation.Report{
		Ordinal: 2, Turn: "Round 2",
		Territories: []situation.Holding{{Place: at, Territory: "Western Europe", Holder: "US", Captor: "US",
			Captured: "Germany"}},
		Submarines: []situation.Station{{Place: projections.Place{Event: 42, Turn: "Round 1"}, Power: "Germany",
			Zone: "8 Sea Zone", Count: 2, Submarines: []situation.Submarine{
				{Name: "U-96", Detected: 45}, {Name: "<b>U-47</b>"},
			}}},
		Raids: []situation.Raided{
			{Territory: "United Kingdom", Victim: "UK", Ordinal: 2, Turn: "Round 2", Damage: 3,
				Raids: []situation.Raid{{Event: 43, Powers: []string{"Germany"}, Zone: "8 Sea Zone", Damage: 3}}},
			{Territory: "Eastern Canada", Victim: "UK", Ordinal: 1, Turn: "Round 1", Damage: 2,
				Raids: []situation.Raid{{Event: 30, Powers: []string{"Germany"}, Zone: "9 Sea Zone", Damage: 2}}},
		},
		Bombings: []situation.Bombed{{Territory: "United Kingdom", Victim: "UK", Ordinal: 2, Turn: "Round 2", Damage: 6,
			Attacks: []situation.Attack{{Event: 44, Kind: "rockets", Power: "Germany", From: "Germany", Damage: 6}}}},
	}
	text := panelText(t, m.Draw(mapOf("the campaign", r)))
	svg := drawing(t, text)
	for _, want := range []string{
		`<a href="/campaigns/the%20campaign/events/41"><path`,
		"Western Europe: held by US, worth 6; taken from Germany by US in Round 2, #41",
		`<a href="/campaigns/the%20campaign/events/42" class="f-germany">`,
		"8 Sea Zone: 2 submarines of Germany: U-96 (detected, #45), &lt;b&gt;U-47&lt;/b&gt;; reported in Round 1, #42",
		">2</text>",
		`<a href="/campaigns/the%20campaign/events/43">`, "A raid from 8 Sea Zone on United Kingdom takes 3, #43",
		`<a href="/campaigns/the%20campaign/events/44" class="bombs">`, "rockets from Germany on United Kingdom, #44",
		`<a href="/campaigns/the%20campaign/events/44">`, ">The UK −9 IPCs</text>", ">raids 3, bombs 6</text>",
		"bombing and rockets do 6 to UK: rockets of Germany, 6 (#44)",
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("the map does not have %q", want)
		}
	}
	if strings.Contains(svg, "events/30") {
		t.Error("a raid of an earlier turn is on the map")
	}
	_, figures, _ := strings.Cut(text, `<details id="map-figures"`)
	for _, event := range []int{30, 41, 42, 43, 44, 45} {
		if !strings.Contains(figures, fmt.Sprintf("/events/%d\">", event)) {
			t.Errorf("the figures do not lead to #%d", event)
		}
	}
}

// A board without outlines has no map, nor has a campaign without a board.
func TestNoMap(t *testing.T) {
	list, _ := fixtures.Board("straits")
	var files []boards.File
	for _, f := range list {
		if f.Name != "polygons.txt" {
			files = append(files, boards.File{Name: f.Name, Data: f.Data})
		}
	}
	b, err := boards.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	if mapview.Plot(b) != nil {
		t.Error("a board without outlines is drawn")
	}
	d, _ := pages(t)
	if doc := read(t, d, "/campaigns/atlantic-and-pacific"); byID(doc, "map") != nil {
		t.Error("a campaign without a board has a map")
	}
}

// The map is that of the moment: before Round 4 France was German, and afterwards it is not.
func TestMapFollowsTheMoment(t *testing.T) {
	d, _ := pages(t)
	now := textOf(byID(read(t, d, "/campaigns/straits-1942"), "map"))
	then := textOf(byID(read(t, d, "/campaigns/straits-1942?at=turn:Round+3"), "map"))
	if !strings.Contains(now, "Western Europe: held by US") || !strings.Contains(now, "The board in Round 4") {
		t.Errorf("at the head: %.300s", now)
	}
	if !strings.Contains(then, "Western Europe: held by Germany") || !strings.Contains(then, "The board in Round 3") {
		t.Errorf("in Round 3: %.300s", then)
	}
}

// A board is read and drawn once, whoever plays on it, and no more than some are kept.
func TestBoardsAreKept(t *testing.T) {
	d, all := pages(t)
	a, err := d.boards.of(all.service, "straits-1942")
	if err != nil || a == nil {
		t.Fatal(a, err)
	}
	for _, name := range []string{"straits-1942", "second-front-1944"} {
		if b, err := d.boards.of(all.service, name); err != nil || b != a {
			t.Errorf("%s: another drawing of the same board, %v", name, err)
		}
	}
	for i := range 3 * mapsKept {
		d.boards.keep(events.Hash{byte(i), 1}, nil)
	}
	if len(d.boards.kept) != mapsKept || len(d.boards.order) != mapsKept {
		t.Errorf("%d boards are kept", len(d.boards.kept))
	}
	if b, err := d.boards.of(all.service, "straits-1942"); err != nil || b == nil {
		t.Error("a board that was dropped is not drawn again", err)
	}
}
