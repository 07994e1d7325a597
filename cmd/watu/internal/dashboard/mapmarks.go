package dashboard

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/situation"
	boards "github.com/watu-ledger/watu/rules/board"
)

// mapMark is a small plate on the map: submarines in a zone, what a raid or a bombing took of a
// territory. It leads to the event that says so.
type mapMark struct {
	Kind  string // "boats", "raid", "bomb" or "past": of an earlier game turn
	Fill  string // of the power, for submarines
	X, Y  int    // of its left upper corner
	W, H  int
	Text  string
	Title string
	Why   string
}

// TextY is where the foot of the text is, beside its corner; TextX its middle.
func (m mapMark) TextX() int { return m.W / 2 }

// TextY is the line on which the text stands.
func (m mapMark) TextY() int { return m.H * 3 / 4 }

// mapLine leads from where raiders lie to the territory that they raid in the game turn that is on.
type mapLine struct {
	From, To boards.Point
	Title    string
	Why      string
}

// marking places marks below the names of their spaces, one below the other.
type marking struct {
	*mapPanel
	*plotted
	room  map[string]int // where the next mark goes, by space: below the name
	above map[string]int // or, where the map ends, above it
	taken []frame
}

// mark puts on the map what lies and happens there: raids from where they come, then the plates.
func (p *mapPanel) mark(m *plotted) {
	w := marking{mapPanel: p, plotted: m, room: map[string]int{}, above: map[string]int{}}
	for _, list := range [][]plottedSpace{m.Waters, m.Lands} {
		for _, s := range list {
			w.room[s.Name], w.above[s.Name] = s.At.Y+2, s.At.Y-2
			if n := len(s.Label.Lines); n > 0 {
				w.room[s.Name], w.above[s.Name] = s.Label.Y+(n-1)*m.Size+m.Size/3, s.Label.Y-m.Size
			}
		}
	}
	for _, x := range p.Figures.Raids {
		w.raided(x)
	}
	for _, s := range p.Figures.Report.Submarines {
		w.plate("boats", s.Zone, fmt.Sprintf("%s %d", s.Power, s.Count), w.boats(s), s.Event, m.fill(s.Power))
	}
	for _, x := range p.Figures.Bombings {
		var labels []string
		for _, a := range x.Attacks {
			on := ""
			if a.Facility != "" {
				on = " to the " + p.Figures.Kind(a.Facility)
			}
			labels = append(labels, fmt.Sprintf("%s of %s, %d%s (#%d)", p.Figures.Kind(a.Kind), a.Power, a.Damage, on,
				a.Event))
		}
		text := fmt.Sprintf("%s, %s: bombing and rockets do %d to %s: %s", p.Figures.Name(x.Territory), x.Turn,
			x.Damage, x.Victim, strings.Join(labels, "; "))
		w.plate(w.since("bomb", x.Ordinal), x.Territory, fmt.Sprintf("bombed %d", x.Damage), text,
			x.Attacks[len(x.Attacks)-1].Event, tintOther)
	}
}

// boats lists the submarines of a station.
func (w *marking) boats(s situation.Station) string {
	text := fmt.Sprintf("%s: %s of %s", w.Figures.Name(s.Zone), projections.CountUnits(s.Count, "submarine"), s.Power)
	var names []string
	for _, b := range s.Submarines {
		name := b.Name
		if b.Detected != 0 {
			name += fmt.Sprintf(" (detected, #%d)", b.Detected)
		}
		if b.Submerged != 0 {
			name += fmt.Sprintf(" (submerged, #%d)", b.Submerged)
		}
		names = append(names, name)
	}
	if len(names) > 0 {
		text += ": " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s; reported in %s, #%d", text, s.Turn, s.Event)
}

// since is the kind of a mark, "past" where that happened in an earlier game turn.
func (w *marking) since(kind string, ordinal uint64) string {
	if ordinal != w.Figures.Ordinal {
		return "past"
	}
	return kind
}

// raided marks a territory with what raids took of it and by whom, and in the game turn that is on
// whence.
func (w *marking) raided(x situation.Raided) {
	var labels, powers []string
	seen := map[string]bool{}
	for _, r := range x.Raids {
		labels = append(labels, fmt.Sprintf("%s from %s takes %d (#%d)", strings.Join(r.Powers, ", "),
			w.Figures.Name(r.Zone), r.Damage, r.Event))
		for _, p := range r.Powers {
			if !seen[p] {
				seen[p] = true
				powers = append(powers, p)
			}
		}
		if x.Ordinal == w.Figures.Ordinal && !seen["from "+r.Zone] {
			seen["from "+r.Zone] = true
			w.line(x.Territory, r)
		}
	}
	text := fmt.Sprintf("%s, %s: raids on convoys take %d of %s: %s", w.Figures.Name(x.Territory), x.Turn, x.Damage,
		x.Victim, strings.Join(labels, "; "))
	w.plate(w.since("raid", x.Ordinal), x.Territory, fmt.Sprintf("%s −%d", strings.Join(powers, ", "), x.Damage),
		text,
		x.Raids[len(x.Raids)-1].Event, tintOther)
}

// line draws the way of a raid. One that leads over the edge of the map is not drawn.
func (w *marking) line(territory string, r situation.Raid) {
	from, known := w.at[r.Zone]
	to, shown := w.at[territory]
	if !known || !shown || from.X-to.X > mapWide/2 || to.X-from.X > mapWide/2 {
		return
	}
	w.Lines = append(w.Lines, mapLine{from, to, fmt.Sprintf("A raid from %s on %s, #%d", w.Figures.Name(r.Zone),
		w.Figures.Name(territory), r.Event), w.Figures.To(r.Event)})
}

// plate adds a mark to a space.
func (w *marking) plate(kind, space, text, labels string, event uint64, fill string) {
	at, ok := w.at[space]
	if !ok {
		return // the board does not show it; the tables below do
	}
	m := mapMark{Kind: kind, Fill: fill, Text: text, Title: labels, Why: w.Figures.To(event)}
	m.H = w.plotted.Size * 5 / 4
	m.W = (utf8.RuneCountInString(text) + 1) * w.plotted.Size * 17 / 25
	if kind == "boats" {
		m.W += m.H / 2
	}
	var f frame
	for _, aside := range []int{0, -1, 1, 0} { // the last lies on others
		m.X = min(max(at.X+(aside*m.W-m.W)/2, 0), w.plotted.Width-m.W)
		if m.Y = w.room[space]; m.Y+m.H > w.plotted.Height {
			m.Y = w.above[space] - m.H
		}
		if f = (frame{m.X, m.Y, m.X + m.W, m.Y + m.H}); !slices.ContainsFunc(w.taken, f.meets) {
			break
		}
		w.room[space], w.above[space] = w.room[space]+m.H/2, w.above[space]-m.H/2
	}
	if m.Y < w.above[space] {
		w.above[space] = m.Y
	} else {
		w.room[space] = m.Y + m.H + 1
	}
	w.taken, w.Marks = append(w.taken, f), append(w.Marks, m)
}
