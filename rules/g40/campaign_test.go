package g40

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestOpenOnRealBoard: the powers in their order of play; the United Kingdom is one with two
// treasuries (G40-UK-COLLECT).
func TestOpenOnRealBoard(t *testing.T) {
	c := rulestest.Open(t, System(), rulestest.TripleA(t, "global1940"), nil)
	var opened events.CampaignOpened
	if !c.Log()[0].Read(&opened) || fmt.Sprint(opened.Sides) != "[Germany Russia Japan US China UK Italy ANZAC France]" ||
		fmt.Sprint(opened.Treasuries) != "[{Germany 30} {Russia 37} {Japan 26} {US 52} {China 12} {UK Europe 28} {UK Pacific 17} {Italy 10} {ANZAC 10} {France 19}]" ||
		len(opened.Options) != len(OptionList()) {
		t.Errorf("%+v", opened)
	}
	c.Stand("turn", `{"turn":"Round 1"}`)
	c.Stand("facts", `{"facts":{"control":{"Malta":"Italy","India":"UK Pacific"},"at war":{"Japan":["China"]},"technologies":{"Germany":["rockets"]},
		"facilities":{"Malta":["air base"],"Egypt":{"minor ic":2,"naval base":{"damage":3,"operative":false}}},"units":{"Germany":{"SZ 109":{"submarines":2,"aircraft carrier":1}}},
		"economies":{"Java":"UK Pacific"},"convoys":{"SZ 2":1},"treasury":{"UK Europe":3}}}`)
	g := c.Game().(game)
	for territory, want := range map[string]Economy{"India": Pacific, "Java": Pacific, "Egypt": Europe, "Philippines": Pacific, "Germany": Europe} {
		s, err := g.Board.Territory(territory)
		if got := g.economyOf(s); err != nil || got != want {
			t.Errorf("%s falls under %s, %v", territory, got, err)
		}
	}
	if g.atWar("Japan", "UK") || g.atWar("UK", "Japan") || !g.atWar("China", "Japan") || !g.atWar("Germany", "UK") {
		t.Error("who is at war?")
	}
	s, _ := g.Board.Territory("Egypt")
	if got := fmt.Sprint(g.standing(s)); got != "[{minor_ic 2 false} {naval_base 3 true}]" {
		t.Errorf("in Egypt stands %s", got)
	}
	if got := fmt.Sprint(g.unitsOf("Germany", "109 Sea Zone")); got != "[{submarine 2} {carrier 1}]" {
		t.Errorf("Germany has %s", got)
	}
}
