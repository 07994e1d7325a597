package awaw

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// The names that events and turn files use are the rulebook's, as people write them:
// "European Axis", "Ultra", "Indian Ocean". The types of this package are their short forms.

// Title is the faction's name standing alone, as events and turn files give it.
func (f Faction) Title() string {
	switch f {
	case EuropeanAxis:
		return "European Axis"
	case Japan:
		return "Japan"
	case Britain:
		return "Britain"
	case UnitedStates:
		return "United States"
	}
	return ""
}

// factionNamed reads a side's name. The Western Allies are Britain in Ultra and the United
// States in Magic (48.15-C), so that name alone is no faction.
func factionNamed(name string) (Faction, bool) {
	switch key(name) {
	case "europeanaxis", "axis", "eaxis":
		return EuropeanAxis, true
	case "britain":
		return Britain, true
	case "japan":
		return Japan, true
	case "unitedstates", "us", "usa":
		return UnitedStates, true
	}
	return "", false
}

func deckNamed(name string) (Deck, bool) {
	switch key(name) {
	case "ultra":
		return Ultra, true
	case "magic":
		return Magic, true
	}
	return "", false
}

func theaterNamed(name string) (Theater, bool) {
	t := Theater(key(name))
	return t, t == TheaterEurope || t == TheaterPacific
}

func boxNamed(name string) (Box, bool) {
	for _, b := range Boxes() {
		if key(b.Name()) == key(name) {
			return b, true
		}
	}
	return "", false
}

func cardNamed(name string) (Card, bool) {
	return rules.Find(Cards(), func(c Card) bool { return string(c) == key(name) })
}

func portNamed(name string) (Port, bool) {
	return rules.Find(Ports(), func(p Port) bool { return key(string(p)) == key(name) })
}

// Title is the power's name as events and turn files give it.
func (p Power) Title() string {
	switch p {
	case PowerGermany:
		return "Germany"
	case PowerItaly:
		return "Italy"
	case PowerBritain:
		return "Britain"
	case PowerFrance:
		return "France"
	case PowerJapan:
		return "Japan"
	case PowerUnitedStates:
		return "United States"
	case PowerRussia:
		return "Russia"
	}
	return ""
}

// Powers gives the powers of the game.
func Powers() []Power {
	return []Power{PowerGermany, PowerItaly, PowerBritain, PowerFrance, PowerJapan, PowerUnitedStates, PowerRussia}
}

func powerNamed(name string) (Power, bool) {
	if key(name) == "us" || key(name) == "usa" {
		return PowerUnitedStates, true
	}
	return rules.Find(Powers(), func(p Power) bool { return key(p.Title()) == key(name) })
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

// key makes names compare as people mean them: case, spaces, dots and underscores apart.
func key(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.', '\'':
			return -1
		}
		return r
	}, strings.ToLower(name))
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
	case LaRochelle:
		return "La Rochelle"
	case LaCoruna:
		return "La Coruna"
	case HawaiianPort:
		return "Hawaiian port"
	case "":
		return ""
	}
	return strings.ToUpper(string(p[:1])) + string(p[1:])
}

func texts[T ~string](list []T) []string {
	out := []string{}
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}
