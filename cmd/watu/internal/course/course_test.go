package course

import (
	"math"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/strategic"
)

// record has so many turns of ten events each, and stands in the one that is named.
func record(turns int, on uint64) Record {
	r := Record{On: on, Sides: []string{"Germany", "UK"}, Lang: story.English,
		Tint: func(side string) string { return strings.ToLower(side) }}
	for i := range uint64(turns) {
		r.Turns = append(r.Turns, picture.Turn{Ordinal: i + 1, Label: "Round", End: 10*i + 9})
	}
	return r
}

func panelOf(t *testing.T, r Record, id string) Panel {
	t.Helper()
	for _, p := range Of(r) {
		if p.ID == id {
			return p
		}
	}
	t.Fatalf("no panel %s", id)
	return Panel{}
}

// What was lost is summed over the turns up to the moment; what does not count any more is left out, and so is a side
// that lost nothing.
func TestLosses(t *testing.T) {
	r := record(4, 3)
	at := func(n uint64) projections.Place { return projections.Place{Event: 10*n + 1, Ordinal: n} }
	r.Income = &income.Report{Turns: []income.Turn{
		{Ordinal: 1, Power: "UK", Raids: []income.Raid{{Event: 3, Damage: 4}, {Event: 4, Damage: 0}}},
		{Ordinal: 3, Power: "UK", Raids: []income.Raid{{Event: 23, Damage: 9, Fate: projections.Fate{CorrectedBy: 25}},
			{Event: 25, Damage: 2}}, Disruptions: []income.Disruption{{Event: 26, Damage: 1}}},
	}, Attacks: []income.Target{{Ordinal: 2, Victim: "Germany", Attacks: []income.Attack{{Event: 15, Damage: 6}}}},
		Captures: []income.Capture{{Place: at(2), TerritoryCaptured: events.TerritoryCaptured{LootFrom: "UK",
			Loot: 5}}}}
	p := panelOf(t, r, "lost")
	want := map[string][]int64{"Germany": {0, 6, 6}, "The UK": {4, 9, 12}}
	for _, l := range p.Plot.Lines {
		for i, d := range l.Dots {
			if d.N != want[l.Called][i] {
				t.Errorf("%s lost %d by turn %d, want %d", l.Called, d.N, i+1, want[l.Called][i])
			}
		}
	}
	if len(p.Plot.Lines) != 2 || p.Plot.Lines[1].Dots[2].Event != 26 || p.Plot.Lines[0].Dots[2].Event != 0 {
		t.Errorf("%+v", p.Plot.Lines)
	}
	if text := p.Table.Plain(); len(text.Rows) != 3 {
		t.Errorf("%+v", text)
	}
	r.Income.Damage = []income.FacilityDamage{
		{Place: at(1), FacilityDamaged: events.FacilityDamaged{Victim: "Germany", Damage: 6}},
		{Place: at(3), FacilityDamaged: events.FacilityDamaged{Victim: "Germany", Damage: 3}},
		{Place: projections.Place{Event: 32, Ordinal: 3, Fate: projections.Fate{CorrectedBy: 33}},
			FacilityDamaged: events.FacilityDamaged{Victim: "UK", Damage: 2}}}
	p = panelOf(t, r, "damaged")
	if l := p.Plot.Lines; len(l) != 1 || l[0].Called != "Germany" || l[0].Dots[1].N != 6 || l[0].Dots[2].N != 9 {
		t.Errorf("damage to facilities: %+v", l)
	}
	if p = panelOf(t, r, "lost"); len(p.Plot.Lines) != 2 || p.Plot.Lines[1].Said != "12" {
		t.Errorf("damage to facilities counts as IPCs: %+v", p.Plot.Lines)
	}
	r.Income = &income.Report{}
	if list := Of(r); len(list) != 0 {
		t.Errorf("of nothing %+v is drawn", list)
	}
}

// The dice of each side are counted from the first on. The sums are exact.
func TestLuck(t *testing.T) {
	r := record(3, 2)
	r.Throws = []Throw{
		{Event: 12, Side: "Germany", Low: 1, High: 6, AtMost: 2, Dice: []int{1, 2, 2, 6, 1}},
		{Event: 14, Side: "UK", Low: 0, High: 9, Dice: []int{9, 9, 0, 4, 5}},
		{Event: 15, Side: "US", Low: 1, High: 6, Dice: []int{6, 6}},
		{Event: 25, Side: "Germany", Low: 1, High: 6, AtMost: 2, Dice: []int{6, 6, 6}},
	}
	p := panelOf(t, r, "luck-hits")
	// 4 hits of 5 dice; 5/3 were to be expected. Five hits have a chance of 1 to 243.
	if want := "Germany threw 2.3 hits more than expected over 5 dice; one war in 243 is luckier."; p.Words[0] != want {
		t.Errorf("%q, want %q", p.Words, want)
	}
	if l := p.Plot.Lines[0]; len(l.Dots) != 2 || l.Dots[0].N != 0 || l.Dots[1].N != 23 || l.Said != "+2.3" {
		t.Errorf("%+v", l)
	}
	p = panelOf(t, r, "luck-pips")
	const want = "The UK threw 4.5 pips above the average of 5 dice; one war"
	if len(p.Words) != 1 || !strings.HasPrefix(p.Words[0], want) {
		t.Errorf("%q", p.Words)
	}
	if len(p.Plot.Lines) != 1 {
		t.Error("two dice are judged")
	}
	r.On = 3
	if p = panelOf(t, r, "luck-hits"); !strings.Contains(p.Words[0], "1.3 hits more than expected over 8 dice") {
		t.Errorf("%q", p.Words)
	}
}

// The chance that dice fall farther out is that of all ways in which they can fall.
func TestFarther(t *testing.T) {
	f := of(&[]*fortune{}, "x")
	f.throw(Throw{Low: 1, High: 6, Dice: []int{5, 4}}, 1)
	f.throw(Throw{Low: 1, High: 4, Dice: []int{3}}, 1)
	far, all := 0, 0
	for a := 1; a <= 6; a++ {
		for b := 1; b <= 6; b++ {
			for c := 1; c <= 4; c++ {
				if all++; a+b+c > 12 {
					far++
				}
			}
		}
	}
	if want := float64(far) / float64(all); math.Abs(f.farther()-want) > 1e-12 {
		t.Errorf("%g, want %g", f.farther(), want)
	}
	many := of(&[]*fortune{}, "x")
	for range counted {
		many.throw(Throw{Low: 1, High: 6, AtMost: 3, Dice: []int{1}}, 1)
	}
	if p := many.farther(); p > 1e-100 {
		t.Errorf("of nothing but hits %g are left", p)
	}
	near := of(&[]*fortune{}, "x")
	for i := range counted {
		near.throw(Throw{Low: 1, High: 6, Dice: []int{1 + i%6}}, 1)
	}
	near.throw(Throw{Low: 1, High: 6, Dice: []int{6, 6, 6, 6, 6, 6, 6, 6}}, 1)
	exact := *near
	exact.n = counted
	if a, b := near.farther(), exact.farther(); math.Abs(a-b) > 0.01 {
		t.Errorf("%g by the normal distribution, %g exactly", a, b)
	}
}

// A pool is as the viewer knows it: what was added later is not in it yet, and what he does not know is sealed.
func TestDecks(t *testing.T) {
	r := record(3, 3)
	r.Pools = &pools.Report{Pools: []pools.Pool{
		{Side: "UK", Deck: "Ultra", Contents: []pools.Count{{Card: "asw", Count: 3}, {Card: "blank", Count: 5}},
			Unknown: 2, Additions: []pools.Addition{{Event: 5}, {Event: 15, Card: "asw"},
				{Event: 28, Corrects: 12, Card: "asw"}, {Event: 29}}},
		{Side: "Germany", Deck: "Ultra"},
	}}
	list := Of(r)
	if len(list) != 1 || list[0].Title != "The UK, Ultra" {
		t.Fatalf("%+v", list)
	}
	want := map[string][3]int64{"ASW": {1, 3, 3}, "Blank": {5, 5, 5}, "Sealed": {1, 1, 2}}
	for _, l := range list[0].Stack.Layers {
		for i, n := range want[l.Called] {
			if l.N[uint64(i+1)] != n {
				t.Errorf("%s: %v, want %v", l.Called, l.N, want[l.Called])
			}
		}
	}
}

// A draw of strategy cards is shown with its cuts, and what the cuts cost so far.
func TestDraws(t *testing.T) {
	r := record(2, 2)
	draw := func(n uint64, of events.StrategyCardsDrawn) strategic.CardsDrawn {
		return strategic.CardsDrawn{Place: projections.Place{Event: 10*n - 5, Ordinal: n}, Side: "Japan",
			StrategyCardsDrawn: of}
	}
	r.Strategic = &strategic.Report{CardsDrawn: []strategic.CardsDrawn{
		draw(1, events.StrategyCardsDrawn{Base: 7, Draw: 7}),
		draw(2, events.StrategyCardsDrawn{Base: 7, Submarines: 2, Draw: 5}),
	}}
	if p := panelOf(t, r, "draws-japan"); len(p.Stack.Layers) != 2 || p.Stack.Layers[1].Last != 2 {
		t.Errorf("%+v", p.Stack)
	}
	if p := panelOf(t, r, "cut"); p.Plot.Lines[0].End().N != 2 || p.Plot.Lines[0].End().Event != 15 {
		t.Errorf("%+v", p.Plot.Lines)
	}
}
