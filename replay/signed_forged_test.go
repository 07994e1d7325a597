package replay_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
)

// resigned is the campaign's file with these events, hashed anew, each with what its player would have signed on that
// record: the request that stands there, and what change makes of the command.
func (c *harness) resigned(list []events.Event, change func(i int, k *envelope.Command)) *bundle.File {
	c.t.Helper()
	f := c.fileFor(bundle.Umpire, c.now().Next)
	was := map[events.Hash]int{}
	for i, b := range f.Events {
		was[events.LeafHash(b)] = i
	}
	var all tree.Tree
	var hashes []events.Hash
	f.Events, f.Header.Head = nil, events.Hash{}
	for i, e := range list {
		e.Index, e.Previous = uint64(i), f.Header.Head
		if e.Signed != "" {
			x, err := envelope.Parse(e.Signed)
			if err != nil {
				c.t.Fatal(err)
			}
			k := x.Command
			if k.Seen.Root, err = all.Root(k.Seen.Events); err != nil {
				c.t.Fatal(err)
			}
			if at, asks := was[k.Question]; asks {
				k.Question = hashes[at]
			}
			k.Request = json.RawMessage(e.Request)
			if change != nil {
				change(i, &k)
			}
			who := slices.IndexFunc(c.signers.list, func(s signer) bool { return s.name == e.Seat })
			if e.Signed, err = k.Sign(c.signers.list[who].key); err != nil {
				c.t.Fatal(err)
			}
		}
		f.Events = append(f.Events, e.Encode())
		f.Header.Head = events.LeafHash(f.Events[i])
		hashes = append(hashes, f.Header.Head)
		all.Add(f.Header.Head)
	}
	f.Header.Events = uint64(len(list))
	return f
}

const signedTable = `turn: Spring 1940
entries:
  - {id: a, allocate: {side: European Axis, project: Ultra, points: 3}}
  - {id: d, draw: Ultra}
  - {id: w, submarine warfare: {box: Atlantic, submarines: 5, asw: 5}}
  - {id: p, answer: {European Axis: pass}}
  - {id: q, answer: {Britain: pass}}
`

// tableGame is a campaign in which Anna typed dice twice, because Ben denied them once.
func tableGame(t *testing.T) *harness {
	c := newHost(t).keyed("awaw", "table", replay.NewCampaign{Dice: campaign.Attested}, "")
	c.must(signedTable)
	for _, text := range []string{
		"{id: t1, dice: [[1, 2], [3, 4]], by: Anna}", "{id: n, confirm: no, reason: it was a 5, by: Ben}",
		"{id: t2, dice: [[1, 2], [3, 5]], by: Anna}", "{id: y, confirm: yes, by: Ben}",
	} {
		c.must("entries:\n  - " + text + "\n")
	}
	return c
}

// What counts is what was signed. A host has the keys of nobody: whatever he makes of a record that players signed, or
// puts into it, is found.
func TestForgedSigned(t *testing.T) {
	t.Parallel()
	c := tableGame(t)
	list := c.all()
	at := func(kind events.Type, n int) int {
		for i := range list {
			if list[i].Type == kind {
				if n--; n < 0 {
					return i
				}
			}
		}
		t.Fatalf("there is no %s", kind)
		return 0
	}
	if f := c.resigned(list, nil); len(c.found(f)) > 0 {
		t.Fatalf("signed anew, and unchanged: %v", c.found(f))
	}
	says := func(i int, request string) []events.Event {
		own := slices.Clone(list)
		own[i].Request = request
		return own
	}
	with := func(i int, change func(e *events.Event)) []events.Event {
		own := slices.Clone(list)
		change(&own[i])
		return own
	}
	more := func(i int, change func(e *events.Event)) []events.Event {
		e := list[i]
		e.Signed, e.Commitments, e.Command = "", nil, "Spring 1940/more"
		change(&e)
		return append(slices.Clone(list), e)
	}
	allocated, typed, rolled := at("research_allocated", 0), at("dice_typed", 1), at("dice_rolled", 0)
	other := c.signer("Anna", 9).key.Verifier().String()
	for name, x := range map[string]struct {
		list   []events.Event
		change func(i int, k *envelope.Command)
		want   string
	}{
		"another answer": {list: says(at("choice_made", 0),
			`{"verb":"answer","entry":{"answer":{"European Axis":"x"}}}`),
			want: "that is not what stands in the event"},
		"another side's answer": {list: says(at("choice_made", 0),
			`{"verb":"answer","entry":{"answer":{"Japan":"pass"}}}`), want: "that is not what stands in the event"},
		"other dice": {list: says(typed, `{"verb":"dice","entry":{"dice":[[1,2],[3,6]]}}`),
			want: "that is not what stands in the event"},
		"a no that is a yes": {list: says(rolled, `{"verb":"confirm","entry":{"confirm":"no","reason":"x"}}`),
			want: "that is not what stands in the event"},
		"a yes that is a no": {list: says(at("dice_denied", 0), `{"verb":"confirm","entry":{"confirm":"yes"}}`),
			want: "that is not what stands in the event"},
		"another reason": {list: with(at("dice_denied", 0), func(e *events.Event) {
			var p events.DiceDenied
			e.Read(&p)
			p.Reason = "none"
			e.Payload = events.EncodePayload(&p)
		}), want: "that is not what stands in the event"},
		"a statement that throws dice": {list: says(typed, `{"verb":"statement","entry":{"statement":"x"}}`),
			want: "statement leads to no dice_typed"},
		"a yes to the dice before": {list: list, change: func(i int, k *envelope.Command) {
			if i == rolled {
				k.Question = events.LeafHash(c.records(0, campaign.Everything)[at("dice_typed", 0)].Bytes)
			}
		}, want: "another question"},
		"dice typed to what was denied since": {list: list, change: func(i int, k *envelope.Command) {
			if i == typed {
				k.Question = events.LeafHash(c.records(0, campaign.Everything)[at("roll_declared", 0)].Bytes)
			}
		}, want: "another question"},
		"Ben enters for Anna": {list: more(allocated, func(e *events.Event) { e.Seat = "Ben" }),
			want: "Anna has a key, and did not sign this"},
		"a seat in other letters": {list: more(allocated, func(e *events.Event) { e.Seat = "anna" }),
			want: "nobody took that seat"},
		"the umpire enters for Anna": {list: more(allocated, func(e *events.Event) { e.Seat = "umpire" }),
			want: "Anna has a key, and did not sign this"},
		"a seat that is taken later": {list: more(at("seat_taken", 0), func(e *events.Event) { e.Command = "open" }),
			want: "seats are taken when the campaign opens"},
		"nothing asked for": {list: more(allocated, func(e *events.Event) { e.Request = "" }),
			want: "nobody is recorded to have asked for this"},
		"more under a signed id": {list: more(allocated, func(e *events.Event) {
			e.Request, e.Command, e.Seat = "", list[rolled].Command, "Ben"
		}), want: "confirm leads to no such event"},
		"in the place of what Anna signed": {list: more(allocated, func(e *events.Event) {
			e.Replaces = uint64(allocated)
		}), want: "no correction of the umpire"},
		"a correction without one": {list: more(allocated, func(e *events.Event) {
			e.Corrects, e.Seat, e.Request = uint64(allocated), "umpire", `{"verb":"facts","entry":{}}`
		}), want: "no correction of the umpire"},
		"a statement that allocates": {list: more(allocated, func(e *events.Event) {
			e.Seat, e.Request = "umpire", `{"verb":"statement","entry":{"statement":"x"}}`
		}), want: "statement leads to no such event"},
		"heard too late, by an old clock": {list: with(typed-1, func(e *events.Event) {
			e.Recorded = e.Recorded.Add(48 * time.Hour)
		}), want: "not to be heard any more"},
		"another key": {list: with(at("seat_keyed", 0), func(e *events.Event) {
			e.Payload = events.EncodePayload(&events.SeatKeyed{Seat: "Anna", Key: other})
		}), want: "did not sign that he brings this key"},
		"a key by a statement": {list: says(at("seat_keyed", 0), `{"verb":"statement","entry":{"statement":"x"}}`),
			want: "did not sign that he brings this key"},
	} {
		var found []string
		for _, k := range c.resigned(x.list, x.change).Check(bundle.Options{}).Findings {
			found = append(found, k.Message)
		}
		if !slices.ContainsFunc(found, func(s string) bool { return strings.Contains(s, x.want) }) {
			t.Errorf("%s: %q is not found, but %q", name, x.want, found)
		}
	}
}

// A command that was referred is heard again as its player signed it.
func TestForgedReferral(t *testing.T) {
	t.Parallel()
	c := newHost(t).keyed("awaw", "referred", replay.NewCampaign{Options: asked}, "")
	p := newPlayer(c, 0)
	p.turns(4, func() {})
	list := c.all()
	signed, tried := map[string]bool{}, 0
	for i, e := range list {
		if e.Type == "referred" {
			signed[e.Command] = e.Signed != ""
			continue
		}
		if !signed[e.Command] || e.Request == "" {
			continue
		}
		tried++
		own := slices.Clone(list)
		own[i].Request = strings.Replace(e.Request, `"entry":{`, `"entry":{"x":1,`, 1)
		found := c.found(c.resigned(own, nil))
		if !strings.Contains(strings.Join(found, "; "), "the player signed another entry") {
			t.Errorf("#%d is heard again otherwise, and %q is found", i, found)
		}
	}
	if tried == 0 {
		t.Error("nothing that was signed was referred")
	}
}

// A seat may get its first key while a command waits that was entered before: the host is not accused of it.
func TestKeyWhileItWaits(t *testing.T) {
	t.Parallel()
	c := newHost(t).openWith(replay.NewCampaign{Name: "late", System: "awaw", Dice: campaign.Attested,
		Seats: atTable["awaw"]})
	c.must(signedTable)
	anna, ben := c.signer("Anna", 1), c.signer("Ben", 2)
	for _, p := range []signer{anna, ben} {
		if a, err := c.umpire.HearSigned(c.id.ID, p.keyed(p, true)); err != nil || len(a.Violations) > 0 {
			t.Fatalf("%+v, %v", a, err)
		}
	}
	anna.enters("t", "{id: t, dice: [[1, 2], [3, 4]]}")
	if a := ben.enters("y", "{id: y, confirm: yes}"); a.Events < 2 {
		t.Fatalf("%+v", a)
	}
	if found := c.found(c.fileFor(bundle.Umpire, c.now().Next)); len(found) > 0 {
		t.Errorf("an honest host: %v", found)
	}
}
