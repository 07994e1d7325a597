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
	"github.com/watu-ledger/watu/projections"
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
			u.Turn, u.Text, figure(u.Index, fmt.Sprintf("#%d", u.Index)), timeline.Percent(u.Unlikely.Chance),
		})
	}
	if len(at.Dice) > 0 {
		p.Sums = &chartDrawn{f.links, "luck", template.HTML(f.chart().Luck(at.Luck)), at.Luck.Table()}
		p.Faces = f.faces(at.Dice)
	}
	return p, nil
}

// faces counts the faces of each kind of die.
func (f figures) faces(fell []report.Dice) []faces {
	var kinds []report.Dice
	for _, x := range fell {
		fresh := report.Dice{Low: x.Low, High: x.High, Faces: map[int]int64{}, First: x.First}
		alike := func(k report.Dice) bool { return k.Low == x.Low && k.High == x.High }
		k := projections.FindOrAdd(&kinds, fresh, alike)
		k.Dice += x.Dice
		for face, count := range x.Faces {
			k.Faces[face] += count
		}
	}
	var list []faces
	for i := range kinds {
		if kinds[i].Sides() <= mostFaces {
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

func (f figures) drawFaces(k *report.Dice) faces {
	n := k.Sides()
	low, high := band(k.Dice, n)
	most := max(high, 1)
	for _, c := range k.Faces {
		most = max(most, c)
	}
	tall := func(count float64) int { return int(count / float64(most) * (facesHigh - 16)) }
	out := faces{
		links: f.links,
		ID:    fmt.Sprintf("%d-%d", k.Low, k.High), Kind: k.Kind(), Dice: document.Span{Text: text(k.Dice),
			To: from(k.First)}, Height: facesHigh + 18, Base: facesHigh, Axis: facesWide,
		Title: "Faces of the " + k.Kind(),
		Text: fmt.Sprintf("A bar for each face: how often it fell in %d dice. The line is the expectation; the "+
			"ruled band is where 19 of 20 counts of fair dice lie, %d to %d.", k.Dice, low, high),
		Table: document.Table{Title: "Faces of the " + k.Kind(), Columns: document.Columns("Face", "#Fell", "#Expected",
			"#Band", "")},
	}
	expected := float64(k.Dice) / float64(n)
	step := facesWide / n
	for i := range n {
		face, count := text(k.Low+i), k.Faces[k.Low+i]
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
