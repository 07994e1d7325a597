package eots

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// attackEntry is an entry of an attack.
type attackEntry struct {
	Base      string `json:"base" is:"base"`
	BattleHex hexID  `json:"battle hex" offer:"hex"`
	Hits      int    `json:"hits" least:"0"`
	Unreduced int    `json:"unreduced" least:"0" doc:"other air and naval units that are not reduced"`
	Critical  bool   `json:"critical hit"`
}

// attack applies hits to a base.
func (d *decision) attack(e attackEntry) {
	b, _ := d.base(e.Base)
	if d.phase != phaseOffensive {
		d.ViolateField("attack", "EOTS-11.21.D-1",
			"Air-Naval Combat is part of an offensive; begin it with phase: offensive, player: Japan")
	}
	if b.hex == "" {
		d.ViolateField("attack.base", "EOTS-11.21.D-1", "%s is on the Turn Record Track, out of reach", b.name)
		return
	}
	if d.exact() && d.is(b.hex, wordEnemy) {
		d.ViolateField("attack.base", "EOTS-11.21.E-1", "Japan holds %s: %s makes its emergency move first, and is "+
			"not attacked there; if Japan gained it by this combat, report it after the attack", b.hex, b.name)
	}
	d.inOffensive("attack", "EOTS-11.21.D-1", japan)
	if d.carries() && b.attacked {
		rule := "EOTS-11.21.D-3"
		if d.exact() {
			rule = "AMB-EOTS-15"
		}
		few := map[bool]string{true: fmt.Sprintf(", and fewer than %d hits do nothing", hitsToDisplace)}
		d.ViolateField("attack.base", rule, "%s was attacked in this offensive%s: give all hits of its combat in one "+
			"entry, or correct that one", b.name, few[b.hits < hitsToDisplace])
	}
	out, f := AttackSubBase(AttackInput{
		Phase: AirNavalCombat, BattleHex: string(e.BattleHex) == b.hex, Hits: e.Hits, Unreduced: e.Unreduced,
		CriticalHit: e.Critical,
	})
	if !d.Add(f) {
		return
	}
	p := &events.BaseAttacked{Base: b.name, Hex: b.hex, Hits: e.Hits, Needed: hitsToDisplace, Critical: e.Critical,
		Displaced: out.Displaced}
	if out.Displaced {
		p.Returns = d.number() + 1
	}
	d.Record(japan, p)
}

// inOffensive refuses what comes after the end of the offensive that is on, and warns of what is done in that of the
// other side: the text does not say whether it may be.
func (d *decision) inOffensive(field, rule, side string) {
	switch {
	case !d.carries() || d.phase != phaseOffensive:
	case d.over:
		d.ViolateField(field, rule,
			"this offensive is concluded, as a Sub Base has made its emergency move; begin another")
	case d.atEnd:
		d.ViolateField(field, rule, "this offensive is concluded, as card %d was played at its end, for want of "+
			"battle hexes; begin another", interceptsCard)
	}
	if !d.ours(side) {
		d.Warn("the offensive is one of %s: the text gives %s no such act in it (%s)", d.player, side, rule)
	}
}

// occupation is an entry {occupied: Wilkes} or {occupied: {base, by sea, escorted}}.
type occupation struct {
	Base     string `json:"base" is:"base" alone:"true"`
	BySea    bool   `json:"by sea"`
	Escorted bool   `json:"escorted" doc:"the amphibious assault"`
}

// occupy takes a base off the map that a ground unit occupies.
func (d *decision) occupy(e occupation) {
	b, _ := d.base(e.Base)
	if d.phase != phaseOffensive {
		d.ViolateField("occupied", "EOTS-11.21.D-7",
			"ground combat is part of an offensive; begin it with phase: offensive, player: Japan")
	}
	if b.hex == "" {
		d.ViolateField("occupied.base", "EOTS-11.21.D-7", "%s is on the Turn Record Track, out of reach", b.name)
	}
	if e.BySea && !e.Escorted {
		d.ViolateField("occupied.escorted", "EOTS-11.21.D-8",
			"%s is a U.S. Naval unit: an amphibious assault on its hex needs an escort", b.name)
	}
	d.inOffensive("occupied", "EOTS-11.21.D-7", japan)
	_, f := AttackSubBase(AttackInput{Phase: GroundCombat, Occupied: true})
	if d.Refused() {
		return
	}
	if e.BySea {
		d.Cite("EOTS-11.21.D-8", "the amphibious assault on the hex of %s is escorted", b.name)
	}
	d.Add(f)
	d.Record(japan, &events.BaseDisplaced{Base: b.name, Hex: b.hex, Cause: causeOccupied, Returns: d.number() + 1})
	d.lose(b.hex)
}
