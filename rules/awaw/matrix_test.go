package awaw

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestMatrix plays every cell of testdata/matrix.txt (GEN-CARRY).
func TestMatrix(t *testing.T) {
	rulestest.Matrix{Always: []string{"5", "4", "3"}, Open: dealt, Answers: choices}.Hold(t)
}

// choices reads answers, one behind the other: "first | Hood".
func choices(text string) []rules.Answer {
	return rules.Each(strings.Split(text, " | "), func(option string) rules.Answer {
		return rules.Answer{Options: []string{option}}
	})
}

// dealt is a campaign of an edition in Winter 1941, after Japan declared war, in which each side has drawn a hand.
func dealt(t *testing.T, edition string) *rulestest.Harness {
	t.Helper()
	c := rulestest.OpenOn(t, System(), edition, nil, map[string]string{"result_meaning": "eliminated_inverted"})
	c.Stand("turn", `{"turn":"Winter 1941"}`)
	c.Stand("declare war", `{"declare war":{"by":"Japan","on":"United States","usjt":33}}`)
	for _, hand := range [][]string{{"European Axis", "submarine tactical strategic blank"},
		{"Britain", "asw tactical strategic blank"}, {"Japan", "submarine tactical strategic strategic"},
		{"United States", "strategic wild tactical asw"}} {
		f, _ := factionNamed(hand[0])
		c.Record(rules.Command{ID: "hand"}, handed(c, f, strings.Fields(hand[1])...))
	}
	return c
}
