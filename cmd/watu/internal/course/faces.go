package course

import (
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// Faces is how often each face of a kind of die fell, all sides together.
type Faces struct {
	ID, Kind   string
	Dice       document.Span
	Title      string // of the drawing
	Text       string
	Height     int
	Bars       []FaceBar
	Table      document.Table
	Axis, Base int
}

// FaceBar is one face of a die, as drawn: the bar, the band and the expectation, in units.
type FaceBar struct {
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

// FacesOf counts the faces of each kind of die; path is where a link leads.
func FacesOf(fell []report.Dice, path func(document.Link) string) []Faces {
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
	var list []Faces
	for i := range kinds {
		if kinds[i].Sides() <= mostFaces {
			list = append(list, drawFaces(&kinds[i], path))
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

func drawFaces(k *report.Dice, path func(document.Link) string) Faces {
	n := k.Sides()
	low, high := Band(k.Dice, n)
	most := max(high, 1)
	for _, c := range k.Faces {
		most = max(most, c)
	}
	tall := func(count float64) int { return int(count / float64(most) * (facesHigh - 16)) }
	out := Faces{
		ID: fmt.Sprintf("%d-%d", k.Low, k.High), Kind: k.Kind(),
		Dice: document.Span{Text: fmt.Sprint(k.Dice),
			To: document.Link{Kind: document.ToEvents, Event: k.First}},
		Height: facesHigh + 18, Base: facesHigh, Axis: facesWide,
		Title: "Faces of the " + k.Kind(),
		Text: fmt.Sprintf("A bar for each face: how often it fell in %d dice. The line is the expectation; the "+
			"ruled band is where 19 of 20 counts of fair dice lie, %d to %d.", k.Dice, low, high),
		Table: document.Table{Title: "Faces of the " + k.Kind(), Columns: document.Columns("Face", "#Fell", "#Expected",
			"#Band", "")},
	}
	expected := float64(k.Dice) / float64(n)
	step := facesWide / n
	for i := range n {
		face, count := fmt.Sprint(k.Low+i), k.Faces[k.Low+i]
		b := FaceBar{Face: face, Count: count, Href: path(out.Dice.To), Outside: count < low || count > high}
		b.BandWide = min(step-4, 48)
		b.Wide = b.BandWide / 2
		b.Middle = i*step + step/2
		b.X, b.BandX, b.BandEnd = b.Middle-b.Wide/2, b.Middle-b.BandWide/2, b.Middle+b.BandWide/2
		b.High, b.BandHigh = tall(float64(count)), max(1, tall(float64(high))-tall(float64(low)))
		b.Y, b.BandY, b.ExpectedY = facesHigh-b.High, facesHigh-tall(float64(high)), facesHigh-tall(expected)
		out.Bars = append(out.Bars, b)
		link := func(what any) document.Span { return document.Span{Text: fmt.Sprint(what), To: out.Dice.To} }
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
