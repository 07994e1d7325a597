package awaw

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// Ships, missions, task forces and what a contest is about have names that nobody lists. A name means one thing
// however it is written, and a ship is one ship whoever sails it.

// same reports whether two names mean one thing: apart from case, spaces, dots, and in the exact editions from all
// that is no letter or digit, from accents, and from the article or navy in front.
func (g game) same(a, b string) bool {
	if !rules.Exact(g.options) {
		return key(a) == key(b)
	}
	return rules.Bare(a) == rules.Bare(b)
}

// sameRound reports whether two subjects mean one round. Where none is said it is the first (48.51-A, 48.62).
func (g game) sameRound(a, b string) bool {
	if !rules.Exact(g.options) {
		return g.same(a, b)
	}
	first := func(subject string) string {
		subject = rules.Bare(subject)
		for _, round := range []string{"round1", "roundone", "firstround", "1stround"} {
			subject = strings.TrimSuffix(subject, round)
		}
		return subject
	}
	return first(a) == first(b)
}

// sortie is a harbor attack of a fast carrier, which inverts it (HA-CV-INVERT).
type sortie struct {
	power, name string
	index       uint64 // of its result
	turn        uint64
	port        string
	lost        bool // it was eliminated by it (HA-CV-LOST)
}

// sortieOf finds the harbor attack in which a carrier was eliminated, else its last one. Before the exact editions each
// power had ships of its own by that name.
func (g game) sortieOf(power Power, name string) (s sortie, sailed bool) {
	for past := range g.sorties.Backward() {
		if !g.same(past.name, name) || past.power != power.Title() && !rules.Exact(g.options) {
			continue
		}
		if !sailed || past.lost {
			s, sailed = past, true
		}
	}
	return s, sailed
}
