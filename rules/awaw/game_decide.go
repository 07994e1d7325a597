package awaw

import (
	"github.com/watu-ledger/watu/rules"
)

// limit bounds every number that a turn file may give; no figure of the game comes near.
const limit = 9999

// decision is one command being judged on a state.
type decision struct {
	game
	h *rules.Hearing
	c rules.Command
}

// Verbs says what a turn file may say that is the system's own. What the umpire hears in every
// system is not listed, also not "rule", whose options are the system's.
func Verbs() []rules.Verb {
	return []rules.Verb{
		{Key: "turn", Line: "begin the next game turn; cards go back to their pools (48.82)"},
		{Key: "phase", Line: "begin a player turn's movement or combat phase"},
		{Key: "facts", Line: "report what stands on the board: ports, CVEs, DRMs, research levels"},
		{Key: "allocate", Line: "put research points into Ultra or Magic, in secret (48.13, 48.14)"},
		{Key: "produce", Line: "buy a codebreaking result and add a card, in secret (48.11, 48.24)"},
		{Key: "declare war", Line: "bring two powers to war; Japan and the U.S. draw at once (48.21-B2)"},
		{Key: "draw", Line: "both sides of Ultra or Magic draw four cards (48.21)"},
		{Key: "contest", Line: "compare cards for attacks, searches, interceptions or raiders (48.4 to 48.6)"},
		{Key: "magic interception", Line: "the U.S. intercepts Japanese missions by Magic (48.61-C)"},
		{Key: "submarine warfare", Line: "resolve an SW box on table 24.62"},
		{Key: "strategic bombing", Line: "air combat and the bombing of a target on table 24.62"},
		{Key: "harbor attack", Line: "attack ships in harbor on the Harbor Attack Table"},
		{Key: "pearl harbor", Line: "Japan's surprise attack on Pearl Harbor (48.71, 51.31)"},
		{Key: rules.VerbCompensate, Line: "the umpire gives a card or factors back, for what cannot be corrected"},
	}
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := decision{game: g, h: h, c: c}
	if !h.InTime(c, g.turn, "no game turn has begun: begin the file with turn: Fall 1939, or the turn you start in") {
		return
	}
	switch c.Verb {
	case "turn":
		d.beginTurn()
	case "phase":
		d.beginPhase()
	case "facts":
		d.reportFacts()
	case "allocate":
		d.allocate()
	case "produce":
		d.produce()
	case "declare war":
		d.declareWar()
	case "draw":
		d.draw()
	case "contest":
		d.holdContest()
	case "magic interception":
		d.magicInterception()
	case "submarine warfare":
		d.submarineWarfare()
	case "strategic bombing":
		d.strategicBombing()
	case "harbor attack":
		d.harborAttack()
	case "pearl harbor":
		d.pearlHarbor()
	case rules.VerbCompensate:
		d.compensate()
	case "rule":
		OptionList().Rule(h, c, g.options)
	default:
		h.Violate(rules.Input, "%q is nothing that a campaign of A World at War knows", c.Verb)
	}
}

// read decodes the entry and reports whether it is understood.
func (d *decision) read(into any) bool { return d.h.Read(d.c, into) }

// Readers of names. Each reports what it does not know, with what there is.

func (d *decision) faction(field, name string) (Faction, bool) {
	f, ok := factionNamed(name)
	if !ok {
		d.unknown(field, "side", name, factionTitles())
	}
	return f, ok
}

func (d *decision) power(field, name string) (Power, bool) {
	p, ok := powerNamed(name)
	if !ok {
		d.unknown(field, "power", name, powerTitles())
	}
	return p, ok
}

func (d *decision) box(field, name string) (Box, bool) {
	b, ok := boxNamed(name)
	if !ok {
		d.unknown(field, "SW box", name, boxTitles())
	}
	return b, ok
}

func (d *decision) card(field, name string) (Card, bool) {
	c, ok := cardNamed(name)
	if !ok {
		d.unknown(field, "card", name, texts(Cards()))
	}
	return c, ok
}

// sealedCard is card for a name that a record may show sealed.
func (d *decision) sealedCard(field string, name rules.Known[string]) (c rules.Known[Card], ok bool) {
	ok = true
	c = rules.Map(name, func(name string) (c Card) {
		c, ok = d.card(field, name)
		return c
	})
	return c, ok
}

func (d *decision) unknown(field, what, name string, there []string) {
	d.h.Unknown(d.c, field, what, name, there)
}

// inRange reports whether a number given is one that could be meant.
func (d *decision) inRange(field string, n *int) bool {
	if n == nil {
		return true
	}
	f := checkRange(field, *n)
	d.h.Add(f)
	return !f.Refused()
}

func checkRange(field string, n int) (f rules.Findings) {
	if n < -limit || n > limit {
		f.ViolateField(field, rules.Input, "%s: %d is beyond anything in the game", field, n)
	}
	return f
}

// settled reports whether options have an answer. If one is still to be asked, the command is
// referred to the umpire.
func (d *decision) settled(names ...string) bool {
	return OptionList().Settled(d.h, d.c, d.options, names...)
}

// add takes over what a ruling found and reports whether it allows the command.
func (d *decision) add(f rules.Findings) bool {
	d.h.Add(f)
	return !d.h.Refused()
}

// weigh is add for a check that may rest on what is sealed.
func (d *decision) weigh(f rules.Known[rules.Findings]) bool {
	d.h.Weigh(f)
	return !d.h.Refused()
}

// cite is for steps that the rulings of this package do not cite themselves.
func (d *decision) cite(rule, format string, args ...any) { d.h.Cite(rule, format, args...) }
