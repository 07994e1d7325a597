package story

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
)

// In the first turn the score says who has still to collect, and a void income is not left out without a word. A turn
// without news says how much was recorded.
func TestSoFar(t *testing.T) {
	turn := events.Turn{Ordinal: 1, Label: "Round 1"}
	r := Record{Sides: []string{"Russia", "Germany", "UK"}, Turns: []events.Turn{turn}, Recorded: 7,
		Board: bundled(t, "straits"), Income: &income.Report{}}
	english := LanguageOf("en")
	if got := english.Text(Tell(r).Cards[0].Title); got != "Round 1 goes on: 7 events so far" {
		t.Error(got)
	}
	for i, power := range r.Sides {
		x := income.Turn{Ordinal: 1, Turn: turn.Label, Power: power,
			Income: &income.Income{Event: uint64(10 + i), Net: 8}}
		if power == "UK" {
			x.Income.Fate = projections.Fate{VoidedBy: 20}
		}
		r.Income.Turns = append(r.Income.Turns, x)
	}
	s := Tell(r).Score
	const want = "The Allies and the Axis are level by income: 8 IPCs each; without an income yet: the UK"
	if got := english.Text(*s.Stands); got != want {
		t.Error(got)
	}
	for _, g := range s.Groups {
		for _, x := range g.Sides {
			if x.Name == "UK" && english.Text(*x.Of) == "Its income of Round 1 is void" {
				return
			}
		}
	}
	t.Errorf("%+v", s.Groups)
}

// A treasury of its own stands for its power. Who never collected is named in later turns too, but not who lost his
// capital. Where incomes are of different turns, what adds them up says so; and a figure that is not compared with
// another says of which turn it is.
func TestWhoseIncomeIsMissing(t *testing.T) {
	first, later := events.Turn{Ordinal: 1, Label: "Round 1"}, events.Turn{Ordinal: 2, Label: "Round 2"}
	r := Record{Sides: []string{"Germany", "UK", "Italy", "France"}, Turns: []events.Turn{first, later},
		Board: bundled(t, "two-oceans"), Income: &income.Report{}}
	for i, x := range []income.Turn{{Ordinal: 1, Turn: first.Label, Power: "UK Europe"},
		{Ordinal: 2, Turn: later.Label, Power: "Germany"}} {
		x.Income = &income.Income{Event: uint64(10 + i), Net: 8}
		r.Income.Turns = append(r.Income.Turns, x)
	}
	r.Income.Captures = []income.Capture{{Place: projections.Place{Event: 9, Ordinal: 1},
		TerritoryCaptured: events.TerritoryCaptured{Territory: "France", Capital: "France"}}}
	s := Tell(r).Score
	const want = "The Axis and the Allies are level by income: 8 IPCs each, counting each power’s " +
		"last income, from Round 1 to Round 2; without an income yet: Italy"
	if got := English.Text(*s.Stands); got != want {
		t.Error(got)
	}
	if got := English.Text(s.About()); got != "IPCs collected last, Round 1 to Round 2" {
		t.Error(got)
	}
	for _, g := range s.Groups {
		for _, x := range g.Sides {
			if got := English.Text(*x.Against()); x.Name == "UK Europe" && got != "In Round 1" {
				t.Error(got)
			}
		}
	}
}

// An income that fell names who took land meanwhile, and no title says then that nothing was taken. Land that nobody
// lost is news of its own.
func TestCapturesBehindAnIncome(t *testing.T) {
	first, later := events.Turn{Ordinal: 1, Label: "Round 1"}, events.Turn{Ordinal: 2, Label: "Round 2"}
	const fell = "Germany’s income fell from 39 IPCs in Round 1 to 32: its land brings 7 less"
	const takes = "The UK takes France from Germany, worth 4 IPCs / "
	for _, c := range []struct {
		event, ordinal uint64
		want           string
	}{
		{11, 1, fell + " and the UK captured France / "},
		{11, 2, takes + fell + " and the UK captured France"},
		{13, 2, takes + fell},
	} {
		r := Record{Sides: []string{"Germany", "UK"}, Turns: []events.Turn{first, later},
			Board: bundled(t, "two-oceans"), Income: &income.Report{Turns: []income.Turn{
				{Ordinal: 1, Turn: first.Label, Power: "Germany", Income: &income.Income{Event: 10, Base: 39, Net: 39}},
				{Ordinal: 2, Turn: later.Label, Power: "Germany", Income: &income.Income{Event: 12, Base: 32, Net: 32}},
			}}}
		r.Income.Captures = []income.Capture{{Place: projections.Place{Event: c.event, Ordinal: c.ordinal},
			TerritoryCaptured: events.TerritoryCaptured{Territory: "France", By: "UK", From: "Germany"}}}
		card, got := Tell(r).Cards[0], ""
		got = English.Text(card.Title) + " / "
		if card.Cost != nil {
			got += English.Text(*card.Cost)
		}
		if got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}
