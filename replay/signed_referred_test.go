package replay_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
)

// A command that was referred is sealed whole when its player signs it, and in part when it is heard again: by the
// host's own salts, which nobody signed. Who may open both sees that they are the same entry. Nobody else does, and the
// check says so.
func TestReferredAsSigned(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "referred", replay.NewCampaign{Options: map[string]string{"blank_cards": "ask"}}, "")
	anna := c.signers.list[0]
	c.must("turn: Winter 1941\nentries: []\n")
	allowed(t, anna.enters("r1", "{id: r1, allocate: {side: Japan, project: Magic, points: 3}}"), nil)
	allowed(t, anna.enters("p1", "{id: p1, produce: {side: Japan, project: Magic, card: strategic}}"), nil)
	c.must("entries:\n  - {id: ruling, rule: {option: blank_cards, value: refused, reason: five are plenty}}\n")
	list := c.all()
	referred, again, added := indexOf(t, list, "referred"), indexOf(t, list, "result_produced"),
		indexOf(t, list, "card_added")
	if list[referred].Signed == "" || list[again].Signed != "" || list[again].Request == "" {
		t.Fatalf("%+v, then %+v", list[referred], list[again])
	}
	const another = "the player signed another entry"
	requests := map[string]string{"as it was": list[again].Request}
	for name, x := range map[string][2]string{
		"another project": {`"project":"Magic"`, `"project":"Ultra"`},
		"a key more":      {`"entry":{`, `"entry":{"x":1,`},
		// what a struct reads of both, a comparison by the last alone does not see
		"a key twice": {`"entry":{`, `"entry":{"produce":{"project":"Magic"},`},
		"an open one": {`{"sealed":"card"}`, `"tactical"`},
	} {
		requests[name] = strings.Replace(list[again].Request, x[0], x[1], 1)
	}
	for name, request := range requests {
		own := slices.Clone(list)
		own[again].Request = request
		found := strings.Join(c.found(c.resigned(own, nil)), "\n")
		if name == "as it was" && found != "" || name != "as it was" && !strings.Contains(found, another) {
			t.Errorf("%s: %q", name, found)
		}
	}

	own := slices.Clone(list)
	f := c.resigned(list, nil)
	at := slices.IndexFunc(f.Openings, func(o events.Opening) bool { return o.Index == uint64(added) })
	o := f.Openings[at]
	o.Fact = "tactical"
	own[added].Commitments = []events.Commitment{{Slot: o.Slot, Hash: events.Commit(events.Place{Campaign: c.id.ID,
		Epoch: own[added].Epoch, Command: own[added].Command, Slot: o.Slot}, o.Salt, o.Fact)}}
	f = c.resigned(own, nil)
	f.Openings[at] = o
	if found := strings.Join(c.found(f), "\n"); !strings.Contains(found, another) {
		t.Errorf("another card is committed to: %q", found)
	}
	waited := func(f *bundle.File) bool {
		return slices.ContainsFunc(f.Check(bundle.Options{}).Unchecked, func(u bundle.Unchecked) bool {
			return u.What == "signed entries that waited for a ruling"
		})
	}
	if f.Header.For = bundle.Public; !waited(f) {
		t.Error("the public has no mark that it cannot compare them")
	}
	f.Header.For, f.Lacks = bundle.Umpire, []bundle.Lack{{What: bundle.LacksOpening, At: o.Index, Name: o.Slot}}
	if f.Openings = slices.Delete(f.Openings, at, at+1); !waited(f) {
		t.Error("who lacks an opening has no mark that he cannot compare them")
	}
}
