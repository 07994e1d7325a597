package replay_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Where each side has a seat that signs, the umpire still enters what a power does that no side plays.
func TestPowerOfNoSide(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "nobodys", replay.NewCampaign{Dice: campaign.Chain, Signed: true}, "")
	c.must("turn: Fall 1941\nentries:\n  - id: h\n    harbor attack: {attacker: Russia, by: carrier, " +
		"carrier: Gangut, defender: France, distance: 12, from: Leith, port: Kiel,\n      result: '6', " +
		"targets: [Hood], theater: Europe}\n")
	c.vouchedFor(t)
	list := c.all()
	list[indexOf(t, list, "roll_declared")].Side = "Britain"
	if found := c.found(c.resigned(list, nil)); len(found) == 0 {
		t.Error("what the umpire enters for a side passes")
	}
}

// later is an event with a field that a later program has.
func later(e *events.Event) {
	e.Payload = string(protowire.AppendString(protowire.AppendTag([]byte(e.Payload), 99, protowire.BytesType), "x"))
}

// A record of a later program may say more than this one knows: more of a change of rules, and more in the step that
// opens the campaign.
func TestLaterSaysMore(t *testing.T) {
	t.Parallel()
	for _, signed := range []bool{false, true} {
		c := newHost(t).openWith(replay.NewCampaign{Name: "later", System: "awaw", Seats: atTable["awaw"],
			Signed: signed})
		f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
		var opened events.CampaignOpened
		list[0].Read(&opened)
		at := indexOf(t, list, "epoch_begun")
		list = slices.Insert(list, at, with(list[at-1], func(e *events.Event) {
			e.Type, e.Payload = "ship_named", ""
		}))
		list = append(list, with(list[0], func(e *events.Event) {
			e.Type, e.Command, e.Request = "rules_changed", "rules/9", `{"verb":"rules","entry":{}}`
			e.Payload = events.EncodePayload(&events.RulesChanged{Was: opened.Rules, Rules: events.Hash{1}})
			later(e)
		}))
		if found := c.found(rechained(f, list)); len(found) > 0 {
			t.Errorf("signed %t: %q", signed, found)
		}
	}
}

// A later program may close a question otherwise than this one knows. What it plays then is not checked; without its
// word that other rules judge it is a finding.
func TestLaterClosesQuestion(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("closed", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n  - {id: d, draw: Ultra}\n")
	list := c.all()
	fact := list[indexOf(t, list, "fact_reported")]
	c.must("entries:\n  - {id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}\n")
	f, list := c.fileFor(bundle.Umpire, c.now().Next), c.all()
	last := list[len(list)-1]
	var opened events.CampaignOpened
	list[0].Read(&opened)
	fact.Command, fact.Phase = "another", last.Phase
	rules := with(fact, func(e *events.Event) {
		e.Type, e.Command, e.Request = "rules_changed", "rules/9", `{"verb":"rules","entry":{}}`
		e.Payload = events.EncodePayload(&events.RulesChanged{Was: opened.Rules, Rules: events.Hash{1}})
	})
	closes := with(fact, func(e *events.Event) {
		e.Type, e.Command, e.Request, e.Payload = "question_closed", "closes", `{"verb":"close","entry":{}}`, ""
	})
	found, unheld := c.verified(rechained(f, append(slices.Clone(list), rules, closes, fact)))
	if len(found) > 0 || !slices.Contains(unheld, uint64(len(list)+2)) {
		t.Errorf("%q, not held to the rules are %v", found, unheld)
	}
	if found := c.found(rechained(f, append(slices.Clone(list), fact))); len(found) == 0 {
		t.Error("by these rules it passes")
	}
}

// Missions that an entry lists answer a question that nobody is asked: the entry comes out as it is recorded, also
// where something before it is corrected.
func TestListedMissions(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	c := d.ofSystem("awaw")("transcript", "s5", nil)
	c.must("turn: Winter 1941\nentries:\n" +
		"  - {id: r1, allocate: {side: Japan, project: Magic, points: 3}}\n" +
		"  - {id: p1, produce: {side: Japan, project: Magic, card: strategic}}\n" +
		"  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}\n" +
		"  - id: magic\n    magic interception: {missions: [Rabaul, Truk], intercept: [Truk]}\n" +
		"    cards: [{United States: strategic}, {Japan: pass}, {United States: wild}]\n")
	f := d.copyOf(t)
	if found, err := f.umpire.Recover(records(c.records(0, campaign.Everything))); err != nil || len(found.Cut) > 0 {
		t.Errorf("%+v, %v", found.Cut, err)
	}
	a, err := c.correct(c.lastOf("Winter 1941/war", ""), "code: mistyped\nreason: slip\n"+
		"replace: {declare war.usjt: 34}\n")
	allowed(t, a, err)
	c.sound()
	c.listedLaw()
	c.ruleVoid(a.First)
	c.sound()
	c.listedLaw()
}

// A step is cut behind what a player sealed by a salt of her own, and her opening is lost: what she signed stands as
// far as it goes. The host plays on in another epoch, and nobody says that he dropped the rest.
func TestPlayedOnBehindALoss(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	c := d.keyed("awaw", "lost", replay.NewCampaign{
		Options: map[string]string{"play_order": "simultaneous_secret"}}, "")
	c.must("turn: Winter 1941\nentries:\n  - {id: d, draw: Ultra}\n")
	anna := c.signers.list[0]
	allowed(t, anna.enters("w", "{id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}"), nil)
	allowed(t, anna.enters("a", "{id: a, answer: {European Axis: none}}"), nil)
	cut := indexOf(t, c.all(), "choice_made") + 1
	if int(c.now().Next) == cut {
		t.Fatal("nothing follows from her answer")
	}
	f := d.copyOf(t)
	found, err := f.umpire.Recover(records(c.records(0, campaign.Everything)[:cut]))
	if err != nil || len(found.Cut) != 1 {
		t.Fatalf("%+v, %v", found, err)
	}
	again := &harness{host: f, id: c.id, seat: campaign.UmpireSeat}
	again.must("turn: Spring 1942\nentries:\n  - {id: p, facts: {usjt: 3}}\n")
	if epoch := again.now().Epoch; epoch != 2 {
		t.Errorf("epoch %d", epoch)
	}
	if found := again.found(again.fileFor(bundle.Public, again.now().Next)); len(found) > 0 {
		t.Errorf("%q", found)
	}
}
