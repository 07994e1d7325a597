package awaw

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// figureCounts names the figure that says whether a harbor attack modifies later ones.
const figureCounts = "counts against later attacks"

// What a harbor attack uses up: the result of research, and the carrier.
const (
	figureSpent       = "result spent"
	figureCarrier     = "carrier"
	figureCarrierLost = "carrier eliminated"
)

// procedureHarborAttack names a harbor attack's results.
const procedureHarborAttack = "awaw.harbor-attack"

// harborEntry is an entry `harbor attack`: one port, on which its result is spent whole. DRMs and research levels that
// it leaves out are taken from the facts reported.
type harborEntry struct {
	Attacker     Power      `json:"attacker" is:"power"`
	Defender     Power      `json:"defender" is:"power"`
	Port         string     `json:"port" offer:"port" need:"name the port attacked: port: Scapa Flow"`
	By           HarborMode `json:"by" is:"means of attack"`
	Theater      Theater    `json:"theater" is:"theater"`
	Front        string     `json:"front,omitempty" is:"front"`
	Result       numeral    `json:"result" offer:"harbor result" doc:"of the harbor attack project: 6, 7 or 8+"`
	Combined     *int       `json:"results combined" least:"0"`
	Initial      bool       `json:"initial german attack"`
	Carrier      string     `json:"carrier" offer:"ship" doc:"its name, of an attack by carrier"`
	From         string     `json:"from" offer:"base" doc:"the port of the base, Atlantic SW box or Pacific SW box"`
	Distance     *int       `json:"distance" least:"0" doc:"in hexes, of a base on the board"`
	Operational  *bool      `json:"operational port" doc:"said only where it is not so"`
	Uninverted   *bool      `json:"uninverted" doc:"said only where it is not so"`
	FastCarrier  *bool      `json:"fast carrier" doc:"said only where it is not so"`
	MapboardBox  bool       `json:"mapboard box"`
	Counteraired bool       `json:"counteraired"`
	Groups       groups     `json:"combat groups" doc:"the defender's, sealed until the attacker picks one"`
	Group        numeral    `json:"combat group" doc:"that the attacker picks; else he is asked"`
	InHarbor     []string   `json:"in harbor" offer:"ship" doc:"the ships that are shown before an attack by carrier"`
	Targets      []string   `json:"targets" offer:"ship" doc:"named ships; asked for where the ships there are given"`
	LightShips   []string   `json:"light ships" doc:"groups of light ships"`
	Counterintel bool       `json:"counter-intelligence"`
	Advanced     bool       `json:"advanced submarine"`
	NavalDRM     *pair      `json:"naval nationality" doc:"the facts of both by default"`
	AirDRM       *int       `json:"air nationality" least:"-9999" doc:"the fact of the attacker by default"`
	Torpedo      *int       `json:"torpedo" least:"0" doc:"the fact of the attacker by default"`
	ASWLevel     *int       `json:"asw research" least:"0" doc:"the fact of the defender by default"`
	AirDefense   int        `json:"air defense" least:"0"`
	AAF          int        `json:"aaf" least:"0"`
	NAS          int        `json:"nas" least:"0"`
}

// numeral is a name that may be written as a number: result: 7.
type numeral string

// UnmarshalJSON implements json.Unmarshaler.
func (n *numeral) UnmarshalJSON(text []byte) error {
	if number := new(json.Number); len(text) > 0 && text[0] != '"' && json.Unmarshal(text, number) == nil {
		*n = numeral(*number)
		return nil
	}
	return json.Unmarshal(text, (*string)(n))
}

type harborCommand struct {
	Attack harborEntry          `json:"harbor attack"`
	Cards  *[]map[string]string `json:"cards" of:"side" is:"card or pass" doc:"as put down; else the sides are asked"`
}

// harborAttack resolves a harbor attack: legality, cards, declaration, dice, results.
func (d *decision) harborAttack(entry harborCommand) {
	e := entry.Attack
	in, powers, ok := d.harborInput(e)
	if !ok || !d.sidesNamed(entry.Cards) || !d.cardsNotYet(entry) || !d.Add(CheckHarborAttack(in)) ||
		!d.shipsOnce(in.Targets) || !d.inOneGroup(e, in.Targets) || !d.inStock(e) || !d.seaworthy(e) || !d.afloat(e) ||
		!d.placed("harbor attack", e.Port, e.Front, e.Theater, powers) || !d.inPhase(e) || !d.harborSettled(in) {
		return
	}
	if !d.enterPhase(powers[0].player(), "movement", "AWAW-HA-TIME") || !d.pickTargets(e, &in, powers) {
		return
	}
	contest, ok := d.harborContest(&in, powers, entry.Cards)
	if !ok {
		return
	}
	modifiers, found := HarborModifiers(in)
	net := Net(modifiers)
	d.Cite("AWAW-HA-TIME", "harbor attacks are made in the movement phase, after patrols")
	d.Add(found)
	roll := &events.RollDeclared{Purpose: "harbor attack by " + string(in.Mode), Subject: e.Port,
		Modifiers: eventModifiers(modifiers), Net: net}
	for _, t := range in.Targets {
		roll.Throws = append(roll.Throws,
			events.Throw{Name: t.Ship, Side: powers[0].Title(), Dice: HarborDice(in.Mode), Sides: 6,
				Table: TableHarborAttack, Modifier: net})
	}
	dice, ok := d.Roll(powers[0].Title(), roll)
	if !ok {
		return
	}
	for i := range in.Targets {
		in.Targets[i].Dice = dice[i]
	}
	out, f := HarborAttack(in)
	if !d.Add(f) {
		return
	}
	p := d.harborResult(in, out, powers, contest)
	d.noteSpent(e, p)
	p.Figures = append(p.Figures, d.elsewhere(e.Theater, powers)...)
	if e.Front != "" && d.exact() {
		p.Figures = append(p.Figures, events.Figure{Name: figureFront, Text: frontName(e.Front)})
	}
	if in.Base.Location == onBoard && e.From != "" && d.firm() {
		p.Figures = append(p.Figures, events.Figure{Name: figureBase, Text: e.From})
	}
	d.Record(powers[0].Title(), p)
}

// inPhase holds the attack to those of the same movement phase.
func (d *decision) inPhase(e harborEntry) bool {
	d.baseApart(e)
	d.berthed(e)
	d.notCombined(e)
	d.warnOfShips(e)
	d.warnOfOwner(e)
	return !d.Refused()
}

func (d *decision) harborResult(in HarborAttackInput, out HarborAttackOutcome, powers [2]Power,
	contest uint64) *events.ResultAdjudicated {
	p := &events.ResultAdjudicated{
		Procedure: procedureHarborAttack, Subject: in.TargetHex.Name, Attacker: powers[0].Title(),
		Defender: powers[1].Title(), Contest: contest,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.Declared(),
		Figures: []events.Figure{{Name: figureCounts, Value: oneIf(out.CountsAgainstLaterAttacks)}},
	}
	if in.Mode == ByCarrier {
		p.Figures = append(p.Figures, events.Figure{Name: "carrier inverted", Value: 1},
			events.Figure{Name: figureCarrierLost, Value: oneIf(out.CarrierEliminated)})
	}
	for i, r := range out.Targets {
		p.Readings = append(p.Readings, events.Reading{
			Name: r.Ship, Side: powers[0].Title(), Table: TableHarborAttack, Dice: in.Targets[i].Dice,
			Total:    r.DiceTotal,
			Modified: r.Modified, Column: r.Column, First: r.Result, Result: fmt.Sprint(r.Result),
		})
	}
	return p
}

// harborInput puts together facts and entry.
func (d *decision) harborInput(e harborEntry) (in HarborAttackInput, powers [2]Power, ok bool) {
	attacker, defender := e.Attacker, e.Defender
	if !d.harborWords(e) || !d.apart(e) {
		return in, powers, false
	}
	if attacker == defender {
		d.ViolateField("harbor attack.defender", rules.Input, "%s does not attack its own harbor", attacker.Title())
		return in, powers, false
	}
	powers = [2]Power{attacker, defender}
	naval := d.pairOf(e.NavalDRM, factNavalDRM, powers)
	in = HarborAttackInput{
		Mode: e.By, Theater: e.Theater, Attacker: attacker, ResearchResult: string(e.Result),
		ResultsCombined: or(e.Combined, 1), InitialGermanAttack: e.Initial, Year: d.year,
		Season:          strings.ToLower(d.season),
		PreviousAttacks: d.harbor.made, AnyAttackMade: d.harbor.any(), CounterIntelligence: e.Counterintel,
		AttackerNavalDRM: naval.Attacker, DefenderNavalDRM: naval.Defender,
		AttackerAirDRM: d.figureOf(e.AirDRM, factAirDRM, attacker.Title()),
		NetTorpedoASW: d.figureOf(e.Torpedo, factTorpedo, attacker.Title()) - d.figureOf(e.ASWLevel, factASW,
			defender.Title()),
		AdvancedSubmarine: e.Advanced, AirDefenseLevel: e.AirDefense, UninvertedAAF: e.AAF, UninvertedNAS: e.NAS,
		Options:   d.rulesOptions(),
		TargetHex: HarborHex{Name: e.Port, MapboardBox: e.MapboardBox, Counteraired: e.Counteraired, Front: e.Front},
		Base: HarborBase{Location: onBoard, Distance: e.Distance, OperationalPort: isnt(e.Operational),
			Uninverted: isnt(e.Uninverted), FastCarrier: isnt(e.FastCarrier)},
	}
	switch words.Plain(d.read(e.From)) {
	case "atlanticswbox":
		in.Base.Location = atlanticSWBox
	case "pacificswbox":
		in.Base.Location = pacificSWBox
	}
	if in.Targets = e.listed(); e.asksTargets() {
		in.Targets = []HarborTarget{{}} // one that is still to be picked
	}
	if in.Base.Location == onBoard && in.Base.Distance == nil {
		d.ViolateField("harbor attack.distance", "AWAW-HA-RANGE",
			"say how many hexes away the base is, distance: …; at most %d are in reach", HarborReach(in.Theater))
		return in, powers, false
	}
	return in, powers, true
}

// fronts are those on which a port may lie.
var fronts = []string{"western", "eastern", "mediterranean", "pacific", "southeast_asia", "china"}

// theaterOf is the theater in which a front lies: the first three are in Europe.
func theaterOf(front string) Theater {
	if slices.Index(fronts, front) < 3 {
		return TheaterEurope
	}
	return TheaterPacific
}

// reaches reports whether the deck affects operations against the ports of a front: each has its own theater. Ports of
// the Pacific theater may lie on the Indian Ocean, where Ultra counts too (48.13-B), but none of the Pacific and China.
func (d Deck) reaches(t Theater, front string) bool {
	if d == Magic {
		return t == TheaterPacific
	}
	return t == TheaterEurope || front != "pacific" && front != "china"
}

// boxAsPort reports whether a base that is taken for a port is meant to be a box: Atlantic box, Pacific.
func (d *decision) boxAsPort(from string) bool {
	from = d.read(from)
	_, ocean := boxNamed(from)
	k := words.Plain(from)
	named := strings.HasSuffix(k, "box") || d.exact() && (strings.Contains(k, "swbox") || strings.HasSuffix(k, "sw"))
	return ocean || named && k != "atlanticswbox" && k != "pacificswbox"
}

// apart wants the port to be a port (HA-BOX), and not the base of the attack too: it is the defender's.
func (d *decision) apart(e harborEntry) bool {
	rule, port := baseRules[e.By], d.read(e.Port)
	_, ocean := boxNamed(port)
	switch {
	case !d.exact():
	case ocean || strings.HasSuffix(words.Plain(port), "box"):
		d.ViolateField("harbor attack.port", "AWAW-HA-BOX", "%s is a mapboard box; a port is attacked", e.Port)
	case d.same(e.From, e.Port):
		d.ViolateField("harbor attack.from", rule, "%s is the port attacked, which is %s's: the base is another",
			e.From, e.Defender.Name())
	}
	d.heldBy("harbor attack.from", rule, e.From, e.Attacker)
	d.baseIn(e)
	return !d.Refused()
}

// baseIn holds an attack to the reach of the theater in which its base was attacked before (HA-RANGE).
func (d *decision) baseIn(e harborEntry) {
	base, known := d.places.Find(func(p place) bool { return p.theater != "" && d.same(p.name, e.From) })
	switch {
	case !d.exact() || !known || base.theater == e.Theater:
	case or(e.Distance, 0) > HarborReach(base.theater):
		d.ViolateField("harbor attack.distance", "AWAW-HA-RANGE", "%s lies in the %s theater, where it was attacked "+
			"(event %d), and %d hexes are in reach of it", e.From, theaterWords[base.theater], base.index,
			HarborReach(base.theater))
	default:
		d.Warn("%s lies in the %s theater, where it was attacked (event %d), and is the base of an attack in the %s "+
			"one", e.From, theaterWords[base.theater], base.index, theaterWords[e.Theater])
	}
}

func (d *decision) harborWords(e harborEntry) bool {
	switch {
	case d.strict() && d.boxAsPort(e.From):
		d.ViolateField("harbor attack.from", "AWAW-HA-SW-BOX", "%s is a box and no port: a base is a port, "+
			"from: Wilhelmshaven, or one of the boxes that serve, from: Atlantic SW box or Pacific SW box", e.From)
	case d.strict() && e.Initial && e.Result != "":
		d.ViolateField("harbor attack.result", "AWAW-HA-INITIAL",
			"the initial German attack spends no result of research: leave result out, or the initial attack")
	case d.strict() && e.Front != "" && theaterOf(e.Front) != e.Theater: // 20 hexes in Europe, 10 in the Pacific
		d.ViolateField("harbor attack.theater", "AWAW-HA-RANGE", "the %s front is not in that theater, whose reach "+
			"is %d", frontName(e.Front), HarborReach(e.Theater))
	case !e.Initial && !slices.Contains(harborResults, string(e.Result)):
		d.Unknown(d.c, "harbor attack.result", "harbor attack result", string(e.Result), []string{`"6"`, `"7"`, `"8+"`})
	case slices.Contains(e.Targets, "") || slices.Contains(e.LightShips, ""):
		d.ViolateField("harbor attack.targets", rules.Input, "each target is a ship or group of ships: name it")
	case len(e.Targets)+len(e.LightShips) > 20:
		d.ViolateField("harbor attack.targets", "AWAW-HA-TARGETS", "at most three targets are attacked")
	default:
		return d.shownShips(e)
	}
	return false
}

// harborSettled asks the umpire for options that this attack turns on.
func (d *decision) harborSettled(in HarborAttackInput) bool {
	if in.AdvancedSubmarine && in.Mode == BySubmarine && !d.settled("advanced_submarine") {
		return false
	}
	return in.Mode != ByCarrier || in.UninvertedNAS%3 == 0 || d.settled("nas_rounding")
}

// harborContest plays tactical cards, where both have drawn a deck and no Russian ships are
// concerned (48.13-C, 48.14-C).
func (d *decision) harborContest(in *HarborAttackInput, powers [2]Power, cards *[]map[string]string) (uint64, bool) {
	acting, ok := powers[0].faction(powers[1])
	opposing, ok2 := powers[1].faction(powers[0])
	played := d.putDown(cards)
	if !ok || !ok2 || acting.Opponent() != opposing {
		if played {
			d.ViolateField("cards", russianRule(in.Theater), "no codebreaking card affects a harbor attack of %s on %s",
				powers[0].Title(), powers[1].Title())
		}
		return 0, !played
	}
	if deck := acting.Deck(); d.strict() && !deck.reaches(in.Theater, in.TargetHex.Front) {
		if played {
			d.ViolateField("cards", deck.rule("AWAW-48.13-B", "AWAW-48.14-B"),
				"%s does not reach harbor attacks of %s on the ports of this theater", deck.Name(), powers[0].Title())
		}
		return 0, !played
	}
	if !d.drawn(acting.Deck()) {
		if played {
			return 0, d.cardsDrawn("cards", acting.Deck())
		}
		return 0, true
	}
	replaced := in.AdvancedSubmarine && in.Mode == BySubmarine && in.Options.AdvancedSubmarine != "add"
	if replaced && played {
		d.Warn("an advanced submarine attacks at +1 whatever cards are played (AMB-AWAW-9)")
	}
	out, index, ok := d.contest(contestEntry{kind: HarborAttackContest, acting: acting, opposing: opposing,
		subject: in.TargetHex.Name, cards: cards})
	if ok && out.Modifier != nil {
		in.TacticalAdvantage = *out.Modifier
	}
	return index, ok
}

func russianRule(t Theater) string {
	if t == TheaterPacific {
		return "AWAW-48.14-C"
	}
	return "AWAW-48.13-C"
}

// isnt is true unless the entry says otherwise.
func isnt(answer *bool) bool { return answer == nil || *answer }

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}
