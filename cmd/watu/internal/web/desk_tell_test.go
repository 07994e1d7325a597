package web

import (
	"net/url"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// TestRefusalsTellWhomToAsk: where a refusal wants what the umpire alone may do, a side's desk says to ask him; the
// umpire's does not. His own part is said at each side's desk.
func TestRefusalsTellWhomToAsk(t *testing.T) {
	t.Parallel()
	const turn, facts = "The umpire has to begin the turn first", "The umpire reports what stands on the board"
	for _, x := range []struct{ system, side, before, enters, says string }{
		{"aar", "UK", "", "{roll: {dice: 2d6, for: a battle, side: UK}}", turn},
		{"g40", "Japan", "", "{collect income: Japan}", turn},
		{"eots", "Allies", "turn: Turn 2, 1942",
			"{relocate: {base: Wilkes, hex: 3727, by: South Pacific}}", facts},
		{"aar", "UK", "turn: Round 1", "{roll: {dice: so, for: a battle, side: UK}}", ""},
	} {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: x.system,
			Seats: []campaign.Seat{{Name: "Karl", Sides: []string{x.side}}}})
		if x.before != "" {
			d.send(umpire, url.Values{"do": {"enter"}, "text": {x.before}})
		}
		karl := d.token("west", x.side)
		if body := d.sees(karl); !strings.Contains(body, "who runs this campaign: how a turn begins, and facts") {
			t.Errorf("who is the umpire? %s", body)
		}
		for token, mine := range map[string]bool{karl: true, umpire: false} {
			for _, act := range []string{"check", "enter"} {
				body := d.send(token, url.Values{"do": {act}, "text": {x.enters}}).Body.String()
				for _, says := range []string{turn, facts} {
					want := mine && says == x.says
					if strings.Contains(body, says) != want || !strings.Contains(body, `class="finding"`) {
						t.Errorf("%s %s, %q: %v\n%s", act, x.enters, says, !want, body)
					}
				}
			}
		}
	}
}
