package eots

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// warnOfGain warns of a base's hex that is reported as Japan's when nothing that the text knows gives it to Japan.
func (d *decision) warnOfGain(hex string, words []string) {
	timely := d.begins() || d.phase == phaseOffensive || d.phase == phasePolitical
	if timely || !slices.Contains(words, wordEnemy) || d.is(hex, wordEnemy) || !d.hex(hex, "").HoldsSubBase {
		return
	}
	then := ""
	if d.phase == "" && d.turn.Ordinal != d.first {
		then = "; if it was in the last Political phase, the base makes its emergency move before a phase of this " +
			"turn begins"
	}
	d.Warn("Japan gains the hex of a Sub Base in an offensive or in the Political phase, and %s is reported now: "+
		"if it is a slip, correct it%s (EOTS-11.21.E-1)", hex, then)
}

// warnOfStart warns as the first phase of a campaign begins of a base that still stands in a hex of Japan's.
func (d *decision) warnOfStart() {
	for _, b := range d.bases {
		if d.exact() && d.phase == "" && d.turn.Ordinal == d.first && b.hex != "" && d.is(b.hex, wordEnemy) {
			d.Warn("%s is reported as Japan's, and %s stands there from the first turn on: unless the set-up has it "+
				"so, undo this entry, and correct the report or enter the emergency move (EOTS-11.21.E-1)", b.hex,
				b.name)
		}
	}
}

// checkTerrain: ports, airfields and coasts are printed on the map. One reported as Japan's may have been named
// without them. What let a Sub Base be placed there stays as it was reported.
func (d *decision) checkTerrain(field, hex string, words []string) {
	const rule, text = "EOTS-11.21.C-SPACE",
		"%s is on the map or it is not: %s was reported otherwise before, and now %s; correct the report that is wrong"
	if !d.is(hex, wordFriendly) || !slices.Contains(words, wordFriendly) {
		return
	}
	differ := slices.DeleteFunc(ground(), func(word string) bool {
		return d.is(hex, word) == slices.Contains(words, word)
	})
	for _, word := range differ {
		if slices.Contains(d.ground[hex], word) && !slices.Contains(words, word) {
			d.forbid(field, rule, text+": a Sub Base was placed there by it", word, hex, "without it")
			return
		}
	}
	switch {
	case len(differ) == 0:
	case d.is(hex, differ[0]):
		d.Warn(text+" (%s)", differ[0], hex, "without it", rule)
	default:
		d.Warn(text+" (%s)", differ[0], hex, "with it", rule)
	}
}

// checkPlace: an HQ stands in one hex, and so its distances from two hexes fit what is known of how far those are
// apart.
func (d *decision) checkPlace(field, name string, from rules.Mapping[int], rule string) {
	for i, a := range from {
		for _, b := range from[:i] {
			apart, known := d.between(a.Name, b.Name)
			if known && (apart > a.Value+b.Value || apart < max(a.Value-b.Value, b.Value-a.Value)) {
				d.forbid(field, rule, "%s is not %d hexes from %s and %d from %s, which are %d apart, as was "+
					"reported: correct the report that is wrong", name, b.Value, b.Name, a.Value, a.Name, apart)
				return
			}
		}
	}
}

// checkJapaneseHQs holds the distances that one entry gives of a Japanese HQ to each other. Those of two entries may
// be of two hexes.
func (d *decision) checkJapaneseHQs(given rules.Mapping[slocEntry]) {
	var names []string
	from := map[string]rules.Mapping[int]{}
	for _, about := range given {
		if about.Value.HQs == nil {
			continue
		}
		for _, q := range *about.Value.HQs {
			key := d.hqKey(q.Name)
			if _, there := from[key]; !there {
				names = append(names, d.spelt(q.Name))
			}
			from[key] = append(from[key], rules.Member[int]{Name: about.Name, Value: q.Value})
			if q.Value == 0 && d.holds(about.Name) {
				d.Warn("%s is reported in %s, where a Sub Base stands: a Japanese HQ stands in a hex of Japan's "+
					"(EOTS-11.22.C-4)", d.spelt(q.Name), about.Name)
			}
		}
	}
	for _, name := range names {
		d.checkPlace("facts."+factSLOC, name, from[d.hqKey(name)], "EOTS-11.22.C-4")
	}
}

// checkDraw: once the card draw phase is passed over, nothing is left for this turn's successes to cut.
func (d *decision) checkDraw(phase string) {
	past := slices.Index(phases(), d.phase) > slices.Index(phases(), phaseDraw)
	ahead := phase == "" || slices.Index(phases(), phase) > slices.Index(phases(), phaseDraw)
	if !d.exact() || d.successes == 0 || d.drew || past || !ahead {
		return
	}
	mend := fmt.Sprintf("make it good, compensate: {cards: {Japan: -%d}, reason: …}", d.successes)
	switch {
	case rules.Firm(d.options): // a correction may find it too late for a draw
		mend = "write card draw: 7, say, or correct the success; where a correction says this, keep the entry and " +
			mend
	case phase != "": // a turn that has begun stays begun
		mend = "undo this entry, or " + mend
	}
	d.forbid("", "EOTS-11.23-1", "submarine warfare cuts the Japanese draw of %s by %d, and no draw is recorded: card "+
		"draw comes first; %s", d.turn.Label, d.successes, mend)
}

// warnOfDue: a base that is due in this turn's Reinforcement Phase is placed before another phase begins, or a turn
// (EOTS-11.21.B-3, D-6).
func (d *decision) warnOfDue(phase string) {
	if phase == phaseReinforcement || d.phase != "" && d.phase != phaseReinforcement {
		return
	}
	for _, b := range d.bases {
		rule := "EOTS-11.21.D-6"
		if d.changed == d.turn.Ordinal && b.name == Lockwood {
			rule = "EOTS-11.21.B-3"
		}
		if b.hex == "" && b.returns == d.turn.Ordinal {
			d.Warn("%s is due in the Reinforcement Phase of %s, which ends by this: if it has a legal hex, undo this "+
				"entry, and place it first (%s)", b.name, d.turn.Label, rule)
		}
	}
}

// checkRuling: the dice of a segment are read alike (11.22.A). An option that was asked has not been read yet.
func (d *decision) checkRuling() {
	under := d.exact() && len(d.rolled) > 0 && d.phase == phaseWarfare && slices.ContainsFunc(d.bases, d.waits)
	for _, x := range d.Outcome().Drafts {
		p, is := x.Payload.(*events.OptionRuled)
		if is && under && p.Was != rules.Ask && p.Was != p.Value && p.Option != "card_again" {
			d.forbid("rule", "EOTS-11.22.A-5", "%s rolled with %s as %s, and the dice of one segment are read alike: "+
				"rule once it is over, or undo that roll and rule before it", strings.Join(d.rolled, " and "), p.Option,
				p.Was)
		}
	}
}

// waits reports whether a base may still roll its die in this turn's segment.
func (d *decision) waits(b base) bool {
	return b.hex != "" && b.atStart && !slices.Contains(d.rolled, b.name) &&
		slices.Contains(Conducting(d.number()), b.name)
}

// warnOfPorts warns of home island ports, which are Japan's, where a Sub Base or an American HQ stands.
func (d *decision) warnOfPorts(given rules.Mapping[slocEntry]) {
	for _, about := range given {
		for _, port := range about.Value.Ports {
			hq := slices.ContainsFunc(d.hqs, func(q events.HeadquartersReported) bool { return q.Hex == port.Name })
			if hq || d.hex(port.Name, "").HoldsSubBase {
				d.Warn("%s is reported as a port of Japan's home islands, and a Sub Base or an American HQ stands "+
					"there: correct what is wrong (EOTS-11.22.C-1)", port.Name)
				return
			}
		}
	}
}

// checkDouble: two HQs that are as far from two hexes or more may be one under two names; in hexes that are known they
// are not. Of another range it is warned of.
func (d *decision) checkDouble(field string, p *events.HeadquartersReported) {
	for _, other := range d.hqs {
		gone := other.Range != p.Range && (d.gone(other) || d.gone(*p))
		if d.sameHQ(other.Name, p.Name) || gone || other.Hex != "" && p.Hex != "" {
			continue
		}
		same, near, differ := 0, false, false
		for _, far := range p.Distances {
			n, known := d.away(other, far.Hex)
			same += once(known)
			near = near || known && n <= halfRange(max(p.Range, other.Range))
			differ = differ || known && n != far.Hexes
		}
		switch {
		case same < 2 || !near || differ:
		case other.Range != p.Range:
			d.Warn("%s has the distances of %s, and a range of %d where that has %d: if they are one HQ, it is "+
				"reported by one name; if not, with the hex of each (EOTS-11.21.C-UNIQUE)", p.Name, other.Name, p.Range,
				other.Range)
		default:
			d.forbid(field, "EOTS-11.21.C-UNIQUE", "%s has the range of %s and its distances: if they are one HQ, it "+
				"is reported by one name; if not, with the hex of each", p.Name, other.Name)
			return
		}
	}
}

// warnOfLanding warns of a base that comes to a hex where a Japanese HQ, or a port of Japan's home islands, was
// reported.
func (d *decision) warnOfLanding(name, hex string) {
	if !d.exact() {
		return
	}
	for _, t := range d.targets[hex].Targets {
		if t.Kind == string(JapaneseHQ) && t.Distance == 0 {
			d.Warn("%s was reported in %s, where %s is now: a Japanese HQ stands in a hex of Japan's (EOTS-11.22.C-4)",
				t.Name, hex, name)
		}
	}
	if d.homePort(hex) {
		d.Warn("%s was reported as a port of Japan's home islands, and %s is there now: correct what is wrong "+
			"(EOTS-11.22.C-1)", hex, name)
	}
}

// warnOfHomePorts warns of American HQs in hexes that were reported as home island ports before.
func (d *decision) warnOfHomePorts(given rules.Mapping[hqEntry]) {
	for _, m := range given {
		if hex := string(m.Value.Hex); d.exact() && d.homePort(hex) {
			d.Warn("%s was reported as a port of Japan's home islands, and %s is reported there: correct what is "+
				"wrong (EOTS-11.22.C-1)", hex, d.spelt(m.Name))
		}
	}
}

// homePort reports whether a hex was reported as a port of Japan's home islands.
func (d *decision) homePort(hex string) bool {
	return slices.ContainsFunc(slices.Sorted(maps.Keys(d.targets)), func(about string) bool {
		return slices.ContainsFunc(d.targets[about].Targets, func(t events.Target) bool {
			return t.Kind == string(HomeIslandPort) && t.Name == hex
		})
	})
}

// warnOfUntold: an entry moved a number, and its report was ruled void since.
func (d *decision) warnOfUntold(fact string) {
	if d.untold[fact] {
		rule := map[string]string{factASPs: "EOTS-11.23-3", factChina: "EOTS-11.24.A-4"}[fact]
		d.Warn("no report of %s stands any more, and %d count: report what is left of them, facts: {%s: 5}, say (%s)",
			fact, d.figures[fact], fact, rule)
	}
}

// warnOfCap: the last of a number are not taken (EOTS-11.23-7, EOTS-11.24.A-5). Where that has held a result, more of
// them in the same turn say that it should not have.
func (d *decision) warnOfCap(fact string, n int) {
	if !d.exact() || d.untold[fact] || d.capped[fact] != d.turn.Ordinal || n <= d.figures[fact] {
		return
	}
	rule := map[string]string{factASPs: "EOTS-11.23-7", factChina: "EOTS-11.24.A-5"}[fact]
	d.Warn("%s counted as %d this turn, of which none might be taken, and are %d now: if the former report is wrong, "+
		"correct it (%s)", fact, d.figures[fact], n, rule)
}

// warnOfSum: a marker that was reported at −5 left the sum below it, which card 37 or 38 raises (EOTS-11.22.B-2,
// AMB-EOTS-3).
func (d *decision) warnOfSum(card int) {
	sum := d.swm.sum(&rules.Findings{})
	then, marker := max(lowestSWM, sum+escortSWM), lowestSWM+escortSWM
	if d.exact() && d.stopped && sum < lowestSWM {
		d.Warn("the ledger goes on with the sum, %+d: card %d makes %+d of it, where a marker moves to %+d; whoever "+
			"plays by the marker makes it good behind the card, compensate: {swm: %d, reason: …} (AMB-EOTS-3)",
			sum, card, then, marker, marker-then)
	}
}
