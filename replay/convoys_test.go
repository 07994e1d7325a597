package replay_test

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
)

// convoys plays Axis & Allies Revised on the Straits.
type convoys struct {
	*player
	next int // who has the next TURN, in the order of play
}

var (
	inOrder = []string{"Russia", "Germany", "UK", "Japan", "US"}
	waters  = []string{"SZ 5", "SZ 6", "SZ 7", "SZ 8", "SZ 9", "SZ 10", "SZ 11", "SZ 12", "SZ 13", "SZ 35", "SZ 55",
		"SZ 60"}
	coasts = []string{"United Kingdom", "Eastern Canada", "India", "France", "Eastern United States",
		"Western United States", "Japan", "Germany", "Panama"}
)

func (p *convoys) length() int { return 12 }

func (p *convoys) acts() int { return 8 + p.IntN(14) }

func (p *convoys) label(i int) string { return fmt.Sprintf("Round %d", i+1) }

// begin puts the boats to sea.
func (p *convoys) begin() {
	p.next = 0
	p.sail("Germany")
	p.sail(pick(p, inOrder...))
	_, _ = p.say("facts", entry{"facts": entry{"prices": entry{"submarine": 8, "artillery": 4},
		"techs": entry{pick(p, inOrder...): []string{"rockets", "radar sonar"}}}})
}

func (p *convoys) act() {
	power := inOrder[min(p.next, len(inOrder)-1)]
	switch p.IntN(19) {
	case 0:
		p.sail(pick(p, inOrder...))
	case 1:
		p.report()
	case 2:
		down := entry{pick(p, inOrder[p.next/2:]...): []string{pick(p, p.boats()...)}}
		_, _ = p.say("facts", entry{"facts": entry{"submerged": down}})
	case 3, 4, 5:
		verb := pick(p, "sbr", "rockets")
		e := entry{"attacker": pick(p, power, power, pick(p, inOrder...)), "territory": pick(p, coasts...)}
		if p.IntN(6) == 0 {
			e["damage"] = p.IntN(14) - 1
		} else if verb == "sbr" {
			e["bombers"] = p.IntN(4)
		}
		_, _ = p.say(verb, entry{verb: e})
	case 6:
		buyer := pick(p, power, pick(p, inOrder...))
		_, _ = p.say("purchase", entry{"purchase": entry{"power": buyer, "units": entry{"submarine": 1 + p.IntN(3)}}})
	case 10, 11:
		p.build(power)
	case 12:
		p.hunt(power)
	case 7:
		_, _ = p.say("phase", entry{"phase": pick(p, "purchase units", "combat move", "mobilize units"),
			"player": power})
	case 8:
		_, _ = p.say("rule", entry{"rule": entry{"option": pick(p, "tiers", "income_floor"),
			"value": pick(p, "exclusive", "cumulative", "zero", "none"), "reason": "drawn by lot"}})
	case 9:
		p.correct()
	case 14:
		p.compensate()
	case 15:
		p.shoot(power)
	default:
		p.collect(power)
		p.next++
	}
}

// build buys units and places what it may, or what it may not.
func (p *convoys) build(power string) {
	unit, n := pick(p, "submarine", "submarine", "industrial complex", "artillery", "armor"), 1+p.IntN(2)
	_, _ = p.say("purchase", entry{"purchase": entry{"power": power, "units": entry{unit: n}}})
	places := coasts
	if unit == "submarine" {
		places = waters
	}
	for range 3 {
		_, _ = p.say("mobilize", entry{"mobilize": entry{"power": power,
			"units": entry{pick(p, places...): entry{unit: 1 + p.IntN(2)}}}})
	}
}

// hunt has destroyers look for submarines, which submerge or call their shots.
func (p *convoys) hunt(power string) {
	zone := pick(p, waters...)
	e := entry{"zone": zone, "attacker": power}
	if p.IntN(2) == 0 {
		e["destroyers"] = entry{pick(p, inOrder...): 1 + p.IntN(2)}
	}
	_, _ = p.say("sub detection", entry{"sub detection": e})
	_, _ = p.say("submerge", entry{"submerge": []string{pick(p, append(p.boats(), zone)...)}})
	_, _ = p.say("call shots", entry{"call shots": entry{"zone": zone, "targets": entry{"carrier": 1 + p.IntN(2)}}})
}

// shoot fires AA guns and artillery, and throws dice for a battle.
func (p *convoys) shoot(power string) {
	_, _ = p.say("facts", entry{"facts": entry{"artillery": entry{power: entry{pick(p, coasts...): p.IntN(3)}}}})
	_, _ = p.say("artillery fire", entry{"artillery fire": entry{"power": power, "from": pick(p, coasts...),
		"at": pick(p, coasts...), "pieces": 1}})
	_, _ = p.say("aa fire", entry{"aa fire": entry{"at": pick(p, append(coasts, waters...)...), "attacker": power,
		"power": pick(p, inOrder...), "aircraft": entry{"bomber": 1 + p.IntN(3), "fighter": 1 + p.IntN(2)}}})
	_, _ = p.say("roll", entry{"roll": entry{"dice": fmt.Sprintf("2d6 destroyers at %d", 1+p.IntN(3)),
		"for": "battle", "side": power}})
}

// sail says where a power's submarines lie: some have names.
func (p *convoys) sail(power string) {
	boats := entry{}
	for range p.IntN(5) {
		boats[pick(p, waters...)] = p.IntN(4)
	}
	for range p.IntN(3) {
		boats[pick(p, "U-47", "U-96", "I-19", "Wahoo", "sz 8 #1")] = pick(p, waters...)
	}
	_, _ = p.say("facts", entry{"facts": entry{"submarines": entry{power: boats}}})
}

// report says what stands on the board, at times by a name that it was given.
func (p *convoys) report() {
	if p.IntN(5) == 0 {
		_, _ = p.say("aliases", entry{"aliases": []string{"space Ostland = " + pick(p, coasts...)}})
		_, _ = p.say("facts", entry{"facts": entry{"control": entry{"Ostland": pick(p, inOrder...)}}})
		return
	}
	_, _ = p.say("facts", pick(p.player,
		entry{"facts": entry{"control": entry{pick(p, coasts...): pick(p, append(inOrder, "neutral", "Vichy")...)}}},
		entry{"facts": entry{"complexes": entry{pick(p, coasts...): p.IntN(3)}}},
		entry{"facts": entry{"treasury": entry{pick(p, inOrder...): p.IntN(60) - 5}}},
	))
}

// compensate gives treasuries something, or takes it; at times without a reason.
func (p *convoys) compensate() {
	e := entry{"treasury": entry{pick(p, inOrder...): p.IntN(9) - 4},
		"reason": pick(p, "a slip", "a raid was overlooked", "")}
	_, _ = p.sayAs(pick(p, campaign.UmpireSeat, campaign.UmpireSeat, "Anna"), "compensate", entry{"compensate": e})
}

// boats are names that may stand for submarines: theirs, and the seas'.
func (p *convoys) boats() []string {
	names := slices.Clone(waters)
	for _, e := range p.c.all() {
		var r events.SubmarinesReported
		if e.Read(&r) {
			for _, b := range r.Submarines {
				names = append(names, b.Name, b.Name)
			}
		}
	}
	return names
}

// collect takes a power's income; at times it is typed, or raids are declared.
func (p *convoys) collect(power string) {
	k := entry{"power": power}
	if p.IntN(3) == 0 {
		k["base"] = p.IntN(25)
	}
	if p.IntN(2) == 0 {
		declared := entry{}
		for range 1 + p.IntN(2) {
			declared[pick(p, p.boats()...)] = pick(p, coasts[:6]...)
		}
		k["allocation"] = declared
	}
	if _, err := p.say("collect income", entry{"collect income": k}); err == nil && k["allocation"] != nil {
		_, _ = p.say("collect income", entry{"collect income": power}) // if it was refused
	}
}

// correct changes a figure of an earlier entry, mostly one that it has.
func (p *convoys) correct() {
	changes := map[events.Type]string{
		"economic_attack_made": "bombers", "units_purchased": "units/submarine", "income_collected": "base",
		"convoy_raided":       "base",
		"submarines_reported": "submarines/Germany/SZ 8", "compensated": "treasury/UK",
	}
	all := p.c.all()
	for range 8 {
		e := all[p.IntN(len(all))]
		change := changes[e.Type]
		if change == "" || p.IntN(8) == 0 {
			change = pick(p, "treasury/UK", "treasury/US", "complexes/Eastern Canada", "allocation")
		}
		_, _ = p.put(step{event: max(1, e.Index), change: change, value: p.IntN(20)})
	}
}
