package g40

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// raidEntry is an entry {bombing raid: {on: UK, targets: {major ic: 2, air base: {tactical bomber:
// 1}}, escorts: 1}}.
type raidEntry struct {
	Attacker     string                         `json:"attacker" is:"attacker" else:"whose TURN it is"`
	On           string                         `json:"on" is:"territory"`
	Escorts      int                            `json:"escorts" least:"0"`
	Targets      rules.Mapping[json.RawMessage] `json:"targets" of:"facility*" doc:"strategic bombers, or by kind"`
	Interceptors json.RawMessage                `json:"interceptors" doc:"the holder's, or by power; else asked"`
}

// raid is a bombing raid under way: the request that the rule answers, as far as it is known.
type raid struct {
	in                 RaidInput
	at                 board.Space
	attacker, defender string
	typed              map[string]int // interceptors by power, nil where the defender is to be asked
	interceptors       []events.Unit  // under their owners' names
}

// bombingRaid flies a raid from the interceptors to the damage. How many dice are thrown next
// depends on the dice before, so it throws step by step.
func (d *decision) bombingRaid(e raidEntry) {
	if !d.freshTurn(e.Attacker) {
		return
	}
	r, ok := d.readRaid(e)
	if !ok || !d.checkRaid(r) || !d.inOrder(r) || !d.settleRaid(r) || !d.fight(r.attacker, rules.Input) {
		return
	}
	p := &events.RaidDeclared{Attacker: r.attacker, Defender: r.defender, Territory: r.at.Name, Escorts: r.in.Escorts}
	for _, t := range r.in.Targets {
		p.Targets = append(p.Targets,
			events.RaidTarget{Facility: string(t.Facility), Strategic: t.Strategic, Tactical: t.Tactical})
	}
	d.Cite("G40-SBR-ASSIGN", "%s bomb in %s", r.in.attackers().less(Attackers{Escorts: r.in.Escorts}), r.at.Name)
	d.Record(r.attacker, p)
	if d.intercept(r) && d.airBattle(r) && d.facilityFire(r) && d.rollDamage(r) {
		d.concludeRaid(r)
	}
}

// inOrder forbids a second raid on a territory in a TURN, and raids after combat.
func (d *decision) inOrder(r *raid) bool {
	if d.raided(r.at.Name) {
		d.forbid("bombing raid.on", "G40-SBR-ASSIGN", "%s was raided in this TURN before: all bombers over a "+
			"territory are divided among its targets, and its interceptors decided, before any die; if more flew, "+
			"correct that raid", r.at.Name)
	}
	d.checkStep("bombing raid", "raids are flown", "G40-SBR-INTERCEPT")
	return !d.Refused()
}

func (d *decision) readRaid(e raidEntry) (*raid, bool) {
	r := &raid{attacker: e.Attacker, at: d.At(e.On)}
	r.defender = d.holder(r.at)
	r.in = RaidInput{Escorts: e.Escorts, JetFighters: d.has(r.attacker, JetFighters), Options: raidOptions(d.Options)}
	for _, m := range e.Targets {
		t, ok := d.raidTarget(m)
		if !ok {
			return nil, false
		}
		if there, standing := d.facility(r.at, t.Facility); standing {
			t.Damage = there.Damage
		} else {
			d.ViolateField(m.At, "G40-SBR-STRAT", "no %s stands in %s: %s", t.Facility.title(), r.at.Name,
				d.raidable(r.at))
		}
		r.in.Targets = append(r.in.Targets, t)
		r.in.Strategic += t.Strategic
		r.in.Tactical += t.Tactical
	}
	var ok bool
	if r.typed, ok = d.interceptorsGiven(r, e.Interceptors); !ok {
		return nil, false
	}
	return r, d.enough("bombing raid", r.in.attackers().all())
}

// raidable says what bombers may raid in a territory (G40-SBR-STRAT).
func (d *decision) raidable(s board.Space) string {
	list := rules.Each(d.standing(s), func(f events.Facility) string { return Facility(f.Kind).title() })
	if len(list) == 0 {
		return "it has neither a complex nor a base, so nothing there is raided"
	}
	return "bombers raid the " + words.And(list) + " there"
}

// raidTarget reads the bombers sent against a facility: a number of strategic bombers, or a mapping.
func (d *decision) raidTarget(m rules.Member[json.RawMessage]) (RaidTarget, bool) {
	t := RaidTarget{Facility: Facility(m.Name), AADice: []int{}, DamageDice: []int{}}
	var bombers rules.Mapping[int]
	if json.Unmarshal(m.Value, &t.Strategic) == nil {
		return t, d.InRange(m.At, t.Strategic, 1, rules.Limit)
	}
	if json.Unmarshal(m.Value, &bombers) != nil || len(bombers) == 0 {
		d.ViolateField(m.At, rules.Input,
			"write how many strategic bombers raid the %s, or {strategic bomber: 1, tactical bomber: 2}",
			t.Facility.title())
		return t, false
	}
	if !rules.Check(d, m.At, &bombers, `of:"unit" least:"0"`) {
		return t, false
	}
	for _, u := range unitsOf(bombers) {
		switch u.Name {
		case strategicBomber:
			t.Strategic = u.Count
		case tacticalBomber:
			t.Tactical = u.Count
		default:
			d.ViolateField(m.At, rules.Input, "%s does not bomb: strategic and tactical bombers do", one(u.Name))
			return t, false
		}
	}
	return t, true
}

// interceptorsGiven reads {interceptors: 2}, the holder's, or {interceptors: {UK: 1, US: 1}}.
func (d *decision) interceptorsGiven(r *raid, raw json.RawMessage) (map[string]int, bool) {
	if len(raw) == 0 {
		return nil, true
	}
	field := "bombing raid.interceptors"
	typed := map[string]int{}
	var one int
	var given rules.Mapping[int]
	switch {
	case json.Unmarshal(raw, &one) == nil:
		typed[r.defender] = one
		if one > 0 {
			d.holders(field, r.defender, r.at.Name)
		}
		return typed, d.InRange(field, one, 0, mostAircraft) && !d.Refused()
	case json.Unmarshal(raw, &given) != nil || len(given) == 0:
		d.ViolateField(field, rules.Input, "write how many fighters intercept: 2, or whose: {UK: 1, US: 1}")
		return nil, false
	}
	if !rules.Check(d, field, &given, `of:"power" least:"0" most:"100"`) {
		return nil, false
	}
	for _, m := range given {
		typed[m.Name] = m.Value
	}
	return typed, true
}

// checkRaid refuses what may not be flown, before any die.
func (d *decision) checkRaid(r *raid) bool {
	found := r.in.check()
	d.Check(found)
	if r.in.attackers().bombers() == 0 && r.in.Escorts == 0 {
		d.ViolateField("bombing raid.targets", rules.Input, "no bombers: write {targets: {major ic: 2}}; %s",
			d.raidable(r.at))
	}
	if !d.atWar(r.attacker, r.defender) {
		d.ViolateField("bombing raid.on", rules.Input,
			"%s holds %s, and %s is not at war with it: report control or at war if that has changed", r.defender,
			r.at.Name, r.attacker)
	}
	d.committed("bombing raid", "G40-SBR-AFTER", r.attacker, strategicBomber, r.in.Strategic)
	d.committed("bombing raid", "G40-SBR-AFTER", r.attacker, tacticalBomber, r.in.Tactical)
	d.committed("bombing raid", "G40-SBR-ESCORT", r.attacker, fighter, r.in.Escorts)
	for _, power := range slices.Sorted(maps.Keys(r.typed)) {
		if r.typed[power] > 0 && !d.atWar(power, r.attacker) {
			d.ViolateField("bombing raid.interceptors", "G40-SBR-INTERCEPT",
				"%s is not at war with %s, so its fighters do not intercept", power, r.attacker)
		}
		d.available("bombing raid.interceptors", "G40-SBR-INTERCEPT", power, r.at.Name, fighter, r.typed[power])
	}
	if r.typed == nil && !d.wasReported(r.defender, r.at.Name) {
		d.Unreported("bombing raid.interceptors", rules.Input,
			"say how many fighters intercept, 0 for none, or report the units of %s in %s", r.defender, r.at.Name)
	}
	return !d.Refused()
}

// committed refuses aircraft that attack or raid elsewhere in this TURN: more of a kind are sent
// than the power has on the board. Where none were reported nothing is known.
func (d *decision) committed(field, rule, attacker, kind string, n int) {
	had, known := d.had(attacker, kind)
	had += d.accounted(attacker, kind)
	if !known {
		if !d.checkFallen(field, attacker, kind, n) {
			d.warnOfGone(attacker, kind, n)
		}
		return
	}
	why := "what raids fights nowhere else"
	sent := d.sent(attacker, kind)
	switch {
	case rule == "GEN-CARRY":
		why = "each attacks once in a TURN; if there are more, report them first"
	case sent == 0:
		why = "if there are more, report them first"
	}
	if n > 0 && sent+n > had {
		d.ViolateField(field, rule, "%s has %s: %d sent to fight before in this TURN, and %d here; %s", attacker,
			noneOr(had, kind), sent, n, why)
	}
}

// settleRaid puts options that are still to be asked to the umpire, where the raid turns on them.
func (d *decision) settleRaid(r *raid) bool {
	var names []string
	if r.in.Strategic > 0 {
		names = append(names, OptionStrategicBomberBonus)
	}
	if len(d.interceptable(r)) > 0 {
		names = append(names, OptionAirBattle, OptionInterceptorHitsOn)
	}
	return OptionList().Settled(d.Hearing, d.Command, d.Options, names...)
}

// interceptable are the fighters that may intercept, or that did, under their owners' names.
func (d *decision) interceptable(r *raid) []events.Unit {
	var list []events.Unit
	for _, p := range d.Powers {
		n := r.typed[p]
		if r.typed == nil && d.atWar(p, r.attacker) {
			n = d.free(p, r.at.Name, fighter)
			if idle, known := d.idle(p, fighter); known && rules.Strict(d.Options) { // GEN-CARRY: fallen elsewhere
				n = min(n, idle)
			}
		}
		if n > 0 {
			list = append(list, events.Unit{Name: p, Count: min(n, mostAircraft)})
		}
	}
	return list
}

// intercept commits the interceptors: as typed, or as each owner chooses (G40-SBR-INTERCEPT).
func (d *decision) intercept(r *raid) bool {
	for _, u := range d.interceptable(r) {
		n := u.Count
		if r.typed == nil {
			var ok bool
			if n, ok = d.askInterceptors(r, u.Name, u.Count); !ok {
				return false
			}
		}
		if n == 0 {
			continue
		}
		d.Cite("G40-SBR-INTERCEPT", "fighters of %s in %s that intercept: %d; they fight nowhere else in this turn",
			u.Name, r.at.Name, n)
		d.Record(u.Name, &events.FightersIntercepted{Power: u.Name, Territory: r.at.Name, Fighters: n})
		r.interceptors = append(r.interceptors, events.Unit{Name: u.Name, Count: n})
		r.in.Interceptors += n
	}
	return true
}

func (d *decision) askInterceptors(r *raid, power string, most int) (int, bool) {
	var options []string
	for n := range most + 1 {
		options = append(options, strconv.Itoa(n))
	}
	answer, ok := d.Choose(&events.ChoiceAsked{
		Question: fmt.Sprintf("how many fighters of %s in %s intercept the raid of %s?", power, r.at.Name, r.attacker),
		Of:       power, Options: options, Rule: "G40-SBR-INTERCEPT",
	})
	if !ok || len(answer) != 1 {
		return 0, false
	}
	n, err := strconv.Atoi(answer[0])
	if err != nil || n < 0 || n > most {
		d.ViolateField("answer", rules.Input, "%q is not a number from 0 to %d", answer[0], most)
		return 0, false
	}
	return n, true
}
