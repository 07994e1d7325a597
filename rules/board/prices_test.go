package board_test

import (
	"strings"
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
	const game = `<game><info name="Prices"/><map><territory name="Home"/></map>
		<playerList><player name="Blue"/></playerList><production>
		<productionRule name="a"><cost resource="PUs" quantity="3"/><result resourceOrUnit="man" quantity="1"/></productionRule>
		<productionRule name="b"><cost resource="PUs" quantity="2"/><result resourceOrUnit="man" quantity="1"/></productionRule>
		<productionRule name="c"><cost resource="Oil" quantity="3"/><result resourceOrUnit="oiler" quantity="1"/></productionRule>
		<productionRule name="d"><cost resource="PUs" quantity="x"/><result resourceOrUnit="gun" quantity="1"/></productionRule>
		<productionRule name="e"><cost resource="PUs" quantity="9"/><result resourceOrUnit="pair" quantity="2"/></productionRule>
		<productionRule/>
		<productionFrontier name="f"><frontierRules name="a"/><frontierRules name="b"/><frontierRules name="c"/>
		<frontierRules name="d"/><frontierRules name="e"/><frontierRules name="none"/></productionFrontier>
		<playerProduction player="Blue" frontier="f"/><playerProduction player="Nobody" frontier="g"/></production></game>`
	b := read(t, board.File{Name: "game.xml", Data: []byte(strings.TrimSpace(game))})
	if got, ok := b.Price("Blue", "man"); !ok || got != 3 {
		t.Errorf("a man costs %d, %v", got, ok)
	}
	for _, unit := range []string{"oiler", "gun", "pair", ""} {
		if got, ok := b.Price("Blue", unit); ok {
			t.Errorf("%q costs %d", unit, got)
		}
	}
}
