package replay_test

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
)

// An entry does not pass for a part of the umpire's correction, by whose command it is recorded.
func TestUnderACorrection(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "under", replay.NewCampaign{Dice: campaign.Attested, Proxy: true}, "")
	c.must("turn: Spring 1940\nentries:\n  - {id: p, facts: {usjt: 3}}\n")
	a, err := c.correct(c.lastOf("Spring 1940/p", ""), "code: mistyped\nreason: slip\nreplace: {facts.usjt: 2}\n")
	allowed(t, a, err)
	c.must("entries:\n  - {id: x, facts: {usjt: 4}}\n  - " + allocation + "\n")
	list := c.all()
	var opened events.CampaignOpened
	list[0].Read(&opened)
	opened.Proxy = false
	list[0].Payload = events.EncodePayload(&opened)
	last := &list[len(list)-1]
	last.Command, last.Seat, last.Signed = list[indexOf(t, list, "corrected")].Command, campaign.UmpireSeat, ""
	for request, want := range map[string]string{
		last.Request: "Anna has a key, and did not sign this", "": "and corrects nothing",
	} {
		last.Request = request
		f := c.resigned(list, nil)
		f.Header.For, f.Openings = bundle.Public, nil // else the secret does not open by another command
		if text := strings.Join(c.found(f), "\n"); !strings.Contains(text, want) {
			t.Errorf("%q: %q", request, text)
		}
	}
}
