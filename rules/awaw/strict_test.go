package awaw

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestBlanksStand: a blank that was added while blanks were allowed stands, and is drawn, when they no longer are
// (AWAW-48.242-D, AMB-AWAW-1).
func TestBlanksStand(t *testing.T) {
	c := rulestest.Open(t, System(), nil, map[string]string{"blank_cards": "allowed"})
	c.Stand("turn", `{"turn":"Winter 1941"}`)
	c.Stand("allocate", `{"allocate":{"side":"Britain","project":"Ultra","points":6}}`)
	c.Stand("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"blank"}}`)
	c.Record(rules.Command{ID: "r"}, []rules.Draft{{Payload: &events.OptionRuled{Option: "blank_cards",
		Value: "refused"}}})
	c.Stand("draw", `{"draw":"Ultra"}`)
	c.Stand("turn", `{"turn":"Spring 1942"}`)
	if broken := c.Refused("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"blank"}}`); broken[0] !=
		"AWAW-48.242-D" {
		t.Error(broken)
	}
	c.Stand("produce", `{"produce":{"side":"Britain","project":"Ultra","card":"asw"}}`)
}
