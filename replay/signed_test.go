package replay_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
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
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// signer is a player with a key, at a campaign.
type signer struct {
	*harness
	name string // of the seat
	key  *tree.WitnessKey
	own  *chance.Chain // from which he draws, and contests rolls; nil for none
}

// signer makes a key of a seat. The first byte of its secret tells keys of a seat apart.
func (c *harness) signer(seat string, first byte) signer {
	c.t.Helper()
	key, err := tree.NewWitnessKey(io.MultiReader(bytes.NewReader([]byte{first}), rand.Reader),
		envelope.KeyName(seat, c.id.ID.String()))
	if err != nil {
		c.t.Fatal(err)
	}
	return signer{c, seat, key, nil}
}

// command is what the player signs on the record as it stands.
func (p signer) command(id string, request json.RawMessage) envelope.Command {
	p.t.Helper()
	var all tree.Tree
	records := p.records(0, campaign.Everything)
	for _, r := range records {
		all.Add(r.Hash())
	}
	n := uint64(len(records))
	root, err := all.Root(n)
	if err != nil {
		p.t.Fatal(err)
	}
	return envelope.Command{Campaign: p.id.ID.String(), Seat: p.name, ID: id,
		Seen: envelope.Seen{Events: n, Root: root}, NotAfter: time.Now().Add(time.Hour).UTC().Truncate(time.Second),
		Request: request}
}

func (p signer) sign(k envelope.Command) replay.SignedCommand {
	p.t.Helper()
	text, err := k.Sign(p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	return replay.SignedCommand{Envelope: text}
}

// chain is the name of the player's own chain.
func (p signer) chain() string { return envelope.ChainName(p.key.Verifier().Fingerprint()) }

// keyed is the command that brings the player's key.
func (p signer) keyed(by signer, invited bool) replay.SignedCommand {
	p.t.Helper()
	entry := envelope.KeyEntry{Key: p.key.Verifier().String()}
	if p.own != nil {
		entry.Chain = events.Anchor{Chain: p.chain(), Anchor: p.own.Anchor(), Length: p.own.Len()}
	}
	request, err := envelope.KeyRequest(entry)
	if err != nil {
		p.t.Fatal(err)
	}
	s := by.sign(p.command(envelope.KeyID(p.key.Verifier().Fingerprint()), request))
	s.Invited = invited
	return s
}

// asks is what the player signs to learn what he has to sign of an entry. Nothing can be entered by it.
func (p signer) asks(id, verb string, entry json.RawMessage) envelope.SignedInquiry {
	p.t.Helper()
	request, err := envelope.NewRequest(verb, entry)
	if err != nil {
		p.t.Fatal(err)
	}
	text, err := envelope.Inquiry{Campaign: p.id.ID.String(), Seat: p.name, ID: id, Request: request,
		NotAfter: time.Now().Add(time.Hour).UTC().Truncate(time.Second)}.Sign(p.key)
	if err != nil {
		p.t.Fatal(err)
	}
	x, err := envelope.ParseInquiry(text)
	if err != nil {
		p.t.Fatal(err)
	}
	if a, err := p.umpire.HearSigned(p.id.ID, replay.SignedCommand{Envelope: text}); err == nil {
		p.t.Fatalf("what was signed to ask is heard: %+v", a)
	}
	return x
}

// drafted is an entry as the player signs it, and the facts that it seals.
func (p signer) drafted(id, text string) (envelope.Command, []events.Opening) {
	p.t.Helper()
	list, err := p.entries("entries:\n  - " + text + "\n")
	if err != nil {
		p.t.Fatal(err)
	}
	x := p.asks(id, list[0].Verb, list[0].Body)
	form, a, err := p.umpire.FormOf(p.id.ID, x, nil)
	if err != nil || form.Command != id {
		p.t.Fatalf("%s: %+v, %v", text, a, err)
	}
	k := p.command(id, form.Request)
	k.Question = form.Question
	opened, err := k.Seal(rand.Reader, form.Epoch, form.Sealed)
	if err != nil {
		p.t.Fatal(err)
	}
	return k, opened
}

func (p signer) enters(id, text string) replay.Answer {
	p.t.Helper()
	k, opened := p.drafted(id, text)
	s := p.sign(k)
	s.Openings = opened
	a, err := p.umpire.HearSigned(p.id.ID, s)
	if err != nil {
		p.t.Fatal(err)
	}
	return a
}

// refuses expects that a signed command is refused with these words, and leaves nothing.
func (p signer) refuses(t testing.TB, name, want string, s replay.SignedCommand) {
	t.Helper()
	n := p.now().Next
	a, err := p.umpire.HearSigned(p.id.ID, s)
	said := fmt.Sprint(err)
	if err == nil && a.Verdict == rules.Refused {
		said = a.Violations[0].Message
	}
	if !strings.Contains(said, want) || p.now().Next != n {
		t.Errorf("%s: %q (%s), %d events", name, said, a.Verdict, p.now().Next-n)
	}
}

// keyedGame is a campaign in which Anna has a key, and Ben has none.
func keyedGame(t *testing.T, proxy bool) signer {
	c := newHost(t).openWith(replay.NewCampaign{Name: "signed", System: "awaw", Seats: atTable["awaw"], Proxy: proxy})
	anna := c.signer("Anna", 1)
	if a, err := c.umpire.HearSigned(c.id.ID, anna.keyed(anna, true)); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	c.must("turn: Fall 1939\nentries:\n  - {id: b, allocate: {side: Britain, project: Ultra, points: 2}}\n")
	return anna
}

const allocation = "{id: e, allocate: {side: European Axis, project: Ultra, points: 3}}"

// What a player signs is recorded with his signature, and what he seals with the commitment that he signed. Nobody can
// enter it for him, or move it, or change it.
func TestSigned(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	ben, id := anna.harness.signer("Ben", 2), anna.id.ID
	anna.refuses(t, "no invitation", "invitation", ben.keyed(ben, false))
	anna.refuses(t, "another signs", "another key signed", ben.keyed(anna, true))
	k, opened := anna.drafted("a1", allocation)
	good := anna.sign(k)
	good.Openings = opened
	with := func(change func(k *envelope.Command)) replay.SignedCommand {
		own := k
		change(&own)
		s := anna.sign(own)
		s.Openings = opened
		return s
	}
	other := slices.Clone(opened)
	other[0].Fact = "4"
	stranger := signer{anna.harness, "Anna", anna.harness.signer("Anna", 9).key, nil}
	for name, x := range map[string]struct {
		want string
		replay.SignedCommand
	}{
		"no envelope":      {"no signed command", replay.SignedCommand{Envelope: "{}"}},
		"another key":      {"another key signed", stranger.sign(k)},
		"another seat":     {"has no key", with(func(k *envelope.Command) { k.Seat = "Ben" })},
		"another campaign": {"signed for campaign", with(func(k *envelope.Command) { k.Campaign = "01" })},
		"expired":          {"sign it again", with(func(k *envelope.Command) { k.NotAfter = time.Unix(1, 0).UTC() })},
		"a longer record":  {"older copy", with(func(k *envelope.Command) { k.Seen.Events += 5 })},
		"a fork":           {"another record", with(func(k *envelope.Command) { k.Seen.Root[0]++ })},
		"a question":       {"another question", with(func(k *envelope.Command) { k.Question[0]++ })},
		"another id":       {"does not open", with(func(k *envelope.Command) { k.ID = "a2" })},
		"another fact":     {"does not open", replay.SignedCommand{Envelope: good.Envelope, Openings: other}},
		"nothing opened":   {"1 facts are sealed, and 0 opened", replay.SignedCommand{Envelope: good.Envelope}},
		"another's side": {"does not speak for Britain", func() replay.SignedCommand {
			k, opened := anna.drafted("b1", allocation)
			k.Request = json.RawMessage(strings.Replace(string(k.Request), "European Axis", "Britain", 1))
			s := anna.sign(k)
			s.Openings = opened
			return s
		}()},
		"in the open": {"the record has to say", func() replay.SignedCommand {
			k, _ := anna.drafted("a1", allocation)
			k.Commitments = nil
			k.Request = json.RawMessage(strings.Replace(string(k.Request), `{"sealed":"points"}`, "3", 1))
			return anna.sign(k)
		}()},
	} {
		anna.refuses(t, name, x.want, x.SignedCommand)
	}
	for _, seat := range []string{campaign.UmpireSeat, "Anna"} {
		n := anna.now().Next
		anna.seat = seat
		if got := anna.submit("turn: Fall 1939\nentries:\n  - " + allocation + "\n"); anna.now().Next != n ||
			!strings.Contains(got, "signs what it enters") {
			t.Errorf("%s enters it without her signature: %s", seat, got)
		}
	}
	anna.seat = campaign.UmpireSeat
	if a, err := anna.umpire.HearSigned(id, good); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	n := anna.now().Next
	if a, err := anna.umpire.HearSigned(id, good); err != nil || !a.Again || anna.now().Next != n {
		t.Errorf("sent again: %+v, %v", a, err)
	}
	last := anna.all()[anna.lastOf("a1", "research_allocated")]
	if last.Signed != good.Envelope || last.Commitments[0].Hash != k.Commitments[0].Hash {
		t.Errorf("recorded is %+v", last)
	}
	anna.vouched(t)
}

// vouched audits the campaign, and checks its file; then changes what players signed, and each change is found.
func (p signer) vouched(t *testing.T) {
	t.Helper()
	if err := p.umpire.SameAsFolded(p.id.ID); err != nil {
		t.Error(err)
	}
	if a := p.book().audit(t, nil); len(a.Findings) > 0 {
		t.Errorf("the audit finds %+v", a.Findings)
	}
	f, err := bundle.Read(bytes.NewReader(p.exported()))
	if err != nil {
		t.Fatal(err)
	}
	if r := f.Check(bundle.Options{}); (&r).Wrongs(bundle.CheckEnvelopes) > 0 {
		t.Errorf("%+v", r.Findings)
	}
	signed := 0
	for i, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if e.Signed == "" || e.Type.KeysSeat() {
			continue
		}
		signed++
		for name, change := range map[string]func(e *events.Event){
			"taken out": func(e *events.Event) { e.Signed = "" },
			"changed":   func(e *events.Event) { e.Signed = strings.Replace(e.Signed, "eyJ", "fyJ", 1) },
			"seat":      func(e *events.Event) { e.Seat = "Ben" },
			"command":   func(e *events.Event) { e.Command += "x" },
			"request":   func(e *events.Event) { e.Request = strings.Replace(e.Request, "Ultra", "Magic", 1) },
			"late":      func(e *events.Event) { e.Recorded = e.Recorded.Add(48 * time.Hour) },
			"sealed":    func(e *events.Event) { e.Commitments = slices.Clone(e.Commitments); flip(e) },
			"for her": func(e *events.Event) {
				e.Signed, e.Seat = "", campaign.UmpireSeat
			},
		} {
			own := e
			change(&own)
			forged := rehashed(t, f, i, own)
			found := slices.ContainsFunc(forged.Check(bundle.Options{}).Findings, func(x bundle.Finding) bool {
				return x.Check == bundle.CheckEnvelopes && x.Event != nil && *x.Event == uint64(i)
			})
			allowed := p.now().Proxy && e.Command == own.Command && own.Signed == ""
			if !found && !allowed && !(name == "sealed" && len(e.Commitments) == 0) {
				t.Errorf("#%d (%s), %s: nothing is found", i, e.Type, name)
			}
		}
	}
	if signed == 0 {
		t.Error("nothing is signed")
	}
	first, err := events.Decode(f.Events[0]) // of the record that a player saw before he signed
	if err != nil {
		t.Fatal(err)
	}
	first.Recorded = first.Recorded.Add(time.Second)
	if r := rehashed(t, f, 0, first).Check(bundle.Options{}); (&r).Wrongs(bundle.CheckEnvelopes) == 0 {
		t.Error("another record than the player saw passes")
	}
}

func flip(e *events.Event) {
	for i := range e.Commitments {
		e.Commitments[i].Hash[0]++
	}
}

// A seat gets another key by its old one, or by the umpire, and then its signatures prove no more than his word.
func TestRekeyed(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, true)
	next, third := anna.harness.signer("Anna", 3), anna.harness.signer("Anna", 4)
	anna.refuses(t, "a stranger", "another key signed", next.keyed(next, false))
	for _, x := range []struct {
		next, by signer
		invited  bool
	}{{next, anna, false}, {third, third, true}} {
		next = x.next
		if a, err := anna.umpire.HearSigned(anna.id.ID, next.keyed(x.by, x.invited)); err != nil ||
			a.Verdict != rules.Allowed {
			t.Fatalf("%+v, %v", a, err)
		}
		k, opened := next.drafted("a1", allocation)
		old := anna.sign(k)
		old.Openings = opened
		anna.refuses(t, "the old key", "another key signed", old)
		if got := anna.now().Keys; len(got) != 1 || got[0].ByUmpire != x.invited {
			t.Errorf("%+v", got)
		}
	}
	next.enters("a1", allocation)
	anna.must("turn: Fall 1939\nentries:\n  - {id: u, allocate: {side: Japan, project: Magic, points: 1}}\n")
	next.vouched(t)
	f, err := bundle.Read(bytes.NewReader(anna.exported()))
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, u := range f.Check(bundle.Options{}).Unchecked {
		said = append(said, u.What)
	}
	if text := strings.Join(said, "; "); !strings.Contains(text, "what the seat Anna signs") ||
		!strings.Contains(text, "entries of Anna") {
		t.Errorf("the check does not say what the umpire's word stands for: %s", text)
	}
}

// A host who adds to a record adds nothing to what a player signed: no seat that takes his sides, and no further entry
// under the id of one that he signed.
func TestAddedToSigned(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	anna.enters("a1", allocation)
	f, err := bundle.Read(bytes.NewReader(anna.exported()))
	if err != nil {
		t.Fatal(err)
	}
	last := anna.all()[anna.lastOf("a1", "research_allocated")]
	again := last
	again.Signed, again.Commitments = "", nil
	another := again
	another.Command = "a1/other"
	twice := last
	taken := another
	taken.Type, taken.Payload, taken.Seat = "seat_taken", events.EncodePayload(&events.SeatTaken{Seat: "Carl",
		Role: campaign.RolePlayer, Sides: []string{"European Axis"}}), campaign.UmpireSeat
	for name, e := range map[string]events.Event{
		"under her id": again, "under another id": another, "once more": twice, "another seat": taken,
	} {
		e.Index, e.Previous = uint64(len(f.Events)), events.LeafHash(f.Events[len(f.Events)-1])
		forged := *f
		forged.Events = append(slices.Clone(f.Events), e.Encode())
		found := slices.ContainsFunc(forged.Check(bundle.Options{}).Findings, func(x bundle.Finding) bool {
			own := x.Event != nil && *x.Event == e.Index
			return own && (x.Check == bundle.CheckEnvelopes || strings.Contains(x.Message, "when the campaign opens"))
		})
		if !found {
			t.Errorf("%s: nothing is found", name)
		}
	}
}

// A command is in time, and recorded, by one reading of the clock, and the record says when it is where the clock went
// back. So the check of a file never finds late what the umpire heard in time.
func TestHeardInTime(t *testing.T) {
	t.Parallel()
	anna := keyedGame(t, false)
	base := time.Now().Add(10 * time.Second)
	now, step := base, time.Duration(0)
	anna.umpire.SetClock(func() time.Time { now = now.Add(step); return now })
	anna.must("entries:\n  - {id: c, allocate: {side: Britain, project: Ultra, points: 1}}\n")
	k, opened := anna.drafted("a1", allocation)
	until := func(at time.Time) replay.SignedCommand {
		k.NotAfter = at.UTC().Truncate(time.Second)
		s := anna.sign(k)
		s.Openings = opened
		return s
	}
	now = base.Add(-5 * time.Second)
	anna.refuses(t, "the clock went back", "it was to be heard until", until(base.Add(-2*time.Second)))
	now, step = base, 3*time.Second // each reading of the clock is later
	a, err := anna.umpire.HearSigned(anna.id.ID, until(base.Add(5*time.Second)))
	if err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	if found := anna.found(anna.fileFor(bundle.Umpire, anna.now().Next)); len(found) > 0 {
		t.Errorf("an honest host: %v", found)
	}
}
