package income_test

import (
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

func collect(power string, net, inHand int) *events.IncomeCollected {
	return &events.IncomeCollected{Power: power, Base: net, Board: net, Net: net, Treasury: inHand}
}

// A treasury pays for bombing as far as it has anything, and no further.
func TestNeverBelowNothing(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Treasuries: []events.Treasury{{Power: "UK", IPCs: 7}}})
	c.Turn(1, "Round 1")
	c.Add("Germany", attack("sbr", 5, 0, 5))
	c.Add("Germany", attack("rockets", 6, 5, 6))
	c.Add("UK", collect("UK", 30, 30))
	r := report(t, c)
	want := income.Treasury{
		Power: "UK", Opening: 7, Income: 30, Paid: 7, InHand: 30,
		Movements: []income.Movement{
			{Event: 0, What: "opening", Change: 7, InHand: 7}, {Event: 2, What: "sbr", Change: -5, InHand: 2},
			{Event: 3, What: "rockets", Change: -2}, {Event: 4, What: "income", Change: 30, InHand: 30},
		},
	}
	if got := r.Treasuries[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if r.Totals[0].LostToAttacks != 11 {
		t.Errorf("the damage is what it is: %+v", r.Totals[0])
	}
}

// What an event states to be in hand is the authority; the difference shows.
func TestStatedFigure(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Treasuries: []events.Treasury{{Power: "UK", IPCs: 7}}})
	c.Add("UK", collect("UK", 30, 40))
	c.Add("UK", &events.UnitsPurchased{Power: "UK", Cost: 10, Treasury: 30})
	x := report(t, c).Treasuries[0]
	if x.InHand != 30 || x.Adjusted != 3 || x.Movements[1].Adjusted != 3 || x.Movements[2].Adjusted != 0 {
		t.Errorf("%+v", x)
	}
	tables := fold(t, c).Tables()
	if got, want := tables[len(tables)-1].Note.String(), "#1: UK has 40 after it, where 37 would follow."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A debt is shown where an event states it, and nowhere else: it cannot pay for bombing.
func TestStatedDebt(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Treasuries: []events.Treasury{{Power: "UK"}}})
	c.Add("UK", collect("UK", -3, -3))
	c.Add("Germany", attack("sbr", 5, 0, 5))
	if x := report(t, c).Treasuries[0]; x.InHand != -3 || x.Paid != 0 || x.Adjusted != 0 {
		t.Errorf("%+v", x)
	}
}

// Where nothing was said before, the first figure tells what a treasury began with: that of an
// event, or the umpire's report.
func TestFirstFigure(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Sides: []string{"UK", "Japan"}})
	c.Add("Japan", &events.UnitsPurchased{Power: "Japan", Cost: 12, Treasury: 18})
	stated := c.Add("", &events.FactReported{Fact: "treasury", Subject: "UK", Number: 12})
	c.Add("", &events.FactReported{Fact: "complexes", Subject: "UK", Number: 3})
	c.Add("", &events.FactReported{Fact: "treasury", Subject: "UK", Secret: true}, "treasury", "99")
	r := report(t, c)
	if uk := r.Treasuries[0]; uk.Power != "UK" || uk.Opening != 12 || uk.InHand != 12 || uk.Adjusted != 0 ||
		len(uk.Movements) != 1 {
		t.Errorf("UK: %+v", uk)
	}
	if japan := r.Treasuries[1]; japan.Opening != 30 || japan.InHand != 18 || japan.Adjusted != 0 {
		t.Errorf("Japan: %+v", japan)
	}
	c.Correct(stated, "", &events.FactReported{Fact: "treasury", Subject: "UK", Number: 14})
	if uk := report(t, c).Treasuries[0]; uk.Opening != 14 || uk.InHand != 14 || uk.Adjusted != 0 {
		t.Errorf("UK, corrected: %+v", uk)
	}
}

// A correction can take more than is left: then nothing is in hand, and the difference shows.
func TestCorrectionBelowNothing(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Treasuries: []events.Treasury{{Power: "UK"}}})
	earned := c.Add("UK", collect("UK", 30, 30))
	c.Add("UK", &events.UnitsPurchased{Power: "UK", Cost: 28, Treasury: 2})
	c.Correct(earned, "UK", collect("UK", 25, 25))
	if x := report(t, c).Treasuries[0]; x.InHand != 0 || x.Adjusted != 3 {
		t.Errorf("%+v", x)
	}
}
