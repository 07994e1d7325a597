package replay_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules"
)

// moon is a beacon whose key a test holds, and the witness of its campaigns.
type moon struct {
	beacontest.Moon
	witness *tree.WitnessKey
	ledger  *tree.Key
}

func newMoon(t *testing.T) moon {
	t.Helper()
	m, err := beacontest.New(1_700_000_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	w, err := tree.NewWitnessKey(bytes.NewReader(bytes.Repeat([]byte{8}, 32)), "arbiter")
	if err != nil {
		t.Fatal(err)
	}
	own, err := tree.NewKey(bytes.NewReader(bytes.Repeat([]byte{9}, 32)), ulid.ULID{1})
	if err != nil {
		t.Fatal(err)
	}
	return moon{m, w, own}
}

func (m moon) policy() string {
	return fmt.Sprintf("witness arbiter %s\nquorum arbiter\n", m.witness.Verifier())
}

// cosigned is the note of a campaign's first n events, cosigned at a time.
func (m moon) cosigned(c *harness, n uint64, at int64) string {
	c.t.Helper()
	var all tree.Tree
	for _, r := range c.records(0, n) {
		all.Add(r.Hash())
	}
	root, err := all.Root(n)
	if err != nil {
		c.t.Fatal(err)
	}
	k := tree.Checkpoint{Campaign: c.id.ID, Events: n, Root: root}
	text, err := k.Sign(m.ledger)
	if err != nil {
		c.t.Fatal(err)
	}
	line, err := k.Cosign(m.witness, at)
	if err != nil {
		c.t.Fatal(err)
	}
	return text + line
}

// round hands in the round that the open roll awaits, with a note.
func (c *harness) round(come replay.RoundCome) (replay.Answer, error) {
	body, err := json.Marshal(map[string]any{campaign.VerbRound: come})
	if err != nil {
		c.t.Fatal(err)
	}
	return c.umpire.Hear(c.id.ID, rules.Command{ID: fmt.Sprintf("round/%d/%x", come.Number, sha256.Sum256(body)),
		Seat: campaign.UmpireSeat, Verb: campaign.VerbRound, Body: body})
}

func (c *harness) lapse(round uint64) (replay.Answer, error) {
	body := fmt.Appendf(nil, `{"lapse": %d}`, round)
	return c.umpire.Hear(c.id.ID, rules.Command{ID: fmt.Sprintf("lapse/%d", round), Seat: campaign.UmpireSeat,
		Verb: campaign.VerbLapse, Body: body})
}

const beaconPlay = "turn: Winter 1941\nentries:\n  - {id: raid, submarine warfare: {box: Atlantic, submarines: 20, " +
	"asw: 30, cves: 0, war turn: 1}, cards: []}\n"

// A roll awaits its round, and falls by it when it was cosigned before. Everything else is refused, and leaves nothing.
func TestBeacon(t *testing.T) {
	t.Parallel()
	m := newMoon(t)
	d := newHost(t)
	now := time.Unix(1_800_000_000, 0)
	d.umpire.SetClock(func() time.Time { return now })
	c := d.openWith(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon, Beacon: m.Beacon,
		Witnesses: m.policy()})
	c.submit(beaconPlay)
	open := c.now().Open
	if open == nil || open.Roll == nil || !open.Roll.Awaits() {
		t.Fatalf("no roll awaits a round: %+v", open)
	}
	round := open.Roll.Round
	if lead := m.Time(round) - now.Unix(); lead < replay.BeaconLead || lead >= replay.BeaconLead+m.Period {
		t.Errorf("the round is %d seconds ahead", lead)
	}
	n := c.now().Next
	short := m.cosigned(c, open.Index, m.Time(round)-1)
	early, late := m.cosigned(c, n, m.Time(round)-1), m.cosigned(c, n, m.Time(round))
	alone := early[:strings.LastIndex(early, "— ")] // by the ledger
	good := replay.RoundCome{Number: round, Signature: m.Signature(round), Note: early}
	for name, x := range map[string]replay.RoundCome{
		"another round":       {Number: round + 1, Signature: m.Signature(round + 1), Note: early},
		"another signature":   {Number: round, Signature: m.Signature(round + 1), Note: early},
		"cosigned late":       {Number: round, Signature: good.Signature, Note: late},
		"before it":           {Number: round, Signature: good.Signature, Note: short},
		"no note":             {Number: round, Signature: good.Signature},
		"no cosignature":      {Number: round, Signature: good.Signature, Note: alone},
		"not hexadecimal":     {Number: round, Signature: "moon", Note: early},
		"of another campaign": {Number: round, Signature: good.Signature, Note: m.elsewhere(d, n, m.Time(round)-1)},
	} {
		if a, err := c.round(x); err != nil || a.Verdict != rules.Refused || c.now().Next != n {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	if a, err := c.lapse(round); err != nil || a.Verdict != rules.Refused {
		t.Errorf("it lapses before its round: %+v, %v", a, err)
	}
	d.reopen()
	d.umpire.SetClock(func() time.Time { return now })
	if a, err := c.round(good); err != nil || a.Verdict != rules.Allowed || c.now().Open != nil {
		t.Fatalf("%+v, %v", a, err)
	}
	c.holds(t)
	all := c.records(0, campaign.Everything)
	payloads := func(c *harness) (list []string) {
		for _, e := range c.all() {
			list = append(list, string(e.Type)+" "+e.Payload)
		}
		return list
	}
	for cut := open.Index + 1; cut < uint64(len(all)); cut++ { // a step that was cut is completed to what it had been
		f := d.copyOf(t)
		if _, err := f.umpire.Recover(records(all[:cut])); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		again := &harness{host: f, id: ledger.Campaign{ID: c.id.ID}, seat: campaign.UmpireSeat}
		if got := payloads(again); cut > open.Index+1 && !slices.Equal(got, payloads(c)) {
			t.Errorf("cut at %d it is completed to\n%q", cut, got)
		}
	}
}

// A roll that nobody cosigned in time lapses, and another round decides; after three lapses no other is named.
func TestBeaconLapses(t *testing.T) {
	t.Parallel()
	m := newMoon(t)
	d := newHost(t)
	now := time.Unix(1_800_000_000, 0)
	d.umpire.SetClock(func() time.Time { return now })
	c := d.openWith(replay.NewCampaign{Name: "lapsing", System: "awaw", Dice: campaign.Beacon, Beacon: m.Beacon,
		Witnesses: m.policy()})
	c.submit(beaconPlay)
	for range beacon.MostLapses {
		round := c.now().Open.Roll.Round
		before := m.cosigned(c, c.now().Next, m.Time(round)-1)
		now = time.Unix(m.Time(round)+60, 0)
		if a, err := c.lapse(round); err != nil || a.Verdict != rules.Asked {
			t.Fatalf("%+v, %v", a, err)
		}
		was := replay.RoundCome{Number: round, Signature: m.Signature(round), Note: before}
		if a, err := c.round(was); err != nil || a.Verdict != rules.Refused {
			t.Errorf("the round that lapsed still decides: %+v, %v", a, err)
		}
	}
	round := c.now().Open.Roll.Round
	note := m.cosigned(c, c.now().Next, m.Time(round)-1)
	now = time.Unix(m.Time(round)+60, 0)
	if a, err := c.lapse(round); err != nil || a.Verdict != rules.Refused {
		t.Errorf("it lapses once more: %+v, %v", a, err)
	}
	if a, err := c.round(replay.RoundCome{Number: round, Signature: m.Signature(round), Note: note}); err != nil ||
		a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	c.holds(t)
}

// elsewhere is a note of another campaign of as many events.
func (m moon) elsewhere(d *host, n uint64, at int64) string {
	k := tree.Checkpoint{Campaign: ulid.ULID{5}, Events: n, Root: events.Hash{5}}
	text, err := k.Sign(m.ledger)
	if err != nil {
		d.t.Fatal(err)
	}
	line, err := k.Cosign(m.witness, at)
	if err != nil {
		d.t.Fatal(err)
	}
	return text + line
}

// holds audits the campaign and checks its file; then changes each part of what decided the dice, and each is found.
func (c *harness) holds(t *testing.T) {
	t.Helper()
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
	if a := c.book().audit(t, nil); len(a.Findings) > 0 {
		t.Errorf("the audit finds %+v", a.Findings)
	}
	c.unchanged(0)
	file := c.fileFor(bundle.Umpire, c.now().Next)
	if found := c.found(file); len(found) > 0 {
		t.Errorf("%q", found)
	}
	lapsed := slices.ContainsFunc(c.all(), func(e events.Event) bool { return e.Type == "roll_lapsed" })
	for name, x := range beaconForgeries {
		if lapsed && name == "another round declared" {
			x.at, x.says = "roll_lapsed", "payload.round: another round was awaited"
		}
		at, found := fmt.Sprintf("#%d %s", c.firstOf(x.at), x.at), c.found(forgedFile(t, file, x.change))
		if !slices.ContainsFunc(found, func(text string) bool {
			return strings.HasPrefix(text, at) && strings.Contains(text, x.says)
		}) {
			t.Errorf("%s: at %s it is not found that %s, but\n%s", name, at, x.says, strings.Join(found, "\n"))
		}
	}
}

// firstOf is the index of the first event of a type.
func (c *harness) firstOf(kind events.Type) uint64 {
	c.t.Helper()
	all := c.all()
	i := slices.IndexFunc(all, func(e events.Event) bool { return e.Type == kind })
	if i < 0 {
		c.t.Fatalf("there is no %s", kind)
	}
	return all[i].Index
}

// clean holds a file to have nothing wrong in it.
func (c *harness) clean(f *bundle.File) {
	c.t.Helper()
	if found := c.found(f); len(found) > 0 {
		c.t.Errorf("%q", found)
	}
}

// found is what the check of a file and the trial of its commands find wrong, each with its event.
func (c *harness) found(f *bundle.File) (list []string) {
	c.t.Helper()
	v, err := verify.File(f, c.judges(), "", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, x := range v.Findings {
		where := "file"
		if x.Event != nil {
			where = fmt.Sprintf("#%d %s", *x.Event, x.Type)
		}
		list = append(list, fmt.Sprintf("%s %s: %s (%s; %s)", where, x.Field, x.Message, x.Recorded, x.Derived))
	}
	return list
}

// of is a change of the payloads of one type; a false leaves an event as it is.
func of[P events.Payload](change func(P) bool) func(events.Payload) bool {
	return func(p events.Payload) bool {
		own, ok := p.(P)
		return ok && change(own)
	}
}

// beaconForgeries change what decided a roll by a beacon; at is the first event at which it shows.
var beaconForgeries = map[string]struct {
	change func(p events.Payload) bool
	at     events.Type
	says   string
}{
	"another die": {of(func(p *events.DiceRolled) bool { p.Dice[0] = p.Dice[0]%6 + 1; return true }), "dice_rolled",
		"payload.dice[0]: the round gives another die"},
	"another round declared": {of(func(p *events.RollDeclared) bool { p.Round++; return true }), "dice_rolled",
		"payload.round: another round was named in #"},
	"another purpose declared": {of(func(p *events.RollDeclared) bool { p.Purpose += "!"; return true }), "dice_rolled",
		"payload.note: the checkpoint is of other events than these"},
	"by a chain": {of(func(p *events.RollDeclared) bool { p.Mode = ""; return true }), "roll_declared",
		"payload.mode: the campaign's dice are thrown otherwise"},
	"a later roll of the round": {of(func(p *events.RollDeclared) bool { p.Ordinal, p.First = 1, 3; return true }),
		"roll_declared", "payload.first: a roll behind one of a round, of the same command"},
	"another signature": {first(func(p *events.DiceRolled) { p.Signature = p.Signature[:94] + "00" }), "dice_rolled",
		"payload.signature: round "},
	"no note": {first(func(p *events.DiceRolled) { p.Note = "" }), "dice_rolled", "payload.note: "},
	"no signature": {first(func(p *events.DiceRolled) { p.Round, p.Signature, p.Note = 0, "", "" }), "dice_rolled",
		"payload.round: another round was named in #"},
	"another witness": {of(func(p *events.CampaignOpened) bool {
		p.Witnesses = "witness other arbiter+7b1c09e2+BGd3\nquorum other\n"
		return true
	}), "campaign_opened", "payload.witnesses: this is no policy of witnesses: line 1"},
	"another beacon": {of(func(p *events.CampaignOpened) bool { p.Beacon.Genesis++; return true }), "dice_rolled",
		"the checkpoint is of other events than these"},
	"times that are not quicknet's": {of(func(p *events.CampaignOpened) bool {
		p.Beacon.PublicKey = beacon.Quicknet().PublicKey
		return true
	}), "campaign_opened", "payload.beacon: this is no beacon: public_key: it is that of quicknet, whose rounds"},
}

// first is a change of the throw that has a round.
func first(change func(*events.DiceRolled)) func(events.Payload) bool {
	return of(func(p *events.DiceRolled) bool {
		is := p.Signature != ""
		if is {
			change(p)
		}
		return is
	})
}

// forgedFile changes the payloads of a file and hashes anew whatever follows.
func forgedFile(t *testing.T, f *bundle.File, change func(events.Payload) bool) *bundle.File {
	t.Helper()
	out := *f
	out.Events = nil
	var before events.Hash
	changed := false
	for _, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		p, err := events.PayloadOf(&e)
		if err != nil {
			t.Fatal(err)
		}
		if change(p) {
			changed, e.Payload = true, events.EncodePayload(p)
		}
		e.Previous = before
		out.Events = append(out.Events, e.Encode())
		before = events.LeafHash(out.Events[len(out.Events)-1])
	}
	if out.Header.Head = before; !changed {
		t.Fatal("nothing was changed")
	}
	return &out
}
