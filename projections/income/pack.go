package income

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

func (v *View) pack(p *projections.Pack) {
	projections.List(p, &v.powers, (*projections.Pack).Text)
	projections.List(p, &v.treasuries, packTreasury)
	projections.List(p, &v.fleets, packFleet)
	projections.List(p, &v.attacks, packAttack)
	projections.List(p, &v.raids, packRaid)
	projections.List(p, &v.disruptions, packDisruption)
	projections.List(p, &v.incomes, packIncome)
	projections.List(p, &v.purchases, packPurchase)
	v.packFacilities(p)
}

func packPlace(p *projections.Pack, v *place) {
	p.Uint(&v.event)
	p.Uint(&v.first)
	p.Uint(&v.ordinal)
	p.Text(&v.turn)
	p.Uint(&v.corrects)
	p.Uint(&v.corrected)
}

func packTreasury(p *projections.Pack, v *treasury) {
	packPlace(p, &v.place)
	p.Text(&v.power)
	p.Small(&v.ipcs)
}

func packFleet(p *projections.Pack, v *fleet) {
	packPlace(p, &v.place)
	p.Text(&v.Power)
	projections.List(p, &v.Submarines, packSubmarine)
}

func packSubmarine(p *projections.Pack, v *events.Submarine) {
	p.Text(&v.Name)
	p.Text(&v.Zone)
}

func packAttack(p *projections.Pack, v *attack) {
	packPlace(p, &v.place)
	p.Text(&v.Kind)
	p.Text(&v.Attacker)
	p.Text(&v.Victim)
	p.Text(&v.Territory)
	p.Small(&v.Rolled)
	p.Small(&v.Before)
	p.Small(&v.Limit)
	p.Small(&v.Damage)
}

func packRaid(p *projections.Pack, v *raid) {
	packPlace(p, &v.place)
	p.Text(&v.Victim)
	p.Text(&v.Territory)
	p.Text(&v.Submarine)
	p.Text(&v.Owner)
	p.Text(&v.Zone)
	p.Small(&v.Distance)
	p.Small(&v.Reach)
	p.Small(&v.Damage)
	p.Text(&v.Cap)
	p.Small(&v.Limit)
	p.Bool(&v.Declared)
}

func packDisruption(p *projections.Pack, v *disruption) {
	packPlace(p, &v.place)
	p.Text(&v.Victim)
	p.Text(&v.Territory)
	p.Text(&v.Zone)
	projections.List(p, &v.Raiders, packRaider)
	p.Small(&v.Potential)
	p.Small(&v.Damage)
	p.Small(&v.Worth)
}

func packRaider(p *projections.Pack, v *events.Raid) {
	p.Text(&v.Power)
	p.Text(&v.Unit)
	p.Small(&v.Count)
	p.Small(&v.Each)
}

func packIncome(p *projections.Pack, v *income) {
	packPlace(p, &v.place)
	p.Text(&v.Power)
	p.Small(&v.Base)
	p.Small(&v.Board)
	p.Bool(&v.Typed)
	p.Small(&v.Damage)
	p.Small(&v.Net)
	p.Small(&v.IncomeCollected.Treasury)
	p.Small(&v.Bonus)
}

func packPurchase(p *projections.Pack, v *purchase) {
	packPlace(p, &v.place)
	p.Text(&v.Power)
	p.Small(&v.Cost)
	projections.List(p, &v.Units, packUnit)
	p.Small(&v.UnitsPurchased.Treasury)
}

func packUnit(p *projections.Pack, v *events.Unit) {
	p.Text(&v.Name)
	p.Small(&v.Count)
}
