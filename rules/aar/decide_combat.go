package aar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// hunting is an entry of a combat with submarines. No sea zone has seen half as many destroyers.
type hunting struct {
	Zone       string             `json:"zone" is:"sea zone"`
	Attacker   string             `json:"attacker" is:"power"`
	Destroyers rules.Mapping[int] `json:"destroyers" of:"power" least:"1" most:"50"`
	Air        []Power            `json:"air" is:"power" doc:"powers with a fighter or bomber in the sea zone"`
	Others     bool               `json:"other attackers" doc:"units besides submarines attack"`
	Cycle      *int               `json:"cycle" label:"cycle of the combat" doc:"2 once destroyers have rolled"`
}

// purposeHunt begins what the dice of destroyers are for.
const purposeHunt = "SUB Detection"

// hunt is a combat with submarines as it is put to the rule: once for those that defend and once for
// those that attack, for destroyers look for enemies only.
type hunt struct {
	zone, attacker string
	sides          []DetectionInput
	boats          map[Power][]string
}

// huntSubmarines rolls for detection in a sea zone (rule 7).
func (d *decision) huntSubmarines(e hunting) {
	h, ok := d.readHunt(e)
	if !ok {
		return
	}
	for _, in := range h.sides {
		for _, v := range CheckDetection(in).Violations {
			if !slices.Contains(d.Violations, v) { // the cycle is one for both sides
				d.Violations = append(d.Violations, v)
			}
		}
	}
	d.checkHunt(e)
	d.warnOfHunt(e)
	d.warnOfLeftOut(e)
	if e.Attacker == string(US) && !isSZ7(d.called(e.Zone)) {
		d.warnOfFleet(len(h.boats[US]))
	}
	d.checkUnrolled(e)
	if d.Refused() || !d.settledHunt(h.sides) || !d.Enter(h.attacker, phaseCombat, "AAR-7-ROLL") {
		return
	}
	p := &events.SubmarinesHunted{Zone: h.zone, Attacker: h.attacker}
	if roll := h.roll(); len(roll.Throws) > 0 {
		dice, ok := d.Roll(h.attacker, roll)
		if !ok {
			return
		}
		h.fill(dice)
		p.Declared = d.Declared()
	}
	for _, in := range h.sides {
		out, f := Detect(in)
		if !d.Add(f) {
			return
		}
		for _, g := range out.Groups {
			p.Groups = append(p.Groups, h.huntedGroup(in, g))
		}
	}
	d.Record(h.attacker, p)
}

// checkHunt holds a combat to what the ledger knows (GEN-CARRY): a submarine is in one in a TURN, and the destroyers of
// the UK are in none on the US TURN of D-Day.
func (d *decision) checkHunt(e hunting) {
	if !d.carries() {
		return
	}
	if d.exact() && e.Cycle != nil && *e.Cycle < 1 {
		d.ViolateField("sub detection.cycle", rules.Input, "the first cycle of a combat is 1, and %d is none", *e.Cycle)
	}
	for _, b := range d.boats() {
		if d.strict() && b.zone == e.Zone && slices.Contains(d.submerged[e.Attacker].Value, b.name) {
			d.ViolateField("sub detection.zone", "AAR-4-SUBMERGED", "%s was reported as submerged in this TURN of %s: "+
				"the hunt comes first, and then submerge: [%s]", b.name, e.Attacker, b.name)
		}
		if name, c, could := d.renamed(b, e.Attacker); could && d.strict() && b.zone == e.Zone && b.fights(e.Attacker) {
			d.ViolateField("sub detection.zone", "AAR-7-ROLL", "%s is new since the combat in %s in this TURN, and %s "+
				"is gone: if it is the same one, it was in its combat of this TURN; if not, correct the report before "+
				"that combat, and name it there", b.name, c.zone, name)
		}
		if b.zone == e.Zone && b.fights(e.Attacker) && d.sailed(b) && e.Attacker == string(US) && d.exact() {
			d.ViolateField("sub detection.zone", "GEN-CARRY", "%s took part in D-Day, event %d, and fights in one sea "+
				"zone alone", b.name, d.carriedAt)
		}
		for _, c := range d.combats {
			if _, was := c.group(b.name); was && b.zone == e.Zone && c.zone != e.Zone && c.attacker == e.Attacker {
				d.ViolateField("sub detection.zone", "AAR-7-ROLL",
					"%s has been through sub detection in %s in this TURN, and destroyers roll in the first cycle "+
						"alone", b.name,
					c.zone)
			}
		}
	}
	if _, british := e.Destroyers.Named(string(UK)); british && e.Attacker == string(US) && d.ddayRound() {
		d.ViolateField("sub detection.destroyers", "AAR-5-UK-FRANCE",
			"destroyers of the UK do not fight on the US TURN of D-Day: its units fight in France only")
	}
}

// sailed reports whether a submarine that lies elsewhere took part in D-Day in SZ 7 in this ROUND.
func (d *decision) sailed(b boat) bool {
	return !isSZ7(d.called(b.zone)) && slices.ContainsFunc(d.landing, func(c combat) bool {
		_, fought := c.group(b.name)
		return fought
	})
}

// warnOfHunt says where the text is silent: whether an ally's destroyers and aircraft are of the attacking force, and
// what aircraft of the UK do in a sea zone on the US TURN of D-Day, in which they fight in France alone.
func (d *decision) warnOfHunt(e hunting) {
	for _, p := range powers() {
		_, destroyers := e.Destroyers.Named(string(p))
		ally := string(p) != e.Attacker && !enemies(p, Power(e.Attacker))
		if ally && (destroyers || slices.Contains(e.Air, p)) { // AAR-7-ROLL
			d.Warn("%s attacks in %s: the destroyers of the attacking force hunt, and whether those of %s and its "+
				"aircraft are of it the text does not say", e.Attacker, e.Zone, p)
		}
	}
	rolled := d.hunters
	if e.Attacker != d.Player { // whose TURN begins now
		rolled = nil
	}
	for _, m := range e.Destroyers {
		d.warnOfUnplaced(m.Name, m.Value, rolled[m.Name], "destroyer", "destroyer") // AAR-7-ROLL: each rolls once
		d.warnOfLay(e.Zone, e.Attacker, m.Name)
	}
	for _, p := range e.Air {
		d.warnOfUnplaced(string(p), 1, 0, "aircraft", "fighter", "bomber")
	}
	if e.Attacker == string(US) && d.ddayRound() && slices.Contains(e.Air, UK) { // AAR-5-UK-FRANCE
		d.Warn("aircraft of the UK are in %s on the US TURN of D-Day: those that are used fight in France alone",
			e.Zone)
	}
}

// warnOfLeftOut says that a hunt lacks units of the attacker that are on record in its sea zone in this TURN: aircraft
// at which AA guns fired, and what is in the sea combat of D-Day.
func (d *decision) warnOfLeftOut(e hunting) {
	hunt, hunts := e.Destroyers.Named(e.Attacker)
	air := slices.ContainsFunc(d.flaks, func(f flak) bool {
		return f.at == e.Zone && f.attacker == e.Attacker && f.left["fighter"]+f.left["bomber"] > 0
	})
	destroyers := 0
	for _, u := range d.landed {
		if d.landingIn(e.Zone, e.Attacker) && u.Power == e.Attacker && u.Role == title(string(SeaCombat)) {
			air = air || slices.Contains(flying(), u.Kind)
			destroyers += map[bool]int{true: 1}[u.Kind == "destroyer"]
		}
	}
	if hunts && air && !slices.Contains(e.Air, Power(e.Attacker)) {
		d.Warn("%s has had aircraft in %s in this TURN, and none in this hunt: air: [%s], where one is left "+
			"(AAR-7-MOD-AIR)", e.Attacker, e.Zone, e.Attacker)
	}
	if destroyers > hunt.Value {
		d.Warn("of %s there are %d in the sea combat of D-Day, and %d hunt: each that is left rolls (AAR-7-ROLL)",
			e.Attacker, destroyers, hunt.Value)
	}
}

// huntedGroup makes the record of one group of submarines.
func (h hunt) huntedGroup(in DetectionInput, g DetectedGroup) events.HuntedGroup {
	t := events.HuntedGroup{Power: string(g.Power), Submarines: h.boats[g.Power], Detected: g.Detected,
		MaySubmerge: g.MaySubmerge, MayCallShots: g.MayCallShots}
	for _, dd := range in.Destroyers {
		if value, ok := g.Values[dd.Power]; ok {
			t.Values = append(t.Values, events.Figure{Name: string(dd.Power), Value: value})
		}
	}
	return t
}

// readHunt puts an entry together with the submarines and technologies that were reported.
func (d *decision) readHunt(e hunting) (hunt, bool) {
	attacker := Power(e.Attacker)
	h := hunt{zone: e.Zone, attacker: e.Attacker, boats: map[Power][]string{}}
	for _, b := range d.boats() {
		if b.zone == e.Zone && b.fights(e.Attacker) {
			h.boats[Power(b.owner)] = append(h.boats[Power(b.owner)], b.name)
		}
	}
	if len(h.boats) == 0 {
		d.Unreported("sub detection.zone", rules.Input,
			"no submarine of %s or of its enemies was reported in %s: report facts: {submarines: …}", attacker,
			e.Zone)
		return hunt{}, false
	}
	common := DetectionInput{Cycle: d.cycle(e, h), Air: e.Air, Techs: d.allTechs(), Options: rulesOptions(d.Options)}
	destroyers := destroyersOf(e.Destroyers)
	friend := func(p Power) bool { return !enemies(p, attacker) }
	seen := d.carries() && (d.fired(e.Zone, e.Attacker) || d.landingIn(e.Zone, e.Attacker))
	alone := !e.Others && !seen && !slices.ContainsFunc(common.Air, friend) &&
		!slices.ContainsFunc(destroyers, func(dd Destroyers) bool { return friend(dd.Power) })
	h.sides = h.bothSides(common, destroyers, alone)
	return h, true
}

// cycle is the cycle of the combat: the second, once destroyers have rolled in this TURN (AAR-7-ROLL).
func (d *decision) cycle(e hunting, h hunt) int {
	switch {
	case e.Cycle != nil && !d.carries():
		return *e.Cycle
	case slices.ContainsFunc(d.combats, func(c combat) bool { return c.zone == h.zone && c.attacker == h.attacker }):
		return 2
	case e.Cycle != nil:
		return *e.Cycle
	}
	return 1
}

// bothSides sets the destroyers of each side against the submarines of the other.
func (h hunt) bothSides(common DetectionInput, destroyers []Destroyers, alone bool) []DetectionInput {
	var sides []DetectionInput
	for _, attacking := range []bool{false, true} {
		in := common
		in.Attacking, in.OtherAttackers = attacking, attacking && !alone
		for _, p := range powers() {
			if n := len(h.boats[p]); n > 0 && (string(p) == h.attacker) == attacking {
				in.Submarines = append(in.Submarines,
					SubmarineGroup{Power: p, Count: n, Super: slices.Contains(common.Techs[p], superSubmarines)})
			}
		}
		for _, dd := range destroyers {
			if enemies(dd.Power, Power(h.attacker)) == attacking {
				in.Destroyers = append(in.Destroyers, dd)
			}
		}
		if len(in.Submarines) > 0 || len(in.Destroyers) > 0 {
			sides = append(sides, in)
		}
	}
	return sides
}

// destroyersOf are those in the combat, a roll to come for each, in the order of the contract.
func destroyersOf(given rules.Mapping[int]) []Destroyers {
	var list []Destroyers
	for _, p := range powers() {
		if m, has := given.Named(string(p)); has {
			list = append(list, Destroyers{p, make([]int, m.Value)})
		}
	}
	return list
}

// allTechs are the technologies that were reported.
func (d *decision) allTechs() map[Power][]Tech {
	all := map[Power][]Tech{}
	for power, f := range d.techs {
		for _, name := range f.Value {
			all[Power(power)] = append(all[Power(power)], Tech(strings.ReplaceAll(name, " ", "_")))
		}
	}
	return all
}

// roll declares the dice of each nation's destroyers, with what they detect on and why
// (AAR-7-NATIONS).
func (h hunt) roll() *events.RollDeclared {
	r := &events.RollDeclared{Subject: h.zone}
	var values []string
	for _, in := range h.sides {
		for _, dd := range in.Destroyers {
			for _, s := range in.Submarines {
				value := DetectionValue(&rules.Findings{}, in, dd.Power, s)
				values = append(values, fmt.Sprintf("%s detects %s at %d", dd.Power, s.Power, value))
				for _, m := range DetectionModifiers(in, dd.Power, s) {
					name := fmt.Sprintf("%s against %s, %s", dd.Power, s.Power, m.Name)
					r.Modifiers = append(r.Modifiers, events.Modifier{Name: name, Value: m.Value, Rule: m.Rule})
				}
			}
			r.Throws = append(r.Throws,
				events.Throw{Name: string(dd.Power) + " destroyers", Side: string(dd.Power), Dice: len(dd.Rolls),
					Sides: 6})
		}
	}
	r.Purpose = purposeHunt + ", " + strings.Join(values, ", ")
	return r
}

// fill gives each nation's destroyers their rolls.
func (h hunt) fill(dice [][]int) {
	n := 0
	for _, in := range h.sides {
		for i := range in.Destroyers {
			in.Destroyers[i].Rolls = dice[n]
			n++
		}
	}
}
