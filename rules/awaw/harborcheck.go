package awaw

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

const (
	onBoard       = "on_board"
	atlanticSWBox = "atlantic_sw_box"
	pacificSWBox  = "pacific_sw_box"
)

// CheckHarborAttack finds what forbids a harbor attack, without looking at dice: the result
// spent, the hex, the base, the targets.
func CheckHarborAttack(in HarborAttackInput) rules.Findings {
	var f rules.Findings
	if in.InitialGermanAttack {
		checkInitialAttack(&f, in)
	} else {
		checkHarborResult(&f, in)
	}
	if in.ResultsCombined > 1 {
		f.ViolateField("results_combined", "AWAW-HA-COMBINE", "one result is spent on a port, not %d together",
			in.ResultsCombined)
	}
	if in.TargetHex.Counteraired {
		f.ViolateField("target_hex", "AWAW-HA-COUNTERAIR", "%s was counteraired in this player turn", in.TargetHex.Name)
	}
	if in.TargetHex.MapboardBox {
		f.ViolateField("target_hex", "AWAW-HA-BOX", "%s is a mapboard box; a hex is attacked", in.TargetHex.Name)
	}
	if in.Mode == ByCarrier {
		checkCarrierBase(&f, in)
	} else {
		checkSubmarineBase(&f, in)
	}
	checkHarborTargets(&f, in)
	checkRussianCards(&f, in)
	return f
}

// checkInitialAttack holds the free German attack to its terms (HA-INITIAL). A year that is
// not given is no earlier than Fall 1939, when the game begins.
func checkInitialAttack(f *rules.Findings, in HarborAttackInput) {
	const rule = "AWAW-HA-INITIAL"
	if in.Attacker != PowerGermany {
		f.ViolateField("attacker", rule, "the initial attack is Germany's, not %s's", in.Attacker.Name())
	}
	if in.Year != 0 && in.Year < 1939 || in.Year == 1939 && (in.Season == "spring" || in.Season == "summer") {
		f.ViolateField("season", rule, "the initial attack may be made from Fall 1939 on, not in %s %d", in.Season,
			in.Year)
	}
	if in.AnyAttackMade || in.PreviousAttacks > 0 {
		f.ViolateField("any_attack_made", rule,
			"the initial attack may be made only while no other harbor attack has been made")
	}
	if len(in.Targets) > 1 {
		f.ViolateField("targets", rule, "the initial attack has one target, not %d", len(in.Targets))
	}
}

// checkHarborResult wants a result that allows so many targets (HA-TARGETS).
func checkHarborResult(f *rules.Findings, in HarborAttackInput) {
	if level := HarborLevel(in.ResearchResult); len(in.Targets) > level {
		f.ViolateField("targets", "AWAW-HA-TARGETS", "%s allows %s, not %d", in.result(), words.Count(level, "target"),
			len(in.Targets))
	}
}

// checkSubmarineBase wants a submarine factor on the board (HA-SUB-BASE, HA-RANGE) or one in
// an SW box that serves against the port (HA-SW-BOX).
func checkSubmarineBase(f *rules.Findings, in HarborAttackInput) {
	if in.Base.Location != onBoard {
		checkSWBoxBase(f, in)
		return
	}
	if !in.Base.OperationalPort {
		f.ViolateField("base.operational_port", "AWAW-HA-SUB-BASE",
			"the submarine must be based in an operational port")
	}
	if !in.Base.Uninverted {
		f.ViolateField("base.uninverted", "AWAW-HA-SUB-BASE", "the submarine factor must be uninverted")
	}
	checkHarborReach(f, in)
}

func checkSWBoxBase(f *rules.Findings, in HarborAttackInput) {
	front, theater, powers := "western", TheaterEurope, []Power{PowerGermany}
	if in.Base.Location == pacificSWBox {
		front, theater, powers = "pacific", TheaterPacific, []Power{PowerJapan, PowerUnitedStates}
	}
	if in.Theater != theater {
		f.ViolateField("theater", "AWAW-HA-SW-BOX",
			"a submarine in the %s serves in the theater of that box, not in %s", in.Base.place(), in.Theater)
	}
	if !slices.Contains(powers, in.Attacker) {
		f.ViolateField("base.location", "AWAW-HA-SW-BOX", "a submarine of %s in the %s permits no harbor attack",
			in.Attacker.Name(), in.Base.place())
	}
	if in.TargetHex.Front != front {
		f.ViolateField("target_hex.front", "AWAW-HA-SW-BOX",
			"a submarine in the %s serves against ports of the %s front only, and %s is given as %q", in.Base.place(),
			front, in.TargetHex.Name, in.TargetHex.Front)
	}
}

// checkCarrierBase wants an uninverted fast carrier in an operational port (HA-CV-BASE).
func checkCarrierBase(f *rules.Findings, in HarborAttackInput) {
	const rule = "AWAW-HA-CV-BASE"
	if in.Base.Location != onBoard {
		f.ViolateField("base.location", rule, "the carrier must be based on the board, not in the %s", in.Base.place())
		f.ViolateField("base.location", "AWAW-HA-SW-BOX", "an SW box serves submarine attacks only")
		return
	}
	if !in.Base.FastCarrier {
		f.ViolateField("base.fast_carrier", rule, "a fast carrier is needed")
	}
	if !in.Base.Uninverted {
		f.ViolateField("base.uninverted", rule, "the carrier must be uninverted")
	}
	if !in.Base.OperationalPort {
		f.ViolateField("base.operational_port", rule, "the carrier must be based in an operational port")
	}
	checkHarborReach(f, in)
}

func checkHarborReach(f *rules.Findings, in HarborAttackInput) {
	reach := HarborReach(in.Theater)
	if in.Base.Distance != nil && *in.Base.Distance > reach {
		f.ViolateField("base.distance", "AWAW-HA-RANGE", "%s away is beyond the reach of %d in this theater",
			hexes(*in.Base.Distance), reach)
	}
}

// checkHarborTargets wants each named ship once (HA-DUPLICATE); light ships have no names.
func checkHarborTargets(f *rules.Findings, in HarborAttackInput) {
	if len(in.Targets) == 0 {
		f.ViolateField("targets", rules.Input, "targets: none given, at least one is expected")
	}
	seen := map[string]bool{}
	for i, t := range in.Targets {
		if !t.Named {
			continue
		}
		if seen[t.Ship] {
			f.ViolateField(fmt.Sprintf("targets[%d]", i), "AWAW-HA-DUPLICATE",
				"%s is targeted twice in one harbor attack", t.Ship)
		}
		seen[t.Ship] = true
	}
}

// checkRussianCards keeps codebreaking out of Russian attacks (48.13-C, 48.14-C).
func checkRussianCards(f *rules.Findings, in HarborAttackInput) {
	if in.Attacker != PowerRussia || in.TacticalAdvantage == 0 {
		return
	}
	deck := Ultra
	if in.Theater == TheaterPacific {
		deck = Magic
	}
	f.ViolateField("tactical_advantage", deck.rule("AWAW-48.13-C", "AWAW-48.14-C"),
		"%s never affects a Russian naval operation, a harbor attack included", deck.Name())
}
