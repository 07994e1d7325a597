package g40

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// captureEntry is an entry of a territory that falls.
type captureEntry struct {
	By        string `json:"by" is:"power"`
	Territory string `json:"territory" is:"territory"`
	IPCs      *int   `json:"ipcs" doc:"taken with a capital of which the text says nothing"`
}

// capture records that a territory falls: to whom it goes, what becomes of its complex, and where a
// capital's money goes.
func (d *decision) capture(e captureEntry) {
	by, s := e.By, d.At(e.Territory)
	from := d.holder(s)
	if from != by && slices.Contains(d.Powers, from) && !d.atWar(by, from) {
		d.Unreported("capture.territory", rules.Input,
			"%s holds %s and is not at war with %s; if it is, report facts: {at war: {%s: [%s]}}", from, s.Name, by, by,
			from)
		return
	}
	p := &events.TerritoryCaptured{Territory: s.Name, By: by, From: from}
	d.reduce(p, s)
	d.liberate(p, s)
	if d.Refused() || !d.loot(p, s, e.IPCs) || !d.lootAgrees(p, e.IPCs) {
		return
	}
	d.checkAssault(by, s)
	d.warnOfCapture(p, s)
	entrusted := d.entrusted(p, s)
	if d.Refused() || len(entrusted) > 0 &&
		!OptionList().Settled(d.Hearing, d.Command, d.Options, OptionTemporaryControl) {
		return
	}
	if d.fight(by, rules.Input) {
		d.Record(by, p)
		d.giveBack(p, entrusted)
	}
}

// checkAssault forbids to capture what was not attacked before a scramble (G40-SCR-TIME), or where nothing can have
// landed (G40-SUB-UNLOAD), and warns of strikes not made, and AA guns that have not fired (G40-KAM-WHEN, G40-AA-ONCE).
func (d *decision) checkAssault(by string, s board.Space) {
	if by == d.Player && d.excluded(s.Name) {
		d.forbid("capture.territory", "G40-SCR-TIME", neverAttacked, s.Name)
	}
	d.checkLanding(by, s)
	d.warnOfStrikes(by, s)
	if by == d.Player {
		d.warnOfGuns(s.Name)
	}
}

// neverAttacked says why a territory is not attacked in a TURN.
const neverAttacked = "no attack on %s was declared in this TURN, and after a scramble none is: if it was made, undo " +
	"what was entered since, and declare it before"

// excluded reports whether a territory was not attacked when aircraft scrambled in this TURN (G40-SCR-TIME).
func (c combat) excluded(territory string) bool { return c.scrambling() && !c.attackedAt(territory) }

// causeCapture is what the defenders of a captured territory are lost to.
const causeCapture = "an enemy capture"

// fallen is what the captor's enemies lose with a territory (GEN-CARRY): it falls when none of them is left there.
// Aircraft that scrambled or intercepted have still to land (G40-SCR-LAND). Older editions keep them.
func (g game) fallen(territory, by string) []*events.UnitsLost {
	if !rules.Strict(g.Options) {
		return nil
	}
	var list []*events.UnitsLost
	for _, power := range g.enemiesIn(territory, by) {
		left := g.unitsOf(power, territory)
		if by == g.attacker && !g.hasLanded(power, territory) {
			left = muster(left, g.flown(power, territory), -1)
		}
		if len(left) > 0 {
			list = append(list, &events.UnitsLost{Power: power, Space: territory, Units: left, Cause: causeCapture})
		}
	}
	return list
}

// falls is what is lost by an event with a territory: one that is captured, or in an exact edition is reported to be
// in other hands.
func (g game) falls(p events.Payload) []*events.UnitsLost {
	switch p := p.(type) {
	case *events.TerritoryCaptured:
		return g.fallen(p.Territory, p.By)
	case *events.FactReported:
		if p.Fact != axisallies.FactControl || len(p.Names) == 0 || g.Board == nil || !rules.Exact(g.Options) {
			break
		}
		now := p.Names[0]
		if isPacific(now) {
			now = g.united()
		}
		if s, err := g.Board.Territory(p.Subject); err == nil && g.holder(s) != now {
			return g.fallen(s.Name, now)
		}
	}
	return nil
}

// lose takes off the board what is lost by an event.
func (g game) lose(index uint64, lost *events.UnitsLost) game {
	g.units = enter(g.units, index, lost, posts(lost))
	return g
}

// reduce makes a major complex a minor one (G40-IC-REDUCE).
func (d *decision) reduce(p *events.TerritoryCaptured, s board.Space) {
	in := ComplexInput{Action: CaptureComplex, Territory: s.Name, By: p.By, OriginalOwner: d.original(s),
		Controller: p.From, Complex: d.complexOf(s)}
	out, found := IndustrialComplex(in)
	if in.Complex == NoComplex {
		found.Derivation = nil
	}
	d.Add(found)
	kinds := map[Size]Facility{MinorComplex: MinorIC, MajorComplex: MajorIC}
	p.Was, p.Complex = string(kinds[in.Complex]), string(kinds[out.Complex])
}

// liberate gives a territory back to an ally whose it was, unless that ally's capital is in enemy
// hands: then the captor takes control (G40-UK-LIBERATE).
func (d *decision) liberate(p *events.TerritoryCaptured, s board.Space) {
	p.Holder = p.By
	owner := d.original(s)
	q, known := PowerNamed(owner)
	captor, _ := PowerNamed(p.By)
	if owner == p.By || !known || q.Axis() != captor.Axis() {
		return
	}
	if owner == d.united() {
		e := d.economyOf(s)
		capital, _ := d.capitalOf(e)
		if d.heldByAxis(e) && capital.Name != s.Name {
			d.Cite("G40-UK-LIBERATE",
				"%s was the United Kingdom's, but the Axis holds %s: %s takes control of it for now", s.Name,
				e.capital(), p.By)
			return
		}
		p.Holder = owner
		return
	}
	if lost, ok := d.CapitalLost(owner); !ok || lost.Name == s.Name {
		p.Holder = owner
	}
}

// entrusted are the territories that go back to a power as its capital is free: those that were its own at first, for
// the United Kingdom under the capital's economy, and are in the hands of an ally since (G40-UK-LIBERATE, AMB-G40-10).
func (d *decision) entrusted(p *events.TerritoryCaptured, s board.Space) []board.Space {
	if !d.frees(p, s) {
		return nil
	}
	var list []board.Space
	for _, t := range d.Board.Spaces() {
		_, changed := d.Control[t.Name] // what an ally has had from the beginning stays with it
		if holder := d.holder(t); changed && holder != p.Holder && d.original(t) == p.Holder &&
			d.friends(holder, p.Holder) && (p.Holder != d.united() || d.economyOf(t) == d.economyOf(s)) {
			list = append(list, t)
		}
	}
	return list
}

// frees reports whether a territory is a capital that falls to its own power, and no other of its capitals is lost.
func (d *decision) frees(p *events.TerritoryCaptured, s board.Space) bool {
	if p.Holder == d.united() {
		capital, ok := d.capitalOf(d.economyOf(s))
		return ok && capital.Name == s.Name
	}
	for _, t := range d.Board.Spaces() {
		own := t.Capital != "" && d.Board.TablePower(t.Capital) == p.Holder
		if own && t.Name != s.Name && d.holder(t) != p.Holder {
			return false
		}
	}
	return s.Capital != "" && d.Board.TablePower(s.Capital) == p.Holder
}

// giveBack ends the temporary control of allies, by the campaign's reading.
func (d *decision) giveBack(p *events.TerritoryCaptured, entrusted []board.Space) {
	if d.Options[OptionTemporaryControl] != "returned" {
		return
	}
	for _, t := range entrusted {
		d.Cite("G40-UK-LIBERATE", "%s held %s for %s while the enemy had %s", d.holder(t), t.Name, p.Holder,
			p.Territory)
		d.Cite("AMB-G40-10", "%s is free: %s goes back to %s", p.Territory, t.Name, p.Holder)
		d.Record(p.Holder, &events.FactReported{Fact: axisallies.FactControl, Subject: t.Name,
			Names: []string{p.Holder}})
	}
}

// loot says where the money of a capital goes.
func (d *decision) loot(p *events.TerritoryCaptured, s board.Space, given *int) bool {
	if p.Holder != p.By {
		return true // liberated
	}
	for _, e := range []Economy{Europe, Pacific} {
		if c, ok := d.capitalOf(e); ok && c.Name == s.Name && p.From == d.united() {
			return d.takeCapital(p, purse{e.title(), p.From, e}, e.capital())
		}
	}
	owner := d.Board.TablePower(s.Capital)
	if s.Capital == "" || owner != p.From {
		return true
	}
	named, _ := PowerNamed(owner)
	if city, ok := cities[named]; ok {
		return d.takeCapital(p, purse{owner, owner, ""}, city)
	}
	if given == nil {
		d.ViolateField("capture.ipcs", rules.Input,
			"%s is the capital of %s, of which this text says nothing: give what %s takes, ipcs: %d", s.Name, owner,
			p.By, max(0, d.Treasury(owner)))
		return false
	}
	if *given > d.Treasury(owner) || *given < 0 {
		d.ViolateField("capture.ipcs", rules.Input, "%s has %d IPCs: %d cannot be taken", owner, d.Treasury(owner),
			*given)
		return false
	}
	p.Capital, p.LootFrom, p.Loot, p.LootTo = owner, owner, *given, p.By
	if p.By == d.united() {
		p.LootTo = d.economyOf(s).title()
	}
	return true
}

// lootAgrees refuses IPCs that are given where none are taken, or others are.
func (d *decision) lootAgrees(p *events.TerritoryCaptured, given *int) bool {
	switch {
	case given == nil || *given == p.Loot:
	case p.LootFrom == "":
		d.ViolateField("capture.ipcs", rules.Input, "no capital falls in %s, so no IPCs are taken: leave ipcs out",
			p.Territory)
	default:
		todo := fmt.Sprintf("report facts: {treasury: {%s: %d}} before", p.LootFrom, *given)
		if rules.Exact(d.Options) && d.spent[p.LootFrom] { // a report is refused there
			todo = "correct what is wrong of its treasury"
		}
		d.ViolateField("capture.ipcs", rules.Input,
			"%s surrenders the %d IPCs that it has, not %d: leave ipcs out, or %s", p.LootFrom, p.Loot, *given, todo)
	}
	return !d.Refused()
}

// takeCapital takes the treasury of one of the five capitals that the text names (G40-UK-LOOT,
// G40-UK-AXIS-CAPITAL).
func (d *decision) takeCapital(p *events.TerritoryCaptured, loser purse, city string) bool {
	in := CaptureInput{Captured: plainName(city), By: p.By, IPCs: max(0, d.Treasury(loser.treasury)),
		EuropeTreasury: max(0, d.Treasury(Europe.title())), PacificTreasury: max(0, d.Treasury(Pacific.title()))}
	out, found := CaptureCapital(in)
	d.Add(found)
	p.Capital, p.LootFrom, p.Loot, p.LootTo = loser.treasury, loser.treasury, out.IPCs, out.To
	if e, ok := economyNamed(out.To); ok {
		p.LootTo = e.title()
	}
	return !d.Refused()
}
