package awaw

import (
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// Faction is an alliance faction as far as codebreaking knows one (48.21-A): each has a
// card pool of its own. By convention (48.15-C) Britain stands for the Western Allies in
// Ultra and the United States for them in Magic.
type Faction string

// The factions.
const (
	EuropeanAxis Faction = "european_axis"
	Britain      Faction = "britain"
	Japan        Faction = "japan"
	UnitedStates Faction = "united_states"
)

// Factions gives the four factions in the order of table 48.23.
func Factions() []Faction { return []Faction{EuropeanAxis, Britain, Japan, UnitedStates} }

// Name is the faction's name in a sentence.
func (f Faction) Name() string {
	switch f {
	case EuropeanAxis:
		return "the European Axis"
	case Britain:
		return "Britain"
	case Japan:
		return "Japan"
	case UnitedStates:
		return "the U.S."
	}
	return string(f)
}

// Deck is the deck that the faction draws from: Ultra for the European Axis and Britain
// (48.12-A), Magic for Japan and the U.S. (48.12-B). It is empty for no faction.
func (f Faction) Deck() Deck {
	switch f {
	case EuropeanAxis, Britain:
		return Ultra
	case Japan, UnitedStates:
		return Magic
	}
	return ""
}

// Opponent is the other faction of the same deck.
func (f Faction) Opponent() Faction {
	switch f {
	case EuropeanAxis:
		return Britain
	case Britain:
		return EuropeanAxis
	case Japan:
		return UnitedStates
	case UnitedStates:
		return Japan
	}
	return ""
}

// WesternAllies reports whether the faction is Britain or the U.S.
func (f Faction) WesternAllies() bool { return f == Britain || f == UnitedStates }

// Deck is Ultra (European theater) or Magic (Pacific theater).
type Deck string

// The decks.
const (
	Ultra Deck = "ultra"
	Magic Deck = "magic"
)

// Name is the deck's name in a sentence.
func (d Deck) Name() string {
	if d == Ultra {
		return "Ultra"
	}
	return "Magic"
}

// other is the deck of the other theater.
func (d Deck) other() Deck {
	if d == Ultra {
		return Magic
	}
	return Ultra
}

// rule is the deck's one of two like rules, such as 48.13 and 48.14.
func (d Deck) rule(ultra, magic string) string {
	if d == Ultra {
		return ultra
	}
	return magic
}

// serves reports whether the deck affects naval operations in an SW box: each its own ocean,
// and both the Indian Ocean (48.13-B, 48.14-B).
func (d Deck) serves(b Box) bool {
	if d == Ultra {
		return b == Atlantic || b == IndianOcean
	}
	return b == Pacific || b == IndianOcean
}

// definition is the definition of the deck (48.12).
func (d Deck) definition() (rule, step string) {
	if d == Ultra {
		return "AWAW-48.12-A", "the European theater is Ultra's"
	}
	return "AWAW-48.12-B", "the Pacific theater is Magic's"
}

// Card is a type of card (48.22).
type Card string

// The six types of cards.
const (
	Submarine Card = "submarine"
	ASW       Card = "asw"
	Tactical  Card = "tactical"
	Strategic Card = "strategic"
	Wild      Card = "wild"
	Blank     Card = "blank"
)

// Cards gives the six types in the order in which a pool is laid out.
func Cards() []Card { return []Card{Submarine, ASW, Tactical, Strategic, Wild, Blank} }

// text is the card as it is committed to.
func (c Card) text() string { return string(c) }

// Name is the card's name in a sentence.
func (c Card) Name() string {
	switch c {
	case Submarine:
		return "submarine warfare"
	case ASW:
		return "ASW"
	}
	return string(c)
}

// one is the card with its article: "an ASW card".
func (c Card) one() string {
	if c == ASW {
		return "an ASW card"
	}
	return "a " + c.Name() + " card"
}

// several is a number of cards of the type: "1 tactical card", "2 tactical cards".
func (c Card) several(n int) string { return words.Count(n, c.Name()+" card") }

// rule is the paragraph of 48.22 that says what the card is for.
func (c Card) rule() string {
	switch c {
	case Submarine:
		return "AWAW-48.22-A"
	case ASW:
		return "AWAW-48.22-B"
	case Tactical:
		return "AWAW-48.22-C"
	case Strategic:
		return "AWAW-48.22-D"
	case Wild:
		return "AWAW-48.22-E"
	case Blank:
		return "AWAW-48.22-F"
	}
	return "AWAW-48.22"
}

// count counts the cards of one type.
func count(cards []Card, c Card) int {
	return rules.Count(cards, func(held Card) bool { return held == c })
}
