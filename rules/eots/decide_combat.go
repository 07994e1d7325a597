package eots

import "github.com/watu-ledger/watu/events"

// attack hears {attack: {base, battle hex, hits, unreduced, critical hit}}.
func (d *decision) attack() {
	var entry struct {
		Attack struct {
			Base      string `json:"base"`
			BattleHex hexID  `json:"battle hex"`
			Hits      int    `json:"hits"`
			Unreduced int    `json:"unreduced"`
			Critical  bool   `json:"critical hit"`
		} `json:"attack"`
	}
	if !d.Read(d.c, &entry) {
		return
	}
	e := entry.Attack
	b, ok := d.inPlay("attack.base", e.Base)
	if !ok || !d.inRange("attack.hits", e.Hits, 0) || !d.inRange("attack.unreduced", e.Unreduced, 0) {
		return
	}
	if d.phase != phaseOffensive {
		d.ViolateField("attack", "EOTS-11.21.D-1", "Air-Naval Combat is part of an offensive; begin it with phase: offensive, player: Japan")
	}
	if b.hex == "" {
		d.ViolateField("attack.base", "EOTS-11.21.D-1", "%s is on the Turn Record Track, out of reach", b.name)
		return
	}
	out, f := AttackSubBase(AttackInput{
		Phase: AirNavalCombat, BattleHex: string(e.BattleHex) == b.hex, Hits: e.Hits, Unreduced: e.Unreduced, CriticalHit: e.Critical,
	})
	if d.Add(f); d.Refused() {
		return
	}
	p := &events.BaseAttacked{Base: b.name, Hex: b.hex, Hits: e.Hits, Needed: hitsToDisplace, Critical: e.Critical, Displaced: out.Displaced}
	if out.Displaced {
		p.Returns = d.number() + 1
	}
	d.Record(japan, p)
}

// occupy hears {occupied: Wilkes} or {occupied: {base, by sea, escorted}}.
func (d *decision) occupy() {
	var entry struct {
		Occupied struct {
			Base     string `json:"base"`
			BySea    bool   `json:"by sea"`
			Escorted bool   `json:"escorted"`
		} `json:"occupied"`
	}
	if !d.c.Short(&entry.Occupied.Base) && !d.Read(d.c, &entry) {
		return
	}
	b, ok := d.inPlay("occupied.base", entry.Occupied.Base)
	if !ok {
		return
	}
	if d.phase != phaseOffensive {
		d.ViolateField("occupied", "EOTS-11.21.D-7", "ground combat is part of an offensive; begin it with phase: offensive, player: Japan")
	}
	if b.hex == "" {
		d.ViolateField("occupied.base", "EOTS-11.21.D-7", "%s is on the Turn Record Track, out of reach", b.name)
	}
	if entry.Occupied.BySea && !entry.Occupied.Escorted {
		d.ViolateField("occupied.escorted", "EOTS-11.21.D-8", "%s is a U.S. Naval unit: an amphibious assault on its hex needs an escort", b.name)
	}
	_, f := AttackSubBase(AttackInput{Phase: GroundCombat, Occupied: true})
	if d.Refused() {
		return
	}
	if entry.Occupied.BySea {
		d.Cite("EOTS-11.21.D-8", "the amphibious assault on the hex of %s is escorted", b.name)
	}
	d.Add(f)
	d.Record(japan, &events.BaseDisplaced{Base: b.name, Hex: b.hex, Cause: causeOccupied, Returns: d.number() + 1})
}
