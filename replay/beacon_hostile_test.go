package replay_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// onQuicknet is a campaign by quicknet whose first roll names its round 1000, which everybody knows.
func onQuicknet(t *testing.T, o replay.NewCampaign) witnessed {
	t.Helper()
	d, now := newHost(t), time.Unix(beacon.Quicknet().Time(1000)-9, 0)
	w := witnessed{moon: newMoon(t), now: &now}
	w.Beacon = beacon.Quicknet()
	d.umpire.SetClock(func() time.Time { return *w.now })
	o.Name, o.System, o.Dice, o.Beacon, o.Proxy = "fair", "awaw", campaign.Beacon, w.Beacon, len(o.Seats) > 0
	if len(o.Seats) == 0 {
		o.Witnesses = w.policy()
	}
	w.harness = d.openWith(o)
	return w
}

// fallsBy hands in round 1000, with a note by a key from before.
func (w witnessed) fallsBy(k *tree.WitnessKey) {
	w.t.Helper()
	note := moon{w.Moon, k, w.ledger}.cosigned(w.harness, w.harness.now().Next, w.Time(1000)-1)
	a, err := w.round(replay.RoundCome{Number: w.awaited().Roll.Round, Signature: round1000, Note: note})
	if err != nil || a.Verdict != rules.Allowed {
		w.t.Fatalf("%+v, %v", a, err)
	}
}

// verified checks a file, which has to hold.
func (w witnessed) verified(f *bundle.File) verify.Verification {
	w.t.Helper()
	v, err := verify.File(f, w.judges(), "", nil)
	if err != nil || !v.Verified {
		w.t.Fatalf("%+v, %v", v.Findings, err)
	}
	return v
}

// refitted hashes a forged list anew, cosigns what was cosigned, and throws the dice that follow from round 1000.
func (w witnessed) refitted(list []events.Event) *bundle.File {
	w.t.Helper()
	signature, err := hex.DecodeString(round1000)
	if err != nil {
		w.t.Fatal(err)
	}
	samplers := map[uint64]*chance.Sampler{}
	for i := range list {
		var p events.DiceRolled
		var d events.RollDeclared
		if !list[i].Read(&p) || !list[p.Declared].Read(&d) {
			continue
		}
		first, h := p.Declared, []events.Hash{}
		if d.First != 0 {
			first = d.First
		}
		var all tree.Tree
		for _, b := range w.forged(list[:i]).Events {
			h = append(h, events.LeafHash(b))
			all.Add(h[len(h)-1])
		}
		s := samplers[p.Declared]
		if s == nil {
			s = chance.NewSampler(chance.BeaconSeed(beacon.Randomness(signature), w.id.ID, h[first], uint64(d.Ordinal)))
			samplers[p.Declared] = s
		}
		at := slices.IndexFunc(d.Throws, func(t events.Throw) bool { return t.Name == p.Throw })
		p.Dice = s.Throw(d.Throws[at])
		if p.Note != "" {
			root, err := all.Root(first + 1)
			if err != nil {
				w.t.Fatal(err)
			}
			k := tree.Checkpoint{Campaign: w.id.ID, Events: first + 1, Root: root}
			if p.Note, err = k.Cosign(w.witness, w.Time(1000)-1); err != nil {
				w.t.Fatal(err)
			}
			p.Note = k.Text() + "\n" + p.Note
		}
		list[i].Payload = events.EncodePayload(&p)
	}
	return w.forged(list)
}

// A file that names the rules of another build is not held to those that are here, so whether they call for its rolls
// is not known: the host can append such as suit him behind a round that came.
func TestRollsOfAnotherBuild(t *testing.T) {
	t.Parallel()
	w := onQuicknet(t, replay.NewCampaign{})
	w.submit(beaconPlay)
	at := w.awaited().Index
	w.fallsBy(w.witness)
	honest := w.verified(w.fileFor(bundle.Umpire, w.harness.now().Next))
	if got := honest.Rolls; len(got) != 1 || got[0].Who != bundle.ByNobody {
		t.Fatalf("the honest roll: %+v", got)
	}
	list := w.all()
	var o events.CampaignOpened
	list[0].Read(&o)
	o.Rules = sha256.Sum256([]byte("another build"))
	list[0].Payload = events.EncodePayload(&o)
	last := 0
	for i := range list {
		if list[i].Type == "dice_rolled" {
			last = i
		}
	}
	out := slices.Clone(list[:last+1])
	for k := 1; k <= 3; k++ {
		var p events.RollDeclared
		d := list[at]
		d.Read(&p)
		p.First, p.Ordinal, p.Purpose = at, k, fmt.Sprint("forged ", k)
		d.Payload, d.Request = events.EncodePayload(&p), ""
		declared := uint64(len(out))
		out = append(out, d)
		for _, x := range p.Throws {
			e := list[last]
			e.Command, e.Request, e.Side = d.Command, "", x.Side
			e.Payload = events.EncodePayload(&events.DiceRolled{Declared: declared, Throw: x.Name})
			out = append(out, e)
		}
	}
	v := w.verified(w.refitted(append(out, list[last+1:]...)))
	if len(v.Rolls) != 4 {
		t.Fatalf("%+v", v.Rolls)
	}
	for _, x := range v.Rolls {
		if x.Who != bundle.NotChecked {
			t.Errorf("%+v", x)
		}
	}
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	f.Boards = nil
	if v, err := verify.File(f, nil, "", nil); err != nil || v.Rolls[0].Who != bundle.NotChecked {
		t.Errorf("without rules: %+v, %v", v.Rolls, err)
	}
}

// The host made Ben's first key himself, dates its cosignature back until the dice suit him, and hands Ben's seat to
// him only then: the roll is not called nobody's choice, and both keys are listed.
func TestHostHoldsASeat(t *testing.T) {
	t.Parallel()
	w := onQuicknet(t, replay.NewCampaign{Seats: atTable["awaw"]})
	anna, own, ben := w.signer("Anna", 1), w.signer("Ben", 2), w.signer("Ben", 9)
	anna.gets(anna, true)
	own.gets(own, true)
	w.submit(beaconPlay)
	w.fallsBy(own.key)
	ben.gets(own, false)
	v := w.verified(w.fileFor(bundle.Umpire, w.harness.now().Next))
	old := own.key.Verifier().Fingerprint()
	if x := v.Rolls[0]; x.Who != bundle.ByHostWithCosigner || !strings.Contains(x.Why, "Ben by an earlier key ("+old) {
		t.Errorf("%+v", x)
	}
	at := slices.IndexFunc(v.Witnesses, func(x bundle.Witness) bool { return x.Fingerprint == old })
	if len(v.Witnesses) != 3 || at < 0 || !v.Witnesses[at].Earlier || v.Witnesses[at].Name != "Ben" {
		t.Errorf("%+v", v.Witnesses)
	}
}

// An ally of whoever rolls is enough, so three seats can be shown records that nobody sees two of.
func TestAllyCosigns(t *testing.T) {
	t.Parallel()
	w := onQuicknet(t, replay.NewCampaign{Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"European Axis"}},
		{Name: "Jan", Sides: []string{"Japan"}}, {Name: "Ben", Sides: []string{"Britain"}}}})
	anna, ally, ben := w.signer("Anna", 1), w.signer("Jan", 2), w.signer("Ben", 3)
	for _, s := range []signer{anna, ally, ben} {
		s.gets(s, true)
	}
	w.submit(beaconPlay)
	if err := w.awaited().Roll.Cosigners.Overlaps(); err == nil {
		t.Error("any one of two seats is said to overlap")
	}
	w.fallsBy(ally.key)
	v := w.verified(w.fileFor(bundle.Umpire, w.harness.now().Next))
	if x := v.Rolls[0]; x.Who != bundle.ByHostWithCosigner || !strings.Contains(x.Why, "the host together with Jan,") {
		t.Errorf("%+v", x)
	}
}

// A seat may have any name, also one that a policy's groups have elsewhere: it cosigns as any other, for the host and
// for whoever checks the file.
func TestHostileSeatNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"any of", "none"} {
		w := onQuicknet(t, replay.NewCampaign{Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"European Axis"}},
			{Name: name, Sides: []string{"Britain"}}}})
		anna, other := w.signer("Anna", 1), w.signer(name, 2)
		anna.gets(anna, true)
		other.gets(other, true)
		w.submit(beaconPlay)
		if p := w.awaited().Roll.Cosigners; p.Met([]tree.Cosignature{{Witness: "Anna", Time: 1}}) {
			t.Errorf("%s: the roller's own cosignature is enough", name)
		}
		w.fallsBy(other.key)
		v := w.verified(w.fileFor(bundle.Umpire, w.harness.now().Next))
		if x := v.Rolls[0]; x.Who != bundle.ByHostWithCosigner || !strings.Contains(x.Why, name) {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// A seat that the campaign cannot have would cosign for the host.
func TestSeatsOfNoSide(t *testing.T) {
	t.Parallel()
	w := onQuicknet(t, replay.NewCampaign{Seats: atTable["awaw"]})
	list := w.all()
	last := 0
	for i, e := range list {
		if e.Type == "seat_taken" {
			last = i
		}
	}
	for name, x := range map[string]struct {
		sides []string
		says  string
	}{
		"no such side": {[]string{"Luna"}, "the campaign has no such side"},
		"held":         {[]string{"Britain"}, "another seat holds that side"},
		"none":         {nil, "a player's seat holds a side"},
	} {
		e := list[last]
		e.Payload = events.EncodePayload(&events.SeatTaken{Seat: "Zed", Role: "player", Sides: x.sides})
		found := w.found(w.forged(slices.Insert(slices.Clone(list), last+1, e)))
		want := fmt.Sprintf("#%d seat_taken payload.sides: %s", last+1, x.says)
		if !slices.ContainsFunc(found, func(text string) bool { return strings.HasPrefix(text, want) }) {
			t.Errorf("%s: %q", name, found)
		}
	}
}
