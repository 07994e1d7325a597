package replay_test

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
)

// lists reports whether a file is said to be not checked in something, and nothing is found in it.
func lists(f *bundle.File, what string) bool {
	r := f.Check(bundle.Options{})
	return r.Good() && slices.ContainsFunc(r.Unchecked, func(u bundle.Unchecked) bool { return u.What == what })
}

// What a player signed, and the umpire took back, is listed.
func TestSignedTakenOut(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "taken", replay.NewCampaign{}, "")
	c.must("turn: Winter 1941\nentries: []\n")
	allowed(t, c.signers.list[0].enters("r", "{id: r, allocate: {side: Japan, project: Magic, points: 3}}"), nil)
	const what = "what players signed and the umpire took out"
	if f := c.fileFor(bundle.Public, c.now().Next); lists(f, what) {
		t.Error("it is listed before it is taken out")
	}
	a, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "a slip")
	allowed(t, a, err)
	if f := c.fileFor(bundle.Public, c.now().Next); !lists(f, what) {
		t.Errorf("%q", c.found(f))
	}
}

// A host who says that a later program recorded an entry does not hide that its player did not sign it.
func TestUnsignedInALaterSchema(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "schema", replay.NewCampaign{}, "")
	c.must("turn: Winter 1941\nentries: []\n")
	allowed(t, c.signers.list[0].enters("e", allocation), nil)
	list := c.all()
	last := len(list) - 1
	var opened events.CampaignOpened
	list[0].Read(&opened)
	own := slices.Insert(slices.Clone(list), last, with(list[last-1], func(e *events.Event) {
		e.Type, e.Command, e.Request = "rules_changed", "rules/x", `{"verb":"rules","entry":{}}`
		e.Payload = events.EncodePayload(&events.RulesChanged{Was: opened.Rules, Rules: opened.Rules,
			Requires: opened.Requires})
		e.Schema = events.SchemaVersion + 1
	}))
	own[last+1].Seat, own[last+1].Signed, own[last+1].Schema = "umpire", "", events.SchemaVersion+1
	const what = "whether players signed events of a later schema"
	f := c.fileFor(bundle.Public, c.now().Next)
	if lists(f, what) || !lists(rechained(f, own), what) {
		t.Errorf("%q", c.found(rechained(f, own)))
	}
}
