package eots

import (
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// How a base comes to its hex, and why one leaves the map, as recorded.
const (
	howScenario      = "scenario"
	howReinforcement = "reinforcement"
	howReturn        = "return"
	howRelocation    = "relocation"
	howEmergency     = "emergency move"

	causeOccupied = "occupied by a Japanese ground unit"
)

// inPlay reads the name of a Sub Base in play.
func (d *decision) inPlay(field, name string) (base, bool) {
	known, ok := d.Named("Sub Base", field, name)
	if !ok {
		return base{}, false
	}
	b, ok := d.base(known)
	if !ok {
		rule := rules.Input
		if known != Wilkes && d.turn.Ordinal < uint64(arrival(rowLockwood6)) {
			rule = "EOTS-11.21.B-1" // one base is all that there is before Turn 6
		}
		d.ViolateField(field, rule, "%s is not in play on Turn %d; in play: %s", known, d.turn.Ordinal,
			strings.Join(d.names(), " and "))
	}
	return b, ok
}

func (g game) names() []string {
	return rules.Each(g.bases, func(b base) string { return b.name })
}

// baseCalled gives the Sub Base of a name, also as the scenario table has it: Lockwood (4) until Fife replaces it,
// Lockwood (6) from then on (EOTS-11.21.B-3), or with what it is behind it: Wilkes Sub Base.
func (d *decision) baseCalled(name string) (string, bool) {
	before := d.changed != d.turn.Ordinal // nothing was replaced in this turn
	name, _ = strings.CutSuffix(strings.ToLower(name), " sub base")
	return baseNamed(unit(name, d.number()-once(before)))
}

// replacement is an entry {replace: Wilkes}: the base that leaves.
type replacement struct {
	Base string `json:"replace" is:"Sub Base"`
}

// replace makes the replacement of a turn.
func (d *decision) replace(e replacement) {
	known := e.Base
	if d.changed == d.turn.Ordinal {
		d.ViolateField("replace", "EOTS-11.21.B-3", "the replacement of Turn %d is made already", d.turn.Ordinal)
		return
	}
	b, there := d.base(known)
	in := ReplaceInput{Turn: d.number(), Location: OnMap}
	if b.hex == "" {
		in.Location = OnTrack
	}
	out, f := Replace(in)
	if f.Refused() {
		d.Add(f)
		return
	}
	if !there || known != out.Removed {
		d.ViolateField("replace", "EOTS-11.21.B-3", "on Turn %d %s is replaced, not %s", d.turn.Ordinal, out.Removed,
			known)
		return
	}
	if !d.enter(phaseReinforcement, "", "EOTS-11.21.B-3") {
		return
	}
	d.Add(f)
	p := &events.BaseReplaced{Base: out.Removed, By: out.Arrives, Hex: b.hex}
	if out.Reinforcement != nil {
		p.Joined = out.Reinforcement.Name
	}
	d.Record(allies, p)
}

// placing is an entry of a base that arrives, or returns.
type placing struct {
	Base string `json:"base" is:"base"`
	Hex  hexID  `json:"hex" offer:"hex" need:"in which hex? Write hex: 2813, say"`
}

// placeBase puts a base that arrives, or returns, on the map.
func (d *decision) placeBase(e placing) {
	b, _ := d.base(e.Base)
	if b.hex != "" {
		d.ViolateField("place.base", rules.Input, "%s stands in %s; to move it is to relocate it", b.name, b.hex)
		return
	}
	if b.returns > d.turn.Ordinal {
		d.ViolateField("place.base", "EOTS-11.21.D-6",
			"%s is on the Turn Record Track and returns in the Reinforcement Phase of Turn %d", b.name, b.returns)
	}
	if !d.replaced() { // so that the replacement finds the base where the turn did (EOTS-11.21.B-5)
		return
	}
	how := howReturn
	if d.changed == d.turn.Ordinal && b.name == Lockwood && len(d.bases) == 2 {
		how = howReinforcement
	}
	in, ok := d.placement(b, PlaceIt, string(e.Hex))
	if ok && d.allowed(Place(in)) && d.enter(phaseReinforcement, "", "EOTS-11.21.D-6") {
		d.settle(b, how, in)
	}
}

// settle records where a base is put, and how that follows.
func (d *decision) settle(b base, how string, in PlaceInput) {
	_, f := Place(in)
	d.Add(f)
	was, from := d.targets[b.hex]
	now, to := d.targets[in.Hex.ID]
	if d.carries() && from && to && was.Range != now.Range {
		d.Warn("a range of %d was reported from %s, and one of %d from %s: the SLOC Proximity Range is the base's, "+
			"wherever it stands (EOTS-11.22.C-1)", was.Range, b.hex, now.Range, in.Hex.ID)
	}
	if b.hex == "" && to { // it comes back from the Turn Record Track
		d.warnOfReach(b, in.Hex.ID, now.Range)
	}
	p := &events.BasePlaced{Base: b.name, Hex: in.Hex.ID, From: b.hex, How: how}
	if d.exact() && in.Distance != nil {
		p.Distance = *in.Distance
	}
	d.Record(allies, p)
	d.warnOfLanding(b.name, in.Hex.ID)
}

// allowed takes over what a ruling finds broken, and nothing else.
func (d *decision) allowed(_ PlaceOutcome, f rules.Findings) bool {
	return d.Check(f)
}

// placement puts together what a ruling asks about a base and the hex that it goes to.
func (d *decision) placement(b base, action Action, hex string) (PlaceInput, bool) {
	in := PlaceInput{SubBase: b.name, Action: action}
	field := d.c.Verb + ".hex"
	if _, known := d.hexes[hex]; !known {
		d.Unreported(field, rules.Input,
			"nothing is reported of %s; report it, facts: {hexes: {%s: [%s]}}, with the words that hold of %s", hex,
			hex, strings.Join(hexWords(), ", "), hex)
		return in, false
	}
	x := d.hex(hex, b.name)
	in.Hex, in.HQs = &x, d.near(hex)
	ok := d.measured(field, hex)
	for _, o := range d.bases {
		if o.name != b.name && o.hex != "" {
			ok = ok && d.measured(field, o.hex)
			if near := InHalfRange(d.near(o.hex)); len(near) > 0 { // one that is near none takes none from this one
				in.Others = append(in.Others, OtherBase{Name: o.name, HQs: near})
			} else {
				d.Warn("no American HQ has %s, where %s stands, within half its activation range: the text does not "+
					"say whether another base may be placed then (EOTS-11.21.C-UNIQUE)", o.hex, o.name)
			}
		}
	}
	return in, ok
}

// measured reports whether the distance of an American HQ from a hex is known.
func (d *decision) measured(field, hex string) bool {
	if len(d.near(hex)) > 0 {
		return true
	}
	name, why := "SWPac", ""
	if len(d.hqs) > 0 {
		name = d.hqs[0].Name
	}
	if d.gauged[hex] {
		why = ", and the HQs of which it was have moved since"
	}
	d.Unreported(field, rules.Input,
		"no American HQ's distance from %s is reported%s; report it, facts: {american hqs: {%s: {range: …, from: "+
			"{%s: …}}}}", hex, why, name, hex)
	return false
}

// relocation is an entry of a base that moves.
type relocation struct {
	Base        string `json:"base" is:"base"`
	Hex         hexID  `json:"hex" offer:"hex" need:"in which hex? Write hex: 2813, say"`
	By          string `json:"by" offer:"American HQ" doc:"the American HQ that activates it"`
	Activations *int   `json:"activations" doc:"2 by default"`
}

// relocate picks a base up and puts it down elsewhere.
func (d *decision) relocate(e relocation) {
	b, _ := d.base(e.Base)
	in, ok := d.placement(b, Relocate, string(e.Hex))
	if !ok {
		return
	}
	if b.hex == in.Hex.ID {
		d.ViolateField("relocate.hex", rules.Input, "%s stands in %s already", b.name, b.hex)
		return
	}
	e.By = d.spelt(e.By)
	in.Activations, in.DuringOffensive = activationsToRelocate, d.phase == phaseOffensive
	if e.Activations != nil {
		in.Activations = *e.Activations
	}
	d.checkActivation(b, e.By)
	d.inOffensive("relocate", "EOTS-11.21.C-MOVE", allies)
	if d.carries() && (b.moved || d.fought) {
		d.Warn("%s is activated again in this offensive, or after its combat: units are so once, and before; of a Sub "+
			"Base the text does not say it (EOTS-11.21.C-MOVE)", b.name)
	}
	if d.allowed(Place(in)) {
		d.Cite("EOTS-11.21.C-MOVE", "%s activates it", d.hqs[d.hq(e.By)].Name)
		d.settle(b, howRelocation, in)
	}
}

// checkActivation wants an American HQ that may activate the base where it stands.
func (d *decision) checkActivation(b base, by string) {
	const rule = "EOTS-11.21.C-MOVE"
	i := d.hq(by)
	switch {
	case b.hex == "":
		d.ViolateField("relocate.base", rule, "%s is on the Turn Record Track: there is nothing to pick up", b.name)
	case d.carries() && d.is(b.hex, wordEnemy):
		d.ViolateField("relocate.base", "EOTS-11.21.E-1", "Japan holds %s: %s leaves it by an emergency move, not for "+
			"activations", b.hex, b.name)
	case i < 0:
		names := rules.Each(d.hqs, func(q events.HeadquartersReported) string { return q.Name })
		d.Unknown(d.c, "relocate.by", "American HQ that is reported", by, names)
	case d.hqs[i].Idle:
		d.ViolateField("relocate.by", rule, "%s can activate no base now", by)
	case !d.activates(d.hqs[i], b.hex):
		d.ViolateField("relocate.by", rule, "%s is not within the activation range of %s", b.hex, by)
	}
}

// emergencyEntry is an entry of an emergency move; without a hex the base goes to the Turn Record Track.
type emergencyEntry struct {
	Base     string `json:"base" is:"base"`
	Cause    string `json:"cause,omitempty" word:"political phase,end of offensive,iai offensive,start of 1942"`
	Hex      hexID  `json:"hex" offer:"hex"`
	Distance *int   `json:"distance" doc:"in hexes, of a move to a hex"`
}

// emergencyMove moves a base whose hex Japan gains.
func (d *decision) emergencyMove(e emergencyEntry) {
	b, _ := d.base(e.Base)
	ok := true
	in := PlaceInput{SubBase: b.name, Action: PutOnTrack}
	if d.exact() && e.Hex == "" && e.Distance != nil {
		d.ViolateField("emergency move.hex", rules.Input, "emergency move: to which hex, %d hexes away? Without hex "+
			"and distance %s goes to the Turn Record Track", *e.Distance, b.name)
		return
	}
	if e.Hex != "" {
		if d.carries() && b.hex == string(e.Hex) {
			d.ViolateField("emergency move.hex", "EOTS-11.21.C-SPACE",
				"%s is the hex that %s flees from, not one to go to", b.hex, b.name)
			return
		}
		if in, ok = d.placement(b, Emergency, string(e.Hex)); !ok {
			return
		}
		if !d.checkFlight(b, e) {
			return
		}
	}
	in.Distance = e.Distance
	if in.Cause, ok = d.emergency(b, e.Cause); !ok || !d.allowed(Place(in)) {
		return
	}
	if in.Action == Emergency {
		d.settle(b, howEmergency, in)
	} else {
		_, f := Place(in)
		d.Add(f)
		d.Record(allies,
			&events.BaseDisplaced{Base: b.name, Hex: b.hex, Cause: "emergency, " + in.Cause.when(),
				Returns: d.back(b, in.Cause)})
	}
	if in.Cause == PoliticalPhase || in.Cause == EndOfOffensive {
		if d.carries() && d.is(b.hex, wordFriendly) {
			d.Warn("%s was reported %s: this entry says that Japan has gained it (EOTS-11.21.E-1)", b.hex, wordFriendly)
		}
		d.lose(b.hex)
	}
}

// back is the turn in whose Reinforcement Phase a base comes back from its emergency: the next one. Before the first
// phase of a campaign that is the one of its turn, and the base is not on the map when it begins (EOTS-11.22.A-4).
func (d *decision) back(b base, cause Cause) int {
	if !d.exact() || d.phase != "" {
		return d.number() + 1
	}
	if cause != StartOf1942 { // which all of its first turn follows
		d.Warn("the Reinforcement Phase of %s is still to come: %s may return in it, and conducts no submarine "+
			"warfare this turn then; the text does not say whether it waits longer (EOTS-11.21.E-2)", d.turn.Label,
			b.name)
	}
	return d.number()
}

// checkFlight holds the distance of an emergency move to what is known of the two hexes (EOTS-11.21.E-1).
func (d *decision) checkFlight(b base, e emergencyEntry) bool {
	const field = "emergency move.distance"
	was, known := d.between(b.hex, string(e.Hex))
	switch {
	case e.Distance == nil:
		d.ViolateField(field, rules.Input, "emergency move: how far does %s go? Write distance: 6, say; %d hexes is "+
			"the most", b.name, farthest)
		return false
	case d.carries() && b.hex != "" && *e.Distance < 1:
		d.ViolateField(field, "EOTS-11.21.E-1", "%s is another hex than %s, and so 1 hex away or more, not %d", e.Hex,
			b.hex, *e.Distance)
		return false
	case d.strict() && known && was != *e.Distance:
		d.ViolateField(field, "EOTS-11.21.E-1", "%s was reported %d hexes from %s, and hexes do not move: it is "+
			"not %d; correct the report if that is wrong", e.Hex, was, b.hex, *e.Distance)
		return false
	}
	if d.carries() && *e.Distance <= farthest {
		d.checkWay(field, b.hex, string(e.Hex), *e.Distance, "EOTS-11.21.E-1")
	}
	return true
}

// lose makes a hex Japanese from which a Sub Base was taken or fled. It stays so until its recapture is reported.
func (d *decision) lose(hex string) {
	if !d.carries() {
		return
	}
	for _, q := range d.hqs {
		// where Japan held it before, the report that said so was warned of
		if d.exact() && q.Hex == hex && !d.is(hex, wordEnemy) && !d.gone(q) {
			d.Warn("Japan holds %s, where %s was reported: the text does not say how an American HQ stands there "+
				"(EOTS-11.21.C-HQ)", hex, q.Name)
		}
	}
	d.Cite("EOTS-11.21.C-SPACE", "%s is Japanese: no Sub Base goes there until its recapture is reported", hex)
	d.Record("", &events.FactReported{Fact: factHex, Subject: hex, Names: []string{wordEnemy, wordLost}})
}

// rescued reports whether no Sub Base stands in a hex that Japan has gained: until it has moved, nothing else begins.
func (d *decision) rescued() bool {
	for _, b := range d.bases {
		if d.carries() && b.hex != "" && d.is(b.hex, wordEnemy) {
			d.ViolateField("", "EOTS-11.21.E-1", "Japan holds %s, where %s stands: it makes an emergency move "+
				"first, at the end of an offensive or in the political phase", b.hex, b.name)
			return false
		}
	}
	return true
}

// late reports whether Japan gained the hex of a base in the Political phase of the turn before, by a report that comes
// before anything of this one: the base makes up for its emergency move (EOTS-11.21.E-1).
func (d *decision) late(b base) bool {
	return d.exact() && d.phase == "" && d.turn.Ordinal != d.first && d.is(b.hex, wordEnemy)
}

// emergency reads the cause of a move and holds it to its time.
func (d *decision) emergency(b base, word string) (Cause, bool) {
	cause := Cause(strings.ReplaceAll(word, " ", "_"))
	switch {
	case b.hex == "" && b.occupied:
		return GroundOccupation, true // the ruling says what that means
	case b.hex == "":
		d.ViolateField("emergency move.base", "EOTS-11.21.E-1", "%s is on the Turn Record Track already", b.name)
	case cause == PoliticalPhase && d.phase != phasePolitical && !d.late(b),
		cause == EndOfOffensive && d.phase != phaseOffensive:
		d.ViolateField("emergency move.cause", "EOTS-11.21.E-1", "it is not the %s now", word)
	case cause == IAIOffensive && (d.year != 1941 || d.phase != phaseOffensive || !d.ours(japan)):
		d.ViolateField("emergency move.cause", "EOTS-11.21.E-3",
			"the IAI offensive is Japan's, and one of 1941; it is not its time now")
	case cause == IAIOffensive && d.strict() && (d.turn.Ordinal != d.first || b.escaped && !b.fled):
		d.ViolateField("emergency move.cause", "EOTS-11.21.E-3",
			"the IAI offensive is over: 1941 starts with it, and %s may flee from it once", b.name)
	case cause == StartOf1942 && (d.year != 1942 || d.turn.Ordinal != d.first || d.phase != ""):
		d.ViolateField("emergency move.cause", "EOTS-11.21.E-3",
			"1942 starts with the first turn of its scenario, before any phase")
	case d.carries() && b.fled && !d.is(b.hex, wordEnemy): // Japan may gain the hex that it fled to as well
		d.ViolateField("emergency move.base", "EOTS-11.21.E-1", "%s has made its emergency move, to %s: one cause "+
			"makes it move once", b.name, b.hex)
	}
	if cause == IAIOffensive && d.raids > 1 {
		d.Warn("this is offensive %d of Japan: the text has one IAI offensive, and does not say which it is "+
			"(EOTS-11.21.E-3)", d.raids)
	}
	return cause, !d.Refused()
}
