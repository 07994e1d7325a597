package eots

import (
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestMatrix plays every cell of testdata/matrix.txt (AMB-EOTS-14).
func TestMatrix(t *testing.T) {
	rulestest.Matrix{Always: []string{"5", "4", "3"}, Answers: diceAndChoices,
		Open: func(t *testing.T, edition string) *rulestest.Harness {
			return rulestest.OpenOn(t, System(), edition, nil, nil)
		}}.Hold(t)
}

// diceAndChoices reads answers, one behind the other: "1 asp".
func diceAndChoices(text string) []rules.Answer {
	return rules.Each(strings.Fields(text), func(word string) rules.Answer {
		if face, err := strconv.Atoi(word); err == nil {
			return die(face)
		}
		return says(word)
	})
}
