package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/rules/board"
)

// Map is a board as it stands: outlines as paths of SVG, in units of which a map is some 1200 wide.
type Map struct {
	Across, Down int
	Seas         []string
	Lands        []Land
	Raids        []Raid
}

// Land is a territory.
type Land struct {
	Path    string
	Fill    string // a name of [Paints] without "f-"
	At      board.Point
	Box     [2]board.Point // the room that it has
	Worth   int
	Changed bool // hands
}

// Raid leads from where raiders lie to what they raid.
type Raid struct {
	From, To board.Point
	Fill     string // of the raiders
	Damage   int
}

// File is a kind of picture: on dark paper or on light, and large ones with what territories are worth, what changed
// hands, and raids.
type File struct{ Large, Dark bool }

// Files are the pictures by their names.
var Files = map[string]File{
	"light.svg": {}, "dark.svg": {Dark: true},
	"large-light.svg": {Large: true}, "large-dark.svg": {Large: true, Dark: true},
}

// Hash names what the pictures show.
func (m *Map) Hash(p Paints) string {
	sum := sha256.New()
	for _, f := range []File{{Large: true}, {Large: true, Dark: true}} {
		sum.Write(m.Draw(f, p))
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// Width is that of the picture.
func (m *Map) Width() int { return m.Across }

// Height is that of the picture, which is at least twice as wide as high.
func (m *Map) Height() int { return min(m.Down, m.Across/2) }

// top is where the picture begins on a map that is higher: it shows as much as it can of what is worth something, and
// that in its middle.
func (m *Map) top() int {
	const step = 20
	most, first, last := -1, 0, 0
	for y := 0; y+m.Height() <= m.Down; y += step {
		worth := 0
		for _, l := range m.Lands {
			if l.At.Y >= y+step && l.At.Y+step <= y+m.Height() {
				worth += l.Worth
			}
		}
		switch {
		case worth > most:
			most, first, last = worth, y, y
		case worth == most && y == last+step:
			last = y
		}
	}
	return (first + last) / 2
}

// The measures of a picture, in the map's own units.
const (
	pictureText = 26 // on a large picture, which is 700 pixels wide for 1200
	raidHead    = 16 // of the arrow of a raid
	raidLeast   = 3  // how thick a raid is
)

// Draw draws the picture as a file.
func (m *Map) Draw(f File, p Paints) []byte {
	paint, border := p.Light, p.Light["--ink"]
	if f.Dark {
		paint, border = p.Dark, p.Dark["--paper"]
	}
	var b bytes.Buffer
	top := m.top()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 %d %d %d" width="%[2]d" height="%[3]d">`+
		`<path fill="%s" d="M0 %[1]dh%[2]dv%[3]dh-%[2]dz"/>`, top, m.Width(), m.Height(), paint["--water"])
	fmt.Fprintf(&b, `<path fill="none" stroke="%s" stroke-opacity=".35" d="%s"/>`, paint["--faint"],
		strings.Join(m.Seas, ""))
	m.lands(&b, paint, border)
	if f.Large {
		m.changed(&b, paint)
		m.values(&b, paint, top)
		m.raids(&b, paint)
	}
	b.WriteString("</svg>")
	return b.Bytes()
}

// lands fills the lands, those of one fill together.
func (m *Map) lands(b *bytes.Buffer, paint map[string]string, border string) {
	for i, l := range m.Lands {
		if i == 0 || l.Fill != m.Lands[i-1].Fill {
			if i > 0 {
				b.WriteString(`"/>`)
			}
			fmt.Fprintf(b, `<path fill="%s" stroke="%s" stroke-opacity=".6" stroke-linejoin="round" d="`,
				paint["f-"+l.Fill], border)
		}
		b.WriteString(l.Path)
	}
	if len(m.Lands) > 0 {
		b.WriteString(`"/>`)
	}
}

// changed frames what changed hands.
func (m *Map) changed(b *bytes.Buffer, paint map[string]string) {
	for _, l := range m.Lands {
		if l.Changed {
			fmt.Fprintf(b, `<path fill="none" stroke="%s" stroke-width="4" stroke-linejoin="round" d="%s"/>`,
				paint["--brass"], l.Path)
		}
	}
}

// values writes what each territory is worth, where it has room.
func (m *Map) values(b *bytes.Buffer, paint map[string]string, top int) {
	fmt.Fprintf(b, `<g font-family="Liberation Sans, Arimo, Arial, sans-serif" font-size="%d" font-weight="700" `+
		`text-anchor="middle" stroke-width="5" stroke-linejoin="round" paint-order="stroke">`, pictureText)
	for _, l := range m.Lands {
		text := fmt.Sprint(l.Worth)
		wide := (len(text) + 1) * pictureText * 3 / 5
		off := l.At.Y-pictureText < top || l.At.Y+pictureText > top+m.Height()
		if l.Worth == 0 || off || l.Box[1].X-l.Box[0].X < wide || l.Box[1].Y-l.Box[0].Y < pictureText*5/4 {
			continue
		}
		fmt.Fprintf(b, `<text fill="%s" stroke="%s" x="%d" y="%d">%s</text>`, paint["on-"+l.Fill], paint["f-"+l.Fill],
			l.At.X, l.At.Y+pictureText/3, text)
	}
	b.WriteString("</g>")
}

// raids draws the raids, each as thick as it is heavy. One that leads over the edge of the map is not drawn.
func (m *Map) raids(b *bytes.Buffer, paint map[string]string) {
	for _, r := range m.Raids {
		if max(r.From.X-r.To.X, r.To.X-r.From.X) > m.Across/2 {
			continue
		}
		thick, d := raidLeast+min(r.Damage, 8)/2, arrow(r.From, r.To)
		fmt.Fprintf(b, `<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path stroke="%s" `+
			`stroke-width="%d" d="%s"/><path stroke="%s" stroke-width="%d" d="%[3]s"/></g>`, paint["--paper"], thick+4,
			d, paint["--red"], thick)
		fmt.Fprintf(b, `<path fill="%s" stroke="%s" stroke-width="2" d="M%d %d%s"/>`, paint["f-"+r.Fill],
			paint["--paper"], r.From.X, r.From.Y, hull)
	}
}

// hull is a submarine about a place.
const hull = "m-22 0q0-5 7-5h11v-8h10v8h12q7 0 7 5q0 8-9 8h-29q-9 0-9-8z"

// arrow leads in a bow from one place to the edge of another's figure.
func arrow(from, to board.Point) string {
	dx, dy := to.X-from.X, to.Y-from.Y
	bend := board.Point{X: from.X + dx/2 + dy/6, Y: from.Y + dy/2 - dx/6}
	// The head lies along the last of the bow, from the bend to the end.
	ex, ey := to.X-bend.X, to.Y-bend.Y
	long := max(ex, -ex, ey, -ey, 1)
	ux, uy := ex*raidHead/long, ey*raidHead/long
	to = board.Point{X: to.X - ux*5/4, Y: to.Y - uy*5/4}
	return fmt.Sprintf("M%d %dQ%d %d %d %dM%d %dL%[5]d %[6]dL%[9]d %[10]d", from.X, from.Y, bend.X, bend.Y, to.X, to.Y,
		to.X-ux-uy/2, to.Y-uy+ux/2, to.X-ux+uy/2, to.Y-uy-ux/2)
}
