package g40

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// causeKamikaze is what losses by strikes are recorded under.
const causeKamikaze = "a kamikaze strike"

// kamikazeEntry is an entry {kamikaze: {strikes: {SZ 6: [US carrier, US carrier, US destroyer 2]}}}. A ship
// named twice is struck twice; of several ships of a kind 2 is the second.
type kamikazeEntry struct {
	Power   string                  `json:"power,omitempty" is:"power" doc:"Japan by default"`
	Strikes rules.Mapping[[]string] `json:"strikes" of:"sea zone" offer:"ship" doc:"ships struck, [] for none"`
	Damaged rules.Mapping[[]string] `json:"damaged" of:"sea zone" offer:"ship" doc:"capital ships that were hit before"`
}

// kamikaze declares every strike of a TURN and throws for them.
func (d *decision) kamikaze(k kamikazeEntry) {
	power, ok := d.striker(k.Power)
	if !ok {
		return
	}
	strikes, ok := d.strikesGiven("kamikaze.strikes", k.Strikes)
	if !ok {
		return
	}
	damaged, ok := d.strikesGiven("kamikaze.damaged", k.Damaged)
	if !ok {
		return
	}
	in := d.kamikazeInput(power, strikes, damaged)
	d.Add(KamikazeCheck(in))
	pass := len(strikes) == 0 && d.passes(power, k.Strikes)
	if !pass {
		d.checkStrikes(power, strikes, len(k.Strikes) > 0)
	}
	d.checkDeclared(power)
	d.checkDamaged(strikes, damaged)
	d.checkHurt(strikes, damaged)
	d.checkAnswered(power, in)
	if d.Refused() || !d.enter(d.Player, phaseCombat, "G40-KAM-WHEN") {
		return
	}
	if pass {
		d.Cite("G40-KAM-WHEN", "%s strikes nowhere in this TURN of %s", power, d.Player)
		d.Record(power, &events.StrikesDeclared{Power: power, Left: in.Tokens})
		return
	}
	if d.rolled {
		d.Warn("dice were thrown in this TURN after an attack was declared: strikes are resolved before any combat " +
			"(G40-KAM-WHEN)")
	}
	d.Cite("G40-KAM-DECLARE", "all strikes of this turn, each with its sea zone and its ship, before any die")
	d.Cite("G40-KAM-SIX", "each spends a token: %d of %d are left", in.Tokens-len(strikes), in.Tokens)
	d.Record(power, &events.StrikesDeclared{Power: power, Strikes: strikes, Left: in.Tokens - len(strikes)})
	d.strike(power, in, strikes)
}

// passes reports whether an entry without a strike says that Japan makes none in this TURN, {strikes: {SZ 35: []}}: in
// a firm edition, of sea zones where it may strike.
func (d *decision) passes(power string, given rules.Mapping[[]string]) bool {
	zones, _ := d.strikeZones(power)
	return rules.Firm(d.Options) && d.tokens() > 0 && len(given) > 0 && !slices.ContainsFunc(given,
		func(m rules.Member[[]string]) bool { return !slices.Contains(zones, m.Name) })
}

// checkAnswered forbids strikes that answer an attack on a sea zone where the striker was reported to have nothing.
// Strikes need an attack on Japanese units (G40-KAM-WHEN); aircraft that scrambled there are such.
func (d *decision) checkAnswered(power string, in KamikazeInput) {
	for _, z := range in.SeaZones {
		if z.Trigger == "attack_on_japanese_units" && d.nobodyIn(power, z.ID) {
			d.forbid("kamikaze.strikes", "G40-KAM-WHEN", "no unit of %s is reported in %s: strikes answer an attack "+
				"on Japanese units, or an amphibious assault; if one is there, report it first", power, z.ID)
		}
	}
}

// checkDamaged wants a strike on each ship that is said to be damaged, and in a firm edition no ship that was reported
// whole: a capital ship takes two hits (G40-KAM-SUNK).
func (d *decision) checkDamaged(strikes, damaged []events.Strike) {
	for _, s := range damaged {
		switch ships, hurt := d.fleet(s.Owner, s.Ship); {
		case !slices.Contains(strikes, s):
			d.ViolateField("kamikaze.damaged", rules.Input,
				"%s is said to be damaged, and no strike is on it: name it as the strikes do", shipID(s))
		case !rules.Firm(d.Options) || slices.Contains(d.damagedAt(s.Owner, s.Zone, s.Ship), s.Nth):
		case s.Nth <= countOf(d.unitsOf(s.Owner, s.Zone), s.Ship), ships > 0 && hurt == 0:
			d.ViolateField("kamikaze.damaged", "G40-KAM-SUNK", "%s was reported whole, and takes two hits: if it has "+
				"taken one, report that first, damaged %s: 1 where it is reported", shipID(s), s.Ship)
		}
	}
}

// nobodyIn reports whether a power is known to have had nothing in a sea zone in this TURN that could be attacked: what
// is reported away since may have been lost there.
func (d *decision) nobodyIn(power, zone string) bool {
	return d.wasReported(power, zone) && len(d.unitsOf(power, zone)) == 0 &&
		len(d.before(d.began).unitsOf(power, zone)) == 0 && len(d.before(d.moved).unitsOf(power, zone)) == 0 &&
		!slices.ContainsFunc(noted[*events.AircraftScrambled](d.deeds),
			func(p *events.AircraftScrambled) bool { return p.Power == power && p.Zone == zone })
}

// endStrikes are the entries after which Japan may not strike any more in a TURN, or that belong to another.
var endStrikes = []string{"turn", "research", "purchase", "repair", "build", "mobilize", "capture", "rockets",
	"bombing raid", "aa fire", "unload", "land", "collect income"}

// strikesFirst reports whether an entry may be heard after which Japan may not strike any more in this TURN
// (G40-KAM-WHEN). A firm edition wants the strikes declared before, or passed up, where the record has a ship to strike
// at and what it answers; where either may only be there, and in older editions, such an entry is warned of.
func (d *decision) strikesFirst() bool {
	power, plays := d.japan()
	if d.asked || !plays || d.fought() || d.Phase != phaseMove && d.Phase != phaseCombat || d.tokens() == 0 ||
		len(noted[*events.StrikesDeclared](d.deeds)) > 0 {
		return true
	}
	d.asked = true
	zones, sure := d.strikeZones(power)
	zones = slices.DeleteFunc(zones, func(zone string) bool {
		return d.sendsOnly(zone, func(unit string) bool { return !surface(unit) }) && !d.targetIn(zone, power) &&
			!d.before(d.moved).targetIn(zone, power)
	})
	said := "%s may make kamikaze strikes in %s in this TURN of %s, with %s left, and not after this entry: they " +
		"come before any combat"
	switch {
	case len(zones) == 0:
	case rules.Firm(d.Options) && len(sure) > 0:
		d.ViolateField(d.Command.Verb, "G40-KAM-WHEN", said+". Enter {kamikaze: {strikes: {%s: […]}}} first, or [] "+
			"if it makes none; if the attack is wrong, correct it", power, words.And(sure), d.Player,
			counted(d.tokens(), "token"), sure[0])
	default:
		d.Warn(said+" (G40-KAM-WHEN). If it strikes, undo this entry and reports of ships that it strikes, and enter "+
			"{kamikaze: {strikes: {%s: […]}}} first", power, words.And(zones), d.Player,
			counted(d.tokens(), "token"), zones[0])
	}
	return !d.Refused()
}

// strikeZones are the sea zones where Japan may strike in this TURN, as far as the ledger knows, and those of them
// where it is sure to: what it answers and a target are on record.
func (d *decision) strikeZones(power string) (zones, sure []string) {
	for _, zone := range d.attackZones() {
		s, err := d.Board.SeaZone(zone)
		if err != nil || !d.hasSymbol(s) {
			continue
		}
		trigger, target := d.kamikazeZone(zone, power).Trigger, d.targetIn(zone, power)
		assault, nobody := trigger == "amphibious_assault", d.nobodyIn(power, zone)
		may := target || d.targetUnknown(zone, power) || d.before(d.moved).targetIn(zone, power) // and is reported away
		if trigger == "none" || nobody && !assault || !may {
			continue
		}
		zones = append(zones, zone)
		if target && (assault || len(d.unitsOf(power, zone)) > 0) {
			sure = append(sure, zone)
		}
	}
	return zones, sure
}

// warnOfStrikes warns of the capture of an island on which no attack was declared, though Japan may strike at ships on
// record in each sea zone from which it can be assaulted (G40-KAM-WHEN).
func (d *decision) warnOfStrikes(by string, s board.Space) {
	g, zones := d.game, d.zonesBeside(s)
	if by != d.Player {
		g = g.newTurn(by)
	}
	power, plays := d.japan()
	if !plays || d.tokens() == 0 || d.friends(by, power) && !d.atWar(by, power) || len(zones) < len(s.Neighbours) ||
		len(zones) == 0 || g.attackedAt(s.Name) || len(noted[*events.StrikesDeclared](g.deeds)) > 0 {
		return
	}
	for _, zone := range zones {
		at := d.At(zone)
		if !d.hasSymbol(at) || !g.before(g.moved).targetIn(zone, power) || slices.Contains(g.attackZones(), zone) {
			return
		}
	}
	d.Warn("%s may make kamikaze strikes against a landing on %s, with %s left, and no attack on it was declared. If "+
		"it strikes, undo this entry, and enter {attack: {attacker: %s, on: %s, from: %s}} first (G40-KAM-WHEN)", power,
		s.Name, counted(d.tokens(), "token"), by, s.Name, zones[0])
}

// targetIn reports whether an enemy surface warship is reported or declared in a sea zone (G40-KAM-TARGET).
func (g game) targetIn(zone, power string) bool {
	return slices.ContainsFunc(g.Powers, func(p string) bool {
		return g.atWar(p, power) && slices.ContainsFunc(warships(),
			func(kind string) bool { return surface(kind) && g.shipsIn(p, zone, kind) > 0 })
	})
}

// targetUnknown reports whether nothing is known of the attacker's ships in a sea zone, so that one may be struck at.
func (d *decision) targetUnknown(zone, power string) bool {
	return d.atWar(d.Player, power) && !d.wasReported(d.Player, zone) && !d.fliesTo(zone)
}

// shipsIn is how many ships of a kind a power has in a sea zone: as reported, or as declared to attack there or to
// support an assault from there, wherever they were reported.
func (g game) shipsIn(power, zone, kind string) int {
	return max(countOf(g.unitsOf(power, zone), kind), g.shipsSent(power, kind)[zone])
}

// japan is Japan, if it plays.
func (d *decision) japan() (string, bool) {
	return rules.Find(d.Powers, func(p string) bool { return samePower(p, string(Japan)) })
}

// striker is who strikes: Japan, if the entry names nobody else.
func (d *decision) striker(name string) (string, bool) {
	if name != "" {
		return name, true
	}
	if p, plays := d.japan(); plays {
		return p, true
	}
	d.ViolateField("kamikaze", "G40-KAM-WHO", "Japan does not play, and only Japan makes kamikaze strikes")
	return "", false
}

// strikesGiven reads ships by sea zone.
func (d *decision) strikesGiven(field string, given rules.Mapping[[]string]) ([]events.Strike, bool) {
	var list []events.Strike
	for _, m := range given {
		for i, text := range m.Value {
			s, ok := d.shipNamed(fmt.Sprintf("%s[%d]", m.At, i), m.Name, text)
			if !ok {
				return nil, false
			}
			list = append(list, s)
		}
	}
	if len(list) > 4*kamikazeTokens {
		d.ViolateField(field, "G40-KAM-SIX", "%s declared, and there are %d tokens in the game",
			counted(len(list), "strike"), kamikazeTokens)
	}
	return list, !d.Refused()
}

// shipNamed reads a ship of a sea zone: "US carrier", "US carrier 2" (or #2), or "carrier" where
// the attacker's is meant.
func (d *decision) shipNamed(field, zone, text string) (events.Strike, bool) {
	s := events.Strike{Zone: zone, Owner: d.Player, Nth: 1}
	ship := strings.TrimSpace(text)
	if i := strings.LastIndexAny(ship, " #"); i > 0 {
		if n, err := strconv.Atoi(ship[i+1:]); err == nil {
			s.Nth, ship = n, strings.TrimRight(ship[:i], " #")
		}
	}
	if s.Nth < 1 || s.Nth > mostAircraft {
		d.ViolateField(field, rules.Input, "%q: which one is meant? The second is written %s 2", text, ship)
		return s, false
	}
	for i := range ship {
		whose := func(p string) bool { return ship[i] == ' ' && samePower(p, ship[:i]) } // "American carrier" too
		if at := slices.IndexFunc(d.Powers, whose); at >= 0 {
			s.Owner, ship = d.Powers[at], ship[i+1:]
			break
		}
	}
	var ok bool
	s.Ship, ok = d.unit(field, ship)
	if ok && s.Owner == "" {
		d.ViolateField(field, rules.Input, "whose %s is it? Write US %s", s.Ship, s.Ship)
		return s, false
	}
	return s, ok
}

// kamikazeInput is the request that the rule answers, without dice.
func (d *decision) kamikazeInput(power string, strikes, damaged []events.Strike) KamikazeInput {
	in := KamikazeInput{Player: power, Tokens: d.tokens(), Timing: "start_of_conduct_combat"}
	if d.fought() || d.Phase != phaseMove && d.Phase != phaseCombat {
		in.Timing = "other"
	}
	for _, s := range strikes {
		if !slices.ContainsFunc(in.SeaZones, func(z KamikazeZone) bool { return z.ID == s.Zone }) {
			in.SeaZones = append(in.SeaZones, d.kamikazeZone(s.Zone, power))
		}
		if id := shipID(s); in.ship(id) < 0 {
			ship := Ship{ID: id, Type: contractName(s.Ship), SeaZone: s.Zone, Side: "allied"}
			if s.Owner == power && samePower(power, string(Japan)) { // a US carrier is not Japanese, whoever strikes
				ship.Side = "japanese"
			}
			if slices.Contains(d.damagedAt(s.Owner, s.Zone, s.Ship), s.Nth) {
				ship.HitsTaken = 1
				d.Cite("G40-KAM-SUNK", "%s has taken a hit before", id)
			} else if slices.Contains(damaged, s) {
				ship.HitsTaken = 1
			}
			in.Ships = append(in.Ships, ship)
		}
		in.Strikes = append(in.Strikes, Strike{SeaZone: s.Zone, Target: shipID(s)})
	}
	return in
}

// zones names the sea zones of the strikes.
func (in KamikazeInput) zones() string {
	list := rules.Each(in.SeaZones, func(z KamikazeZone) string { return z.ID })
	return strings.Join(list, ", ")
}

// shipID names one ship.
func shipID(s events.Strike) string {
	return fmt.Sprintf("%s %s #%d (%s)", s.Owner, s.Ship, s.Nth, s.Zone)
}

// kamikazeZone says of a sea zone whether it has the symbol, and what the attacker declared there.
func (d *decision) kamikazeZone(zone, power string) KamikazeZone {
	space, _ := d.Board.SeaZone(zone)
	z := KamikazeZone{ID: zone, Symbol: d.hasSymbol(space), Trigger: "none"}
	declared := d.attackedIn(zone)
	switch {
	case d.Player == "" || d.friends(d.Player, power) && !d.atWar(d.Player, power):
	case declared.Assault: // of any Allied player, whomever he is at war with
		z.Trigger = "amphibious_assault"
	case !d.atWar(d.Player, power):
	case declared.Attacked && (len(d.unitsOf(power, zone)) > 0 || len(d.enemiesIn(zone, d.Player)) == 0):
		z.Trigger = "attack_on_japanese_units"
	}
	return z
}

// checkDeclared wants one declaration a TURN.
func (d *decision) checkDeclared(power string) {
	switch before := noted[*events.StrikesDeclared](d.deeds); {
	case len(before) == 0:
	case len(before[0].Strikes) == 0:
		d.ViolateField("kamikaze", "G40-KAM-DECLARE",
			"by an entry before, %s strikes nowhere in this TURN of %s: undo that entry if it does", power, d.Player)
	default:
		d.ViolateField("kamikaze", "G40-KAM-DECLARE",
			"strikes were declared in this TURN of %s: all are declared together, before any die", d.Player)
	}
}

// checkStrikes wants strikes, on ships that are there. Who names sea zones without a strike passes them.
func (d *decision) checkStrikes(power string, strikes []events.Strike, passes bool) {
	zones, _ := d.strikeZones(power)
	switch {
	case len(strikes) > 0:
	case passes && (len(zones) == 0 || d.tokens() == 0):
		d.ViolateField("kamikaze.strikes", rules.Input, "no strike is declared, and %s has no chance of one in this "+
			"TURN, as far as is on record: nothing needs to be entered", power)
	default:
		d.ViolateField("kamikaze.strikes", rules.Input, "no strike is declared: write {strikes: {SZ 6: [US carrier]}}")
	}
	for _, s := range strikes {
		there := d.shipsIn(s.Owner, s.Zone, s.Ship)
		had, elsewhere := d.had(s.Owner, s.Ship)
		sent := d.shipsSent(s.Owner, s.Ship)
		had -= rules.Sum(slices.Sorted(maps.Values(sent)), func(n int) int { return n }) - sent[s.Zone]
		switch {
		case s.Owner != power && !d.atWar(s.Owner, power):
			d.ViolateField("kamikaze.strikes", "G40-KAM-TARGET",
				"%s is not at war with %s: strikes are on its enemies' ships; report at war if that has changed", power,
				s.Owner)
		case !warship(s.Ship) && s.Ship != transport:
			d.ViolateField("kamikaze.strikes", "G40-KAM-TARGET", "a %s is no surface warship", s.Ship)
		case d.wasReported(s.Owner, s.Zone) && there == 0 && s.Owner == d.Player && s.Nth <= had &&
			d.Options[OptionStruck] == "origin" && !d.shipsDeclared(s.Zone):
			d.Warn("%s is struck, and %s has every %s elsewhere as reported, and others there: if it sailed there, "+
				"report it first, or name it in the attack (G40-KAM-TARGET)", shipID(s), s.Owner, s.Ship)
		case d.wasReported(s.Owner, s.Zone) && there == 0:
			d.ViolateField("kamikaze.strikes", "G40-KAM-TARGET", "no %s of %s is reported in %s: where one is, report "+
				"it", s.Ship, s.Owner, s.Zone)
		case d.wasReported(s.Owner, s.Zone) && s.Nth > there:
			d.ViolateField("kamikaze.strikes", "G40-KAM-TARGET", "%s of %s reported in %s: there is no #%d",
				counted(there, s.Ship), s.Owner, s.Zone, s.Nth)
		case s.Owner == d.Player && s.Nth > there && d.shipsDeclared(s.Zone):
			d.Warn("%s declared %s in %s, and %s is struck: if it is there, report it or correct the attack "+
				"(G40-KAM-TARGET)", s.Owner, noneOr(there, s.Ship), s.Zone, shipID(s))
		case s.Owner == d.Player && s.Nth > d.staying(s.Zone, s.Owner, []string{s.Ship}) && s.Nth <= there:
			d.Warn("%s is struck, and of the ships reported there %s declared some in other sea zones in this TURN: a "+
				"ship is in one of them (G40-KAM-TARGET)", shipID(s), s.Owner)
		case s.Owner == d.Player && there == 0 && elsewhere && s.Nth > had && rules.Exact(d.Options):
			d.Warn("%s is struck, and %s declared so many in other sea zones in this TURN that none is left for it: a "+
				"ship is in one of them (G40-KAM-TARGET)", shipID(s), s.Owner)
		case s.Owner != d.Player && there == 0 && elsewhere && rules.Exact(d.Options):
			d.Warn("%s is struck, and %s has every %s elsewhere as reported: if it is there, report it first "+
				"(G40-KAM-TARGET)", shipID(s), s.Owner, s.Ship)
		}
	}
}

// shipsDeclared reports whether an attack says which ships are in a sea zone: it names some, or aircraft alone.
func (d *decision) shipsDeclared(zone string) bool {
	return d.fliesTo(zone) || slices.ContainsFunc(append(warships(), transport),
		func(kind string) bool { return d.shipsSent(d.Player, kind)[zone] > 0 })
}

// strike throws a die for each strike, and takes away what is sunk.
func (d *decision) strike(power string, in KamikazeInput, strikes []events.Strike) {
	var throws []events.Throw
	for i := range strikes { // not by their ships, so that a ship misheard can be corrected
		throws = append(throws, diceOf(fmt.Sprintf("strike %d", i+1), power, 1))
	}
	dice, ok := d.Roll(power, &events.RollDeclared{Purpose: "kamikaze strikes", Subject: in.zones(), Throws: throws})
	if !ok {
		return
	}
	for i := range in.Strikes {
		in.Strikes[i].Roll = dice[i][0]
	}
	out, found := Kamikaze(in)
	if !d.Add(found) {
		return
	}
	p := &events.ResultAdjudicated{Procedure: "g40.kamikaze", Subject: in.zones(), Attacker: power, Defender: d.Player,
		Declared: d.Declared()}
	for _, s := range out.Ships {
		p.Figures = append(p.Figures, events.Figure{Name: s.ID, Value: s.Hits, Text: s.Status})
	}
	d.Record(power, p)
	for i, s := range out.Ships {
		at := slices.IndexFunc(strikes, func(x events.Strike) bool { return shipID(x) == s.ID })
		if s.Status == "sunk" {
			d.Cite("G40-KAM-SUNK", "%s is removed before the battle", in.Ships[i].ID)
			berth := d.berthOf(strikes[at])
			if berth != strikes[at].Zone {
				d.Cite("GEN-CARRY", "none is reported in %s: it is one of those of %s", strikes[at].Zone, berth)
			}
			d.lose(strikes[at].Owner, berth, causeKamikaze, "", events.Unit{Name: strikes[at].Ship, Count: 1})
		}
	}
}

// berthOf is the sea zone where a struck ship is reported (GEN-CARRY): that of the strike, or where none of its kind
// is and it is the attacker's, another: one that had as many as were declared before one that had fewer, and those last
// that are attacked by such ships; of several the first on the board.
func (d *decision) berthOf(s events.Strike) string {
	best, rank, sent, then := s.Zone, 0, d.shipsSent(s.Owner, s.Ship), d.before(d.moved)
	if d.Options[OptionStruck] != "origin" || s.Owner != d.Player || countOf(d.unitsOf(s.Owner, s.Zone), s.Ship) > 0 {
		return s.Zone
	}
	for _, z := range d.Board.Spaces() {
		r := 1
		switch {
		case !z.Water || countOf(d.unitsOf(s.Owner, z.Name), s.Ship) == 0:
			continue
		case sent[z.Name] == 0 && countOf(then.unitsOf(s.Owner, z.Name), s.Ship) >= sent[s.Zone]:
			r = 3
		case sent[z.Name] == 0:
			r = 2
		}
		if r > rank {
			best, rank = z.Name, r
		}
	}
	return best
}
