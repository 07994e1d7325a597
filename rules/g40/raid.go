package g40

import "github.com/watu-ledger/watu/rules"

// RaidInput is one bombing raid on the facilities of one territory, strategic and tactical at once.
type RaidInput struct {
	Strategic    int          `json:"strategic_bombers"`
	Tactical     int          `json:"tactical_bombers"`
	Escorts      int          `json:"escorts"`
	JetFighters  bool         `json:"jet_fighters"` // the attacker has them
	Interceptors int          `json:"interceptors"`
	AirBattle    *AirBattle   `json:"air_battle"` // none without interceptors
	Targets      []RaidTarget `json:"targets"`
	Options      RaidOptions  `json:"options"`
}

// AirBattle is the dice of the one round, and what the attacker chose to lose.
type AirBattle struct {
	BomberDice      []int     `json:"bomber_dice"`
	EscortDice      []int     `json:"escort_dice"`
	InterceptorDice []int     `json:"interceptor_dice"`
	Losses          Attackers `json:"losses"`
}

// Attackers counts the aircraft of a raid by kind.
type Attackers struct {
	Strategic int `json:"strategic_bombers"`
	Tactical  int `json:"tactical_bombers"`
	Escorts   int `json:"escorts"`
}

func (a Attackers) bombers() int { return a.Strategic + a.Tactical }
func (a Attackers) all() int     { return a.bombers() + a.Escorts }

// less gives the aircraft without some of them.
func (a Attackers) less(b Attackers) Attackers {
	return Attackers{a.Strategic - b.Strategic, a.Tactical - b.Tactical, a.Escorts - b.Escorts}
}

// holds reports whether some aircraft are among these.
func (a Attackers) holds(b Attackers) bool {
	return b.Strategic <= a.Strategic && b.Tactical <= a.Tactical && b.Escorts <= a.Escorts
}

func (a Attackers) String() string {
	return listed(countedOrNone(a.Strategic, "strategic bomber"), countedOrNone(a.Tactical, "tactical bomber"),
		countedOrNone(a.Escorts, "escort"))
}

// RaidTarget is a facility and the bombers that bomb it.
type RaidTarget struct {
	Facility   Facility  `json:"facility"`
	Damage     int       `json:"damage"` // before the raid
	Strategic  int       `json:"strategic_bombers"`
	Tactical   int       `json:"tactical_bombers"`
	AADice     []int     `json:"aa_dice"`
	AALosses   Attackers `json:"aa_losses"`
	DamageDice []int     `json:"damage_dice"`
}

// assigned gives the bombers that bomb the facility.
func (t RaidTarget) assigned() Attackers {
	return Attackers{Strategic: t.Strategic, Tactical: t.Tactical}
}

// RaidOptions are what later texts change (AMB-G40-3).
type RaidOptions struct {
	AirBattle         string `json:"air_battle"` // interceptors_fire_after or simultaneous
	InterceptorHitsOn int    `json:"interceptor_hits_on"`
	StrategicBonus    int    `json:"strategic_bomber_bonus"`
}

// RaidOutcome is the outcome of a raid.
type RaidOutcome struct {
	AirBattle        AirLosses      `json:"air_battle"`
	Targets          []BombedTarget `json:"targets"`
	EscortsLeft      int            `json:"escorts_left"`
	InterceptorsLeft int            `json:"interceptors_left"`
}

// AirLosses counts the losses of the air battle.
type AirLosses struct {
	Interceptors int `json:"interceptors_lost"`
	Attackers    int `json:"attackers_lost"`
}

// BombedTarget is a facility after the raid.
type BombedTarget struct {
	Facility    Facility `json:"facility"`
	BombersLost int      `json:"bombers_lost"`
	Rolled      int      `json:"damage_rolled"`
	Applied     int      `json:"damage_applied"`
	Damage      int      `json:"damage"` // in all
}

// Raid rules on a bombing raid from the air battle to the damage (Strategic Bombing Raids).
func Raid(in RaidInput) (RaidOutcome, rules.Findings) {
	f := in.check()
	out := RaidOutcome{Targets: []BombedTarget{}, EscortsLeft: in.Escorts, InterceptorsLeft: in.Interceptors}
	in.commit(&f)
	left := in.attackers()
	if in.AirBattle != nil {
		lost := in.fight(&f)
		out.AirBattle = AirLosses{lost, in.AirBattle.Losses.all()}
		left = left.less(in.AirBattle.Losses)
		out.EscortsLeft, out.InterceptorsLeft = left.Escorts, in.Interceptors-lost
	}
	in.retreat(&f, left)
	in.assign(&f, left)
	for _, t := range in.Targets {
		out.Targets = append(out.Targets, t.bomb(&f, in.Options))
	}
	if f.Refused() {
		return RaidOutcome{}, f
	}
	if in.attackers().bombers() > 0 {
		f.Cite("G40-SBR-AFTER",
			"the damage lasts until it is repaired; the bombers left fight nowhere else in this turn and land in "+
				"friendly territory")
	}
	return out, f
}

// attackers gives all aircraft that come.
func (in RaidInput) attackers() Attackers { return Attackers{in.Strategic, in.Tactical, in.Escorts} }

// check refuses a raid that may not be flown so, whatever the dice.
func (in RaidInput) check() rules.Findings {
	var f rules.Findings
	seen := map[Facility]bool{}
	complexes := 0
	for _, t := range in.Targets {
		if seen[t.Facility] {
			f.Violate(rules.Input, "the %s is listed twice", t.Facility.title())
			f.Violate("G40-SBR-ONE", "a territory has one facility of a kind")
		}
		if t.Facility.complex() && !seen[t.Facility] {
			complexes++
		}
		seen[t.Facility] = true
		if t.Tactical > 0 && facilityTable.MustCell(string(t.Facility), "tactical") == "no" {
			f.Violate("G40-SBR-TAC", "%s against a %s: tactical bombers bomb air bases and naval bases only",
				counted(t.Tactical, "tactical bomber"), t.Facility.title())
		}
	}
	if complexes > 1 {
		f.Violate(rules.Input, "two industrial complexes are listed")
		f.Violate("G40-SBR-ONE", "a territory has one industrial complex")
	}
	if in.Escorts > 0 && in.attackers().bombers() == 0 {
		f.Violate("G40-SBR-ESCORT", "%s with no bomber to accompany", counted(in.Escorts, "escort"))
	}
	if in.AirBattle != nil && in.Interceptors == 0 {
		f.Violate("G40-SBR-BATTLE", "an air battle is fought only if there are interceptors")
	}
	if in.AirBattle == nil && in.Interceptors > 0 {
		f.Violate("G40-SBR-DICE", "fighters that intercept: %d; the dice of the air battle are missing",
			in.Interceptors)
		f.Violate("G40-SBR-BATTLE", "with interceptors an air battle of one round is fought before the raid")
	}
	return f
}

// commit cites who takes part.
func (in RaidInput) commit(f *rules.Findings) {
	if in.Escorts > 0 {
		f.Cite("G40-SBR-ESCORT",
			"fighters that escort the bombers: %d; they fight nowhere else in this turn, interceptors or none",
			in.Escorts)
	}
	if in.Interceptors == 0 {
		f.Cite("G40-SBR-BATTLE", "no interceptors, so no air battle")
		return
	}
	f.Cite("G40-SBR-INTERCEPT", "fighters of the territory that intercept: %d; they fight nowhere else in this turn",
		in.Interceptors)
	f.Cite("G40-SBR-BATTLE", "with interceptors an air battle of one round is fought before the raid")
}

// retreat sends the escorts away that are left.
func (in RaidInput) retreat(f *rules.Findings, left Attackers) {
	if left.Escorts > 0 {
		f.Cite("G40-SBR-RETREAT",
			"escorts left: %d; they retreat, do not bomb, are not fired at, and stay until the Noncombat Move",
			left.Escorts)
	}
}

// assign wants every bomber left to bomb one facility (G40-SBR-ASSIGN).
func (in RaidInput) assign(f *rules.Findings, left Attackers) {
	var assigned Attackers
	for _, t := range in.Targets {
		assigned.Strategic += t.Strategic
		assigned.Tactical += t.Tactical
		if t.Strategic > 0 {
			f.Cite("G40-SBR-STRAT", "strategic bombers on the %s: %d", t.Facility.title(), t.Strategic)
			f.Consult(TableFacilities, string(t.Facility), "strategic")
		}
		if t.Tactical > 0 {
			f.Cite("G40-SBR-TAC", "tactical bombers on the %s: %d", t.Facility.title(), t.Tactical)
			f.Consult(TableFacilities, string(t.Facility), "tactical")
		}
		if t.Strategic > 0 && t.Tactical > 0 {
			f.Cite("G40-SBR-BOTH", "both kinds bomb the %s at once", t.Facility.title())
		}
	}
	left.Escorts = 0
	if assigned != left {
		f.Violate("G40-SBR-ASSIGN", "left to bomb: %s; assigned to targets: %s; every bomber left bombs one facility",
			left, assigned)
		return
	}
	f.Cite("G40-SBR-ASSIGN", "all bombers left bomb: %s, targets: %d", left, len(in.Targets))
}
