package replay_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// What begins a TURN and is warned of, or a phase of another's, is not for a player to sign where nothing is hidden,
// whether or not he asked for its form first. Once the umpire has begun it, it is. By a token one reason is given.
func TestCautioned(t *testing.T) {
	t.Parallel()
	const want = "no phase of it can follow: ask the umpire to begin that TURN first"
	for name, proxy := range map[string]bool{"signed": false, "proxy": true} {
		t.Run(name, func(t *testing.T) {
			d := newHost(t)
			c := d.openWith(replay.NewCampaign{Name: name, System: "g40", Board: d.boardFiles("two-oceans"),
				Proxy: proxy, Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"Germany"}},
					{Name: "Ben", Sides: []string{"Russia"}}}})
			ben := c.signer("Ben", 1)
			if a, err := c.umpire.HearSigned(c.id.ID, ben.keyed(ben, true)); err != nil || a.Verdict != rules.Allowed {
				t.Fatalf("%+v, %v", a, err)
			}
			c.must("turn: Round 1\nentries:\n  - {id: g, phase: mobilize new units, player: Germany}\n")
			const purchase = `{"purchase":{"power":"Russia","units":{"infantry":1}}}`
			asked := ben.asks("p", "purchase", json.RawMessage(purchase))
			if _, a, err := c.umpire.FormOf(c.id.ID, asked, nil); err != nil || len(a.Violations) == 0 ||
				!strings.Contains(a.Violations[0].Message, want) {
				t.Errorf("the form: %+v, %v", a, err)
			}
			request, err := envelope.NewRequest("purchase", json.RawMessage(purchase))
			if err != nil {
				t.Fatal(err)
			}
			ben.refuses(t, "what he signed", want, ben.sign(ben.command("p", request)))
			if a, err := c.umpire.Hear(c.id.ID, rules.Command{ID: "t", Seat: "Ben", Verb: "purchase", As: "Russia",
				Body: json.RawMessage(purchase)}); err != nil || a.Verdict != rules.Refused ||
				!proxy && len(a.Violations) != 1 {
				t.Errorf("by token: %+v, %v", a, err)
			}
			next := "collect income: Germany"
			if proxy {
				next = "phase: purchase and repair, player: Russia"
			}
			c.must("turn: Round 1\nentries:\n  - {id: c, " + next + "}\n")
			a := ben.enters("own", "{id: own, purchase: {power: Russia, units: {infantry: 1}}}")
			if a.Verdict != rules.Allowed {
				t.Errorf("in his own TURN: %+v", a)
			}
		})
	}
}
