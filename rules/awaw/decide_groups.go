package awaw

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// factCombatGroups is the fact behind which the defender's combat groups are committed, until one is picked.
const factCombatGroups = "combat groups"

// groups are the defender's combat groups in a port, with their ships (22.93A). What is in them is secret.
type (
	groups      = rules.Mapping[*rules.Known[[]string]]
	groupMember = rules.Member[*rules.Known[[]string]]
)

// listed are the targets that the entry names.
func (e harborEntry) listed() (targets []HarborTarget) {
	for _, ship := range e.Targets {
		targets = append(targets, HarborTarget{Ship: ship, Named: true})
	}
	for _, ship := range e.LightShips {
		targets = append(targets, HarborTarget{Ship: ship})
	}
	return targets
}

// asksTargets reports whether the targets are picked from the ships that the entry gives.
func (e harborEntry) asksTargets() bool {
	return len(e.Targets)+len(e.LightShips) == 0 && len(e.Groups)+len(e.InHarbor) > 0
}

// picks reports whether the attacker is asked for what he attacks.
func (e harborEntry) picks() bool { return e.asksTargets() || len(e.Groups) > 0 && e.Group == "" }

// cardsNotYet refuses cards that are listed before the attacker has picked, and passes too in editions that are exact:
// refused later, one would leave the question what he picks without an answer.
func (d *decision) cardsNotYet(entry harborCommand) bool {
	if entry.Attack.picks() && entry.Cards != nil && (slices.ContainsFunc(*entry.Cards, plays) ||
		d.exact() && len(*entry.Cards) > 0) {
		d.ViolateField("cards", "AWAW-48.31-C", "cards are played once the targets are picked: leave cards out, and "+
			"the sides are asked then; or name the combat group and the targets")
	}
	return !d.Refused()
}

// shownShips checks what the entry says of the ships in the port: by submarine one combat group is revealed
// (HA-SUB-GROUPS), by carrier all ships are (HA-CV-REVEAL).
func (d *decision) shownShips(e harborEntry) bool {
	switch {
	case e.By == ByCarrier && (len(e.Groups) > 0 || e.Group != ""):
		d.ViolateField("harbor attack.combat groups", "AWAW-HA-CV-REVEAL",
			"all ships are shown before an attack by carrier: list them, in harbor: [Littorio, Cavour]")
	case e.By == BySubmarine && len(e.InHarbor) > 0:
		d.ViolateField("harbor attack.in harbor", "AWAW-HA-SUB-GROUPS", "a submarine is shown one combat group alone: "+
			"list the defender's, combat groups: {first: [Royal Oak], second: [Repulse]}")
	case len(e.Groups) == 0 && e.Group != "":
		d.ViolateField("harbor attack.combat group", "AWAW-HA-SUB-GROUPS", "the combat group %s is picked from those "+
			"of the defender: list them, combat groups: {first: [Royal Oak], second: [Repulse]}", e.Group)
	case len(e.Groups) > 0:
		return d.groupsFormed(e)
	default:
		d.shipsApart(e)
	}
	return !d.Refused()
}

func (d *decision) groupsFormed(e harborEntry) bool {
	for _, m := range e.Groups {
		if m.Value == nil || len(m.Value.Sealed()) > 0 && !d.c.Hides(m.Value.Sealed()) {
			d.ViolateField(m.At, rules.Input, "%s is the list of the ships in the group", m.At)
			return false
		}
		d.Weigh(rules.Map(*m.Value, func(ships []string) (f rules.Findings) {
			if len(ships) == 0 || slices.Contains(ships, "") {
				f.ViolateField(m.At, rules.Input, "%s is the list of the ships in the group, at least one", m.At)
			}
			for _, ship := range ships {
				if s, _ := d.sortieOf(e.Defender, ship); d.strict() && s.lost {
					f.ViolateField(m.At, "AWAW-HA-CV-LOST", "%s lies in no harbor: it was eliminated in its attack "+
						"on %s (event %d)", ship, s.port, s.index)
				}
				if rule, why := d.lies(e, ship); rule != "" && d.firm() {
					f.ViolateField(m.At, rule, "%s: form the groups without it, or correct that attack", why)
				}
			}
			return f
		}))
	}
	d.shipsApart(e)
	_, asked := e.Attacker.faction(e.Defender)
	for i, m := range e.Groups {
		if d.exact() && slices.ContainsFunc(e.Groups[:i], func(x groupMember) bool { return d.same(x.Name, m.Name) }) {
			d.ViolateField(m.At, rules.Input, "each combat group needs a name of its own, not %q", m.Name) // GEN-UNIQUE
		}
	}
	if _, there := d.groupNamed(e.Groups, string(e.Group)); !there && (e.Group != "" || !asked) {
		d.Unknown(d.c, "harbor attack.combat group", "combat group", string(e.Group), groupNames(e.Groups))
	}
	return !d.Refused()
}

// shipsApart wants a named ship to lie in one combat group. Light ships of one name may lie in several: named are the
// targets that the entry calls so, and the carriers that have made an attack.
func (d *decision) shipsApart(e harborEntry) {
	if !d.exact() {
		return
	}
	rule, twice := "AWAW-HA-SUB-GROUPS", "a named ship lies in a port once, and in one combat group, and one is "+
		"listed again" // which one may be secret (GEN-SECRET)
	if e.By == ByCarrier {
		rule, twice = "AWAW-HA-CV-REVEAL", "a named ship lies in a port once, and one is listed again"
	}
	all := rules.Fact(e.InHarbor) // as they are shown before an attack by carrier, without groups
	for _, m := range e.Groups {
		all = rules.With(all, *m.Value, func(all, ships []string) []string { return slices.Concat(all, ships) })
	}
	d.Weigh(rules.Map(all, func(all []string) (f rules.Findings) {
		for i, ship := range all {
			_, sailed := d.sortieOf(e.Defender, ship)
			if d.shipIn(all[:i], ship) >= 0 && (sailed || d.shipIn(e.Targets, ship) >= 0) {
				f.ViolateField("harbor attack", rule, "%s", twice)
			}
		}
		return f
	}))
}

// groupNamed finds a combat group by its name, however it is written.
func (d *decision) groupNamed(g groups, name string) (groupMember, bool) {
	if m, there := g.Named(name); there {
		return m, true
	}
	return rules.Find(g, func(m groupMember) bool { return name != "" && d.same(m.Name, name) })
}

func groupNames(g groups) []string {
	return rules.Each(g, func(m groupMember) string { return m.Name })
}

// pickTargets lets the attacker pick a combat group, which is revealed then, and holds the targets to the ships that
// are shown. Where the entry names none he is asked.
func (d *decision) pickTargets(e harborEntry, in *HarborAttackInput, powers [2]Power) bool {
	ships, rule, ok := e.InHarbor, "AWAW-HA-CV-REVEAL", true
	if len(e.Groups) > 0 {
		rule = "AWAW-HA-SUB-GROUPS"
		if ships, ok = d.pickGroup(e, powers); !ok {
			return false
		}
	}
	if e.asksTargets() {
		return d.askTargets(e, in, powers, ships)
	}
	left := slices.Clone(ships)
	for i, t := range in.Targets {
		at := d.shipIn(left, t.Ship)
		if at < 0 && len(ships) > 0 {
			shown := ": " + words.And(ships)
			if len(e.Groups) > 0 { // a refused pick reveals no combat group (GEN-SECRET)
				shown = ""
			}
			d.ViolateField(fmt.Sprintf("harbor attack.targets[%d]", i), rule, "%s is none of the ships shown in %s%s",
				t.Ship, e.Port, shown)
			return false
		}
		if at >= 0 {
			left = slices.Delete(left, at, at+1)
		}
	}
	return true
}

// pickGroup commits to the combat groups and reveals the one that the attacker picks. They are the umpire's secret: the
// attack, whose act this is, is that of the attacker.
func (d *decision) pickGroup(e harborEntry, powers [2]Power) (ships []string, ok bool) {
	const rule = "AWAW-HA-SUB-GROUPS"
	d.sealGroups(e.Groups)
	attacker, _ := powers[0].faction(powers[1])
	names := groupNames(e.Groups)
	d.Cite(rule, "%s has formed %s in %s", powers[1].Name(), words.Count(len(names), "combat group"), e.Port)
	formed := d.Record("", &events.FactReported{Fact: factCombatGroups, Subject: e.Port, Names: names, Secret: true})
	for _, m := range e.Groups {
		ships := rules.Map(*m.Value, shipsText)
		formed.Secrets = append(formed.Secrets, rules.Secret{Slot: groupSlot(m.Name), Fact: ships})
	}
	committed, picked := d.Last(), []string{string(e.Group)}
	if e.Group == "" {
		picked, ok = d.Choose(&events.ChoiceAsked{
			Question: fmt.Sprintf("which combat group in %s does %s attack?", e.Port, powers[0].Name()),
			Of:       attacker.Title(), Options: names, Rule: rule,
		})
		if !ok {
			return nil, false
		}
	}
	m, formedSo := d.groupNamed(e.Groups, picked[0])
	if !formedSo { // recorded of other groups
		d.Violate(rule, "%s picks the combat group %s, and %s has formed none of that name", powers[0].Name(),
			picked[0], powers[1].Name())
		return nil, false
	}
	if ships, ok = rules.Value(d.Hearing, *m.Value); !ok {
		return nil, false
	}
	d.Cite(rule, "%s picks the combat group %s, and it is revealed", powers[0].Name(), m.Name)
	at := events.Ref{Index: committed, Slot: groupSlot(m.Name)}
	d.Record("", &events.Opened{Event: at.Index, Slot: at.Slot, Fact: shipsText(ships),
		Reason: "the attacker has picked it"}).Opens = []events.Ref{at}
	return ships, true
}

// askTargets asks the attacker for targets among the ships shown, as many as his result allows (HA-TARGETS).
func (d *decision) askTargets(e harborEntry, in *HarborAttackInput, powers [2]Power, ships []string) bool {
	attacker, asked := powers[0].faction(powers[1])
	if !asked {
		d.ViolateField("harbor attack.targets", rules.Input, "name the targets: there is no player to ask for %s",
			powers[0].Name())
		return false
	}
	most := HarborLevel(in.ResearchResult)
	chosen, ok := d.Choose(&events.ChoiceAsked{
		Question: fmt.Sprintf("which ships in %s does %s attack? %d at most.", e.Port, powers[0].Name(), most),
		Of:       attacker.Title(), Options: ships, Most: most, Rule: "AWAW-HA-TARGETS",
	})
	in.Targets = nil
	for _, ship := range chosen { // a name that is there more than once is that of light ships
		n := rules.Count(ships, func(shown string) bool { return shown == ship })
		in.Targets = append(in.Targets, HarborTarget{Ship: ship, Named: n < 2})
	}
	return ok && d.Add(CheckHarborAttack(*in)) && d.shipsOnce(in.Targets)
}

// nameIn finds a name among others: as it is written, else the same name otherwise written.
func (d *decision) nameIn(list []string, name string) int {
	if at := slices.Index(list, name); at >= 0 {
		return at
	}
	return slices.IndexFunc(list, func(s string) bool { return d.same(s, name) })
}

// shipIn finds a ship among others, whatever type its name says.
func (d *decision) shipIn(list []string, name string) int {
	if at := slices.Index(list, name); at >= 0 {
		return at
	}
	return slices.IndexFunc(list, func(s string) bool { return d.sameShip(s, name) })
}

// shipsOnce wants each named ship once, however it is written (HA-DUPLICATE).
func (d *decision) shipsOnce(targets []HarborTarget) bool {
	for i, t := range targets {
		again := slices.ContainsFunc(targets[:i],
			func(u HarborTarget) bool { return u.Named && d.sameShip(u.Ship, t.Ship) })
		if again && (t.Named && d.carries() || d.exact()) { // a named ship is no light ship besides
			d.ViolateField(fmt.Sprintf("harbor attack.targets[%d]", i), "AWAW-HA-DUPLICATE",
				"%s is targeted twice in one harbor attack", t.Ship)
		}
	}
	return !d.Refused()
}

// inOneGroup wants the targets that are named before the attacker picks a combat group to lie in one of them: else no
// answer to the question which one would do.
func (d *decision) inOneGroup(e harborEntry, targets []HarborTarget) bool {
	if !d.carries() || e.Group != "" || len(e.Groups) == 0 || e.asksTargets() {
		return true
	}
	found := rules.Fact(false)
	for _, m := range e.Groups {
		found = rules.With(found, *m.Value, func(found bool, ships []string) bool {
			left := slices.Clone(ships)
			for _, t := range targets {
				at := d.shipIn(left, t.Ship)
				if at < 0 {
					return found
				}
				left = slices.Delete(left, at, at+1)
			}
			return true
		})
	}
	return d.Weigh(rules.Map(found, func(found bool) (f rules.Findings) {
		if !found {
			f.ViolateField("harbor attack.targets", "AWAW-HA-SUB-GROUPS", "no combat group in %s has all of the "+
				"targets: leave them out, and they are asked for once a group is picked", e.Port)
		}
		return f
	}))
}

// sealGroups keeps the ships of the groups out of the entry as it is recorded.
func (d *decision) sealGroups(g groups) {
	var body map[string]json.RawMessage
	var attack map[string]any
	if json.Unmarshal(d.c.Body, &body) != nil || json.Unmarshal(body["harbor attack"], &attack) != nil {
		return
	}
	sealed := map[string]any{}
	for _, m := range g {
		sealed[m.Name] = rules.Sealed(groupSlot(m.Name))
	}
	attack["combat groups"] = sealed
	d.ShowMember(d.c, "harbor attack", attack)
}

func groupSlot(name string) string { return "combat group " + name }

// shipsText is the form in which a combat group is committed.
func shipsText(ships []string) string {
	fact, _ := json.Marshal(ships)
	return string(fact)
}
