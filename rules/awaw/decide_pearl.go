package awaw

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// pearlCommand is an entry `pearl harbor`: Japan's surprise attack in the turn in which it
// declares war on the U.S.
type pearlCommand struct {
	Pearl    pearlEntry                    `json:"pearl harbor"`
	Japanese *[]Card                       `json:"japanese cards" is:"card" doc:"that it reveals; else it is asked"`
	American *rules.Known[json.RawMessage] `json:"american cards" doc:"played in secret; else the U.S. is asked"`
}

type pearlEntry struct {
	TaskForces   []string  `json:"task forces" doc:"American carrier TFs"`
	DefendingAir Air       `json:"defending air"`
	Modifiers    int       `json:"other modifiers" least:"-9999" doc:"of the surprise die, from outside these rules"`
	SecondStrike bool      `json:"second strike"`
	Intercept    *[]string `json:"intercept" doc:"TFs at sea that try to meet it, all if it is left out"`
}

// pearlContest is the kind under which events show the cards at Pearl Harbor.
const pearlContest = "pearl harbor"

// The results of the search for the carriers, and of a second strike.
const (
	procedureSurprise     = "awaw.pearl-harbor.surprise"
	procedureSecondStrike = "awaw.pearl-harbor.second-strike"
)

// pearlHarbor resolves the attack: Japan reveals cards, the U.S. plays in secret, the carriers
// are located, the American cards shown, the level of surprise rolled, a second strike met.
func (d *decision) pearlHarbor(entry pearlCommand) {
	e := entry.Pearl
	if entry.American != nil && entry.Japanese == nil {
		// Asked after the American cards are listed, Japan would choose with them on the table.
		d.ViolateField("american cards", "AWAW-48.32-C",
			"Japan reveals first: list japanese cards too, or leave american cards out to be asked for them in turn")
		return
	}
	if d.strikesLater(e) {
		d.laterStrike(entry)
		return
	}
	if e.Intercept != nil {
		intercept := d.asAnnounced(e.TaskForces, *e.Intercept)
		e.Intercept = &intercept
	}
	level, ok := d.pearlAllowed(e)
	if !ok || !d.asked("japanese cards", entry.Japanese != nil) || !d.asked("american cards", entry.American != nil) {
		return
	}
	if !d.settled("level_7") || e.Modifiers < 0 && !d.settled("below_4") {
		return
	}
	if !d.enterPhase(Japan.player(), "combat", "AWAW-48.71-A") {
		return
	}
	if entry.American != nil {
		d.ShowMember(d.c, "american cards", rules.Sealed("american cards"))
	}
	d.Cite("AWAW-48.71-A", "Japan attacks Pearl Harbor by surprise; the USJT level at its declaration of war is %d",
		level)
	d.Record(Japan.Title(),
		&events.ContestOpened{Kind: pearlContest, Deck: Magic.Name(), Acting: Japan.Title(),
			Opposing: UnitedStates.Title(), Subject: "Pearl Harbor"})
	contest := d.Last()
	japanese, ok := d.pearlJapan(contest, entry.Japanese)
	if !ok {
		return
	}
	american, ok := d.pearlAmerica(contest, entry.American)
	if !ok {
		return
	}
	out, ok := d.locate(e, level, japanese, american)
	if !ok || !d.rollSurprise(e, out) {
		return
	}
	if e.SecondStrike && (len(out.TaskForces) > 0 || d.exact()) {
		d.secondStrike(e, out)
	}
}

// strikesLater reports whether the entry is a second strike behind a first one that was entered alone. The task forces
// are those of the first strike, whether it names them again or not.
func (d *decision) strikesLater(e pearlEntry) bool {
	if !e.SecondStrike || d.located == nil || !d.exact() {
		return e.SecondStrike && len(e.TaskForces) == 0 && len(d.located) > 0
	}
	return true
}

// pearlAllowed checks the occasion and gives the USJT level of the declaration of war.
func (d *decision) pearlAllowed(e pearlEntry) (int, bool) {
	w, at := d.war(PowerJapan, PowerUnitedStates)
	if !at || w.by != PowerJapan || w.turn != d.turn.Ordinal {
		d.ViolateField("pearl harbor", "AWAW-48.71-A",
			"the surprise attack comes in the turn in which Japan declares war on the U.S.; declare war first")
	}
	if b, attacked := d.battle(func(b battle) bool { return b.kind == pearlContest }); attacked {
		d.ViolateField("pearl harbor", "AWAW-48.71-A", "Pearl Harbor was attacked by surprise already (event %d)",
			b.index)
	}
	d.warnOfCombat(w)
	d.meetable(e.Intercept, e.TaskForces)
	for i, name := range e.TaskForces {
		if name == "" || slices.Contains(e.TaskForces[:i], name) ||
			d.carries() && d.nameIn(e.TaskForces[:i], name) >= 0 { // GEN-UNIQUE
			d.ViolateField(fmt.Sprintf("pearl harbor.task forces[%d]", i), rules.Input,
				"each American carrier task force needs a name of its own, not %q again", name)
			continue
		}
		if at := d.likely(e.TaskForces[:i], name); at >= 0 && d.exact() {
			d.Warn("%s may be %s, and each is rolled for: if they are one, name it once (AWAW-51.31-B)", name,
				e.TaskForces[at])
		}
	}
	switch n := len(e.TaskForces); {
	case n > 20:
		d.ViolateField("pearl harbor.task forces", rules.Input, "at most 20 task forces are named, not %d", n)
	case !d.Refused() && e.TaskForces == nil:
		d.ViolateField("pearl harbor.task forces", rules.Input,
			"name the American carrier task forces, such as [TF 8, TF 12], or [] for none")
	}
	return w.level, !d.Refused()
}

// warnOfCombat warns of combat of Japan and the U.S. before the war that begins by surprise (48.71-A), and of a harbor
// attack on Pearl Harbor.
func (d *decision) warnOfCombat(w war) {
	sides := []string{PowerJapan.Title(), PowerUnitedStates.Title()}
	attack, attacked := d.places.Find(func(p place) bool {
		return slices.Contains(sides, p.by) && slices.Contains(sides, p.of) &&
			(p.index < w.index || p.harbor && d.same(p.name, "Pearl Harbor"))
	})
	asw := d.left[flotilla{Pacific.Name(), Japan.Title(), "asw", ""}]
	index, now := d.fought[combat{Pacific.Name(), Japan.Title()}]
	fought := fmt.Sprintf("event %d", index)
	switch {
	case attacked:
		fought = fmt.Sprintf("event %d", attack.index)
	case asw.of != PowerUnitedStates.Title() || now && index > w.index:
		return
	case !now:
		fought = "in " + asw.turn
	}
	d.Warn("Japan and the U.S. have fought before this attack (%s), and it comes by surprise (AWAW-48.71-A): if they "+
		"have not, correct that entry", fought)
}

// laterStrike is a second air strike that Japan launches once it knows how the first one went (51.31-D).
func (d *decision) laterStrike(entry pearlCommand) {
	e, names := entry.Pearl, rules.Each(d.located, func(c LocatedCarrier) string { return c.Name })
	if e.Intercept != nil {
		intercept := d.asAnnounced(names, *e.Intercept)
		e.Intercept = &intercept
	}
	if !d.locatedBefore(e.TaskForces, names) {
		return
	}
	if entry.Japanese != nil || entry.American != nil || e.Modifiers != 0 || e.DefendingAir != (Air{}) {
		d.ViolateField("pearl harbor", rules.Input, "cards, defending air and other modifiers are those of the first "+
			"strike: leave them out")
		return
	}
	if d.meetable(e.Intercept, names) && d.mayMeet(e.Intercept) &&
		d.enterPhase(Japan.player(), "combat", "AWAW-51.31-D") {
		d.secondStrike(e, SurpriseOutcome{TaskForces: d.located})
	}
}

// mayMeet wants none of the task forces named to meet a second strike to be where none may try (51.31-D).
func (d *decision) mayMeet(intercept *[]string) bool {
	for _, tf := range d.located {
		if intercept != nil && slices.Contains(*intercept, tf.Name) && !tf.Location.MayIntercept() {
			d.forbid("pearl harbor.intercept", "AWAW-51.31-D", "%s %s, and may not try to meet the second strike: "+
				"leave it out of intercept", tf.Name, tf.Location.meaning())
		}
	}
	return !d.Refused()
}

// locatedBefore wants the task forces of a later second strike, where it names them, to be those that the first strike
// located.
func (d *decision) locatedBefore(forces, located []string) bool {
	for i, name := range forces {
		if d.nameIn(located, name) < 0 {
			d.ViolateField(fmt.Sprintf("pearl harbor.task forces[%d]", i), "AWAW-51.31-D", "%s was not located at the "+
				"first strike, which named the American carrier task forces: leave task forces out", name)
		}
	}
	return !d.Refused()
}

// meetable wants those that are to meet a second strike to be among the American task forces.
func (d *decision) meetable(intercept *[]string, forces []string) bool {
	if intercept == nil {
		return true
	}
	for i, name := range *intercept {
		if !slices.Contains(forces, name) {
			d.ViolateField(fmt.Sprintf("pearl harbor.intercept[%d]", i), rules.Input,
				"%q is none of the task forces", name)
		}
	}
	return !d.Refused()
}

// pearlJapan reveals Japanese strategic cards, as listed or as asked.
func (d *decision) pearlJapan(contest uint64, listed *[]Card) ([]Card, bool) {
	q := &events.ChoiceAsked{
		Question: "which strategic Magic cards does Japan reveal for Pearl Harbor?",
		Of:       Japan.Title(), Options: []string{none, string(Strategic), string(Strategic), string(Strategic)},
		Most: typeLimit, Rule: "AWAW-48.71-A",
	}
	cards, ok := d.listedOrAsked(q, listed)
	if !ok || !d.pearlCards("japanese cards", Japan, rules.Fact(cards)) {
		return nil, false
	}
	hand, ok := rules.Value(d.Hearing, d.pearlHand(Japan, cards))
	if !ok {
		return nil, false
	}
	for i, c := range cards {
		d.Cite("AWAW-48.71-A", "Japan reveals a strategic card")
		d.Cite("AWAW-48.71-D", "it serves no other purpose this turn")
		d.Record(Japan.Title(),
			&events.CardPlayed{Contest: contest, Deck: Magic.Name(), Card: string(c),
				Drawn: hand[i]}).Opens = []events.Ref{hand[i]}
	}
	return cards, true
}

// listedOrAsked gives cards as the entry lists them, else as a side chooses them.
func (d *decision) listedOrAsked(q *events.ChoiceAsked, listed *[]Card) ([]Card, bool) {
	if listed != nil {
		return *listed, true
	}
	words, ok := d.Choose(q)
	return cardsIn(words), ok && d.Add(checkChosen(words))
}

// listedOrAskedInSecret is listedOrAsked for cards that nobody may see yet.
func (d *decision) listedOrAskedInSecret(q *events.ChoiceAsked, field string,
	listed *rules.Known[json.RawMessage]) (rules.Known[[]Card], bool) {
	if listed == nil {
		words, ok := d.ChooseInSecret(q)
		return rules.Map(words, cardsIn), ok && d.Weigh(rules.Map(words, checkChosen))
	}
	cards := rules.Map(*listed, func(raw json.RawMessage) []Card {
		cards, _ := d.cardList(field, raw)
		return cards
	})
	return cards, !d.Refused()
}

// secretPlay is a play that is committed to and shown later.
type secretPlay struct {
	contest   uint64
	committed events.Ref
	cards     rules.Known[[]Card]
}

// pearlAmerica commits to the American cards: until the table has been read, not even their
// number shows (AMB-AWAW-22).
func (d *decision) pearlAmerica(contest uint64, listed *rules.Known[json.RawMessage]) (secretPlay, bool) {
	q := &events.ChoiceAsked{
		Question: "which strategic Magic cards does the U.S. play in secret for Pearl Harbor?",
		Of:       UnitedStates.Title(),
		Options:  []string{none, string(Strategic), string(Strategic), string(Strategic), string(Wild)},
		Most:     CardsDrawn, Rule: "AWAW-48.71-B",
	}
	const slot = "american cards"
	cards, ok := d.listedOrAskedInSecret(q, slot, listed)
	if !ok || !d.pearlCards(slot, UnitedStates, cards) {
		return secretPlay{}, false
	}
	d.Cite("AWAW-48.71-B", "the U.S. may play strategic cards in secret, whatever Japan did")
	d.Record(UnitedStates.Title(),
		&events.PlayCommitted{Contest: contest, Deck: Magic.Name()}).Secrets = []rules.Secret{{Slot: slot,
		Fact: rules.Map(cards, cardsText)}}
	return secretPlay{contest: contest, committed: events.Ref{Index: d.Last(), Slot: slot}, cards: cards}, true
}

// cardsText is the form in which cards are committed.
func cardsText(cards []Card) string {
	fact, _ := json.Marshal(texts(cards))
	return string(fact)
}

// pearlCards checks the cards of one side, and that it holds them.
func (d *decision) pearlCards(field string, f Faction, cards rules.Known[[]Card]) bool {
	return d.Weigh(rules.Map(cards,
		func(cards []Card) rules.Findings { return CheckPearlHarborCards(field, f, cards) })) &&
		d.Weigh(d.held(field, f, cards))
}

// pearlHand finds cards in the hand.
func (d *decision) pearlHand(f Faction, cards []Card) rules.Known[[]events.Ref] {
	left := slices.Clone(d.sideOf(f).hand)
	hand := rules.Fact([]events.Ref{})
	for _, c := range cards {
		slot := d.find(left, c)
		hand = rules.With(hand, slot, func(hand []events.Ref, at int) []events.Ref {
			left[at].used = true
			return append(hand, left[at].drawn)
		})
	}
	return hand
}

// locate rolls for the carriers; once the dice lie the American cards are shown, and the
// column that all cards give is read.
func (d *decision) locate(e pearlEntry, level int, japanese []Card, american secretPlay) (SurpriseOutcome, bool) {
	in := SurpriseInput{USJT: level, JapaneseCards: japanese}
	roll := &events.RollDeclared{Purpose: "locate American carriers", Subject: "Pearl Harbor"}
	for _, name := range e.TaskForces {
		in.CarrierTaskForces = append(in.CarrierTaskForces, CarrierTaskForce{Name: name})
		roll.Throws = append(roll.Throws,
			events.Throw{Name: name, Side: UnitedStates.Title(), Dice: 2, Sides: 6, Table: TablePearlHarbor})
	}
	d.Cite("AWAW-51.31-B", "two dice for each American carrier TF; the roll itself has no modifier")
	var dice [][]int
	ok := true
	if len(roll.Throws) > 0 { // without a carrier TF only the level of surprise is rolled for
		if dice, ok = d.Roll(UnitedStates.Title(), roll); !ok {
			return SurpriseOutcome{}, false
		}
	}
	for i := range in.CarrierTaskForces {
		in.CarrierTaskForces[i].Dice = dice[i]
	}
	if in.AmericanCards, ok = d.showAmerican(american); !ok {
		return SurpriseOutcome{}, false
	}
	d.Record(Japan.Title(), &events.ContestSettled{
		Contest: american.contest, Kind: pearlContest, Acting: Japan.Title(), Opposing: UnitedStates.Title(),
		ActingCards: len(japanese), OpposingCards: len(in.AmericanCards),
		Effects: []events.Figure{{Name: "effective USJT",
			Value: EffectiveUSJT(level, len(japanese), len(in.AmericanCards))}}, Subject: "Pearl Harbor",
	})
	out, f := Surprise(in)
	if !d.Add(f) {
		return out, false
	}
	p := &events.ResultAdjudicated{
		Procedure: procedureSurprise, Subject: "Pearl Harbor", Attacker: Japan.Title(),
		Defender: UnitedStates.Title(),
		Figures: []events.Figure{{Name: "effective USJT", Value: out.EffectiveUSJT}, {Name: "column", Text: out.Column},
			{Name: "surprise DRM", Value: out.SurpriseDRM}},
	}
	if len(roll.Throws) > 0 {
		p.Declared = d.Declared()
	}
	for i, tf := range out.TaskForces {
		p.Readings = append(p.Readings, events.Reading{
			Name: tf.Name, Side: UnitedStates.Title(), Table: TablePearlHarbor, Dice: dice[i], Total: tf.DiceTotal,
			Modified: tf.DiceTotal,
			Column:   out.Column, Rows: []int{tf.DiceTotal}, First: tf.Location.Distance(), Result: string(tf.Location),
		})
	}
	d.Record(Japan.Title(), p)
	return out, true
}

// showAmerican discloses the secret play once the dice lie.
func (d *decision) showAmerican(play secretPlay) ([]Card, bool) {
	cards, ok := rules.Value(d.Hearing, play.cards)
	if !ok {
		return nil, false
	}
	hand, ok := rules.Value(d.Hearing, d.pearlHand(UnitedStates, cards))
	if !ok {
		return nil, false
	}
	d.Cite("AWAW-48.71-B", "the table has been read, so the American cards are shown")
	d.Record(UnitedStates.Title(), &events.Opened{
		Event: play.committed.Index, Slot: play.committed.Slot, Fact: cardsText(cards),
		Reason: "the table has been read",
	}).Opens = []events.Ref{play.committed}
	for i, c := range cards {
		p := &events.CardPlayed{Contest: play.contest, Deck: Magic.Name(), Card: string(c), Drawn: hand[i]}
		if c == Wild {
			p.As = string(Strategic)
			d.Cite("AWAW-48.22-E", "the wild card counts as a strategic card")
		}
		d.Cite("AWAW-48.71-D", "it serves no other purpose this turn")
		d.Record(UnitedStates.Title(), p).Opens = []events.Ref{hand[i]}
	}
	return cards, true
}

// rollSurprise rolls the one Japanese die for the level of surprise.
func (d *decision) rollSurprise(e pearlEntry, out SurpriseOutcome) bool {
	modifiers := []events.Modifier{{Name: "column " + out.Column, Value: out.SurpriseDRM, Rule: "AWAW-51.31-E"}}
	if e.Modifiers != 0 {
		modifiers = append(modifiers,
			events.Modifier{Name: "other modifiers", Value: e.Modifiers, Rule: "AWAW-51.31-8"})
	}
	net := out.SurpriseDRM + e.Modifiers
	d.Cite("AWAW-51.31-E", "one Japanese die at %+d gives the level of surprise", net)
	dice, ok := d.Roll(Japan.Title(), &events.RollDeclared{
		Purpose: "level of surprise", Subject: "Pearl Harbor", Modifiers: modifiers, Net: net,
		Throws: []events.Throw{{Name: "surprise", Side: Japan.Title(), Dice: 1, Sides: 6, Modifier: net}},
	})
	if !ok {
		return false
	}
	level, f := SurpriseLevel(SurpriseLevelInput{EffectiveUSJT: out.EffectiveUSJT, Die: dice[0][0],
		OtherModifiers: e.Modifiers, DefendingAir: e.DefendingAir, Options: d.rulesOptions()})
	if !d.Add(f) {
		return false
	}
	d.Record(Japan.Title(), &events.ResultAdjudicated{
		Procedure: "awaw.pearl-harbor.level", Subject: "Pearl Harbor", Attacker: Japan.Title(),
		Defender: UnitedStates.Title(), Modifiers: modifiers, Net: net, Declared: d.Declared(),
		Readings: []events.Reading{{Name: "surprise", Side: Japan.Title(), Table: TablePearlHarbor, Dice: dice[0],
			Total: dice[0][0], Modified: level.Level, Column: out.Column, First: level.Level, Result: level.Row}},
		Figures: level.figures(),
	})
	return true
}

func (out SurpriseLevelOutcome) figures() []events.Figure {
	return []events.Figure{
		{Name: "level", Value: out.Level}, {Name: "row", Text: out.Row},
		{Name: "AAF engaging", Value: out.Engaging.AAF}, {Name: "NAS engaging", Value: out.Engaging.NAS},
		{Name: "AAF surprised", Value: out.Surprised.AAF}, {Name: "NAS surprised", Value: out.Surprised.NAS},
		{Name: "naval factors of surprised AAF", Value: out.SurprisedNavalFactors.AAF},
		{Name: "naval factors of surprised NAS", Value: out.SurprisedNavalFactors.NAS},
		{Name: "NAS left over", Value: out.SurprisedNavalFactors.NASLeftOver},
		{Name: "American air defense roll", Value: oneIf(out.AmericanAirDefenseRoll)},
		{Name: "American air defense level change", Value: out.AmericanAirDefenseLevelChange},
		{Name: "Japanese attack DRM", Value: out.JapaneseAttackDRM},
		{Name: "damage triggers critical hit", Value: oneIf(out.DamageTriggersCriticalHit)},
	}
}

// secondStrike lets the TFs at sea try to meet a second air strike (51.31-D).
func (d *decision) secondStrike(e pearlEntry, out SurpriseOutcome) {
	roll := &events.RollDeclared{Purpose: "meet the second air strike", Subject: "Pearl Harbor"}
	for _, tf := range out.TaskForces {
		tries := e.Intercept == nil || slices.Contains(*e.Intercept, tf.Name)
		if tries && tf.Location.Distance() > 0 { // in harbor or in a U.S. box it may not, on auto it need not
			roll.Throws = append(roll.Throws,
				events.Throw{Name: tf.Name, Side: UnitedStates.Title(), Dice: 1, Sides: 6})
		}
	}
	var dice [][]int
	if ok := true; len(roll.Throws) > 0 {
		d.Cite("AWAW-51.31-D", "a TF at sea meets the strike with a die of at least its distance")
		if dice, ok = d.Roll(UnitedStates.Title(), roll); !ok {
			return
		}
	}
	p := &events.ResultAdjudicated{
		Procedure: procedureSecondStrike, Subject: "Pearl Harbor", Attacker: Japan.Title(),
		Defender: UnitedStates.Title(),
	}
	if len(roll.Throws) > 0 {
		p.Declared = d.Declared()
	}
	if len(out.TaskForces) == 0 {
		d.Cite("AWAW-51.31-D", "no American carrier task force is left to meet it")
	}
	for _, tf := range out.TaskForces {
		die := 0
		for i, t := range roll.Throws {
			if t.Name == tf.Name {
				die = dice[i][0]
				p.Readings = append(p.Readings, events.Reading{
					Name: tf.Name, Side: UnitedStates.Title(), Dice: dice[i], Total: die, Modified: die,
					First: tf.Location.Distance(), Result: meets(InterceptsSecondStrike(tf.Location, die)),
				})
			}
		}
		p.Figures = append(p.Figures,
			events.Figure{Name: tf.Name, Text: meets(InterceptsSecondStrike(tf.Location, die))})
		d.Cite("AWAW-51.31-D", "%s (%s): %s", tf.Name, tf.Location, meets(InterceptsSecondStrike(tf.Location, die)))
	}
	d.Record(UnitedStates.Title(), p)
}

func meets(b bool) string {
	if b {
		return "intercepts"
	}
	return "does not intercept"
}
