package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// VerbRoll is the key of the entry that throws dice for what the rules do not resolve, such as a battle on the board.
// It is known in every system.
const VerbRoll = "roll"

// FreeRoll is an entry {roll: {dice: "2d6 infantry at 1, 3d6 tanks at 3", for: battle in Egypt, side: UK}}. A group of
// dice may have a name, and what hits: tanks hit at 3 or less.
type FreeRoll struct {
	Dice string `json:"dice" need:"which dice? such as dice: 3d6" doc:"3d6, or 2d6 infantry at 1, 3d6 tanks at 3"`
	For  string `json:"for" need:"what are the dice for? such as for: battle in Egypt" doc:"what the dice are for"`
	Side string `json:"side" is:"side" doc:"who rolls"`
}

// What a roll may have: more is no roll of a game.
const (
	mostGroups = 20
	mostDice   = 100
	mostSides  = 100
	longestFor = 200 // bytes
)

// group is one throw of a free roll.
type group struct {
	events.Throw
	atMost int // figures that hit; 0 where it has none
}

// groupText is a group as it is written: 3d6, 3d6 tanks, 3d6 tanks at 3, 3d6 at 3.
var groupText = regexp.MustCompile(`^([0-9]{1,4}) ?[dD]([0-9]{1,4})(?: (.*?))??(?: at ([0-9]{1,4}))?$`)

// Throw declares a free roll of a side, throws its dice, and records what they show: the sum of each group, or how many
// of its dice hit. No rule speaks of it, so it cites none.
func (r FreeRoll) Throw(h *Hearing, side string) {
	groups := r.groups(h, side)
	what := strings.TrimSpace(r.For)
	if len(what) > longestFor {
		h.ViolateField("roll.for", Input, "what the dice are for has %d bytes; %d are enough", len(what), longestFor)
	}
	if h.Refused() {
		return
	}
	declared := &events.RollDeclared{Purpose: VerbRoll, Subject: what}
	for _, g := range groups {
		declared.Throws = append(declared.Throws, g.Throw)
	}
	dice, ok := h.Roll(side, declared)
	if !ok {
		return
	}
	out := &events.ResultAdjudicated{Procedure: VerbRoll, Subject: what, Attacker: side, Declared: h.Declared()}
	for i, g := range groups {
		out.Readings = append(out.Readings, g.read(dice[i]))
	}
	h.Record(side, out)
}

// read says what the dice of a group show.
func (g group) read(dice []int) events.Reading {
	r := events.Reading{Name: g.Name, Side: g.Side, Dice: dice}
	hits := 0
	for _, d := range dice {
		if r.Total += d; d <= g.atMost {
			hits++
		}
	}
	r.Modified, r.Result = r.Total, strconv.Itoa(r.Total)
	if g.atMost > 0 {
		r.First, r.Result = hits, words.Count(hits, "hit")
	}
	return r
}

// groups reads the dice.
func (r FreeRoll) groups(h *Hearing, side string) (list []group) {
	const field = "roll.dice"
	for text := range strings.SplitSeq(r.Dice, ",") {
		text = strings.Join(strings.Fields(text), " ")
		m := groupText.FindStringSubmatch(text)
		if m == nil {
			h.ViolateField(field, Input, "%q is no dice: write 3d6, or 3d6 tanks, or 3d6 tanks at 3 for hits at 3 or "+
				"less", text)
			return nil
		}
		number := func(text string) int { n, _ := strconv.Atoi(text); return n }
		g := group{events.Throw{Name: m[3], Side: side, Dice: number(m[1]), Sides: number(m[2])}, number(m[4])}
		ok := h.InRange(field, g.Dice, 1, mostDice) && h.InRange(field, g.Sides, 2, mostSides) &&
			(m[4] == "" || h.InRange(field, g.atMost, 1, g.Sides))
		if !ok {
			return nil
		}
		if g.Name == "" {
			g.Name = "dice"
		}
		if g.atMost > 0 {
			g.Name += fmt.Sprintf(" (%d or less)", g.atMost)
		}
		if slices.ContainsFunc(list, func(x group) bool { return x.Name == g.Name }) {
			h.ViolateField(field, Input, "two groups are called %s: name each, such as 3d6 tanks", g.Name)
			return nil
		}
		list = append(list, g)
	}
	if len(list) > mostGroups {
		h.ViolateField(field, Input, "a roll has at most %d groups of dice, not %d", mostGroups, len(list))
	}
	return list
}
