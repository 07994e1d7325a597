package awaw

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// Contest is an action into which both players of a deck may play cards.
type Contest string

// The contests (48.4, 48.5, 48.6). Pearl Harbor is not one: its cards are not compared.
const (
	SubmarineWarfareContest  Contest = "submarine_warfare"  // 48.41-A
	OnboardSubmarineContest  Contest = "onboard_submarine"  // 48.41-B
	SearchContest            Contest = "search"             // 48.51-A
	NavalNationalityContest  Contest = "naval_nationality"  // 48.51-B
	HarborAttackContest      Contest = "harbor_attack"      // 48.51-C
	InterceptionContest      Contest = "interception"       // 48.61-A
	RaidersContest           Contest = "raiders"            // 48.61-B
	MagicInterceptionContest Contest = "magic_interception" // 48.61-C
)

// Name is the contest's name in a sentence.
func (c Contest) Name() string {
	switch c {
	case SubmarineWarfareContest:
		return "submarine warfare in an SW box"
	case OnboardSubmarineContest:
		return "on-board submarine attacks"
	case SearchContest:
		return "search"
	case NavalNationalityContest:
		return "fleet combat or an on-board submarine attack"
	case HarborAttackContest:
		return "a harbor attack"
	case InterceptionContest:
		return "naval interception"
	case RaidersContest:
		return "raiders"
	case MagicInterceptionContest:
		return "Magic interception"
	}
	return string(c)
}

// Card is the type of card that a side plays into the contest. The acting side is the
// submarine side, the attacker, the interceptor or the raider's owner; submarine warfare and
// ASW cards answer each other, the other types answer their like (48.21-E).
func (c Contest) Card(acting bool) Card {
	switch c {
	case SubmarineWarfareContest, OnboardSubmarineContest:
		if acting {
			return Submarine
		}
		return ASW
	case SearchContest, NavalNationalityContest, HarborAttackContest:
		return Tactical
	}
	return Strategic
}

// SubmarineBoxes gives the SW boxes of a faction's submarine campaign (AMB-AWAW-3), none for
// Britain.
func SubmarineBoxes(f Faction) []Box {
	switch f {
	case EuropeanAxis:
		return []Box{Atlantic, IndianOcean}
	case Japan:
		return []Box{Pacific, IndianOcean}
	case UnitedStates:
		return []Box{Pacific}
	}
	return []Box{}
}

// CheckContest finds what forbids a contest between two factions, whatever they would play:
// different decks, a Russian naval operation, a Magic interception that is not American, a
// submarine campaign of a faction without one.
func CheckContest(contest Contest, acting, opposing Faction, russian bool) rules.Findings {
	var f rules.Findings
	if opposing == "" || acting.Opponent() != opposing {
		checkPair(&f, acting, opposing)
	}
	if russian {
		f.ViolateField("russian_naval_operation", acting.Deck().rule("AWAW-48.13-C", "AWAW-48.14-C"),
			"%s never affects a Russian naval operation", acting.Deck().Name())
		if opposing.Deck() != acting.Deck() {
			f.ViolateField("russian_naval_operation", opposing.Deck().rule("AWAW-48.13-C", "AWAW-48.14-C"),
				"%s never affects a Russian naval operation", opposing.Deck().Name())
		}
	}
	if contest == MagicInterceptionContest && acting != UnitedStates {
		f.ViolateField("acting", "AWAW-48.61-C", "only the U.S. intercepts by Magic, not %s", acting.Name())
		f.ViolateField("acting", "AWAW-48.22-D", "strategic cards intercept by themselves for the U.S. only")
	}
	if contest == SubmarineWarfareContest && len(SubmarineBoxes(acting)) == 0 {
		f.ViolateField("acting", "AWAW-48.22-A", "%s has no submarine campaign in an SW box", acting.Name())
		f.ViolateField("acting", "AWAW-SW-BOX", "no SW box is open to submarines of %s", acting.Name())
	}
	return f
}

// checkPair notes factions that are no opponents in one deck.
func checkPair(f *rules.Findings, acting, opposing Faction) {
	for _, deck := range []Deck{Ultra, Magic} {
		if acting.Deck() != deck && opposing.Deck() != deck {
			continue
		}
		players := "the European Axis and the Western Allies (Britain)"
		if deck == Magic {
			players = "Japan and the Western Allies (the U.S.)"
		}
		f.ViolateField("opposing", deck.rule("AWAW-48.13-B", "AWAW-48.14-B"),
			"%s affects operations between %s, not between %s and %s", deck.Name(), players, acting.Name(),
			opposing.Name())
	}
	if acting.WesternAllies() || opposing.WesternAllies() {
		f.ViolateField("opposing", "AWAW-48.15-C",
			"Britain plays Ultra and the U.S. plays Magic for the Western Allies")
	}
	f.ViolateField("opposing", "AWAW-48.21-A", "%s and %s do not face each other in one deck", acting.Name(),
		opposing.Name())
	if acting == opposing {
		f.ViolateField("opposing", rules.Input, "opposing: %s is given for both sides, two factions are expected",
			acting)
	} else {
		f.ViolateField("opposing", rules.Input, "opposing: %s is given, the other faction with %s cards is expected",
			opposing, acting.Deck().Name())
	}
}

// CheckPlay finds what forbids a faction to play one card into a contest, apart from whether
// it holds the card: a type that has no place there, or that the faction can never have.
func CheckPlay(contest Contest, acting bool, faction Faction, c Card) rules.Findings {
	var f rules.Findings
	wanted := contest.Card(acting)
	switch {
	case c == Blank: // 48.22-F: it changes nothing
		f.Violate(c.rule(), "a blank has no effect and is not played")
	case c == Wild && faction == UnitedStates:
		// 48.22-E: it stands for the card wanted
	case Prohibited(faction, c): // 48.22-A, 48.22-B, 48.22-E; 48.23-B, 48.23-C, 48.23-D
		f.Violate(c.rule(), "%s has no %s cards to play", faction.Name(), c.Name())
		f.Violate(prohibitionRule(faction), "%s may never have %s", faction.Name(), c.one())
	case c != wanted: // 48.22-A, 48.22-B, 48.22-C, 48.22-D, 48.22-E
		f.Violate(c.rule(), "%s plays %s cards into %s, %s has no place there", faction.Name(), wanted.Name(),
			contest.Name(), c.one())
	}
	return f
}

// CheckHand finds what no hand of four drawn cards can hold: more than four, two wild cards,
// more than three of a type that production adds, prohibited cards. It serves for cards held
// as well as for cards played in a turn; field names them in the refusal.
func CheckHand(field string, faction Faction, cards []Card) rules.Findings {
	var f rules.Findings
	if len(cards) > CardsDrawn { // 48.21-B
		f.ViolateField(field, "AWAW-48.21-B", "%s draws %d cards a turn and cannot have %d", faction.Name(), CardsDrawn,
			len(cards))
	}
	for _, c := range Cards() {
		n := count(cards, c)
		if n > 0 && Prohibited(faction, c) { // 48.22-A, 48.22-B, 48.22-E; 48.23-B, 48.23-C, 48.23-D
			f.ViolateField(field, c.rule(), "%s has no %s cards", faction.Name(), c.Name())
			f.ViolateField(field, prohibitionRule(faction), "%s may never have %s", faction.Name(), c.one())
			continue
		}
		if c == Wild && n > 1 { // 48.22-E, 48.242-C
			f.ViolateField(field, "AWAW-48.22-E", "there is one wild card in the American pool, not %d", n)
			f.ViolateField(field, "AWAW-48.242-C", "nobody selects a wild card, so there is never a second one")
		}
		if c != Wild && c != Blank && n > typeLimit { // 48.242-D
			f.ViolateField(field, "AWAW-48.242-D", "no pool holds more than %s, here are %d", c.several(typeLimit), n)
		}
	}
	return f
}

// CheckHeld finds cards played that are not in the hand; each serves once a turn (48.81).
func CheckHeld(field string, faction Faction, played, hand []Card) rules.Findings {
	var f rules.Findings
	for _, c := range Cards() {
		if n, held := count(played, c), count(hand, c); n > held {
			f.ViolateField(field, "AWAW-48.81", "%s plays %s and holds %d unused", faction.Name(), c.several(n), held)
		}
	}
	return f
}

// checkPlays checks all cards that one side put down. A nil hand is an unknown one.
func checkPlays(field string, contest Contest, acting bool, faction Faction, played, hand []Card) rules.Findings {
	var f rules.Findings
	for i, c := range played {
		if slices.Index(played, c) != i {
			continue // a second one of the type breaks nothing new
		}
		found := CheckPlay(contest, acting, faction, c)
		for _, v := range found.Violations {
			f.ViolateField(fmt.Sprintf("%s[%d]", field, i), v.Rule, "%s", v.Message)
		}
	}
	addNew(&f, CheckHand(field, faction, played))
	if hand != nil {
		f.Add(CheckHeld(field, faction, played, hand))
	}
	return f
}

// addNew adds the violations of rules that are not noted yet.
func addNew(f *rules.Findings, g rules.Findings) {
	for _, v := range g.Violations {
		if !slices.ContainsFunc(f.Violations, func(w rules.Violation) bool { return w.Rule == v.Rule }) {
			f.Violations = append(f.Violations, v)
		}
	}
}
