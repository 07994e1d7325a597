package situation

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// facility enters events of facilities: damage, repairs, upgrades, and what the umpire reports.
func (b *board) facility(x *entry, p events.Payload) {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		b.Facilities = slices.DeleteFunc(b.Facilities, func(f Facility) bool { return f.Territory == p.Territory })
		for _, f := range p.Facilities {
			b.damaged(x, p.Territory, f.Kind, int64(f.Damage))
		}
	case *events.FacilityDamaged:
		b.damaged(x, p.Territory, p.Facility, int64(p.Before)+int64(p.Damage)).Limit = p.Limit
		b.bomb(x, p.Territory, p.Victim, Attack{x.event, p.Cause, p.Attacker, p.Facility, p.From, p.Damage, x.corrects})
	case *events.FacilitiesRepaired:
		for _, r := range p.Repairs {
			b.damaged(x, r.Territory, r.Facility, int64(r.Left))
		}
	case *events.FacilityBuilt: // an upgrade repairs nothing
		for i := range b.Facilities {
			if f := &b.Facilities[i]; f.Territory == p.Territory && f.Facility == p.Was {
				f.Facility, f.Limit = p.Facility, 0
			}
		}
	}
}

// damaged says what damage a facility has.
func (b *board) damaged(x *entry, territory, kind string, damage int64) *Facility {
	f := projections.FindOrAdd(&b.Facilities, Facility{Territory: territory, Facility: kind}, func(f Facility) bool {
		return f.Territory == territory && f.Facility == kind
	})
	f.Place, f.Damage = x.place(), damage
	return f
}

// mostMinor is the most damage that a minor complex has, in Global 1940, where complexes are reduced.
const mostMinor = 6

// convert gives the complex of a captured territory its new kind. A minor one keeps no more damage than it can have.
func (b *board) convert(x *entry, p *events.TerritoryCaptured) {
	for i := range b.Facilities {
		if f := &b.Facilities[i]; p.Was != p.Complex && f.Territory == p.Territory && f.Facility == p.Was {
			f.Place, f.Facility, f.Limit = x.place(), p.Complex, 0
			if p.Complex == "minor_ic" {
				f.Damage = min(f.Damage, mostMinor)
			}
		}
	}
}
