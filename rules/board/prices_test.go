package board_test

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// TestPrices: what units cost, and their repair, by the production rules of a power's frontier.
func TestPrices(t *testing.T) {
	b := triplea(t, "global1940")
	for unit, want := range map[string]int{"infantry": 3, "aaGun": 5, "cruiser": 12, "factory_upgrade": 20,
		"airfield": 15} {
		if got, ok := b.Price("Germans", unit); !ok || got != want {
			t.Errorf("%s costs %d, %v", unit, got, ok)
		}
	}
	if _, ok := b.Price("Chinese", "fighter"); ok {
		t.Error("China buys fighters")
	}
	if got, ok := b.RepairPrice("British", "harbour"); !ok || got != 1 {
		t.Errorf("a point of damage costs %d, %v", got, ok)
	}
	if _, ok := b.RepairPrice("Chinese", "harbour"); ok {
		t.Error("China repairs")
	}
}

// TestOddPrices: a rule that does not take PUs alone and give one unit has no price, and a board opens all the same.
func TestOddPrices(t *testing.T) {
	const rule = `<productionRule name=%q><cost resource=%q quantity=%q/><result resourceOrUnit=%q quantity=%q/>` +
		`</productionRule>`
	var rules, members string
	for i, r := range [][4]string{{"PUs", "3", "man", "1"}, {"PUs", "2", "man", "1"}, {"Oil", "3", "oiler", "1"},
		{"PUs", "x", "gun", "1"}, {"PUs", "9", "pair", "2"}} {
		rules += fmt.Sprintf(rule, fmt.Sprint(i), r[0], r[1], r[2], r[3])
		members += fmt.Sprintf(`<frontierRules name="%d"/>`, i)
	}
	game := `<game><info name="Prices"/><map><territory name="Home"/></map>
		<playerList><player name="Blue"/></playerList><production><productionRule/>` + rules +
		`<productionFrontier name="f">` + members + `<frontierRules name="none"/></productionFrontier>` +
		`<playerProduction player="Blue" frontier="f"/>
		<playerProduction player="Nobody" frontier="g"/></production></game>`
	b := read(t, board.File{Name: "game.xml", Data: []byte(game)})
	if got, ok := b.Price("Blue", "man"); !ok || got != 3 {
		t.Errorf("a man costs %d, %v", got, ok)
	}
	for _, unit := range []string{"oiler", "gun", "pair", ""} {
		if got, ok := b.Price("Blue", unit); ok {
			t.Errorf("%q costs %d", unit, got)
		}
	}
}
