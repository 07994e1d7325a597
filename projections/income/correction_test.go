package income_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

// later adds another ROUND, in which the UK buys and collects again.
func (r *round) later() {
	r.Turn(3, "Round 3")
	r.Add("UK", &events.UnitsPurchased{Power: "UK", Cost: 8, Treasury: 20})
	r.Add("UK", &events.IncomeCollected{Power: "UK", Base: 28, Board: 28, Net: 28, Treasury: 48})
}

func treasury(t *testing.T, r income.Report, power string) income.Treasury {
	t.Helper()
	for _, x := range r.Treasuries {
		if x.Power == power {
			return x
		}
	}
	t.Fatalf("%s has no treasury: %+v", power, r.Treasuries)
	return income.Treasury{}
}

// A raid and its income, corrected a ROUND later: both show in the TURN that they belong to, the
// originals beside them and not counted, and the treasury is what it would have been.
func TestCorrectedRaid(t *testing.T) {
	c := play()
	c.later()
	c.Add("", &events.Corrected{Event: c.ukRaids[2], Reason: "the submarine lay in SZ 6"})
	raid := c.Correct(c.ukRaids[2], "UK", &events.ConvoyRaided{
		Victim: "UK", Territory: "United Kingdom", Submarine: "6 Sea Zone #1", Owner: "Germany", Zone: "6 Sea Zone",
		Distance: 2, Reach: 1, Damage: 1,
	})
	collected := c.Correct(c.uk, "UK", &events.IncomeCollected{Power: "UK", Base: 30, Board: 28, Typed: true, Damage: 4,
		Net: 26, Treasury: 29})
	r := report(t, c.Campaign)
	if len(r.Turns) != 4 {
		t.Fatalf("%d turns: %+v", len(r.Turns), r.Turns)
	}
	uk := r.Turns[0]
	if uk.Turn != "Round 2" || uk.Power != "UK" || uk.Income.Event != collected || uk.Income.Net != 26 ||
		uk.Income.Corrects != c.uk {
		t.Errorf("the TURN: %+v, %+v", uk, uk.Income)
	}
	if len(uk.Corrected) != 1 || uk.Corrected[0].Event != c.uk || uk.Corrected[0].Net != 25 ||
		uk.Corrected[0].CorrectedBy != collected {
		t.Errorf("what stood before: %+v", uk.Corrected)
	}
	if len(uk.Raids) != 4 || uk.Raids[2].CorrectedBy != raid || uk.Raids[3].Event != raid ||
		uk.Raids[3].Corrects != c.ukRaids[2] {
		t.Errorf("raids: %+v", uk.Raids)
	}
	if x := r.Raiders[0]; x.Raids != 4 || x.Damage != 5 {
		t.Errorf("raiders: %+v", x)
	}
	want := income.Total{Power: "UK", Collected: 2, Base: 58, LostToRaids: 4, Net: 54, LostToAttacks: 16}
	if got := r.Totals[1]; got != want {
		t.Errorf("totals: %+v, want %+v", got, want)
	}
	if x := treasury(t, r, "UK"); x.InHand != 49 || x.Adjusted != 0 || x.Income != 54 {
		t.Errorf("treasury: %+v", x)
	}
}

// A second correction counts alone, whether it names the first entry or the first correction.
func TestCorrectedAgain(t *testing.T) {
	for _, names := range []string{"the income", "the correction"} {
		c := play()
		first := c.Correct(c.us, "US", &events.IncomeCollected{Power: "US", Base: 40, Board: 42, Typed: true, Damage: 1,
			Net: 39, Treasury: 81})
		of := c.us
		if names == "the correction" {
			of = first
		}
		second := c.Correct(of, "US", &events.IncomeCollected{Power: "US", Base: 41, Board: 42, Typed: true, Damage: 1,
			Net: 40, Treasury: 82})
		r := report(t, c.Campaign)
		us := r.Turns[1]
		if us.Income.Event != second || us.Income.CorrectedBy != 0 || len(us.Corrected) != 2 ||
			us.Corrected[0].CorrectedBy != first || us.Corrected[1].CorrectedBy != second {
			t.Errorf("naming %s: %+v, before it %+v", names, us.Income, us.Corrected)
		}
		x := treasury(t, r, "US")
		if x.InHand != 82 || x.Adjusted != 0 {
			t.Errorf("naming %s: %+v", names, x)
		}
		if got, want := x.Movements[1].Corrected, []income.Former{{Event: c.us, IPCs: 41},
			{Event: first, IPCs: 39}}; !reflect.DeepEqual(got, want) {
			t.Errorf("naming %s: %+v, want %+v", names, got, want)
		}
	}
}

// A raid that was overlooked comes with the correction of the income, and belongs to its TURN.
func TestRaidAddedByCorrection(t *testing.T) {
	c := play()
	c.later()
	raid := c.Correct(c.us, "US", &events.ConvoyRaided{Victim: "US", Owner: "Japan", Submarine: "I-19", Damage: 2,
		Reach: 2, Distance: 1})
	c.Correct(c.us, "US", &events.IncomeCollected{Power: "US", Base: 42, Board: 42, Damage: 3, Net: 39, Treasury: 81})
	r := report(t, c.Campaign)
	us := r.Turns[1]
	if us.Power != "US" || us.Income.Damage != 3 || len(us.Raids) != 2 || us.Raids[1].Event != raid {
		t.Errorf("the TURN: %+v, %+v", us, us.Income)
	}
	if len(r.Raiders) != 2 || r.Raiders[1].Power != "Japan" || r.Raiders[1].Raids != 1 {
		t.Errorf("raiders: %+v", r.Raiders)
	}
}

// A corrected attack or purchase belongs to the turn of the first, and what follows from it to the
// treasury follows.
func TestCorrectedAttackAndPurchase(t *testing.T) {
	c := play()
	c.later()
	sbr := c.Correct(c.sbr, "Germany", attack("sbr", 4, 0, 4))
	bought := c.Correct(c.purchase, "UK", &events.UnitsPurchased{Power: "UK", Cost: 9, Treasury: 12})
	r := report(t, c.Campaign)
	if len(r.Attacks) != 1 {
		t.Fatalf("attacks: %+v", r.Attacks)
	}
	x := r.Attacks[0]
	if x.Turn != "Round 2" || x.Damage != 9 || x.Limit != 16 || len(x.Attacks) != 3 || x.Attacks[0].CorrectedBy != sbr {
		t.Errorf("attacks: %+v", x)
	}
	p := r.Purchases[len(r.Purchases)-1]
	if p.Event != bought || p.Turn != "Round 2" || p.Corrects != c.purchase || r.Purchases[0].CorrectedBy != bought {
		t.Errorf("purchases: %+v", r.Purchases)
	}
	uk := treasury(t, r, "UK")
	if uk.Paid != 9 || uk.Purchases != 17 || uk.InHand != 30-9-17+25+28 || uk.Adjusted != 0 {
		t.Errorf("treasury: %+v", uk)
	}
}

// A report of the umpire can be corrected too. What he says later stands whatever is corrected
// before it.
func TestCorrectedTreasury(t *testing.T) {
	c := play()
	stated := c.Add("", &events.FactReported{Fact: "treasury", Subject: "UK", Number: 20})
	right := c.Correct(stated, "", &events.FactReported{Fact: "treasury", Subject: "UK", Number: 22})
	uk := treasury(t, report(t, c.Campaign), "UK")
	if uk.InHand != 22 || uk.Adjusted != -6 || uk.Movements[len(uk.Movements)-1].Event != right {
		t.Errorf("corrected: %+v", uk)
	}
	c.Correct(c.uk, "UK", &events.IncomeCollected{Power: "UK", Base: 20, Board: 28, Typed: true, Damage: 5, Net: 15,
		Treasury: 18})
	uk = treasury(t, report(t, c.Campaign), "UK")
	if uk.InHand != 22 || uk.Adjusted != 4 {
		t.Errorf("an earlier income corrected: %+v", uk)
	}
	tables := fold(t, c.Campaign).Tables()
	const want = "#14: the umpire reports that UK has 22, in place of 20 at #13."
	if got := tables[len(tables)-1].Note.String(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Submarines lie where they were reported last: a correction of an older report moves none.
func TestCorrectedSubmarines(t *testing.T) {
	at := func(zone string) *events.SubmarinesReported {
		return &events.SubmarinesReported{Power: "Japan", Submarines: []events.Submarine{{Name: "I-19", Zone: zone}}}
	}
	c := recordtest.Begin(1)
	c.Turn(1, "Round 1")
	old := c.Add("Japan", at("60 Sea Zone"))
	last := c.Add("Japan", at("56 Sea Zone"))
	c.Correct(old, "Japan", at("61 Sea Zone"))
	if x := report(t, c).Raiders[0]; x.Reported != last || x.Submarines[0].Zone != "56 Sea Zone" {
		t.Errorf("an older report corrected: %+v", x)
	}
	first := c.Correct(last, "Japan", at("55 Sea Zone"))
	second := c.Correct(first, "Japan", at("54 Sea Zone"))
	if x := report(t, c).Raiders[0]; x.Reported != second || x.Submarines[0].Zone != "54 Sea Zone" {
		t.Errorf("the correction corrected: %+v", x)
	}
	again := c.Correct(last, "Japan", at("53 Sea Zone"))
	if x := report(t, c).Raiders[0]; x.Reported != again || x.Submarines[0].Zone != "53 Sea Zone" {
		t.Errorf("the last report corrected: %+v", x)
	}
}

// A voided income keeps its row in its TURN, with the raids that led to it: marked, and in no sum. What is collected
// instead is in the same TURN. Where the void is voided the income counts again.
func TestVoidedIncome(t *testing.T) {
	c := play()
	c.later()
	before := report(t, c.Campaign)
	gone := append([]uint64{c.uk}, c.ukRaids...)
	slices.Sort(gone)
	void := c.Add("", &events.Voided{Events: gone, Reason: "another turn's boats"})
	r := report(t, c.Campaign)
	uk := r.Turns[slices.IndexFunc(r.Turns, func(x income.Turn) bool { return x.Turn == "Round 2" && x.Power == "UK" })]
	if uk.Income != nil || len(uk.Corrected) != 1 || uk.Corrected[0].Event != c.uk ||
		uk.Corrected[0].VoidedBy != void || uk.Corrected[0].Net != 25 {
		t.Errorf("the income: %+v, %+v", uk.Income, uk.Corrected)
	}
	if len(uk.Raids) != len(c.ukRaids) || uk.Raids[0].VoidedBy != void || uk.Raids[0].Counts() {
		t.Errorf("raids: %+v", uk.Raids)
	}
	if want := (income.Total{Power: "UK", Collected: 1, Base: 28, Net: 28,
		LostToAttacks: 16}); !slices.Contains(r.Totals, want) {
		t.Errorf("totals: %+v, want %+v", r.Totals, want)
	}
	if slices.ContainsFunc(treasury(t, r, "UK").Movements, func(m income.Movement) bool { return m.Event == c.uk }) {
		t.Error("the treasury has moved by it")
	}
	again := c.Replace(c.uk, "UK", &events.IncomeCollected{Power: "UK", Base: 30, Board: 28, Typed: true, Net: 30,
		Treasury: 33})
	r = report(t, c.Campaign)
	uk = r.Turns[slices.IndexFunc(r.Turns, func(x income.Turn) bool { return x.Turn == "Round 2" && x.Power == "UK" })]
	if uk.Income == nil || uk.Income.Event != again || len(uk.Corrected) != 1 || uk.Corrected[0].VoidedBy != void {
		t.Errorf("collected instead: %+v, %+v", uk.Income, uk.Corrected)
	}
	c.Add("", &events.Voided{Events: []uint64{void, again}})
	if now := report(t, c.Campaign); !reflect.DeepEqual(now.Totals, before.Totals) ||
		treasury(t, now, "UK").InHand != treasury(t, before, "UK").InHand {
		t.Errorf("what was voided counts again: %+v, and was %+v", now.Totals, before.Totals)
	}
}
