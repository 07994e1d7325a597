package g40

import "github.com/watu-ledger/watu/rules"

// dicePerGun is how often an AA gun may fire at most.
const dicePerGun = 3 // G40-AA-DICE

// AAFireInput is the fire of the AA guns of one territory at the aircraft that attack it.
type AAFireInput struct {
	AAGuns      int           `json:"aa_guns"`
	AirUnits    int           `json:"air_units"` // that attack the territory
	Dice        []int         `json:"dice"`
	Round       int           `json:"round"`   // of combat, from 1
	Mission     string        `json:"mission"` // combat or bombing_raid
	CombatUnits bool          `json:"defending_combat_units"`
	Options     AAFireOptions `json:"options"`
}

// AAFireOptions are what the text leaves open.
type AAFireOptions struct {
	LoneGuns string `json:"lone_guns"` // AMB-G40-2: no_fire or fire
}

// AAFireOutcome is what is left after the fire.
type AAFireOutcome struct {
	DiceAllowed  int  `json:"dice_allowed"`
	Hits         int  `json:"hits"` // the attacker chooses an air unit for each
	AirUnitsLeft int  `json:"air_units_left"`
	Destroyed    bool `json:"aa_guns_destroyed"` // no combat unit stood beside the guns
}

// AAFire rules on the fire of AA guns before the first round of combat (AA Guns).
func AAFire(in AAFireInput) (AAFireOutcome, rules.Findings) {
	f := AAFireCheck(in)
	out := AAFireOutcome{DiceAllowed: in.DiceAllowed(), Destroyed: in.alone()}
	if len(in.Dice) != out.DiceAllowed { // G40-AA-DICE
		f.Violate("G40-AA-DICE",
			"%s given: %s against %s throw %d, three for each gun and no more than one for each air unit",
			counted(len(in.Dice), "die"), counted(in.AAGuns, "AA gun"), counted(in.AirUnits, "air unit"),
			out.DiceAllowed)
	}
	if in.silenced() && len(in.Dice) > 0 {
		f.Violate("G40-AA-ALONE", "the AA guns stand alone: they are destroyed without a shot (lone_guns: no_fire)")
	}
	if f.Refused() {
		return AAFireOutcome{}, f
	}
	in.derive(&f, out.DiceAllowed)
	out.Hits = hits(in.Dice, hitsOn(&f, fireAAGun))
	out.AirUnitsLeft = in.AirUnits - out.Hits
	if out.DiceAllowed > 0 {
		f.Cite("G40-AA-HIT", "%s: the attacker removes as many air units of his choice at once; left: %d",
			counted(out.Hits, "hit"), out.AirUnitsLeft)
	}
	if out.Destroyed {
		f.Cite("G40-AA-ALONE", "no combat unit defends beside the AA guns: they are destroyed")
	}
	return out, f
}

// AAFireCheck refuses fire that may not be at all, whatever the dice.
func AAFireCheck(in AAFireInput) rules.Findings {
	var f rules.Findings
	if in.Mission == "bombing_raid" {
		f.Violate("G40-AA-RAID",
			"AA guns do not fire at a bombing raid: each facility has antiaircraft fire of its own")
	}
	if in.Round > 1 {
		f.Violate("G40-AA-ONCE", "AA guns fire once, before the first round of combat; this is round %d", in.Round)
	}
	return f
}

// alone reports whether no combat unit stands beside the guns.
func (in AAFireInput) alone() bool { return in.AAGuns > 0 && !in.CombatUnits }

// silenced reports whether the guns are destroyed before they fire (AMB-G40-2).
func (in AAFireInput) silenced() bool { return in.alone() && in.Options.LoneGuns != "fire" }

// DiceAllowed is how many dice the guns throw: three for each, one for each air unit, whichever
// is fewer (G40-AA-DICE).
func (in AAFireInput) DiceAllowed() int {
	if in.silenced() {
		return 0
	}
	return min(dicePerGun*in.AAGuns, in.AirUnits)
}

// derive says why so many dice are thrown.
func (in AAFireInput) derive(f *rules.Findings, dice int) {
	if in.alone() {
		step := "AA guns alone do not fire"
		if !in.silenced() {
			step = "AA guns alone fire once before they are destroyed"
		}
		f.Cite("AMB-G40-2", "%s", step)
	}
	if !in.silenced() {
		f.Cite("G40-AA-TARGET", "they fire at the air units that attack their own territory: %d", in.AirUnits)
		f.Cite("G40-AA-ONCE", "they fire once, before the first round of combat")
		f.Cite("G40-AA-DICE", "the lesser of %d×%d for the guns and %d for the air units: %s", dicePerGun, in.AAGuns,
			in.AirUnits, counted(dice, "die"))
	}
	if in.AAGuns > 0 && in.CombatUnits {
		f.Cite("G40-AA-VALUE", "they fire in no round of combat, and may be chosen as casualties")
	}
}
