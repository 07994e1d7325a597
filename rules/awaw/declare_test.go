package awaw

import (
	"strings"
	"testing"
)

// A campaign declares before it throws: the checks judge a request without dice, and the
// parts give what the whole ruling gives.

func TestSubmarineWarfareInParts(t *testing.T) {
	in := SubmarineWarfareInput{
		Box: Atlantic, Submarines: EuropeanAxis, SubmarineFactors: 40, ASWFactors: 12, CVEs: 6,
		AttackerControls: []Port{Brest, Lorient}, CodebreakingResult: 1,
	}
	if f := CheckSubmarineWarfare(in); f.Refused() {
		t.Fatalf("refused without dice: %+v", f.Violations)
	}
	modifiers, _ := SubmarineModifiers(in)
	if net := Net(modifiers); net != 2 {
		t.Fatalf("net %d of %+v", net, modifiers)
	}
	for _, m := range modifiers {
		if m.Value == 0 || m.Rule == "" {
			t.Errorf("modifier %+v", m)
		}
	}
	in.SubmarineDice, in.ASWDice = []int{2, 3}, []int{5, 6}
	whole, _ := SubmarineWarfare(in)
	submarines, _ := ReadStrategicWarfare(40, in.SubmarineDice, 2, Options{})
	asw, _ := ReadStrategicWarfare(12, in.ASWDice, -2, Options{})
	if whole.SubmarineRoll.Result != submarines.Result || whole.ASWRoll.Result != asw.Result {
		t.Errorf("whole %+v, parts %+v and %+v", whole, submarines, asw)
	}
	in.SubmarineDice = []int{2}
	if _, f := SubmarineWarfare(in); !f.Refused() || f.Violations[0].Rule != "AWAW-24.62-H" {
		t.Errorf("one die: %+v", f.Violations)
	}
}

// TestResultMeaning: a house name for the two numbers stands in the derivation and changes nothing (24.62-G).
func TestResultMeaning(t *testing.T) {
	plain, _ := ReadStrategicWarfare(8, []int{3, 4}, 0, Options{})
	named, f := ReadStrategicWarfare(8, []int{3, 4}, 0, Options{ResultMeaning: "eliminated_inverted"})
	last := f.Derivation[len(f.Derivation)-1]
	if plain.Result != "1/5" || named.Result != plain.Result || last.Rule != "AWAW-24.62-G" ||
		!strings.Contains(last.Step, "1 factor eliminated, 5 inverted") {
		t.Errorf("%+v, %+v", named, last)
	}
}

func TestHarborAttackInParts(t *testing.T) {
	near := 3
	in := HarborAttackInput{
		Mode: ByCarrier, Theater: TheaterPacific, Attacker: PowerJapan, ResearchResult: "7",
		TargetHex: HarborHex{Name: "Darwin"}, PreviousAttacks: 1,
		Base: HarborBase{Location: "on_board", OperationalPort: true, Uninverted: true, FastCarrier: true,
			Distance: &near},
		Targets: []HarborTarget{{Ship: "Houston", Named: true}, {Ship: "light ships"}},
	}
	if f := CheckHarborAttack(in); f.Refused() {
		t.Fatalf("refused without dice: %+v", f.Violations)
	}
	if _, f := HarborAttack(in); !f.Refused() || f.Violations[0].Rule != "AWAW-HA-DICE" {
		t.Errorf("without dice: %+v", f.Violations)
	}
	for i := range in.Targets {
		in.Targets[i].Dice = []int{1, 1, 1}
	}
	out, f := HarborAttack(in)
	modifiers, _ := HarborModifiers(in)
	if f.Refused() || out.NetModifier != Net(modifiers) || !out.CarrierEliminated || !out.CarrierInverted {
		t.Errorf("%+v, %+v", out, f.Violations)
	}
}

func TestSurpriseInParts(t *testing.T) {
	in := SurpriseInput{USJT: 33, CarrierTaskForces: []CarrierTaskForce{{Name: "Enterprise"}}}
	if f := CheckSurprise(in); f.Refused() {
		t.Fatalf("refused without dice: %+v", f.Violations)
	}
	column, drm := PearlHarborColumn(EffectiveUSJT(33, 2, 1))
	if column != "32-33" || drm != 6 {
		t.Errorf("column %s, DRM %d", column, drm)
	}
	at := LocateCarrier(column, 12)
	if at.Distance() != 3 || InterceptsSecondStrike(at, 2) || !InterceptsSecondStrike(at, 3) ||
		InterceptsSecondStrike(AtPearl, 6) {
		t.Errorf("TF at %s", at)
	}
}

func TestDrawInParts(t *testing.T) {
	if f := CheckDraw(DrawInput{Faction: Britain, Phase: EndOfResearch}); f.Refused() {
		t.Errorf("refused without positions: %+v", f.Violations)
	}
}

// TestPoolAt lays a pool out: every position is a card, and the counts come back (48.21-A).
func TestPoolAt(t *testing.T) {
	for _, f := range Factions() {
		pool := InitialPool(f)
		var cards Pool
		for i := 1; i <= pool.Size(); i++ {
			c, ok := pool.At(i)
			if !ok {
				t.Fatalf("%s has no position %d", f, i)
			}
			cards = cards.With(c, 1)
		}
		if cards != pool {
			t.Errorf("%s is laid out as %v", f, cards)
		}
		if _, ok := pool.At(pool.Size() + 1); ok {
			t.Errorf("%s has a position behind its last", f)
		}
	}
}
