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

	signed := opened("signed", replay.NewCampaign{Dice: campaign.Attested, Seats: atTable["awaw"]})
	anna, ben := signed.signer("Anna", 1), signed.signer("Ben", 2)
	for _, s := range []signer{anna, ben} {
		if a, err := signed.umpire.HearSigned(signed.id.ID, s.keyed(s, true)); err != nil ||
			a.Verdict != rules.Allowed {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	if a := anna.enters("d", "{id: d, dice: [[3, 4], [6, 1]]}"); a.Verdict != rules.Asked {
		t.Fatalf("%+v", a)
	}
	if a := ben.enters("c", "{id: c, confirm: yes}"); a.Verdict != rules.Allowed {
		t.Fatalf("%+v", a)
	}
	holds(signed, "seats: Anna typed them and Ben confirmed them, each by a key of his own")

	own := opened("own", replay.NewCampaign{Dice: campaign.Beacon, Beacon: m.Beacon})
	falls(own, m.Signature, own.now().Open.Roll.Round)
	holds(own, "key holder: who holds the key of the beacon moon")

	before := beacon.Quicknet().Time(1000) - replay.BeaconLead
	now = time.Unix(before, 0)
	fair := opened("fair", quicknet)
	holds(fair, "undecided: ")
	falls(fair, known, 1000)
	holds(fair, "nobody: arbiter cosigned the declaration before round 1000 came")

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

// A correction of a roll of an epoch before passes over no link of the chain that is used now. Earlier programs did
// pass over as many: of such a record, and of one in which a host did it to get other dice, the check says so.
func TestLinksPassedOver(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	c := d.openWith(replay.NewCampaign{Name: "chains", System: "awaw"})
	play := func(id string) (declared uint64) {
		c.must(strings.NewReplacer("raid", id, "war turn: 1", "war turn: 1, again: true").Replace(beaconPlay))
		return c.lastOf("Winter 1941/"+id, "roll_declared")
	}
	position := func(list []events.Event, i uint64) uint64 {
		var p events.RollDeclared
		if !list[i].Read(&p) {
			t.Fatalf("#%d is %s", i, list[i].Type)
		}
		return p.Sources[0].Position
	}
	var old uint64
	for i := range 5 {
		old = play(fmt.Sprintf("a%d", i))
	}
	if err := c.umpire.RotateSecret(c.id.ID); err != nil {
		t.Fatal(err)
	}
	play("b")
	c.mistyped(old, `"submarines":20`, `"submarines":10`)
	next := play("c")
	all := c.all()
	if at := position(all, next); at != 2 || all[next].Epoch != 2 || position(all, old) != 5 {
		t.Fatalf("the roll takes link %d in epoch %d", at, all[next].Epoch)
	}
	c.sound()
	c.clean(c.fileFor(bundle.Umpire, c.now().Next))
	for _, x := range []struct {
		to     uint64
		passed bool
	}{{6, true}, {3, false}, {7, false}} {
		list := c.all()[:next+1]
		var p events.RollDeclared
		list[next].Read(&p)
		p.Sources[0].Position = x.to
		list[next].Payload = events.EncodePayload(&p)
		f := c.forged(list)
		found := strings.Contains(strings.Join(c.found(f), "\n"), fmt.Sprintf("#%d roll_declared "+
			"payload.sources[0].position: links are used one after the other", next))
		if found == x.passed {
			t.Errorf("to link %d: %q", x.to, c.found(f))
		}
		said := slices.ContainsFunc(f.Check(bundle.Options{}).Unchecked, func(u bundle.Unchecked) bool {
			return u.What == "links passed over behind a correction of an epoch before" && u.Count == 1
		})
		if said != x.passed {
			t.Errorf("to link %d the check says so: %v", x.to, said)
		}
	}
}
