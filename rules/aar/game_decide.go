package aar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// limit bounds every number that a turn file may give; no figure of the game comes near.
const limit = 9999

// decision is one command being judged on a state.
type decision struct {
	game
	h *rules.Hearing
	c rules.Command
}

// Verbs says what a turn file of the system may say.
func Verbs() []rules.Verb {
	return []rules.Verb{
		{Key: "turn", Line: "begin the next ROUND, such as Round 2"},
		{Key: "phase", Line: "begin a phase of a power's TURN"},
		{Key: "facts", Line: "report the board: control, complexes, submarines, submerged, treasury"},
		{Key: "purchase", Line: "a power buys units"},
		{Key: "sbr", Line: "a strategic bombing raid does its damage (AAR-4-TOTAL)"},
		{Key: "rockets", Line: "rockets do their damage (AAR-4-TOTAL)"},
		{Key: "collect income", Line: "a power collects income, less convoy raids (rule 4)"},
	}
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := decision{game: g, h: h, c: c}
	switch {
	case g.board == nil:
		h.Violate(rules.Input, "the board of the campaign is not here, so nothing can be decided")
		return
	case c.Turn != "" && c.Verb != "turn" && c.Turn != g.turn.Label:
		h.ViolateField("", rules.Input, "this entry is for %s, but the campaign is in %s", c.Turn, d.now())
		return
	case c.Verb != "turn" && c.Verb != "rule" && g.turn.Ordinal == 0:
		h.ViolateField("", rules.Input, "no ROUND has begun: begin the file with turn: Round 1")
		return
	}
	switch c.Verb {
	case "turn":
		d.beginRound()
	case "phase":
		d.beginPhase()
	case "facts":
		d.reportFacts()
	case "purchase":
		d.purchase()
	case "sbr":
		d.attackEconomy(SBR)
	case "rockets":
		d.attackEconomy(Rockets)
	case "collect income":
		d.collectIncome()
	case "rule":
		OptionList().Rule(h, c, g.options)
	default:
		h.Violate(rules.Input, "%q is nothing that a campaign of Axis & Allies Revised knows", c.Verb)
	}
}

func (d *decision) now() string {
	if d.turn.Ordinal == 0 {
		return "no ROUND yet"
	}
	return d.turn.Label
}

// named gives the rulebook's name of a power of the board, for that name or the board's own;
// empty for none.
func (d *decision) named(name string) string {
	for _, p := range d.powers {
		if strings.EqualFold(p, name) {
			return p
		}
	}
	if file, err := d.board.Power(name); err == nil {
		return d.board.TablePower(file)
	}
	return ""
}

// power reads the name of a power that plays by these rules.
func (d *decision) power(field, name string) (string, bool) {
	p := d.named(name)
	if !slices.Contains(d.powers, p) {
		d.h.Unknown(d.c, field, "power", name, d.powers)
		return "", false
	}
	return p, true
}

// territory reads the name of a territory and gives the board's.
func (d *decision) territory(field, name string) (string, bool) {
	s, ok := d.space(field, name, d.board.Territory)
	return s.Name, ok
}

// space reads the name of a space with one of the board's own readers.
func (d *decision) space(field, name string, read func(string) (board.Space, error)) (board.Space, bool) {
	if name == "" {
		d.h.ViolateField(field, rules.Input, "%s is missing: name a space of the board", field)
		return board.Space{}, false
	}
	s, err := read(name)
	if err != nil {
		d.h.ViolateField(field, rules.Input, "%v", err)
	}
	return s, err == nil
}

// inRange reports whether a number given is one that could be meant.
func (d *decision) inRange(field string, n, least int) bool {
	if n < least || n > limit {
		d.h.ViolateField(field, rules.Input, "%s: %d is not a number from %d to %d", field, n, least, limit)
		return false
	}
	return true
}

// beginRound begins the next ROUND.
func (d *decision) beginRound() {
	var entry struct {
		Turn string `json:"turn"`
	}
	if !d.h.Read(d.c, &entry) {
		return
	}
	next := fmt.Sprintf("Round %d", d.turn.Ordinal+1)
	if entry.Turn != next {
		d.h.ViolateField("turn", rules.Input, "%q cannot begin: the campaign is in %s, and the next ROUND is written %s", entry.Turn, d.now(), next)
		return
	}
	d.h.Record("", &events.TurnAdvanced{Ordinal: d.turn.Ordinal + 1, Label: next})
}

// beginPhase begins a phase by hand; entries begin the phase that they belong to themselves.
func (d *decision) beginPhase() {
	var entry struct {
		Phase  string `json:"phase"`
		Player string `json:"player"`
	}
	if !d.h.Read(d.c, &entry) {
		return
	}
	phase := strings.ToLower(entry.Phase)
	if !slices.Contains(phases(), phase) {
		d.h.Unknown(d.c, "phase", "phase", entry.Phase, phases())
		return
	}
	player, ok := d.power("player", entry.Player)
	if !ok {
		return
	}
	if player == d.player && phase == d.stage {
		d.h.ViolateField("phase", rules.Input, "it is %s %s already", player, d.stage)
		return
	}
	d.enter(player, phase, rules.Input)
}

// over reports whether a power's TURN in this ROUND has been and gone.
func (d *decision) over(player string) bool {
	return d.player != "" && d.rank(player) < d.rank(d.player)
}

// enter begins a phase of a power's TURN unless it is that phase now. Neither TURNS nor phases
// go back within a ROUND; rule is what forbids it.
func (d *decision) enter(player, phase, rule string) bool {
	_, now := d.TurnNow()
	switch {
	case d.player == player && d.stage == phase:
		return true
	case d.over(player):
		d.h.Violate(rule, "the TURN of %s in %s is over; it is now %s", player, d.turn.Label, now)
		return false
	case d.player == player && slices.Index(phases(), phase) < slices.Index(phases(), d.stage):
		d.h.Violate(rule, "%s %s is over in %s; it is now %s", player, phase, d.turn.Label, now)
		return false
	}
	d.h.Record(player, &events.PhaseAdvanced{Phase: phase, Player: player})
	return true
}
