package dashboard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"

	boards "github.com/watu-ledger/watu/rules/board"
)

// mapPicture is the map of a campaign as a picture of its own address, which names what it shows: a browser keeps it
// until somebody takes a territory.
type mapPicture struct {
	campaign, hash string
	panel          *mapPanel
}

// pictureOf makes a picture of a map; nil of none.
func pictureOf(campaign string, p *mapPanel) *mapPicture {
	if p == nil {
		return nil
	}
	m := &mapPicture{campaign: campaign, panel: p}
	sum := sha256.Sum256(slices.Concat(m.draw(true, false), m.draw(true, true)))
	m.hash = hex.EncodeToString(sum[:8])
	return m
}

// pictureFiles are the files of a picture: on light paper and on dark, and large ones with what territories are worth.
var pictureFiles = map[string]struct{ large, dark bool }{
	"light.svg": {}, "dark.svg": {dark: true},
	"large-light.svg": {large: true}, "large-dark.svg": {large: true, dark: true},
}

// To is the address of a file.
func (m *mapPicture) To(file string) string {
	return pathTo("campaigns", m.campaign, "map", m.hash, file)
}

// Width and Height are those of the picture: it is at least twice as wide as high.
func (m *mapPicture) Width() int  { return m.panel.Width }
func (m *mapPicture) Height() int { return min(m.panel.Height, m.panel.Width/2) }

// top is where the picture begins on a map that is higher: it shows as much as it can of what is worth something.
func (m *mapPicture) top() (top int) {
	const step = 20
	most := -1
	for y := 0; y+m.Height() <= m.panel.Height; y += step {
		worth := 0
		for _, h := range m.panel.Lands {
			for _, s := range h.Spaces {
				if s.At.Y >= y+step && s.At.Y+step <= y+m.Height() {
					worth += s.Production
				}
			}
		}
		if worth > most {
			top, most = y, worth
		}
	}
	return top
}

// mapFile answers with a picture of the map. An address of an earlier one gives the map as it is now.
func (d *Dashboard) mapFile(r *http.Request) response {
	file, ok := pictureFiles[r.PathValue("file")]
	if !ok {
		return d.trouble(errNoPage).draw()
	}
	c, err := d.service.Campaign(r.PathValue("c"))
	f := frontCard{Campaign: c}
	if err == nil {
		err = d.tell(r.Context(), &f)
	}
	if err == nil && f.Map == nil {
		err = errNoPage
	}
	if err != nil {
		return d.trouble(err).draw()
	}
	b := f.Map.draw(file.large, file.dark)
	return response{status: http.StatusOK, bytes: b, tag: tagOf(b), kind: "image/svg+xml",
		lasting: r.PathValue("hash") == f.Map.hash}
}

// The measures of a picture, in the map's own units.
const (
	pictureText = 26 // on a large picture, which is 700 pixels wide for 1200
	raidHead    = 16 // of the arrow of a raid
	raidLeast   = 3  // how thick a raid is
)

// draw draws the picture: who holds what, what changed hands, and the raids of the turn that is on.
func (m *mapPicture) draw(large, dark bool) []byte {
	p, paint := m.panel, paints()[dark]
	var b bytes.Buffer
	top := m.top()
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 %d %d %d" width="%[2]d" height="%[3]d">`+
		`<path fill="%s" d="M0 %[1]dh%[2]dv%[3]dh-%[2]dz"/>`, top, m.Width(), m.Height(), paint["--water"])
	var seas strings.Builder
	for _, s := range p.Waters {
		seas.WriteString(s.Path)
	}
	fmt.Fprintf(&b, `<path fill="none" stroke="%s" stroke-opacity=".35" d="%s"/>`, paint["--faint"], seas.String())
	var changed strings.Builder
	for _, h := range p.Lands {
		fmt.Fprintf(&b, `<path fill="%s" stroke="%s" stroke-opacity=".6" stroke-linejoin="round" d="`,
			paint["f-"+h.Fill], paint["--ink"])
		for _, s := range h.Spaces {
			b.WriteString(s.Path)
			if s.Why != "" {
				changed.WriteString(s.Path)
			}
		}
		b.WriteString(`"/>`)
	}
	if large {
		if changed.Len() > 0 {
			fmt.Fprintf(&b, `<path fill="none" stroke="%s" stroke-width="4" stroke-linejoin="round" d="%s"/>`,
				paint["--brass"], changed.String())
		}
		m.values(&b, paint, top)
		m.raids(&b, paint)
	}
	b.WriteString("</svg>")
	return b.Bytes()
}

// values writes what each territory is worth, where it has room.
func (m *mapPicture) values(b *bytes.Buffer, paint map[string]string, top int) {
	fmt.Fprintf(b, `<g font-family="Liberation Sans, Arimo, Arial, sans-serif" font-size="%d" font-weight="700" `+
		`text-anchor="middle">`, pictureText)
	for _, h := range m.panel.Lands {
		for _, s := range h.Spaces {
			text := fmt.Sprint(s.Production)
			wide := (len(text) + 1) * pictureText * 3 / 5
			off := s.At.Y-pictureText < top || s.At.Y+pictureText > top+m.Height()
			if s.Production == 0 || off || s.box[1].X-s.box[0].X < wide || s.box[1].Y-s.box[0].Y < pictureText*5/4 {
				continue
			}
			fmt.Fprintf(b, `<text fill="%s" x="%d" y="%d">%s</text>`, paint["on-"+h.Fill], s.At.X, s.At.Y+pictureText/3, text)
		}
	}
	b.WriteString("</g>")
}

// raids draws the raids of the turn that is on, each as thick as it is heavy.
func (m *mapPicture) raids(b *bytes.Buffer, paint map[string]string) {
	at := map[string]boards.Point{}
	for _, s := range m.panel.Waters {
		at[s.Name] = s.At
	}
	for _, h := range m.panel.Lands {
		for _, s := range h.Spaces {
			at[s.Name] = s.At
		}
	}
	type way struct{ from, to, by string }
	taken, order := map[way]int{}, []way{}
	for _, x := range m.panel.Figures.Raids {
		for _, r := range x.Raids {
			from, known := at[r.Zone]
			to, shown := at[x.Territory]
			over := max(from.X-to.X, to.X-from.X) > m.panel.Width/2 // the edge of the map
			if x.Ordinal != m.panel.Figures.Ordinal || !known || !shown || over || r.Damage == 0 || len(r.Powers) == 0 {
				continue
			}
			w := way{r.Zone, x.Territory, r.Powers[0]}
			if taken[w] == 0 {
				order = append(order, w)
			}
			taken[w] += r.Damage
		}
	}
	for _, w := range order {
		thick, d := raidLeast+min(taken[w], 8)/2, arrow(at[w.from], at[w.to])
		fmt.Fprintf(b, `<g fill="none" stroke-linecap="round" stroke-linejoin="round"><path stroke="%s" stroke-width="%d" `+
			`d="%s"/><path stroke="%s" stroke-width="%d" d="%[3]s"/></g>`, paint["--paper"], thick+4, d, paint["--red"],
			thick)
		fmt.Fprintf(b, `<path fill="%s" stroke="%s" stroke-width="2" d="M%d %d%s"/>`, paint["f-"+tintOf(w.by)],
			paint["--paper"], at[w.from].X, at[w.from].Y, hull)
	}
}

// hull is a submarine about a place.
const hull = "m-22 0q0-5 7-5h11v-8h10v8h12q7 0 7 5q0 8-9 8h-29q-9 0-9-8z"

// arrow leads in a bow from one place to the edge of another's figure.
func arrow(from, to boards.Point) string {
	dx, dy := to.X-from.X, to.Y-from.Y
	bend := boards.Point{X: from.X + dx/2 + dy/6, Y: from.Y + dy/2 - dx/6}
	// The head lies along the last of the bow, from the bend to the end.
	ex, ey := to.X-bend.X, to.Y-bend.Y
	long := max(ex, -ex, ey, -ey, 1)
	ux, uy := ex*raidHead/long, ey*raidHead/long
	to = boards.Point{X: to.X - ux*5/4, Y: to.Y - uy*5/4}
	return fmt.Sprintf("M%d %dQ%d %d %d %dM%d %dL%[5]d %[6]dL%[9]d %[10]d", from.X, from.Y, bend.X, bend.Y, to.X, to.Y,
		to.X-ux-uy/2, to.Y-uy+ux/2, to.X-ux+uy/2, to.Y-uy-ux/2)
}
