package eots

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// lastTurn bounds the number of a turn; no campaign comes near.
const lastTurn = 999

// The phases of a turn, in their order. Offensives may follow one another.
const (
	phaseReinforcement = "reinforcement"
	phaseWarfare       = "strategic warfare"
	phaseDraw          = "card draw"
	phaseOffensive     = "offensive"
	phasePolitical     = "political"
)

func phases() []string {
	return []string{phaseReinforcement, phaseWarfare, phaseDraw, phaseOffensive, phasePolitical}
}

// decision is one command being judged on a state.
type decision struct {
	game
	*rules.Hearing
	c rules.Command
}

// forbid refuses what a text forbids in so many words, and warns of it in editions before edition 5 (GEN-CARRY).
func (d *decision) forbid(field, rule, format string, args ...any) {
	d.Forbid(rules.Firm(d.options), field, rule, format, args...)
}

var verbs = rules.Declarations[*decision]{
	rules.Declare("turn", "begin the next turn with its year, such as Turn 2, 1942", (*decision).beginTurn).
		Described(rules.TurnForm("Turn 2, 1942")),
	rules.Declare("phase",
		"begin a phase: reinforcement, strategic warfare, card draw, offensive, political", (*decision).beginPhase),
	rules.Declare("facts",
		"report the map: american hqs, hexes, sloc, resources lost, asps, china divisions, swm marker",
		(*decision).reportFacts),
	rules.Declare("replace",
		"a Sub Base is replaced in situ, on Turns 4 and 6 (11.21.B)", (*decision).replace).Of(allies),
	rules.Declare("place",
		"a Sub Base arrives or returns (11.21.C)", (*decision).placeBase).Of(allies),
	rules.Declare("relocate",
		"a Sub Base is picked up and put down for two activations (11.21.C)", (*decision).relocate).Of(allies),
	rules.Declare("attack",
		"Japan applies hits to a Sub Base in Air-Naval Combat (11.21.D)", (*decision).attack).Of(japan),
	rules.Declare("occupied",
		"a Japanese ground unit occupies a Sub Base (11.21.D)", (*decision).occupy).Of(japan),
	rules.Declare("emergency move",
		"a Sub Base whose hex Japan gains moves, or goes to the Turn Record Track (11.21.E)",
		(*decision).emergencyMove).Of(allies),
	rules.Declare("submarine warfare",
		"Sub Bases conduct submarine warfare (11.22, 11.23)", (*decision).warfare).Of(allies),
	rules.Declare("card draw",
		"Japan draws Strategy Cards, less what submarines and B-29s cut (11.23)", (*decision).drawCards).Of(japan),
	rules.Declare("card", "card 5, 37, 38 or 80 is played (11.22.B, 11.24.A)", (*decision).playCard),
	rules.Declare(rules.VerbRoll,
		"throw dice for what these rules do not resolve, such as a battle", (*decision).freeRoll),
	rules.Declare(rules.VerbCompensate,
		"the umpire gives cards, figures or a base back, for what cannot be corrected", (*decision).compensate),
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := &decision{game: g, Hearing: h, c: c}
	if h.InTime(c, g.turn, "no turn has begun: begin the file with turn: Turn 2, 1942, or that of another scenario") {
		verbs.Decide(d, OptionList(), g.options, "Empire of the Sun")
		d.checkRuling()
	}
}

// Heard implements rules.Judge.
func (d *decision) Heard() (*rules.Hearing, rules.Command) { return d.Hearing, d.c }

// Named implements rules.Judge. A base is a Sub Base in play.
func (d *decision) Named(kind, field, name string) (string, bool) {
	switch kind {
	case "base":
		b, ok := d.inPlay(field, name)
		return b.name, ok
	case "Sub Base":
		known, ok := d.baseCalled(name)
		if !ok {
			d.Unknown(d.c, field, kind, name, d.Names(kind))
		}
		return known, ok
	case "side", "phase", "word for a hex":
		return d.Word(d.c, field, kind, name, d.Names(kind))
	}
	return name, d.isHex(field, name)
}

// Names implements rules.Lister.
func (g game) Names(kind string) []string {
	switch kind {
	case "turn":
		return g.nextTurns()
	case "base":
		return g.names()
	case "Sub Base":
		return subBases()
	case "side":
		return []string{allies, japan}
	case "phase":
		return phases()
	case "word for a hex":
		return hexWords()
	case "event of card 5":
		return cardEvents()
	case "moment":
		return moments()
	case "American HQ":
		return rules.Each(g.hqs, func(q events.HeadquartersReported) string { return q.Name })
	case "Japanese HQ":
		return g.targetsOf(string(JapaneseHQ))
	case "likely hex":
		return g.likelyHexes()
	case "likely turn":
		return likelyTurns()
	}
	return nil // hexes are many
}

// targetsOf are the names of targets of a kind that were reported.
func (g game) targetsOf(kinds ...string) (list []string) {
	for _, hex := range slices.Sorted(maps.Keys(g.targets)) {
		for _, t := range g.targets[hex].Targets {
			if slices.Contains(kinds, t.Kind) && !slices.Contains(list, t.Name) {
				list = append(list, t.Name)
			}
		}
	}
	return list
}

// likelyHexes are those that the scenarios name and that were reported.
func (g game) likelyHexes() []string {
	list := slices.Concat(slices.Collect(maps.Keys(g.hexes)), slices.Collect(maps.Keys(g.targets)),
		g.targetsOf(string(HomeIslandPort), string(PusanPort), string(Resource)), g.lost)
	for _, q := range g.hqs {
		list = append(list, q.Hex)
	}
	for _, year := range scenarioTable.Columns {
		n, _ := strconv.Atoi(year)
		bases, _, _ := Starts(n)
		list = append(list, rules.Each(bases, func(b Start) string { return b.Hex })...)
	}
	list = slices.DeleteFunc(list, func(hex string) bool { return !isHex(hex) })
	slices.Sort(list)
	return slices.Compact(list)
}

// likelyTurns are those that a campaign may begin with, the usual one first.
func likelyTurns() []string {
	list := []string{turnLabel(2, 1942)}
	for _, column := range scenarioTable.Columns {
		year, _ := strconv.Atoi(column)
		if _, _, ok := Starts(year); ok {
			first, _ := span(year)
			list = append(list, turnLabel(first, year))
		}
	}
	return list
}

// nextTurns are the turns that may begin, once one has: the next number, in this year or the one after.
func (g game) nextTurns() (list []string) {
	for year := g.year; g.turn.Ordinal > 0 && year <= min(1945, g.year+1); year++ {
		next := g.turn.Ordinal + 1
		if !(g.carries() && !yearOf(next, year) || g.strict() && tooEarly(next, year)) {
			list = append(list, turnLabel(next, year))
		}
	}
	return list
}

// rulesOptions gives the settled options in the form that rulings take.
func (d *decision) rulesOptions() Options {
	var o Options
	OptionList().Fill(&o, d.options)
	return o
}

// turnNamed reads "Turn 2, 1942".
func turnNamed(label string) (turn uint64, year int, ok bool) {
	if _, err := fmt.Sscanf(label, "Turn %d, %d", &turn, &year); err != nil {
		return 0, 0, false
	}
	return turn, year, turnLabel(turn, year) == label && turn > 0 && turn <= lastTurn
}

func turnLabel(turn uint64, year int) string { return fmt.Sprintf("Turn %d, %d", turn, year) }

// beginTurn begins the next turn. The first one's year chooses the scenario.
func (d *decision) beginTurn(label string) {
	turn, year, ok := turnNamed(label)
	if !ok {
		d.ViolateField("turn", rules.Input,
			"%q is no turn: write its number and its year as on the Turn Record Track, such as Turn 2, 1942", label)
		return
	}
	if d.turn.Ordinal == 0 {
		d.beginScenario(turn, year)
		return
	}
	if next := d.turn.Ordinal + 1; turn != next || year < d.year || year > min(1945, d.year+1) {
		d.ViolateField("turn", rules.Input,
			"%s cannot begin: the campaign is in %s, and the next turn is Turn %d of %d or the year after, up to 1945",
			label, d.turn.Label, next, d.year)
		return
	}
	if d.carries() && !yearOf(turn, year) || d.strict() && tooEarly(turn, year) {
		d.ViolateField("turn", "EOTS-11.21.B-7", "Turn %d is not one of %d: by the scenario table Turn %d is in 1942 "+
			"and Turn %d in 1943", turn, year, arrival(rowLockwood4), arrival(rowFife))
		return
	}
	if d.rescued() && d.replaced() {
		d.checkDraw("")
		d.warnOfDue("")
		d.Record("", &events.TurnAdvanced{Ordinal: turn, Label: label, Year: year})
	}
}

// beginScenario sets the Sub Bases up where the scenario table has them, which overrides 11.21.C.
func (d *decision) beginScenario(turn uint64, year int) {
	bases, marker, ok := Starts(year)
	if !ok {
		d.ViolateField("turn", rules.Input, "no scenario begins in %d; there are those of %s", year,
			strings.Join(scenarioTable.Columns, ", "))
		return
	}
	if first, last := span(year); turn < first || turn > last || d.strict() && tooEarly(turn, year) {
		d.ViolateField("turn", "EOTS-11.21.B-7",
			"the scenario of %d begins %s, for its Sub Bases are those of that time; this is Turn %d", year,
			spanned(first, last, d.strict() && year == 1941), turn)
		return
	}
	d.Record("", &events.TurnAdvanced{Ordinal: turn, Label: turnLabel(turn, year), Year: year})
	for _, b := range bases {
		d.Cite("EOTS-11.21.B-7", "in the scenario of %d %s stands in %s; the SWM is %+d", year, b.Name, b.Hex, marker)
		d.Record(allies, &events.BasePlaced{Base: b.Name, Hex: b.Hex, How: howScenario})
	}
}

// span gives the turns that a scenario may begin on: after the arrivals that it has made already, and
// not after those that are to come.
func span(year int) (first, last uint64) {
	first, last = 1, lastTurn
	switch {
	case year < 1943:
		last = uint64(arrival(rowLockwood4))
	case year == 1943:
		first, last = uint64(arrival(rowLockwood4))+1, uint64(arrival(rowFife))
	default:
		first = uint64(arrival(rowFife)) + 1
	}
	return first, last
}

// spanned says a span in words; that of 1941 ends a turn earlier where its turns are held to the table.
func spanned(first, last uint64, early bool) string {
	switch {
	case last == lastTurn:
		return fmt.Sprintf("on Turn %d or later", first)
	case early:
		last--
	}
	return fmt.Sprintf("on a turn from %d to %d", first, last)
}

// tooEarly reports whether a turn is one of 1942 or later: the scenario of that year begins before Lockwood replaces
// Wilkes (EOTS-11.21.B-7).
func tooEarly(turn uint64, year int) bool {
	return year < 1942 && turn >= uint64(arrival(rowLockwood4))
}

// yearOf reports whether a turn may be one of a year: 1943 starts between the two turns on which Sub Bases are
// replaced, and 1944 after the second.
func yearOf(turn uint64, year int) bool {
	first, second := uint64(arrival(rowLockwood4)), uint64(arrival(rowFife))
	return (turn > first || year < 1943) && (turn > second || year < 1944) && (turn < second || year > 1942)
}

// phaseEntry is an entry {phase: offensive, player: Japan}.
type phaseEntry struct {
	Phase  string `json:"phase" is:"phase"`
	Player string `json:"player,omitempty" is:"side" doc:"whose offensive it is"`
}

// beginPhase begins a phase by hand; entries begin the phase that they belong to themselves, but for
// offensives.
func (d *decision) beginPhase(e phaseEntry) {
	phase, player := e.Phase, e.Player
	switch {
	case phase == phaseOffensive && player == "":
		d.Unknown(d.c, "player", "side", "", []string{allies, japan})
		return
	case phase != phaseOffensive && player != "":
		d.ViolateField("player", rules.Input, "only an offensive is one side's, the %s phase is not", phase)
		return
	case phase == d.phase && phase != phaseOffensive:
		d.ViolateField("phase", rules.Input, "it is the %s phase already", phase)
		return
	}
	if phase == phaseOffensive && d.phase == phaseOffensive {
		if !d.rescued() {
			return
		}
		d.Record(player, &events.PhaseAdvanced{Phase: phase, Player: player})
		return
	}
	d.enter(phase, player, rules.Input)
}

// enter begins a phase unless it is that phase now. Phases do not go back within a turn; rule is what
// forbids it.
func (d *decision) enter(phase, player, rule string) bool {
	switch {
	case d.phase == phase:
		return true
	case d.behind(phase, rule):
		return false
	case d.phase == phaseOffensive && !d.rescued(), phase != phaseReinforcement && !d.replaced():
		return false
	}
	d.checkDraw(phase)
	d.warnOfDue(phase)
	d.warnOfStart()
	d.Record(player, &events.PhaseAdvanced{Phase: phase, Player: player})
	return true
}

// behind refuses what belongs to a phase of the turn that has ended; rule is what forbids it.
func (d *decision) behind(phase, rule string) bool {
	if slices.Index(phases(), phase) >= slices.Index(phases(), d.phase) {
		return false
	}
	d.Violate(rule, "the %s phase of %s is over; it is now the %s phase", phase, d.turn.Label, d.phase)
	return true
}

// awaited gives the replacement of this turn, if it has one that is not made.
func (d *decision) awaited() (ReplaceOutcome, bool) {
	out, f := Replace(ReplaceInput{Turn: d.number(), Location: OnMap})
	_, there := d.base(out.Removed)
	return out, !f.Refused() && d.changed != d.turn.Ordinal && there
}

// replaced reports whether the replacement of this turn, if it has one, is made: nothing that follows
// the Reinforcement Segment may come before it.
func (d *decision) replaced() bool {
	out, is := d.awaited()
	if !is {
		return true
	}
	rule := "EOTS-11.21.B-2"
	if out.Reinforcement != nil {
		rule = "EOTS-11.21.B-3"
	}
	d.ViolateField("", rule, "in the Reinforcement Segment of Turn %d %s replaces %s: write replace: %s first",
		d.number(), out.Arrives, out.Removed, out.Removed)
	return false
}

// freeRoll throws dice for what these rules do not resolve.
func (d *decision) freeRoll(e rules.FreeRoll) { e.Throw(d.Hearing, e.Side) }
