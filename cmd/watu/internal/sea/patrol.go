package sea

import (
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/strategic"
)

// patrol is where submarine bases are, what each threw last, and what it came to.
type patrol struct {
	Width, Height int
	Columns, Rows []hexLabel
	Past          []hexMark // where bases stood before
	Moves         []hexMove
	Bases         []patrolBase // on the map
	Threw         []patrolBase // those that have thrown, and those off the map

	Cards *cardsCut
	ASPs  *shipping
	SWM   *track
}

// Hexes are numbered by column and row. Columns run straight down; odd ones are half a hex lower.
const (
	hexSide, hexHigh = 16, 28
	hexStep          = hexSide + hexSide/2
	hexMargin        = 2
	fewColumns       = 26
	fewRows          = 16
)

// hexLabel is the number of a column or a row at the edge.
type hexLabel struct {
	Text string
	X, Y int
}

// hexMark is a hex that means something.
type hexMark struct {
	X, Y int
	Text string // beside it, where there is room
	Why  string
	Turn string // of one that a base has left: when
}

// hexMove is the last way of a base.
type hexMove struct{ From, To hexMark }

// patrolBase is a submarine base and its last throw.
type patrolBase struct {
	hexMark
	Name   string
	Hex    string     // empty off the map
	Back   int        // from which turn it may be back on the map
	Away   bool       // off the map
	Left   bool       // its label stands to the left
	Threw  *baseThrow // the last
	labels bool       // the throw stands beside it
}

// baseThrow is what a base threw last.
type baseThrow struct {
	Turn, Why string
	Earlier   string // "Turn 7", of a throw that is not of the turn that is on
	Die       int
	By        string // "−4"
	Is        int
	Success   bool
	Spent     string
	SpentWhy  string
}

// IsText is what the die comes to.
func (t baseThrow) IsText() string {
	if t.Is < 0 {
		return words.Modifier(t.Is)
	}
	return strconv.Itoa(t.Is)
}

// Result says what the throw came to.
func (t baseThrow) Result() string {
	if t.Success {
		return "success"
	}
	return "no success"
}

// cardsCut is the last draw of strategy cards, those that submarines and bombers cost beside those drawn.
type cardsCut struct {
	Side, Turn, Why string
	Draw, Base      int
	Boats, Bombers  int // how many fewer for submarines and for bombers
	Cards           []cutCard
	Wide            int
}

type cutCard struct {
	X    int
	Lost bool
}

// shipping is the ASPs that Japan has left, and those that successes cost.
type shipping struct {
	Left, Cost int64
	Turn, Why  string
	Ships      []cutCard
	Wide       int
}

// track is the Submarine Warfare Modifier on its track.
type track struct {
	Value, Turn, Why string
	Cells            []trackCell
	Wide             int
}

type trackCell struct {
	X    int
	Text string
	On   bool
}

// patrol draws the bases; nil where there never was one.
func (in Input) patrol() *patrol {
	r := in.Strategic
	if len(r.Postings) == 0 {
		return nil
	}
	p := &patrol{Cards: in.cardsCut(r), ASPs: in.shipping(r), SWM: in.track(r)}
	area := areaOf(r)
	p.Width, p.Height = area.size()
	p.Columns, p.Rows = area.labels()
	for _, b := range r.Bases {
		x := patrolBase{Name: b.Base, Hex: b.Hex, Back: b.Returns, Threw: in.threw(r, b.Base)}
		at, ok := area.mark(b.Hex)
		x.Away = !ok
		x.hexMark, x.Why = at, in.Event(b.Event)
		if ok {
			p.Bases = append(p.Bases, x)
		}
		if x.Threw != nil || x.Away {
			p.Threw = append(p.Threw, x)
		}
	}
	in.past(p, r, area)
	p.label()
	return p
}

// past marks where bases stood before, and how those on the map came where they are.
func (in Input) past(p *patrol, r *strategic.Report, area hexArea) {
	taken := map[string]bool{}
	for _, b := range r.Bases {
		taken[b.Hex] = true
	}
	for _, x := range slices.Backward(r.Postings) {
		if !x.Counts() {
			continue
		}
		stands := slices.ContainsFunc(r.Bases, func(b strategic.Base) bool { return b.Event == x.Event })
		if stands && x.From != "" {
			from, ok := area.mark(x.From)
			to, and := area.mark(x.Hex)
			if ok && and {
				p.Moves = append(p.Moves, hexMove{from, to})
			}
		}
		for _, hex := range []string{x.Hex, x.From} {
			if m, ok := area.mark(hex); ok && !taken[hex] {
				taken[hex], m.Text, m.Why = true, hex, in.Event(x.Event)
				m.Turn = x.Turn
				p.Past = append(p.Past, m)
			}
		}
	}
}

// labelFrom is where a label begins beside the middle of its hex; labelWide and labelHigh are its room at most.
const labelFrom, labelWide, labelHigh = 20, 200, 44

// room is from where to where the label reaches.
func (b patrolBase) room() (from, to int) {
	if b.Left {
		return b.X - labelFrom - labelWide, b.X - labelFrom
	}
	return b.X + labelFrom, b.X + labelFrom + labelWide
}

// clashes reports whether the label covers another base or its label, or leaves the picture.
func (p *patrol) clashes(b patrolBase) bool {
	from, to := b.room()
	for _, o := range p.Bases {
		if o.Name == b.Name || abs(o.Y-b.Y) >= labelHigh {
			continue
		}
		begin, end := o.X-hexSide, o.X+hexSide
		if l, r := o.room(); o.labels {
			begin, end = min(begin, l), max(end, r)
		}
		if from < end && begin < to {
			return true
		}
	}
	return from < 0 || to > p.Width
}

// label puts the labels to the side where there is room; where there is none, none stands.
func (p *patrol) label() {
	for i := range p.Bases {
		b := &p.Bases[i]
		for _, b.Left = range []bool{false, true} {
			if b.labels = !p.clashes(*b); b.labels {
				break
			}
		}
	}
	for i := range p.Past {
		x := &p.Past[i]
		if slices.ContainsFunc(p.Bases, func(b patrolBase) bool {
			return abs(b.X-x.X) < labelWide && abs(b.Y-x.Y) < labelHigh
		}) || slices.ContainsFunc(p.Past[:i], func(o hexMark) bool { return abs(o.X-x.X) < 80 && abs(o.Y-x.Y) < 24 }) {
			x.Text = ""
		}
	}
}

// LabelX is where the label begins, or ends.
func (b patrolBase) LabelX() int {
	if b.Left {
		return b.X - labelFrom
	}
	return b.X + labelFrom
}

// Labelled reports whether there is room for the label.
func (b patrolBase) Labelled() bool { return b.labels }

func abs(n int) int { return max(n, -n) }

// hexArea is the columns and rows in use.
type hexArea struct{ c0, r0, c1, r1 int }

// areaOf is the hexes in which bases ever stood, with a margin. Its first column is even.
func areaOf(r *strategic.Report) hexArea {
	a, begun := hexArea{}, false
	for _, x := range r.Postings {
		for _, hex := range []string{x.Hex, x.From} {
			c, row, ok := hexOf(hex)
			switch {
			case !ok:
			case !begun:
				a, begun = hexArea{c, row, c, row}, true
			default:
				a = hexArea{min(a.c0, c), min(a.r0, row), max(a.c1, c), max(a.r1, row)}
			}
		}
	}
	widen := func(from, to *int, least int) {
		*from, *to = *from-hexMargin, *to+hexMargin
		if short := least - (*to - *from + 1); short > 0 {
			*from, *to = *from-short/2, *to+(short+1)/2
		}
		if *from < 1 {
			*to, *from = *to+1-*from, 1
		}
	}
	widen(&a.c0, &a.c1, fewColumns)
	widen(&a.r0, &a.r1, fewRows)
	a.c0 -= a.c0 % 2
	return a
}

// hexOf reads a hex number: two digits of the column and two of the row.
func hexOf(hex string) (column, row int, ok bool) {
	n, err := strconv.Atoi(hex)
	return n / 100, n % 100, err == nil && len(hex) == 4 && n > 0
}

func (a hexArea) size() (width, height int) {
	return (a.c1-a.c0+1)*hexStep + hexSide/2, (a.r1-a.r0+1)*hexHigh + hexHigh/2
}

// mark is the middle of a hex; false for what is none.
func (a hexArea) mark(hex string) (hexMark, bool) {
	c, r, ok := hexOf(hex)
	m := hexMark{X: (c-a.c0)*hexStep + hexSide, Y: (r-a.r0)*hexHigh + hexHigh/2}
	if c%2 == 1 {
		m.Y += hexHigh / 2
	}
	return m, ok
}

// labels numbers every fourth column and every second row.
func (a hexArea) labels() (columns, rows []hexLabel) {
	for c := a.c0 + 2; c <= a.c1; c++ {
		if c%4 == 0 {
			columns = append(columns, hexLabel{strconv.Itoa(c), (c-a.c0)*hexStep + hexSide, hexHigh/2 + 4})
		}
	}
	for r := a.r0 + 1; r <= a.r1; r++ {
		if r%4 == 0 {
			rows = append(rows, hexLabel{strconv.Itoa(r), hexSide, (r-a.r0)*hexHigh + hexHigh/2 + 4})
		}
	}
	return columns, rows
}

// threw is the last throw of a base that counts; nil for none.
func (in Input) threw(r *strategic.Report, base string) *baseThrow {
	for i := range slices.Backward(r.Warfare) {
		x := &r.Warfare[i]
		if !x.Counts() || !strategic.IsBase(x.Procedure) || x.Subject != base || len(x.Readings) == 0 ||
			len(x.Readings[0].Dice) == 0 {
			continue
		}
		d := x.Readings[0]
		t := &baseThrow{Turn: x.Turn, Why: in.Event(x.Event), Die: d.Dice[0], Is: d.Modified,
			Success: d.Result == "success"}
		if x.Ordinal != in.Now {
			t.Earlier, _, _ = strings.Cut(x.Turn, ",")
		}
		if by := d.Modified - d.Total; by != 0 {
			t.By = words.Modifier(by)
		}
		for _, s := range r.Spent {
			if s.Counts() && s.Base == base && s.Ordinal == x.Ordinal {
				t.SpentWhy = in.Event(s.Event)
				t.Spent = map[string]string{"asp": "costs an ASP", "swm": "lowers the SWM"}[s.On]
			}
		}
		return t
	}
	return nil
}

// cardsCut is the last draw that counts; nil for none.
func (in Input) cardsCut(r *strategic.Report) *cardsCut {
	for _, x := range slices.Backward(r.CardsDrawn) {
		if !x.Counts() {
			continue
		}
		out := &cardsCut{Side: x.Side, Turn: x.Turn, Why: in.Event(x.Event), Draw: x.Draw, Base: x.Base}
		out.Boats, out.Bombers = max(x.Submarines, 0), max(x.Bombers, 0)
		out.Cards, out.Wide = row(x.Draw, max(0, x.Base-x.Draw), cardStep)
		return out
	}
	return nil
}

// mostPieces is how many cards, ships or cells stand in a row; of more the number alone stands there.
const mostPieces = 20

// row places what is left and what is lost side by side.
func row(left, lost, step int) (list []cutCard, wide int) {
	if left+lost > mostPieces || left+lost == 0 {
		return nil, 0
	}
	for i := range left + lost {
		list = append(list, cutCard{step * i, i >= left})
	}
	return list, step*(left+lost) - 4
}

// shipping is Japan's ASPs as stated last; nil where nobody has.
func (in Input) shipping(r *strategic.Report) *shipping {
	for _, f := range r.Figures {
		if f.Name != "Japanese ASPs" || f.Value < 0 {
			continue
		}
		out := &shipping{Left: f.Value, Turn: f.Turn, Why: in.Event(f.Event)}
		for _, s := range r.Spent {
			if s.Counts() && s.On == "asp" {
				out.Cost++
			}
		}
		out.Ships, out.Wide = row(int(out.Left), int(out.Cost), markWide)
		return out
	}
	return nil
}

const (
	cellWide  = 30        // the width of a cell of the track
	lowestSWM = int64(-5) // under which the modifier never goes (11.22.B)
)

// track is the SWM as stated last, from the highest that it was down to the lowest that it can be; nil where nobody
// has stated it.
func (in Input) track(r *strategic.Report) *track {
	for _, f := range r.Figures {
		if f.Name != "SWM" {
			continue
		}
		out := &track{Value: words.Modifier(f.Value), Turn: f.Turn, Why: in.Event(f.Event)}
		top, low := max(f.Value, 0), min(f.Value, lowestSWM)
		for _, x := range r.Warfare {
			for _, m := range x.Modifiers {
				if x.Counts() && m.Name == "SWM" {
					top = max(top, int64(m.Value))
				}
			}
		}
		for n := top; n >= low && top-low < mostPieces; n-- {
			out.Cells = append(out.Cells, trackCell{cellWide * len(out.Cells), words.Modifier(n), n == f.Value})
		}
		out.Wide = cellWide*len(out.Cells) + 1
		return out
	}
	return nil
}
