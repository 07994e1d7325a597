package strategic_test

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

// A correction makes a success of a failure of long ago: on an exact edition it counts in its turn (EOTS-11.23-3), and
// what was stated later is moved by it until it is stated anew. Records of editions before keep what they showed.
func TestEarlierSuccess(t *testing.T) {
	for reading, want := range map[string]struct{ asps, swm, marker, given int64 }{
		"strict": {6, 0, 0, 1}, "exact": {5, 1, 1, 2},
	} {
		c := recordtest.Begin(1)
		c.Add("", &events.CampaignOpened{Options: []events.Option{{Name: "consequences", Value: reading}}})
		c.Turn(2, "Turn 2, 1942")
		c.Add("", &events.FactReported{Fact: "asps", Number: 6})
		failed := c.Add("Allies", die("Wilkes", 2, 0, 0, "no success"))
		c.Turn(3, "Turn 3, 1942")
		c.Add("Allies", die("Wilkes", 2, 3, 0, "success"))
		later := c.Add("Allies", &events.SuccessSpent{Base: "Wilkes", On: "asp", Shipping: 5, Modifier: 2})
		c.Add("", &events.Voided{Events: []uint64{failed}})
		c.Replace(failed, "Allies", die("Wilkes", 2, 3, 0, "success"))
		c.Replace(failed, "Allies", &events.SuccessSpent{Base: "Wilkes", On: "swm", Shipping: 6, Modifier: 1})
		kept := report(t, c) // what follows is as it was recorded
		if n := figure(t, kept, "Japanese ASPs"); n != map[string]int64{"strict": 6, "exact": 5}[reading] {
			t.Errorf("%s: %d ASPs while the later success stands as it was", reading, n)
		}
		if n := figure(t, kept, "SWM"); n != 1 {
			t.Errorf("%s: the SWM is %d while the later success stands as it was", reading, n)
		}
		c.Correct(later, "Allies", &events.SuccessSpent{Base: "Wilkes", On: "asp", Shipping: 5, Modifier: 1})
		r := report(t, c)
		if asps, swm := figure(t, r, "Japanese ASPs"), figure(t, r, "SWM"); asps != want.asps || swm != want.swm {
			t.Errorf("%s: %d ASPs and SWM %d, want %+v", reading, asps, swm, want)
		}
		c.Add("", &events.FactReported{Fact: "swm marker", Number: int(want.swm)})
		if n := figure(t, report(t, c), "SWM"); n != want.marker {
			t.Errorf("%s: the SWM is %d with its marker, want %d", reading, n, want.marker)
		}
		c.Add("Allies", &events.Compensated{What: events.CompensatedFigure, Of: "Allies", Subject: "SWM", By: 1})
		if n := figure(t, report(t, c), "SWM"); n != want.given {
			t.Errorf("%s: the SWM is %d with what was given, want %d", reading, n, want.given)
		}
	}
}

// What a success moved is not known once its report is void (EOTS-11.23-3), until it is reported anew.
func TestVoidReport(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Options: []events.Option{{Name: "consequences", Value: "exact"}}})
	c.Turn(2, "Turn 2, 1942")
	reported := c.Add("", &events.FactReported{Fact: "asps", Number: 3})
	c.Add("Allies", die("Wilkes", 2, 3, 0, "success"))
	c.Add("Allies", &events.SuccessSpent{Base: "Wilkes", On: "asp", Shipping: 2, Modifier: 2})
	if n := figure(t, report(t, c), "Japanese ASPs"); n != 2 {
		t.Errorf("%d ASPs are left of 3", n)
	}
	c.Add("", &events.Voided{Events: []uint64{reported}})
	for _, f := range report(t, c).Figures {
		if f.Name == "Japanese ASPs" {
			t.Errorf("%d ASPs are left of what no report states", f.Value)
		}
	}
	c.Add("", &events.FactReported{Fact: "asps", Number: 4})
	c.Add("Allies", &events.SuccessSpent{Base: "Wilkes", On: "asp", Shipping: 3, Modifier: 2})
	if n := figure(t, report(t, c), "Japanese ASPs"); n != 3 {
		t.Errorf("%d ASPs are left of 4", n)
	}
}

// A success of long ago was corrected into a failure, another came, and the correction was taken back: the one after it
// was recorded without the first, and both count (EOTS-11.22.B-4). Taken back once more, one does.
func TestTakenBack(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Options: []events.Option{{Name: "consequences", Value: "exact"}}})
	c.Turn(2, "Turn 2, 1942")
	c.Add("", &events.FactReported{Fact: "asps", Number: 6})
	first := c.Add("Allies", die("Wilkes", 2, 3, 0, "success"))
	spent := c.Add("Allies", &events.SuccessSpent{Base: "Wilkes", On: "swm", Shipping: 6, Modifier: 1})
	swm := func(want int64) {
		t.Helper()
		if n := figure(t, report(t, c), "SWM"); n != want {
			t.Errorf("the SWM is %d, want %d", n, want)
		}
	}
	swm(1)
	failed := c.Add("", &events.Voided{Events: []uint64{first, spent}})
	instead := c.Replace(first, "Allies", die("Wilkes", 2, 0, 0, "no success"))
	swm(2)
	c.Turn(3, "Turn 3, 1942")
	c.Add("Allies", die("Wilkes", 2, 3, 0, "success"))
	c.Add("Allies", &events.SuccessSpent{Base: "Wilkes", On: "swm", Shipping: 6, Modifier: 1})
	swm(1)
	undone := c.Add("", &events.Voided{Events: []uint64{failed, instead}})
	swm(0)
	c.Add("", &events.Voided{Events: []uint64{undone}})
	swm(1)
}
