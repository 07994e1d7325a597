package g40

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestMatrix plays every cell of testdata/matrix.txt (GEN-CARRY).
func TestMatrix(t *testing.T) {
	rulestest.Matrix{Always: []string{"12", "11", "9"}, Otherwise: []string{"7"}, Quiet: "before its time",
		Answers: answered, Open: func(t *testing.T, edition string) *rulestest.Harness {
			alike := map[string]string{OptionAirBattle: "interceptors_fire_after", OptionInterceptorHitsOn: "2",
				OptionStrategicBomberBonus: "0"} // in all editions
			c := rulestest.OpenOn(t, System(), edition, rulestest.Board(t, "two-oceans"), alike)
			c.Stand("turn", `{"turn":"Round 1"}`)
			return c
		}}.Hold(t)
}

// answered reads dice and answers, one behind the other: "1 6 / 2 | escort".
func answered(text string) (answers []rules.Answer) {
	for _, throw := range strings.Split(text, "|") {
		word := func(s string) bool { _, err := strconv.Atoi(s); return err != nil }
		switch n := strings.Fields(strings.ReplaceAll(throw, "/", " ")); {
		case len(n) == 0:
		case slices.ContainsFunc(n, word):
			answers = append(answers, chosen(strings.TrimSpace(throw)))
		default:
			answers = append(answers, dice(throws(throw)...))
		}
	}
	return answers
}

// throws are dice, those of one throw apart from those of the next by a /.
func throws(text string) [][]int {
	var list [][]int
	for _, throw := range strings.Split(text, "/") {
		dice := []int{}
		for _, n := range strings.Fields(throw) {
			d, _ := strconv.Atoi(n)
			dice = append(dice, d)
		}
		list = append(list, dice)
	}
	return list
}
