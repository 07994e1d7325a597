package awaw

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// flotilla is what fights in an SW box in the campaign of a side's submarines: they, or the ASW against them; those of
// one power, or without one whichever fought last.
type flotilla struct{ box, campaign, kind, of string }

// strength is how many factors fought last, how many the opponent's roll on 24.62 left of them by its first number,
// that number, and the power whose figures counted.
type strength struct {
	turn, of      string
	factors, left int
	first         int
}

// takeLosses notes how many factors fought in a box, and the first number of the opponent's result against them.
func (g game) takeLosses(p *events.ResultAdjudicated, campaign string) game {
	if len(p.Readings) != 2 {
		return g
	}
	for i, r := range p.Readings {
		s := strength{turn: g.turn.Label, of: []string{p.Attacker, p.Defender}[i], factors: r.Factors,
			left: max(0, r.Factors-p.Readings[1-i].First), first: p.Readings[1-i].First}
		g.left = rules.Put(g.left, flotilla{p.Subject, campaign, r.Name, ""}, s)
		g.left = rules.Put(g.left, flotilla{p.Subject, campaign, r.Name, s.of}, s)
	}
	return g
}

// makeGood adds factors to the one flotilla of the kind in a box. Where two sides have some the compensation does not
// say whose they are.
func (g game) makeGood(p *events.Compensated) game {
	var of []flotilla
	for _, f := range Factions() {
		x := flotilla{p.Of, f.Title(), p.Subject, ""}
		if _, fought := g.left[x]; fought {
			of = append(of, x)
		}
	}
	if len(of) == 1 {
		for _, power := range append([]string{""}, powerTitles()...) { // whose they are the compensation does not say
			x := of[0]
			x.of = power
			if s, fought := g.left[x]; fought {
				s.left = max(0, s.left+p.By)
				g.left = rules.Put(g.left, x, s)
			}
		}
	}
	return g
}

// warnOfMore warns of more factors made good than the last combat in a box took.
func (d *decision) warnOfMore(b Box, kind string, n int) {
	for _, f := range Factions() {
		if s, known := d.leftOf(b, f, kind); known && s.left+n > s.factors {
			d.Warn("the combat of %s in the %s box left %d of %d factors of %s; with %d more there are more than "+
				"fought", s.turn, b.Name(), s.left, s.factors, kind, n)
		}
	}
}

// eliminates reports whether the campaign reads the first number of 24.62 as factors eliminated (AMB-AWAW-5).
func (g game) eliminates() bool { return g.options["result_meaning"] == "eliminated_inverted" }

// leftOf gives what is left of the last combat in a box, where that is known.
func (d *decision) leftOf(box Box, side Faction, kind string) (strength, bool) {
	s, fought := d.left[flotilla{box.Name(), side.Title(), kind, ""}]
	return s, fought && d.carries() && d.eliminates()
}

// strengthOf gives the factors of a kind that fight in a box: those of the entry, else those that are left there.
func (d *decision) strengthOf(e submarineEntry, side Faction, kind string, given *int) (int, bool) {
	s, known := d.leftOf(e.Box, side, kind)
	if given == nil && !known {
		d.ViolateField("submarine warfare."+kind, rules.Input,
			"give the factors of both sides: submarines: …, asw: …")
		return 0, false
	}
	return or(given, s.left), true
}

// fightOn wants no more to fight once more in a turn than the combat before left in the box (24.62-A). What the numbers
// of a result do is the campaign's reading (AMB-AWAW-5): where the first is no loss as many may fight on as fought.
// Those of another power are others, and for those that joined the umpire compensates. Where none fought the first may
// come.
func (d *decision) fightOn(in SubmarineWarfareInput, powers [2]Power) bool {
	for i, now := range []int{in.SubmarineFactors, in.ASWFactors} {
		kind := factorKinds()[i]
		of := powers[i].Title()
		s, fought := d.left[flotilla{in.Box.Name(), in.Submarines.Title(), kind, of}]
		last := d.left[flotilla{in.Box.Name(), in.Submarines.Title(), kind, ""}]
		if !fought || s.factors == 0 || s.turn != d.turn.Label || !d.firm() {
			continue
		}
		most := s.left
		if _, known := d.leftOf(in.Box, in.Submarines, kind); !known {
			most += min(s.first, s.factors)
		}
		switch {
		case now <= most:
		case last.of != of: // another power fought in between
			d.Warn("%d factors of %s of %s fight in the %s box, and of the %d that fought there in this turn %d at "+
				"most fight on (AWAW-24.62-A)", now, kind, of, in.Box.Name(), s.factors, most)
		default:
			d.ViolateField("submarine warfare."+kind, "AWAW-24.62-A", "%d factors of %s fight in the %s box, and of "+
				"the %d that fought there in this turn %d at most fight on: enter those, correct that combat, or "+
				"compensate for those that joined, compensate: {factors: {%s: {%s: …}}}",
				now, kind, in.Box.Name(), s.factors, most, in.Box.Name(), kind)
		}
	}
	return !d.Refused()
}

// citeLosses says what is left of the last combat, and what fights now.
func (d *decision) citeLosses(in SubmarineWarfareInput) {
	for i, now := range []int{in.SubmarineFactors, in.ASWFactors} {
		kind := factorKinds()[i]
		if s, known := d.leftOf(in.Box, in.Submarines, kind); known {
			again := s.turn == d.turn.Label // in a later turn new ones have come, and others have gone
			if now > s.left && again {
				d.Warn("%d factors of %s fight in the %s box, and the combat of %s left %d; only new ones can join "+
					"them", now, kind, in.Box.Name(), s.turn, s.left)
			}
			if now < s.left && again && d.exact() {
				d.Warn("%d factors of %s fight in the %s box, and the combat of this turn left %d, of which none is "+
					"said to have gone (AWAW-24.62-A): leave %s out, and those fight", now, kind, in.Box.Name(), s.left,
					kind)
			}
			d.Cite("AWAW-24.62-G", "%s: %d were left of the %d of %s; %d fight", kind, s.left, s.factors,
				s.turn, now)
		}
	}
}
