package income

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// FacilityDamage is damage by bombers or rockets to one facility. It takes nothing from a treasury
// until it is repaired.
type FacilityDamage struct {
	projections.Place
	events.FacilityDamaged
}

// Repaired is what was repaired at one time.
type Repaired struct {
	projections.Place
	events.FacilitiesRepaired
}

// Built is a facility that was built or upgraded.
type Built struct {
	projections.Place
	events.FacilityBuilt
}

// Research is what was paid for research.
type Research struct {
	projections.Place
	events.ResearchPaid
}

// Capture is the fall of a territory, with the complex in it and a capital's money.
type Capture struct {
	projections.Place
	events.TerritoryCaptured
}

// The entries of the fold.
type (
	damage struct {
		entry
		events.FacilityDamaged
	}
	repair struct {
		entry
		events.FacilitiesRepaired
	}
	building struct {
		entry
		events.FacilityBuilt
	}
	research struct {
		entry
		events.ResearchPaid
	}
	capture struct {
		entry
		events.TerritoryCaptured
	}
)

// applyFacility takes the events of facilities and of what else moves a treasury.
func (v *View) applyFacility(e *events.Event, at entry) {
	switch e.Type {
	case "facility_damaged":
		x := damage{entry: at}
		projections.AppendIf(&v.damages, &x, e.Read(&x.FacilityDamaged))
	case "facilities_repaired":
		x := repair{entry: at}
		projections.AppendIf(&v.repairs, &x, e.Read(&x.FacilitiesRepaired))
	case "facility_built":
		x := building{entry: at}
		projections.AppendIf(&v.buildings, &x, e.Read(&x.FacilityBuilt))
	case "research_paid":
		x := research{entry: at}
		projections.AppendIf(&v.research, &x, e.Read(&x.ResearchPaid))
	case "territory_captured":
		x := capture{entry: at}
		projections.AppendIf(&v.captures, &x, e.Read(&x.TerritoryCaptured))
	}
}

// addFacilities fills in what was damaged, repaired, built, researched and captured.
func (v *View) addFacilities(r *Report) {
	r.Damage, r.Repairs, r.Built, r.Research, r.Captures = []FacilityDamage{}, []Repaired{}, []Built{}, []Research{},
		[]Capture{}
	for _, x := range projections.InReportOrder(v.damages) {
		r.Damage = append(r.Damage, FacilityDamage{x.Place, x.FacilityDamaged})
	}
	for _, x := range projections.InReportOrder(v.repairs) {
		x.Repairs = append([]events.Repair{}, x.Repairs...)
		r.Repairs = append(r.Repairs, Repaired{x.Place, x.FacilitiesRepaired})
	}
	for _, x := range projections.InReportOrder(v.buildings) {
		r.Built = append(r.Built, Built{x.Place, x.FacilityBuilt})
	}
	for _, x := range projections.InReportOrder(v.research) {
		x.Payments = append([]events.Payment{}, x.Payments...)
		r.Research = append(r.Research, Research{x.Place, x.ResearchPaid})
	}
	for _, x := range projections.InReportOrder(v.captures) {
		r.Captures = append(r.Captures, Capture{x.Place, x.TerritoryCaptured})
	}
}
