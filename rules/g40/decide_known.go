package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
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
	d.checkLoot(at, s, was, now)
	d.checkPaid(at, s, was, now, before.seized[s.Name])
	d.checkHanded(at, s, was, now)
	d.warnOfGift(before, s, was, now)
	d.warnAsCapture(before, s, was, now)
	if d.foreign(s, now) && d.complexOf(s) == MajorComplex {
		d.Cite("G40-IC-REDUCE", "%s holds %s, which was %s: its major industrial complex becomes a minor one", now,
			s.Name, possessive(d.original(s)))
		d.Record(now, &events.FacilitiesReported{Territory: s.Name,
			Facilities: facilitiesAfter(d.standing(s), s.Name, &events.TerritoryCaptured{Was: string(MajorIC),
				Complex: string(MinorIC)})})
		d.takeIn()
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
	case *events.FacilityBuilt:
		if p.Facility == string(MajorIC) {
			return rules.Put(g.reduced, p.Territory, false)
		}
	}
	return g.reduced
}

// minoredBy are the territories that a report has fall with a major complex, after an event, until one is built there:
// who holds what was another's has none (G40-IC-REDUCE).
func (g game) minoredBy(p events.Payload) map[string]bool {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		major := func(f events.Facility) bool { return f.Kind == string(MajorIC) }
		if g.Board == nil || !slices.ContainsFunc(g.facilitiesIn(p.Territory), major) ||
			slices.ContainsFunc(p.Facilities, major) {
			return g.minored
		}
		if s, err := g.Board.Territory(p.Territory); err == nil && g.foreign(s, g.holder(s)) {
			return rules.Put(g.minored, p.Territory, true)
		}
	case *events.FacilityBuilt:
		if p.Facility == string(MajorIC) {
			return rules.Put(g.minored, p.Territory, false)
		}
	}
	return g.minored
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

// collected reports whether a power has collected all its income in this ROUND.
func (d *decision) collected(power string) bool {
	if power == d.united() {
		return slices.Contains(d.Collected, Europe.title()) && slices.Contains(d.Collected, Pacific.title())
	}
	return slices.Contains(d.Collected, power)
}
