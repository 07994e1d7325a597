package g40

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// A fact is as good as a capture where a territory changes hands. This file holds the one to what the other comes to:
// the money of a capital, one income a ROUND, and what the captor may take in its TURN at all.

// warnOfCapture warns of a capture that takes the money of a capital once more, or leaves it where it is, or by which a
// territory pays twice in a ROUND.
func (d *decision) warnOfCapture(p *events.TerritoryCaptured, s board.Space) {
	if !rules.Exact(d.Options) {
		return
	}
	owner, treasury, _ := d.riches(s)
	if n := d.Treasury(treasury); p.LootFrom == "" && n > 0 && d.falling(owner, p.From, p.By) {
		d.Warn("%s keeps its %d IPCs by this capture, for %s had %s: correct the report by which it had it "+
			"(G40-UK-LOOT)", treasury, n, cmp.Or(p.From, "nobody"), s.Name)
	}
	if p.LootFrom != "" && d.looted[s.Name] {
		d.Warn("%s fell before, and %s surrendered its IPCs: by the record nobody has freed it since but a report in "+
			"the TURN of its enemy; if it was not free, undo this entry and that report (G40-UK-LOOT)", s.Name,
			p.LootFrom)
	}
	if by, again := d.paidAlready(s, p.Holder); again && d.atWar(p.From, p.Holder) && !d.seized[s.Name] {
		d.warnPaidTwice(s, by, p.From, p.Holder)
	}
}

// checkLoot warns of a capital that an enemy is reported to hold: what its treasury surrenders, a capture takes
// (G40-UK-LOOT). In the TURN of that enemy, when it can have been captured, a firm edition wants that of those that the
// text names.
func (d *decision) checkLoot(at string, s board.Space, was, now string) {
	owner, treasury, named := d.riches(s)
	n := d.Treasury(treasury)
	if n <= 0 || !d.falling(owner, was, now) {
		return
	}
	enter := fmt.Sprintf("{capture: {territory: %s, by: %s}}", s.Name, now)
	switch {
	case was != owner:
		d.spared = append(d.spared, [2]string{treasury, ", for " + cmp.Or(was, "nobody") + " had " + s.Name +
			": correct the report by which it had it, and enter " + enter})
	case now == d.Player && named && rules.Firm(d.Options):
		d.ViolateField(at, "G40-UK-LOOT", "%s keeps its %d IPCs by this report; a capture takes them, %s; if it fell "+
			"before, report or compensate what is left of them first", treasury, n, enter)
	default:
		d.spared = append(d.spared, [2]string{treasury, "; a capture takes them, " + enter})
	}
}

// falling reports whether what is a power's goes to an enemy of it, and no enemy had it before.
func (g game) falling(owner, was, now string) bool {
	return g.atWar(owner, now) && !g.atWar(owner, was)
}

// riches gives the power whose capital a territory is, with its treasury, and whether the text names that capital;
// empty for none.
func (g game) riches(s board.Space) (owner, treasury string, named bool) {
	for _, e := range []Economy{Europe, Pacific} {
		if c, ok := g.capitalOf(e); ok && c.Name == s.Name {
			return g.united(), e.title(), true
		}
	}
	if s.Capital == "" {
		return "", "", false
	}
	owner = g.Board.TablePower(s.Capital)
	power, _ := PowerNamed(owner)
	return owner, owner, cities[power] != ""
}

// checkPaid refuses a report that passes a territory to a friend of the power that collected for it in this ROUND, who
// has still to collect: none is collected for twice, but where an enemy took it in between, of which it warns unless
// that is on record as a capture, seized. What goes back to its own power, as the text leaves open when, is heard
// (AMB-G40-10).
func (d *decision) checkPaid(at string, s board.Space, was, now string, seized bool) {
	by, again := d.paidAlready(s, now)
	switch {
	case !again || d.atWar(was, now) && seized:
	case d.atWar(was, now):
		d.warnPaidTwice(s, by, was, now)
	case now == d.original(s):
		d.Warn("%s has collected for %s in %s, and %s will for its own too (AMB-G40-10)", by, s.Name, d.Turn.Label, now)
	default:
		d.ViolateField(at, rules.Input, "%s has collected for %s in %s: report it once %s has collected too, or "+
			"correct that income; what an enemy took in between, report as his first, or as captures", by, s.Name,
			d.Turn.Label, now)
	}
}

// paidAlready gives the friend of a power that collected for a territory in this ROUND, where the power has still to
// collect.
func (d *decision) paidAlready(s board.Space, now string) (by string, again bool) {
	by, paid := d.paid[s.Name]
	return by, paid && by != now && d.friends(by, now) && !d.collected(now) && !d.Over(now)
}

// warnPaidTwice warns of a territory for which a second power will collect, where an enemy had it by a report.
func (d *decision) warnPaidTwice(s board.Space, by, enemy, now string) {
	d.Warn("%s has collected for %s in %s, and %s will too: %s had it in between by a report alone; if it did not, "+
		"correct that report (GEN-CARRY)", by, s.Name, d.Turn.Label, now, enemy)
}

// checkHanded refuses a report by which an enemy has what was captured in this TURN, and warns of one by which another
// has it than its captor or the power that it was freed for (GEN-CARRY).
func (d *decision) checkHanded(at string, s board.Space, was, now string) {
	var last *events.TerritoryCaptured
	for _, p := range noted[*events.TerritoryCaptured](d.deeds) {
		if p.Territory != s.Name {
			continue
		}
		if last = p; p.Holder == was && !d.friends(now, p.By) {
			d.ViolateField(at, rules.Input, "%s captured %s in this TURN, by the entry on record; if that is wrong, "+
				"correct or undo that entry", p.By, s.Name)
		}
	}
	freed := last != nil && now == d.original(s) && d.friends(now, last.By)
	switch {
	case last == nil || d.Refused() || freed || now == last.Holder:
	case now == last.By:
		d.Warn("%s freed %s for %s in this TURN, and has it by this report: what was %s goes back to it while its "+
			"capital is free (G40-UK-LIBERATE)", now, s.Name, last.Holder, possessive(last.Holder))
	default:
		d.Warn("%s captured %s in this TURN, and %s has it by this report, who neither took it nor had it freed: if "+
			"the capture is wrong, correct or undo that entry (GEN-CARRY)", last.By, s.Name, cmp.Or(now, "nobody"))
	}
}

// warnOfGift warns of a report by which nobody, or a friend, has what is a power's own, or a friend has what an enemy
// had of it while its capital is free: a friend controls only what it takes from an enemy who has the capital too
// (G40-UK-LIBERATE).
func (d *decision) warnOfGift(before game, s board.Space, was, now string) {
	t := &decision{game: before, Case: before.Case(d.Command, rules.NewHearing(nil, nil))}
	p := &events.TerritoryCaptured{Territory: s.Name, By: now, From: was}
	t.liberate(p, s)
	begun, owner := d.Player != "" || d.Turn.Ordinal > 1, d.original(s)
	gift := was == owner && d.friends(owner, cmp.Or(now, owner)) || p.Holder != now && d.atWar(was, now)
	if begun && gift && !d.Refused() && !d.capturedNow(s.Name) {
		d.Warn("%s is %s, whose it was at first, and %s has it by this report: an enemy takes it, or a friend from "+
			"an enemy who has the capital too; if that is not meant, undo this entry (G40-UK-LIBERATE)", s.Name,
			possessive(owner), cmp.Or(now, "nobody"))
	}
}

// warnAsCapture warns of a report by which a power has in its own TURN what it could not capture, for the reason for
// which the capture is refused.
func (d *decision) warnAsCapture(before game, s board.Space, was, now string) {
	if now != d.Player || d.friends(was, now) || d.Refused() {
		return
	}
	t := &decision{game: before, Case: before.Case(d.Command, rules.NewHearing(nil, nil)), asked: d.asked}
	t.checkAssault(now, s)
	t.strikesFirst()
	for _, v := range t.Violations {
		d.Warn("%s (%s)", v.Message, v.Rule)
	}
	for _, w := range t.Outcome().Warnings {
		d.Warn("%s", w)
	}
	d.asked = t.asked
}

// warnOfPeace warns of a report by which a power is at peace with those with whom it was at war: as the game begins
// facts say who is, and no text ends a war after that.
func (d *decision) warnOfPeace(power string, before game) {
	left := slices.DeleteFunc(slices.Clone(d.Powers), func(p string) bool {
		return !before.atWar(p, power) || d.atWar(p, power)
	})
	if len(left) > 0 && !d.Refused() && (d.Player != "" || d.Turn.Ordinal > 1) {
		d.Warn("%s was at war with %s, and is at peace from here on: neither attacks the other or disrupts its "+
			"income (G40-CONVOY-FLOW); if that is not meant, undo this entry", power, words.And(left))
	}
}

// handedBy notes after an event which capitals were looted and are not free since, by a capture or by a report in a
// TURN that is not an enemy's, and which territories their holders have by a capture.
func (g game) handedBy(p events.Payload) game {
	territory, by := "", events.TerritoryCaptured{}
	switch p := p.(type) {
	case *events.TerritoryCaptured:
		territory, by = p.Territory, *p
	case *events.FactReported:
		if p.Fact == axisallies.FactControl {
			territory = p.Subject
		}
	}
	if territory == "" || g.Board == nil {
		return g
	}
	s := g.At(territory)
	owner, _, _ := g.riches(s)
	free := g.friends(owner, g.holder(s)) && (by.By != "" || !g.atWar(owner, g.attacker))
	if looted := by.LootFrom != "" || g.looted[s.Name] && !free; looted != g.looted[s.Name] {
		g.looted = rules.Put(g.looted, s.Name, looted)
	}
	if seized := by.By != ""; seized != g.seized[s.Name] {
		g.seized = rules.Put(g.seized, s.Name, seized)
	}
	return g
}
