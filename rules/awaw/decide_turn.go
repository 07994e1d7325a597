package awaw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// seasons are the game turns of a year.
var seasons = [...]string{"Spring", "Summer", "Fall", "Winter"}

// turnNamed reads "Winter 1941".
func turnNamed(label string) (year, season int, ok bool) {
	name, digits, _ := strings.Cut(label, " ")
	season = slices.Index(seasons[:], name)
	if _, err := fmt.Sscanf(digits, "%4d", &year); err != nil || season < 0 {
		return 0, 0, false
	}
	return year, season, turnLabel(year, season) == label && year >= 1939 && year <= 1946
}

func turnLabel(year, season int) string { return fmt.Sprintf("%s %d", seasons[season], year) }

// nextTurns are the turns that may begin: the next one alone, or any where none has begun.
func (g game) nextTurns() []string {
	year, season, playing := turnNamed(g.turn.Label)
	if !playing {
		return nil
	}
	return []string{turnLabel(year+(season+1)/4, (season+1)%4)}
}

// likelyTurns are those that a campaign may begin with, the usual one first.
func likelyTurns() []string {
	list := []string{"Fall 1939"}
	for year := 1939; year <= 1946; year++ {
		for season := range seasons {
			list = append(list, turnLabel(year, season))
		}
	}
	return list
}

// beginTurn ends the game turn, and with it every hand (48.21-F, 48.82), and begins the next.
func (d *decision) beginTurn(label string) {
	year, season, ok := turnNamed(label)
	if !ok {
		d.ViolateField("turn", rules.Input,
			"%q is no game turn: write a season (Spring, Summer, Fall, Winter) and a year from 1939 to 1946, such as "+
				"Fall 1939", label)
		return
	}
	if next := d.nextTurns(); len(next) > 0 && label != next[0] {
		d.ViolateField("turn", rules.Input, "%s cannot begin: the campaign is in %s, and the next turn is %s",
			label, d.turn.Label, next[0])
		return
	}
	d.undrawn()
	for _, f := range Factions() {
		if n := len(d.sideOf(f).hand); n > 0 {
			d.Cite("AWAW-48.21-F", "the game turn ends, and with it every hand")
			d.Cite("AWAW-48.82", "%d cards of %s return to the pool, used or not", n, f.Name())
			d.Record(f.Title(), &events.CardsReturned{Deck: f.Deck().Name(), Count: n})
		}
	}
	d.Record("", &events.TurnAdvanced{Ordinal: d.turn.Ordinal + 1, Label: label, Year: year, Season: seasons[season]})
}

// phaseEntry is an entry {phase: movement, player: Japan}.
type phaseEntry struct {
	Phase  string `json:"phase" word:"movement,combat"`
	Player string `json:"player" is:"player" doc:"whose player turn it is"`
}

// beginPhase begins a phase by hand; entries begin the phase that they belong to themselves.
func (d *decision) beginPhase(entry phaseEntry) {
	if entry.Player == d.player && entry.Phase == d.stage {
		d.ViolateField("phase", rules.Input, "it is %s %s already", d.player, d.stage)
		return
	}
	d.enterPhase(entry.Player, entry.Phase, rules.Input)
}

// enterPhase begins the phase unless it is that phase now. Rule is what forbids going back.
func (d *decision) enterPhase(player, stage, rule string) bool {
	_, now := d.TurnNow()
	switch {
	case d.player == player && d.stage == stage:
		return true
	case slices.Contains(d.over, player):
		d.Violate(rule, "the player turn of %s is over in %s; it is now %s", article(player), d.turn.Label, now)
		return false
	case d.player == player && stage == "movement":
		d.Violate(rule, "the movement phase of %s is over; it is now %s", article(player), now)
		return false
	}
	d.undrawn()
	d.Record("", &events.PhaseAdvanced{Phase: stage, Player: player})
	return true
}

// undrawn warns, as the research phase ends, of a deck that is drawn each turn (see draws) and is not in this one
// (48.21-B, 48.21-B2): after this no more. What is left out is no act that could be refused.
func (d *decision) undrawn() {
	for _, deck := range []Deck{Ultra, Magic} {
		if d.player == "" && d.draws(deck) && !d.drawn(deck) {
			d.Warn("the research phase of %s ends without the draw of %s: no %s card can be played in this turn",
				d.turn.Label, deck.Name(), deck.Name())
		}
	}
}

// article puts the article before a player's name that takes one.
func article(player string) string {
	if strings.Contains(player, " ") {
		return "the " + player
	}
	return player
}

// warEntry is an entry `declare war`.
type warEntry struct {
	By   Power `json:"by" is:"power"`
	On   Power `json:"on" is:"power"`
	USJT *int  `json:"usjt" least:"-9999" doc:"tension between Japan and the U.S., the fact by default"`
}

// declareWar brings two powers to war. Japan and the U.S. draw Magic cards at once.
func (d *decision) declareWar(e warEntry) {
	by, on, ok := e.By, e.On, false
	if _, at := d.war(by, on); at || by == on {
		d.ViolateField("declare war", rules.Input, "%s and %s are at war already, or are one and the same", by.Title(),
			on.Title())
		return
	}
	american := by == PowerUnitedStates || on == PowerUnitedStates
	if n := d.statedTurn(); american && (by == PowerGermany || on == PowerGermany) && n > 1 && d.strict() {
		d.ViolateField("declare war", "AWAW-SW-ATL-6", "Germany and the U.S. are at war already: %s is turn %d of "+
			"that war, as an earlier entry stated it", d.turn.Label, n)
		return
	}
	p := &events.WarDeclared{By: by.Title(), On: on.Title()}
	magic := by == PowerJapan && on == PowerUnitedStates || by == PowerUnitedStates && on == PowerJapan
	if magic {
		if p.Level, ok = d.usjt(e.USJT, by); !ok {
			return
		}
	}
	if by.player() == on.player() {
		d.Warn("%s and %s are of one side, %s", by.Name(), on.Name(), article(by.player()))
	}
	d.Record("", p)
	if magic {
		d.drawDeck(Magic, DeclarationOfWar)
	}
}

// usjt is the level reported, or given with the declaration. It decides what a surprise attack on the U.S. finds
// (51.31-A): where the U.S. itself declares war it need not be known.
func (d *decision) usjt(given *int, by Power) (int, bool) {
	reported, known := d.facts[fact{factUSJT, ""}]
	level := or(given, reported)
	if by == PowerUnitedStates && given == nil && !known {
		return 0, true
	}
	if given == nil && !known || level < 0 {
		d.Unreported("declare war", rules.Input,
			"the USJT level at this moment decides the column of 51.31: report it, facts: {usjt: …}, or give usjt "+
				"here, 0 or more")
		return 0, false
	}
	if given != nil && known && *given != reported {
		d.Warn("the USJT level was reported as %d, and the declaration says %d", reported, *given)
	}
	d.Cite("AWAW-51.31-A", "the USJT level stands at %d when war is declared", level)
	return level, true
}

// drawEntry is an entry {draw: Ultra}.
type drawEntry struct {
	Deck Deck `json:"draw" is:"deck"`
}

// draw draws four cards for both sides of a deck, which closes the research phase for it.
func (d *decision) draw(e drawEntry) { d.drawDeck(e.Deck, EndOfResearch) }

func (d *decision) drawDeck(deck Deck, phase DrawPhase) {
	if phase == EndOfResearch && d.player != "" {
		_, now := d.TurnNow()
		d.ViolateField("draw", "AWAW-48.21-B", "cards are drawn as the research phase closes; it is now %s", now)
	}
	w, at := d.war(PowerJapan, PowerUnitedStates)
	if at && w.turn == d.turn.Ordinal && phase == EndOfResearch && deck == Magic {
		d.ViolateField("draw", "AWAW-48.21-B2",
			"Magic was drawn when war was declared this turn; the next draw comes next turn")
	}
	for _, f := range Factions() {
		if f.Deck() != deck {
			continue
		}
		s := d.sideOf(f)
		d.Add(checkDrawTime(DrawInput{Faction: f, Phase: phase, JapanUSAtWar: at, AlreadyDrawn: s.drew}))
		d.Weigh(rules.Map(s.pool, func(p Pool) rules.Findings { return checkStanding(f, p) }))
		if !d.Add(checkDrawSize(s.size)) {
			return
		}
	}
	for _, f := range Factions() {
		if f.Deck() == deck && !d.drawFor(f, phase) {
			return
		}
	}
}

// drawFor draws four cards of one side. Its derivation names no card.
func (d *decision) drawFor(f Faction, phase DrawPhase) bool {
	s := d.sideOf(f)
	rule, when := "AWAW-48.21-B", "as the research phase closes"
	if f.Deck() == Magic {
		rule = "AWAW-48.21-B2"
	}
	if phase == DeclarationOfWar {
		when = "on the declaration of war"
	}
	d.Cite("AWAW-48.21-A", "%s draws from its own %s pool", f.Name(), f.Deck().Name())
	d.Cite(rule, "%d cards of %d are drawn %s", CardsDrawn, s.size, when)
	positions, ok := d.Draw(f.Title(), &events.DrawDeclared{Deck: f.Deck().Name(), Count: CardsDrawn, PoolSize: s.size})
	if !ok || d.byHand {
		return ok // the cards come by an entry {hand: …} of the side's player
	}
	declared := d.Last()
	// A link gives positions of the pool whatever they are, so nothing turns on those that are not known.
	if where, known := positions.Get(); known && !d.Add(checkPositions(s.size, where)) {
		return false
	}
	draft := d.Record(f.Title(), &events.CardsDrawn{Deck: f.Deck().Name(), Count: CardsDrawn, Declared: declared})
	drawn := rules.With(s.pool, positions, drawCards)
	for i := range CardsDrawn {
		draft.Secrets = append(draft.Secrets, rules.Secret{
			Slot: fmt.Sprintf("%s %d", f.Title(), i+1),
			Fact: rules.Map(drawn, func(out DrawOutcome) string { return string(out.Drawn[i]) }),
		})
	}
	return true
}
