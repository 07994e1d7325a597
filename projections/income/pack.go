package income

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

func (v *View) pack(p *projections.Pack) {
	p.Uint(&v.taken)
	p.Bool(&v.settled)
	projections.List(p, &v.powers, (*projections.Pack).Text)
	projections.List(p, &v.treasuries, packTreasury)
	projections.List(p, &v.fleets, packed(func(x *fleet) events.Payload { return &x.SubmarinesReported }))
	projections.List(p, &v.attacks, packed(func(x *attack) events.Payload { return &x.EconomicAttackMade }))
	projections.List(p, &v.raids, packed(func(x *raid) events.Payload { return &x.ConvoyRaided }))
	projections.List(p, &v.disruptions, packed(func(x *disruption) events.Payload { return &x.ConvoyDisrupted }))
	projections.List(p, &v.incomes, packed(func(x *income) events.Payload { return &x.IncomeCollected }))
	projections.List(p, &v.purchases, packed(func(x *purchase) events.Payload { return &x.UnitsPurchased }))
	projections.List(p, &v.damages, packed(func(x *damage) events.Payload { return &x.FacilityDamaged }))
	projections.List(p, &v.repairs, packed(func(x *repair) events.Payload { return &x.FacilitiesRepaired }))
	projections.List(p, &v.buildings, packed(func(x *building) events.Payload { return &x.FacilityBuilt }))
	projections.List(p, &v.research, packed(func(x *research) events.Payload { return &x.ResearchPaid }))
	projections.List(p, &v.captures, packed(func(x *capture) events.Payload { return &x.TerritoryCaptured }))
	projections.List(p, &v.compensations, packed(func(x *compensation) events.Payload { return &x.Compensated }))
}

// packed describes an entry: its place, and what its event says.
func packed[T any, E entered[T]](payload func(*T) events.Payload) func(*projections.Pack, *T) {
	return func(p *projections.Pack, x *T) {
		E(x).own().pack(p)
		p.Payload(payload(x))
	}
}

func (x *entry) pack(p *projections.Pack) {
	x.Pack(p)
	p.Uint(&x.taken)
}

func (x *entry) own() *entry { return x }

// entered is an entry of the view.
type entered[T any] interface {
	*T
	own() *entry
}

func packTreasury(p *projections.Pack, v *treasury) {
	v.entry.pack(p)
	p.Text(&v.power)
	p.Small(&v.ipcs)
}
