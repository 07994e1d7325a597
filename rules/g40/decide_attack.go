package g40

import (
	"cmp"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// attackEntry is an entry {attack: {attacker: Japan, on: SZ 6, units: {fighter: 2}}}, or of an amphibious
// assault, {attack: {on: Iwo Jima, from: SZ 17}}.
type attackEntry struct {
	Attacker string             `json:"attacker" is:"attacker" else:"whose TURN it is"`
	On       string             `json:"on" is:"space"`
	Units    rules.Mapping[int] `json:"units" of:"unit" least:"0" most:"100"`
	From     string             `json:"from,omitempty" is:"sea zone"`
}

// attack declares an attack in the Combat Move.
func (d *decision) attack(e attackEntry) {
	attacker, space := e.Attacker, d.At(e.On)
	p := &events.AttackDeclared{Attacker: attacker, Space: space.Name, Units: unitsOf(e.Units), From: e.From}
	d.checkAttack(p, space)
	if d.Refused() || !d.enter(attacker, phaseMove, rules.Input) {
		return
	}
	if p.From != "" {
		d.Cite("G40-SCR-TIME", "declared in the Combat Move: an amphibious assault on %s from %s", space.Name, p.From)
	} else {
		d.Cite("G40-SCR-TIME", "declared in the Combat Move: an attack on %s", space.Name)
	}
	d.citeValues(p.Attacker, p.Units)
	d.Record(attacker, p)
}

// checkAttack refuses an attack that cannot be declared.
func (d *decision) checkAttack(p *events.AttackDeclared, space board.Space) {
	if d.Player == p.Attacker && d.scrambling() {
		d.ViolateField("attack", "G40-SCR-TIME",
			"aircraft have scrambled in this TURN of %s: no attack is declared or changed after that", p.Attacker)
	}
	if countOf(p.Units, aaGun) > 0 {
		d.ViolateField("attack.units", "G40-AA-VALUE", "AA guns never attack")
		if p.From == "" {
			d.ViolateField("attack.units", "G40-AA-MOVE",
				"AA guns do not move in the Combat Move, but as cargo that was loaded in an earlier turn")
		}
	}
	if rules.Strict(d.Options) { // GEN-CARRY: what fell, or attacks elsewhere, does not attack here
		for _, u := range p.Units {
			if aircraft(u.Name) {
				d.committed("attack.units", "GEN-CARRY", p.Attacker, u.Name, u.Count)
			}
		}
	}
	if rules.Exact(d.Options) {
		d.checkShips(p)
		d.warnOfForces(p)
		d.warnOfSea(p.Attacker, p.From, p.Units, space)
	}
	d.checkFoes(p, space)
	switch holder := d.holder(space); {
	case p.From != "" && (space.Water || !slices.Contains(space.Neighbours, p.From)):
		d.ViolateField("attack.from", rules.Input,
			"an amphibious assault is made from a sea zone on a territory next to it; %s is not such a one of %s",
			space.Name, p.From)
	case !space.Water && slices.Contains(d.Powers, holder) && !d.atWar(holder, p.Attacker):
		d.ViolateField("attack.on", rules.Input,
			"%s holds %s, and %s is not at war with it: report control or at war if that has changed", holder,
			space.Name, p.Attacker)
	}
}

// checkFoes forbids an attack in a sea zone where of others only powers are reported with whom the attacker is at
// peace, by a fact at war.
func (d *decision) checkFoes(p *events.AttackDeclared, space board.Space) {
	var friends, others []string
	for _, power := range d.Powers {
		switch {
		case power == p.Attacker || len(d.unitsOf(power, space.Name)) == 0:
		case d.friends(power, p.Attacker):
			friends = append(friends, power)
		default:
			others = append(others, power)
		}
	}
	if space.Water && len(others) == 0 && len(friends) > 0 && rules.Exact(d.Options) {
		d.Warn("of others only friends of %s are reported in %s, %s: report whose units are attacked there", p.Attacker,
			space.Name, words.And(friends))
	}
	if space.Water && len(others) > 0 && !slices.ContainsFunc(others,
		func(power string) bool { return d.atWar(power, p.Attacker) }) {
		d.forbid("attack.on", rules.Input, "%s is at war with none of those that are reported in %s, %s: report at "+
			"war if that has changed, or whose units are attacked there", p.Attacker, space.Name, words.And(others))
	}
}

// checkShips refuses to send warships twice (GEN-CARRY): of a kind that was reported, those declared in two sea zones,
// or against one space, are different ships, and no more than the power has. Those of one sea zone may fight
// there and support assaults from there.
func (d *decision) checkShips(p *events.AttackDeclared) {
	for _, u := range p.Units {
		had, known := d.had(p.Attacker, u.Name)
		switch {
		case !warship(u.Name):
			continue
		case !known:
			if !d.checkFallen("attack.units", p.Attacker, u.Name, u.Count) {
				d.warnOfGone(p.Attacker, u.Name, u.Count)
			}
			continue
		}
		before, with := d.shipsSent(p.Attacker, u.Name), d.shipsSent(p.Attacker, u.Name, p)
		zone := cmp.Or(p.From, p.Space)
		elsewhere := 0
		for at, n := range before {
			if at != zone {
				elsewhere += n
			}
		}
		switch {
		case elsewhere+with[zone] <= had:
		case elsewhere > 0:
			d.Unreported("attack.units", "GEN-CARRY", "%s has %s: %d declared in other sea zones in this TURN, and "+
				"%d here; a ship is in one of them, and if there are more, report them first", p.Attacker,
				counted(had, u.Name), elsewhere, u.Count)
		case before[zone] > 0 && with[zone] > u.Count:
			d.Unreported("attack.units", "GEN-CARRY", "%s has %s: %d declared here in this TURN already, and %d "+
				"more; a ship is declared once, and if there are more, report them first", p.Attacker,
				counted(had, u.Name), with[zone]-u.Count, u.Count)
		case d.checkFallen("attack.units", p.Attacker, u.Name, u.Count):
		default:
			d.Warn("%s has %s as reported, and %d attack here", p.Attacker, noneOr(had, u.Name), u.Count)
		}
	}
}

// shipsSent counts the ships of a kind that a power has declared in this TURN, by sea zone: those against one space are
// different ships, those against several from one zone may be the same. More are declarations to come.
func (c combat) shipsSent(power, kind string, more ...*events.AttackDeclared) map[string]int {
	type target struct{ space, from string }
	at, most := map[target]int{}, map[string]int{}
	for _, a := range append(noted[*events.AttackDeclared](c.deeds), more...) {
		if a.Attacker == power {
			t, zone := target{a.Space, a.From}, cmp.Or(a.From, a.Space)
			at[t] += countOf(a.Units, kind)
			most[zone] = max(most[zone], at[t])
		}
	}
	return most
}

// unloadEntry is an entry {unload: {from: SZ 105, onto: Norway, warships: 1, submarines: {Germany: 1},
// bombarding: 2}}. Warships and submarines are those reported there, or else as the entry gives them.
type unloadEntry struct {
	Power      string             `json:"power" is:"attacker" else:"whose TURN it is"`
	From       string             `json:"from" is:"sea zone"`
	Onto       string             `json:"onto" is:"territory"`
	Warships   int                `json:"warships" least:"0"`
	Submarines rules.Mapping[int] `json:"submarines" of:"power*" least:"0" most:"100"`
	Bombarding int                `json:"bombarding" least:"0"`
}

// unload lands an amphibious assault in Conduct Combat.
func (d *decision) unload(u unloadEntry) {
	power := u.Power
	in := d.unloadInput(u)
	p := &events.TransportsUnloaded{
		Power: power, From: u.From, Onto: u.Onto, Bombarding: u.Bombarding, Submarines: len(in.Submarines),
		Warships: in.Warships,
	}
	d.warnOfReported(u)
	d.warnOfAway(u, in)
	d.warnOfEscort(u, in)
	_, found := Unload(in)
	d.Check(found)
	d.checkUnload(p)
	d.checkGiven(u)
	if d.Refused() || !d.fight(power, rules.Input) {
		return
	}
	d.Add(rules.Findings{Derivation: found.Derivation})
	d.Record(power, p)
}

// unloadInput is the request that the rule answers.
func (d *decision) unloadInput(u unloadEntry) UnloadInput {
	in := UnloadInput{SeaZone: u.From, Submarines: d.submarinesIn(u.From, u.Power, u.Submarines),
		Warships: d.warshipsIn(u.From, u.Power, u.Warships)}
	if in.Warships == 0 && in.hostile() > 0 { // G40-SUB-UNLOAD: those that attack there are there, wherever reported
		in.Warships = d.warshipsSent(u.From, u.Power, warships())
	}
	return in
}

// checkLanding forbids the capture of a territory that was assaulted from sea zones alone, where none of the assaults
// was landed and none may be, as far as it is reported (G40-SUB-UNLOAD). An island on which no attack was declared was
// assaulted from one of the sea zones around it. A capture that begins the TURN is warned of.
func (d *decision) checkLanding(by string, s board.Space) {
	begins := by != d.Player
	if begins {
		d = &decision{game: d.newTurn(by), Case: d.Case}
	}
	var from []string
	for _, a := range noted[*events.AttackDeclared](d.deeds) {
		if a.Space == s.Name && a.Attacker == by {
			from = append(from, a.From)
		}
	}
	if len(from) == 0 && len(d.zonesBeside(s)) == len(s.Neighbours) {
		from = s.Neighbours
	}
	if slices.ContainsFunc(noted[*events.TransportsUnloaded](d.deeds),
		func(u *events.TransportsUnloaded) bool { return u.Power == by && u.Onto == s.Name }) {
		return
	}
	unreported := false
	for _, zone := range from {
		if zone == "" {
			return // by land
		}
		u := unloadEntry{Power: by, From: zone}
		in := d.unloadInput(u)
		if _, found := Unload(in); !found.Refused() {
			d.warnOfEscort(u, in)
			return
		}
		unreported = unreported || !d.before(d.moved).wasReported(by, zone)
	}
	switch {
	case len(from) > 0 && (unreported || begins):
		d.Warn("nothing landed on %s, and enemy submarines are reported in %s: without an own warship there nothing "+
			"may unload; enter the landing, {unload: {from: …, onto: %s, warships: …}} (G40-SUB-UNLOAD)", s.Name,
			words.And(from), s.Name)
	case len(from) > 0:
		d.forbid("capture.territory", "G40-SUB-UNLOAD", "nothing landed on %s, and nothing may unload from %s: enemy "+
			"submarines are reported there, and no own warship at the end of the Combat Move; if they sank, report it "+
			"first, or correct the report of the ships", s.Name, words.And(from))
	}
}

// checkGiven refuses an entry that names a power's submarines twice, or has more ships bombard than it gives there.
func (d *decision) checkGiven(u unloadEntry) {
	if !rules.Exact(d.Options) {
		return
	}
	given := map[string]int{}
	for _, m := range u.Submarines {
		if n, again := given[m.Name]; again && n != 0 && m.Value != 0 {
			d.ViolateField(m.At, rules.Input, "%s is given twice in submarines", m.Name)
		}
		given[m.Name] = max(given[m.Name], m.Value)
	}
	there := max(u.Warships, d.warshipsSent(u.From, u.Power, warships()))
	if u.Warships > 0 && u.Bombarding > there && !d.before(d.moved).wasReported(u.Power, u.From) {
		d.ViolateField("unload.bombarding", rules.Input, "%s had %s in %s by this entry: %d do not bombard", u.Power,
			counted(there, "warship"), u.From, u.Bombarding)
	}
}

// warnOfReported warns of submarines and warships that an entry gives otherwise than they were reported: the report
// counts.
func (d *decision) warnOfReported(u unloadEntry) {
	for _, m := range u.Submarines {
		if n := countOf(d.unitsOf(m.Name, u.From), submarine); d.wasReported(m.Name, u.From) && n != m.Value {
			d.Warn("%s of %s reported in %s, not %d: the report counts", counted(n, submarine), m.Name, u.From, m.Value)
		}
	}
	n, sent := d.warshipsIn(u.From, u.Power, u.Warships), d.warshipsSent(u.From, u.Power, warships())
	switch {
	case u.Warships == 0:
	case n != u.Warships:
		d.Warn("%s of %s reported in %s at the end of the Combat Move, not %d: the report counts",
			counted(n, "warship"), u.Power, u.From, u.Warships)
	case d.before(d.moved).wasReported(u.Power, u.From):
	case sent > 0 && u.Warships > sent:
		d.Warn("%s declared %s in %s, and by this entry has %d there", u.Power, counted(sent, "warship"), u.From,
			u.Warships)
	default:
		had, elsewhere := d.warshipsAll(u.Power, u.From)
		if left := max(0, had-elsewhere); had > 0 && elsewhere > 0 && u.Warships > left && rules.Exact(d.Options) {
			d.Warn("%s has %s as reported, %d of them declared in other sea zones in this TURN, and by this entry %d "+
				"in %s: a ship is in one of them (GEN-CARRY)", u.Power, counted(had, "warship"), elsewhere, u.Warships,
				u.From)
		}
	}
}

// warshipsAll are a power's warships of all kinds, as reported now or as its Combat Move ended, and those of them that
// it declared in this TURN in other sea zones than one.
func (d *decision) warshipsAll(power, zone string) (had, elsewhere int) {
	then := d.before(d.moved)
	for _, kind := range warships() {
		n, _ := d.had(power, kind)
		began, _ := then.had(power, kind) // also those that were reported elsewhere, or not at all, since
		sent := d.shipsSent(power, kind)
		all := rules.Sum(slices.Sorted(maps.Values(sent)), func(n int) int { return n })
		had += max(n, began, all)
		elsewhere += all - sent[zone]
	}
	return had, elsewhere
}

// warnOfAway warns of enemy submarines that were in a sea zone as the TURN began, would keep what lands from landing
// there, and are reported away since: in the TURN of another nothing of theirs moves (G40-SUB-UNLOAD).
func (d *decision) warnOfAway(u unloadEntry, in UnloadInput) {
	began, escort := d.before(d.began), in.Warships+d.warshipsSent(u.From, u.Power, warships())
	if d.attackedIn(u.From).Attacked || in.hostile() > 0 || escort > 0 {
		return
	}
	for _, p := range began.enemiesIn(u.From, u.Power) {
		n := countOf(began.unitsOf(p, u.From), submarine) - d.lostIn(p, u.From, submarine)
		if n > 0 {
			d.Warn("%s of %s reported in %s as this TURN of %s began, and none since, with no attack declared there: "+
				"past enemy submarines nothing unloads without an own warship. If they are there still, correct the "+
				"report since (G40-SUB-UNLOAD)", counted(n, submarine), p, u.From, d.Player)
		}
	}
}

// warnOfEscort warns of a landing past enemy submarines that every warship which is reported there, and would let it
// unload, was declared to leave (G40-SUB-UNLOAD).
func (d *decision) warnOfEscort(u unloadEntry, in UnloadInput) {
	if in.hostile() > 0 && in.Warships > 0 && d.wasReported(u.Power, u.From) &&
		d.staying(u.From, u.Power, warships()) == 0 {
		d.Warn("the warships of %s reported in %s were declared in other sea zones in this TURN, and a ship is in one "+
			"of them: past enemy submarines nothing unloads without an own warship; if none is there, undo this entry "+
			"(G40-SUB-UNLOAD)", u.Power, u.From)
	}
}

// staying is how many ships of some kinds may be in a sea zone, of those that are reported or declared there: a ship
// that was declared in another is there (GEN-CARRY).
func (d *decision) staying(zone, power string, kinds []string) int {
	then := d.before(d.moved)
	return rules.Sum(kinds, func(kind string) int {
		all, known := d.had(power, kind)
		sent := d.shipsSent(power, kind)
		n := max(then.shipsIn(power, zone, kind), sent[zone])
		if known && rules.Exact(d.Options) {
			elsewhere := rules.Sum(slices.Sorted(maps.Values(sent)), func(n int) int { return n }) - sent[zone]
			n = max(sent[zone], min(n, all-elsewhere))
		}
		return n
	})
}

// checkUnload wants the assault to be declared, and no bombardment where kamikazes struck.
func (d *decision) checkUnload(p *events.TransportsUnloaded) {
	declared := slices.ContainsFunc(noted[*events.AttackDeclared](d.deeds), func(a *events.AttackDeclared) bool {
		return a.Attacker == p.Power && a.From == p.From && a.Space == p.Onto
	})
	if !declared || d.Player != p.Power {
		d.ViolateField("unload", rules.Input,
			"%s declared no amphibious assault on %s from %s in this TURN: {attack: {on: %s, from: %s}}", p.Power,
			p.Onto, p.From, p.Onto, p.From)
	}
	if p.Bombarding > 0 && d.struckIn(p.From) {
		d.ViolateField("unload.bombarding", "G40-KAM-BOMBARD",
			"kamikazes struck in %s in this TURN: no bombardment supports an assault from there", p.From)
	}
	if slices.ContainsFunc(noted[*events.TransportsUnloaded](d.deeds), func(u *events.TransportsUnloaded) bool {
		return u.Power == p.Power && u.From == p.From && u.Onto == p.Onto
	}) {
		d.Warn("the assault on %s from %s was landed in this TURN before", p.Onto, p.From)
	}
	d.checkBombarding(p)
}

// checkBombarding wants the ships that bombard to be there, and each to bombard once: those that bombarded from the sea
// zone in this TURN count together, and in an exact edition those of all sea zones.
func (d *decision) checkBombarding(p *events.TransportsUnloaded) {
	if p.Bombarding == 0 || !rules.Carries(d.Options) {
		return
	}
	before, inAll, then := 0, p.Bombarding, d.before(d.moved)
	for _, u := range noted[*events.TransportsUnloaded](d.deeds) {
		if u.Power == p.Power {
			inAll += u.Bombarding
		}
		if u.Power == p.Power && u.From == p.From {
			before += u.Bombarding
		}
	}
	reported := then.wasReported(p.Power, p.From)
	declared := d.warshipsSent(p.From, p.Power, warships())
	there := max(declared, d.warshipsIn(p.From, p.Power, 0))
	had, _ := d.warshipsAll(p.Power, p.From)
	if now := d.kindsIn(p.From, p.Power, warships()); reported && p.Bombarding > now &&
		now < d.warshipsIn(p.From, p.Power, 0) {
		d.forbid("unload.bombarding", "GEN-CARRY", "%s has %s in %s as reported since its Combat Move, and %d "+
			"bombard: correct that report if there are more", p.Power, noneOr(now, "warship"), p.From, p.Bombarding)
	}
	switch {
	case rules.Firm(d.Options) && !reported && declared > 0 && before+p.Bombarding > max(declared, p.Warships):
		d.ViolateField("unload.bombarding", rules.Input, "%s declared %s in %s: %d bombarded from there before, and "+
			"%d would here; if there were more, report its units there or correct the attack", p.Power,
			counted(declared, "warship"), p.From, before, p.Bombarding)
	case reported && before+p.Bombarding > there:
		d.ViolateField("unload.bombarding", rules.Input,
			"%s had %s in %s at the end of the Combat Move: %d bombarded from there before, and %d would here; "+
				"if there were more, correct the report of its units there", p.Power, counted(there, "warship"), p.From,
			before, p.Bombarding)
	case !rules.Exact(d.Options) || had == 0 || inAll <= had:
	case reported:
		d.ViolateField("unload.bombarding", "GEN-CARRY", "%s has %s: %d bombarded before in this TURN, and %d would "+
			"here; a ship is in one sea zone", p.Power, counted(had, "warship"), inAll-p.Bombarding, p.Bombarding)
	default:
		d.Warn("%s has %s as reported, and %d bombard in this TURN", p.Power, counted(had, "warship"), inAll)
	}
	if n := d.staying(p.From, p.Power, warships()); before+p.Bombarding > n && n < there && rules.Exact(d.Options) {
		d.Warn("%s has %s in %s besides those that were declared in other sea zones in this TURN, and %d bombard from "+
			"there: a ship is in one of them (GEN-CARRY)", p.Power, noneOr(n, "warship"), p.From, before+p.Bombarding)
	}
	guns := []string{"cruiser", "battleship"}
	able := max(d.warshipsSent(p.From, p.Power, guns), then.kindsIn(p.From, p.Power, guns))
	if n := before + p.Bombarding; n <= there && n > able {
		d.Warn("%s has %s in %s, and %d bombard in this TURN: no submarine does, and in the boxed game cruisers and "+
			"battleships alone", p.Power, noneOr(able, "cruiser or battleship"), p.From, n)
	}
}

// struckIn reports whether kamikazes struck in a sea zone in this TURN.
func (c combat) struckIn(zone string) bool {
	return slices.ContainsFunc(noted[*events.StrikesDeclared](c.deeds), func(p *events.StrikesDeclared) bool {
		return slices.ContainsFunc(p.Strikes, func(s events.Strike) bool { return s.Zone == zone })
	})
}

// warshipsIn are a power's warships in a sea zone at the end of its Combat Move, submarines among
// them: as reported until then, or else as given.
func (d *decision) warshipsIn(zone, power string, given int) int {
	g := d.before(d.moved)
	if !g.wasReported(power, zone) {
		return given
	}
	return g.kindsIn(zone, power, warships())
}

// kindsIn are a power's ships of some kinds in a sea zone, as last reported and less what was lost.
func (g game) kindsIn(zone, power string, kinds []string) int {
	return rules.Sum(kinds, func(kind string) int { return countOf(g.unitsOf(power, zone), kind) })
}

// warshipsSent are a power's warships of some kinds that were declared in this TURN to attack in a sea zone, or to
// support an assault from it: they are there at the end of the Combat Move. In an exact edition a ship that was
// declared twice is one, where it was reported how many there are.
func (d *decision) warshipsSent(zone, power string, kinds []string) int {
	all := 0
	for _, kind := range kinds {
		n, most := 0, 0
		for _, a := range noted[*events.AttackDeclared](d.deeds) {
			if a.Attacker == power && (a.From == zone || a.Space == zone) {
				n += countOf(a.Units, kind)
				most = max(most, countOf(a.Units, kind))
			}
		}
		if had, known := d.had(power, kind); known && rules.Exact(d.Options) {
			n = min(n, max(had, most))
		}
		all += n
	}
	return all
}

// warships are the ships that fight.
func warships() []string { return []string{submarine, "destroyer", "cruiser", carrier, "battleship"} }

// warship reports whether a unit is a ship that fights.
func warship(unit string) bool { return slices.Contains(warships(), unit) }

// surface reports whether a unit is a ship that fights, and no submarine.
func surface(unit string) bool { return warship(unit) && unit != submarine }

// submarinesIn are the submarines of others in a sea zone: as reported, or else as given.
func (d *decision) submarinesIn(zone, power string, given rules.Mapping[int]) []EnemySubmarine {
	var list []EnemySubmarine
	counts := map[string]int{}
	for _, m := range given {
		counts[m.Name] = m.Value
	}
	for _, owner := range d.Powers {
		n := counts[owner]
		if d.wasReported(owner, zone) {
			n = countOf(d.unitsOf(owner, zone), submarine)
		}
		if owner == power || d.friends(owner, power) {
			continue
		}
		for range n {
			list = append(list, EnemySubmarine{Power: owner, AtWar: d.atWar(owner, power)})
		}
	}
	return list
}
