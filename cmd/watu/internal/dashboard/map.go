package dashboard

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/rules"
)

// mapPanel is the board of a campaign as it stands, drawn: the shapes of the board, and on them what
// the record says.
type mapPanel struct {
	Width, Height int
	Many          bool
	Size          int // of letters
	Turn          string
	Unit          string // of the grid, in pixels of a page for which it is drawn
	Waters        []mapSpace
	Lands         []mapHeld
	Changed       []mapSpace // lands that changed hands in the turn that is on
	Ways          []mapWay
	Boats         []mapBoats
	Stacks        []mapStack
	Plates        []*plate
	Figures       mapFigures
}

// mapSpace is a space and its title.
type mapSpace struct {
	*plottedSpace
	Holder string // as it stands
	Title  string
	Path   string
	Why    string // the page of the event by which it changed hands; empty where none did
	Mute   bool   // its name is not written: something lies there
	Moved  bool   // something happened there in the turn that is on
}

// mapHeld is what one power holds.
type mapHeld struct {
	Holder string
	Fill   string // of the style sheet
	Worth  int
	Spaces []mapSpace
}

// mapFigures are the figures that the map shows, for those who would rather read them.
type mapFigures struct {
	links
	situation.Report
	story.Lines
	Units []timeline.Garrison
	names map[string]string
	lands map[string]*plottedSpace

	Held  []mapHeld         // who holds which territories, and what they are worth
	Marks map[string]string // a mark of what was recorded of each space
}

// Name is the table's name for a space.
func (f mapFigures) Name(space string) string {
	if name, ok := f.names[space]; ok {
		return name
	}
	return space
}

// First is who held a territory as the board was set up; empty for nobody.
func (f mapFigures) First(territory string) string {
	if s := f.lands[territory]; s != nil {
		return s.Holder
	}
	return ""
}

// Powers names powers one after the other.
func (f mapFigures) Powers(list []string) string {
	return strings.Join(rules.Each(list, f.Lines.Name), ", ")
}

// Kind reads a kind of attack or facility as words.
func (f mapFigures) Kind(kind string) string {
	if kind == "sbr" {
		return f.Within("map-bombing-raid")
	}
	return f.Word(strings.NewReplacer("_ic", " IC", "_", " ").Replace(kind))
}

// mapPanel draws the board; nil where the campaign is played on none, or on one without shapes.
func (d *Dashboard) mapPanel(ctx context.Context, c timeline.Campaign, at uint64, v timeline.Views,
	in *story.Language) (*mapPanel, error) {
	b, err := d.boards.of(d.service, c.ID)
	if b == nil || b.plotted == nil || err != nil {
		return nil, err
	}
	var r situation.Report
	if v.Situation != nil {
		r = *v.Situation
	}
	units, err := d.service.Garrisons(ctx, c.ID, at)
	if err != nil {
		return nil, err
	}
	p := b.panel(links{c.Name, in}, r, units...)
	p.Figures.Marks, err = d.service.SpaceMarks(ctx, c.ID, at)
	return p, err
}

// panel draws the situation on the board.
func (m *plotted) panel(t links, r situation.Report, units ...timeline.Garrison) *mapPanel {
	p := &mapPanel{Width: m.Width, Height: m.Height, Many: m.Many, Size: m.Size, Turn: r.Turn,
		Unit: fmt.Sprintf("%.3f", float64(m.Size)/mapLetters),
		Figures: mapFigures{links: t, Report: r, Units: units, names: m.names, lands: m.lands,
			Lines: story.LinesOf(t.in)}}
	for i := range m.Waters {
		s := &m.Waters[i]
		p.Waters = append(p.Waters, mapSpace{plottedSpace: s, Path: s.Path, Title: s.Called})
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
func (p *mapPanel) hold(m *plotted, moved map[string]bool) {
	changed := map[string]situation.Holding{}
	for _, h := range p.Figures.Territories {
		changed[h.Territory] = h
	}
	held := map[string]*mapHeld{}
	var order []string
	of := func(holder string) *mapHeld {
		if held[holder] == nil {
			held[holder] = &mapHeld{Holder: holder, Fill: m.fill(holder)}
			order = append(order, holder)
		}
		return held[holder]
	}
	for _, power := range m.order {
		of(power)
	}
	for i := range m.Lands {
		s := &m.Lands[i]
		x := mapSpace{plottedSpace: s, Holder: s.Holder, Path: s.Path, Moved: moved[s.Name]}
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
func (f mapFigures) label(s *plottedSpace, holder string) string {
	text := s.Called
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

func (f mapFigures) changedHands(h situation.Holding) string {
	key := "map-taken-from"
	if h.Captor == "" {
		key = "map-reported-in"
	} else if h.Captured == "" {
		key = "map-taken-by"
	}
	return f.Within(key, "from", f.Lines.Name(h.Captured), "by", f.Lines.Name(h.Captor), "turn", h.Turn, "n", h.Event)
}

// moved are the spaces of which something was recorded in the turn that is on.
func (f mapFigures) moved() map[string]bool {
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
func (p *mapPanel) HasMoved() bool {
	return slices.Contains(slices.Collect(maps.Values(p.Figures.moved())), true)
}

// Bombed reports whether a bombing has a line on the map.
func (p *mapPanel) Bombed() bool {
	return slices.ContainsFunc(p.Ways, func(w mapWay) bool { return w.Bombs })
}

// Raided reports whether a raid has an arrow on the map.
func (p *mapPanel) Raided() bool {
	return slices.ContainsFunc(p.Ways, func(w mapWay) bool { return !w.Bombs })
}

// Empty reports whether the record says nothing of the board yet.
func (f mapFigures) Empty() bool {
	return len(f.Units)+len(f.Territories)+len(f.Report.Submarines)+len(f.Raids)+len(f.Bombings)+len(f.Facilities)+
		len(f.Operations) == 0
}
