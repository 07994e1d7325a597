package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// collection is an entry {collect income: Germany} or {collect income: {power: UK Europe, objectives: 5}}.
type collection struct {
	Power      string `json:"power" is:"treasury" alone:"true"`
	Objectives int    `json:"objectives" least:"0" doc:"IPCs of national objectives"`
	Base       *int   `json:"base" least:"0" doc:"what its territories come to, unless the board says so"`
}

// collectIncome collects for one treasury: territories and objectives, less convoy disruptions.
func (d *decision) collectIncome(k collection) {
	p := d.purse(k.Power)
	rule := rules.Input
	if p.economy != "" {
		rule = "G40-UK-COLLECT"
	}
	if slices.Contains(d.Collected, p.treasury) {
		d.ViolateField("collect income", rule, "%s has collected its income in %s already", p.treasury, d.Turn.Label)
		return
	}
	base, ok := d.base(p, k.Base)
	if !ok {
		return
	}
	in := d.convoyInput(p)
	ruling, found := DisruptConvoys(in)
	if !d.Check(found) || !d.settledConvoys(in) {
		return
	}
	d.warnOf(p, base)
	if d.enter(p.power, phaseCollect, rule) {
		d.recordDisruptions(p, in, ruling)
		d.recordIncome(p, base, k, ruling.Loss, found.Derivation)
	}
}

// warnOf says what may be a slip of an income: what was bought and is on no space, and another base than the board's.
func (d *decision) warnOf(p purse, base int) {
	if left, named := d.unplaced(p); named && len(left) > 0 {
		list := rules.Each(left, func(u events.Unit) string { return counted(u.Count, u.Name) })
		d.Warn("%s bought %s in %s and has not placed it; after its TURN nothing of it can be placed", p.treasury,
			words.And(list), d.Turn.Label)
	}
	there := d.worth(p)
	if _, lost := d.CapitalLost(p.power); base != there && (!lost || p.economy != "") {
		d.Warn("%s collects on a base of %d, and its territories on the board come to %d", p.treasury, base, there)
	}
	paid := slices.DeleteFunc(d.territories(p), func(s board.Space) bool { return d.paid[s.Name] != p.power })
	without := there - rules.Sum(paid, func(s board.Space) int { return s.Production })
	if len(paid) > 0 && base > without {
		d.Warn("%s was collected for in %s by the other economy, and %s will too: leave it out, base: %d "+
			"(G40-UK-COLLECT)", words.And(rules.Each(paid, func(s board.Space) string { return s.Name })),
			d.Turn.Label, p.treasury, without)
	}
}

// base is what a purse is due of its territories: the board's sum, unless the umpire gives another.
func (d *decision) base(p purse, typed *int) (int, bool) {
	worth := d.worth(p)
	if p.economy != "" {
		return d.economyBase(p, worth, typed)
	}
	if typed != nil {
		return *typed, true
	}
	if lost, ok := d.CapitalLost(p.power); ok {
		d.ViolateField("collect income", rules.Input,
			"%s, the capital of %s, is in other hands, and this text does not say what is collected then: give base "+
				"yourself", lost.Name, p.power)
		return 0, false
	}
	return worth, true
}

// economyBase: an economy collects nothing while the Axis holds its capital (G40-UK-HELD), and the
// other never collects what is then not collected (G40-UK-NO-TRANSFER).
func (d *decision) economyBase(p purse, worth int, typed *int) (int, bool) {
	other := Europe
	if p.economy == Europe {
		other = Pacific
	}
	if d.heldByAxis(p.economy) {
		d.ViolateField("collect income", "G40-UK-HELD", "%s may not collect income while the Axis holds %s", p.treasury,
			p.economy.capital())
		return 0, false
	}
	if typed == nil {
		return worth, true
	}
	if *typed > worth && d.heldByAxis(other) {
		d.ViolateField("collect income.base", "G40-UK-NO-TRANSFER",
			"the territories of %s come to %d: %d would be more, and it never collects what goes to %s while the "+
				"Axis holds %s",
			p.treasury, worth, *typed, other.title(), other.capital())
		return 0, false
	}
	return *typed, true
}

func (d *decision) worth(p purse) int {
	return rules.Sum(d.territories(p), func(s board.Space) int { return s.Production })
}

// convoyInput is the request that the rule answers: the purse's territories, and every enemy warship
// in the convoy zones next to them.
func (d *decision) convoyInput(p purse) ConvoyInput {
	in := ConvoyInput{Options: convoyOptionsOf(d.Options), Taken: d.takenOfOther(p)}
	var zones []board.Space
	for _, s := range d.territories(p) {
		t := ConvoyTerritory{Name: s.Name, IPCValue: max(0, s.Production)}
		for _, n := range s.Neighbours {
			zone, err := d.Board.SeaZone(n)
			if err != nil || !d.isConvoy(zone) {
				continue
			}
			t.SeaZones = append(t.SeaZones, zone.Name)
			if !slices.ContainsFunc(zones, func(z board.Space) bool { return z.Name == zone.Name }) {
				zones = append(zones, zone)
			}
		}
		if len(t.SeaZones) > 0 {
			in.Territories = append(in.Territories, t)
		}
	}
	for _, zone := range zones {
		in.Raiders = append(in.Raiders, d.raiders(p.power, zone.Name)...)
	}
	return in
}

// takenOfOther is what raiders took, by sea zone, when the other economy of the United Kingdom
// collected in this TURN: none takes its IPCs twice of one power.
func (d *decision) takenOfOther(p purse) map[string]int {
	taken := map[string]int{}
	for _, e := range noted[*events.ConvoyDisrupted](d.deeds) {
		if other, ok := economyNamed(e.Victim); ok && p.economy != "" && other != p.economy {
			taken[e.Zone] += e.Damage
		}
	}
	return taken
}

// raiders are the warships in a sea zone that are at war with a power.
func (d *decision) raiders(victim, zone string) []Raider {
	var list []Raider
	for _, power := range d.Powers {
		if power == victim || !d.atWar(power, victim) {
			continue
		}
		for _, u := range d.unitsOf(power, zone) {
			if warship(u.Name) {
				list = append(list, Raider{zone, power, u.Name, u.Count, d.has(power, SuperSubmarines), true})
			}
		}
	}
	return list
}

// recordDisruptions records what each sea zone takes of each territory, and why.
func (d *decision) recordDisruptions(p purse, in ConvoyInput, ruling ConvoyRuling) {
	for _, x := range ruling.Disruptions {
		e := &events.ConvoyDisrupted{Victim: p.treasury, Territory: x.Territory, Zone: x.SeaZone,
			Potential: ruling.Potential[x.SeaZone], Damage: x.IPCs}
		for _, r := range in.Raiders {
			if r.SeaZone != x.SeaZone {
				continue
			}
			if each := r.takes(&d.Findings, in.Options); each > 0 { // by option a raider may take nothing
				e.Raiders = append(e.Raiders, events.Raid{Power: r.Power, Unit: r.Unit, Count: r.Count, Each: each})
			}
		}
		for _, t := range in.Territories {
			if t.Name == x.Territory {
				e.Worth = t.IPCValue
			}
		}
		d.Cite("G40-CONVOY-FLOW", "%s takes %d of %s, which is worth %d", x.SeaZone, x.IPCs, x.Territory, e.Worth)
		d.Record(p.power, e)
	}
}

// recordIncome adds the income up. Of the ruling on the convoys it carries what held the loss.
func (d *decision) recordIncome(p purse, base int, k collection, loss int, convoys []events.Citation) {
	inHand := d.Treasury(p.treasury)
	e := &events.IncomeCollected{Power: p.treasury, Base: base, Board: d.worth(p), Typed: k.Base != nil,
		Bonus: k.Objectives, Damage: min(loss, base)}
	for _, c := range convoys {
		if c.Rule == "G40-CONVOY-CAP" || c.Rule == "G40-UK-COLLECT" || c.Rule == "G40-CONVOY-FLOW" && loss == 0 {
			d.Derivation = append(d.Derivation, c)
		}
	}
	if p.economy != "" {
		got := CollectFor(&d.Findings, p.economy,
			Purse{TerritoryIncome: base, NationalObjectives: k.Objectives, ConvoyLosses: loss, Treasury: inHand})
		e.Net = got.Collected
	} else {
		e.Net = base + e.Bonus - e.Damage
		d.Cite("G40-CONVOY-FLOW",
			"%s collects %d of territories and %d of objectives, less %d lost to convoy disruptions: %d", p.power, base,
			e.Bonus, e.Damage, e.Net)
	}
	e.Treasury = inHand + e.Net
	d.Record(p.power, e)
}
