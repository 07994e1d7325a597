package dashboard

import (
	"context"
	"fmt"
	"html/template"
	"math"
	"math/big"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
)

// dicePanel is the dice against what fair dice give.
type dicePanel struct {
	links
	Sums     *chartDrawn // by side and kind
	Faces    []faces
	Left     int // dice that do not stand
	Unlikely []unlikely
}

// faces is how often each face of a kind of die fell, all sides together.
type faces struct {
	links
	ID, Kind   string
	Dice       document.Span
	Title      string // of the drawing
	Text       string
	Height     int
	Bars       []faceBar
	Table      document.Table
	Axis, Base int
}

// faceBar is one face of a die, as drawn: the bar, the band and the expectation, in units.
type faceBar struct {
	X, Y, Wide, High  int
	BandY, BandHigh   int
	BandX, BandWide   int
	BandEnd           int
	Middle, ExpectedY int
	Face              string
	Count             int64
	Href              string
	Outside           bool
}

// unlikely is a throw far from expectation.
type unlikely struct {
	Turn, Text string
	Event      document.Span
	Chance     string
}

func (d *Dashboard) dicePanel(ctx context.Context, c timeline.Campaign, m timeline.Moment,
	f figures) (p dicePanel, err error) {
	at, err := d.service.DiceAt(ctx, c.ID, m.Events, mostLines)
	if err != nil {
		return p, err
	}
	p.links, p.Left = f.links, at.Left
	for _, u := range at.Unlikely {
		p.Unlikely = append(p.Unlikely, unlikely{
			u.Turn, u.Text, figure(u.Index, fmt.Sprintf("#%d", u.Index)), fmt.Sprintf("%.2g %%", 100*u.Unlikely.Chance),
		})
	}
	if len(at.Fell) > 0 {
		p.Sums, p.Faces = f.sums(at.Fell), f.faces(at.Fell)
	}
	return p, nil
}

// sums holds the sum of each side's dice against expectation.
func (f figures) sums(fell []timeline.DiceCount) *chartDrawn {
	t := document.Table{Title: "Sums by side", Columns: document.Columns("Side", "Die", "#Dice", "#Sum", "#Expected",
		"#Band", "Luck")}
	luck := report.Luck{}
	for _, x := range fell {
		d := report.DiceOf(x.Side, x.Low, x.High, x.Dice, x.Sum)
		luck.Dice = append(luck.Dice, d)
		link := func(what any) document.Span { return document.Span{Text: text(what), To: from(x.First)} }
		t.Add(x.Side, d.Kind(), link(d.Dice), link(d.Sum), link(d.Expected()),
			link(fmt.Sprintf("%d–%d", d.From, d.To)),
			d.Verdict())
	}
	return &chartDrawn{f.links, "luck", template.HTML(f.chart().Luck(luck)), t}
}

// faces counts the faces of each kind of die.
func (f figures) faces(fell []timeline.DiceCount) []faces {
	var kinds []timeline.DiceCount
	for _, x := range fell {
		i := 0
		for i < len(kinds) && (kinds[i].Low != x.Low || kinds[i].High != x.High) {
			i++
		}
		if i == len(kinds) {
			kinds = append(kinds, timeline.DiceCount{Low: x.Low, High: x.High, Faces: make([]int64, len(x.Faces)),
				First: x.First})
		}
		k := &kinds[i]
		k.Dice += x.Dice
		for n, count := range x.Faces {
			k.Faces[n] += count
		}
	}
	var list []faces
	for i := range kinds {
		if len(kinds[i].Faces) <= mostFaces {
			list = append(list, f.drawFaces(&kinds[i]))
		}
	}
	return list
}

// The measures of the drawing of faces, in units.
const (
	facesWide = 360
	facesHigh = 90
	mostFaces = 20
)

func (f figures) drawFaces(k *timeline.DiceCount) faces {
	d := report.DiceOf("", k.Low, k.High, k.Dice, 0)
	n := len(k.Faces)
	low, high := band(k.Dice, n)
	most := max(high, 1)
	for _, c := range k.Faces {
		most = max(most, c)
	}
	tall := func(count float64) int { return int(count / float64(most) * (facesHigh - 16)) }
	out := faces{
		links: f.links,
		ID:    fmt.Sprintf("%d-%d", k.Low, k.High), Kind: d.Kind(), Dice: document.Span{Text: text(k.Dice),
			To: from(k.First)}, Height: facesHigh + 18, Base: facesHigh, Axis: facesWide,
		Title: "Faces of the " + d.Kind(),
		Text: fmt.Sprintf("A bar for each face: how often it fell in %d dice. The line is the expectation; the "+
			"ruled band is where 19 of 20 counts of fair dice lie, %d to %d.", k.Dice, low, high),
		Table: document.Table{Title: "Faces of the " + d.Kind(), Columns: document.Columns("Face", "#Fell", "#Expected",
			"#Band", "")},
	}
	expected := float64(k.Dice) / float64(n)
	step := facesWide / n
	for i, count := range k.Faces {
		face := text(k.Low + i)
		b := faceBar{Face: face, Count: count, Href: f.path(out.Dice.To), Outside: count < low || count > high}
		b.BandWide = min(step-4, 48)
		b.Wide = b.BandWide / 2
		b.Middle = i*step + step/2
		b.X, b.BandX, b.BandEnd = b.Middle-b.Wide/2, b.Middle-b.BandWide/2, b.Middle+b.BandWide/2
		b.High, b.BandHigh = tall(float64(count)), max(1, tall(float64(high))-tall(float64(low)))
		b.Y, b.BandY, b.ExpectedY = facesHigh-b.High, facesHigh-tall(float64(high)), facesHigh-tall(expected)
		out.Bars = append(out.Bars, b)
		link := func(what any) document.Span { return document.Span{Text: text(what), To: out.Dice.To} }
		out.Table.Add(face, link(count), link(fmt.Sprintf("%.1f", expected)), link(fmt.Sprintf("%d–%d", low, high)),
			outside(b.Outside))
	}
	return out
}

func outside(is bool) string {
	if is {
		return "outside the band"
	}
	return ""
}

// bands are those that were counted before: a page is drawn often, and a campaign has few kinds of dice.
var bands sync.Map // [2]int64 to [2]int64

// mostCounted is of how many dice the ways are counted: their number has as many digits.
const mostCounted = 10_000

// band is where the count of one face lies in 19 of 20 campaigns of so many fair dice with so many
// faces: the chance of less, and that of more, is a fortieth at most. It is exact: the ways in which the
// face falls k times are C(dice, k)·(faces−1)^(dice−k), of faces^dice. Of more dice than are counted so, it is
// that of the normal distribution, which differs by one at most.
func band(dice int64, faces int) (low, high int64) {
	if dice > mostCounted {
		chance := 1 / float64(faces)
		mean, half := float64(dice)*chance, 1.96*math.Sqrt(float64(dice)*chance*(1-chance))
		return int64(math.Ceil(mean - half)), int64(math.Floor(mean + half))
	}
	key := [2]int64{dice, int64(faces)}
	if known, ok := bands.Load(key); ok {
		b := known.([2]int64)
		return b[0], b[1]
	}
	others := big.NewInt(int64(faces) - 1)
	ways := new(big.Int).Exp(others, big.NewInt(dice), nil) // in which it falls k times
	all := new(big.Int).Exp(big.NewInt(int64(faces)), big.NewInt(dice), nil)
	sum, forty := new(big.Int), new(big.Int)
	low = -1
	for k := int64(0); ; k++ {
		sum.Add(sum, ways)
		forty.Mul(sum, big.NewInt(40))
		if low < 0 && forty.Cmp(all) > 0 {
			low = k
		}
		if forty.Sub(forty, all); forty.Cmp(new(big.Int).Mul(all, big.NewInt(38))) >= 0 {
			high = k
			break
		}
		ways.Mul(ways, big.NewInt(dice-k))
		ways.Quo(ways, new(big.Int).Mul(others, big.NewInt(k+1)))
	}
	bands.Store(key, [2]int64{low, high})
	return low, high
}
