package g40

import "strings"

// Power is a power by the rulebook's name.
type Power string

// The powers, in the rulebook's order of play.
const (
	Germany       Power = "Germany"
	SovietUnion   Power = "Soviet Union"
	Japan         Power = "Japan"
	UnitedStates  Power = "United States"
	China         Power = "China"
	UnitedKingdom Power = "United Kingdom"
	Italy         Power = "Italy"
	ANZAC         Power = "ANZAC"
	France        Power = "France"
)

// otherNames are what boards and players call the powers.
var otherNames = map[Power][]string{
	Germany:       {"german", "germans"},
	SovietUnion:   {"russia", "russian", "russians", "soviets", "ussr"},
	Japan:         {"japanese"},
	UnitedStates:  {"us", "usa", "american", "americans", "united states of america"},
	China:         {"chinese"},
	UnitedKingdom: {"uk", "british", "britain", "great britain"},
	Italy:         {"italian", "italians"},
	ANZAC:         {"australia", "australian", "australians"},
	France:        {"french"},
}

func powers() []Power {
	return []Power{Germany, SovietUnion, Japan, UnitedStates, China, UnitedKingdom, Italy, ANZAC, France}
}

// plainName is a name without regard to case and to how its words are joined.
func plainName(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name),
		func(r rune) bool { return r == ' ' || r == '_' || r == '-' || r == '.' }), " ")
}

// PowerNamed gives the power that a name means: "united_kingdom", "UK" and "British" are the
// United Kingdom. It reports false for a name of no power.
func PowerNamed(name string) (Power, bool) {
	p, ok := powersByName[plainName(name)]
	return p, ok
}

var powersByName = func() map[string]Power {
	all := map[string]Power{}
	for _, p := range powers() {
		for _, name := range append(otherNames[p], plainName(string(p))) {
			all[name] = p
		}
	}
	return all
}()

// Axis reports whether the power is one of the three Axis powers.
func (p Power) Axis() bool { return p == Germany || p == Japan || p == Italy }

// samePower reports whether two names mean one power; names of no power are compared as such.
func samePower(a, b string) bool {
	p, ok := PowerNamed(a)
	q, known := PowerNamed(b)
	if ok && known {
		return p == q
	}
	return ok == known && plainName(a) == plainName(b)
}
