package replay_test

import (
	"testing"

	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// Dice thrown again may be more rolls, or fewer, than those that they replace: the record still tries.
func TestThrownAgainInOtherRolls(t *testing.T) {
	c := newHost(t).open("rolls", "rolls", nil)
	c.submit(`
turn: Summer 1943
facts:
  air nationality: {Britain: 1, Germany: 2}
  radar: {Germany: 2}
  air defense: {Germany: 1}
  bomber results: {Britain: 2}
entries:
  - id: essen
    strategic bombing: {target: Essen, attacker: Britain, defender: Germany, bombers: 9,
      excess range: 15, defense: {flak: 4}}
`)
	for _, text := range []string{
		"code: again\nreason: air combat too\ndice: thrown again\nreplace: {strategic bombing: {air combat: " +
			"{attacker: 35, defender: 8}}}\n",
		"code: again\nreason: no air combat after all\ndice: thrown again\nreplace: {strategic bombing: {bombers: 8, " +
			"air combat: null}}\n",
	} {
		k, err := turnfile.ParseCorrection("k.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		event := c.lastOf("Summer 1943/essen", "roll_declared")
		a, err := c.umpire.Correct(c.id.ID, review.Correction{
			Event: event, Code: k.Code, Reason: k.Reason, Source: []byte(text), Replace: k.Apply,
			Dice: review.DiceRuling{Again: k.Dice.Again},
		})
		if err != nil || a.Events == 0 {
			t.Fatalf("%+v, %v", a, err)
		}
		if findings, _ := c.tried(); len(findings) > 0 {
			t.Errorf("%s: %v", k.Reason, findings)
		}
		if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
			t.Error(err)
		}
	}
}
