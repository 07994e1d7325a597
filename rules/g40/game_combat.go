package g40

import (
	"cmp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// combat is what combat adds to the state of a campaign.
type combat struct {
	attacker string                             // whose TURN it is
	began    uint64                             // the event that began it
	moved    uint64                             // the event that ended its Combat Move, 0 before
	deeds    chronicle[events.Type]             // of this TURN
	rolled   bool                               // dice of no rule were thrown in this TURN after an attack was declared
	struck   chronicle[events.Type]             // kamikaze strikes in the whole campaign
	symbols  map[string]axisallies.Figure[bool] // sea zone to kamikaze symbol, where it was reported
}

// rememberedInTurn reports whether a TURN remembers an event.
func rememberedInTurn(p events.Payload) bool {
	switch p.(type) {
	case *events.AttackDeclared, *events.AircraftScrambled, *events.AircraftLanded, *events.StrikesDeclared,
		*events.RaidDeclared,
		*events.FightersIntercepted, *events.TransportsUnloaded, *events.ResultAdjudicated, *events.FacilityDamaged,
		*events.TerritoryCaptured,
		*events.ConvoyDisrupted, *events.UnitsLost:
		return true
	}
	return false
}

// apply applies an event.
func (c combat) apply(index uint64, p events.Payload) combat {
	switch p := p.(type) {
	case *events.TurnAdvanced:
		c.attacker, c.moved, c.deeds, c.rolled = "", 0, nil, false
	case *events.PhaseAdvanced:
		if p.Player != c.attacker {
			c.attacker, c.began, c.moved, c.deeds, c.rolled = p.Player, index, 0, nil, false
		}
		if c.moved == 0 && slices.Index(phases(), p.Phase) > slices.Index(phases(), phaseMove) {
			c.moved = index
		}
	case *events.ResultAdjudicated:
		c.rolled = c.rolled || p.Procedure == rules.VerbRoll && len(noted[*events.AttackDeclared](c.deeds)) > 0
	case *events.FactReported:
		if p.Fact == factKamikaze {
			c.symbols = rules.Put(c.symbols, p.Subject, axisallies.Figure[bool]{Value: p.Number > 0, From: index})
		}
	case *events.StrikesDeclared:
		c.struck = c.struck.note(p, p.Type())
	}
	if rememberedInTurn(p) {
		c.deeds = c.deeds.note(p, p.Type())
	}
	return c
}

// noted are the events of one type in a chronicle.
func noted[P events.Payload](c chronicle[events.Type]) []P {
	var of P
	var list []P
	for _, x := range c[of.Type()].Slice() {
		if p, ok := x.(P); ok {
			list = append(list, p)
		}
	}
	return list
}

// tokens is how many kamikaze strikes are left in the game (G40-KAM-SIX).
func (c combat) tokens() int {
	left := kamikazeTokens
	for _, p := range noted[*events.StrikesDeclared](c.struck) {
		left -= len(p.Strikes)
	}
	return max(0, left)
}

// attackedIn says what the attacker declared in a sea zone: an attack there, an amphibious assault
// from there.
func (c combat) attackedIn(zone string) AttackedZone {
	z := AttackedZone{ID: zone}
	for _, p := range noted[*events.AttackDeclared](c.deeds) {
		z.Attacked = z.Attacked || p.Space == zone
		z.Assault = z.Assault || p.From == zone
	}
	return z
}

// attackZones are the spaces that were attacked in this TURN, and for amphibious assaults the sea zones from which.
func (c combat) attackZones() []string {
	var list []string
	for _, p := range noted[*events.AttackDeclared](c.deeds) {
		if at := cmp.Or(p.From, p.Space); !slices.Contains(list, at) {
			list = append(list, at)
		}
	}
	return list
}

// fliesTo reports whether aircraft alone were declared to attack in a sea zone.
func (c combat) fliesTo(zone string) bool { return c.sendsOnly(zone, aircraft) }

// sendsOnly reports whether attacks in a sea zone were declared with their units, all of some kinds.
func (c combat) sendsOnly(zone string, are func(unit string) bool) bool {
	return !slices.ContainsFunc(noted[*events.AttackDeclared](c.deeds), func(a *events.AttackDeclared) bool {
		return cmp.Or(a.From, a.Space) == zone && (a.From != "" || len(a.Units) == 0 ||
			slices.ContainsFunc(a.Units, func(u events.Unit) bool { return !are(u.Name) }))
	})
}

// raided reports whether a raid on a territory was flown in this TURN.
func (c combat) raided(territory string) bool {
	return slices.ContainsFunc(noted[*events.RaidDeclared](c.deeds),
		func(p *events.RaidDeclared) bool { return p.Territory == territory })
}

// fought reports whether anything was resolved in this TURN but kamikaze strikes, rockets among it.
func (c combat) fought() bool {
	return len(noted[*events.RaidDeclared](c.deeds)) > 0 || len(noted[*events.TransportsUnloaded](c.deeds)) > 0 ||
		len(noted[*events.FacilityDamaged](c.deeds)) > 0 || len(noted[*events.TerritoryCaptured](c.deeds)) > 0 ||
		c.ruled()
}

// scrambling reports whether aircraft have scrambled in this TURN.
func (c combat) scrambling() bool { return len(noted[*events.AircraftScrambled](c.deeds)) > 0 }

// scrambled is how many aircraft of a power have scrambled from a territory in this TURN.
func (c combat) scrambled(power, from, kind string) int {
	n := 0
	for _, p := range noted[*events.AircraftScrambled](c.deeds) {
		if p.Power == power && p.From == from {
			n += countOf(p.Units, kind)
		}
	}
	return n
}

// intercepted is how many fighters of a power in a territory have intercepted in this TURN.
func (c combat) intercepted(power, territory string) int {
	n := 0
	for _, p := range noted[*events.FightersIntercepted](c.deeds) {
		if p.Power == power && p.Territory == territory {
			n += p.Fighters
		}
	}
	return n
}

// sent is how many aircraft of a kind a power has sent to attack and to raid in this TURN: as declared, or as AA guns
// fired at them.
func (c combat) sent(power, kind string) int {
	n := 0
	for _, p := range noted[*events.AttackDeclared](c.deeds) {
		if p.Attacker == power {
			n += countOf(p.Units, kind)
		}
	}
	for _, p := range noted[*events.RaidDeclared](c.deeds) {
		if p.Attacker == power {
			n += raiders(p)[kind]
		}
	}
	for _, p := range noted[*events.ResultAdjudicated](c.deeds) {
		for _, f := range p.Figures {
			if p.Procedure == aaFireProcedure && p.Attacker == power && f.Name == kind {
				n += f.Value
			}
		}
	}
	return n
}

// raiders counts the aircraft of a raid by kind.
func raiders(p *events.RaidDeclared) map[string]int {
	n := map[string]int{fighter: p.Escorts}
	for _, t := range p.Targets {
		n[strategicBomber] += t.Strategic
		n[tacticalBomber] += t.Tactical
	}
	return n
}

// countOf is how many units of a kind are in a list.
func countOf(units []events.Unit, kind string) int {
	n := 0
	for _, u := range units {
		if u.Name == kind {
			n += u.Count
		}
	}
	return n
}

// wasReported reports whether the units of a power in a space were ever reported. That some were lost there
// says nothing of the others.
func (g game) wasReported(power, space string) bool { return g.garrison(power, space).known }

// unhurt gives the state without the losses of this TURN, as far as units go.
func (g game) unhurt() game {
	g.unlost = true
	return g
}

// had is how many units of a kind a power had on the board as its TURN began, or reported since, and whether that is
// known: where none were reported it is not. Where the record carries, what it lost elsewhere since is gone.
func (g game) had(power, kind string) (n int, known bool) {
	gone := g.lost.before[force{power, kind}]
	if g.attacker == power {
		g = g.unhurt()
	} else {
		gone += g.lost.now[force{power, kind}]
	}
	f := force{power, kind}
	s := g.stock(f)
	switch known = s.all > 0; {
	case rules.Exact(g.Options): // what was reported since the losses is there
		return s.fresh + max(0, s.all-s.fresh-gone), known || g.lost.fell[f]
	case rules.Carries(g.Options):
		return max(0, s.all-gone), known
	}
	return s.all, known
}

// warnOfForces warns of land units and transports that are declared twice: of more than the power has as reported.
// Tanks and mechanized infantry may blitz through a territory that they attack: of them those against one territory
// count, and those that come by sea.
func (d *decision) warnOfForces(p *events.AttackDeclared) {
	for _, u := range p.Units {
		all := slices.Contains([]string{"infantry", "artillery", transport}, u.Name)
		if !all && u.Name != "tank" && u.Name != "mechanized infantry" {
			continue
		}
		n := u.Count
		for _, a := range noted[*events.AttackDeclared](d.deeds) {
			if a.Attacker == p.Attacker && (all || a.Space == p.Space || a.From != "" && p.From != "") {
				n += countOf(a.Units, u.Name)
			}
		}
		had, known := d.had(p.Attacker, u.Name)
		switch {
		case !known:
			d.warnOfGone(p.Attacker, u.Name, n)
		case n > had:
			d.Warn("%s has %s as reported, and %d attack in this TURN", p.Attacker, noneOr(had, u.Name), n)
		}
	}
}

// free is how many aircraft of a kind a power has in a territory that have not scrambled or
// intercepted in this TURN.
func (g game) free(power, territory, kind string) int {
	n := countOf(g.unhurt().unitsOf(power, territory), kind) - g.scrambled(power, territory, kind)
	if kind == fighter {
		n -= g.intercepted(power, territory)
	}
	return max(0, min(n, countOf(g.unitsOf(power, territory), kind)))
}

// idle is how many aircraft of a kind a defender has in all that neither fell nor scrambled or intercepted in this
// TURN, and whether that is known. Those of a territory for which none were reported are beside them. Older editions
// look at each territory alone.
func (g game) idle(power, kind string) (n int, known bool) {
	n, known = g.had(power, kind)
	if !rules.Strict(g.Options) {
		return n, known
	}
	for _, p := range noted[*events.AircraftScrambled](g.deeds) {
		if p.Power == power && g.wasReported(power, p.From) {
			n -= countOf(p.Units, kind)
		}
	}
	for _, p := range noted[*events.FightersIntercepted](g.deeds) {
		if p.Power == power && kind == fighter && g.wasReported(power, p.Territory) {
			n -= p.Fighters
		}
	}
	for _, p := range noted[*events.UnitsLost](g.deeds) { // interceptors that were shot down are off the board
		if p.Power == power && p.Cause == causeAirBattle && g.wasReported(power, p.Space) {
			n += countOf(p.Units, kind)
		}
	}
	return max(0, n), known
}

// hasSymbol reports whether a sea zone has the kamikaze symbol (AMB-G40-5): as reported, or else as
// the board marks it. On a board that marks none it is the sea zones around the six islands that the
// text names (G40-KAM-ZONE).
func (g game) hasSymbol(zone board.Space) bool {
	if f, ok := g.symbols[zone.Name]; ok {
		return f.Value
	}
	if slices.ContainsFunc(g.Board.Spaces(), func(s board.Space) bool { return s.Kamikaze }) {
		return zone.Kamikaze
	}
	return slices.ContainsFunc(kamikazeIslands(), func(island string) bool {
		s, err := g.Board.Territory(island)
		return err == nil && slices.Contains(zone.Neighbours, s.Name)
	})
}

// kamikazeIslands are those that the text names.
func kamikazeIslands() []string {
	return []string{"Japan", "Okinawa", "Iwo Jima", "Formosa", "Marianas", "Philippines"}
}

// before gives the state as it was when an event happened, as far as units go.
func (g game) before(index uint64) game {
	if index > 0 {
		g.until = index
	}
	return g
}

// enemiesIn are the powers at war with one that have units in a space, in the order of play.
func (g game) enemiesIn(space, of string) []string {
	var list []string
	for _, p := range g.Powers {
		if g.atWar(p, of) && len(g.unitsOf(p, space)) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// friends reports whether two powers are on the same side.
func (g game) friends(a, b string) bool {
	p, ok := PowerNamed(a)
	q, known := PowerNamed(b)
	return ok && known && p.Axis() == q.Axis()
}

// ruled reports whether anything but kamikaze strikes was ruled on in this TURN. Dice for what these rules do not
// resolve are no ruling.
func (c combat) ruled() bool {
	return slices.ContainsFunc(noted[*events.ResultAdjudicated](c.deeds), func(p *events.ResultAdjudicated) bool {
		return p.Procedure != "g40.kamikaze" && p.Procedure != rules.VerbRoll
	})
}

// fighting are the powers that were attacked or defended themselves in this TURN, as far as the ledger knows.
func (g game) fighting() []string {
	var list []string
	note := func(powers ...string) {
		for _, p := range powers {
			if slices.Contains(g.Powers, p) && !slices.Contains(list, p) {
				list = append(list, p)
			}
		}
	}
	for _, p := range noted[*events.AttackDeclared](g.deeds) {
		if s := g.At(p.Space); s.Water {
			note(g.enemiesIn(s.Name, p.Attacker)...)
		} else {
			note(g.holder(s))
		}
	}
	for _, p := range noted[*events.AircraftScrambled](g.deeds) {
		note(p.Power)
	}
	for _, p := range noted[*events.FightersIntercepted](g.deeds) {
		note(p.Power)
	}
	for _, p := range noted[*events.RaidDeclared](g.deeds) {
		note(p.Defender)
	}
	for _, p := range noted[*events.StrikesDeclared](g.deeds) {
		if len(p.Strikes) > 0 {
			note(p.Power)
		}
	}
	for _, p := range noted[*events.FacilityDamaged](g.deeds) {
		note(p.Victim)
	}
	for _, p := range noted[*events.TerritoryCaptured](g.deeds) {
		note(p.From)
	}
	return list
}

// escorted reports whether fighters of a power escorted bombers in this TURN.
func (c combat) escorted(power string) bool {
	return slices.ContainsFunc(noted[*events.RaidDeclared](c.deeds),
		func(p *events.RaidDeclared) bool { return p.Attacker == power && p.Escorts > 0 })
}

// disrupted reports whether submarines of a power disrupted a convoy in this TURN.
func (c combat) disrupted(power string) bool {
	return slices.ContainsFunc(noted[*events.ConvoyDisrupted](c.deeds), func(p *events.ConvoyDisrupted) bool {
		return slices.ContainsFunc(p.Raiders,
			func(r events.Raid) bool { return r.Power == power && r.Unit == submarine })
	})
}

// leftFrom reports whether aircraft have scrambled from a territory in this TURN.
func (c combat) leftFrom(territory string) bool {
	return slices.ContainsFunc(noted[*events.AircraftScrambled](c.deeds),
		func(p *events.AircraftScrambled) bool { return p.From == territory })
}
