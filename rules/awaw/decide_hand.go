package awaw

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// handEntry is an entry `hand`: the cards that a side's player drew by himself.
type handEntry struct {
	Hand struct {
		Side      Faction               `json:"side" is:"side"`
		Draw      uint64                `json:"draw" doc:"number of the event that declared the draw"`
		Cards     []rules.Known[string] `json:"cards" kind:"card" doc:"in the order drawn"`
		Signature string                `json:"signature" doc:"of the draw's round, in hexadecimal digits"`
		Note      string                `json:"note,omitempty" doc:"a checkpoint that another seat cosigned before it"`

		// Arbiter is nil where the campaign names none.
		Arbiter *rules.Known[string] `json:"arbiter,omitempty" doc:"what is encrypted to the campaign's arbiter"`
	} `json:"hand"`
}

// hand commits to the cards of a draw, which their player alone knows. Whether they are those that his link gives, from
// the pool as it stood at the declaration (48.21-A), shows once he discloses that.
func (d *decision) hand(entry handEntry) {
	e, f := entry.Hand, entry.Hand.Side
	s := d.sideOf(f)
	switch {
	case !d.byHand:
		d.ViolateField("hand", rules.Input, "cards are drawn by the host in this campaign: write {draw: %s}",
			f.Deck().Name())
		return
	case s.draws == 0 || s.draws != e.Draw:
		d.ViolateField("hand.draw", "AWAW-48.21-B", "%s has no draw #%d this turn whose cards are to come", f.Name(),
			e.Draw)
		return
	case len(e.Cards) != CardsDrawn:
		d.ViolateField("hand.cards", "AWAW-48.21-B", "%s draws %d cards a turn, not %d", f.Name(), CardsDrawn,
			len(e.Cards))
		return
	case d.arbiter != (e.Arbiter != nil):
		d.ViolateField("hand.arbiter", rules.Input, "a hand comes with what opens it, encrypted to the campaign's "+
			"arbiter, where it names one")
		return
	}
	shown := []map[string]string{}
	draft := &events.CardsDrawn{Deck: f.Deck().Name(), Count: CardsDrawn, Declared: e.Draw, Signature: e.Signature,
		Note: e.Note}
	var secrets []rules.Secret
	for i, name := range e.Cards {
		c, ok := d.sealedCard(fmt.Sprintf("hand.cards[%d]", i), name)
		if !ok {
			return
		}
		slot := fmt.Sprintf("%s %d", f.Title(), i+1)
		secrets = append(secrets, rules.Secret{Slot: slot, Fact: rules.Map(c, Card.text)})
		shown = append(shown, rules.Sealed(slot))
	}
	entered := map[string]any{"side": f.Title(), "draw": e.Draw, "cards": shown, "signature": e.Signature}
	if e.Note != "" {
		entered["note"] = e.Note
	}
	if e.Arbiter != nil {
		secrets = append(secrets, rules.Secret{Slot: events.SlotArbiter, Fact: *e.Arbiter})
		entered[events.SlotArbiter] = rules.Sealed(events.SlotArbiter)
	}
	d.ShowMember(d.c, "hand", entered)
	d.Cite("AWAW-48.21-A", "%s draws from its own %s pool", f.Name(), f.Deck().Name())
	d.Record(f.Title(), draft).Secrets = secrets
}

// Drawn implements [rules.Drawer].
func (g game) Drawn(side string, positions []int) (cards []string, ok bool) {
	f, ok := factionNamed(side)
	if !ok {
		return nil, false
	}
	pool, known := g.sideOf(f).pool.Get()
	if wrong := checkPositions(pool.Size(), positions); !known || wrong.Refused() {
		return nil, false
	}
	return texts(drawCards(pool, positions).Drawn), true
}

// Hand implements [rules.Drawer].
func (g game) Hand(side string) (list []rules.HeldCard) {
	f, _ := factionNamed(side)
	for _, h := range g.sideOf(f).hand {
		card, _ := h.card.Get()
		list = append(list, rules.HeldCard{Drawn: h.drawn, Card: string(card), Used: h.used})
	}
	return list
}

// asked refuses cards that an entry lists for both sides, where each side's player has his own.
func (d *decision) asked(field string, listed bool) bool {
	if d.byHand && listed {
		d.ViolateField(field, rules.Input, "leave %s out: each player holds his own cards, and answers when he is "+
			"asked", field)
	}
	return !d.Refused()
}
