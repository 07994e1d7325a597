package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// reportControl reports who holds a territory. In an exact edition a report has the consequences of a capture for its
// complex, and pays nobody for a territory for which a friend has collected.
func (d *decision) reportControl(at, territory, holder string) {
	s, before := d.At(territory), d.game
	was := d.holder(s)
	d.ReportControl(at, territory, d.calledPower(holder))
	if d.Refused() || !rules.Exact(d.Options) {
		return
	}
	d.takeIn()
	now := d.holder(s)
	if now == was {
		return
	}
	d.warnOfFallen(s.Name, before.fallen(s.Name, now))
	d.checkLoot(at, s, was, now)
	d.checkPaid(at, s, was, now)
	for _, p := range noted[*events.TerritoryCaptured](d.deeds) {
		if p.Territory == s.Name && p.Holder == was && !d.friends(now, p.By) {
			d.ViolateField(at, rules.Input, "%s captured %s in this TURN, by the entry on record; if that is wrong, "+
				"correct or undo that entry", p.By, s.Name)
		}
	}
	if d.foreign(s, now) && d.complexOf(s) == MajorComplex {
		d.Cite("G40-IC-REDUCE", "%s holds %s, which was %s: its major industrial complex becomes a minor one", now,
			s.Name, possessive(d.original(s)))
		d.Record(now, &events.FacilitiesReported{Territory: s.Name,
			Facilities: facilitiesAfter(d.standing(s), s.Name, &events.TerritoryCaptured{Was: string(MajorIC),
				Complex: string(MinorIC)})})
		d.takeIn()
	}
}

// checkLoot warns of a capital that an enemy is reported to hold: what its treasury surrenders, a capture takes
// (G40-UK-LOOT). In the TURN of that enemy, when it can have been captured, a firm edition wants that of those that the
// text names.
func (d *decision) checkLoot(at string, s board.Space, was, now string) {
	if !d.atWar(was, now) {
		return
	}
	treasury, named := "", false
	for _, e := range []Economy{Europe, Pacific} {
		if c, ok := d.capitalOf(e); ok && c.Name == s.Name && was == d.united() {
			treasury, named = e.title(), true
		}
	}
	if treasury == "" && s.Capital != "" && d.Board.TablePower(s.Capital) == was {
		power, _ := PowerNamed(was)
		treasury, named = was, cities[power] != ""
	}
	n := d.Treasury(treasury)
	said := "%s keeps its %d IPCs by this report; a capture takes them, {capture: {territory: %s, by: %s}}"
	switch {
	case treasury == "" || n <= 0:
	case now == d.Player && named && rules.Firm(d.Options):
		d.ViolateField(at, "G40-UK-LOOT", said+"; if it fell before, report or compensate what is left of them first",
			treasury, n, s.Name, now)
	default:
		d.Warn(said+" (G40-UK-LOOT)", treasury, n, s.Name, now)
	}
}

// foreign reports whether a power that plays holds a territory that was another's at first.
func (g game) foreign(s board.Space, holder string) bool {
	return holder != g.original(s) && slices.Contains(g.Powers, holder)
}

// reducedBy are the territories that have no major complex, after an event: those that fell, until one is built there
// (G40-IC-REDUCE, G40-IC-RECAPTURE).
func (g game) reducedBy(p events.Payload) map[string]bool {
	switch p := p.(type) {
	case *events.TerritoryCaptured:
		return rules.Put(g.reduced, p.Territory, true)
	case *events.FactReported:
		if p.Fact != axisallies.FactControl || g.Board == nil {
			break
		}
		if s, err := g.Board.Territory(p.Subject); err == nil && g.foreign(s, g.holder(s)) {
			return rules.Put(g.reduced, s.Name, true)
		}
	case *events.FacilityBuilt:
		if p.Facility == string(MajorIC) {
			return rules.Put(g.reduced, p.Territory, false)
		}
	}
	return g.reduced
}

// paidBy are the territories for which a power collected in this ROUND, after an income of one of its purses.
func (g game) paidBy(p purse) map[string]string {
	paid := g.paid
	if g.Board == nil {
		return paid
	}
	for _, s := range g.territories(p) {
		if s.Production > 0 {
			paid = rules.Put(paid, s.Name, p.power)
		}
	}
	return paid
}

// checkPaid refuses a report that passes a territory to a friend of the power that collected for it in this ROUND, who
// has still to collect: none is collected for twice, but where an enemy took it in between. What goes back to its own
// power, as the text leaves open when, is heard (AMB-G40-10).
func (d *decision) checkPaid(at string, s board.Space, was, now string) {
	by, ok := d.paid[s.Name]
	if !ok || by == now || !d.friends(by, now) || d.atWar(was, now) || d.collected(now) || d.Over(now) {
		return
	}
	if now == d.original(s) {
		d.Warn("%s has collected for %s in %s, and %s will for its own too (AMB-G40-10)", by, s.Name, d.Turn.Label, now)
		return
	}
	d.ViolateField(at, rules.Input,
		"%s has collected for %s in %s: report it once %s has collected too, or correct that income; what an enemy "+
			"took in between, report as his first, or as captures", by, s.Name, d.Turn.Label, now)
}

// collected reports whether a power has collected all its income in this ROUND.
func (d *decision) collected(power string) bool {
	if power == d.united() {
		return slices.Contains(d.Collected, Europe.title()) && slices.Contains(d.Collected, Pacific.title())
	}
	return slices.Contains(d.Collected, power)
}
