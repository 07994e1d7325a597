package mapview

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/rules"
)

// Panel is the board of a campaign as it stands, drawn: the shapes of the board, and on them what
// the record says.
type Panel struct {
	Width, Height int
	Many          bool
	Size          int // of letters
	Turn          string
	Unit          string // of the grid, in pixels of a page for which it is drawn
	Waters        []spaceShown
	Lands         []heldBy
	Changed       []spaceShown // lands that changed hands in the turn that is on
	Ways          []way
	Boats         []boats
	Stacks        []stack
	Plates        []*plate
	Figures       Figures
}

// spaceShown is a space and its title.
type spaceShown struct {
	*space
	Holder string // as it stands
	Title  string
	Path   string
	Why    string  // the page of the event by which it changed hands; empty where none did
	Names  []label // where nothing lies
	Moved  bool    // something happened there in the turn that is on
}

// heldBy is what one power holds.
type heldBy struct {
	Holder string
	Fill   string // of the style sheet
	Worth  int
	Spaces []spaceShown
}

// Figures are the figures that the map shows, for those who would rather read them.
type Figures struct {
	situation.Report
	story.Lines
	Units []timeline.Garrison
	Marks map[string]string // a mark of what was recorded of each space
	Held  []heldBy          // who holds which territories, and what they are worth

	in Input
	of *Board
}

// To is the page that says why an event is as it is.
func (f Figures) To(index uint64) string { return f.in.Event(index) }

// SpacePath is the beginning of the paths of spaces.
func (f Figures) SpacePath() string { return f.in.Spaces }

// Recorded are the spaces of which something was recorded, by the board's own names.
func (f Figures) Recorded() (list []string) {
	for space := range f.Marks {
		if f.of.Has(space) {
			list = append(list, space)
		}
	}
	slices.Sort(list)
	return list
}

// First is who held a territory as the board was set up; empty for nobody.
func (f Figures) First(territory string) string {
	if s := f.of.lands[territory]; s != nil {
		return s.Holder
	}
	return ""
}

// Named are the submarines that have a name of their own, or of which something was recorded this turn. One that has
// none is called a submarine: "SZ 8 #1" looks like an event.
func (f Figures) Named(list []situation.Submarine) (named []situation.Submarine) {
	for _, b := range list {
		if !strings.Contains(b.Name, " #") {
			named = append(named, b)
		} else if b.Detected != 0 || b.Submerged != 0 {
			b.Name = f.Says("name", "name", story.Count{Of: "submarine", N: 1})
			named = append(named, b)
		}
	}
	return named
}

// Powers names powers one after the other.
func (f Figures) Powers(list []string) string {
	return strings.Join(rules.Each(list, f.Lines.Name), ", ")
}

// Kind reads a kind of attack or facility as words.
func (f Figures) Kind(kind string) string {
	if kind == "sbr" {
		return f.Within("map-bombing-raid")
	}
	return f.Word(strings.NewReplacer("_ic", " IC", "_", " ").Replace(kind))
}

// ByWay says over which zones a way leads by sea; it is empty for one to the next space.
func ByWay(way []string, say story.Lines) string {
	n := len(way)
	if n < 3 {
		return ""
	}
	return say.Within("map-by-way", "zone", way[0], "by", strings.Join(way[1:n-1], ", "), "land", way[n-1])
}

// Draw puts on the board what the record says.
func (m *Board) Draw(in Input) *Panel {
	r := in.Situation
	p := &Panel{Width: m.Width, Height: m.Height, Many: m.Many, Size: m.Size, Turn: r.Turn,
		Unit:    fmt.Sprintf("%.3f", float64(m.Size)/mapLetters),
		Figures: Figures{Report: r, Lines: story.LinesOf(in.Language), Units: in.Units, Marks: in.Marks, in: in, of: m}}
	for i := range m.Waters {
		s := &m.Waters[i]
		p.Waters = append(p.Waters, spaceShown{space: s, Path: s.Path, Title: s.Name, Names: s.Names})
	}
	p.mark(m)
	moved := p.Figures.moved()
	for i := range p.Waters {
		p.Waters[i].Moved = moved[p.Waters[i].Name]
	}
	p.hold(m, moved)
	return p
}

// hold puts the lands under those who hold them, the powers in the order of play; nobody's come last.
func (p *Panel) hold(m *Board, moved map[string]bool) {
	changed := map[string]situation.Holding{}
	for _, h := range p.Figures.Territories {
		changed[h.Territory] = h
	}
	held := map[string]*heldBy{}
	var order []string
	of := func(holder string) *heldBy {
		if held[holder] == nil {
			held[holder] = &heldBy{Holder: holder, Fill: m.fill(holder)}
			order = append(order, holder)
		}
		return held[holder]
	}
	for _, power := range m.order {
		of(power)
	}
	for i := range m.Lands {
		s := &m.Lands[i]
		x := spaceShown{space: s, Holder: s.Holder, Path: s.Path, Names: s.Names, Moved: moved[s.Name]}
		h, ok := changed[s.Name]
		if ok {
			x.Holder, x.Why = h.Holder, p.Figures.To(h.Event)
		}
		x.Title = p.Figures.label(s, x.Holder)
		if ok {
			x.Title += "; " + p.Figures.changedHands(h)
			if h.Ordinal == p.Figures.Ordinal {
				p.Changed = append(p.Changed, x)
			}
		}
		list := of(x.Holder)
		list.Worth += s.Production
		list.Spaces = append(list.Spaces, x)
	}
	for _, holder := range order {
		if len(held[holder].Spaces) > 0 {
			p.Lands = append(p.Lands, *held[holder])
		}
	}
	p.Figures.Held = p.Lands
}

// label says a land's name, who holds it and what it is worth.
func (f Figures) label(s *space, holder string) string {
	text := s.Name
	if s.Capital != "" {
		text += ", " + f.Within("map-capital")
	}
	if holder == "" {
		text += ": " + f.Within("map-held-nobody")
	} else {
		text += ": " + f.Within("map-held-by", "side", f.Lines.Name(strings.ReplaceAll(holder, "_", " ")))
	}
	if s.Production > 0 {
		text += ", " + f.Within("map-worth-n", "n", s.Production)
	}
	return text
}

func (f Figures) changedHands(h situation.Holding) string {
	key := "map-taken-from"
	if h.Captor == "" {
		key = "map-reported-in"
	} else if h.Captured == "" {
		key = "map-taken-by"
	}
	return f.Within(key, "from", f.Lines.Name(h.Captured), "by", f.Lines.Name(h.Captor), "turn", h.Turn, "n", h.Event)
}

// moved are the spaces of which something was recorded in the turn that is on.
func (f Figures) moved() map[string]bool {
	list := map[string]bool{}
	for _, h := range f.Territories {
		list[h.Territory] = list[h.Territory] || h.Ordinal == f.Ordinal
	}
	for _, s := range f.Report.Submarines {
		list[s.Zone] = list[s.Zone] || s.Ordinal == f.Ordinal
	}
	for _, x := range f.Raids {
		list[x.Territory] = list[x.Territory] || x.Ordinal == f.Ordinal
	}
	for _, x := range f.Bombings {
		list[x.Territory] = list[x.Territory] || x.Ordinal == f.Ordinal
	}
	for _, x := range f.Facilities {
		list[x.Territory] = list[x.Territory] || x.Ordinal == f.Ordinal
	}
	return list
}

// HasMoved reports whether something was recorded of a space in the turn that is on.
func (p *Panel) HasMoved() bool {
	return slices.Contains(slices.Collect(maps.Values(p.Figures.moved())), true)
}

// Bombed reports whether a bombing has a line on the map.
func (p *Panel) Bombed() bool {
	return slices.ContainsFunc(p.Ways, func(w way) bool { return w.Bombs })
}

// Down reports whether submarines on the map submerged.
func (p *Panel) Down() bool {
	return slices.ContainsFunc(p.Boats, func(b boats) bool { return b.Down })
}

// Raided reports whether a raid has an arrow on the map.
func (p *Panel) Raided() bool {
	return slices.ContainsFunc(p.Ways, func(w way) bool { return !w.Bombs })
}

// Empty reports whether the record says nothing of the board yet.
func (f Figures) Empty() bool {
	return len(f.Units)+len(f.Territories)+len(f.Report.Submarines)+len(f.Raids)+len(f.Bombings)+len(f.Facilities)+
		len(f.Operations) == 0
}
