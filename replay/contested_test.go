package replay_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/whatif"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// links is the command by which a player gives the link that the open roll awaits; changed may make it another.
func (p signer) links(id string, changed func(*events.Link, *envelope.Command)) replay.SignedCommand {
	p.t.Helper()
	roll := p.now().Open.Roll
	s := roll.Declared.Sources[1]
	link, k := events.Link{Chain: s.Chain, Position: s.Position}, p.command(id, nil)
	if p.own != nil {
		link.Link = p.own.Link(s.Position)
	}
	if k.Question = roll.Hash; changed != nil {
		changed(&link, &k)
	}
	body, err := json.Marshal(map[string]any{"link": link})
	if err != nil {
		p.t.Fatal(err)
	}
	if k.Request, err = envelope.NewRequest("link", body); err != nil {
		p.t.Fatal(err)
	}
	return p.sign(k)
}

// contestRoll has the player who does not roll give his link, and others try to. At times he is away.
func (p *player) contestRoll(roll *campaign.AwaitedRoll, seat string) {
	p.n++
	id := fmt.Sprintf("link-%d", p.n)
	if within := p.c.now().AnswerWithin; within > 0 && p.IntN(4) == 0 {
		var dice [][]int
		for _, t := range roll.Declared.Throws {
			fell := make([]int, t.Dice)
			for i := range fell {
				fell[i] = 1 + p.IntN(t.Sides)
			}
			dice = append(dice, fell)
		}
		_, _ = p.sayAs(seat, "dice", entry{"dice": dice, "absent": "asleep"})
		return
	}
	for _, s := range p.c.signers.list {
		if s.name != roll.Contester && p.IntN(2) == 0 {
			s.refuses(p.c.t, "the link of another", "awaits a link of", s.links(id, nil))
		}
		if s.name == roll.Contester {
			if a, err := s.umpire.HearSigned(s.id.ID, s.links(id, nil)); err != nil || a.Verdict == rules.Refused {
				p.c.t.Errorf("%+v, %v", a, err)
			}
			p.c.signers.signed["link"]++
			return
		}
	}
}

// contested is a campaign whose rolls two links decide.
func contested(t *testing.T) (c *harness, anna, ben signer) {
	t.Helper()
	d := newHost(t)
	c = d.openWith(replay.NewCampaign{Name: "links", System: "awaw", Dice: campaign.Contested, Seats: atTable["awaw"]})
	list := []signer{c.signer("Anna", 1), c.signer("Ben", 2)}
	for i := range list {
		list[i].own = chance.NewChain(events.Hash{byte(i)}, 32)
		list[i].gets(list[i], true)
	}
	return c, list[0], list[1]
}

// contestedPlay declares a roll of the European Axis.
const contestedPlay = "{id: raid, submarine warfare: {box: Atlantic, submarines: 8, asw: 30, cves: 0, war turn: 1}, " +
	"cards: []}"

// The dice fall by the host's link and that of the player who does not roll, given for this roll alone. Whatever else
// is handed in is refused, and leaves nothing.
func TestContested(t *testing.T) {
	t.Parallel()
	c, anna, ben := contested(t)
	c.submit("turn: Spring 1940\nentries: []\n")
	allowed(t, anna.enters("raid", contestedPlay), nil)
	open := c.now().Open
	if open == nil || open.Roll == nil || !open.Roll.Contested() || open.Roll.Contester != "Ben" || open.Of() != "Ben" {
		t.Fatalf("no roll awaits Ben's link: %+v", open)
	}
	anna.refuses(t, "of her own chain", "awaits a link of Ben, and not of Anna", anna.links("l", nil))
	type links = *events.Link
	type signed = *envelope.Command
	for want, change := range map[string]func(links, signed){
		"names link 1":             func(l links, _ signed) { l.Position, l.Link = 2, ben.own.Link(2) },
		"does not lead to its":     func(l links, _ signed) { l.Link[0] ^= 1 },
		"and not link 1 of chain":  func(l links, _ signed) { l.Chain = "chain" },
		"answers another question": func(_ links, k signed) { k.Question[0] ^= 1 },
		"its player saw another":   func(_ links, k signed) { k.Seen.Root[0] ^= 1 },
		"it was signed for":        func(_ links, k signed) { k.Campaign = strings.Repeat("0", 26) },
		"it was to be heard until": func(_ links, k signed) { k.NotAfter = k.NotAfter.Add(-48 * time.Hour) },
	} {
		ben.refuses(t, want, want, ben.links("l", change))
	}
	stranger := c.signer("Ben", 9)
	stranger.own = ben.own
	stranger.refuses(t, "another key", "another key signed this", stranger.links("l", nil))
	body, _ := json.Marshal(map[string]any{"link": events.Link{Chain: ben.chain(), Position: 1, Link: ben.own.Link(1)}})
	for _, seat := range []string{campaign.UmpireSeat, "Ben"} { // he has it from somewhere, and did not get it signed
		n := c.now().Next
		a, err := c.umpire.Hear(c.id.ID, rules.Command{ID: "l", Seat: seat, Verb: "link", Body: body})
		if err != nil || a.Verdict != rules.Refused || c.now().Next != n {
			t.Errorf("%s: %+v, %v", seat, a, err)
		}
	}
	c.host.reopen()
	given := ben.links("l", nil)
	a, err := c.umpire.HearSigned(c.id.ID, given)
	if allowed(t, a, err); c.now().Open != nil {
		t.Fatal("no dice fell")
	}
	if a, err = c.umpire.HearSigned(c.id.ID, given); err != nil || !a.Again {
		t.Errorf("sent again: %+v, %v", a, err)
	}
	c.sound()
	all := c.records(0, campaign.Everything)
	payloads := func(c *harness) (list []string) {
		for _, e := range c.all() {
			list = append(list, string(e.Type)+" "+e.Payload)
		}
		return list
	}
	for cut := open.Index + 2; cut < uint64(len(all)); cut++ { // a step that was cut is completed to what it had been
		f := c.host.copyOf(t)
		if _, err := f.umpire.Recover(records(all[:cut])); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		again := &harness{host: f, id: ledger.Campaign{ID: c.id.ID}, seat: campaign.UmpireSeat}
		if got := payloads(again); !slices.Equal(got, payloads(c)) {
			t.Errorf("cut at %d it is completed to\n%q", cut, got)
		}
	}
	h, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{Seed: "1"})
	if err != nil || len(h.Differences) > 0 || len(h.Unheard) > 0 {
		t.Errorf("played again it is another: %+v, %v", h, err)
	}
}

// What a host changes of a contested roll shows by the event, though he hashes all anew.
func TestContestedForged(t *testing.T) {
	t.Parallel()
	c, anna, ben := contested(t)
	c.submit("turn: Spring 1940\nentries: []\n")
	allowed(t, anna.enters("raid", contestedPlay), nil)
	a, err := c.umpire.HearSigned(c.id.ID, ben.links("l", nil))
	allowed(t, a, err)
	f := c.fileFor(bundle.Umpire, c.now().Next)
	if found := c.found(f); len(found) > 0 {
		t.Fatalf("%q", found)
	}
	if got := f.Choices(); len(got) != 1 || got[0].Who != bundle.ByHostWithCosigner ||
		!strings.Contains(got[0].Why, "Ben") {
		t.Errorf("%+v", got)
	}
	fell := func(change func(*events.DiceRolled)) func(events.Payload) bool {
		done := false
		return of(func(p *events.DiceRolled) bool {
			if done {
				return false
			}
			change(p)
			done = true
			return true
		})
	}
	declared := func(change func(*events.RollDeclared)) func(events.Payload) bool {
		return of(func(p *events.RollDeclared) bool { change(p); return true })
	}
	for name, x := range map[string]struct {
		change func(events.Payload) bool
		want   string
	}{
		"die":         {fell(func(p *events.DiceRolled) { p.Dice[0] = p.Dice[0]%6 + 1 }), "the links give another die"},
		"host's link": {fell(func(p *events.DiceRolled) { p.Links[0].Link[0] ^= 1 }), "does not give the anchor"},
		"Ben's link":  {fell(func(p *events.DiceRolled) { p.Links[1].Link[0] ^= 1 }), "does not give the anchor"},
		"no link": {fell(func(p *events.DiceRolled) { p.Links = p.Links[:1] }),
			"the links given are not those"},
		"as the umpire ruled": {fell(func(p *events.DiceRolled) { p.Links, p.Typed = nil, "umpire" }),
			"the umpire alone rules dice for want of a link"},
		"other dice": {declared(func(p *events.RollDeclared) { p.Throws[0].Dice++ }), "other dice were declared"},
		"positions":  {declared(func(p *events.RollDeclared) { p.Sources[1].Position++ }), "links are used one after"},
		"chains": {declared(func(p *events.RollDeclared) { p.Sources[1].Chain = anna.chain() }),
			"another chain decides"},
		"mode":    {declared(func(p *events.RollDeclared) { p.Mode = "" }), "thrown otherwise"},
		"ordinal": {declared(func(p *events.RollDeclared) { p.Ordinal = 1 }), "the first roll of a round names it"},
		"first":   {declared(func(p *events.RollDeclared) { p.First = 1 }), "a roll behind one of a round"},
		"purpose": {declared(func(p *events.RollDeclared) { p.Purpose += "!" }), "the player saw another record"},
	} {
		forged := forgedFile(t, f, x.change)
		found := strings.Join(c.found(forged), "\n")
		if !strings.Contains(found, x.want) {
			t.Errorf("%s: %s", name, found)
		}
		if got := forged.Choices(); len(got) > 0 && got[0].Who == bundle.ByHostWithCosigner {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A roll that waits is not undone, ruled void or corrected. One whose link did not come for a week can be ruled void:
// no dice are thrown for it, and what is rolled next is marked.
func TestContestedIsKept(t *testing.T) {
	t.Parallel()
	c, anna, ben := contested(t)
	now := time.Now().Add(-8 * 24 * time.Hour)
	c.host.umpire.SetClock(func() time.Time { return now })
	c.submit("turn: Spring 1940\nentries: []\n")
	allowed(t, anna.enters("raid", contestedPlay), nil)
	w := witnessed{harness: c, now: &now}
	open := c.now().Open
	if _, err := c.umpire.UndoLast(c.id.ID, open.Index, "a slip"); err == nil && c.now().Open == nil {
		t.Error("it is undone")
	}
	now = now.Add(6 * 24 * time.Hour)
	if text := w.refusedVoid(open.Index); !strings.Contains(text, "7 days after its declaration") {
		t.Error(text)
	}
	now = now.Add(25 * time.Hour)
	w.ruleVoid(open.Index)
	if c.now().Open != nil {
		t.Fatal("it still waits")
	}
	allowed(t, anna.enters("again", strings.ReplaceAll(contestedPlay, "id: raid", "id: again")), nil)
	a, err := c.umpire.HearSigned(c.id.ID, ben.links("l2", nil))
	allowed(t, a, err)
	c.vouchedFor(t)
	c.sound()
	got := c.fileFor(bundle.Umpire, c.now().Next).Choices()
	if len(got) != 2 || got[0].Who != bundle.ByHost || !got[0].Void || got[1].Who != bundle.ByHost ||
		!strings.Contains(got[1].Why, "took out such a roll") {
		t.Errorf("%+v", got)
	}
	for _, reader := range []string{bundle.Public, "Japan", "Britain"} {
		if list := c.fileFor(reader, c.now().Next).Choices(); len(list) != 2 || list[1].Who != bundle.ByHost {
			t.Errorf("%s: %+v", reader, list)
		}
	}
}

// A roll that waits while its contester takes another key awaits the link of the chain that he had; the next one is of
// the new chain. Where the umpire gave the only one
// who could contest it his key, he contests, and the host chose.
func TestContestedRekeyed(t *testing.T) {
	t.Parallel()
	c, anna, ben := contested(t)
	c.submit("turn: Spring 1940\nentries: []\n")
	allowed(t, anna.enters("raid", contestedPlay), nil)
	second := c.signer("Ben", 5)
	second.own = chance.NewChain(events.Hash{7}, 32)
	second.gets(ben, false)
	second.refuses(t, "of the new chain", "does not lead to its anchor", second.links("l", nil))
	late := second
	late.own = ben.own
	a, err := c.umpire.HearSigned(c.id.ID, late.links("l", nil))
	allowed(t, a, err)
	c.submit("turn: Summer 1940\nentries: []\n")
	allowed(t, anna.enters("raid2", strings.NewReplacer("id: raid", "id: raid2", "turn: 1",
		"turn: 2").Replace(contestedPlay)), nil)
	if s := c.now().Open.Roll.Declared.Sources[1]; s.Chain != second.chain() || s.Position != 1 {
		t.Errorf("%+v", s)
	}
	a, err = c.umpire.HearSigned(c.id.ID, second.links("l2", nil))
	allowed(t, a, err)
	third := c.signer("Ben", 6)
	third.own = chance.NewChain(events.Hash{8}, 32)
	third.gets(third, true)
	c.submit("turn: Fall 1940\nentries: []\n")
	allowed(t, anna.enters("raid3", strings.NewReplacer("id: raid", "id: raid3", "turn: 1",
		"turn: 3").Replace(contestedPlay)), nil)
	a, err = c.umpire.HearSigned(c.id.ID, third.links("l3", nil))
	allowed(t, a, err)
	c.vouchedFor(t)
	c.sound()
	list := c.fileFor(bundle.Public, c.now().Next).Choices()
	if len(list) != 3 || list[1].Who != bundle.ByHostWithCosigner || list[2].Who != bundle.ByHost ||
		!strings.Contains(list[2].Why, "the umpire gave the key of Ben") {
		t.Errorf("%+v", list)
	}
}

// A roll that was ruled void, and stands again because that was taken back with what was played behind it, gets the
// dice of its links. Whoever did so could know them: the host chose.
func TestContestedPutBack(t *testing.T) {
	t.Parallel()
	c, anna, ben := contested(t)
	now := time.Now().Add(-8 * 24 * time.Hour)
	c.host.umpire.SetClock(func() time.Time { return now })
	c.submit("turn: Spring 1940\nentries: []\n")
	allowed(t, anna.enters("raid", contestedPlay), nil)
	open := c.now().Open
	now = now.Add(7*24*time.Hour + time.Hour)
	(witnessed{harness: c, now: &now}).ruleVoid(open.Index)
	void := c.now().Next - 1
	c.submit("turn: Spring 1940\nentries:\n  - {id: p, facts: {usjt: 3}}\n")
	a, err := c.umpire.Undo(c.id.ID, void, "it came")
	allowed(t, a, err)
	if c.now().Open == nil {
		t.Fatal("it waits no more")
	}
	a, err = c.umpire.HearSigned(c.id.ID, ben.links("l", nil))
	allowed(t, a, err)
	c.vouchedFor(t)
	c.sound()
	if list := c.fileFor(bundle.Public, c.now().Next).Choices(); len(list) != 1 || list[0].Who != bundle.ByHost {
		t.Errorf("%+v", list)
	}
}
