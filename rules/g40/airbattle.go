package g40

import "github.com/watu-ledger/watu/rules"

// simultaneous reports whether all interceptors fire, those shot down too (AMB-G40-3).
func (o RaidOptions) simultaneous() bool { return o.AirBattle == "simultaneous" }

// shotDown is how many interceptors the attackers' dice remove (G40-SBR-FIRE).
func (in RaidInput) shotDown(f *rules.Findings) int {
	b := in.AirBattle
	scored := hits(b.BomberDice, tables.Figure(f, TableUnits, "strategic_bomber", "escort"))
	f.Cite("G40-SBR-FIRE", "bombers that fire: %d, each hits on 1: %s", in.attackers().bombers(),
		counted(scored, "hit"))
	if in.Escorts > 0 {
		rule, row := "G40-SBR-FIRE", "fighter"
		if in.JetFighters {
			rule, row = "G40-TECH-JET", "fighter+jet_fighters"
		}
		most := tables.Figure(f, TableUnits, row, "escort")
		n := hits(b.EscortDice, most)
		f.Cite(rule, "escorts that fire: %d, each hits on %s: %s", in.Escorts, upTo(most), counted(n, "hit"))
		scored += n
	}
	return min(scored, in.Interceptors)
}

// fight rules on the air battle and gives the interceptors shot down.
func (in RaidInput) fight(f *rules.Findings) int {
	b := in.AirBattle
	wantDice(f, "the bombers", len(b.BomberDice), in.attackers().bombers())
	wantDice(f, "the escorts", len(b.EscortDice), in.Escorts)
	lost := in.shotDown(f)
	firing := in.Interceptors - lost
	if in.Options.simultaneous() {
		firing = in.Interceptors
		f.Cite("AMB-G40-3", "both sides fire at once, the interceptors shot down too: %d", lost)
	} else {
		f.Cite("G40-SBR-FIRE", "interceptors removed at once: %d", lost)
	}
	wantDice(f, "the interceptors that fire", len(b.InterceptorDice), firing)
	due := min(hits(b.InterceptorDice, in.returnHitsOn(f)), in.attackers().all())
	f.Cite("G40-SBR-RETURN", "interceptors that fire: %d, each hits on %s: %s of the attacker's choice", firing,
		upTo(in.Options.InterceptorHitsOn), counted(due, "loss"))
	in.attackers().choose(f, "the air battle", due, b.Losses)
	return lost
}

// returnHitsOn is the highest die with which interceptors hit: the text's, unless the option has
// that of later texts.
func (in RaidInput) returnHitsOn(f *rules.Findings) int {
	most := in.Options.InterceptorHitsOn
	if printed := tables.Figure(f, TableUnits, "fighter", "interceptor"); most != printed {
		f.Cite("AMB-G40-3", "interceptors hit on %s, not on %s", upTo(most), upTo(printed))
	}
	return most
}

// wantDice refuses a number of dice other than that called for.
func wantDice(f *rules.Findings, of string, given, due int) {
	if given != due {
		f.Violate("G40-SBR-DICE", "%s given for %s: %d due, one for each", counted(given, "die"), of, due)
	}
}

// choose wants the attacker to lose as many aircraft as were hit, of those that were there.
func (a Attackers) choose(f *rules.Findings, in string, due int, lost Attackers) {
	switch {
	case lost.all() != due:
		f.Violate("G40-SBR-CASUALTIES", "losses in %s: %d due, %d chosen", in, due, lost.all())
	case !a.holds(lost):
		f.Violate("G40-SBR-CASUALTIES", "losses in %s: chosen are %s, of %s", in, lost, a)
	case due > 0:
		f.Cite("G40-SBR-CASUALTIES", "the attacker chooses to lose %s", lost)
	}
}
