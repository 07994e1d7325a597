package awaw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// heldEntry is an entry `contest`.
type heldEntry struct {
	Contest heldContest          `json:"contest"`
	Cards   *[]map[string]string `json:"cards" of:"side" is:"card or pass" doc:"as put down; else the sides are asked"`
}

type heldContest struct {
	Kind     Contest `json:"kind" is:"contest"`
	Acting   Faction `json:"acting" is:"side"`
	Opposing Faction `json:"opposing,omitempty" is:"side"`
	Subject  string  `json:"subject" doc:"what it is about; of the search after a Magic interception its mission"`
	Box      Box     `json:"box,omitempty" is:"SW box" doc:"of raiders"`
	After    bool    `json:"after magic interception"`
	Russian  bool    `json:"russian operation"`
}

// holdContest is a contest for what is resolved outside these rules: its effect is reported.
func (d *decision) holdContest(entry heldEntry) {
	e := entry.Contest
	if e.Opposing == "" {
		e.Opposing = e.Acting.Opponent()
	}
	if e.Kind == RaidersContest && e.Box == "" {
		d.Named("SW box", "contest.box", "")
		return
	}
	if !d.followsMagic(&e) {
		return
	}
	in := CompareInput{Contest: e.Kind, Acting: e.Acting, Opposing: e.Opposing, Box: e.Box,
		RussianNavalOperation: e.Russian, AfterMagic: e.After}
	if !d.Add(CheckCompare(in)) || !d.cardsDrawn("contest", in.Acting.Deck()) || e.After && !d.intercepted() ||
		!d.inPlayerTurn(in.Acting) || !d.comparedOnce(in, e.Subject, entry.Cards) {
		return // all that forbids the contest, before anyone is asked for a card
	}
	if b, lasts := d.lasting(in); lasts {
		d.stand(b, in, e.Subject, entry.Cards)
		return
	}
	c := contestEntry{kind: in.Contest, acting: in.Acting, opposing: in.Opposing, subject: e.Subject, box: in.Box,
		after: e.After, cards: entry.Cards}
	if in.Box != "" {
		c.scope = []string{in.Box.Name()}
	}
	d.contest(c)
}

// inPlayerTurn refuses cards outside the player turns of the side and its opponent (48.21-D).
func (d *decision) inPlayerTurn(f Faction) bool {
	own, other := f.player(), f.Opponent().player()
	switch {
	case d.strict() && d.player != "" && d.player != own && d.player != other:
		d.ViolateField("contest", "AWAW-48.21-D", "%s cards are played in the player turns of %s and %s; it is now "+
			"that of %s", f.Deck().Name(), article(own), article(other), article(d.player))
	case d.player == "":
		d.ViolateField("contest", "AWAW-48.21-D",
			"cards are played in a player turn, and %s is in its research phase; begin one first, such as {id: …, "+
				"phase: movement, player: European Axis}", d.turn.Label)
	}
	return !d.Refused()
}

// intercepted wants a Magic interception this turn, which a search may follow (48.62).
func (d *decision) intercepted() bool {
	if _, found := d.battle(func(b battle) bool { return b.automatic > 0 }); !found {
		d.ViolateField("contest.after magic interception", "AWAW-48.62", "no task force has intercepted by Magic in %s",
			d.turn.Label)
	}
	return !d.Refused()
}

// cardsDrawn refuses cards of a deck that was not drawn this turn.
func (d *decision) cardsDrawn(field string, deck Deck) bool {
	if !d.drawn(deck) {
		rule := "AWAW-48.21-B"
		if deck == Magic {
			rule = "AWAW-48.21-B2"
		}
		d.ViolateField(field, rule, "no %s cards were drawn in %s, so none can be played", deck.Name(), d.turn.Label)
	}
	return !d.Refused()
}

// contestNamed reads the kinds that have an entry of their own elsewhere as unknown.
func contestNamed(name string) (Contest, bool) { return named(heldContests(), name) }

func heldContests() []Contest {
	return []Contest{OnboardSubmarineContest, SearchContest, NavalNationalityContest, InterceptionContest,
		RaidersContest}
}

func contestTitles() []string {
	return rules.Each(heldContests(), Contest.titleOf)
}

// magicEntry is an entry `magic interception`.
type magicEntry struct {
	Magic struct {
		Missions  []string  `json:"missions" doc:"that Japan has announced"`
		Defensive []string  `json:"defensive" doc:"those of them that are not offensive"`
		Elsewhere []string  `json:"elsewhere" doc:"those of them that are not on the Pacific front"`
		Intercept *[]string `json:"intercept" doc:"those intercepted; the U.S. is asked if it is left out"`
	} `json:"magic interception"`
	Cards *[]map[string]string `json:"cards" of:"side" is:"card or pass" doc:"as put down; else the sides are asked"`
}

// magicInterception lets the U.S. intercept Japanese missions without a roll: the cards first,
// the missions once the number is settled (48.61-C, C3).
func (d *decision) magicInterception(entry magicEntry) {
	all := entry.Magic.Missions
	unlike := slices.Compact(slices.Sorted(slices.Values(all)))
	if len(all) == 0 || len(unlike) != len(all) || slices.Contains(all, "") || slices.Contains(all, none) {
		d.ViolateField("magic interception.missions", rules.Input,
			"name the missions that Japan has announced, each once")
		return
	}
	for i, m := range all {
		again := d.nameIn(all[:i], m) >= 0 || d.exact() && slices.ContainsFunc(all[:i],
			func(before string) bool { return d.sameRound(before, m) })
		if d.carries() && (d.same(m, none) || again) { // GEN-UNIQUE
			d.ViolateField(fmt.Sprintf("magic interception.missions[%d]", i), rules.Input,
				"each mission needs a name of its own, not %q", m)
			return
		}
	}
	entry.Magic.Defensive, entry.Magic.Elsewhere = d.asAnnounced(all, entry.Magic.Defensive), d.asAnnounced(all,
		entry.Magic.Elsewhere)
	if entry.Magic.Intercept != nil {
		intercept := d.asAnnounced(all, *entry.Magic.Intercept)
		entry.Magic.Intercept = &intercept
	}
	missions, ok := d.open(entry)
	if !ok || !d.announced(missions, entry.Magic.Intercept) || !d.cardsDrawn("magic interception", Magic) ||
		!d.levelOpen() || !d.enterPhase(Japan.player(), "combat", "AWAW-48.61-C") {
		return
	}
	out, _, ok := d.contest(contestEntry{kind: MagicInterceptionContest, acting: UnitedStates, opposing: Japan,
		scope: missions, cards: entry.Cards})
	if !ok || out.AutomaticInterceptions == nil {
		return
	}
	n, listed := *out.AutomaticInterceptions, entry.Magic.Intercept
	if n == 0 {
		if listed != nil && slices.ContainsFunc(*listed, func(m string) bool { return m != none }) {
			d.Warn("no strategic card of the U.S. is unanswered, and no task force intercepts by Magic: the missions " +
				"of intercept stay out of the record (AWAW-48.61-C2)")
		}
		return
	}
	if listed != nil && len(*listed) > n && entry.Cards == nil {
		listed = nil // named beforehand: the U.S. is asked again, else no card could be put down any more
	}
	chosen, ok := d.missions(missions, listed, n)
	if ok && d.announced(missions, &chosen) && len(chosen) > n {
		d.ViolateField("magic interception.intercept", "AWAW-48.61-C2",
			"%s: not more task forces intercept than that; %d are named", words.Count(n, "unopposed strategic card"),
			len(chosen))
	}
}

// asAnnounced gives names as they were announced, where they are written otherwise.
func (d *decision) asAnnounced(announced, names []string) []string {
	names = slices.Clone(names)
	for i, name := range names {
		if at := d.nameIn(announced, name); at >= 0 {
			names[i] = announced[at]
		} else if nothing(name) {
			names[i] = none
		}
	}
	return names
}

// open gives the missions that Magic may intercept: offensive ones on the Pacific front (48.22-D).
func (d *decision) open(entry magicEntry) (missions []string, ok bool) {
	m := entry.Magic
	barred := slices.Concat(m.Defensive, m.Elsewhere)
	for _, name := range barred {
		if !slices.Contains(m.Missions, name) {
			d.ViolateField("magic interception.missions", rules.Input, "%q is no announced mission", name)
			return nil, false
		}
	}
	for _, name := range m.Missions {
		if !slices.Contains(barred, name) {
			missions = append(missions, name)
		}
	}
	const rule, only = "AWAW-48.22-D", "Magic intercepts offensive missions on the Pacific front"
	if m.Intercept != nil {
		for i, name := range *m.Intercept {
			if slices.Contains(barred, name) {
				field := fmt.Sprintf("magic interception.intercept[%d]", i)
				d.ViolateField(field, rule, "%s, and %s is none", only, name)
			}
		}
	}
	if len(missions) == 0 {
		d.ViolateField("magic interception.missions", rule, "%s, and none of these is one", only)
	}
	return missions, !d.Refused()
}

// levelOpen refuses a second Magic interception in a turn: its level has been determined (48.61-C3).
func (d *decision) levelOpen() bool {
	settled := func(b battle) bool { return b.kind == MagicInterceptionContest.titleOf() }
	if b, again := d.battle(settled); again && d.carries() {
		d.ViolateField("magic interception", ruleMissions,
			"the Magic interception level of %s is settled (event %d), and the missions are named", d.turn.Label,
			b.index)
	}
	kinds := []string{InterceptionContest.titleOf(), SearchContest.titleOf()}
	if d.exact() {
		kinds = append(kinds, NavalNationalityContest.titleOf())
	}
	late := func(b battle) bool {
		return b.acting.Deck() == Magic && b.player == Japan.player() && b.stage == "combat" &&
			slices.Contains(kinds, b.kind)
	}
	if b, fought := d.battle(late); fought && d.strict() {
		d.ViolateField("magic interception", "AWAW-48.61-C", "Magic interception comes as soon as Japan has announced "+
			"its missions, and in this combat phase the cards for %s were compared already (event %d)", b.kind, b.index)
	}
	if b, struck := d.battle(func(b battle) bool { return b.kind == pearlContest }); struck {
		d.Warn("Magic interception comes as soon as Japan has announced its missions, and the attack on Pearl Harbor "+
			"has been resolved already (event %d)", b.index)
	}
	return !d.Refused()
}

// announced refuses missions to intercept that Japan has not announced.
func (d *decision) announced(missions []string, listed *[]string) bool {
	if listed == nil {
		return true
	}
	if len(*listed) > 1 && slices.Contains(*listed, none) {
		d.ViolateField("magic interception.intercept", rules.Input,
			"%s stands alone: it means that no mission is intercepted", none)
	}
	for i, m := range *listed {
		if m != none && !slices.Contains(missions, m) {
			d.ViolateField(fmt.Sprintf("magic interception.intercept[%d]", i), rules.Input,
				"%q is no announced mission", m)
		}
	}
	return !d.Refused()
}

// ruleMissions is the rule by which the U.S. names missions.
const ruleMissions = "AWAW-48.61-C3"

// missions gives the missions that the U.S. intercepts: as listed, else as asked.
func (d *decision) missions(missions []string, listed *[]string, most int) ([]string, bool) {
	offered := missions
	if d.carries() { // several task forces may meet one mission (48.63-E)
		offered = slices.Repeat(missions, most)
	}
	q := &events.ChoiceAsked{
		Question: fmt.Sprintf("which of the announced missions do American task forces intercept? %d at most.", most),
		Of:       UnitedStates.Title(), Options: append(slices.Clone(offered), none), Most: most,
		Rule: ruleMissions,
	}
	d.Cite(ruleMissions, "the missions are named once the number is settled")
	if listed == nil {
		return d.Choose(q)
	}
	d.Record(q.Of, q)
	d.Record(q.Of, &events.ChoiceMade{Asked: d.Last(), Options: *listed})
	return *listed, true
}

// titleOf gives the contest's kind as events show it.
func (c Contest) titleOf() string { return strings.ReplaceAll(string(c), "_", " ") }

// timing is the rule that says when the cards of a contest are played (48.31).
func (c Contest) timing() string {
	switch c {
	case SubmarineWarfareContest, OnboardSubmarineContest:
		return "AWAW-48.31-A"
	case SearchContest, NavalNationalityContest, HarborAttackContest:
		return "AWAW-48.31-C"
	}
	return "AWAW-48.31-D"
}

// order is the rule that says in which order they are played (48.32).
func (c Contest) order() string {
	switch c.timing() {
	case "AWAW-48.31-A":
		return "AWAW-48.32-A"
	case "AWAW-48.31-C":
		return "AWAW-48.32-B"
	}
	return "AWAW-48.32-C"
}
