package g40

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// scrambleOrder is aircraft of one base that are to go to one sea zone.
type scrambleOrder struct {
	Power string         `json:"power"`
	From  string         `json:"from"`
	To    string         `json:"to"`
	Units map[string]int `json:"units"`
}

// readScramble reads one order, {scramble: {from: Scotland, to: SZ 109, units: {fighter: 2}}}, or a
// list of orders.
func (d *decision) readScramble() ([]scrambleOrder, bool) {
	var entry struct {
		Orders json.RawMessage `json:"scramble"`
	}
	if !d.Read(d.Command, &entry) {
		return nil, false
	}
	var items []json.RawMessage
	if json.Unmarshal(entry.Orders, &items) != nil {
		items = []json.RawMessage{entry.Orders}
	}
	var list []scrambleOrder
	for _, item := range items {
		if len(item) == 0 || item[0] != '{' {
			list = nil
			break
		}
		var one struct {
			Order scrambleOrder `json:"scramble"`
		}
		order := d.Command // read by itself, so that what is wrong in it is named
		order.Body = slices.Concat([]byte(`{"scramble":`), item, []byte("}"))
		if !d.Read(order, &one) {
			return nil, false
		}
		list = append(list, one.Order)
	}
	if len(list) == 0 {
		d.ViolateField("scramble", rules.Input, "write {from: Scotland, to: SZ 109, units: {fighter: 2}}, or a list of such orders")
	}
	return list, len(list) > 0
}

// scramble sends defending aircraft to sea zones, at the end of the attacker's Combat Move. All
// scrambles of a TURN count together.
func (d *decision) scramble() {
	given, ok := d.readScramble()
	if !ok {
		return
	}
	var orders []*events.AircraftScrambled
	for i, o := range given {
		p, ok := d.scrambleGiven(fmt.Sprintf("scramble[%d]", i), o)
		if !ok {
			return
		}
		orders = append(orders, p)
	}
	in := d.scrambleInput(orders)
	_, found := Scramble(in)
	if d.takeOver(found); !d.refusedAlready(found) {
		d.checkScramblers(orders)
	}
	if d.Refused() {
		return
	}
	for _, p := range orders {
		d.Record(p.Power, p)
	}
}

// refusedAlready reports whether a ruling refuses for what was not understood.
func (d *decision) refusedAlready(f rules.Findings) bool {
	return slices.ContainsFunc(f.Violations, func(v rules.Violation) bool { return v.Rule == rules.Input })
}

// scrambleGiven reads one order.
func (d *decision) scrambleGiven(at string, o scrambleOrder) (*events.AircraftScrambled, bool) {
	from, ok := d.territory(at+".from", o.From)
	if !ok {
		return nil, false
	}
	to, ok := d.seaZone(at+".to", o.To)
	if !ok {
		return nil, false
	}
	p := &events.AircraftScrambled{Power: d.holder(from), From: from.Name, Zone: to}
	if o.Power != "" {
		p.Power, ok = d.power(at+".power", o.Power)
	}
	if !ok {
		return nil, false
	}
	if p.Units, ok = d.unitsGiven(at+".units", o.Units); !ok {
		return nil, false
	}
	if len(p.Units) == 0 {
		d.ViolateField(at+".units", rules.Input, "say what scrambles: {fighter: 2}")
		return nil, false
	}
	for _, u := range p.Units {
		if !slices.Contains([]string{fighter, tacticalBomber, strategicBomber}, u.Name) {
			d.ViolateField(at+".units", "G40-SCR-TYPE", "a %s does not scramble: only fighters and tactical bombers do", u.Name)
			return nil, false
		}
		if !d.enough(at+".units", u.Count) {
			return nil, false
		}
	}
	return p, true
}

// scrambleInput is the request that the rule answers: what scrambled before in this TURN, and the
// new orders.
func (d *decision) scrambleInput(orders []*events.AircraftScrambled) ScrambleInput {
	in := ScrambleInput{Timing: "end_of_combat_move"}
	if d.Player == "" || d.Phase != phaseMove {
		in.Timing = "other"
	}
	for _, p := range append(noted[*events.AircraftScrambled](d.deeds), orders...) {
		s := Scrambling{From: p.From, SeaZone: p.Zone, Fighters: countOf(p.Units, fighter),
			TacticalBombers: countOf(p.Units, tacticalBomber), StrategicBombers: countOf(p.Units, strategicBomber)}
		in.Scrambles = append(in.Scrambles, s)
		if !slices.ContainsFunc(in.SeaZones, func(z AttackedZone) bool { return z.ID == p.Zone }) {
			in.SeaZones = append(in.SeaZones, d.attackedIn(p.Zone))
		}
		i := slices.IndexFunc(in.Bases, func(b ScrambleBase) bool { return b.Territory == p.From })
		if i < 0 {
			space, _ := d.Board.Territory(p.From)
			i = len(in.Bases)
			in.Bases = append(in.Bases, d.scrambleBase(space))
		}
		in.Bases[i].Fighters += s.Fighters // whether they are there is for checkScramblers to say
		in.Bases[i].TacticalBombers += s.TacticalBombers
	}
	return in
}

// scrambleBase is a territory as a base.
func (d *decision) scrambleBase(s board.Space) ScrambleBase {
	base, there := d.facility(s, AirBase)
	zones := d.zonesBeside(s)
	return ScrambleBase{Territory: s.Name, AirBase: there, Operative: !base.Inoperative, Coastal: len(zones) > 0, SeaZones: zones}
}

// checkScramblers wants defenders, and aircraft that are there and fight nowhere else in this TURN.
func (d *decision) checkScramblers(orders []*events.AircraftScrambled) {
	wanted := map[post]map[string]int{}
	for i, p := range orders {
		field := fmt.Sprintf("scramble[%d]", i)
		space, _ := d.Board.Territory(p.From)
		switch holder := d.holder(space); {
		case !d.atWar(p.Power, d.Player):
			d.ViolateField(field, rules.Input, "%s is not at war with %s, whose TURN it is, so it does not defend", p.Power, d.Player)
		case d.friends(holder, d.Player):
			d.ViolateField(field, "G40-SCR-BASE", "%s is held by %s: defenders scramble from air bases of their own side", p.From, holder)
		}
		at := post{p.Power, p.From}
		if wanted[at] == nil {
			wanted[at] = map[string]int{}
		}
		for _, u := range p.Units {
			wanted[at][u.Name] += u.Count
			d.available(field, "G40-SCR-BASE", p.Power, p.From, u.Name, wanted[at][u.Name])
		}
	}
}

// available refuses aircraft that do not stand in a territory, or that defend elsewhere in this
// TURN already. Of a power whose units there were never reported nothing is known.
func (d *decision) available(field, rule, power, territory, kind string, wanted int) {
	if !d.told(power, territory) {
		return
	}
	there := countOf(d.unitsOf(power, territory), kind)
	switch {
	case wanted > there:
		d.ViolateField(field, rule, "%s wanted in %s, and %s has %d there", counted(wanted, kind), territory, power, there)
	case wanted <= d.free(power, territory, kind):
	case d.scrambled(power, territory, kind) > 0:
		d.ViolateField(field, "G40-SCR-FIGHT", "%s wanted in %s: what scrambled in this TURN fights nowhere else, and %d of %s are left", counted(wanted, kind), territory, d.free(power, territory, kind), power)
	default:
		d.ViolateField(field, "G40-SBR-INTERCEPT", "%s wanted in %s: what intercepted in this TURN fights nowhere else, and %d of %s are left", counted(wanted, kind), territory, d.free(power, territory, kind), power)
	}
}
