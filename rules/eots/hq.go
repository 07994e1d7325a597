package eots

import (
	"slices"
	"strings"
)

// HQ is an American HQ seen from a hex. Range and distance are in hexes.
type HQ struct {
	Name            string `json:"name"`
	ActivationRange int    `json:"activation_range"`
	Distance        int    `json:"distance"`

	gone bool // from the map: it is near nothing, not even where it stood
}

// halfRange is half an activation range, fractions rounded up (EOTS-11.21.C-HQ).
func halfRange(activation int) int { return (activation + 1) / 2 }

// InHalfRange names the HQs within half of whose activation range the hex lies, as given.
func InHalfRange(hqs []HQ) []string {
	near := []string{}
	for _, q := range hqs {
		if !q.gone && q.Distance <= halfRange(q.ActivationRange) {
			near = append(near, q.Name)
		}
	}
	return near
}

// OwnHQs gives each base an HQ of its own out of those near it, by its place in the list. It
// reports false if there is no such assignment, and then gives as many as there can be, with empty
// names for the rest (EOTS-11.21.C-UNIQUE).
func OwnHQs(near [][]string) (own []string, ok bool) {
	m := matching{near: near, own: make([]string, len(near))}
	ok = true
	for base := range near {
		m.tried = nil
		ok = m.assign(base) && ok
	}
	return m.own, ok
}

// matching is an assignment under way: a base that finds its HQs taken makes one of the others
// look for another, so that the assignment found is as large as any (augmenting paths).
type matching struct {
	near  [][]string
	own   []string
	tried []string
}

func (m *matching) assign(base int) bool {
	for _, hq := range m.near[base] {
		same := func(other string) bool { return strings.EqualFold(other, hq) } // one HQ in any spelling
		if slices.ContainsFunc(m.tried, same) {
			continue
		}
		m.tried = append(m.tried, hq)
		holder := slices.IndexFunc(m.own, same)
		if holder < 0 || m.assign(holder) {
			m.own[base] = hq
			return true
		}
	}
	return false
}

// unexamined stands for the HQ of a base that is off the map or out of play: something else is wrong with it.
func unexamined(base string) string { return "that of " + base }

// sharing says in words which bases have to share, for a refusal.
func sharing(names []string, near [][]string) string {
	var parts []string
	for i, name := range names {
		hqs := strings.Join(near[i], " or ")
		switch hqs {
		case unexamined(name):
			continue
		case "":
			hqs = "none"
		}
		parts = append(parts, name+" has "+hqs)
	}
	return strings.Join(parts, ", ")
}
