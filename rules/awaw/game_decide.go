package awaw

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// decision is one command being judged on a state.
type decision struct {
	game
	*rules.Hearing
	c rules.Command

	italian bool // the submarines are said to be Italy's
}

var verbs = rules.Declarations[*decision]{
	rules.Declare("turn", "begin the next game turn; cards go back to their pools (48.82)", (*decision).beginTurn).
		Described(rules.TurnForm("Fall 1939")),
	rules.Declare("phase", "begin a player turn's movement or combat phase", (*decision).beginPhase),
	rules.Declare("facts",
		"report what stands on the board: ports, CVEs, DRMs, research levels", (*decision).reportFacts).
		Described(factForm()),
	rules.Declare("allocate",
		"put research points into Ultra or Magic, in secret (48.13, 48.14)", (*decision).allocate),
	rules.Declare("produce", "buy a codebreaking result and add a card, in secret (48.11, 48.24)", (*decision).produce),
	rules.Declare("declare war",
		"bring two powers to war; Japan and the U.S. draw at once (48.21-B2)", (*decision).declareWar),
	rules.Declare("draw", "both sides of Ultra or Magic draw four cards (48.21)", (*decision).draw),
	rules.Declare("hand", "commit to the cards that a side's player drew by himself (48.21)", (*decision).hand),
	rules.Declare("contest",
		"compare cards for attacks, searches, interceptions or raiders (48.4 to 48.6)", (*decision).holdContest),
	rules.Declare("magic interception",
		"the U.S. intercepts Japanese missions by Magic (48.61-C)", (*decision).magicInterception),
	rules.Declare("submarine warfare", "resolve an SW box on table 24.62", (*decision).submarineWarfare),
	rules.Declare("strategic bombing",
		"air combat and the bombing of a target on table 24.62", (*decision).strategicBombing),
	rules.Declare("harbor attack", "attack ships in harbor on the Harbor Attack Table", (*decision).harborAttack),
	rules.Declare("pearl harbor", "Japan's surprise attack on Pearl Harbor (48.71, 51.31)", (*decision).pearlHarbor),
	rules.Declare(rules.VerbRoll,
		"throw dice for what these rules do not resolve, such as a battle", (*decision).freeRoll),
	rules.Declare(rules.VerbCompensate,
		"the umpire gives a card or factors back, for what cannot be corrected", (*decision).compensate),
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := &decision{game: g, Hearing: h, c: c}
	if h.InTime(c, g.turn, "no game turn has begun: begin the file with turn: Fall 1939, or the turn you start in") {
		verbs.Decide(d, OptionList(), g.options, "A World at War")
	}
}

// Heard implements rules.Judge.
func (d *decision) Heard() (*rules.Hearing, rules.Command) { return d.Hearing, d.c }

// Named implements rules.Judge. Names are given in the short form of their types.
func (d *decision) Named(kind, field, name string) (string, bool) {
	there := d.Names(kind)
	switch kind {
	case "side":
		return known(d, field, kind, name, factionNamed, there)
	case "submarines":
		if p, ok := powerNamed(name); ok && p == PowerGermany {
			name = EuropeanAxis.Title()
		} else if ok && p == PowerItaly {
			d.italian = true
		}
		return known(d, field, "side", name, factionNamed, d.Names("side"))
	case "power":
		return known(d, field, kind, name, powerNamed, there)
	case "SW box":
		return known(d, field, kind, name, boxNamed, there)
	case "card":
		return known(d, field, kind, name, cardNamed, there)
	case "deck":
		return known(d, field, kind, name, deckNamed, there)
	case "contest":
		return known(d, field, kind, name, contestNamed, there)
	case "theater":
		return known(d, field, kind, name, theaterNamed, there)
	case "means of attack", "player":
		return d.Word(d.c, field, kind, name, there)
	case "front":
		return d.Word(d.c, field, kind, strings.ReplaceAll(name, " ", "_"), there)
	case "kind of factors":
		return known(d, field, kind, name, factorsNamed, there)
	}
	return known(d, field, kind, name, portNamed, there)
}

// Names implements rules.Lister.
func (g game) Names(kind string) []string {
	switch kind {
	case "turn":
		return g.nextTurns()
	case "side":
		return factionTitles()
	case "submarines": // AWAW-SW-BOX
		return rules.Each(slices.DeleteFunc(slices.Clone(Factions()), func(f Faction) bool {
			return len(SubmarineBoxes(f)) == 0
		}), Faction.Title)
	case "power":
		return powerTitles()
	case "SW box":
		return boxTitles()
	case "card":
		return texts(Cards())
	case "card or pass":
		return append(texts(Cards()), "pass")
	case "deck":
		return []string{Ultra.Name(), Magic.Name()}
	case "contest":
		return contestTitles()
	case "theater":
		return []string{"Europe", "Pacific"}
	case "means of attack":
		return []string{string(BySubmarine), string(ByCarrier)}
	case "front":
		return fronts
	case "player":
		return players()
	case "kind of factors":
		return factorKinds()
	case "harbor result":
		return harborResults
	case "port that the tables name":
		return portTitles()
	case "base":
		return append(portTitles(), HarborBase{}.place(), HarborBase{Location: pacificSWBox}.place())
	}
	return g.namesSoFar(kind)
}

// known refuses a name that read does not know, with what there is.
func known[T ~string](d *decision, field, kind, name string, read func(string) (T, bool),
	there []string) (string, bool) {
	v, ok := read(name)
	if !ok {
		d.Unknown(d.c, field, kind, name, there)
	}
	return string(v), ok
}

// sealedCard reads the name of a card that a record may show sealed.
func (d *decision) sealedCard(field string, name rules.Known[string]) (c rules.Known[Card], ok bool) {
	ok = true
	c = rules.Map(name, func(name string) Card {
		name, ok = d.Named("card", field, name)
		return Card(name)
	})
	return c, ok
}

// settled reports whether options have an answer. If one is still to be asked, the command is
// referred to the umpire.
func (d *decision) settled(names ...string) bool {
	return OptionList().Settled(d.Hearing, d.c, d.options, names...)
}

// carries reports whether what the record holds binds this entry.
func (d *decision) carries() bool { return rules.Carries(d.options) }

// strict reports whether this entry is also held to what entries before the strict editions could get around.
func (d *decision) strict() bool { return rules.Strict(d.options) }

// exact reports whether this entry is also held to what one could still get around by splitting, renaming or repeating.
func (d *decision) exact() bool { return rules.Exact(d.options) }

// firm reports whether what a text forbids in so many words is refused, and not only warned of.
func (d *decision) firm() bool { return rules.Firm(d.options) }

// forbid refuses what a text forbids in so many words, and warns of it in editions before the fifth (GEN-CARRY).
func (d *decision) forbid(field, rule, format string, args ...any) {
	d.Forbid(d.firm(), field, rule, format, args...)
}

// freeRoll throws dice for what these rules do not resolve.
func (d *decision) freeRoll(e rules.FreeRoll) { e.Throw(d.Hearing, Faction(e.Side).Title()) }
