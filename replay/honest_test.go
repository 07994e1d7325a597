package replay_test

import (
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Where each side has a seat that signs, the umpire still enters what a power does that no side plays.
func TestPowerOfNoSide(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "nobodys", replay.NewCampaign{Dice: campaign.Chain, Signed: true}, "")
	c.must("turn: Fall 1941\nentries:\n  - id: h\n    harbor attack: {attacker: Russia, by: carrier, defender: France, " +
		"distance: 12, from: Leith, port: Kiel,\n      result: '6', targets: [Hood], theater: Europe}\n")
	c.vouchedFor(t)
	list := c.all()
	list[indexOf(t, list, "roll_declared")].Side = "Britain"
	if found := c.found(c.resigned(list, nil)); len(found) == 0 {
		t.Error("what the umpire enters for a side passes")
	}
}
