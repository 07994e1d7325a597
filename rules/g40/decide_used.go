package g40

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// What the ledger has reckoned, spent, lost or used in a TURN or ROUND no fact restates; of what was merely reported
// before, a fact that says otherwise is warned of. This file has one check for each kind of fact.

// booked are the treasuries that an event moves, beside a report.
func booked(p events.Payload) []string {
	switch p := p.(type) {
	case *events.IncomeCollected:
		return []string{p.Power}
	case *events.UnitsPurchased:
		if p.Cost > 0 {
			return []string{p.Power}
		}
	case *events.Compensated:
		if p.What == events.CompensatedTreasury {
			return []string{p.Of}
		}
	case *events.TerritoryCaptured: // a treasury that was empty was looted too
		if p.LootFrom != "" {
			return []string{p.LootFrom, p.LootTo}
		}
	}
	var list []string
	for _, m := range moves(p) {
		if m.IPCs > 0 {
			list = append(list, m.Treasury)
		}
	}
	return list
}

// reportTreasury reports what is in hand. In an exact edition no report restates a treasury in the ROUND in which it
// collected, paid, or was looted. Later on what was spent or taken beside the record is reported, and said to be
// another figure.
func (d *decision) reportTreasury(at, treasury string, ipcs int) {
	switch there := d.Treasury(treasury); {
	case !rules.Exact(d.Options) || ipcs == there:
	case d.spent[treasury]:
		todo := mendTreasury(treasury, ipcs-there)
		if ipcs < 0 { // no compensation makes a debt
			todo = "correct the entry that is wrong"
		}
		d.ViolateField(at, rules.Input, "%s has %d IPCs by what it collected, paid, took or lost in %s, not %d: %s",
			treasury, there, d.Turn.Label, ipcs, todo)
		return
	case d.booked[treasury] && ipcs > there: // less is what was spent at the table
		d.Warn("%s has %d IPCs by its incomes and payments on record, and %d from here on", treasury, there, ipcs)
	case ipcs < there && d.hasMoreUnspent(d.purse(treasury), ipcs):
		d.Warn("%s has %d IPCs on record, its last income among them, and had no TURN since to spend that: a capture "+
			"of its capital takes what it has (G40-UK-LOOT); if %d is wrong, undo this entry", treasury, there, ipcs)
	}
	d.ReportTreasury(at, treasury, ipcs)
}

// hasMoreUnspent reports whether a treasury has more than so many IPCs of its last income: its power had no TURN since,
// and no enemy holds its capital.
func (d *decision) hasMoreUnspent(p purse, ipcs int) bool {
	earned := d.wages[p.treasury]
	if earned.round+1 != d.Turn.Ordinal || p.power == d.Player || d.Over(p.power) {
		return false
	}
	for _, s := range d.Board.Spaces() {
		if owner, treasury, _ := d.riches(s); treasury == p.treasury && d.atWar(owner, d.holder(s)) {
			return false
		}
	}
	return max(0, ipcs) < earned.ipcs
}

// mendTreasury says how a treasury is put right that an entry has moved in the ROUND.
func mendTreasury(treasury string, by int) string {
	return "correct the entry that is wrong, or give or take what is beside the rules, {compensate: {treasury: {" +
		treasury + ": " + fmt.Sprint(by) + "}, reason: …}}"
}

// mayReport says how a treasury is put right that has less than is wanted of it.
func (d *decision) mayReport(treasury string, lacks int) string {
	if rules.Exact(d.Options) && d.spent[treasury] {
		return mendTreasury(treasury, lacks)
	}
	return "report facts: {treasury: {" + treasury + ": …}}"
}

// checkPeace refuses a report by which powers are at peace that fought each other in this TURN; before is the state
// without it.
func (d *decision) checkPeace(at string, before game) {
	for _, power := range before.fighting() {
		if before.atWar(power, d.Player) && !d.atWar(power, d.Player) {
			d.ViolateField(at, rules.Input, "%s and %s fought in this TURN of %s, by the entries on record: report "+
				"their peace in a later TURN, or undo what was declared", d.Player, power, d.Player)
			return
		}
	}
}

// checkPrice refuses another price for what was paid for in this ROUND.
func (d *decision) checkPrice(at, ware string, ipcs int) {
	for _, treasury := range d.purses() {
		p := d.purse(treasury)
		for _, x := range d.acts[treasury].Slice() {
			now := price{}
			switch e := x.(type) {
			case *events.UnitsPurchased:
				if countOf(e.Units, ware) > 0 {
					now = d.price(p, ware)
				}
			case *events.FacilityBuilt:
				if e.Cost > 0 && wareOf(e) == ware {
					now = d.price(p, ware)
				}
			case *events.FacilitiesRepaired:
				if ware == repairing && len(e.Repairs) > 0 {
					now = d.repairPrice(p, Facility(e.Repairs[0].Facility))
				}
			}
			if now.rule == "AMB-G40-9" && now.each != ipcs {
				d.ViolateField(at, rules.Input, "%s paid %d for %s in %s: report another price in a later ROUND, or "+
					"correct the fact or purchase that is wrong", treasury, now.each, ware, d.Turn.Label)
				return
			}
		}
	}
}

// purses are the treasuries of the powers that play.
func (g game) purses() []string {
	var list []string
	for _, p := range g.Powers {
		if p == g.united() {
			list = append(list, Europe.title(), Pacific.title())
		} else {
			list = append(list, p)
		}
	}
	return list
}

// checkForgotten refuses a report that leaves out a technology that its power used in this ROUND; of another it warns.
func (d *decision) checkForgotten(at, power string, names []string) {
	for _, t := range d.techs[power].Value {
		switch {
		case slices.Contains(names, t):
		case rules.Exact(d.Options) && d.used(power, Technology(t)):
			d.ViolateField(at, rules.Input, "%s used %s in %s: no technology is lost; if it never had it, correct the "+
				"fact that reported it", power, plainName(t), d.Turn.Label)
		default:
			d.Warn("%s has %s no more by this report, and no technology is lost; a fact that was wrong is corrected",
				power, plainName(t))
		}
	}
}

// used reports whether a power used a technology in this ROUND: in its own TURN, or in an income that its submarines
// disrupted.
func (g game) used(power string, t Technology) bool {
	switch t {
	case Rocketry:
		for _, at := range g.Board.Spaces() {
			if g.hasFired(power, at.Name) {
				return true
			}
		}
	case ImprovedShipyards:
		return slices.ContainsFunc(g.purses(), func(treasury string) bool {
			_, bought := g.acts[treasury].Find(func(x events.Payload) bool {
				e, ok := x.(*events.UnitsPurchased)
				return ok && countOf(e.Units, "cruiser") > 0
			})
			return bought && g.purse(treasury).power == power
		})
	case JetFighters, SuperSubmarines:
		return g.escorted(power) && t == JetFighters || g.disrupted(power) && t == SuperSubmarines
	}
	return false
}

// checkEconomy refuses to move a territory to the other economy in a ROUND in which its own has repaired, built or
// mobilized there, before both have collected.
func (d *decision) checkEconomy(at string, s board.Space, to Economy) {
	from := d.economyOf(s)
	if from == to || d.collected(d.united()) {
		return
	}
	for _, x := range d.acts[from.title()].Slice() {
		rule := ""
		switch e := x.(type) {
		case *events.FacilitiesRepaired:
			if slices.ContainsFunc(e.Repairs, func(r events.Repair) bool { return r.Territory == s.Name }) {
				rule = "G40-UK-SEPARATE"
			}
		case *events.FacilityBuilt:
			if e.Territory == s.Name {
				rule = "G40-UK-SEPARATE"
			}
		case *events.UnitsMobilized:
			if e.Complex == s.Name {
				rule = "G40-UK-MOBILIZE"
			}
		}
		if rule != "" {
			d.ViolateField(at, rule, "%s repaired, built or mobilized in %s in %s: report its economy once both have "+
				"collected, or correct those entries", from.title(), s.Name, d.Turn.Label)
			return
		}
	}
}

// checkStanding refuses a report without what was built, raided or repaired there, and warns of one that takes off
// damage that was reported, or that has stand there what was bought to be placed.
func (d *decision) checkStanding(at string, s board.Space, reported []events.Facility) {
	kinds := rules.Each(reported, func(f events.Facility) string { return Facility(f.Kind).kind() })
	damage := func(kind string) int {
		i := slices.Index(kinds, Facility(kind).kind())
		return reported[i].Damage
	}
	_, before := d.facilities[s.Name]
	var gone []string
	late := d.Player != "" && (before || d.attacking()) && rules.Exact(d.Options)
	for _, f := range d.standing(s) {
		kind := Facility(f.Kind)
		stays := slices.Contains(kinds, kind.kind())
		switch {
		case !stays && rules.Exact(d.Options) && d.operated(s, kind):
			d.ViolateField(at, rules.Input, "the %s in %s was used in this TURN of %s, by the entries on record: "+
				"name it too, or correct or undo those entries", kind.title(), s.Name, d.Player)
		case !stays && d.worked[siteOf(s.Name, f.Kind)] && rules.Exact(d.Options):
			d.ViolateField(at, "G40-SBR-AFTER", "the %s in %s stands by the raids, buildings and repairs on record: "+
				"name it too; if an entry was wrong, correct that entry", kind.title(), s.Name)
		case !stays && late && !d.bare(d.purse(d.holder(s))):
			gone = append(gone, one(kind.title()))
		case stays && kind == AirBase && d.Phase == phaseMove && d.leftFrom(s.Name) && damage(f.Kind) > f.Damage:
			d.Warn("aircraft scrambled from the air base in %s in this TURN, before any raid, and it has %d damage "+
				"from here on, not %d: correct the report before it, or undo this entry (G40-SCR-BASE)", s.Name,
				damage(f.Kind), f.Damage)
		case stays && before && damage(f.Kind) < f.Damage:
			d.Warn("the %s in %s had %d damage as reported, and has %d from here on: an entry repair takes damage off",
				kind.title(), s.Name, f.Damage, damage(f.Kind))
		}
	}
	if len(gone) > 0 {
		d.Warn("by the record there stood in %s %s, and no more by this report, in the TURN of %s: what stands, name "+
			"too (GEN-CARRY)", s.Name, words.And(gone), d.Player)
	}
	for _, f := range reported {
		kind := Facility(f.Kind)
		if _, stood := d.facility(s, kind); stood {
			continue
		}
		for _, treasury := range d.purses() {
			p := d.purse(treasury)
			left, _ := d.unplaced(p)
			bought := countOf(left, kind.ware()) > 0 || kind == MajorIC && countOf(left, upgrade) > 0
			if bought && p.power == d.holder(s) {
				d.Warn("%s has bought facilities in %s and not placed them; an entry build places them, and this "+
					"report places none", treasury, d.Turn.Label)
				return
			}
		}
		switch {
		case kind == MajorIC && d.minored[s.Name]:
			d.Warn("%s fell in this campaign, by a report, and no entry has built a major complex there since: "+
				"its original owner builds it, {build: {power: %s, territory: %s, facility: major ic}}; if it did not "+
				"fall, correct that report (G40-IC-REDUCE)", s.Name, d.original(s), s.Name)
		case late && (before || d.marks(kind)),
			d.Player != "" && kind.complex() && rules.Exact(d.Options):
			d.Warn("no entry has built the %s in %s: it stands by this report from here on, in the TURN of %s "+
				"(GEN-CARRY)", kind.title(), s.Name, d.Player)
		}
	}
}

// attacking reports whether an attack was declared in this TURN, and its combat may not be over.
func (d *decision) attacking() bool {
	return len(d.attackZones()) > 0 && (d.Phase == phaseMove || d.Phase == phaseCombat)
}

// marks reports whether the board has a kind of facility somewhere.
func (g game) marks(kind Facility) bool {
	return slices.ContainsFunc(g.Board.Spaces(), func(s board.Space) bool {
		return slices.ContainsFunc(facilitiesOf(s), func(f events.Facility) bool { return f.Kind == string(kind) })
	})
}

// operated reports whether aircraft scrambled from a base in this TURN, rockets were fired from it in this ROUND, or
// new units appeared at a complex.
func (d *decision) operated(s board.Space, kind Facility) bool {
	if kind == AirBase {
		return len(d.fired[s.Name].Slice()) > 0 || d.leftFrom(s.Name)
	}
	return kind.complex() && slices.ContainsFunc(d.purses(), func(treasury string) bool {
		_, used := d.acts[treasury].Find(func(x events.Payload) bool {
			e, ok := x.(*events.UnitsMobilized)
			return ok && e.Complex == s.Name
		})
		return used
	})
}

// reportSymbol reports whether a sea zone has a symbol that is printed on the board: not otherwise than it was used in
// this TURN, and with a warning otherwise than it was.
func reportSymbol(fact string) func(d *decision, at, zone string, n int) {
	return func(d *decision, at, zone string, n int) {
		z := d.At(zone)
		is, used := d.isConvoy(z), slices.ContainsFunc(noted[*events.ConvoyDisrupted](d.deeds),
			func(p *events.ConvoyDisrupted) bool { return p.Zone == z.Name })
		if fact == factKamikaze {
			is, used = d.hasSymbol(z), d.struckIn(z.Name)
		}
		switch {
		case is == (n > 0):
		case used && rules.Exact(d.Options):
			d.ViolateField(at, rules.Input, "the symbol of %s was used in this TURN of %s: if it has none, correct or "+
				"undo that entry", zone, d.Player)
		case is:
			d.Warn("%s has no %s symbol any more by this report; the board, or a fact before, has one there", zone,
				map[bool]string{true: "kamikaze", false: "convoy"}[fact == factKamikaze])
		}
		d.Record("", &events.FactReported{Fact: fact, Subject: zone, Number: n})
	}
}

// checkUnits refuses a report by which what the ledger lost in a space in this TURN stands there again, and warns of
// one that leaves out what it knows to be there.
func (d *decision) checkUnits(at string, p *events.UnitsReported) {
	known := d.wasReported(p.Power, p.Space)
	d.checkRaided(at, p)
	for _, kind := range unitNames() {
		n, there := countOf(p.Units, kind), countOf(d.unitsOf(p.Power, p.Space), kind)
		lost := d.lostIn(p.Power, p.Space, kind)
		flying := 0
		if aircraft(kind) && !d.hasLanded(p.Power, p.Space) {
			flying = countOf(d.flown(p.Power, p.Space), kind)
		}
		switch {
		case !rules.Exact(d.Options):
		case known && p.Power != d.Player && lost > 0 && n > there:
			d.ViolateField(at, "GEN-CARRY", "%s lost %s in %s in this TURN of %s, and has %s there, not %d: correct "+
				"the report before it if there were more", p.Power, counted(lost, kind), p.Space, d.Player,
				noneOr(there, kind), n)
			return
		case d.capturedNow(p.Space) && d.atWar(d.holder(d.At(p.Space)), p.Power) && n > flying:
			d.ViolateField(at, "GEN-CARRY", "%s was captured in this TURN of %s: nothing of %s stands there, but for "+
				"aircraft that have still to land", p.Space, d.Player, p.Power)
			return
		case n < flying:
			d.Warn("%s of %s that left %s in its defence in this TURN %s still to land: until then count them there",
				counted(flying, kind), p.Power, p.Space, words.Number(flying, "has", "have"))
		case n < d.appeared(p.Power, p.Space, kind):
			d.Warn("%s of %s appeared in %s in this TURN, and new units do not move in it",
				counted(d.appeared(p.Power, p.Space, kind), kind), p.Power, p.Space)
		}
	}
}

// appeared is how many units of a kind a power mobilized in a space in this ROUND and in its own TURN.
func (d *decision) appeared(power, space, kind string) int {
	n := 0
	for _, treasury := range d.purses() {
		for _, x := range d.acts[treasury].Slice() {
			if e, ok := x.(*events.UnitsMobilized); ok && power == d.Player && e.Power == power && e.Space == space {
				n += countOf(e.Units, kind)
			}
		}
	}
	return n
}

// checkRegained warns of reports by which a power whose TURN it is has more of a kind than it had, less what fell in
// this TURN. In its Conduct Combat no ship comes to where one sank: there an exact edition refuses such a report.
func (d *decision) checkRegained(at, power string, reports []*events.UnitsReported) {
	for _, kind := range unitNames() {
		lost, named, again := 0, 0, ""
		all := d.stock(force{power, kind}).all
		for _, l := range noted[*events.UnitsLost](d.deeds) {
			if l.Power == power {
				lost += countOf(l.Units, kind)
			}
		}
		for _, p := range reports {
			there := countOf(d.unitsOf(power, p.Space), kind)
			named += countOf(p.Units, kind)
			all += countOf(p.Units, kind) - there
			if d.lostIn(power, p.Space, kind) > 0 && countOf(p.Units, kind) > there {
				again = p.Space
			}
		}
		had, known := d.had(power, kind)
		had += d.accounted(power, kind)
		back := rules.Firm(d.Options) && had <= lost && slices.ContainsFunc(reports,
			func(p *events.UnitsReported) bool {
				return d.wasReported(power, p.Space) && countOf(p.Units, kind) > 0
			})
		switch {
		case !known || power != d.Player || lost == 0 || named == 0 || all <= had-lost:
		case d.survive(power, kind, all):
		case back && d.Phase == phaseCombat:
			d.ViolateField(at, "GEN-CARRY", "the last %s of %s that was reported fell in this TURN, and none comes "+
				"before the Noncombat Move: correct the report before it if there were more", kind, power)
		case again != "" && warship(kind) && d.Phase == phaseCombat && rules.Exact(d.Options):
			d.ViolateField(at, "GEN-CARRY", "%s lost %s in this TURN, and has %s in %s, where it sank: correct the "+
				"report before it if there were more, or report in one entry where those that are left came from",
				power, counted(lost, kind), noneOr(countOf(d.unitsOf(power, again), kind), kind), again)
		default:
			d.Warn("%s had %s, of which %d fell in this TURN; by this report it has %d", power, counted(had, kind),
				lost, all)
		}
	}
}

// checkRaided refuses a report by which fewer ships of a kind are left where they disrupted convoys in this TURN while
// the other economy of the United Kingdom has still to collect: each takes its IPCs once, and nothing moves in between.
func (d *decision) checkRaided(at string, p *events.UnitsReported) {
	for _, e := range noted[*events.ConvoyDisrupted](d.deeds) {
		victim, ok := economyNamed(e.Victim)
		if !ok || e.Zone != p.Space {
			continue
		}
		other := Europe
		if victim == Europe {
			other = Pacific
		}
		for _, r := range e.Raiders {
			if n := countOf(p.Units, r.Unit); r.Power == p.Power && n < r.Count && rules.Exact(d.Options) &&
				d.Player == d.united() && !slices.Contains(d.Collected, other.title()) && !d.heldByAxis(other) {
				d.ViolateField(at, "G40-UK-COLLECT", "%s of %s disrupted the convoys of %s in this TURN, where %d "+
					"would be left: report what moved once %s has collected too, or correct the report before",
					counted(r.Count, r.Unit), p.Power, p.Space, n, other.title())
				return
			}
		}
	}
}
