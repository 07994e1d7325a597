package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Where all entries are signed each side has a seat, and nothing is entered by proxy.
func TestSignedOpening(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	for want, change := range map[string]func(o *replay.NewCampaign){
		"sign for Britain and United States": func(o *replay.NewCampaign) { o.Seats = o.Seats[:1] },
		"by proxy":                           func(o *replay.NewCampaign) { o.Proxy = true },
		"a demonstration":                    func(o *replay.NewCampaign) { o.Seed = "published" },
	} {
		o := replay.NewCampaign{Name: "signed", System: "awaw", Seats: slices.Clone(atTable["awaw"]), Signed: true,
			Dice: campaign.Chain}
		change(&o)
		if _, violations, err := d.umpire.Open(o); err != nil || !strings.Contains(fmt.Sprint(violations), want) {
			t.Errorf("%s: %v, %v", want, violations, err)
		}
	}
	c := d.openWith(replay.NewCampaign{Name: "signed", System: "awaw", Seats: atTable["awaw"], Signed: true})
	if now := c.now(); now.Dice != campaign.Beacon || !now.Signed ||
		!slices.Contains(now.Requires, campaign.RequiresSigned) {
		t.Errorf("dice by %s, signed %t, %v required", now.Dice, now.Signed, now.Requires)
	}
}

// A side enters nothing before its seat has a key: the umpire refuses it, and a file in which it stands is found wrong.
func TestSignedFromTheStart(t *testing.T) {
	t.Parallel()
	c := newHost(t).openWith(replay.NewCampaign{Name: "signed", System: "awaw", Seats: atTable["awaw"], Signed: true})
	c.must("turn: Fall 1939\nentries: []\n")
	for _, seat := range []string{campaign.UmpireSeat, "Anna"} {
		c.seat = seat
		n := c.now().Next
		if got := c.submit("turn: Fall 1939\nentries:\n  - " + allocation + "\n"); c.now().Next != n ||
			!strings.Contains(got, "watu seat invite signed Anna") {
			t.Errorf("%s: %s", seat, got)
		}
	}
	c.seat = campaign.UmpireSeat
	c.signers = &signers{}
	for i, seat := range []string{"Anna", "Ben"} {
		p := c.signer(seat, byte(i+1))
		p.gets(p, true)
		c.signers.list = append(c.signers.list, p)
	}
	anna := c.signers.list[0]
	if a := anna.enters("Fall 1939/e", allocation); a.Events == 0 {
		t.Fatalf("%+v", a)
	}
	list := c.all()
	if found := c.found(c.resigned(list, nil)); len(found) > 0 {
		t.Fatalf("%v", found)
	}
	at := c.lastOf("Fall 1939/e", "research_allocated")
	finds := func(name string, list []events.Event) {
		t.Helper()
		at := slices.IndexFunc(list, func(e events.Event) bool { return e.Type == "research_allocated" })
		r := c.resigned(list, nil).Check(bundle.Options{})
		if !slices.ContainsFunc(r.Findings, func(x bundle.Finding) bool {
			return x.Check == bundle.CheckEnvelopes && x.Event != nil && *x.Event == uint64(at)
		}) {
			t.Errorf("%s: %v", name, r.Findings)
		}
	}
	early := slices.Clone(list)
	own := early[at]
	own.Signed, own.Commitments = "", nil
	own.Seat = campaign.UmpireSeat
	early = slices.Insert(slices.Delete(early, int(at), int(at)+1), int(at)-2, own)
	finds("before its key", early)
	nobody := slices.DeleteFunc(slices.Clone(early), func(e events.Event) bool { return e.Type.KeysSeat() })
	finds("without a key", nobody)
	unseated := slices.DeleteFunc(nobody, func(e events.Event) bool {
		var p events.SeatTaken
		return e.Read(&p) && p.Seat == "Anna"
	})
	finds("of nobody", unseated)
}
