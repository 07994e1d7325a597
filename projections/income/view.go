// Package income shows what each power has earned, turn by turn: the base and what objectives add,
// each convoy raid with the submarine, its distance, what it could take, what counted and the cap
// that took the rest, each disruption of a convoy with the raiders in its sea zone, and what was
// left; the damage of bombing and rockets to territories or to facilities, repairs, what was built,
// researched and captured, running totals, each treasury with its purchases, and what the umpire gave
// it in compensation.
//
// A game turn is a ROUND of the rules. Within it every power has its own TURN, which the
// figures themselves tell: raids and income fall in the TURN of the power that collects, bombing
// and rockets in the attacker's (AAR-4-TURNS). The events of phases add nothing to that and are
// not read.
//
// A treasury goes by its own name, which is mostly a power's: the United Kingdom may have two, and
// collects and pays for each (G40-UK-SEPARATE).
//
// An entry that was corrected or voided stays visible, in the turn that it belongs to with what took its place, and is
// not counted.
//
// Everything shown was judged when the event was recorded and is taken from it; the package
// knows no board and no rule. All of it is public: who sees more of the log than others sees the
// same here.
//
// # From an event to its figure
//
//	CampaignOpened       opening of a treasury         View.open, in view.go
//	FactReported         treasury, as reported         View.state, in view.go
//	SubmarinesReported   where the raiders lie         View.raiders, in report.go
//	ConvoyRaided         Raid: reach, damage, cap      turnList.raid, in turns.go; sums: View.raiders, in report.go
//	ConvoyDisrupted      Disruption: worth, damage     turnList.disrupt, in turns.go; zones: View.zones, in report.go
//	IncomeCollected      Income: base, bonus, net      turnList.collect, in turns.go; sums: View.totals, in report.go
//	EconomicAttackMade   Target and Attack: damage     View.targets, in report.go; sums: View.totals, in report.go
//	FacilityDamaged, FacilitiesRepaired, FacilityBuilt, ResearchPaid, TerritoryCaptured
//	                     a list each                   View.addFacilities, in facilities.go
//	UnitsPurchased       Purchase: cost                View.report, in report.go
//	Compensated          Compensation                  View.addCompensations, in compensations.go
//
// What is in hand after each of these is added up by View.accounts, in treasury.go.
package income

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections"
)

// Version is the version of the report; fold that of the fold and of what is saved.
const (
	Version = 3
	fold    = 8
)

// factTreasury is the fact with which the umpire says what a power has in hand.
const factTreasury = "treasury"

// Projection is the income projection.
func Projection() projections.Projection {
	return projections.Projection{Name: "income", Version: fold, New: func() projections.View {
		return &View{}
	}, Types: types}
}

// types are those of the events that change the view.
var types = []events.Type{
	"campaign_opened", "fact_reported", "submarines_reported", "economic_attack_made",
	"convoy_raided", "income_collected", "units_purchased", "convoy_disrupted", "facility_damaged",
	"facilities_repaired", "facility_built", "research_paid", "territory_captured", "compensated", "voided",
	"corrected",
}

// View is the economy of one campaign. It keeps what the events say, in the order of the record;
// totals and treasuries are added up when they are asked for. The zero value is the view before
// the first event.
type View struct {
	taken       uint64   // events so far
	settled     bool     // something was voided, or stands in another's place: figures stated since may count on it
	powers      []string // and treasuries, in the order of the campaign's opening
	treasuries  []treasury
	fleets      []fleet
	attacks     []attack
	raids       []raid
	disruptions []disruption
	incomes     []income
	purchases   []purchase
	damages     []damage
	repairs     []repair
	buildings   []building
	research    []research
	captures    []capture

	compensations []compensation
}

// entry is the place of an entry.
type entry struct {
	projections.Entry
	taken uint64 // how many events the view has taken with this one
}

// inOrderRecorded compares entries of several lists by where reports list them.
func inOrderRecorded(a, b *entry) int {
	return cmp.Or(projections.CompareEntries(&a.Entry, &b.Entry), cmp.Compare(a.taken, b.taken))
}

// treasury is what a power had in hand at the opening, or as the umpire reports it.
type treasury struct {
	entry
	power string
	ipcs  int
}

// fleet is where a power's submarines lie, as reported last.
type fleet struct {
	entry
	events.SubmarinesReported
}

type attack struct {
	entry
	events.EconomicAttackMade
}

type raid struct {
	entry
	events.ConvoyRaided
}

type income struct {
	entry
	events.IncomeCollected
}

type disruption struct {
	entry
	events.ConvoyDisrupted
}

type purchase struct {
	entry
	events.UnitsPurchased
}

// Apply takes the next event.
func (v *View) Apply(e history.Row, _ []events.Opening) {
	if !slices.Contains(types, e.Type) || e.Type == "campaign_opened" && e.Void {
		return
	}
	v.taken++
	v.settled = v.settled || !e.Void && (e.Replaces != 0 || len(events.Voids(e.Event)) > 0)
	at := entry{projections.EntryOf(e), v.taken}
	switch e.Type {
	case "campaign_opened":
		v.open(e.Event, at)
	case "fact_reported":
		v.state(e.Event, at)
	case "submarines_reported":
		v.station(e.Event, at)
	case "economic_attack_made":
		x := attack{entry: at}
		projections.AppendIf(&v.attacks, &x, e.Read(&x.EconomicAttackMade))
	case "convoy_raided":
		x := raid{entry: at}
		projections.AppendIf(&v.raids, &x, e.Read(&x.ConvoyRaided))
	case "convoy_disrupted":
		x := disruption{entry: at}
		projections.AppendIf(&v.disruptions, &x, e.Read(&x.ConvoyDisrupted))
	case "income_collected":
		x := income{entry: at}
		projections.AppendIf(&v.incomes, &x, e.Read(&x.IncomeCollected))
	case "units_purchased":
		x := purchase{entry: at}
		projections.AppendIf(&v.purchases, &x, e.Read(&x.UnitsPurchased))
	case "compensated":
		v.compensate(e.Event, at)
	default:
		v.applyFacility(e.Event, at)
	}
}

func (v *View) open(e *events.Event, at entry) {
	var opened events.CampaignOpened
	if !e.Read(&opened) {
		return
	}
	v.powers = slices.Clone(opened.Sides)
	next := 0
	for _, t := range opened.Treasuries {
		v.treasuries = append(v.treasuries, treasury{entry: at, power: t.Power, ipcs: t.IPCs})
		if i := slices.Index(v.powers, t.Power); i >= 0 {
			next = i + 1
			continue
		}
		v.powers = slices.Insert(v.powers, next, t.Power) // behind the treasury before it
		next++
	}
}

// station notes where a power's submarines lie.
func (v *View) station(e *events.Event, at entry) {
	x := fleet{entry: at}
	if !e.Read(&x.SubmarinesReported) || !at.Counts() {
		return
	}
	*projections.FindOrAdd(&v.fleets, x, func(f fleet) bool { return f.Power == x.Power }) = x
}

// state takes in what the umpire says of a treasury. A number that is sealed is nobody's to count.
func (v *View) state(e *events.Event, at entry) {
	var fact events.FactReported
	if e.Read(&fact) && fact.Fact == factTreasury && !fact.Secret {
		v.treasuries = append(v.treasuries, treasury{entry: at, power: fact.Subject, ipcs: fact.Number})
	}
}

// Save gives the state of the fold.
func (v *View) Save() []byte { return projections.Save(v.pack) }

// Load replaces the state.
func (v *View) Load(saved []byte) error {
	*v = View{}
	return projections.Load(saved, v.pack)
}
