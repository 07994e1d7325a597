package situation

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// Report is the view as JSON. An event is named by its index, a space by the board's own name.
type Report struct {
	Version int    `json:"version"`
	Ordinal uint64 `json:"turn_ordinal"` // the game turn that is on, 0 before the first
	Turn    string `json:"turn"`
	// those of which the record says who holds them, as they first changed hands
	Territories []Holding `json:"territories"`
	Submarines  []Station `json:"submarines"` // by powers in the order of the opening
	// on convoys; of each territory those of the last game turn that has some
	Raids      []Raided    `json:"raids"`
	Bombings   []Bombed    `json:"bombings"`   // and bombing and rockets likewise
	Facilities []Facility  `json:"facilities"` // those that are damaged
	Operations []Operation `json:"operations"`
}

// Holding is who holds a territory.
type Holding struct {
	projections.Place
	Territory string `json:"territory"`
	Holder    string `json:"holder"`             // empty for nobody
	Captor    string `json:"captor,omitempty"`   // who took it; empty where the umpire reported it
	Captured  string `json:"captured,omitempty"` // of whom
}

// Station is the submarines of a power in a sea zone.
type Station struct {
	projections.Place        // of the last report of them
	Power             string `json:"power"`
	Zone              string `json:"zone"`
	Count             int    `json:"count"`
	// those that have a name; fewer than Count where they are counted alone
	Submarines []Submarine `json:"submarines"`
}

// Submarine is one submarine, and what happened to it in the game turn that is on: events, 0 for none.
type Submarine struct {
	Name      string `json:"name"`
	Detected  uint64 `json:"detected,omitempty"`  // by a hunt
	Submerged uint64 `json:"submerged,omitempty"` // out of a combat
}

// Raided is what raids on convoys took of a territory in one game turn.
type Raided struct {
	Territory string `json:"territory"`
	Victim    string `json:"victim"`
	Ordinal   uint64 `json:"turn_ordinal"`
	Turn      string `json:"turn"`
	Damage    int64  `json:"damage"`
	Raids     []Raid `json:"raids"`
}

// Raid is the raid of one submarine, or of all raiders in a sea zone.
type Raid struct {
	Event     uint64   `json:"event"`
	Powers    []string `json:"powers"`
	Submarine string   `json:"submarine,omitempty"`
	Zone      string   `json:"zone"`
	Damage    int      `json:"damage"`
	Corrects  uint64   `json:"corrects,omitempty"`
}

// Bombed is what bombing and rockets did to a territory or to the facilities there in one game turn.
type Bombed struct {
	Territory string   `json:"territory"`
	Victim    string   `json:"victim"`
	Ordinal   uint64   `json:"turn_ordinal"`
	Turn      string   `json:"turn"`
	Damage    int64    `json:"damage"`
	Attacks   []Attack `json:"attacks"`
}

// Attack is one attack by bombers ("sbr", "bombing raid") or "rockets".
type Attack struct {
	Event    uint64 `json:"event"`
	Kind     string `json:"kind"`
	Power    string `json:"power"`
	Facility string `json:"facility,omitempty"` // empty where the territory as a whole was hit
	From     string `json:"from,omitempty"`
	Damage   int    `json:"damage"`
	Corrects uint64 `json:"corrects,omitempty"`
}

// Facility is a facility that has damage.
type Facility struct {
	projections.Place        // of the last report of it
	Territory         string `json:"territory"`
	Facility          string `json:"facility"`
	Damage            int64  `json:"damage"`
	Limit             int    `json:"limit,omitempty"` // the most that it takes, where an attack stated it
}

// Operation is an operation that was declared, and whether it has come.
type Operation struct {
	projections.Place
	Operation string `json:"operation"`
	By        string `json:"by"`
	Target    string `json:"target"`
	Carried   uint64 `json:"carried_out,omitempty"` // event
}

// Report is a [Report].
func (v *View) Report() any { return v.report() }

func (v *View) report() Report {
	b := board{View: v, Report: Report{
		Version: Version, Territories: []Holding{}, Submarines: []Station{}, Raids: []Raided{}, Bombings: []Bombed{},
		Facilities: []Facility{}, Operations: []Operation{},
	}}
	if n := len(v.turns); n > 0 {
		b.Ordinal, b.Turn = v.turns[n-1].ordinal, v.turns[n-1].label
	}
	for i := range v.entries {
		x := &v.entries[i]
		if p, err := events.PayloadOf(&events.Event{Type: events.Type(x.kind), Payload: x.payload}); err == nil {
			b.enter(x, p)
		}
	}
	b.Facilities = slices.DeleteFunc(b.Facilities, func(f Facility) bool { return f.Damage <= 0 })
	b.Submarines = slices.DeleteFunc(b.Submarines, func(s Station) bool { return s.Count <= 0 })
	slices.SortStableFunc(b.Submarines, func(x, y Station) int { return cmp.Compare(b.rank(x.Power), b.rank(y.Power)) })
	return b.Report
}

// board is the report while it is gathered.
type board struct {
	*View
	Report
}

// rank is a power's place in the order of the opening; others come behind.
func (b *board) rank(power string) int {
	if i := slices.Index(b.powers, power); i >= 0 {
		return i
	}
	return len(b.powers)
}

func (x *entry) place() projections.Place {
	return projections.Place{Event: x.event, Ordinal: x.ordinal, Turn: x.turn,
		Fate: projections.Fate{Corrects: x.corrects}}
}

// enter lets an event have its effect on the board.
func (b *board) enter(x *entry, p events.Payload) {
	switch p := p.(type) {
	case *events.FactReported:
		b.fact(x, p)
	case *events.TerritoryCaptured:
		b.hold(Holding{x.place(), p.Territory, p.Holder, p.By, p.From})
		b.convert(x, p)
	case *events.ConvoyRaided:
		b.raid(x, p.Territory, p.Victim, Raid{x.event, []string{p.Owner}, p.Submarine, p.Zone, p.Damage, x.corrects})
	case *events.ConvoyDisrupted:
		b.raid(x, p.Territory, p.Victim, Raid{x.event, raiders(p.Raiders), "", p.Zone, p.Damage, x.corrects})
	case *events.EconomicAttackMade:
		b.bomb(x, p.Territory, p.Victim, Attack{x.event, p.Kind, p.Attacker, "", "", p.Damage, x.corrects})
	case *events.OperationDeclared:
		b.Operations = append(b.Operations, Operation{x.place(), p.Operation, p.By, p.Target, 0})
	case *events.OperationCarriedOut:
		b.carryOut(x, p)
	case *events.FacilitiesReported, *events.FacilityDamaged, *events.FacilitiesRepaired, *events.FacilityBuilt:
		b.facility(x, p)
	default:
		b.submarine(x, p)
	}
}

func (b *board) fact(x *entry, p *events.FactReported) {
	switch {
	case p.Fact == factSubmerged:
		b.dive(x, p.Names)
	case len(p.Names) > 0:
		b.hold(Holding{Place: x.place(), Territory: p.Subject, Holder: p.Names[0]})
	default:
		b.hold(Holding{Place: x.place(), Territory: p.Subject})
	}
}

func (b *board) hold(h Holding) {
	*projections.FindOrAdd(&b.Territories, h, func(x Holding) bool { return x.Territory == h.Territory }) = h
}

// raid enters a raid; those of an earlier game turn on the same territory are forgotten.
func (b *board) raid(x *entry, territory, victim string, r Raid) {
	fresh := Raided{Territory: territory, Victim: victim, Ordinal: x.ordinal, Turn: x.turn}
	t := projections.FindOrAdd(&b.Raids, fresh, func(t Raided) bool { return t.Territory == territory })
	if t.Ordinal > x.ordinal {
		return
	}
	if t.Ordinal < x.ordinal {
		*t = fresh
	}
	t.Victim, t.Damage, t.Raids = victim, t.Damage+int64(r.Damage), append(t.Raids, r)
}

func (b *board) bomb(x *entry, territory, victim string, a Attack) {
	fresh := Bombed{Territory: territory, Victim: victim, Ordinal: x.ordinal, Turn: x.turn}
	t := projections.FindOrAdd(&b.Bombings, fresh, func(t Bombed) bool { return t.Territory == territory })
	if t.Ordinal > x.ordinal {
		return
	}
	if t.Ordinal < x.ordinal {
		*t = fresh
	}
	t.Victim, t.Damage, t.Attacks = victim, t.Damage+int64(a.Damage), append(t.Attacks, a)
}

// raiders names the powers of raiders once each.
func raiders(list []events.Raid) []string {
	powers := []string{}
	for _, r := range list {
		if !slices.Contains(powers, r.Power) {
			powers = append(powers, r.Power)
		}
	}
	return powers
}

// carryOut finds the operation that was declared last by that name.
func (b *board) carryOut(x *entry, p *events.OperationCarriedOut) {
	for i := len(b.Operations) - 1; i >= 0; i-- {
		if o := &b.Operations[i]; o.Operation == p.Operation && o.Carried == 0 {
			o.Carried = x.event
			return
		}
	}
	b.Operations = append(b.Operations, Operation{x.place(), p.Operation, p.By, p.Target, x.event})
}
