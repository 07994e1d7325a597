package course

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// Throw is some dice as they fell: each of them shows Low to High, and hits at AtMost or less, which was said
// beforehand; 0 where nothing was.
type Throw struct {
	Event     uint64
	Side      string
	Low, High int
	AtMost    int
	Dice      []int
}

// chances are dice of a kind: of how many faces, how many of those hit, and what a hit or the lowest face counts.
type chances struct{ faces, hit int }

// fortune is how the dice of a side fell, in hits or in pips.
type fortune struct {
	side     string
	dice     map[chances]int // thrown so far
	off      *big.Rat        // how far above expectation they are
	variance *big.Rat
	n        int
	line     picture.Line
}

// The measures of luck.
const (
	few    = 5  // dice below which nobody is judged
	tenths = 10 // figures are drawn in tenths
	within = 1.96

	mostWords = 2 // sentences: the unlikeliest
)

// luck draws how far the dice of each side are from what was to be expected, turn by turn.
func (r Record) luck() []Panel {
	var hits, pips []*fortune
	throws := r.Throws
	for _, t := range r.until() {
		for ; len(throws) > 0 && throws[0].Event <= t.End; throws = throws[1:] {
			x := throws[0]
			list := &pips
			if x.AtMost > 0 {
				list = &hits
			}
			of(list, x.Side).throw(x, t.Ordinal)
		}
		for _, f := range slices.Concat(hits, pips) {
			f.turn(t.Ordinal)
		}
	}
	for _, f := range slices.Concat(hits, pips) {
		f.begin(r.Turns)
	}
	return append(r.fortunes("luck-hits", "course-hits", "hits", hits), r.fortunes("luck-pips", "course-pips", "pips",
		pips)...)
}

func of(list *[]*fortune, side string) *fortune {
	i := slices.IndexFunc(*list, func(f *fortune) bool { return f.side == side })
	if i < 0 {
		i = len(*list)
		*list = append(*list, &fortune{side: side, dice: map[chances]int{}, off: new(big.Rat), variance: new(big.Rat)})
	}
	return (*list)[i]
}

// throw counts dice. A die that hits on t of s faces is expected to hit t/s times, with the variance t(s−t)/s². One
// that counts by its face is expected to show the middle of its faces, with the variance (s²−1)/12.
func (f *fortune) throw(t Throw, ordinal uint64) {
	s := t.High - t.Low + 1
	if s < 2 {
		return
	}
	hit := 0
	if t.AtMost > 0 {
		hit = min(max(t.AtMost-t.Low+1, 0), s)
	}
	for _, d := range t.Dice {
		switch {
		case t.AtMost == 0:
			f.off.Add(f.off, big.NewRat(int64(2*d-t.Low-t.High), 2))
			f.variance.Add(f.variance, big.NewRat(int64(s*s-1), 12))
		default:
			if d <= t.AtMost {
				f.off.Add(f.off, big.NewRat(1, 1))
			}
			f.off.Sub(f.off, big.NewRat(int64(hit), int64(s)))
			f.variance.Add(f.variance, big.NewRat(int64(hit*(s-hit)), int64(s*s)))
		}
		f.dice[chances{s, hit}]++
		f.n++
	}
	if n := len(f.line.Dots); n > 0 && f.line.Dots[n-1].Ordinal == ordinal {
		f.line.Dots[n-1].Event = t.Event
	} else {
		f.line.Dots = append(f.line.Dots, picture.Dot{Ordinal: ordinal, Event: t.Event})
	}
}

// turn notes where the side stands at the end of a turn.
func (f *fortune) turn(ordinal uint64) {
	n := len(f.line.Dots)
	if n == 0 || f.line.Dots[n-1].Ordinal != ordinal {
		f.line.Dots, n = append(f.line.Dots, picture.Dot{Ordinal: ordinal}), n+1
	}
	f.line.Dots[n-1].N = inTenths(f.off)
	v, _ := f.variance.Float64()
	half := int64(math.Round(within * tenths * math.Sqrt(v)))
	f.line.Band = append(f.line.Band, picture.Range{Ordinal: ordinal, Low: -half, High: half})
}

// begin lets the line begin at nought, in the turn before the first throw.
func (f *fortune) begin(turns []picture.Turn) {
	for i := range turns[1:] {
		if turns[i+1].Ordinal == f.line.Dots[0].Ordinal {
			f.line.Dots = slices.Insert(f.line.Dots, 0, picture.Dot{Ordinal: turns[i].Ordinal})
			f.line.Band = slices.Insert(f.line.Band, 0, picture.Range{Ordinal: turns[i].Ordinal})
			return
		}
	}
}

// inTenths rounds to the nearest tenth, halves away from nought.
func inTenths(x *big.Rat) int64 {
	num := new(big.Int).Mul(x.Num(), big.NewInt(2*tenths))
	den := new(big.Int).Set(x.Denom())
	if num.Sign() < 0 {
		num.Sub(num, den)
	} else {
		num.Add(num, den)
	}
	return num.Quo(num, den.Mul(den, big.NewInt(2))).Int64()
}

// fortunes draws the sides of which enough dice fell to say something.
func (r Record) fortunes(id, title, of string, list []*fortune) []Panel {
	list = slices.DeleteFunc(list, func(f *fortune) bool { return f.n < few })
	slices.SortStableFunc(list, func(a, b *fortune) int { return r.rank(a.side) - r.rank(b.side) })
	d := picture.Draft{Turns: r.Turns, On: r.On, Small: true, Scale: tenths, Point: r.text("decimal-point"),
		Signed: true}
	p := Panel{ID: id, Title: r.text(title), Aside: r.text("course-band")}
	heads := []string{"Turn"}
	for _, f := range list {
		f.line.Tint, f.line.Called = r.Tint(f.side), r.called(f.side)
		heads, d.Lines = append(heads, "#"+f.line.Called), append(d.Lines, f.line)
	}
	order := slices.Clone(list)
	slices.SortStableFunc(order, func(a, b *fortune) int { return cmp.Compare(a.farther(), b.farther()) })
	for _, f := range order {
		p.More = append(p.More, r.Lang.Text(f.said(of, r.tenths(inTenths(f.off))))+".")
	}
	most := min(len(p.More), mostWords)
	p.Words, p.More = p.More[:most], p.More[most:]
	if p.Plot = d.Plot(); p.Plot == nil {
		return nil
	}
	p.Table = r.table(heads, d.Lines, r.tenths)
	return []Panel{p}
}

// tenths writes a difference as the language does: "+2.1", "−3", "0".
func (r Record) tenths(n int64) string {
	text := fmt.Sprint(max(n, -n) / tenths)
	if part := max(n, -n) % tenths; part != 0 {
		text += r.text("decimal-point") + fmt.Sprint(part)
	}
	switch {
	case n > 0:
		return "+" + text
	case n < 0:
		return "−" + text
	}
	return text
}

// said says where a side stands, off by so much, and how many wars of fair dice are farther out on the same side.
func (f *fortune) said(of, off string) story.Sentence {
	n := inTenths(f.off)
	with := story.Parts{"side": story.Name(f.side), "dice": story.Count{Of: "die", N: int64(f.n)},
		"n": story.Sentence{Key: of, With: story.Parts{"n": story.Verbatim{Text: strings.TrimLeft(off, "+−")}}}}
	if max(n, -n)%tenths == 0 {
		with["n"] = story.Count{Of: strings.TrimSuffix(of, "s"), N: max(n, -n) / tenths}
	}
	keys := map[string][3]string{
		"hits": {"luck-hits-less", "luck-hits-even", "luck-hits-more"},
		"pips": {"luck-pips-less", "luck-pips-even", "luck-pips-more"},
	}
	if f.off.Sign() != 0 {
		with["odds"] = story.Odds(f.farther())
	}
	return story.Sentence{Key: keys[of][f.off.Sign()+1], With: with}
}
