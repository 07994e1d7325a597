package dashboard

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	boards "github.com/watu-ledger/watu/rules/board"
)

// label is the name of a space where it is written; no lines for one that has no room. Whoever points
// at the space is shown its name in full.
type label struct {
	X, Y  int // of the middle of the first line, at its foot
	Lines []string
	Main  bool // a capital
}

// letter writes the names that have room: capitals first, then what is worth most, then the waters.
func (m *plotted) letter() {
	var taken []frame
	var spaces []*plottedSpace
	for i := range m.Lands {
		spaces = append(spaces, &m.Lands[i])
	}
	slices.SortStableFunc(spaces, func(a, b *plottedSpace) int {
		return cmp.Or(cmp.Compare(len(b.Capital), len(a.Capital)), cmp.Compare(b.Production, a.Production),
			cmp.Compare(b.size, a.size))
	})
	for i := range m.Waters {
		spaces = append(spaces, &m.Waters[i])
	}
	for _, s := range spaces {
		text := s.Called
		if s.Water && m.Size < 18 {
			text = zoneNumber(text)
		}
		for _, l := range m.labels(s, text) {
			f := m.frame(l)
			if f.left < 0 || f.top < 0 || f.right > m.Width || f.bottom > m.Height ||
				slices.ContainsFunc(taken, f.meets) {
				continue
			}
			s.Label, taken = l, append(taken, f)
			break
		}
	}
}

// zoneNumber is the number in a zone's name, or the name: there is no room for more.
func zoneNumber(name string) string {
	for _, word := range strings.Fields(name) {
		if strings.Trim(word, "0123456789") == "" {
			return word
		}
	}
	return name
}

// labels are the ways to write a name, the best first: in one line or two, about the center or within
// the outline. A name much wider than its space is no help.
func (m *plotted) labels(s *plottedSpace, text string) []label {
	middle := boards.Point{X: (s.box[0].X + s.box[1].X) / 2, Y: (s.box[0].Y + s.box[1].Y) / 2}
	room := s.box[1].X - s.box[0].X
	island := s.size < 8*mapSpeck
	var list []label
	ways := [][]string{{text}, halves(text)}
	if m.wide(ways[0]) > room {
		slices.Reverse(ways)
	}
	for _, lines := range ways {
		if len(lines) == 0 || m.wide(lines) > room*3/2 && !island && s.Capital == "" {
			continue
		}
		high := (len(lines) - 1) * m.Size
		for _, at := range []boards.Point{s.At, middle, {X: s.At.X, Y: s.At.Y - m.Size},
			{X: s.At.X, Y: s.At.Y + m.Size}} {
			list = append(list, label{X: at.X, Y: at.Y + m.Size/3 - high/2, Lines: lines, Main: s.Capital != ""})
		}
	}
	return list
}

// halves breaks a name in two, as evenly as its words allow; nil for one word.
func halves(text string) []string {
	best, at := len(text), 0
	for i := range text {
		if off := max(i-(len(text)-i), len(text)-i-i); text[i] == ' ' && off < best {
			best, at = off, i
		}
	}
	if at == 0 {
		return nil
	}
	return []string{text[:at], text[at+1:]}
}

// wide is about how wide the longest line is: letters are a bit more than half as wide as high.
func (m *plotted) wide(lines []string) int {
	most := 0
	for _, l := range lines {
		most = max(most, utf8.RuneCountInString(l))
	}
	return most * m.Size * 11 / 20
}

// frame is the room that a label takes.
type frame struct{ left, top, right, bottom int }

func (m *plotted) frame(l label) frame {
	half := m.wide(l.Lines) / 2
	return frame{l.X - half - 1, l.Y - m.Size, l.X + half + 1, l.Y + m.Size/3 + (len(l.Lines)-1)*m.Size}
}

func (f frame) meets(g frame) bool {
	return f.left < g.right && g.left < f.right && f.top < g.bottom && g.top < f.bottom
}
