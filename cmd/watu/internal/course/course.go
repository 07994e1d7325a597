package course

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/strategic"
)

// Record is what there is to draw: the views at a moment, and the throws up to it.
type Record struct {
	Turns []picture.Turn // up to the head, in order
	On    uint64         // the ordinal of that of the moment
	Sides []string       // in the order of the opening

	Income    *income.Report
	Strategic *strategic.Report
	Pools     *pools.Report
	Throws    []Throw

	Lang *story.Language
	Tint func(side string) string
}

// Panel is one drawing: a plot or a stack, what it says in words, and the table of its figures.
type Panel struct {
	ID, Title string
	Aside     string // what the title leaves out
	Plot      *picture.Plot
	Stack     *picture.Stack
	Words     []string // at most two sentences
	More      []string // the others
	Table     document.Table
}

// mostRows is how many turns a table has: those before them stand in the list of events.
const mostRows = 24

// Of draws what there is. Nothing empty is drawn.
func Of(r Record) (list []Panel) {
	for _, more := range [][]Panel{r.losses(), r.scored(), r.luck(), r.decks(), r.draws()} {
		list = append(list, more...)
	}
	return list
}

// sum is what a side has so far, turn by turn.
type sum struct {
	side  string
	of    map[uint64]int64  // what is added in a turn, by ordinal
	event map[uint64]uint64 // the last by which it is
	all   int64
}

// sums are those of sides, as they first appear.
type sums []*sum

// add counts something of a side in a turn.
func (s *sums) add(side string, ordinal, event uint64, n int64) {
	i := slices.IndexFunc(*s, func(x *sum) bool { return x.side == side })
	if i < 0 {
		i, *s = len(*s), append(*s, &sum{side, map[uint64]int64{}, map[uint64]uint64{}, 0})
	}
	x := (*s)[i]
	x.of[ordinal] += n
	x.event[ordinal] = max(x.event[ordinal], event)
	x.all += n
}

// panel draws sums over the turns up to the moment; nil where nothing was added.
func (r Record) panel(id, title string, list sums) []Panel {
	list = slices.DeleteFunc(list, func(s *sum) bool { return s.all == 0 })
	slices.SortStableFunc(list, func(a, b *sum) int { return r.rank(a.side) - r.rank(b.side) })
	d := picture.Draft{Turns: r.Turns, On: r.On, Small: true}
	p := Panel{ID: id, Title: r.text(title)}
	heads := []string{"Turn"}
	for _, s := range list {
		heads = append(heads, "#"+r.called(s.side))
		l, so := picture.Line{Tint: r.Tint(s.side), Called: r.called(s.side)}, int64(0)
		for _, t := range r.until() {
			so += s.of[t.Ordinal]
			l.Dots = append(l.Dots, picture.Dot{Ordinal: t.Ordinal, N: so, Event: s.event[t.Ordinal]})
		}
		d.Lines = append(d.Lines, l)
	}
	if p.Plot = d.Plot(); p.Plot == nil {
		return nil
	}
	p.Table = r.table(heads, d.Lines, func(n int64) string { return fmt.Sprint(n) })
	return []Panel{p}
}

// table has a row a turn, and a column a line.
func (r Record) table(heads []string, lines []picture.Line, say func(int64) string) document.Table {
	t := document.Table{Columns: document.Columns(heads...)}
	for _, turn := range r.until() {
		row := []any{r.Lang.Name(turn.Label)}
		for _, l := range lines {
			i := slices.IndexFunc(l.Dots, func(d picture.Dot) bool { return d.Ordinal == turn.Ordinal })
			switch {
			case i < 0:
				row = append(row, "")
			case l.Dots[i].Event != 0:
				row = append(row, document.Figure(l.Dots[i].Event, say(l.Dots[i].N)))
			default:
				row = append(row, say(l.Dots[i].N))
			}
		}
		t.Add(row...)
	}
	t.Last(mostRows)
	return t
}

// until are the turns up to the moment.
func (r Record) until() []picture.Turn {
	i := slices.IndexFunc(r.Turns, func(t picture.Turn) bool { return t.Ordinal > r.On })
	if i < 0 {
		return r.Turns
	}
	return r.Turns[:i]
}

// rank is a side's place in the order of the opening; others come behind.
func (r Record) rank(side string) int {
	if i := slices.Index(r.Sides, side); i >= 0 {
		return i
	}
	return len(r.Sides)
}

func (r Record) text(key string) string { return r.Lang.Text(story.Sentence{Key: key}) }

// called is a side's name by itself.
func (r Record) called(side string) string {
	return r.Lang.Text(story.Sentence{Key: "name", With: story.Parts{"name": story.Name(side)}})
}
