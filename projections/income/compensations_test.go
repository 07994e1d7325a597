package income_test

import (
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

func given(power string, ipcs int, reason string) *events.Compensated {
	return &events.Compensated{What: events.CompensatedTreasury, Of: power, By: ipcs, Reason: reason}
}

// What is given is a line in the books, with its reason; another treasury has none of it.
func TestCompensation(t *testing.T) {
	c := play()
	before := treasury(t, report(t, c.Campaign), "UK")
	p := given("UK", 2, "a raid was overlooked")
	p.Dispute = 7
	index := c.Add("UK", p)
	r := report(t, c.Campaign)
	uk := treasury(t, r, "UK")
	if uk.InHand != before.InHand+2 || uk.Given != 2 || uk.Adjusted != before.Adjusted {
		t.Errorf("%+v, before %+v", uk, before)
	}
	want := income.Movement{Event: index, What: "compensation", Change: 2, InHand: uk.InHand,
		Reason: "a raid was overlooked"}
	if got := uk.Movements[len(uk.Movements)-1]; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if len(r.Compensations) != 1 || r.Compensations[0].IPCs != 2 || r.Compensations[0].Dispute != 7 ||
		r.Compensations[0].Turn != "Round 2" {
		t.Errorf("%+v", r.Compensations)
	}
	if us := treasury(t, r, "US"); us.Given != 0 {
		t.Errorf("the US: %+v", us)
	}
}

// A compensation and its inverse leave every figure as it was, with both visible.
func TestCompensationAndInverse(t *testing.T) {
	c := play()
	before := report(t, c.Campaign)
	c.Add("UK", given("UK", 5, "a slip"))
	c.Add("UK", given("UK", -5, "it was none"))
	after := report(t, c.Campaign)
	if len(after.Compensations) != 2 {
		t.Errorf("%+v", after.Compensations)
	}
	after.Compensations = nil
	for i := range after.Treasuries {
		moves := after.Treasuries[i].Movements
		after.Treasuries[i].Movements = moves[:len(before.Treasuries[i].Movements)]
		if x := after.Treasuries[i]; x.Power == "UK" && len(moves) != len(x.Movements)+2 {
			t.Errorf("%d movements of the UK", len(moves))
		}
	}
	if !reflect.DeepEqual(before, after) {
		t.Errorf("before %+v\nafter  %+v", before, after)
	}
}

// A corrected amount counts where the first stood; the treasury never has less than nothing.
func TestCorrectedCompensation(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Sides: []string{"UK"}, Treasuries: []events.Treasury{{Power: "UK", IPCs: 3}}})
	c.Turn(1, "Round 1")
	first := c.Add("UK", given("UK", 4, "a slip"))
	c.Add("UK", given("UK", -6, "another"))
	right := c.Correct(first, "UK", given("UK", 1, "a slip"))
	r := report(t, c)
	if uk := treasury(t, r, "UK"); uk.InHand != 0 || uk.Given != -5 || uk.Adjusted != 2 ||
		uk.Movements[1].Event != right || uk.Movements[1].Corrected[0] != (income.Former{Event: first, IPCs: 4}) {
		t.Errorf("%+v", uk)
	}
	if r.Compensations[0].CorrectedBy != right || r.Compensations[2].Corrects != first {
		t.Errorf("%+v", r.Compensations)
	}
}

// What is compensated elsewhere than in a treasury is no matter of money.
func TestOtherCompensations(t *testing.T) {
	c := play()
	before := report(t, c.Campaign)
	c.Add("Japan", &events.Compensated{What: events.CompensatedCard, Of: "Japan", By: 1, Played: 3, Reason: "a slip"})
	if after := report(t, c.Campaign); !reflect.DeepEqual(before, after) {
		t.Errorf("before %+v\nafter  %+v", before, after)
	}
}
