package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/strategic"
)

// A chart on a page has no style and no names from outside, leads to its events, and takes no text for
// markup.
func TestInlineCharts(t *testing.T) {
	const hostile = `</svg><script>alert(1)</script>"onload="x&`
	turns := []events.Turn{{Ordinal: 1, Label: hostile}, {Ordinal: 2, Label: "two"}}
	p := Page{Turns: turns, Strips: 1, Link: func(event uint64) string {
		return fmt.Sprintf("/e/%d?%s", event, hostile)
	}}
	s := strategic.Report{
		Warfare: []strategic.Result{
			{Event: 7, Ordinal: 1, Procedure: "awaw.sw.submarine", Subject: hostile,
				Readings: []events.Reading{{Name: hostile, Factors: 3, First: 1, Second: 2},
					{Name: "asw", First: 4, Second: 5}}},
			{Event: 9, Ordinal: 2, Procedure: "eots.sub-warfare", Subject: hostile,
				Readings: []events.Reading{{Result: "success"}}},
		},
		Postings: []strategic.Posting{{Place: projections.Place{Event: 8, Ordinal: 1}, Base: hostile, What: "placed",
			Hex: "1234"}},
		CardsDrawn: []strategic.CardsDrawn{{Place: projections.Place{Event: 11, Ordinal: 2}, Side: hostile,
			StrategyCardsDrawn: events.StrategyCardsDrawn{Draw: 6, Submarines: 1}}},
	}
	for range 9 { // a crowded turn
		s.CardsDrawn = append(s.CardsDrawn, s.CardsDrawn[0])
	}
	i := income.Report{Turns: []income.Turn{{Ordinal: 1, Power: hostile, Income: &income.Income{Event: 10, Base: 12,
		Net: 9}}}}
	for name, x := range map[string]struct {
		svg   string
		leads []uint64
	}{
		"warfare": {p.Warfare(&s), []uint64{7}}, "bases": {p.Bases(&s), []uint64{8, 9}},
		"cards":  {p.Cards(&s), []uint64{11}},
		"income": {p.Income(&i), []uint64{10}},
		"luck":   {p.Luck(Luck{Dice: []Dice{{Side: hostile, Low: 1, High: 6, Dice: 20, Sum: 70}}}), nil},
	} {
		wellFormed(t, strings.ReplaceAll(x.svg, `<a href=`, `<a title=`)) // a file leads nowhere, a page does
		for _, not := range []string{"<style", "<script", "style=", "xmlns", "onload=\"x"} {
			if strings.Contains(x.svg, not) {
				t.Errorf("%s has %s", name, not)
			}
		}
		for _, event := range x.leads {
			if !strings.Contains(x.svg, fmt.Sprintf(`<a href="/e/%d?`, event)) {
				t.Errorf("%s does not lead to #%d", name, event)
			}
		}
		if !strings.Contains(x.svg, "<title id=") || !strings.Contains(x.svg, "<desc id=") {
			t.Errorf("%s is not described", name)
		}
	}
	if cards := p.Cards(&s); strings.Count(cards, "<a ") != crowded || !strings.Contains(cards, "the last 4 bars") {
		t.Errorf("a crowded turn: %s", cards)
	}
	if w := p.Warfare(&s); !strings.Contains(w, "Of 3 strips 1 are drawn") &&
		!strings.Contains(w, "Of 2 strips 1 are drawn") {
		t.Errorf("strips left out: %s", w)
	}
}
