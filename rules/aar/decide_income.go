package aar

import (
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// collection is an entry of an income: {collect income: UK}, or {power: UK, base: 30, allocation: {…}}.
type collection struct {
	Power      string               `json:"power" is:"power" alone:"true"`
	Base       *int                 `json:"base" least:"0" doc:"its territories by default"`
	Allocation rules.Mapping[names] `json:"allocation" is:"territory" offer:"boat" doc:"by submarine, or by sea zone"`
}

// collectIncome ends a power's TURN: its territories' worth, less convoy raids.
func (d *decision) collectIncome(k collection) {
	power := k.Power
	if slices.Contains(d.Collected, power) {
		d.ViolateField("collect income", "AAR-4-TIME", "%s has collected its income in %s already; raids come with it",
			power, d.Turn.Label)
		return
	}
	base, ok := d.base(power, k.Base)
	if !ok {
		return
	}
	declared, ok := d.declared(power, k.Allocation)
	d.warnOf(power, base)
	if ok && d.Enter(power, phaseCollect, "AAR-4-TIME") {
		d.raid(power, base, k.Base != nil, declared)
	}
}

// warnOf says what may be a slip of an income: what was bought and is on no space, and another base than the board's.
func (d *decision) warnOf(power string, base int) {
	var left []string
	for _, unit := range slices.Sorted(maps.Keys(d.bought[power])) {
		if n := d.bought[power][unit]; n > 0 {
			left = append(left, counted(n, unit))
		}
	}
	if len(left) > 0 && len(d.placed) > 0 { // else the table places its units beside the ledger
		d.Warn("%s bought %s in %s and has not placed it; after its TURN nothing of it can be placed", power,
			words.And(left), d.Turn.Label)
	}
	_, lost := d.CapitalLost(power)
	if there := d.TerritoryValue(power); base != there && !lost {
		d.Warn("%s collects on a base of %d, and its territories on the board come to %d", power, base, there)
	}
}

// counted is "2 aa guns", "3 infantry".
func counted(n int, unit string) string {
	more := unit + "s"
	switch unit {
	case "infantry", "artillery", "armor":
		more = unit
	case "industrial complex":
		more = unit + "es"
	}
	return words.CountOf(n, unit, more)
}

// base is what a power is due: what its territories come to, unless the umpire gives another
// figure.
func (d *decision) base(power string, typed *int) (int, bool) {
	if typed != nil {
		return *typed, true
	}
	if lost, ok := d.CapitalLost(power); ok {
		d.ViolateField("collect income", rules.Input,
			"%s, the capital of %s, is in other hands, and the house rules do not say what is collected then: give "+
				"base yourself", lost.Name, power)
		return 0, false
	}
	return d.TerritoryValue(power), true
}

// declared reads who raids what: under a submarine's name, or a sea zone's for every enemy in
// it that stayed up, a territory or a list of territories, one for each submarine.
func (d *decision) declared(power string, given rules.Mapping[names]) (Allocation, bool) {
	declared := Allocation{}
	for _, m := range given {
		at, key, territories := m.At, m.Name, m.Value
		boats, ok := d.boatsNamed(at, key, power)
		if !ok {
			return nil, false
		}
		if len(territories) == 0 {
			d.ViolateField(at, rules.Input, "a submarine raids a territory, such as {SZ 9: Eastern Canada}")
			return nil, false
		}
		if len(territories) > len(boats) {
			d.ViolateField(at, "AAR-4-ONE-IC", "%s raids %s: one submarine raids one industrial complex in a TURN", key,
				strings.Join(territories, " and "))
			return nil, false
		}
		up := slices.DeleteFunc(slices.Clone(boats), func(b string) bool { return d.stayedDown(power, b) })
		if len(up) >= len(territories) { // a sea zone means those that may raid (AAR-4-SUBMERGED)
			boats = up
		}
		if len(territories) > 1 {
			boats = boats[:len(territories)] // the rest is not declared
		}
		for i, b := range boats {
			if declared[b] != "" {
				d.ViolateField(at, "AAR-4-ONE-IC",
					"%s is declared twice: one submarine raids one industrial complex in a TURN", b)
				return nil, false
			}
			declared[b] = territories[min(i, len(territories)-1)]
		}
	}
	return declared, true
}

// raid records each raid and the income.
func (d *decision) raid(power string, base int, typed bool, declared Allocation) {
	p := &events.IncomeCollected{Power: power, Base: base, Board: d.TerritoryValue(power), Typed: typed, Net: base}
	if subject(Power(power)) || len(declared) > 0 {
		in := d.raidInput(power, base, declared)
		ruling, found := Raid(in)
		if !d.Check(found) || !d.settledRaid(in) {
			return
		}
		for _, r := range ruling.Raids {
			d.recordRaid(power, r)
		}
		d.citeBase(p)
		d.Derivation = append(d.Derivation, ruling.Income...)
		p.Damage, p.Net = ruling.Damage, ruling.IncomeAfter
	} else {
		d.citeBase(p)
		d.Cite("AAR-4-SUBJECT", "industrial complexes of %s are never raided", power)
	}
	p.Treasury = d.Treasury(power) + p.Net
	d.Record(power, p)
}

// raidInput is the request that the rule answers: every complex on the board, the sea, and every
// submarine that was reported.
func (d *decision) raidInput(power string, base int, declared Allocation) RaidInput {
	in := RaidInput{Victim: Power(power), Income: base, Allocation: declared, DamageThisTurn: map[string]int{},
		Options: rulesOptions(d.Options)}
	for _, s := range d.Board.Spaces() {
		switch {
		case s.Water:
			for _, n := range s.Neighbours {
				if other, err := d.Board.Space(n); err == nil && other.Water && s.Name < n {
					in.Links = append(in.Links, [2]string{s.Name, n})
				}
			}
		case d.hasComplex(s):
			in.Complexes = append(in.Complexes, d.complexIn(s))
			in.DamageThisTurn[s.Name] = d.damageIn(power, s.Name)
		}
	}
	for _, b := range d.boats() {
		in.Submarines = append(in.Submarines, Submarine{
			ID: b.name, Owner: Power(b.owner), SeaZone: b.zone, Submerged: d.stayedDown(power, b.name),
		})
	}
	return in
}

func (d *decision) complexIn(s board.Space) Complex {
	c := Complex{Territory: s.Name, Owner: Power(d.Controller(s)), IPCValue: s.Production}
	for _, n := range s.Neighbours {
		if z, err := d.Board.SeaZone(n); err == nil {
			c.SeaZones = append(c.SeaZones, z.Name)
		}
	}
	return c
}

func (d *decision) recordRaid(power string, r SingleRaid) {
	d.Derivation = append(d.Derivation, r.Derivation...)
	d.Record(power, &events.ConvoyRaided{
		Victim: power, Territory: r.Territory, Submarine: r.Submarine.ID, Owner: string(r.Submarine.Owner),
		Zone:     r.Submarine.SeaZone,
		Distance: r.Distance, Reach: r.Reach, Damage: r.Damage, Cap: r.Cap, Limit: r.Limit, Declared: r.Declared,
	})
}

// citeBase says where the base comes from, and warns where a typed one differs from the board.
func (d *decision) citeBase(p *events.IncomeCollected) {
	switch {
	case !p.Typed:
		d.Cite("AAR-4-TIME", "%s collects income: its territories on the board come to %d", p.Power, p.Base)
	case p.Base == p.Board:
		d.Cite("AAR-4-TIME", "%s collects income: %d is given, as its territories on the board come to", p.Power,
			p.Base)
	default:
		d.Cite("AAR-4-TIME", "%s collects income: %d is given, though its territories on the board come to %d", p.Power,
			p.Base, p.Board)
	}
}
