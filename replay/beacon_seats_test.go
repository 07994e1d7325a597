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
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// seated is a campaign with dice by a beacon whose rolls the players' seats cosign, and the clock of its host.
func seated(t *testing.T) (witnessed, signer, signer) {
	t.Helper()
	d, now := newHost(t), time.Now()
	w := witnessed{moon: newMoon(t), now: &now}
	d.umpire.SetClock(func() time.Time { return *w.now })
	w.harness = d.openWith(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon, Beacon: w.Beacon,
		Seats: atTable["awaw"], Proxy: true})
	return w, w.signer("Anna", 1), w.signer("Ben", 2)
}

// gets gives a player's seat his key.
func (p signer) gets(by signer, invited bool) {
	p.t.Helper()
	if a, err := p.umpire.HearSigned(p.id.ID, p.keyed(by, invited)); err != nil || a.Verdict != rules.Allowed {
		p.t.Fatalf("%+v, %v", a, err)
	}
}

// hears has a turn heard, and gives the answer to its last entry.
func (w witnessed) hears(text string) (replay.Answer, error) {
	w.t.Helper()
	list, err := w.entries(text)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range list[:len(list)-1] {
		if a, err := w.hear(c); err != nil || a.Verdict == rules.Refused {
			w.t.Fatalf("%+v, %v", a, err)
		}
	}
	return w.hear(list[len(list)-1])
}

// tries hands in the round that is awaited, with what a player cosigned.
func (w witnessed) tries(by signer, before int64) (replay.Answer, error) {
	w.t.Helper()
	round := w.awaited().Roll.Round
	own := moon{w.Moon, by.key, w.ledger}
	note := own.cosigned(w.harness, w.harness.now().Next, w.Time(round)-before)
	return w.round(replay.RoundCome{Number: round, Signature: w.Signature(round), Note: note})
}

// The submarines of the European Axis roll. Their own player's cosignature proves nothing, nor one by a key that the
// umpire gave out; the opponent's does, from before the round. Until he has a key the side rolls nothing.
func TestSeatsCosign(t *testing.T) {
	t.Parallel()
	w, anna, ben := seated(t)
	anna.gets(anna, true)
	if a, err := w.hears(beaconPlay); err != nil || a.Verdict != rules.Refused ||
		!strings.Contains(a.Violations[0].Message, "a seat that does not hold European Axis cosigns it") {
		t.Fatalf("a roll that nobody can cosign: %+v, %v", a, err)
	}
	ben.gets(ben, true)
	w.submit(beaconPlay)
	if list := w.awaited().Roll.Cosigners.Witnesses(); len(list) != 1 || list[0].Name != "Ben" {
		t.Errorf("cosigners: %+v", list)
	}
	for name, x := range map[string]struct {
		by     signer
		before int64
	}{"own side": {anna, 1}, "late": {ben, 0}, "a stranger": {w.signer("Ben", 3), 1}} {
		if a, err := w.tries(x.by, x.before); err != nil || a.Verdict != rules.Refused {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	if a, err := w.tries(ben, 1); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	w.sound()
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	if got := f.Choices(); len(got) != 1 || got[0].Who != bundle.ByKeyHolder {
		t.Errorf("%+v", got)
	}
	if text := f.Encode(); !bytes.Contains(text, []byte("dice beacon\ndice beacon of seats\nseeds position\n")) {
		t.Error("a program that knows no seats that cosign would read the file, and accuse the host")
	} else if _, err := bundle.Read(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
	other := w.signer("Ben", 3)
	other.gets(other, true) // by the umpire: no word of Ben's
	third := w.signer("Ben", 4)
	third.gets(other, false) // and what that key signs is not either
	again := strings.NewReplacer("id: raid", "id: again", "war turn: 1", "war turn: 2").Replace(beaconPlay)
	if a, err := w.hears(again); err != nil || a.Verdict != rules.Refused {
		t.Errorf("the umpire's keys cosign: %+v, %v", a, err)
	}

	note := func(by signer) string { // what the file says of dice that another cosigned
		forged := forgedFile(t, f, first(func(p *events.DiceRolled) {
			x, err := tree.ParseCosigned(p.Note, tree.Verifier{}, tree.AnyOf(tree.Witness{Name: "Ben",
				Verifier: ben.key.Verifier()}))
			if err != nil {
				t.Fatal(err)
			}
			line, err := x.Cosign(by.key, x.Cosignatures[0].Time)
			if err != nil {
				t.Fatal(err)
			}
			p.Note = p.Note[:strings.LastIndex(p.Note, "— ")] + line
		}))
		return strings.Join(w.found(forged), "\n")
	}
	for _, by := range []signer{anna, other} {
		if text := note(by); !strings.Contains(text, "payload.note: too few witnesses cosigned the declaration") {
			t.Errorf("%s cosigned: %s", by.name, text)
		}
	}
}

// Where the campaign was opened so, the host's chain decides a roll that lapsed three times; elsewhere nothing does.
func TestUnwitnessed(t *testing.T) {
	t.Parallel()
	d, now := newHost(t), time.Unix(1_800_000_000, 0)
	w := witnessed{moon: newMoon(t), now: &now}
	clock := func() time.Time { return *w.now }
	d.umpire.SetClock(clock)
	w.harness = d.openWith(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon, Beacon: w.Beacon,
		Witnesses: w.policy(), Unwitnessed: campaign.Chain})
	w.submit(beaconPlay)
	unwitnessed := func() (replay.Answer, error) {
		at := w.awaited().Index
		return w.umpire.Hear(w.id.ID, rules.Command{ID: fmt.Sprintf("unwitnessed/%d", at), Seat: campaign.UmpireSeat,
			Verb: campaign.VerbUnwitnessed, Body: fmt.Appendf(nil, `{"unwitnessed": %d}`, at)})
	}
	w.lapses()
	if a, err := unwitnessed(); err != nil || a.Verdict != rules.Refused {
		t.Errorf("before no round is left: %+v, %v", a, err)
	}
	round := w.awaited().Roll.Round
	note := w.cosigned(w.harness, w.harness.now().Next, w.Time(round)-1)
	*w.now = time.Unix(w.Time(round)+60, 0)
	if a, err := w.lapse(round); err != nil || a.Verdict != rules.Asked ||
		!strings.Contains(a.Question, "host's chain") {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, err := w.round(replay.RoundCome{Number: round, Signature: w.Signature(round), Note: note}); err != nil ||
		a.Verdict != rules.Refused {
		t.Errorf("a round still decides: %+v, %v", a, err)
	}
	d.reopen()
	d.umpire.SetClock(clock)
	at := w.awaited().Index
	if a, err := unwitnessed(); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	w.sound()
	if a := w.book().audit(t, nil); len(a.Findings) > 0 {
		t.Errorf("the audit finds %+v", a.Findings)
	}
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	got := f.Choices()
	if len(got) != 1 || got[0].Who != bundle.ByHost || !strings.Contains(got[0].Why, "nobody cosigned it") {
		t.Errorf("%+v", got)
	}
	for name, x := range map[string]struct {
		change func(events.Payload) bool
		says   string
	}{
		"another die": {of(func(p *events.DiceRolled) bool { p.Dice[0] = p.Dice[0]%6 + 1; return true }),
			"the link gives another die"},
		"refuse": {of(func(p *events.CampaignOpened) bool { p.Unwitnessed = ""; return true }),
			"a link decides a roll that lapsed 3 times, where the campaign was opened so"},
		"another link": {of(func(p *events.RollLapsed) bool { p.Link.Position++; return p.Next == 0 }),
			"links are used one after the other"},
		"too early": {of(func(p *events.RollLapsed) bool {
			p.Next, p.Link = 0, events.Source{Chain: "dice", Position: 1}
			return true
		}), "a link decides a roll that lapsed 3 times"},
	} {
		if found := strings.Join(w.found(forgedFile(t, f, x.change)), "\n"); !strings.Contains(found, x.says) {
			t.Errorf("%s: %s", name, found)
		}
	}
	all := w.records(0, campaign.Everything)
	for cut := at + 1; cut < uint64(len(all)); cut++ { // a step that was cut is completed to what it had been
		k := d.copyOf(t)
		if _, err := k.umpire.Recover(records(all[:cut])); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		again := &harness{host: k, id: w.id, seat: campaign.UmpireSeat}
		if again.now().Open == nil && !slices.EqualFunc(again.all(), w.all(), func(a, b events.Event) bool {
			return a.Type == b.Type && a.Payload == b.Payload
		}) {
			t.Errorf("cut at %d it is completed to\n%+v", cut, again.all())
		}
	}
	if _, violations, err := d.umpire.Open(replay.NewCampaign{Name: "chain", System: "awaw",
		Unwitnessed: campaign.Chain}); err != nil || len(violations) != 1 {
		t.Errorf("unwitnessed dice by a chain: %+v, %v", violations, err)
	}
}

// A roll that nobody cosigned for a week can be ruled void, whatever its lapses. A host who claims that by his clock is
// found out by the next cosignature.
func TestAbandoned(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	open := w.awaited()
	due := w.Time(open.Roll.Round)
	*w.now = time.Unix(due+beacon.Abandoned-1, 0)
	if text := w.refusedVoid(open.Index); !strings.Contains(text, "it can be ruled void 7 days after its round") {
		t.Errorf("%s", text)
	}
	*w.now = time.Unix(due+beacon.Abandoned, 0)
	ruling := w.ruleVoid(open.Index)
	*w.now = w.now.Add(time.Minute)
	w.submit(strings.Replace(beaconPlay, "raid", "again", 1))
	w.falls()
	w.sound()
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	if got := f.Choices(); len(got) != 2 || got[0].Who != bundle.ByHost || got[1].Who != bundle.ByHost {
		t.Errorf("%+v", got)
	}
	all := w.all()
	void := slices.IndexFunc(all, func(e events.Event) bool { return e.Type == "voided" })
	for i := range all[:void+1] {
		if uint64(i) >= ruling.First { // as if it had been recorded at once
			all[i].Recorded = time.Unix(due+60, 0).UTC()
		}
	}
	w.finds(all, fmt.Sprintf("#%d voided payload: the roll #%d awaits round", void, open.Index))
}

// The host's clock says that a week went by. The witness's says that the void was there before.
func TestHurriedVoid(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	open := w.awaited()
	due := w.Time(open.Roll.Round)
	*w.now = time.Unix(due+beacon.Abandoned, 0)
	w.ruleVoid(open.Index)
	*w.now = time.Unix(due+60, 0) // and back
	w.submit(strings.Replace(beaconPlay, "raid", "again", 1))
	w.falls()
	found := w.found(w.fileFor(bundle.Umpire, w.harness.now().Next))
	void := slices.IndexFunc(w.all(), func(e events.Event) bool { return e.Type == "voided" })
	if !slices.ContainsFunc(found, func(text string) bool {
		return strings.HasPrefix(text, fmt.Sprintf("#%d voided recorded: it is cosigned from before the time", void))
	}) {
		t.Errorf("%q", found)
	}
}

// Ben cosigned in time, and the host lets the roll lapse all the same: Ben's note shows it. Anna's late one shows
// nothing.
func TestFalseLapse(t *testing.T) {
	t.Parallel()
	w, anna, ben := seated(t)
	anna.gets(anna, true)
	ben.gets(ben, true)
	w.submit(beaconPlay)
	round := w.awaited().Roll.Round
	note := func(by signer, before int64) string {
		return moon{w.Moon, by.key, w.ledger}.cosigned(w.harness, w.harness.now().Next, w.Time(round)-before)
	}
	early, late := note(ben, 1), note(ben, 0)
	*w.now = time.Unix(w.Time(round)+60, 0)
	a, err := w.lapse(round)
	if err != nil || a.Verdict != rules.Asked {
		t.Fatalf("%+v, %v", a, err)
	}
	round = w.awaited().Roll.Round
	after := note(ben, 1) // of the next round
	all := func(yield func(*events.Event) bool) {
		for _, e := range w.all() {
			if !yield(&e) {
				return
			}
		}
	}
	for name, x := range map[string]struct {
		note  string
		lapse uint64
	}{"in time": {early, a.First}, "late": {late, 0}, "of the next round": {after, 0}} {
		lapse, is, err := bundle.FalseLapse(all, x.note, ben.key.Verifier())
		if err != nil || lapse != x.lapse || is != (x.lapse != 0) {
			t.Errorf("%s: #%d, %v, %v", name, lapse, is, err)
		}
	}
	if _, _, err := bundle.FalseLapse(all, early, anna.key.Verifier()); err == nil {
		t.Error("another's note")
	}
}
