package share

import (
	"bytes"
	"fmt"
	"html"
	"image/png"
	"sort"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/raster"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// Preview is a moment as other sites show it: what happened, how the sides stand, and the map.
type Preview struct {
	Campaign, When string // "Straits 1942", "Round 4"
	Head, Deck     string
	Of             string // what the figures of the score are
	Groups         []Group
	Map            *picture.Map
	Emblem         *picture.Emblem // where there is no map
}

// Group is an alliance, or all sides.
type Group struct {
	Called, Total string // empty for sides without alliances
	Sides         []Side
}

// Side is how one side stands.
type Side struct {
	Called, Figure, Unit, Tint string
	Change                     int64
}

// GroupsOf are the groups of a score; tint gives the colour of a side.
func GroupsOf(l *story.Language, s story.Score, tint func(side string) string) (list []Group) {
	name := func(p story.Part) string {
		return l.Text(story.Sentence{Key: "name", With: story.Parts{"name": p}})
	}
	for _, g := range s.Groups {
		out := Group{}
		if g.Name != "" {
			out.Called, out.Total = name(story.Name(g.Name)), name(g.Total)
		}
		for _, x := range g.Sides {
			side := Side{Called: name(story.Name(x.Name)), Figure: fmt.Sprint(x.Figure.N), Tint: tint(x.Name)}
			if x.Figure.Of != "ipc" {
				side.Unit = strings.TrimSpace(strings.TrimPrefix(name(x.Figure), side.Figure))
			}
			if x.Change != nil {
				side.Change = *x.Change
			}
			out.Sides = append(out.Sides, side)
		}
		list = append(list, out)
	}
	return list
}

// The measures of a preview, in pixels.
const (
	previewWide = 1200
	previewHigh = 630
	edge        = 48
	column      = 520 // of words
	mapFrom     = edge + column + 32
	mostMap     = 4 << 20 // bytes of outlines; a map that has more is left out
)

const (
	serif = "STIX Two Text"
	sans  = "Liberation Sans"
)

// PNG is the preview as a picture. The same preview is the same bytes.
func (p Preview) PNG(paints picture.Paints) ([]byte, error) {
	img, err := raster.Draw(p.SVG(paints), previewWide, previewHigh)
	if err != nil && p.Map != nil { // what happened is worth more than where
		p.Map = nil
		return p.PNG(paints)
	}
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.DefaultCompression}).Encode(&b, img)
	return b.Bytes(), err
}

// SVG is the preview, on light paper.
func (p Preview) SVG(paints picture.Paints) []byte {
	w := &writer{paint: paints.Light}
	fmt.Fprintf(&w.b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">`, previewWide, previewHigh)
	w.box(0, 0, previewWide, previewHigh, "--paper")
	p.place(w)
	w.text(edge, 74, 34, serif, true, "--ink", "watu")
	where := p.Campaign
	if p.When != "" {
		where += ", " + p.When
	}
	from := edge + int(raster.Width("watu", raster.Face{Serif: true, Bold: true}, 34)) + 16
	w.text(from, 74, 20, sans, false, "--faint", cut(where, raster.Face{}, 20, edge+column-from))
	foot := p.score(w)
	p.words(w, 108, foot-28)
	w.b.WriteString("</svg>")
	return w.b.Bytes()
}

// place draws the map, or what stands for it.
func (p Preview) place(w *writer) {
	const wide = previewWide - mapFrom
	w.box(mapFrom, 0, wide, previewHigh, "--water")
	switch {
	case p.Map != nil && p.Map.Height() > 0 && size(p.Map) < mostMap:
		part := min(p.Map.Height()*wide/previewHigh, p.Map.Width())
		fmt.Fprintf(&w.b, `<svg x="%d" y="0" width="%d" height="%d" viewBox="%d 0 %d %d">`, mapFrom, wide, previewHigh,
			theatre(p.Map, part), part, p.Map.Height())
		w.b.Write(p.Map.Draw(picture.Files["large-light.svg"], picture.Paints{Light: w.paint}))
		w.b.WriteString("</svg>")
	case p.Emblem != nil:
		w.waves(mapFrom, wide)
		p.emblem(w, mapFrom, wide)
	}
}

func size(m *picture.Map) (n int) {
	for _, s := range m.Seas {
		n += len(s)
	}
	for _, l := range m.Lands {
		n += len(l.Path)
	}
	return n
}

// waves draws what a sea without a map is known by.
func (w *writer) waves(from, wide int) {
	const apart, long = 90, 40
	for y := apart / 2; y < previewHigh; y += apart {
		more := strings.Repeat(fmt.Sprintf("t%d 0", long), wide/long-1)
		fmt.Fprintf(&w.b, `<path fill="none" stroke="%s" stroke-opacity=".2" stroke-width="2" d="M%d %dq%d-8 %d 0%s"/>`,
			w.paint["--faint"], from, y, long/2, long, more)
	}
}

// theatre is where a part of the map begins that shows most of what happened: what changed hands and was raided counts
// more than what it is worth.
func theatre(m *picture.Map, wide int) int {
	const step, raided, taken = 20, 30, 80
	best, most := 0, -1
	for x := 0; x+wide <= m.Width(); x += step {
		in := func(at int) bool { return at >= x && at <= x+wide }
		sum := 0
		for _, l := range m.Lands {
			if !in(l.At.X-step) || !in(l.At.X+step) {
				continue
			}
			if sum += l.Worth; l.Changed && in(l.Box[0].X) && in(l.Box[1].X) {
				sum += taken
			}
		}
		for _, r := range m.Raids {
			if in(r.From.X) && in(r.To.X) {
				sum += raided
			}
		}
		if sum > most {
			best, most = x, sum
		}
	}
	return best
}

// silhouettes are the shapes of an emblem, in a box of 22 to 17.
var silhouettes = map[string]string{
	"boat": "M0 10q0-2 3-2h5V5h5v3h6q3 0 3 2q0 3-4 3H4q-4 0-4-3z",
	"ship": "M0 9h5V6h3V2h2v4h5v3h7l-3 5H3z",
	"base": "M4 8.5c0-9.3 14-9.3 14 0s-14 9.3-14 0z",
	"card": "M5 1h12v15h-12z",
}

// emblem draws the forces of a campaign without a map.
func (p Preview) emblem(w *writer, from, wide int) {
	const boxWide, boxHigh = 320, 168
	high := boxHigh * wide / boxWide
	fmt.Fprintf(&w.b, `<svg x="%d" y="%d" width="%d" height="%d" viewBox="0 0 %d %d">`, from, (previewHigh-high)/2,
		wide, high, boxWide, boxHigh)
	for _, s := range p.Emblem.Shapes {
		fmt.Fprintf(&w.b, `<svg x="%d" y="%d" width="%d" height="%d" viewBox="0 0 22 17"><path fill="%s" `+
			`stroke="%s" stroke-width=".6" d="%s"/></svg>`, s.X, s.Y, p.Emblem.Wide, p.Emblem.High,
			w.paint["f-"+s.Tint], w.paint["--ink"], silhouettes[s.Kind])
	}
	w.b.WriteString("</svg>")
}

// words draws headline and deck into the room from top to foot: large if that is enough, and cut where it is not.
func (p Preview) words(w *writer, top, foot int) {
	deck := lines(p.Deck, raster.Face{Serif: true}, 24, column, 3)
	const deckLine = 32
	for _, at := range []int{48, 42, 36, 30} {
		step := at * 7 / 6
		room := (foot - top - len(deck)*deckLine - 12) / step
		head := lines(p.Head, raster.Face{Serif: true, Bold: true}, float64(at), column, 99)
		if len(head) > min(room, 4) && at > 30 {
			continue
		}
		if room = max(room, 1); len(head) > room {
			head = lines(p.Head, raster.Face{Serif: true, Bold: true}, float64(at), column, room)
		}
		y := top
		for _, l := range head {
			y += step
			w.text(edge, y, at, serif, true, "--ink", l)
		}
		y += 10
		for _, l := range deck {
			if y += deckLine; y <= foot {
				w.text(edge, y, 24, serif, false, "--soft", l)
			}
		}
		return
	}
}

// score draws the sides from the foot up, and gives where it begins.
func (p Preview) score(w *writer) (top int) {
	const headHigh, rowHigh, apart = 40, 48, 14
	high, rows := 0, 0
	for _, g := range p.Groups {
		rows += (len(g.Sides) + g.abreast() - 1) / g.abreast()
		high += headHigh + apart
	}
	row := rowHigh
	if rows > 4 {
		row = 200 / rows
	}
	y := previewHigh - edge + apart - high - rows*row
	top = y
	for _, g := range p.Groups {
		w.box(edge, y, column, 3, "--ink")
		if g.Called != "" {
			w.text(edge, y+28, 20, sans, true, "--ink", g.Called)
			w.end(edge+column, y+28, 22, "--ink", g.Total)
		} else {
			w.text(edge, y+26, 17, sans, false, "--faint", p.Of)
		}
		y += headHigh
		across := g.abreast()
		for i, s := range g.Sides {
			if i > 0 && i%across == 0 {
				y += row
			}
			s.draw(w, edge+i%across*column/across, y, column/across-12, row)
		}
		y += row + apart
	}
	return top
}

// abreast is how many sides stand in a row.
func (g Group) abreast() int {
	if g.Called == "" || len(g.Sides) == 4 {
		return 2
	}
	return 3
}

// draw draws a side's figure behind its colour and name.
func (s Side) draw(w *writer, x, y, wide, high int) {
	base := y + min(high, 48)*2/3
	w.box(x, base-14, 14, 14, "f-"+s.Tint)
	size := 26
	if high < 36 {
		size = 20
	}
	figure := raster.Width(s.Figure, raster.Face{Bold: true}, float64(size))
	w.text(x+22, base, size, sans, true, "--ink", s.Figure)
	at, room := x+22+int(figure)+10, wide-32-int(figure)
	if s.Change == 0 && s.Unit == "" {
		w.text(at, base, 16, sans, false, "--soft", cut(s.Called, raster.Face{}, 16, room))
		return
	}
	w.text(at, base-8, 16, sans, false, "--soft", cut(s.Called, raster.Face{}, 16, room))
	base += 9
	if s.Change != 0 {
		d, paint := fmt.Sprintf("M%d %dh10l-5-9z", at, base-1), "--live"
		if s.Change < 0 {
			d, paint = fmt.Sprintf("M%d %dh10l-5 9z", at, base-10), "--red"
		}
		fmt.Fprintf(&w.b, `<path fill="%s" d="%s"/>`, w.paint[paint], d)
		by := fmt.Sprint(max(s.Change, -s.Change))
		w.text(at+14, base, 14, sans, true, paint, by)
		moved := 22 + int(raster.Width(by, raster.Face{Bold: true}, 14))
		at, room = at+moved, room-moved
	}
	if s.Unit != "" {
		w.text(at, base, 14, sans, false, "--faint", cut(s.Unit, raster.Face{}, 14, room))
	}
}

// writer writes the elements of a preview.
type writer struct {
	b     bytes.Buffer
	paint map[string]string
}

func (w *writer) box(x, y, wide, high int, paint string) {
	fmt.Fprintf(&w.b, `<path fill="%s" d="M%d %dh%dv%dh-%dz"/>`, w.paint[paint], x, y, wide, high, wide)
}

func (w *writer) text(x, y, size int, family string, bold bool, paint, text string) {
	weight := "400"
	if bold {
		weight = "700"
	}
	fmt.Fprintf(&w.b, `<text x="%d" y="%d" font-size="%d" font-family="%s" font-weight="%s" fill="%s">%s</text>`, x, y,
		size, family, weight, w.paint[paint], html.EscapeString(text))
}

// end writes bold text that ends at a place.
func (w *writer) end(x, y, size int, paint, text string) {
	fmt.Fprintf(&w.b, `<text x="%d" y="%d" font-size="%d" font-weight="700" text-anchor="end" fill="%s">%s</text>`,
		x, y, size, w.paint[paint], html.EscapeString(text))
}

// lines breaks text into lines of a width, at most so many; the last of more ends in dots.
func lines(text string, f raster.Face, size float64, wide, most int) (list []string) {
	words := strings.Fields(printable(text))
	for i, word := range words {
		n := len(list)
		if n > 0 && raster.Width(list[n-1]+" "+word, f, size) <= float64(wide) {
			list[n-1] += " " + word
			continue
		}
		if n == most {
			list[n-1] = cut(list[n-1]+" "+strings.Join(words[i:min(i+8, len(words))], " "), f, size, wide)
			return list
		}
		list = append(list, cut(word, f, size, wide))
	}
	return list
}

// cut shortens text to a width.
func cut(text string, f raster.Face, size float64, wide int) string {
	letters := []rune(printable(text))
	if raster.Width(string(letters), f, size) <= float64(wide) {
		return string(letters)
	}
	fits := sort.Search(len(letters), func(n int) bool {
		return raster.Width(string(letters[:n+1])+"…", f, size) > float64(wide)
	})
	return strings.TrimRight(string(letters[:fits]), " ,") + "…"
}

// mostLetters is how much of a text is looked at.
const mostLetters = 600

// printable leaves out what XML has no letter for, and what is beyond all room.
func printable(text string) string {
	n := 0
	return strings.Map(func(r rune) rune {
		if n++; n > mostLetters || r < ' ' || r >= 0xfffe && r <= 0xffff {
			return -1
		}
		return r
	}, text)
}
