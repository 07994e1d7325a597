package awaw

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// Words that stand where a card could.
const (
	pass = "pass" // no card now
	none = "none" // no choice at all
)

// nothing reports whether a word means that no card is played, or nothing chosen.
func nothing(word string) bool { return words.Plain(word) == pass || words.Plain(word) == none }

// contestEntry is what a contest of cards needs to know.
type contestEntry struct {
	kind     Contest
	acting   Faction
	opposing Faction
	scope    []string // boxes or actions that the cards affect
	subject  string
	box      Box // submarine warfare with per_box, raiders
	after    bool
	cards    *[]map[string]string // as the turn file lists them, nil to ask for each
}

// put is one card put down, or a pass.
type put struct {
	faction Faction
	card    Card // empty for a pass
	field   string
}

// table is a contest in progress.
type table struct {
	contestEntry
	index   uint64 // of the ContestOpened event
	hands   map[Faction][]held
	played  map[Faction][]Card
	laid    int      // cards of earlier entries that still count
	lead    int      // unanswered cards: of the acting side if positive
	waiting []uint64 // indexes of the unanswered plays
	last    []Card   // their cards
}

// figureAutomatic names the figure that says how many TFs intercept without a roll.
const figureAutomatic = "automatic interceptions"

// figureFirstRound names the figure of the card that a Magic interception counts as (48.62).
const figureFirstRound = "tactical cards in the first round"

// first is who begins: the acting side (AMB-AWAW-2), but in a search after a Magic interception
// the opponent, who answers the card that the interception counts as (48.62).
func (c contestEntry) first() (first, second Faction) {
	if c.after {
		return c.opposing, c.acting
	}
	return c.acting, c.opposing
}

// contest plays out a contest of cards: the sides play by turns until both pass (48.32), or
// both in secret. It gives what the rules make of it, and the contest's index; ok is false
// when an answer is missing or the play is refused.
func (d *decision) contest(c contestEntry) (out CompareOutcome, index uint64, ok bool) {
	t := &table{contestEntry: c, hands: map[Faction][]held{}, played: map[Faction][]Card{}}
	for _, f := range []Faction{c.acting, c.opposing} {
		t.hands[f] = slices.Clone(d.sideOf(f).hand)
	}
	laid := d.laid(t)
	puts, understood := d.listed(t)
	if !understood || !d.asked("cards", c.cards != nil) || !d.settled("play_order") {
		return out, 0, false
	}
	// 48.31-A, 48.31-C, 48.31-D
	d.Cite(c.kind.timing(), "cards are played just before %s is resolved", c.kind.Name())
	if c.kind.Card(false) == ASW {
		d.Cite("AWAW-48.31-B", "and so are the ASW cards against it")
	}
	d.Record(c.acting.Title(), &events.ContestOpened{
		Kind: c.kind.titleOf(), Deck: c.acting.Deck().Name(), Acting: c.acting.Title(), Opposing: c.opposing.Title(),
		Scope: c.scope, Subject: c.subject,
	})
	t.index = d.Last()
	for _, p := range laid {
		t.lay(p.side, p.card, p.index)
	}
	t.laid = len(laid)
	played := false
	switch {
	case c.cards != nil:
		played = d.putAll(t, puts)
	case d.options["play_order"] == simultaneous:
		played = d.askTogether(t)
	default:
		played = d.askInTurn(t)
	}
	if !played {
		return out, 0, false
	}
	return d.settleContest(t)
}

func (d *decision) putAll(t *table, puts []put) bool {
	for _, p := range puts {
		if !d.put(t, p) {
			return false
		}
	}
	return true
}

// listed reads the cards as the turn file lists them and checks that the sides take turns.
func (d *decision) listed(t *table) (puts []put, ok bool) {
	if t.cards == nil {
		return nil, true
	}
	for i, item := range *t.cards {
		field := fmt.Sprintf("cards[%d]", i)
		if len(item) != 1 {
			d.ViolateField(field, rules.Input,
				"each item of cards is one side and its card, such as {%s: %s}, or {%s: pass}", t.acting.Title(),
				t.kind.Card(true), t.acting.Title())
			return nil, false
		}
		for _, name := range slices.Sorted(maps.Keys(item)) {
			p, ok := d.putNamed(field, name, item[name])
			if !ok {
				return nil, false
			}
			puts = append(puts, p)
		}
	}
	return puts, d.inTurn(t, puts)
}

func (d *decision) putNamed(field, name, word string) (put, bool) {
	side, ok := d.Named("side", field, name)
	p := put{faction: Faction(side), field: field}
	if !ok || nothing(word) {
		return p, ok
	}
	card, ok := known(d, field, "card", word, cardNamed, append(texts(Cards()), pass))
	p.card = Card(card)
	return p, ok
}

// simultaneous is the play_order in which both sides choose in secret and reveal together.
const simultaneous = "simultaneous_secret"

// inTurn wants the sides to play by turns. Where both put their cards down together any order
// will do.
func (d *decision) inTurn(t *table, puts []put) bool {
	turn, other := t.first()
	passes, together := 0, d.options["play_order"] == simultaneous
	for i, p := range puts {
		passed := func(before put) bool { return before.faction == p.faction && before.card == "" }
		if p.card != "" && together && d.exact() && slices.ContainsFunc(puts[:i], passed) { // AMB-AWAW-2
			d.ViolateField(p.field, t.kind.order(), "%s plays no card, and the sides put down theirs together: leave "+
				"out the pass, or the card", p.faction.Name())
			return false
		}
		if p.card != "" && passes > 1 && d.exact() && !together {
			d.ViolateField(p.field, t.kind.order(), "both sides have passed before this card, and that ends the "+
				"playing of cards: leave out the passes that were none, or the card")
			return false
		}
		if passes++; p.card != "" {
			passes = 0
		}
		if p.faction != t.acting && p.faction != t.opposing {
			d.ViolateField(p.field, p.faction.Deck().rule("AWAW-48.13-B", "AWAW-48.14-B"),
				"%s has no part in this contest, which is between %s and %s", p.faction.Name(), t.acting.Name(),
				t.opposing.Name())
			return false
		}
		if p.faction != turn && !together { // 48.32-A, 48.32-B, 48.32-C
			first, _ := t.first()
			d.ViolateField(p.field, t.kind.order(),
				"it is %s's turn: cards are played by turns, %s first; write {%s: pass} where a side plays none",
				turn.Name(), first.Name(), turn.Title())
			return false
		}
		turn, other = other, turn
	}
	return true
}

// askInTurn asks the sides by turns until both pass, one after the other (48.32-A, 48.32-B, 48.32-C).
func (d *decision) askInTurn(t *table) bool {
	turn, other := t.first()
	for passes := 0; passes < 2; turn, other = other, turn {
		card := t.kind.Card(turn == t.acting)
		options := []string{string(card), pass}
		if turn == UnitedStates && card != Wild {
			options = []string{string(card), string(Wild), pass}
		}
		answer, ok := d.Choose(&events.ChoiceAsked{
			Question: fmt.Sprintf("does %s play a card for %s?%s%s", turn.Name(), t.kind.Name(), t.lies(),
				d.cardless(turn, card)),
			Of: turn.Title(), Options: options, Rule: t.kind.order(),
		})
		if !ok || len(answer) != 1 {
			return false
		}
		p := put{faction: turn, field: "answer"}
		if answer[0] == pass {
			passes++
		} else {
			passes, p.card = 0, Card(answer[0])
		}
		if !d.put(t, p) {
			return false
		}
	}
	return true
}

// cardless says why a side is asked that can have no card of the type, as Britain no submarine cards (48.22-A): its
// pass is its own act, as that of others is.
func (d *decision) cardless(f Faction, c Card) string {
	if !d.exact() || !Prohibited(f, c) {
		return ""
	}
	return fmt.Sprintf(" It can have no %s card: it passes, and says so itself.", c.Name())
}

// lies says which cards lie from earlier entries.
func (t *table) lies() string {
	if t.laid == 0 {
		return ""
	}
	return fmt.Sprintf(" Cards of this player turn count: %s %d, %s %d.", t.acting.Title(), len(t.played[t.acting]),
		t.opposing.Title(), len(t.played[t.opposing]))
}

// askTogether asks each side in secret for all its cards, and then puts them down in turn.
func (d *decision) askTogether(t *table) bool {
	first, second := t.first()
	var chosen [2]rules.Known[[]Card]
	for i, f := range []Faction{first, second} {
		card := t.kind.Card(f == t.acting)
		q := &events.ChoiceAsked{
			Question: fmt.Sprintf("which cards does %s play for %s?%s", f.Name(), t.kind.Name(), d.cardless(f, card)),
			Of:       f.Title(),
			Options:  []string{none, string(card), string(card), string(card)}, Most: CardsDrawn, Rule: t.kind.order(),
		}
		if f == UnitedStates {
			q.Options = append(q.Options, string(Wild))
		}
		words, ok := d.ChooseInSecret(q)
		if !ok || !d.Weigh(rules.Map(words, checkChosen)) {
			return false
		}
		chosen[i] = rules.Map(words, cardsIn)
		if !d.Weigh(d.held("answer", f, chosen[i])) {
			return false
		}
	}
	for i, f := range []Faction{first, second} {
		cards, ok := rules.Value(d.Hearing, chosen[i])
		if !ok || !d.putAll(t, putsOf(f, cards)) {
			return false
		}
	}
	return true
}

func putsOf(f Faction, cards []Card) (puts []put) {
	for _, c := range cards {
		puts = append(puts, put{faction: f, card: c, field: "answer"})
	}
	return puts
}

// held wants a side to hold cards that it does not show yet. A card that is not known may be any of them.
func (d *decision) held(field string, f Faction, cards rules.Known[[]Card]) rules.Known[rules.Findings] {
	played, known := cards.Get()
	if !known {
		return rules.Map(cards, func([]Card) rules.Findings { return rules.Findings{} })
	}
	var holding []Card
	for _, h := range d.sideOf(f).hand {
		if c, known := h.card.Get(); known && !h.used {
			holding = append(holding, c)
		}
	}
	sealed, short := sealedIn(d.sideOf(f).hand), 0
	for _, c := range Cards() {
		short += max(0, count(played, c)-count(holding, c))
	}
	if short > 0 && short <= len(sealed) {
		return rules.Unknown[rules.Findings](sealed[0], sealed[1:]...)
	}
	return rules.Fact(CheckHeld(field, f, played, holding))
}

// cardsIn reads the cards of an answer.
func cardsIn(words []string) []Card {
	cards := []Card{}
	for _, w := range words {
		if c, ok := cardNamed(w); ok {
			cards = append(cards, c)
		}
	}
	return cards
}

// checkChosen holds an answer to it that none stands alone.
func checkChosen(words []string) (f rules.Findings) {
	if len(words) > 1 && len(cardsIn(words)) < len(words) {
		f.ViolateField("answer", rules.Input, "%s stands alone: it means that no card is played", none)
	}
	return f
}

// put puts a card down, or passes. A card answers the opponent's last unanswered one.
func (d *decision) put(t *table, p put) bool {
	if p.card == "" {
		d.Cite(t.kind.order(), "%s plays no card", p.faction.Name())
		d.Record(p.faction.Title(), &events.Passed{Contest: t.index})
		return true
	}
	acting := p.faction == t.acting
	found := CheckPlay(t.kind, acting, p.faction, p.card)
	slot := d.find(t.hands[p.faction], p.card)
	if at, known := slot.Get(); known && at < 0 {
		found.Violate("AWAW-48.81", "%s holds no unused %s card this turn", p.faction.Name(), p.card.Name())
		if d.atPearl(t.hands[p.faction], p.card) {
			found.Violate("AWAW-48.71-D", "%s of %s was used at Pearl Harbor, and serves no other purpose this turn",
				p.card.one(), p.faction.Name())
		}
	}
	d.inPool(t.hands[p.faction], p)
	for _, v := range found.Violations {
		d.ViolateField(p.field, v.Rule, "%s", v.Message)
	}
	at, ok := rules.Value(d.Hearing, slot)
	if !ok || d.Refused() {
		return false
	}
	if t.kind != MagicInterceptionContest && t.lead != 0 && t.lead > 0 == acting { // 48.42, 48.52, 48.63
		d.Warn("%s leads already, and no lead gives more for %s than that of one card", p.faction.Name(), t.kind.Name())
	}
	t.hands[p.faction][at].used = true
	d.playCard(t, p, t.hands[p.faction][at])
	d.answerLast(t, p)
	return true
}

// inPool wants the pool to have as many cards of the type as are played of it this turn: one whose production is void
// since it was drawn never joined it (48.241-A).
func (d *decision) inPool(hand []held, p put) {
	s, played := d.sideOf(p.faction), 1
	if !d.strict() || s.size >= s.from {
		return
	}
	for _, h := range hand {
		played += oneIf(h.used && h.is(p.card))
	}
	d.Weigh(rules.Map(s.pool, func(pool Pool) (f rules.Findings) {
		if played > pool.Count(p.card) {
			f.ViolateField(p.field, "AWAW-48.241-A", "the pool of %s has %s: the production of another is void",
				p.faction.Name(), p.card.several(pool.Count(p.card)))
		}
		return f
	}))
}

// atPearl reports whether a card of the type was used at Pearl Harbor this turn.
func (d *decision) atPearl(hand []held, c Card) bool {
	_, used := d.battle(func(b battle) bool {
		return b.kind == pearlContest &&
			slices.ContainsFunc(hand, func(h held) bool { return h.used && h.is(c) && h.in == b.index })
	})
	return used
}

func (d *decision) playCard(t *table, p put, h held) {
	play := &events.CardPlayed{Contest: t.index, Deck: p.faction.Deck().Name(), Card: string(p.card), Drawn: h.drawn}
	d.Cite(p.card.rule(), "%s plays %s", p.faction.Name(), p.card.one())
	if p.card == Wild {
		play.As = string(t.kind.Card(p.faction == t.acting))
		d.Cite("AWAW-48.22-E", "the wild card counts as %s", Card(play.As).one())
	}
	d.Cite("AWAW-48.81", "it is used for this turn")
	d.Record(p.faction.Title(), play).Opens = []events.Ref{h.drawn}
}

// answerLast pairs a card with the opponent's last unanswered one (48.21-E).
func (d *decision) answerLast(t *table, p put) {
	played := d.Last()
	if answered, card, answers := t.lay(p.faction, p.card, played); answers {
		d.Cite("AWAW-48.21-E", "%s answers the opponent's, which has no effect", p.card.one())
		d.Record(p.faction.Opponent().Title(),
			&events.CardNegated{Contest: t.index, Card: string(card), Played: answered, By: played})
	}
}

// lay puts a card, played at an event, on the table. It gives the opponent's last unanswered one, which it answers.
func (t *table) lay(f Faction, c Card, played uint64) (answered uint64, card Card, answers bool) {
	t.played[f] = append(t.played[f], c)
	step := -1
	if f == t.acting {
		step = 1
	}
	answers = t.lead*step < 0
	t.lead += step
	if !answers {
		t.waiting, t.last = append(t.waiting, played), append(t.last, c)
		return 0, "", false
	}
	n := len(t.waiting) - 1
	answered, card = t.waiting[n], t.last[n]
	t.waiting, t.last = t.waiting[:n], t.last[:n]
	return answered, card, true
}

// settleContest compares the cards.
func (d *decision) settleContest(t *table) (CompareOutcome, uint64, bool) {
	out, f := Compare(CompareInput{
		Contest: t.kind, Acting: t.acting, Opposing: t.opposing, ActingCards: t.played[t.acting],
		OpposingCards: t.played[t.opposing],
		Box:           t.box, AfterMagic: t.after, Options: d.rulesOptions(),
	})
	if !d.Add(f) {
		return out, 0, false
	}
	p := &events.ContestSettled{
		Contest: t.index, Kind: t.kind.titleOf(), Acting: t.acting.Title(), Opposing: t.opposing.Title(),
		ActingCards: out.ActingCount, OpposingCards: out.OpposingCount, Scope: t.scope, Subject: t.subject,
		Effects: out.figures(),
	}
	if out.Advantage != nil {
		p.Advantage = out.Advantage.Title()
	}
	if out.Modifier != nil {
		p.Modifier = *out.Modifier
	}
	d.Record(t.acting.Title(), p)
	return out, t.index, true
}

// figures are the effects that are no modifier, those that are not zero.
func (out CompareOutcome) figures() []events.Figure {
	var list []events.Figure
	for _, f := range []struct {
		name  string
		value *int
	}{
		{"acting search rolls", out.ActingSearchRolls},
		{"opposing search rolls", out.OpposingSearchRolls},
		{"acting Naval Nationality DRM", out.ActingNavalNationalityDRM},
		{"opposing Naval Nationality DRM", out.OpposingNavalNationalityDRM},
		{"extra interception dice", out.ExtraInterceptionDice},
		{figureAutomatic, out.AutomaticInterceptions},
		{figureFirstRound, out.FirstRoundTacticalCards},
	} {
		if f.value != nil && *f.value != 0 {
			list = append(list, events.Figure{Name: f.name, Value: *f.value})
		}
	}
	return list
}

// cardList reads a list of cards.
func (d *decision) cardList(field string, raw json.RawMessage) ([]Card, bool) {
	var words []string
	if json.Unmarshal(raw, &words) != nil {
		d.ViolateField(field, rules.Input, "%s is a list of cards, such as [strategic], or [] for none", field)
		return nil, false
	}
	cards := []Card{}
	for _, w := range words {
		c, ok := d.Named("card", field, w)
		if !ok {
			return nil, false
		}
		cards = append(cards, Card(c))
	}
	return cards, true
}
