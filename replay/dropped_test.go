package replay_test

import (
	"crypto/sha256"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules"
)

// goesOver is a record in which another build judges from an event on, as its host says.
func goesOver(list []events.Event, at int) []events.Event {
	var opened events.CampaignOpened
	list[0].Read(&opened)
	other := opened.Rules
	other[0]++
	x := with(list[at-1], func(e *events.Event) {
		e.Type, e.Command, e.Request, e.Side = "rules_changed", "rules/x", `{"verb":"rules","entry":{}}`, ""
		e.Payload = events.EncodePayload(&events.RulesChanged{Was: opened.Rules, Rules: other,
			Requires: opened.Requires})
		e.Commitments, e.Derivation, e.Openings, e.Seat, e.Signed = nil, nil, nil, "umpire", ""
	})
	return slices.Insert(slices.Clone(list), at, x)
}

// unheld reports whether an event is said to be not held to the rules because another build judged it.
func (c *harness) unheldElsewhere(f *bundle.File, index int) bool {
	c.t.Helper()
	v, err := verify.File(f, c.judges(), "", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	return v.Verified && slices.ContainsFunc(v.Unchecked, func(u bundle.Unchecked) bool {
		return slices.Contains(u.Events, uint64(index)) && strings.HasPrefix(u.Why, "judged by another build")
	}) && strings.Contains(v.Verdict(), "could not be held to the rules")
}

// A host who says that another build judged may drop the rest of a command, but not unseen.
func TestRestDroppedElsewhere(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("elsewhere", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n" +
		"  - {id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}\n  - {id: x, facts: {usjt: 5}}\n")
	list := c.all()
	at, last := indexOf(t, list, "roll_declared"), len(list)-1
	own := goesOver(list[:at], indexOf(t, list, "phase_advanced"))
	own = append(own, list[last])
	if f := rechained(c.fileFor(bundle.Public, c.now().Next), own); !c.unheldElsewhere(f, at) {
		t.Errorf("%q", c.found(f))
	}
}

// What waited for a ruling is heard again with it: a host does not swallow what a player signed.
func TestDroppedBehindItsRuling(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "dropped", replay.NewCampaign{Options: map[string]string{"blank_cards": "ask"}}, "")
	anna := c.signers.list[0]
	c.must("turn: Winter 1941\nentries: []\n")
	allowed(t, anna.enters("r", "{id: r, allocate: {side: Japan, project: Magic, points: 3}}"), nil)
	allowed(t, anna.enters("p", "{id: p, produce: {side: Japan, project: Magic, card: strategic}}"), nil)
	c.must("entries:\n  - {id: ruling, rule: {option: blank_cards, value: refused, reason: five are plenty}}\n" +
		"  - {id: x, facts: {usjt: 5}}\n")
	list := c.all()
	ruled, last := indexOf(t, list, "option_ruled"), len(list)-1
	list = slices.Concat(list[:ruled+1], list[last:])
	forged := func(list []events.Event) *bundle.File {
		f := c.resigned(list, nil)
		f.Openings = slices.DeleteFunc(f.Openings, func(o events.Opening) bool { return o.Index > uint64(ruled) })
		return f
	}
	if found := strings.Join(c.found(forged(list)), "\n"); !strings.Contains(found, "which waited for the ruling in") {
		t.Errorf("%q", found)
	}
	if found := c.found(forged(list[:ruled+1])); len(found) > 0 {
		t.Errorf("a record that ends there: %q", found)
	}
	if f := forged(goesOver(list, ruled)); !c.unheldElsewhere(f, ruled+1) {
		t.Errorf("by another build: %q", c.found(f))
	}
}

// An entry that waited, and that a player has to sign since, is not heard again: the host is not accused of that.
func TestNotSignedBehindItsRuling(t *testing.T) {
	t.Parallel()
	c := newHost(t).openWith(replay.NewCampaign{Name: "late", System: "awaw", Seats: atTable["awaw"],
		Options: map[string]string{"blank_cards": "ask"}})
	c.must("turn: Winter 1941\nentries:\n  - {id: r, allocate: {side: European Axis, project: Ultra, points: 3}}\n" +
		"  - {id: p, produce: {side: European Axis, project: Ultra, card: strategic}}\n")
	anna := c.signer("Anna", 1)
	if a, err := c.umpire.HearSigned(c.id.ID, anna.keyed(anna, true)); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	_ = c.submit("entries:\n  - {id: ruling, rule: {option: blank_cards, value: refused, reason: five are plenty}}\n")
	c.must("entries:\n  - {id: x, facts: {usjt: 5}}\n")
	if list := c.all(); list[len(list)-2].Type != "option_ruled" {
		t.Fatalf("%s stands behind the ruling", list[len(list)-2].Type)
	}
	if found := c.found(c.fileFor(bundle.Umpire, c.now().Next)); len(found) > 0 {
		t.Errorf("an honest host: %q", found)
	}
}

// A host who moves the campaign to rules that nobody has keeps what came before from being held to none, and what comes
// behind not unseen.
func TestMovedToUnknownRules(t *testing.T) {
	t.Parallel()
	c := newHost(t).ofSystem("awaw")("moved", "", nil)
	c.must("turn: Winter 1941\nentries:\n  - {id: p, facts: {usjt: 3}}\n" +
		"  - {id: r, allocate: {side: Japan, project: Magic, points: 3}}\n")
	const sheet = "readings of his own"
	list, to := c.all(), events.Hash(sha256.Sum256([]byte(sheet)))
	fact := indexOf(t, list, "fact_reported")
	own := append(list, with(list[fact], func(e *events.Event) {
		e.Type, e.Command, e.Request = "edition_moved", "edition/x", `{"verb":"edition","entry":{"edition":{"to":"9"}}}`
		e.Payload = events.EncodePayload(&events.EditionMoved{Now: "9", Hash: to})
	}), with(list[fact], func(e *events.Event) {
		e.Command, e.Edition = "another", to
		e.Payload = events.EncodePayload(&events.FactReported{Fact: "usjt", Number: 44})
	}))
	checked := func(own []events.Event) verify.Verification {
		f := rechained(c.fileFor(bundle.Public, c.now().Next), own)
		f.Header.Editions, f.Editions = append(f.Header.Editions, to), append(f.Editions, sheet)
		v, err := verify.File(f, c.judges(), "", nil)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	v := checked(own)
	if !v.Verified || !strings.HasPrefix(v.Verdict(), "2 events could not be held to the rules") {
		t.Errorf("%q, %+v", v.Verdict(), v.Findings)
	}
	before := slices.Clone(own)
	before[fact].Payload = events.EncodePayload(&events.FactReported{Fact: "usjt", Number: 44})
	if v := checked(before); v.Verified || *v.Findings[0].Event != uint64(fact) {
		t.Errorf("%q, %+v", v.Verdict(), v.Findings)
	}
}
