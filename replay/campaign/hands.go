package campaign

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// OpenDraw is a draw of a side's player, whose cards are to come.
type OpenDraw struct {
	Event     uint64 // the declaration
	Side      string
	Round     uint64      // of the beacon
	Cosigners tree.Policy // who may cosign that it was declared before the round

	turn  uint64
	hands []uint64 // the events that committed to its cards; of those that stand there is one at most
}

// Draws lists the draws of this turn whose players have not committed to their cards yet. A draw that is void may count
// again, and so may one whose cards are void.
func (c *Campaign) Draws() (list []OpenDraw) {
	if c.Game == nil {
		return nil
	}
	now, _ := c.Game.TurnNow()
	for _, d := range c.draws {
		if d.turn == now.Ordinal && c.History.Stands(d.Event) && !slices.ContainsFunc(d.hands, c.History.Stands) {
			list = append(list, d)
		}
	}
	return list
}

// followDraw follows the draws of players.
func (c *Campaign) followDraw(e *events.Event) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.DrawDeclared:
		if c.spend(p.Source); p.Round != 0 {
			c.draws = append(slices.Clip(c.draws), OpenDraw{Event: e.Index, Side: e.Side, Round: p.Round,
				Cosigners: c.Cosigners(e.Side), turn: e.Turn.Ordinal})
		}
	case *events.CardsDrawn:
		at := slices.IndexFunc(c.draws, func(d OpenDraw) bool { return d.Event == p.Declared })
		if at >= 0 {
			c.draws = slices.Clone(c.draws)
			c.draws[at].hands = append(slices.Clip(c.draws[at].hands), e.Index)
		}
	}
}

// drawnMeanwhile reports whether an event is a hand that its player commits to while a question is open. No command
// that is heard leads to it, but the hearing goes on with these cards.
func (c *Campaign) drawnMeanwhile(e *events.Event) bool {
	return c.Open != nil && c.Hands == Players && e.Type == "cards_drawn" && e.Request != ""
}

// Hand gives the next position of the chain of the player who holds a side.
func (c *Campaign) Hand(side string) (s events.Source, err error) {
	seat, held := c.holder(side)
	key, _ := c.KeyOf(seat.Name)
	chain := c.own[key.Chain]
	switch {
	case !held:
		return s, fmt.Errorf("%w: no player holds %s", ErrNoHand, side)
	case chain == nil:
		return s, fmt.Errorf("%w: the seat %s, which holds %s, has no key whose program draws: invite its player, who "+
			"joins by watu join", ErrNoHand, seat.Name, side)
	case chain.spent():
		return s, fmt.Errorf("%w: the chain of %s has no link left: its player takes another key, by watu seat rekey",
			ErrNoHand, seat.Name)
	}
	return events.Source{Chain: key.Chain, Position: chain.used + 1}, nil
}

// spent reports whether a chain has no link left. A command may draw for two sides, so the last is not used.
func (s *chainState) spent() bool { return s.used+1 >= s.length }

// Contest gives the next position of the chain of the seat that contests a roll of a side: the first by its name that
// does not hold the side, and whose player brought a chain with a key of his own that has links left. Where there is
// none, one whose key the umpire gave contests, and the dice are marked as the host's choice.
func (c *Campaign) Contest(side string) (s events.Source, err error) {
	names := c.SeatNames()
	slices.Sort(names)
	for _, byUmpire := range []bool{false, true} {
		for _, name := range names {
			seat, _ := c.SeatNamed(name)
			key, keyed := c.KeyOf(name)
			chain := c.own[key.Chain]
			if name != UmpireSeat && keyed && key.ByUmpire == byUmpire && chain != nil && !chain.spent() &&
				!slices.Contains(seat.Sides, side) {
				return events.Source{Chain: key.Chain, Position: chain.used + 1}, nil
			}
		}
	}
	return s, fmt.Errorf("%w: that is by a link of a seat that does not hold %s, and none has a key whose program "+
		"gives one: invite its player, who joins by watu join; one whose links are used up takes another key, by "+
		"watu seat rekey", ErrNoContest, cmp.Or(side, "any side"))
}

// Contester is the seat whose link a declaration names; empty for none.
func (c *Campaign) Contester(p *events.RollDeclared) string {
	if len(p.Sources) < 2 || c.own[p.Sources[1].Chain] == nil {
		return ""
	}
	return c.own[p.Sources[1].Chain].seat
}

// CheckContested says what is wrong with the link by which the player of a seat contests the open roll.
func (c *Campaign) CheckContested(seat string, l events.Link) error {
	s := c.Open.Roll.Declared.Sources[1]
	chain := c.own[s.Chain]
	switch {
	case seat != c.Open.Roll.Contester:
		return fmt.Errorf("the roll #%d awaits a link of %s, and not of %s", c.Open.Index, c.Open.Roll.Contester, seat)
	case l.Chain != s.Chain || l.Position != s.Position:
		return fmt.Errorf("the roll #%d names link %d of %s, and not link %d of %s", c.Open.Index, s.Position, s.Chain,
			l.Position, l.Chain)
	case !chance.VerifyLink(chain.anchor, l.Position, l.Link):
		return fmt.Errorf("link %d of %s does not lead to its anchor", l.Position, l.Chain)
	}
	return nil
}

// OwnChains lists the chains of the player of a seat, each with how many of its links were used. A chain that he
// replaced before he drew by it is left out.
func (c *Campaign) OwnChains(seat string) (list []events.Source) {
	key, _ := c.KeyOf(seat)
	for _, name := range slices.Sorted(maps.Keys(c.own)) {
		if chain := c.own[name]; chain.seat == seat && (chain.used > 0 || name == key.Chain) {
			list = append(list, events.Source{Chain: name, Position: chain.used})
		}
	}
	return list
}

// ChainsOf names the chains that the player of a seat brought, each with a key.
func (c *Campaign) ChainsOf(seat string) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(c.own)) {
		if c.own[name].seat == seat {
			names = append(names, name)
		}
	}
	return names
}

// CheckLink says what is wrong with a link by which the player of a seat discloses all that he drew with its chain.
func (c *Campaign) CheckLink(seat string, l events.Link) error {
	chain := c.own[l.Chain]
	switch {
	case chain == nil || chain.seat != seat:
		return fmt.Errorf("%q is no chain of the seat %s", l.Chain, seat)
	case l.Position != chain.used:
		return fmt.Errorf("%d links of %s were used: the last of them discloses all, and not link %d", chain.used,
			l.Chain, l.Position)
	case chain.used > 0 && !chance.VerifyLink(chain.anchor, l.Position, l.Link):
		return fmt.Errorf("link %d of %s does not lead to its anchor", l.Position, l.Chain)
	}
	return nil
}

// Hands repeats the draws of players, as far as they have disclosed their links.
type Hands struct{ links []events.Link }

// Add takes an event of the record.
func (h *Hands) Add(e *events.Event) {
	var p events.Declassified
	if e.Read(&p) {
		h.links = append(h.links, p.Link)
	}
}

// Again holds the cards that an event commits to, as far as they are known, to the link that drew them. Sealed says
// that there are cards which nobody but their player can repeat. Link, which may be nil, may know a link that was not
// disclosed to everybody.
func (h *Hands) Again(t *Timeline, e *events.Event, known Openings,
	link func(epoch uint64, s events.Source) (events.Hash, error)) (found []rehear.Finding,
	sealed bool, err error) {
	var hand events.CardsDrawn
	if !e.Read(&hand) || hand.Signature == "" {
		return nil, false, nil
	}
	cards, ok, err := h.cards(t, &hand, link)
	if !ok || err != nil {
		return nil, true, err
	}
	for i, k := range events.Cards(e) {
		o, open := known[events.Ref{Index: e.Index, Slot: k.Slot}]
		if open && i < len(cards) && o.Fact != cards[i] {
			found = append(found, rehear.Finding{Event: e.Index, Type: e.Type, Command: e.Command,
				Field: "commitments." + k.Slot, Recorded: o.Fact, Derived: cards[i]})
		}
	}
	return found, false, nil
}

// cards repeats a draw, from the pool as it stood when that was declared; false if that cannot be done.
func (h *Hands) cards(t *Timeline, hand *events.CardsDrawn,
	known func(epoch uint64, s events.Source) (events.Hash, error)) (cards []string, ok bool, err error) {
	e, err := t.Event(hand.Declared)
	if err != nil {
		return nil, false, err
	}
	var p events.DrawDeclared
	signature, wrong := hex.DecodeString(hand.Signature)
	drawn := e.Read(&p)
	if !drawn || wrong != nil {
		return nil, false, nil
	}
	link, ok := h.link(p.Source)
	if own := t.Head.own[p.Source.Chain]; !ok && own != nil && known != nil {
		link, err = known(e.Epoch, p.Source)
		ok = err == nil && chance.VerifyLink(own.anchor, p.Source.Position, link)
	}
	if !ok {
		return nil, false, nil
	}
	positions, err := rehear.SampleHand(link, e.Campaign, e.Epoch, &p, signature)
	if err != nil { // no program made it so
		return nil, false, nil
	}
	then, err := t.At(hand.Declared)
	if err != nil {
		return nil, false, err
	}
	if game, draws := then.Game.(rules.Drawer); draws {
		cards, ok = game.Drawn(e.Side, positions)
		return cards, ok, nil
	}
	return nil, false, nil
}

// link finds a link that was disclosed.
func (h *Hands) link(s events.Source) (link events.Hash, ok bool) {
	later, ok := rules.Find(h.links, func(l events.Link) bool {
		return l.Chain == s.Chain && l.Position >= s.Position && l.Position-s.Position < chance.MaxLength
	})
	if !ok {
		return link, false
	}
	link = later.Link
	for range later.Position - s.Position {
		link = sha256.Sum256(link[:])
	}
	return link, true
}
