package g40

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// rocketRange is how many spaces a rocket flies (G40-TECH-ROCKETS).
const rocketRange = 4

// Base is an air base of the power that fires.
type Base struct {
	Territory string `json:"territory"`
	Operative bool   `json:"operative"`
}

// Target is a facility with its damage so far.
type Target struct {
	Territory string   `json:"territory"`
	Facility  Facility `json:"facility"`
	Enemy     bool     `json:"enemy"`
	Damage    int      `json:"damage"`
}

// RocketAttack is one attack and its die. Where it is only to be checked the die is 0.
type RocketAttack struct {
	From      string   `json:"from"`
	Territory string   `json:"territory"`
	Facility  Facility `json:"facility"`
	Roll      int      `json:"roll"`
}

// RocketsInput is the rocket attacks of one turn, in the order in which they are made, on a map of
// spaces that touch.
type RocketsInput struct {
	Rockets    bool           `json:"rockets"` // the attacker has the technology
	Step       string         `json:"step"`    // bombing_raids, or other
	Links      [][2]string    `json:"links"`
	Neutrals   []string       `json:"neutrals"`
	AirBases   []Base         `json:"air_bases"`
	Facilities []Target       `json:"facilities"`
	Attacks    []RocketAttack `json:"attacks"`
}

// RocketHit is what one attack did. Distance is in spaces, Damage is the facility's afterwards.
type RocketHit struct {
	From      string   `json:"from"`
	Territory string   `json:"territory"`
	Facility  Facility `json:"facility"`
	Distance  int      `json:"distance"`
	Applied   int      `json:"damage_applied"`
	Damage    int      `json:"damage"`
}

// RocketsOutcome is what every attack did, in their order.
type RocketsOutcome struct {
	Attacks []RocketHit `json:"attacks"`
}

// Rockets rules on the rocket attacks of a turn. A facility takes no more damage than its limit
// (G40-SBR-CAP).
func Rockets(in RocketsInput) (RocketsOutcome, rules.Findings) {
	distances, f := CheckRockets(in)
	if f.Refused() {
		return RocketsOutcome{}, f
	}
	out := RocketsOutcome{Attacks: []RocketHit{}}
	damage := map[Target]int{}
	for i, a := range in.Attacks {
		t, _ := in.target(a)
		hit := RocketHit{From: a.From, Territory: a.Territory, Facility: a.Facility, Distance: distances[i]}
		before := t.Damage + damage[t]
		hit.Applied = max(0, min(a.Roll, a.Facility.Limit()-before))
		hit.Damage = before + hit.Applied
		damage[t] += hit.Applied
		out.Attacks = append(out.Attacks, hit)
		f.Cite("G40-TECH-ROCKETS", "%s fires at the %s in %s, %d spaces away: the die shows %d", a.From,
			a.Facility.title(), a.Territory, hit.Distance, a.Roll)
		if hit.Applied < a.Roll {
			f.Cite("G40-SBR-CAP", "it takes at most %d and had %d: of %d count %d", a.Facility.Limit(), before, a.Roll,
				hit.Applied)
		}
		f.Consult(TableFacilities, string(a.Facility), "damage")
	}
	return out, f
}

// CheckRockets finds what stands against the attacks, without their dice, and gives the distances.
func CheckRockets(in RocketsInput) ([]int, rules.Findings) {
	var f rules.Findings
	in.checkNames(&f)
	if !in.Rockets {
		f.ViolateField("rockets", "G40-TECH-ROCKETS", "the attacker does not have Rockets")
	}
	if in.Step != "bombing_raids" {
		f.ViolateField("step", "G40-TECH-ROCKETS", "rockets are fired in the bombing raid step of Conduct Combat")
	}
	distances := make([]int, len(in.Attacks))
	links := in.neighbours()
	for i, a := range in.Attacks {
		in.checkBase(&f, i)
		in.checkTarget(&f, a)
		distances[i] = in.checkFlight(&f, a, links)
	}
	if !f.Refused() && len(in.Neutrals) > 0 {
		f.Cite("G40-TECH-ROCKETS-NEUTRAL", "no rocket crosses a neutral territory")
	}
	return distances, f
}

// checkNames: an air base, and a facility of a kind, stand once in a territory (GEN-UNIQUE,
// G40-SBR-ONE).
func (in RocketsInput) checkNames(f *rules.Findings) {
	for i, b := range in.AirBases {
		if slices.ContainsFunc(in.AirBases[:i], func(o Base) bool { return o.Territory == b.Territory }) {
			f.ViolateField("air_bases", rules.Input, "the air base in %s is given twice", b.Territory)
		}
	}
	for i, t := range in.Facilities {
		checkFigures(f, []string{"facilities." + t.Territory}, t.Damage)
		if slices.ContainsFunc(in.Facilities[:i], func(o Target) bool {
			return o.Territory == t.Territory &&
				(o.Facility == t.Facility || o.Facility.complex() && t.Facility.complex())
		}) {
			f.ViolateField("facilities", rules.Input, "the %s in %s is given twice", t.Facility.kind(), t.Territory)
			f.ViolateField("facilities", "G40-SBR-ONE", "a territory has one %s, and %s is given two",
				t.Facility.kind(), t.Territory)
		}
	}
}

// checkBase: one attack a turn from each operative air base.
func (in RocketsInput) checkBase(f *rules.Findings, i int) {
	from := in.Attacks[i].From
	at := slices.IndexFunc(in.AirBases, func(b Base) bool { return b.Territory == from })
	switch {
	case at < 0:
		f.ViolateField("attacks", "G40-TECH-ROCKETS", "there is no air base in %s to fire from", from)
	case !in.AirBases[at].Operative:
		f.ViolateField("attacks", "G40-TECH-ROCKETS", "the air base in %s is not operative", from)
	}
	if slices.ContainsFunc(in.Attacks[:i], func(a RocketAttack) bool { return a.From == from }) {
		f.ViolateField("attacks", "G40-TECH-ROCKETS", "the air base in %s has fired: each makes one attack a turn",
			from)
	}
}

func (in RocketsInput) checkTarget(f *rules.Findings, a RocketAttack) {
	t, ok := in.target(a)
	switch {
	case !ok:
		f.ViolateField("attacks", "G40-TECH-ROCKETS", "there is no %s in %s to attack", a.Facility.title(), a.Territory)
	case !t.Enemy:
		f.ViolateField("attacks", "G40-TECH-ROCKETS", "the %s in %s is no enemy's", a.Facility.title(), a.Territory)
	}
}

// checkFlight gives the distance that a rocket flies. If it is in range across neutrals alone, it
// is they that stand in its way, and what is left is too far.
func (in RocketsInput) checkFlight(f *rules.Findings, a RocketAttack, links map[string][]string) int {
	if d, ok := flight(a.From, a.Territory, links, in.Neutrals); ok {
		return d
	}
	if d, ok := flight(a.From, a.Territory, links, nil); ok {
		f.ViolateField("attacks", "G40-TECH-ROCKETS-NEUTRAL",
			"%s is %d spaces from %s only across neutral territory, which rockets may not cross", a.Territory, d,
			a.From)
		f.ViolateField("attacks", "G40-TECH-ROCKETS", "no other way of at most %d spaces leads from %s to %s",
			rocketRange, a.From, a.Territory)
		return 0
	}
	f.ViolateField("attacks", "G40-TECH-ROCKETS", "%s is more than %d spaces from %s", a.Territory, rocketRange, a.From)
	return 0
}

func (in RocketsInput) target(a RocketAttack) (Target, bool) {
	return rules.Find(in.Facilities,
		func(t Target) bool { return t.Territory == a.Territory && t.Facility == a.Facility })
}

func (in RocketsInput) neighbours() map[string][]string {
	links := map[string][]string{}
	for _, l := range in.Links {
		links[l[0]] = append(links[l[0]], l[1])
		links[l[1]] = append(links[l[1]], l[0])
	}
	return links
}

// flight is the least number of spaces from one to another that crosses none of those barred, up
// to the range of rockets.
func flight(from, to string, links map[string][]string, barred []string) (int, bool) {
	reached := map[string]bool{from: true}
	ring := []string{from}
	for d := 0; d <= rocketRange; d++ {
		var next []string
		for _, space := range ring {
			if space == to {
				return d, true
			}
			if d > 0 && slices.Contains(barred, space) {
				continue
			}
			for _, n := range links[space] {
				if !reached[n] {
					reached[n] = true
					next = append(next, n)
				}
			}
		}
		ring = next
	}
	return 0, false
}
