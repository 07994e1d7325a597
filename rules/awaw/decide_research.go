package awaw

import (
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// project finds the faction behind a side and a project: the Western Allies are Britain in
// Ultra and the U.S. in Magic (48.15-C).
func (d *decision) project(verb, side, project string) (Faction, bool) {
	named, ok := known(d, verb+".project", "project", project, deckNamed, []string{Ultra.Name(), Magic.Name()})
	deck := Deck(named)
	if !ok {
		return "", false
	}
	if words.Plain(side) == "westernallies" {
		if deck == Ultra {
			return Britain, true
		}
		return UnitedStates, true
	}
	f, known := factionNamed(side)
	if known && f.Deck() == deck {
		return f, true
	}
	if _, power := powerNamed(side); !known && !power {
		d.Unknown(d.c, verb+".side", "side", side, append(factionTitles(), "Western Allies"))
		return "", false
	}
	// 48.13-A, 48.14-A: two projects, each for two alliance factions.
	d.ViolateField(verb+".side", deck.rule("AWAW-48.13-A", "AWAW-48.14-A"), "%s has no part in %s", side, deck.Name())
	return "", false
}

// allocation is an entry `allocate`.
type allocation struct {
	Side    string            `json:"side" kind:"side"`
	Project string            `json:"project" kind:"deck" doc:"Ultra or Magic"`
	Points  *rules.Known[int] `json:"points" doc:"RPs, less than 0 for those taken back"`
}

// allocate puts research points into a project. How many stays secret.
func (d *decision) allocate(a allocation) {
	f, ok := d.project("allocate", a.Side, a.Project)
	if !ok {
		return
	}
	if a.Points == nil {
		d.Add(wrongPoints())
		return
	}
	if !d.Weigh(checkPoints(*a.Points, d.sideOf(f).points)) {
		return
	}
	if d.player != "" {
		_, now := d.TurnNow()
		d.ViolateField("allocate", f.Deck().rule("AWAW-48.13-A", "AWAW-48.14-A"),
			"RPs are allocated in the research phase; it is now %s", now)
		return
	}
	if !d.takenBack(f, *a.Points) {
		return
	}
	d.ShowMember(d.c, "allocate",
		map[string]any{"side": a.Side, "project": a.Project, "points": rules.Sealed("points")})
	d.Cite(f.Deck().rule("AWAW-48.13-A", "AWAW-48.14-A"), "%s puts RPs into %s", f.Name(), f.Deck().Name())
	d.Record(f.Title(), &events.ResearchAllocated{Project: f.Deck().Name()}).Secrets =
		[]rules.Secret{{Slot: "points", Fact: rules.Map(*a.Points, strconv.Itoa)}}
}

// takenBack wants the Western Allies to take back no RPs of an earlier turn: they pay for nothing else (48.15-A).
func (d *decision) takenBack(f Faction, points rules.Known[int]) bool {
	put := d.sideOf(f).put
	if !d.exact() || !f.WesternAllies() {
		return true
	}
	back := rules.With(points, put, func(n, put int) bool { return n < 0 && put+n < 0 })
	if earlier, known := back.Get(); known && earlier {
		d.forbid("allocate.points", "AWAW-48.15-A", "RPs of an earlier turn are taken back: those of %s pay for "+
			"nothing else; if they were never put in, correct the entry that said so", f.Deck().Name())
	}
	return !d.Refused()
}

// checkPoints finds what forbids to put points into a project. What it has matters only to those who take some back.
func checkPoints(points, has rules.Known[int]) rules.Known[rules.Findings] {
	n, known := points.Get()
	switch {
	case !known:
		return rules.Map(points, func(int) rules.Findings { return rules.Findings{} })
	case n == 0 || n > 99:
		return rules.Fact(wrongPoints())
	case n > 0:
		return rules.Fact(rules.Findings{})
	}
	return rules.Map(has, func(has int) (f rules.Findings) {
		if has+n < 0 {
			f = wrongPoints()
		}
		return f
	})
}

func wrongPoints() (f rules.Findings) {
	f.ViolateField("allocate.points", rules.Input,
		"points is a whole number of RPs, 1 to 99; a negative one takes back no more than the project has")
	return f
}

// produceEntry is an entry `produce`.
type produceEntry struct {
	Side    string              `json:"side" kind:"side"`
	Project string              `json:"project" kind:"deck"`
	Card    rules.Known[string] `json:"card" kind:"card"`
}

// produce buys a codebreaking result: the RPs and the card's type stay secret (48.241-B).
func (d *decision) produce(p produceEntry) {
	f, ok := d.project("produce", p.Side, p.Project)
	if !ok {
		return
	}
	c, ok := d.sealedCard("produce.card", p.Card)
	if !ok || !d.mayProduce(f, c) {
		return
	}
	d.ShowMember(d.c, "produce", map[string]any{"side": p.Side, "project": p.Project, "card": rules.Sealed("card")})
	d.buyResult(f)
	d.addCard(f, c)
}

// mayProduce checks the result and the card. An open option on blanks is asked for whatever
// the card is, once nothing else forbids it: asking for blanks alone would tell the card.
func (d *decision) mayProduce(f Faction, c rules.Known[Card]) bool {
	s, options := d.sideOf(f), d.rulesOptions()
	late, own := f.Deck(), d.drawn(f.Deck()) && !(d.drawnForWar(f.Deck()) && len(s.hand) > 0)
	other := d.exact() && d.drawn(late.other()) && !d.drawnForWar(late.other())
	if other && !own { // the results of both are announced before either is drawn
		late = late.other()
	}
	if d.player != "" || own || other {
		d.ViolateField("produce", "AWAW-48.11-D",
			"results are announced as the research phase closes, ahead of the %s draw; it is too late in %s",
			late.Name(), d.turn.Label)
	}
	if d.options["blank_cards"] == rules.Ask {
		options.BlankCards = "allowed"
	}
	d.Add(checkYear(d.year))
	d.Weigh(rules.With(s.insight, s.points, checkCost))
	d.Add(checkLimits(f, s.year == d.year && s.turn > 0, d.otherTriggered(f)))
	d.Weigh(rules.Map(s.pool, func(p Pool) rules.Findings { return checkStanding(f, p) }))
	return d.Weigh(rules.With(s.pool, c, func(p Pool, c Card) rules.Findings {
		return CheckSelection(f, p, c, options)
	})) && d.settled("blank_cards")
}

// drawnForWar reports whether a deck that was drawn this turn is Magic, drawn when war was declared. The research
// phase, at whose end results are announced, may go on after that.
func (d *decision) drawnForWar(deck Deck) bool {
	w, at := d.war(PowerJapan, PowerUnitedStates)
	return at && w.turn == d.turn.Ordinal && deck == Magic
}

func (d *decision) buyResult(f Faction) {
	d.Cite("AWAW-48.11-A", "a codebreaking result is produced, not rolled for")
	d.Cite("AWAW-48.11-B", "its cost in RPs is paid from the project and stays secret")
	d.Cite("AWAW-48.11-C", "it is %s's first in this theater in %d", f.Name(), d.year)
	if f.WesternAllies() {
		d.Cite("AWAW-48.15-A", "the RPs are those of %s; those of the other project pay nothing here", f.Deck().Name())
		d.Cite("AWAW-48.15-B", "the Western Allies' other project was not triggered this turn")
	}
	d.Record(f.Title(), &events.ResultProduced{Project: f.Deck().Name(), Year: d.year}).Secrets =
		[]rules.Secret{{Slot: "cost",
			Fact: rules.Map(d.sideOf(f).insight, func(n int) string { return strconv.Itoa(ResultCost(n)) })}}
}

func (d *decision) addCard(f Faction, c rules.Known[Card]) {
	size := d.sideOf(f).size
	d.Cite("AWAW-48.241-A", "a permitted card joins the %s pool of %s, which grows from %d to %d cards",
		f.Deck().Name(), f.Name(), size, size+1)
	d.Cite("AWAW-48.241-B", "its type is not announced")
	if d.drawn(f.Deck()) {
		d.Cite("AWAW-48.11-D", "this turn's cards were drawn when war was declared: the next draw has it")
	} else {
		d.Cite("AWAW-48.11-D", "it is in the pool for this turn's draw")
	}
	d.Record(f.Title(), &events.CardAdded{Deck: f.Deck().Name(), PoolSize: size + 1}).Secrets =
		[]rules.Secret{{Slot: "card", Fact: rules.Map(c, Card.text)}}
}

// otherTriggered reports whether the Western Allies' other project had a result this turn.
func (d *decision) otherTriggered(f Faction) bool {
	switch f {
	case Britain:
		return d.sideOf(UnitedStates).turn == d.turn.Ordinal
	case UnitedStates:
		return d.sideOf(Britain).turn == d.turn.Ordinal
	}
	return false
}
