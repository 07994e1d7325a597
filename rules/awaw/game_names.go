package awaw

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// The names that events and turn files use are the rulebook's, as people write them:
// "European Axis", "Ultra", "Indian Ocean". The types of this package are their short forms.

// title is the name behind a short form, standing alone: "European Axis".
func title[T ~string](short T) string {
	words := strings.Split(string(short), "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:min(1, len(w))]) + w[min(1, len(w)):]
	}
	return strings.Join(words, " ")
}

// named finds what a name means.
func named[T ~string](list []T, name string) (T, bool) {
	return rules.Find(list, func(short T) bool { return words.Plain(string(short)) == words.Plain(name) })
}

// Title is the faction's name standing alone, as events and turn files give it.
func (f Faction) Title() string { return title(f) }

// factionNamed reads a side's name. The Western Allies are Britain in Ultra and the United
// States in Magic (48.15-C), so that name alone is no faction. Germany and Italy are the European Axis: the German
// player draws for both (48.21-B).
func factionNamed(name string) (Faction, bool) {
	switch words.Plain(name) {
	case "axis", "eaxis", "germany", "italy":
		return EuropeanAxis, true
	case "us", "usa":
		return UnitedStates, true
	}
	return named(Factions(), name)
}

func deckNamed(name string) (Deck, bool) { return named([]Deck{Ultra, Magic}, name) }

func theaterNamed(name string) (Theater, bool) {
	return named([]Theater{TheaterEurope, TheaterPacific}, name)
}

func boxNamed(name string) (Box, bool) { return named(Boxes(), name) }

func cardNamed(name string) (Card, bool) { return named(Cards(), name) }

func portNamed(name string) (Port, bool) {
	plain := rules.Bare(name)
	if rest, saint := strings.CutPrefix(plain, "saint"); saint {
		plain = "st" + rest
	}
	return named(Ports(), plain)
}

// Title is the power's name as events and turn files give it.
func (p Power) Title() string { return title(p) }

// Powers gives the powers of the game.
func Powers() []Power {
	return []Power{PowerGermany, PowerItaly, PowerBritain, PowerFrance, PowerJapan, PowerUnitedStates, PowerRussia}
}

func powerNamed(name string) (Power, bool) {
	if words.Plain(name) == "us" || words.Plain(name) == "usa" {
		return PowerUnitedStates, true
	}
	return named(Powers(), name)
}

// player is the alliance faction whose player turn it is.
func (p Power) player() string {
	switch p {
	case PowerGermany, PowerItaly:
		return "European Axis"
	case PowerBritain, PowerFrance, PowerUnitedStates:
		return "Western Allies"
	}
	return p.Title()
}

// axis reports whether a power fights on the side of Germany, Italy and Japan.
func (p Power) axis() bool { return slices.Contains([]Power{PowerGermany, PowerItaly, PowerJapan}, p) }

func (f Faction) player() string {
	if f.WesternAllies() {
		return "Western Allies"
	}
	return f.Title()
}

// players take player turns.
func players() []string { return []string{"European Axis", "Western Allies", "Japan", "Russia"} }

// faction is the codebreaking faction that plays cards for the power against an opponent:
// the Western Allies are Britain against the European Axis and the U.S. against Japan.
func (p Power) faction(opponent Power) (Faction, bool) {
	switch p {
	case PowerGermany, PowerItaly:
		return EuropeanAxis, true
	case PowerJapan:
		return Japan, true
	case PowerBritain, PowerFrance, PowerUnitedStates:
		if opponent == PowerJapan {
			return UnitedStates, true
		}
		return Britain, true
	}
	return "", false
}

func factionTitles() []string {
	return rules.Each(Factions(), Faction.Title)
}

func powerTitles() []string {
	return rules.Each(Powers(), Power.Title)
}

func boxTitles() []string {
	return rules.Each(Boxes(), Box.Name)
}

func portTitles() []string {
	return rules.Each(Ports(), Port.Title)
}

// Title is the port's name as events and turn files give it.
func (p Port) Title() string {
	switch p {
	case StNazaire:
		return "St. Nazaire"
	case HawaiianPort:
		return "Hawaiian port"
	}
	return title(p)
}

func texts[T ~string](list []T) []string {
	out := []string{}
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}

// namesSoFar lists the names of a kind that nobody lists, as far as results have them.
func (g game) namesSoFar(kind string) (list []string) {
	add := func(name string) {
		if name != "" && !slices.ContainsFunc(list, func(has string) bool { return g.same(has, name) }) {
			list = append(list, name)
		}
	}
	switch kind {
	case "port":
		list = portTitles()
	case "likely turn":
		return likelyTurns()
	}
	for _, p := range g.places.Slice() {
		switch {
		case kind == "port" && p.harbor, kind == "bombing target" && !p.harbor:
			add(p.name)
		case kind == "ship":
			for _, name := range p.ships {
				add(name)
			}
		}
	}
	return list
}
