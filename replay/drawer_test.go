package replay_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// drawer is a player who draws his cards by himself.
type drawer struct {
	signer
	witnessed witnessed
	cards     []events.Opening
	note      string // that another cosigned before the round of his next draw; empty for none
}

// byHand is a campaign in which players draw by themselves.
func byHand(t *testing.T) (w witnessed, anna, ben *drawer) {
	t.Helper()
	d, now := newHost(t), time.Now()
	w = witnessed{moon: newMoon(t), now: &now}
	d.umpire.SetClock(func() time.Time { return *w.now })
	w.harness = d.openWith(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon, Beacon: w.Beacon,
		Seats: atTable["awaw"], Hands: campaign.Players})
	list := []*drawer{{signer: w.signer("Anna", 1)}, {signer: w.signer("Ben", 2)}}
	for i, p := range list {
		p.witnessed = w
		p.own = chance.NewChain(events.Hash{byte(i)}, 32)
	}
	return w, list[0], list[1]
}

// joined is byHand in which both have brought their keys and anchors.
func joined(t *testing.T) (w witnessed, anna, ben *drawer) {
	t.Helper()
	w, anna, ben = byHand(t)
	anna.joins()
	ben.joins()
	return w, anna, ben
}

// withDraw is joined in which Anna has entered the draw of Ultra.
func withDraw(t *testing.T) (w witnessed, anna, ben *drawer) {
	t.Helper()
	w, anna, ben = joined(t)
	w.must("turn: Winter 1941\nentries: []\n")
	allowed(t, anna.enters("Winter 1941/d", "{id: d, draw: Ultra}"), nil)
	return w, anna, ben
}

// joins brings the player's key, and the anchor of his chain.
func (p *drawer) joins() {
	p.t.Helper()
	s := p.keyed(p.signer, true)
	if a, err := p.umpire.HearSigned(p.id.ID, s); err != nil || a.Verdict != rules.Allowed {
		p.t.Fatalf("%+v, %v", a, err)
	}
}

// open is the draw of a side that waits for its cards.
func (p *drawer) open(side string) (e events.Event, draw events.DrawDeclared) {
	p.t.Helper()
	for _, e := range slices.Backward(p.all()) {
		if e.Side == side && e.Read(&draw) {
			return e, draw
		}
	}
	p.t.Fatalf("no draw of %s", side)
	return e, draw
}

// draws lets the round of a side's draw come, and commits to the cards; changed may tell others.
func (p *drawer) draws(side string, changed func(cards []string, signature *string)) (replay.Answer, error) {
	p.t.Helper()
	e, draw := p.open(side)
	if due := time.Unix(p.witnessed.Time(draw.Round), 0); p.witnessed.now.Before(due) {
		*p.witnessed.now = due
	}
	signature := p.witnessed.Signature(draw.Round)
	text, err := hex.DecodeString(signature)
	if err != nil {
		p.t.Fatal(err)
	}
	at, err := rehear.SampleHand(p.own.Link(draw.Source.Position), p.id.ID, e.Epoch, &draw, text)
	if err != nil {
		p.t.Fatal(err)
	}
	then, err := p.umpire.At(p.id.ID, e.Index)
	if err != nil {
		p.t.Fatal(err)
	}
	cards, ok := then.Game.(rules.Drawer).Drawn(side, at)
	if !ok {
		p.t.Fatalf("%s: positions %v", side, at)
	}
	if changed != nil {
		changed(cards, &signature)
	}
	sealed := map[string]string{}
	var slots []string
	for i, c := range cards {
		slot := fmt.Sprintf("%s %d", side, i+1)
		slots, sealed[slot] = append(slots, fmt.Sprintf(`{"sealed":%q}`, slot)), c
	}
	id := fmt.Sprintf("hand-%d", e.Index)
	seen := ""
	if p.note != "" {
		text, err := json.Marshal(p.note)
		if err != nil {
			p.t.Fatal(err)
		}
		seen = fmt.Sprintf(`,"note":%s`, text)
	}
	body := fmt.Sprintf(`{"hand":{"side":%q,"draw":%d,"cards":[%s],"signature":%q%s}}`, side, e.Index,
		strings.Join(slots, ","), signature, seen)
	form, a, err := p.umpire.FormOf(p.id.ID, p.asks(id, "hand", json.RawMessage(body)), nil)
	if err != nil || a.Verdict == rules.Refused {
		return a, err
	}
	if len(form.Sealed) > 0 {
		p.t.Errorf("the host knows %v", form.Sealed)
	}
	k := p.command(id, form.Request)
	opened, err := k.Seal(rand.Reader, form.Epoch, sealed)
	if err != nil {
		p.t.Fatal(err)
	}
	first := p.now().Next
	if a, err = p.umpire.HearSigned(p.id.ID, p.sign(k)); err == nil && a.Verdict == rules.Allowed {
		for _, o := range opened {
			o.Index = first
			p.cards = append(p.cards, o)
		}
	}
	return a, err
}

// plays answers the open question by a card of his, which he opens.
func (p *drawer) plays(side, card string, opens bool) (replay.Answer, error) {
	p.t.Helper()
	body := json.RawMessage(fmt.Sprintf(`{"answer":{%q:%q}}`, side, card))
	var discloses []events.Opening
	for i, o := range p.cards {
		if o.Fact == card && opens {
			discloses, p.cards = []events.Opening{o}, slices.Delete(p.cards, i, i+1)
			break
		}
	}
	id := fmt.Sprintf("answer-%d", p.now().Next)
	form, a, err := p.umpire.FormOf(p.id.ID, p.asks(id, "answer", body), discloses)
	if err != nil || a.Verdict == rules.Refused {
		return a, err
	}
	k := p.command(id, form.Request)
	k.Question = form.Question
	s := p.sign(k)
	s.Discloses = discloses
	return p.umpire.HearSigned(p.id.ID, s)
}

// contends plays a card of the European Axis in a contest that takes one; it refuses to play it unopened, and one that
// the player does not hold.
func (p *drawer) contends() {
	p.t.Helper()
	kinds := map[string]string{"submarine": "onboard submarine", "tactical": "search", "strategic": "interception"}
	at := slices.IndexFunc(p.cards, func(o events.Opening) bool { return kinds[o.Fact] != "" })
	if at < 0 {
		p.t.Log("no card that this side plays when it acts")
		return
	}
	card := p.cards[at].Fact
	allowed(p.t, p.enters("Winter 1941/fight", fmt.Sprintf("{id: fight, contest: {kind: %s, acting: European Axis}}",
		kinds[card])), nil)
	a, err := p.plays("European Axis", card, false)
	refusedFor(p.t, "its player alone knows", a, err)
	forged := *p
	forged.cards = slices.Clone(p.cards)
	forged.cards[at].Salt[0]++
	a, err = forged.plays("European Axis", card, true)
	refusedFor(p.t, "opens nothing", a, err)
	a, err = p.plays("European Axis", card, true)
	allowed(p.t, a, err)
}

// declassifies discloses all.
func (p *drawer) declassifies(position uint64) (replay.Answer, error) {
	p.t.Helper()
	return p.declassifiesBy(p.chain(), p.own, position)
}

// declassifiesBy discloses all that was drawn with one of the player's chains, and opens all that is sealed.
func (p *drawer) declassifiesBy(chain string, own *chance.Chain, position uint64) (replay.Answer, error) {
	p.t.Helper()
	link := events.Link{Chain: chain, Position: position}
	if position > 0 {
		link.Link = own.Link(position)
	}
	entry, err := json.Marshal(map[string]any{campaign.VerbDeclassify: link})
	if err != nil {
		p.t.Fatal(err)
	}
	request, err := envelope.NewRequest(campaign.VerbDeclassify, entry)
	if err != nil {
		p.t.Fatal(err)
	}
	s := p.sign(p.command(fmt.Sprintf("all-%d", p.now().Next), request))
	s.Discloses = p.cards
	return p.umpire.HearSigned(p.id.ID, s)
}

func allowed(t testing.TB, a replay.Answer, err error) {
	t.Helper()
	if err != nil || a.Verdict == rules.Refused {
		t.Fatalf("%+v, %v", a, err)
	}
}

func refusedFor(t testing.TB, why string, a replay.Answer, err error) {
	t.Helper()
	if err != nil || a.Verdict != rules.Refused || !strings.Contains(fmt.Sprint(a.Violations), why) {
		t.Errorf("not refused for %q: %+v, %v", why, a, err)
	}
}
