package income

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// Report is the view as JSON. Money is in IPCs, an event is named by its index. What is corrected
// is never counted in a sum.
type Report struct {
	Version    int              `json:"version"`
	Turns      []Turn           `json:"turns"`            // oldest first, as all that is not by powers
	Attacks    []Target         `json:"economic_attacks"` // bombing and rockets against territories
	Damage     []FacilityDamage `json:"facility_damage"`  // bombing and rockets against facilities
	Repairs    []Repaired       `json:"repairs"`
	Purchases  []Purchase       `json:"purchases"`
	Built      []Built          `json:"facilities_built"`
	Research   []Research       `json:"research"`
	Captures   []Capture        `json:"captures"`
	Totals     []Total          `json:"totals"` // powers in the order of the opening, as below
	Raiders    []Raider         `json:"raiders"`
	Zones      []Zone           `json:"convoy_zones"` // as they were first disrupted
	Treasuries []Treasury       `json:"treasuries"`

	Compensations []Compensation `json:"compensations,omitempty"`
}

// Turn is the TURN of one power in one ROUND, as far as its income goes.
type Turn struct {
	Ordinal   uint64   `json:"turn_ordinal"`
	Turn      string   `json:"turn"`
	Power     string   `json:"power"`
	Income    *Income  `json:"income,omitempty"` // as it stands; left out as long as only raids are recorded
	Corrected []Income `json:"corrected"`        // what stood before it, oldest first
	Raids     []Raid   `json:"raids"`

	Disruptions []Disruption `json:"disruptions"`
}

// Income is the income that one event states, for a power or a treasury of its own name. Board is the worth of the
// power's territories; a base that was typed may be another.
type Income struct {
	Event    uint64 `json:"event"`
	Base     int    `json:"base"`
	Board    int    `json:"board"`
	Typed    bool   `json:"typed"`
	Bonus    int    `json:"bonus"`  // of objectives, beside the base
	Damage   int    `json:"damage"` // of all raids of the TURN
	Net      int    `json:"net"`
	Treasury int    `json:"treasury"` // in hand afterwards, as the event states it
	projections.Fate
}

// Raid is one submarine against one industrial complex.
type Raid struct {
	Event     uint64 `json:"event"`
	Submarine string `json:"submarine"`
	Owner     string `json:"owner"`
	Zone      string `json:"zone"`
	Distance  int    `json:"distance"` // in sea zones, 1 for adjacent
	Territory string `json:"territory"`
	Reach     int    `json:"reach"`  // what it could take at that distance
	Damage    int    `json:"damage"` // what counts
	Cap       *Cap   `json:"cap,omitempty"`
	Declared  bool   `json:"declared"` // the raider chose the territory himself
	projections.Fate
}

// Disruption is what the raiders in one sea zone take of one territory.
type Disruption struct {
	Event     uint64        `json:"event"`
	Zone      string        `json:"zone"`
	Raiders   []events.Raid `json:"raiders"`
	Potential int           `json:"potential"` // what they could take in all, of several territories
	Territory string        `json:"territory"`
	Worth     int           `json:"worth"`  // of the territory
	Damage    int           `json:"damage"` // what counts
	projections.Fate
}

// Cap is the limit that took a part of a raid.
type Cap struct {
	Rule  string `json:"rule"`
	Limit int    `json:"limit"`
}

// Target is a territory bombed in one TURN of an attacker: what it took, and its limit.
type Target struct {
	Ordinal   uint64   `json:"turn_ordinal"`
	Turn      string   `json:"turn"`
	Attacker  string   `json:"attacker"`
	Victim    string   `json:"victim"`
	Territory string   `json:"territory"`
	Damage    int64    `json:"damage"`
	Limit     int      `json:"limit"`
	Attacks   []Attack `json:"attacks"`
}

// Attack is one attack of bombers ("sbr") or "rockets".
type Attack struct {
	Event  uint64 `json:"event"`
	Kind   string `json:"kind"`
	Rolled int    `json:"rolled"`
	Before int    `json:"before"` // what the territory had taken in the TURN before
	Damage int    `json:"damage"` // what counts
	projections.Fate
}

// Purchase is what a power bought.
type Purchase struct {
	Event    uint64        `json:"event"`
	Ordinal  uint64        `json:"turn_ordinal"`
	Turn     string        `json:"turn"`
	Power    string        `json:"power"`
	Units    []events.Unit `json:"units"`
	Cost     int           `json:"cost"`
	Treasury int           `json:"treasury"` // in hand afterwards, as the event states it
	projections.Fate
}

// Total is what a power has earned and lost over all turns: Base and Bonus less LostToRaids are Net.
// LostToAttacks is the damage of bombing and rockets, which takes nothing from the income.
type Total struct {
	Power         string `json:"power"`
	Collected     int64  `json:"collected"` // how often
	Base          int64  `json:"base"`
	Bonus         int64  `json:"bonus"`
	LostToRaids   int64  `json:"lost_to_raids"`
	Net           int64  `json:"net"`
	LostToAttacks int64  `json:"lost_to_attacks"`
}

// Raider is a power whose submarines raid, or could: where they lie, as reported last.
type Raider struct {
	Power      string             `json:"power"`
	Raids      int64              `json:"raids"`
	Damage     int64              `json:"damage"`
	Reported   uint64             `json:"reported,omitempty"` // index of the report
	Submarines []events.Submarine `json:"submarines"`
}

// Zone is a sea zone in which convoys were disrupted, over all turns: by whom, how often a territory
// lost to it, and how much.
type Zone struct {
	Zone        string   `json:"zone"`
	Powers      []string `json:"powers"` // as they first raided there
	Disruptions int64    `json:"disruptions"`
	Damage      int64    `json:"damage"`
}

// In is the ordinal of the turn.
func (x *Turn) In() uint64 { return x.Ordinal }

// In is the ordinal of the attacks' turn.
func (x *Target) In() uint64 { return x.Ordinal }

// During is the report with what it lists of the turns that are covered, but for purchases and what is built and
// repaired. Sums stay those of all turns.
func (r Report) During(covers func(ordinal uint64) bool) Report {
	r.Turns, r.Attacks = projections.During(r.Turns, covers), projections.During(r.Attacks, covers)
	r.Damage, r.Captures = projections.During(r.Damage, covers), projections.During(r.Captures, covers)
	r.Compensations = projections.During(r.Compensations, covers)
	return r
}

// Report is a [Report].
func (v *View) Report() any { return v.report() }

func (v *View) report() Report {
	r := Report{
		Version: Version, Turns: v.turns(), Attacks: v.targets(), Purchases: []Purchase{}, Treasuries: v.accounts(),
	}
	for _, x := range projections.InReportOrder(v.purchases) {
		r.Purchases = append(r.Purchases, Purchase{
			Event: x.Event, Ordinal: x.Ordinal, Turn: x.Turn, Power: x.Power, Units: append([]events.Unit{},
				x.Units...),
			Cost: x.Cost, Treasury: x.Treasury, Fate: x.Fate,
		})
	}
	v.addFacilities(&r)
	v.addCompensations(&r)
	r.Totals, r.Raiders, r.Zones = v.totals(r.Turns, r.Attacks), v.raiders(), v.zones()
	return r
}

// targets gathers the attacks on a territory in one TURN, which have one limit (AAR-4-TOTAL).
func (v *View) targets() []Target {
	type target struct {
		ordinal                     uint64
		attacker, victim, territory string
	}
	list, at := []Target{}, map[target]int{}
	for _, x := range v.attacksListed() {
		on := target{x.Ordinal, x.Attacker, x.Victim, x.Territory}
		i, met := at[on]
		if !met {
			i, at[on] = len(list), len(list)
			list = append(list, Target{Ordinal: x.Ordinal, Turn: x.Turn, Attacker: x.Attacker, Victim: x.Victim,
				Territory: x.Territory})
		}
		t := &list[i]
		t.Attacks = append(t.Attacks, Attack{x.Event, x.Kind, x.Rolled, x.Before, x.Damage, x.Fate})
		if x.VoidedBy == 0 || !met {
			t.Limit = x.Limit
		}
		if x.Counts() {
			t.Damage += int64(x.Damage)
		}
	}
	return list
}

// attacksListed gives the attacks as they are listed, those that are void behind all others.
func (v *View) attacksListed() []attack {
	list := slices.Clone(projections.InReportOrder(v.attacks))
	slices.SortStableFunc(list, func(a, b attack) int { return cmp.Compare(min(a.VoidedBy, 1), min(b.VoidedBy, 1)) })
	return list
}

func (v *View) totals(turns []Turn, targets []Target) []Total {
	list := []Total{}
	of := func(power string) *Total {
		return projections.FindOrAdd(&list, Total{Power: power}, func(t Total) bool { return t.Power == power })
	}
	for _, t := range turns {
		if x := t.Income; x != nil {
			sum := of(t.Power)
			sum.Collected++
			sum.Base += int64(x.Base)
			sum.Net += int64(x.Net)
			sum.Bonus += int64(x.Bonus)
			sum.LostToRaids += int64(x.Base) + int64(x.Bonus) - int64(x.Net)
		}
	}
	for _, t := range targets {
		if slices.ContainsFunc(t.Attacks, func(a Attack) bool { return a.Counts() }) {
			of(t.Victim).LostToAttacks += t.Damage
		}
	}
	return inOrder(v.powers, list, func(t Total) string { return t.Power })
}

func (v *View) raiders() []Raider {
	list := []Raider{}
	of := func(power string) *Raider {
		fresh := Raider{Power: power, Submarines: []events.Submarine{}}
		return projections.FindOrAdd(&list, fresh, func(r Raider) bool { return r.Power == power })
	}
	for _, f := range v.fleets {
		r := of(f.Power)
		r.Reported, r.Submarines = f.Event, append(r.Submarines, f.Submarines...)
	}
	for _, x := range projections.InReportOrder(v.raids) {
		if x.Counts() {
			r := of(x.Owner)
			r.Raids++
			r.Damage += int64(x.Damage)
		}
	}
	return inOrder(v.powers, list, func(r Raider) string { return r.Power })
}

func (v *View) zones() []Zone {
	list := []Zone{}
	for _, x := range projections.InReportOrder(v.disruptions) {
		if !x.Counts() {
			continue
		}
		fresh := Zone{Zone: x.Zone, Powers: []string{}}
		z := projections.FindOrAdd(&list, fresh, func(z Zone) bool { return z.Zone == x.Zone })
		z.Disruptions++
		z.Damage += int64(x.Damage)
		for _, r := range x.Raiders {
			if !slices.Contains(z.Powers, r.Power) {
				z.Powers = append(z.Powers, r.Power)
			}
		}
	}
	return list
}

// inOrder puts a list by powers into the order of the opening; others stay behind as they come.
func inOrder[T any](powers []string, list []T, power func(T) string) []T {
	rank := func(x T) int {
		if i := slices.Index(powers, power(x)); i >= 0 {
			return i
		}
		return len(powers)
	}
	slices.SortStableFunc(list, func(a, b T) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}
