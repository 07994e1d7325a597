package dashboard

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/coast"

	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/situation"
	boards "github.com/watu-ledger/watu/rules/board"
)

// bundled reads a board that comes with watu.
func bundled(t testing.TB, name string) *boards.Board {
	t.Helper()
	list, ok := fixtures.Board(name)
	if !ok {
		t.Fatalf("there is no board %s", name)
	}
	var files []boards.File
	for _, f := range list {
		files = append(files, boards.File{Name: f.Name, Data: f.Data})
	}
	b, err := boards.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// triplea reads one of TripleA's own boards. They are not part of this repository.
func triplea(t testing.TB, name string) *boards.Board {
	t.Helper()
	dir := os.Getenv("WATU_TRIPLEA_DIR")
	if dir == "" {
		t.Skip("NOT TESTED: set WATU_TRIPLEA_DIR to the folder with TripleA's revised/ and global1940/ to test the " +
			"real boards")
	}
	list, err := os.ReadDir(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	var files []boards.File
	for _, f := range list {
		if boards.Takes(f.Name()) {
			data, err := os.ReadFile(filepath.Join(dir, name, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, boards.File{Name: f.Name(), Data: data})
		}
	}
	b, err := boards.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// panelText draws the map's part of a page.
func panelText(t testing.TB, p *mapPanel) string {
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

// every says something of every space: each land is taken, in each water lies a submarine, each
// complex is raided and bombed.
func every(b *boards.Board) situation.Report {
	r := situation.Report{Ordinal: 3, Turn: "Round 3"}
	at := projections.Place{Event: 7, Ordinal: 3, Turn: "Round 3"}
	wet := map[string]bool{}
	for _, s := range b.Spaces() {
		wet[s.Name] = s.Water
	}
	for _, s := range b.Spaces() {
		zone := ""
		if i := slices.IndexFunc(s.Neighbours, func(n string) bool { return wet[n] }); i >= 0 {
			zone = s.Neighbours[i]
		}
		switch {
		case s.Water:
			r.Submarines = append(r.Submarines, situation.Station{Place: at, Power: "Germany", Zone: s.Name, Count: 2})
		case s.Complex != "":
			r.Raids = append(r.Raids, situation.Raided{Territory: s.Name, Victim: s.Owner,
				Ordinal: 3, Turn: "Round 3", Damage: 2,
				Raids: []situation.Raid{{Event: 9, Powers: []string{"Germany"}, Zone: zone, Damage: 2}}})
			r.Bombings = append(r.Bombings, situation.Bombed{Territory: s.Name, Ordinal: 2, Turn: "Round 2", Damage: 4,
				Attacks: []situation.Attack{{Event: 8, Kind: "sbr", Power: "Germany", Damage: 4}}})
		}
		if !s.Water && s.Complex == "" {
			r.Territories = append(r.Territories, situation.Holding{Place: at, Territory: s.Name, Holder: "Germany"})
		}
	}
	return r
}

// Real boards are drawn whole, in the size that a page bears: every space that they show, each point
// within the drawing.
func TestMapOfRealBoards(t *testing.T) {
	for _, x := range []struct {
		name         string
		most, marked int // bytes
	}{{"revised", 80_000, 170_000}, {"global1940", 135_000, 335_000}} {
		t.Run(x.name, func(t *testing.T) {
			b := triplea(t, x.name)
			soundMap(t, b)
			as := links{name: "a"}
			if n := len(panelText(t, plot(b).panel(as, situation.Report{}))); n > x.most {
				t.Errorf("%d bytes as it is set up, more than %d", n, x.most)
			}
			if n := len(panelText(t, plot(b).panel(as, every(b)))); n > x.marked {
				t.Errorf("%d bytes with something said of every space, more than %d", n, x.marked)
			}
		})
	}
}

func TestMapOfBundledBoards(t *testing.T) {
	for _, name := range fixtures.Boards() {
		t.Run(name, func(t *testing.T) { soundMap(t, bundled(t, name)) })
	}
}

var pathData = regexp.MustCompile(`^M\d+ \d+([lhvm]-?\d+([ -]\d+)*|z)*z$`)

// soundMap holds the drawing of a board against the board.
func soundMap(t *testing.T, b *boards.Board) {
	t.Helper()
	m := plot(b)
	if m == nil {
		t.Fatal("the board has no outlines")
	}
	svg := drawing(t, panelText(t, m.panel(links{name: "a"}, every(b))))
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "ZgotmplZ") || strings.Contains(svg, "%!") {
		t.Error("nonsense in the drawing")
	}
	drawn := map[string]plottedSpace{}
	for _, s := range slices.Concat(m.Lands, m.Waters) {
		drawn[s.Name] = s
	}
	for _, s := range b.Spaces() {
		outlines, err := b.Polygons(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := drawn[s.Name]
		switch {
		case ok != (len(outlines) > 0) && !ok:
			t.Errorf("%s is not drawn", s.Name)
		case !ok:
		case !pathData.MatchString(p.Path):
			t.Errorf("%s: not a path: %s", s.Name, p.Path)
		case !strings.Contains(svg, `d="`+p.Path+`"`):
			t.Errorf("%s is not in the drawing", s.Name)
		default:
			within(t, m, p)
		}
	}
}

// within follows a path, all points of which are on the map or, for a ring about an island at its edge,
// next to it.
func within(t *testing.T, m *plotted, s plottedSpace) {
	t.Helper()
	x, y, fromX, fromY := 0, 0, 0, 0
	for _, c := range regexp.MustCompile(`[Mmlhvz][-\d ]*`).FindAllString(s.Path, -1) {
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
				t.Fatalf("%s leaves the map at %d,%d: %s", s.Name, x, y, s.Path)
			}
		}
		if c[0] == 'M' || c[0] == 'm' {
			fromX, fromY = x, y
		}
		x, y = map[bool]int{true: fromX, false: x}[c[0] == 'z'], map[bool]int{true: fromY, false: y}[c[0] == 'z']
	}
}

// What is left out of an outline is within a unit of what stays, and of the corners nothing is.
func TestOutlineKeepsItsShape(t *testing.T) {
	circle := coast.Ring{}
	for i := range 720 {
		a := float64(i) * math.Pi / 360
		circle = append(circle, boards.Point{X: 500 + int(math.Round(400*math.Cos(a))),
			Y: 500 + int(math.Round(400*math.Sin(a)))})
	}
	for _, r := range []coast.Ring{circle, {{X: 0, Y: 0}, {X: 50, Y: 0},
		{X: 100, Y: 0}, {X: 100, Y: 100}, {X: 0, Y: 100},
		{X: 0, Y: 50}}} {
		s := r.Simplified()
		if 3*len(s) > 2*len(r) {
			t.Errorf("%d of %d points stay", len(s), len(r))
		}
		for _, p := range r {
			if d := offLine(p, s); d > 1 {
				t.Errorf("%v is %.2f units off", p, d)
			}
		}
		if was, is := float64(r.Area()), float64(s.Area()); math.Abs(was-is) > was/100 {
			t.Errorf("the area was %.0f and is %.0f", was, is)
		}
	}
}

// offLine is how far a point is from the nearest side of an outline.
func offLine(p boards.Point, r coast.Ring) float64 {
	best := math.Inf(1)
	for i, a := range r {
		b := r[(i+1)%len(r)]
		dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
		along := (float64(p.X-a.X)*dx + float64(p.Y-a.Y)*dy) / (dx*dx + dy*dy)
		along = min(max(along, 0), 1)
		best = min(best, math.Hypot(float64(p.X-a.X)-along*dx, float64(p.Y-a.Y)-along*dy))
	}
	return best
}

// Outlines of one point, or of two, or all on one line, do not break a drawing.
func FuzzOutline(f *testing.F) {
	f.Add([]byte{1, 1})
	f.Add([]byte{1, 1, 1, 1, 1, 1})
	f.Add([]byte{0, 0, 9, 9, 5, 5, 3, 3})
	f.Add([]byte{0, 0, 0, 99, 99, 99, 99, 0, 50, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var outline []boards.Point
		for i := 0; i+1 < len(data); i += 2 {
			outline = append(outline, boards.Point{X: int(data[i]), Y: int(data[i+1])})
		}
		r := coast.RingOf(outline, func(p boards.Point) boards.Point { return boards.Point{X: p.X / 2, Y: p.Y / 2} })
		if len(r) > len(outline) || len(outline) > 0 && len(r) == 0 {
			t.Fatalf("%d points become %d", len(outline), len(r))
		}
		if len(r) > 0 && !pathData.MatchString(coast.PathOf([]coast.Ring{r, r})) {
			t.Fatalf("not a path: %s", coast.PathOf([]coast.Ring{r, r}))
		}
	})
}

// What the record says stands on the map, each with the page of its event.
func TestMapTellsTheSituation(t *testing.T) {
	m := plot(bundled(t, "straits"))
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
	text := panelText(t, m.panel(links{name: "the campaign"}, r))
	svg := drawing(t, text)
	for _, want := range []string{
		`<a href="/campaigns/the%20campaign/events/41"><path`, "France: held by US, worth 6; taken from Germany by " +
			"US in Round 2, #41",
		`<a href="/campaigns/the%20campaign/events/42" class="f-germany">`,
		"SZ 8: 2 submarines of Germany: U-96 (detected, #45), &lt;b&gt;U-47&lt;/b&gt;; reported in Round 1, #42",
		">2</text>",
		`<a href="/campaigns/the%20campaign/events/43">`, "A raid from SZ 8 on United Kingdom takes 3, #43",
		`<a href="/campaigns/the%20campaign/events/44" class="bombs">`, "rockets from Germany on United Kingdom, #44",
		`<a href="/campaigns/the%20campaign/events/44">`, ">Britain −9</text>", ">raids 3, bombs 6</text>",
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
	if plot(b) != nil {
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
	if !strings.Contains(now, "France: held by US") || !strings.Contains(now, "The board in Round 4") {
		t.Errorf("at the head: %.300s", now)
	}
	if !strings.Contains(then, "France: held by Germany") || !strings.Contains(then, "The board in Round 3") {
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

// What stands on the map covers nothing else: boats and plates lie on sea, apart from each other and from names.
func TestNothingOnTheMapIsCovered(t *testing.T) {
	for _, name := range fixtures.Boards() {
		b := bundled(t, name)
		m := plot(b)
		p := m.panel(links{name: ""}, every(b))
		var all []coast.Frame
		for i, s := range m.Lands {
			for _, l := range s.Names {
				if !l.Hidden {
					all = append(all, m.frame(l))
				}
				if l.X < m.Lands[i].box[0].X || l.X > m.Lands[i].box[1].X {
					t.Errorf("%s: the name of %s is outside of it", name, s.Name)
				}
			}
		}
		if len(all) < len(m.Lands)/3 || len(p.Plates) == 0 || len(p.Ways) == 0 {
			t.Errorf("%s: %d names for %d lands, %d plates, %d ways", name, len(all), len(m.Lands), len(p.Plates),
				len(p.Ways))
		}
		unit := float64(m.Size) / mapLetters
		for _, x := range p.Plates {
			if x.W > 0 {
				all = append(all, coast.FrameAt(coast.SpotOf(x.At), float64(x.W)*unit-2, float64(x.H)*unit-2))
			}
		}
		for i, x := range all {
			if slices.ContainsFunc(all[:i], x.Meets) {
				t.Errorf("%s: %v lies on another", name, x)
			}
		}
	}
}

// The boats of several powers in one zone do not lie on each other.
func TestBoatsInOneZone(t *testing.T) {
	m := plot(bundled(t, "straits"))
	var r situation.Report
	for _, power := range []string{"Germany", "UK", "Japan", "US"} {
		r.Submarines = append(r.Submarines, situation.Station{Power: power, Zone: "9 Sea Zone", Count: 1})
	}
	p := m.panel(links{name: ""}, r)
	unit := float64(m.Size) / mapLetters
	at := func(b mapBoats) coast.Frame {
		return coast.FrameAt(coast.SpotOf(b.At), boatWide*unit-2, boatHigh*unit-2)
	}
	for i, a := range p.Boats {
		for _, b := range p.Boats[:i] {
			if at(a).Meets(at(b)) {
				t.Errorf("%s lies on %s", a.Title, b.Title)
			}
		}
	}
}
