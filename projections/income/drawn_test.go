package income_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

var powers = []string{"Germany", "UK", "Japan", "US"}

// drawn is a campaign of drawn entries beside a plain account of it: the entries that stand, in
// their places, from which everything is reckoned anew whenever it is asked for.
type drawn struct {
	*recordtest.Campaign
	t      *rapid.T
	stands []events.Payload // in the place of the first, nil for none
	names  []uint64         // index that a correction may name, by place
}

func draw(t *rapid.T) *drawn {
	d := &drawn{Campaign: recordtest.Begin(1), t: t}
	opened := &events.CampaignOpened{Sides: powers}
	for _, p := range powers {
		opened.Treasuries = append(opened.Treasuries, events.Treasury{Power: p, IPCs: d.n(0, 40)})
	}
	d.add("", opened)
	for r := range d.n(1, 4) {
		d.Turn(uint64(r+1), fmt.Sprintf("Round %d", r+1))
		for _, p := range powers {
			d.turn(p)
		}
	}
	return d
}

func (d *drawn) n(least, most int) int { return rapid.IntRange(least, most).Draw(d.t, "n") }

func (d *drawn) add(side string, p events.Payload) {
	index := d.Add(side, p)
	d.stands, d.names = append(d.stands, p), append(d.names, index)
}

// turn is the TURN of a power: it attacks, buys and collects; something may be corrected.
func (d *drawn) turn(p string) {
	before := 0
	for range d.n(0, 2) {
		damage := d.n(0, 16-before)
		x := &events.EconomicAttackMade{Kind: "sbr", Attacker: p, Victim: "UK", Territory: "United Kingdom",
			Rolled: damage + d.n(0, 4), Before: before, Limit: 16, Damage: damage}
		before += damage
		d.add(p, x)
	}
	if d.n(0, 2) > 0 {
		cost := d.n(0, int(d.hand(p, len(d.stands))))
		d.add(p, &events.UnitsPurchased{Power: p, Cost: cost, Treasury: int(d.hand(p, len(d.stands))) - cost})
	}
	d.spend(p)
	damage := 0
	for i := range d.n(0, 2) {
		x := &events.ConvoyDisrupted{Victim: p, Territory: fmt.Sprint(i), Zone: "6 Sea Zone", Potential: 9,
			Damage: d.n(0, 2), Worth: 3}
		damage += x.Damage
		d.add(p, x)
	}
	for i := range d.n(0, 3) {
		x := &events.ConvoyRaided{Victim: p, Owner: powers[d.n(0, 3)], Submarine: fmt.Sprintf("%s #%d", p, i), Reach: 2,
			Damage: d.n(0, 2)}
		damage += x.Damage
		d.add(p, x)
	}
	base := d.n(0, 40)
	bonus := d.n(0, 5)
	net := max(0, base+bonus-damage)
	d.add(p, &events.IncomeCollected{Power: p, Base: base, Board: base, Bonus: bonus, Damage: damage, Net: net,
		Treasury: int(d.hand(p, len(d.stands))) + net})
	if d.n(0, 3) == 0 {
		d.add("", &events.FactReported{Fact: "treasury", Subject: p, Number: d.n(0, 60)})
	}
	if by := d.n(-5, 5); d.n(0, 3) == 0 {
		d.add(p, &events.Compensated{What: "treasury", Of: p, By: by, Reason: "drawn"})
	}
	if d.n(0, 2) == 0 {
		d.correct(d.n(1, len(d.stands)-1))
	}
}

// spend pays for repairs, a facility and research, alone or with another, and takes a capital.
func (d *drawn) spend(p string) {
	part := func(power string) (cost, left int) {
		hand := int(d.hand(power, len(d.stands)))
		cost = d.n(0, hand)
		return cost, hand - cost
	}
	switch d.n(0, 6) {
	case 0:
		cost, left := part(p)
		d.add(p, &events.FacilitiesRepaired{Power: p, Cost: cost, Treasury: left,
			Repairs: []events.Repair{{Territory: "Malta", Facility: "air_base", Damage: 1}}})
	case 1:
		cost, left := part(p)
		d.add(p, &events.FacilityBuilt{Power: p, Territory: "Malta", Facility: "air_base", Cost: cost, Treasury: left})
	case 2:
		x := &events.ResearchPaid{Power: p}
		for _, power := range []string{p, powers[(slices.Index(powers, p)+1)%4]}[:d.n(1, 2)] {
			paid, left := part(power)
			x.Cost += paid
			x.Payments = append(x.Payments, events.Payment{Treasury: power, Paid: paid, Left: left})
		}
		d.add(p, x)
	case 3:
		from := powers[(slices.Index(powers, p)+d.n(1, 3))%4]
		d.add(p, &events.TerritoryCaptured{Territory: "Malta", By: p, From: from, Holder: p, LootFrom: from, LootTo: p,
			Loot: int(d.hand(from, len(d.stands)))})
	case 4:
		d.add(p, &events.FacilityDamaged{Territory: "Malta", Facility: "air_base", Victim: "UK", Attacker: p,
			Cause: "rockets", Rolled: 3, Limit: 6, Damage: d.n(0, 3)})
	}
}

// correct draws another figure for the entry at a place.
func (d *drawn) correct(at int) {
	var p events.Payload
	switch was := d.stands[at].(type) {
	case *events.EconomicAttackMade:
		x := *was
		x.Damage = d.n(0, 16)
		p = &x
	case *events.UnitsPurchased:
		x := *was
		x.Cost = d.n(0, was.Cost)
		x.Treasury = max(0, int(d.hand(x.Power, at))-x.Cost) // what stood before may be less by now
		p = &x
	case *events.ConvoyRaided:
		x := *was
		x.Damage = d.n(0, 2)
		p = &x
	case *events.ConvoyDisrupted:
		x := *was
		x.Damage = d.n(0, 2)
		p = &x
	case *events.FacilitiesRepaired:
		x := *was
		x.Cost = d.n(0, was.Cost)
		x.Treasury = max(0, int(d.hand(x.Power, at))-x.Cost) // what stood before may be less by now
		p = &x
	case *events.FacilityBuilt:
		x := *was
		x.Cost = d.n(0, was.Cost)
		x.Treasury = max(0, int(d.hand(x.Power, at))-x.Cost) // what stood before may be less by now
		p = &x
	case *events.ResearchPaid:
		x := *was
		x.Payments = x.Payments[:d.n(1, len(x.Payments))] // another may have had no part in it
		p = &x
	case *events.TerritoryCaptured:
		x := *was
		x.Loot = d.n(0, was.Loot)
		if other := powers[d.n(0, 3)]; other != x.LootFrom {
			x.By, x.LootTo = other, other
		}
		p = &x
	case *events.IncomeCollected:
		x := *was
		x.Base = d.n(was.Base, was.Base+10)
		x.Net = max(0, x.Base+x.Bonus-x.Damage)
		x.Treasury = int(d.hand(x.Power, at)) + x.Net
		p = &x
	case *events.Compensated:
		x := *was
		x.By = d.n(-5, 5)
		p = &x
	case *events.FactReported:
		x := *was
		x.Number = d.n(was.Number, was.Number+9)
		p = &x
	default:
		return
	}
	named := d.names[at]
	index := d.Correct(named, "", p)
	if d.n(0, 1) == 0 {
		d.names[at] = index
	}
	d.stands[at] = p
}

// hand is what a power has before the entry at a place.
func (d *drawn) hand(power string, at int) int64 {
	hand := 0
	for _, p := range d.stands[:at] {
		switch x := p.(type) {
		case *events.CampaignOpened:
			for _, t := range x.Treasuries {
				if t.Power == power {
					hand = t.IPCs
				}
			}
		case *events.FactReported:
			if x.Subject == power {
				hand = x.Number
			}
		case *events.EconomicAttackMade:
			if x.Victim == power {
				hand = max(0, hand-x.Damage)
			}
		case *events.UnitsPurchased:
			if x.Power == power {
				hand = max(0, hand-x.Cost)
			}
		case *events.IncomeCollected:
			if x.Power == power {
				hand += x.Net
			}
		default:
			hand = outlay(x, power, hand)
		}
	}
	return int64(hand)
}

// outlay is what a power has left after repairs, facilities, research and captures.
func outlay(p events.Payload, power string, hand int) int {
	switch x := p.(type) {
	case *events.Compensated:
		if x.Of == power {
			return max(0, hand+x.By)
		}
	case *events.FacilitiesRepaired:
		if x.Power == power {
			return max(0, hand-x.Cost)
		}
	case *events.FacilityBuilt:
		if x.Power == power {
			return max(0, hand-x.Cost)
		}
	case *events.ResearchPaid:
		for _, pay := range x.Payments {
			if pay.Treasury == power {
				hand = max(0, hand-pay.Paid)
			}
		}
	case *events.TerritoryCaptured:
		if x.LootFrom == power {
			return max(0, hand-x.Loot)
		}
		if x.LootTo == power {
			return hand + x.Loot
		}
	}
	return hand
}

// totals adds up what stands.
func (d *drawn) totals(power string) (total income.Total, raids, damage int64) {
	total.Power = power
	for _, p := range d.stands {
		switch x := p.(type) {
		case *events.IncomeCollected:
			if x.Power == power {
				total.Collected++
				total.Base += int64(x.Base)
				total.Net += int64(x.Net)
				total.Bonus += int64(x.Bonus)
				total.LostToRaids += int64(min(x.Base+x.Bonus, x.Damage))
			}
		case *events.EconomicAttackMade:
			if x.Victim == power {
				total.LostToAttacks += int64(x.Damage)
			}
		case *events.ConvoyRaided:
			if x.Owner == power {
				raids++
				damage += int64(x.Damage)
			}
		}
	}
	return total, raids, damage
}

// Whatever is played and corrected, the view adds up to what the plain account has; a snapshot
// anywhere and the rest of the record give the same.
func TestDrawnCampaigns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		v, err := projections.Fold(income.Projection(), d.Records(), nil)
		if err != nil {
			t.Fatal(err)
		}
		r := v.Report().(income.Report)
		if len(r.Totals) != len(powers) || len(r.Treasuries) != len(powers) {
			t.Fatalf("of %d powers there are %d totals and %d treasuries", len(powers), len(r.Totals),
				len(r.Treasuries))
		}
		for i, p := range powers {
			want, raids, damage := d.totals(p)
			if r.Totals[i] != want {
				t.Fatalf("totals %+v, want %+v", r.Totals[i], want)
			}
			if got, hand := r.Treasuries[i], d.hand(p, len(d.stands)); got.InHand != hand {
				t.Fatalf("treasury %+v, want %d", got, hand)
			}
			for _, x := range r.Raiders {
				if x.Power == p && (x.Raids != raids || x.Damage != damage) {
					t.Fatalf("raider %+v, want %d raids, %d", x, raids, damage)
				}
			}
		}
		d.checkTurns(t, r)
		d.checkSnapshot(t, v)
	})
}

// checkTurns holds that each TURN that ended shows, with its raids and all incomes of its power.
func (d *drawn) checkTurns(t *rapid.T, r income.Report) {
	raids, incomes := 0, 0
	for i, x := range r.Turns {
		if x.Income == nil || x.Power != powers[i%len(powers)] || x.Ordinal != uint64(i/len(powers)+1) {
			t.Fatalf("TURN %d: %+v", i, x)
		}
		sum := 0
		for _, raid := range x.Raids {
			if raids++; raid.Corrects == 0 {
				sum += raid.Damage
			}
		}
		for _, y := range x.Disruptions {
			if raids++; y.Corrects == 0 {
				sum += y.Damage
			}
		}
		if incomes += 1 + len(x.Corrected); len(x.Corrected) == 0 && sum != x.Income.Damage {
			t.Fatalf("TURN %d: the raids make %d of %d", i, sum, x.Income.Damage)
		}
	}
	for i := range d.Events {
		switch d.Events[i].Type {
		case "convoy_raided", "convoy_disrupted":
			raids--
		case "income_collected":
			incomes--
		}
	}
	if raids != 0 || incomes != 0 {
		t.Fatalf("%+d raids and %+d incomes beside those recorded", raids, incomes)
	}
}

func (d *drawn) checkSnapshot(t *rapid.T, whole projections.View) {
	rows := recordtest.Rows(d.Events)
	at := d.n(0, len(rows))
	v, again := income.Projection().New(), income.Projection().New()
	for _, e := range rows[:at] {
		v.Apply(e, nil)
	}
	if err := again.Load(v.Save()); err != nil {
		t.Fatal(err)
	}
	for _, e := range rows[at:] {
		again.Apply(e, nil)
	}
	if !reflect.DeepEqual(again.Report(), whole.Report()) || !bytes.Equal(again.Save(), whole.Save()) {
		t.Fatalf("a snapshot at %d and the rest give another view", at)
	}
}
