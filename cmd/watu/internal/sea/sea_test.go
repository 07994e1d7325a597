package sea

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/projections/strategic"
)

func inputOf(r *strategic.Report) Input {
	return Input{Strategic: r, Event: func(index uint64) string { return fmt.Sprintf("/events/%d", index) },
		Tint: func(string) string { return "other" }}
}

// Silhouettes stand in rows that differ by one, as many as there are factors, or above 60 one for five.
func TestSilhouettesStandForFactors(t *testing.T) {
	for most := 1; most <= 200; most += 3 {
		for n := 0; n <= most; n++ {
			for _, right := range []bool{false, true} {
				f := force{Factors: n}
				f.arrange(most, right)
				each, part := 1, false
				if most > 60 {
					each, part = 5, n%5 != 0
				}
				rows := map[int]int{}
				if f.Width < 0 || f.Height < 0 {
					t.Fatalf("%d of %d: %d, %d", n, most, f.Width, f.Height)
				}
				for _, m := range f.Marks {
					rows[m.Y]++
					if m.X < 0 || m.X+22 > f.Width || m.Y+11 > f.Height {
						t.Fatalf("%d of %d: a silhouette at %d, %d of %d, %d", n, most, m.X, m.Y, f.Width, f.Height)
					}
				}
				for _, k := range rows {
					if k < rows[0]-1 || k > rows[0] {
						t.Fatalf("%d of %d: rows %v", n, most, rows)
					}
				}
				if f.Each != each || len(f.Marks) != (n+each-1)/each || n > 0 && f.Marks[len(f.Marks)-1].Part != part {
					t.Fatalf("%d of %d: %+v", n, most, f)
				}
			}
		}
	}
	huge := force{Factors: 1 << 30}
	if huge.arrange(1<<30, false); len(huge.Marks) > 61 {
		t.Errorf("%d silhouettes", len(huge.Marks))
	}
	f := fight{Boats: force{Factors: 70, Each: 5}}
	s := Picture{Lanes: []lane{{Fights: []fight{f}}}}
	if text := fmt.Sprint(s.Most(), s.Each()); text != "60 5" {
		t.Error(text)
	}
}

// A hex has six neighbours at one distance: those of odd columns are half a hex lower.
func TestHexesLieByTheirNumbers(t *testing.T) {
	a := hexArea{c0: 20, r0: 10, c1: 30, r1: 20}
	for hex, around := range map[string][]string{
		"2415": {"2414", "2416", "2314", "2315", "2514", "2515"},
		"2515": {"2514", "2516", "2415", "2416", "2615", "2616"},
	} {
		m, _ := a.mark(hex)
		for _, o := range around {
			n, ok := a.mark(o)
			dx, dy := abs(m.X-n.X), abs(m.Y-n.Y)
			if !ok || !(dx == 0 && dy == hexHigh || dx == hexStep && dy == hexHigh/2) {
				t.Errorf("%s is %d, %d from %s", o, dx, dy, hex)
			}
		}
	}
	for _, none := range []string{"", "the sea", "241", "24155"} {
		if _, ok := a.mark(none); ok {
			t.Errorf("%q is a hex", none)
		}
	}
}

// Labels cover each other nowhere; one that has no room is left out.
func TestLabelsOfBasesDoNotMeet(t *testing.T) {
	for _, hexes := range [][]string{{"2417", "2417"}, {"2417", "2517", "2418"}, {"3010", "3310", "3510", "3710"}} {
		r := &strategic.Report{}
		for i, hex := range hexes {
			name := fmt.Sprint("Base ", i)
			r.Bases = append(r.Bases, strategic.Base{Base: name, Hex: hex})
			r.Postings = append(r.Postings, strategic.Posting{Base: name, What: "placed", Hex: hex})
		}
		p := inputOf(r).patrol()
		if !p.Bases[0].Labelled() && hexes[0] != "2417" {
			t.Errorf("%v: %s has room for its label", hexes, p.Bases[0].Name)
		}
		for i, b := range p.Bases {
			for _, o := range p.Bases[:i] {
				l, r := b.room()
				from, to := o.room()
				if b.Labelled() && o.Labelled() && abs(b.Y-o.Y) < labelHigh && l < to && from < r {
					t.Errorf("%v: the labels of %s and %s meet", hexes, b.Name, o.Name)
				}
			}
		}
	}
}

// Of figures that no row can hold the number alone stands there.
func TestFiguresTooLargeToDraw(t *testing.T) {
	r := &strategic.Report{Figures: []strategic.Figure{{Name: "SWM", Value: 1 << 40},
		{Name: "Japanese ASPs", Value: 1 << 40}}, Postings: []strategic.Posting{{Base: "Wilkes", Hex: "2813"}}}
	r.CardsDrawn = []strategic.CardsDrawn{{Side: "Japan"}}
	r.CardsDrawn[0].Base, r.CardsDrawn[0].Draw = 1<<30, 1<<30
	p := inputOf(r).patrol()
	if len(p.SWM.Cells)+len(p.ASPs.Ships)+len(p.Cards.Cards) != 0 || p.ASPs.Left != 1<<40 {
		t.Errorf("%+v, %+v, %+v", p.SWM, p.ASPs, p.Cards)
	}
}
