package g40

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// scrambleEntry is an entry {scramble: {from: Scotland, to: SZ 109, units: {fighter: 2}}}, or a list of such
// orders.
type scrambleEntry struct {
	List orders `json:"scramble" need:"write {from: Scotland, to: SZ 109, units: {fighter: 2}}, or a list of these"`
}

type orders = rules.OneOrMore[scrambleOrder]

// scrambleOrder is aircraft of one base that are to go to one sea zone.
type scrambleOrder struct {
	From  string             `json:"from" is:"territory"`
	To    string             `json:"to" is:"sea zone"`
	Power string             `json:"power,omitempty" is:"power" doc:"whose they are, the holder's by default"`
	Units rules.Mapping[int] `json:"units" of:"unit" least:"0" most:"100" need:"say what scrambles: {fighter: 2}"`
}

// scramble sends defending aircraft to sea zones, at the end of the attacker's Combat Move. All
// scrambles of a TURN count together.
func (d *decision) scramble(e scrambleEntry) {
	if d.Player == "" {
		d.ViolateField("scramble", "G40-SCR-TIME", "no power's TURN has begun: aircraft scramble once its attacks are "+
			"declared, {attack: {attacker: …, on: …}}")
		return
	}
	var orders []*events.AircraftScrambled
	for i, o := range e.List {
		p, ok := d.scrambleGiven(fmt.Sprintf("scramble[%d]", i), o)
		if !ok {
			return
		}
		orders = append(orders, p)
	}
	if !d.basesOperate(orders) {
		return
	}
	in := d.scrambleInput(orders)
	_, found := Scramble(in)
	if d.Add(found); !d.refusedAlready(found) {
		d.checkScramblers(orders)
	}
	if d.Refused() {
		return
	}
	for i, p := range orders {
		if !slices.ContainsFunc(orders[:i], func(o *events.AircraftScrambled) bool { return o.Zone == p.Zone }) {
			d.warnOfNoHelp(p)
		}
		d.Record(p.Power, p)
	}
}

// warnOfNoHelp warns of a scramble to a sea zone that is attacked, where something was reported, and of the defenders
// nothing: there is nobody to help, and no assault to resist (G40-SCR-WHY).
func (d *decision) warnOfNoHelp(p *events.AircraftScrambled) {
	known := false
	for _, power := range d.Powers {
		if d.friends(power, p.Power) && len(d.unitsOf(power, p.Zone)) > 0 {
			return
		}
		known = known || d.wasReported(power, p.Zone)
	}
	if known && !d.attackedIn(p.Zone).Assault {
		d.Warn("no unit of %s or a friend is reported in %s: aircraft scramble to help units that are attacked, or "+
			"against an amphibious assault (G40-SCR-WHY)", p.Power, p.Zone)
	}
}

// basesOperate says of each damaged base of some orders whether it operates; false where the umpire is asked.
func (d *decision) basesOperate(orders []*events.AircraftScrambled) bool {
	for i, p := range orders {
		s := d.At(p.From)
		base, there := d.facility(s, AirBase)
		from := func(o *events.AircraftScrambled) bool { return o.From == p.From }
		if !there || slices.ContainsFunc(orders[:i], from) {
			continue
		}
		if !d.settledOperative(base) {
			return false
		}
		d.citeOperative(fmt.Sprintf("scramble[%d].from", i), s, base)
	}
	return true
}

// refusedAlready reports whether a ruling refuses for what was not understood.
func (d *decision) refusedAlready(f rules.Findings) bool {
	return slices.ContainsFunc(f.Violations, func(v rules.Violation) bool { return v.Rule == rules.Input })
}

// scrambleGiven is one order: aircraft of one kind or another.
func (d *decision) scrambleGiven(order string, o scrambleOrder) (*events.AircraftScrambled, bool) {
	p := &events.AircraftScrambled{Power: o.Power, From: o.From, Zone: o.To, Units: unitsOf(o.Units)}
	if p.Power == "" {
		p.Power = d.holder(d.At(o.From))
		d.holders(order+".power", p.Power, p.From)
	}
	at := order + ".units"
	if len(p.Units) == 0 {
		d.ViolateField(at, rules.Input, "say what scrambles: {fighter: 2}")
	}
	for _, u := range p.Units {
		if !aircraft(u.Name) {
			d.ViolateField(at, "G40-SCR-TYPE", "%s does not scramble: only fighters and tactical bombers do",
				one(u.Name))
		}
	}
	return p, !d.Refused()
}

// holders refuses aircraft without an owner where those of the territory's holder were not reported and others' were:
// they would be taken for the holder's.
func (d *decision) holders(field, holder, territory string) {
	if !rules.Carries(d.Options) || d.wasReported(holder, territory) {
		return
	}
	for _, p := range d.Powers {
		if d.friends(p, holder) && slices.ContainsFunc(d.unitsOf(p, territory),
			func(u events.Unit) bool { return aircraft(u.Name) }) {
			d.ViolateField(field, rules.Input,
				"aircraft of %s are reported in %s and none of %s, who holds it: say whose they are, such as %s", p,
				territory, holder, p)
			return
		}
	}
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
	return ScrambleBase{Territory: s.Name, AirBase: there, Operative: there && d.operative(base),
		Coastal: len(zones) > 0, SeaZones: zones}
}

// checkScramblers wants defenders, and aircraft that are there and fight nowhere else in this TURN.
func (d *decision) checkScramblers(orders []*events.AircraftScrambled) {
	wanted := map[post]map[string]int{}
	for i, p := range orders {
		field := fmt.Sprintf("scramble[%d]", i)
		space, _ := d.Board.Territory(p.From)
		switch holder := d.holder(space); {
		case !d.atWar(p.Power, d.Player):
			d.ViolateField(field, rules.Input, "%s is not at war with %s, whose TURN it is, so it does not defend",
				p.Power, d.Player)
		case d.friends(holder, d.Player):
			d.ViolateField(field, "G40-SCR-BASE",
				"%s is held by %s: defenders scramble from air bases of their own side", p.From, holder)
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
	if !d.wasReported(power, territory) {
		for _, p := range d.Powers {
			if wanted > 0 && p != power && d.friends(p, power) && countOf(d.unhurt().unitsOf(p, territory), kind) > 0 {
				d.Warn("no %s of %s is reported in %s, and some of %s are (%s)", kind, power, territory, p, rule)
			}
		}
		return
	}
	there := countOf(d.unitsOf(power, territory), kind)
	inAll, known := d.idle(power, kind)
	free := d.free(power, territory, kind)
	tooFew := rules.Carries(d.Options) && known && wanted > inAll && (inAll < free || !rules.Strict(d.Options))
	switch {
	case wanted > there:
		d.ViolateField(field, rule, "%s wanted in %s, and %s has %d there", counted(wanted, kind), territory, power,
			there)
	case tooFew:
		d.Unreported(field, rule,
			"%s wanted in %s, and %s has %d in all, without those that fell or defend elsewhere: report where they are",
			counted(wanted, kind), territory, power, inAll)
	case wanted <= free:
	case d.scrambled(power, territory, kind) > 0:
		d.ViolateField(field, "G40-SCR-FIGHT",
			"%s wanted in %s: what scrambled in this TURN fights nowhere else, and %d of %s are left",
			counted(wanted, kind), territory, free, power)
	default:
		d.ViolateField(field, "G40-SBR-INTERCEPT",
			"%s wanted in %s: what intercepted in this TURN fights nowhere else, and %d of %s are left",
			counted(wanted, kind), territory, free, power)
	}
}
