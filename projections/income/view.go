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
// A corrected entry stays visible beside the one in its place, in the turn that both belong to,
// and only the latter is counted.
//
// Everything shown was judged when the event was recorded and is taken from it; the package
// knows no board and no rule. All of it is public: who sees more of the log than others sees the
// same here.
package income

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// Version is the version of the report; fold that of the fold and of what is saved.
const (
	Version = 3
	fold    = 7
)

// factTreasury is the fact with which the umpire says what a power has in hand.
const factTreasury = "treasury"

// Projection is the income projection.
func Projection() projections.Projection {
	return projections.Projection{Name: "income", Version: fold, New: func() projections.View { return &View{} }, Types: types}
}

// types are those of the events that change the view.
var types = []events.Type{
	"campaign_opened", "fact_reported", "submarines_reported", "economic_attack_made",
	"convoy_raided", "income_collected", "units_purchased", "convoy_disrupted", "facility_damaged",
	"facilities_repaired", "facility_built", "research_paid", "territory_captured", "compensated", "voided", "corrected",
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

// place is where in the campaign an entry stands, and whether another stands in its place.
type place struct {
	event     uint64
	first     uint64 // index of the entry that it corrects, itself if none
	from      uint64 // where the first stands in the record: at its own index, or in the place of a voided event
	ordinal   uint64 // turn of the first
	turn      string
	corrects  uint64
	corrected uint64 // index of the entry in its place, 0 for none
	taken     uint64 // how many events the view has taken with this one
}

func (p *place) at() *place { return p }

// inOrderTaken compares entries by the order in which the view took them: that of what stands.
func inOrderTaken(a, b *place) int { return cmp.Compare(a.taken, b.taken) }

// treasury is what a power had in hand at the opening, or as the umpire reports it.
type treasury struct {
	place
	power string
	ipcs  int
}

// fleet is where a power's submarines lie, as reported last.
type fleet struct {
	place
	events.SubmarinesReported
}

type attack struct {
	place
	events.EconomicAttackMade
}

type raid struct {
	place
	events.ConvoyRaided
}

type income struct {
	place
	events.IncomeCollected
}

type disruption struct {
	place
	events.ConvoyDisrupted
}

type purchase struct {
	place
	events.UnitsPurchased
}

// Apply takes the campaign's next event.
func (v *View) Apply(e *events.Event, _ []events.Opening) {
	if !slices.Contains(types, e.Type) {
		return
	}
	v.taken++
	v.settled = v.settled || events.Settles(e)
	at := place{
		event: e.Index, first: e.Index, from: cmp.Or(e.Replaces, e.Index), ordinal: e.Turn.Ordinal, turn: e.Turn.Label,
		corrects: e.Corrects, taken: v.taken,
	}
	switch e.Type {
	case "campaign_opened":
		v.open(e, at)
	case "fact_reported":
		v.state(e, at)
	case "submarines_reported":
		v.station(e, at)
	case "economic_attack_made":
		x := attack{place: at}
		note(&v.attacks, &x, e.Read(&x.EconomicAttackMade))
	case "convoy_raided":
		x := raid{place: at}
		note(&v.raids, &x, e.Read(&x.ConvoyRaided))
	case "convoy_disrupted":
		x := disruption{place: at}
		note(&v.disruptions, &x, e.Read(&x.ConvoyDisrupted))
	case "income_collected":
		x := income{place: at}
		note(&v.incomes, &x, e.Read(&x.IncomeCollected))
	case "units_purchased":
		x := purchase{place: at}
		note(&v.purchases, &x, e.Read(&x.UnitsPurchased))
	case "compensated":
		v.compensate(e, at)
	default:
		v.applyFacility(e, at)
	}
}

// entry is anything with a place.
type entry[T any] interface {
	*T
	at() *place
}

// note enters what could be read.
func note[T any, E entry[T]](list *[]T, x E, read bool) {
	if read {
		*list = enter[T, E](*list, *x)
	}
}

// enter appends an entry. If it corrects another, it belongs to the turn of that one, and takes
// the place of whatever stands there: a second correction may name the first entry again.
func enter[T any, E entry[T]](list []T, x T) []T {
	at := E(&x).at()
	if at.corrects == 0 {
		return append(list, x)
	}
	i := len(list) - 1 // what is corrected happened not long ago
	for i >= 0 && E(&list[i]).at().event != at.corrects {
		i--
	}
	if i < 0 {
		return append(list, x)
	}
	old := E(&list[i]).at()
	at.first, at.from, at.ordinal, at.turn = old.first, old.from, old.ordinal, old.turn
	for ; i < len(list); i++ {
		if old := E(&list[i]).at(); old.first == at.first && old.corrected == 0 {
			old.corrected = at.event
		}
	}
	return append(list, x)
}

func (v *View) open(e *events.Event, at place) {
	var opened events.CampaignOpened
	if !e.Read(&opened) {
		return
	}
	v.powers = slices.Clone(opened.Sides)
	next := 0
	for _, t := range opened.Treasuries {
		v.treasuries = append(v.treasuries, treasury{place: at, power: t.Power, ipcs: t.IPCs})
		if i := slices.Index(v.powers, t.Power); i >= 0 {
			next = i + 1
			continue
		}
		v.powers = slices.Insert(v.powers, next, t.Power) // behind the treasury before it
		next++
	}
}

// station notes where a power's submarines lie. A correction of a report that another has
// replaced since says nothing of where they lie now.
func (v *View) station(e *events.Event, at place) {
	x := fleet{place: at}
	if !e.Read(&x.SubmarinesReported) {
		return
	}
	i := slices.IndexFunc(v.fleets, func(f fleet) bool { return f.Power == x.Power })
	switch {
	case i < 0:
		v.fleets = append(v.fleets, x)
	case at.corrects == 0:
		v.fleets[i] = x
	case at.corrects == v.fleets[i].first || at.corrects == v.fleets[i].event:
		x.first, x.from = v.fleets[i].first, v.fleets[i].from
		v.fleets[i] = x
	}
}

// state takes in what the umpire says of a treasury. A number that is sealed is nobody's to count.
func (v *View) state(e *events.Event, at place) {
	var fact events.FactReported
	if e.Read(&fact) && fact.Fact == factTreasury && !fact.Secret {
		v.treasuries = enter(v.treasuries, treasury{place: at, power: fact.Subject, ipcs: fact.Number})
	}
}

// Save gives the state of the fold.
func (v *View) Save() []byte { return projections.Save(v.pack) }

// Load replaces the state.
func (v *View) Load(saved []byte) error {
	*v = View{}
	return projections.Load(saved, v.pack)
}
