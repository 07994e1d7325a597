package replay_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// round1000 is the signature of a round of quicknet, as it was published.
const round1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"

// choices says of each roll of a file who could have chosen its dice.
func (c *harness) choices() (list []string) {
	c.t.Helper()
	f, err := bundle.Read(bytes.NewReader(c.exported()))
	if err != nil {
		c.t.Fatal(err)
	}
	report := f.Check(bundle.Options{})
	if !slices.Equal(report.Rolls, f.Choices()) {
		c.t.Errorf("%v, and %v", report.Rolls, f.Choices())
	}
	for _, x := range report.Rolls {
		list = append(list, fmt.Sprintf("%s: %s", x.Who, x.Why))
	}
	return list
}

// Who could have chosen dice depends on what decides them.
func TestChoices(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	now := time.Now()
	d.umpire.SetClock(func() time.Time { return now })
	m := newMoon(t)
	opened := func(name string, o replay.NewCampaign) *harness {
		if o.Name, o.System = name, "awaw"; o.Dice == campaign.Beacon {
			o.Witnesses = m.policy()
		}
		c := d.openWith(o)
		c.submit(beaconPlay)
		return c
	}
	holds := func(c *harness, want ...string) {
		t.Helper()
		got := c.choices()
		if len(got) != len(want) || len(want) == 0 {
			t.Fatalf("%s: %q, want %q", c.id.Name, got, want)
		}
		for i := range got {
			if !strings.Contains(got[i], want[i]) {
				t.Errorf("%s: %q, want %q", c.id.Name, got[i], want[i])
			}
		}
	}
	falls := func(c *harness, by func(uint64) string, n uint64) {
		t.Helper()
		note := m.cosigned(c, c.now().Next, c.now().Beacon.Time(n)-1)
		a, err := c.round(replay.RoundCome{Number: n, Signature: by(n), Note: note})
		if err != nil || a.Verdict != rules.Allowed {
			t.Fatalf("%s: %+v, %v", c.id.Name, a, err)
		}
	}
	known := func(uint64) string { return round1000 }
	quicknet := replay.NewCampaign{Dice: campaign.Beacon}
	holds(opened("published", replay.NewCampaign{Seed: "seed"}), "anyone: the seed was published")
	holds(opened("secret", replay.NewCampaign{}), "host: his secret alone decides: he could pick it")
	table := opened("table", replay.NewCampaign{Dice: campaign.Attested, Seats: atTable["awaw"]})
	holds(table, "undecided: ")
	p := newPlayer(table, 1)
	p.turn = "Winter 1941"
	_, _ = p.sayAs("Anna", "dice", entry{"dice": [][]int{{3, 4}, {6, 1}}})
	_, _ = p.sayAs("Ben", "confirm", entry{"confirm": "yes"})
	holds(table, "host or seats: Anna typed them and Ben confirmed them")

	own := opened("own", replay.NewCampaign{Dice: campaign.Beacon, Beacon: m.Beacon})
	falls(own, m.Signature, own.now().Open.Roll.Round)
	holds(own, "key holder: who holds the key of the beacon moon")

	before := beacon.Quicknet().Time(1000) - replay.BeaconLead
	now = time.Unix(before, 0)
	fair := opened("fair", quicknet)
	holds(fair, "undecided: ")
	falls(fair, known, 1000)
	holds(fair, "nobody: witnesses cosigned the declaration before round 1000 came")

	now = time.Unix(before-30, 0)
	late := opened("late", quicknet)
	now = time.Unix(before, 0)
	if a, err := late.lapse(990); err != nil || a.Verdict != rules.Asked {
		t.Fatalf("%+v, %v", a, err)
	}
	falls(late, known, 1000)
	holds(late, "host or cosigner: round 990 was named first")

	f, err := bundle.Read(bytes.NewReader(fair.exported()))
	if err != nil {
		t.Fatal(err)
	}
	forged := forgedFile(t, f, of(func(p *events.DiceRolled) bool { p.Note = ""; return true }))
	if got := forged.Choices(); got[0].Who != bundle.ByHost {
		t.Errorf("without a note: %+v", got)
	}
	witness := m.witness.Verifier()
	want := []bundle.Witness{{Name: "arbiter", Key: witness.String(), Fingerprint: witness.Fingerprint()}}
	if got := f.Check(bundle.Options{}).Witnesses; !slices.Equal(got, want) {
		t.Errorf("the witnesses are %+v", got)
	}
}
