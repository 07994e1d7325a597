package awaw

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// game is the state of a campaign, a value: a step changes a copy.
type game struct {
	turn     events.Turn
	year     int
	season   string
	player   string   // whose player turn it is, empty in the research phase
	stage    string   // "research", "movement", "combat"
	over     []string // players whose player turn in this game turn has ended
	options  map[string]string
	sides    [4]side             // in the order of Factions
	facts    map[fact]int        // numbers as reported
	holds    map[string][]string // ports by who controls them
	wars     []war
	stated   statedWar
	peaceful uint64                // the last turn in which the Atlantic box was resolved without a German-American war
	battles  rules.List[battle]    // contests settled this turn
	fought   map[combat]uint64     // SW boxes resolved this turn, with the event that did it first
	left     map[flotilla]strength // of those that fought in SW boxes
	harbor   harborRecord
	stock    map[string][]string // harbor attack results that powers hold
	stocked  map[string]uint64   // the turn in which powers last reported them
	spent    rules.List[spending]
	sorties  rules.List[sortie] // harbor attacks of fast carriers
	places   rules.List[place]  // that were attacked
	shown    []string           // ships in the harbor that is attacked
	naming   uint64             // the last question which missions are intercepted
	magic    []interception     // missions intercepted by Magic in this player turn
	located  []LocatedCarrier   // American carrier TFs at Pearl Harbor, until a second strike; nil before an attack
	plays    rules.List[play]   // of the whole campaign
	byHand   bool               // each side's player draws its cards by himself, and the host does not know them
	arbiter  bool               // who may open them is named
}

// side is what a faction has of its deck.
type side struct {
	pool    rules.Known[Pool]
	size    int // of the pool
	hand    []held
	drew    bool             // this turn
	from    int              // size of the pool at the last draw, 0 for none
	draws   uint64           // index of the draw whose cards its player has not committed to yet, 0 for none
	points  rules.Known[int] // RPs in the project; the Western Allies' two are apart (48.15-A)
	put     rules.Known[int] // RPs put in in this turn
	seeks   bool             // RPs were put into the project, or a result came of it
	year    int              // year of the last result
	turn    uint64
	insight rules.Known[int] // breakthroughs in general intelligence research
	priced  rules.Known[int] // those that set the price of the last result
}

// held is a card of the hand.
type held struct {
	drawn events.Ref
	card  rules.Known[Card]
	used  bool
	in    uint64 // the contest that it was used in
}

// is reports whether the card is known to be of a type.
func (h held) is(c Card) bool {
	card, known := h.card.Get()
	return known && card == c
}

// play is a card put down before everyone's eyes, or cards of Pearl Harbor that nobody sees yet.
type play struct {
	index uint64 // of its event
	turn  events.Turn
	side  Faction
	card  Card // empty for a secret play
	drawn events.Ref

	contest uint64 // 0 for a secret play
	back    uint64 // the compensation by which the card is in the hand again, 0 for none
}

// fact is a reported number by its name and whom it is about.
type fact struct{ name, subject string }

type war struct {
	by, on Power
	turn   uint64 // ordinal of the declaration
	index  uint64 // of the declaration
	level  int    // USJT at that moment
}

// battle is a settled contest: what it was about, and what it gave.
type battle struct {
	index     uint64
	kind      string
	acting    Faction
	scope     []string
	modifier  int
	automatic int // Magic interceptions without a roll
	player    string
	stage     string
	settled   events.ContestSettled
}

// interception is a mission that American task forces intercept by Magic.
type interception struct {
	mission  string
	searched bool // the first round of its combat has been searched (48.62)
}

// combat is submarine warfare of a side in an SW box.
type combat struct{ box, side string }

// harborRecord is how many harbor attacks were made in the game, and how many of them modify later ones
// (AWAW-HA-MOD-1).
type harborRecord struct{ attacks, made int }

// enter notes a harbor attack: the initial German one does not modify later ones (AWAW-HA-INITIAL-2), but it too is an
// attack made.
func (r harborRecord) enter(p *events.ResultAdjudicated) harborRecord {
	counts := !slices.ContainsFunc(p.Figures,
		func(f events.Figure) bool { return f.Name == figureCounts && f.Value == 0 })
	return harborRecord{r.attacks + 1, r.made + oneIf(counts)}
}

// spend takes a result out of what a power holds, and notes what becomes of the carrier.
func (g game) spend(p *events.ResultAdjudicated, index uint64) game {
	if spent, said := figureNamed(p.Figures, figureSpent); said {
		g.spent = g.spent.Append(spending{p.Attacker, spent.Text, index, g.turn.Ordinal, g.turn.Label})
		left := slices.Clone(g.stock[p.Attacker])
		if at := slices.Index(left, spent.Text); at >= 0 {
			left = slices.Delete(left, at, at+1)
		}
		g.stock = rules.Put(g.stock, p.Attacker, left)
	}
	if carrier, named := figureNamed(p.Figures, figureCarrier); named {
		g.sorties = g.sorties.Append(sortie{power: p.Attacker, name: carrier.Text, index: index, turn: g.turn.Ordinal,
			port: p.Subject, lost: figure(p.Figures, figureCarrierLost) > 0})
	}
	return g
}

// spending is a harbor attack result that a power has spent.
type spending struct {
	power, result string
	index, turn   uint64
	label         string // of the turn
}

// any reports whether there was an attack.
func (r harborRecord) any() bool { return r.attacks > 0 }

func newGame() rules.Game { return game{stage: "research"} }

// TurnNow implements rules.Game.
func (g game) TurnNow() (events.Turn, string) {
	if g.turn.Ordinal == 0 {
		return g.turn, ""
	}
	if g.player != "" {
		return g.turn, g.player + " " + g.stage
	}
	return g.turn, g.stage
}

func (g game) sideOf(f Faction) side {
	if i := slices.Index(Factions(), f); i >= 0 {
		return g.sides[i]
	}
	return side{}
}

// with gives the state with one side changed; the array is a copy already.
func (g game) with(f Faction, change func(*side)) game {
	if i := slices.Index(Factions(), f); i >= 0 {
		s := g.sides[i]
		s.hand = slices.Clone(s.hand)
		change(&s)
		g.sides[i] = s
	}
	return g
}

// fact is the number reported, 0 where none was.
func (g game) fact(name, subject string) int { return g.facts[fact{name, subject}] }

func (g game) withFact(name, subject string, n int) game {
	g.facts = rules.Put(g.facts, fact{name, subject}, n)
	return g
}

// find finds a card of a type in a hand that is not used, -1 for none: of several the one that the record says was
// played.
func (d *decision) find(hand []held, c Card) rules.Known[int] {
	if d.byHand {
		for _, ref := range d.Played() {
			at := slices.IndexFunc(hand, func(h held) bool { return h.drawn == ref && !h.used && h.is(c) })
			if at >= 0 {
				return rules.Fact(at)
			}
		}
	}
	return unused(hand, c)
}

// unused finds the first card of a type in a hand that is not used, -1 for none. What is played is opened, so the first
// that is known is the one that a record plays; only where none is known, one that is sealed may be it.
func unused(hand []held, c Card) rules.Known[int] {
	at := slices.IndexFunc(hand, func(h held) bool { return !h.used && h.is(c) })
	if sealed := sealedIn(hand); at < 0 && len(sealed) > 0 {
		return rules.Unknown[int](sealed[0], sealed[1:]...)
	}
	return rules.Fact(at)
}

// sealedIn lists the cards of a hand that are not used and not known.
func sealedIn(hand []held) (list []events.Ref) {
	for _, h := range hand {
		if !h.used {
			list = append(list, h.card.Sealed()...)
		}
	}
	return list
}

// battle finds a contest settled this turn, the first of those that are sought.
func (g game) battle(sought func(battle) bool) (first battle, found bool) {
	for b := range g.battles.Backward() {
		if sought(b) {
			first, found = b, true
		}
	}
	return first, found
}

// drawn reports whether the deck was drawn this turn.
func (g game) drawn(d Deck) bool {
	for _, f := range Factions() {
		if f.Deck() == d && g.sideOf(f).drew {
			return true
		}
	}
	return false
}

// draws reports whether each research phase has a draw of the deck as far as the record goes (48.21-B): one was drawn
// before, or somebody works at Ultra. Magic is not drawn before its war.
func (g game) draws(deck Deck) bool {
	return slices.ContainsFunc(Factions(), func(f Faction) bool {
		return f.Deck() == deck && (g.sideOf(f).from > 0 || deck == Ultra && g.sideOf(f).seeks)
	})
}

// war finds the war between two powers.
func (g game) war(a, b Power) (war, bool) {
	for _, w := range g.wars {
		if w.by == a && w.on == b || w.by == b && w.on == a {
			return w, true
		}
	}
	return war{}, false
}

// warTurn is the number of the game turn within a war: 0 for no war, 1 for its first turn.
func (g game) warTurn(a, b Power) int {
	w, at := g.war(a, b)
	if !at {
		return 0
	}
	return int(g.turn.Ordinal-w.turn) + 1
}

// statedWar is the turn of the German-American war that an entry stated last, in a game turn.
type statedWar struct {
	of   int
	turn uint64
}

// noteWar notes, by the modifiers that a combat in the Atlantic had, which turn of the German-American war was stated
// for it where no declaration is recorded (SW-ATL-5, SW-ATL-6). Without the war there are none.
func (g game) noteWar(p *events.ResultAdjudicated) game {
	if g.warTurn(PowerGermany, PowerUnitedStates) > 0 {
		return g
	}
	atWar := false
	for _, m := range p.Modifiers {
		switch {
		case m.Rule == "AWAW-SW-ATL-6":
			g.stated = statedWar{of: 3 - m.Value, turn: g.turn.Ordinal} // +2 in the first turn, +1 in the second
			return g
		case m.Rule == "AWAW-SW-ATL-5":
			g.stated, atWar = statedWar{of: 3, turn: g.turn.Ordinal}, true
		}
	}
	if p.Subject == Atlantic.Name() && !atWar {
		g.peaceful = g.turn.Ordinal
	}
	return g
}

// statedTurn is the turn of the German-American war by what was stated of it, 0 for none.
func (g game) statedTurn() int {
	if g.stated.of == 0 {
		return 0
	}
	return g.stated.of + int(g.turn.Ordinal-g.stated.turn)
}

// rulesOptions gives the settled options in the form that rulings take.
func (g game) rulesOptions() Options {
	var o Options
	OptionList().Fill(&o, g.options)
	return o
}
