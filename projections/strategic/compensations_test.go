package strategic_test

import (
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/strategic"
)

func made(what, of, subject string, by int) *events.Compensated {
	return &events.Compensated{What: what, Of: of, Subject: subject, By: by, Reason: "a slip"}
}

func reported(t *testing.T, c *recordtest.Campaign) strategic.Report {
	t.Helper()
	v, err := projections.Fold(strategic.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return v.Report().(strategic.Report)
}

// Factors are made good by box and kind; the corrected amount counts, what was rolled stays.
func TestFactorsMadeGood(t *testing.T) {
	c := recordtest.War(1, 4)
	before := reported(t, c)
	first := c.Add("", made("factors", "Atlantic", "submarines", 1))
	c.Add("", made("factors", "Atlantic", "submarines", 2))
	c.Add("", made("factors", "Pacific", "asw", -1))
	right := c.Correct(first, "", made("factors", "Atlantic", "submarines", 3))
	c.Add("", made("card", "Britain", "asw", 1))
	r := reported(t, c)
	if want := []strategic.MadeGood{{Of: "Atlantic", Subject: "submarines", By: 5}, {Of: "Pacific", Subject: "asw",
		By: -1}}; !reflect.DeepEqual(r.MadeGood, want) {
		t.Errorf("%+v, want %+v", r.MadeGood, want)
	}
	if len(r.Compensations) != 4 || r.Compensations[0].CorrectedBy != right {
		t.Errorf("%+v", r.Compensations)
	}
	if !reflect.DeepEqual(r.Totals, before.Totals) {
		t.Errorf("totals: %+v, before %+v", r.Totals, before.Totals)
	}
}

func valueOf(r strategic.Report, name string) int64 {
	for _, f := range r.Figures {
		if f.Name == name {
			return f.Value
		}
	}
	return -99
}

// A figure moves by what is made good, also once the amount is corrected; what the umpire reports
// later stands.
func TestFigureMadeGood(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Turn 2, 1942")
	c.Add("", &events.FactReported{Fact: "asps", Number: 9})
	first := c.Add("Japan", made("figure", "Japan", "Japanese ASPs", -1))
	c.Add("Allies", made("figure", "Allies", "SWM", -1)) // nothing was told of it
	if r := reported(t, c); valueOf(r, "Japanese ASPs") != 8 || valueOf(r, "SWM") != -99 || r.MadeGood != nil {
		t.Errorf("%+v, %+v", r.Figures, r.MadeGood)
	}
	c.Add("Allies", &events.SuccessSpent{Base: "Fremantle", On: "asp", Shipping: 7, Modifier: 2})
	c.Correct(first, "Japan", made("figure", "Japan", "Japanese ASPs", -2))
	if r := reported(t, c); valueOf(r, "Japanese ASPs") != 6 {
		t.Errorf("corrected: %+v", r.Figures)
	}
	c.Add("", &events.FactReported{Fact: "asps", Number: 5})
	c.Correct(first, "Japan", made("figure", "Japan", "Japanese ASPs", 0))
	c.Add("Japan", made("figure", "Japan", "strategy cards", 2))
	if r := reported(t, c); valueOf(r, "Japanese ASPs") != 5 || len(r.MadeGood) != 1 || r.MadeGood[0].By != 2 {
		t.Errorf("reported: %+v, %+v", r.Figures, r.MadeGood)
	}
}

// A compensation and its inverse leave every figure as it was, with both visible.
func TestCompensationAndInverse(t *testing.T) {
	c := recordtest.War(1, 4)
	c.Add("", &events.FactReported{Fact: "asps", Number: 9})
	before := reported(t, c)
	for _, by := range []int{2, -2} {
		c.Add("", made("factors", "Atlantic", "submarines", by))
		c.Add("", made("figure", "Japan", "Japanese ASPs", by))
	}
	after := reported(t, c)
	if len(after.Compensations) != 4 {
		t.Errorf("%+v", after.Compensations)
	}
	after.Compensations, after.MadeGood = nil, nil
	after.Figures[0].Event, after.Figures[0].Turn = before.Figures[0].Event, before.Figures[0].Turn
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before %+v\nafter  %+v", before, after)
	}
}
