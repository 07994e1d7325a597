package mapview

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	boards "github.com/watu-ledger/watu/rules/board"
)

// The measures of a drawn board, in its own units. A board of many spaces is drawn in a box that
// scrolls where the page is narrower.
const (
	mapWide    = 1200 // from its left to its right
	mapFew     = 30   // spaces that all have room for their names
	mapShownW  = 864  // pixels that a page has for it, at the width for which it is drawn
	mapShownH  = 480
	mapLetters = 11 // pixels of a letter
	mapSpeck   = 80 // twice the area below which a land has a coast.Ring drawn about it, to be seen at all
	mapTrifle  = 8  // twice the area below which an island of a larger space is left out
	mapTallest = 4 * mapWide
)

// Board is a board as it is drawn, whoever holds what: made once for each board.
type Board struct {
	Width, Height int
	Many          bool // spaces: it takes the whole width of a page
	Size          int  // of letters, on the grid
	Lands, Waters []space

	fills map[string]string // of the powers that play, by the table's name
	order []string          // those powers, in the order of play
	at    map[string]boards.Point

	called map[string]string // powers by the table's name, by the file's
	chart  coast.Chart
	lands  map[string]*space // and waters, by the file's name
	has    map[string]bool   // the spaces, drawn or not
}

// space is the shape of a space.
type space struct {
	boards.Space
	Holder string // at the set-up, by the table's name; empty for nobody
	Path   string
	At     boards.Point // its center
	Names  []label      // the one that says most first

	short string          // its name at the table
	box   [2]boards.Point // of its largest outline
	size  int             // twice its area
	rings []coast.Ring    // the largest first
}

// plot draws the outlines of a board; nil if it has none.
func Plot(b *boards.Board) *Board {
	scaled, height, ok := scaleOf(b)
	if !ok {
		return nil
	}
	spaces := b.Spaces()
	m := &Board{Width: mapWide, Height: height, Many: len(spaces) > mapFew, at: map[string]boards.Point{},
		called: map[string]string{}, lands: map[string]*space{}, has: map[string]bool{}}
	m.Size = max((mapLetters*mapWide+mapShownW-1)/mapShownW, (mapLetters*height+mapShownH-1)/mapShownH)
	m.powers(b)
	outlines := outlinesOf(b, scaled)
	for i, s := range spaces {
		m.has[s.Name] = true
		p := space{Space: s, short: b.TableSpace(s.Name), Holder: b.TablePower(s.Owner)}
		if !p.draw(b, scaled, outlines[i].Rings) {
			continue
		}
		m.at[s.Name] = p.At
		if s.Water {
			m.Waters = append(m.Waters, p)
		} else {
			m.Lands = append(m.Lands, p)
		}
	}
	for _, list := range [][]space{m.Lands, m.Waters} {
		for i := range list {
			m.lands[list[i].Name] = &list[i]
		}
	}
	var lands []coast.Ring
	for _, s := range m.Lands {
		lands = append(lands, s.rings...)
	}
	m.chart = coast.ChartOf(m.Width, m.Height, lands)
	m.letter()
	return m
}

// scaleOf finds how a place on the picture comes to one on the grid; false for a board that has no
// outlines.
func scaleOf(b *boards.Board) (func(boards.Point) boards.Point, int, bool) {
	var all coast.Ring
	for _, s := range b.Spaces() {
		outlines, err := b.Polygons(s.Name)
		if err != nil {
			return nil, 0, false // broken invariant: the board knows its own spaces
		}
		for _, o := range outlines {
			all = append(all, o...)
		}
	}
	least, most := all.Box()
	wide := most.X - least.X
	if len(all) == 0 || wide == 0 {
		return nil, 0, false
	}
	along := func(n int) int { return int((int64(n)*2*mapWide + int64(wide)) / (2 * int64(wide))) }
	scaled := func(p boards.Point) boards.Point {
		return boards.Point{X: along(p.X - least.X), Y: along(p.Y - least.Y)}
	}
	height := scaled(most).Y
	return scaled, height, height > 0 && height <= mapTallest
}

// outlinesOf are the outlines of all spaces on the grid. A board that was drawn with a ruler has coasts.
func outlinesOf(b *boards.Board, scaled func(boards.Point) boards.Point) (list []coast.Space) {
	for _, s := range b.Spaces() {
		x := coast.Space{Name: s.Name, Water: s.Water}
		outlines, _ := b.Polygons(s.Name)
		for _, o := range outlines {
			x.Rings = append(x.Rings, coast.RingOf(o, scaled))
		}
		list = append(list, x)
	}
	if coast.Ruled(list) {
		return coast.Shores(list)
	}
	return list
}

// draw gives the space its shape and its place; false if the files show it nowhere.
func (p *space) draw(b *boards.Board, scaled func(boards.Point) boards.Point, rings []coast.Ring) bool {
	slices.SortStableFunc(rings, func(x, y coast.Ring) int { return cmp.Compare(y.Area(), x.Area()) })
	shown := rings[:0]
	for i, r := range rings {
		if len(r) > 2 && (i == 0 || r.Area() >= mapTrifle) {
			shown = append(shown, r)
		}
		p.size += r.Area()
	}
	var largest coast.Ring
	if len(rings) > 0 {
		largest = rings[0]
	}
	p.box[0], p.box[1] = largest.Box()
	center, known, err := b.Center(p.Name)
	switch {
	case err == nil && known:
		p.At = scaled(center)
	case len(largest) > 0:
		p.At = boards.Point{X: (p.box[0].X + p.box[1].X) / 2, Y: (p.box[0].Y + p.box[1].Y) / 2}
	default:
		return false
	}
	if !p.Water && p.size < mapSpeck || len(shown) == 0 {
		shown = append(shown, speck(p.At))
	}
	p.Path, p.rings = coast.PathOf(shown), shown
	return true
}

// speck is a ring about a place.
func speck(at boards.Point) coast.Ring {
	r := coast.Ring{}
	for _, d := range []boards.Point{{X: -5, Y: -2}, {X: -2, Y: -5}, {X: 2, Y: -5}, {X: 5, Y: -2}, {X: 5, Y: 2},
		{X: 2, Y: 5}, {X: -2, Y: 5}, {X: -5, Y: 2}} {
		r = append(r, boards.Point{X: at.X + d.X, Y: at.Y + d.Y})
	}
	return r
}

// powers gives each power that plays a fill: its own colour, or a spare one where it has none or another has it.
func (m *Board) powers(b *boards.Board) {
	m.fills = map[string]string{}
	taken, spare := map[string]bool{}, picture.Spares
	for _, p := range b.Powers() {
		m.called[p.Name] = b.TablePower(p.Name)
		if !p.Plays {
			continue
		}
		name := b.TablePower(p.Name)
		fill := picture.Tint(name)
		if (fill == picture.Other || taken[fill]) && len(spare) > 0 {
			fill, spare = spare[0], spare[1:]
		}
		m.fills[name], taken[fill] = fill, true
		m.order = append(m.order, name)
	}
}

// fill is how the lands of a holder are filled.
func (m *Board) fill(holder string) string {
	if fill, ok := m.fills[holder]; ok {
		return fill
	}
	if holder == "" {
		return picture.Nobody
	}
	return picture.Other
}
