package pools

import (
	"github.com/watu-ledger/watu/projections"
)

// playsKept is how many plays are listed by turn: 32 turns in which each of four hands plays
// two of its four cards, longer than the longest campaign game. Older ones stay in the counts,
// and their turns can be reached as they were then; so a view, and its every snapshot, keeps
// its size.
const playsKept = 256

// pool is a side's deck. What is known of it is what it began with and the additions whose
// type the viewer knows.
type pool struct {
	side, deck string
	began      []count
	added      []addition
	hand       hand
	secret     []secret
	revealed   []count // every play ever, by card
}

// count is a number of cards of one type.
type count struct {
	card   string
	number int64
}

// addition is a card that was added; its type is committed in slot "card" of the event.
type addition struct {
	event     uint64
	card      string // empty: the viewer does not know
	disclosed bool   // by the log, to everyone
	corrects  uint64
}

// hand is what a side holds from one draw. A card is known by event and slot.
type hand struct {
	event uint64
	drawn int64
	cards []card
}

// card is one drawn card.
type card struct {
	slot      string
	card      string // empty: the viewer does not know
	disclosed bool
	play      uint64 // index of its play, if it was played
	played    bool
	negated   bool
}

// secret is a play whose cards the event commits to.
type secret struct {
	event     uint64
	cards     string // empty: the viewer does not know
	disclosed bool
}

// play is a card put into a contest, before everyone's eyes.
type play struct {
	event     uint64
	ordinal   uint64
	turn      string
	pool      uint64 // place in View.pools
	card, as  string
	negatedBy uint64
	negated   bool
	corrects  uint64
	back      uint64 // index of the compensation that put the card back into the hand, 0 for none
}

// Save gives the state of the fold.
func (v *View) Save() []byte { return projections.Save(v.pack) }

// Load replaces the state.
func (v *View) Load(saved []byte) error {
	*v = View{}
	if err := projections.Load(saved, v.pack); err != nil {
		return err
	}
	for _, x := range v.plays {
		if x.pool >= uint64(len(v.pools)) {
			return projections.ErrSaved
		}
	}
	return nil
}

func (v *View) pack(p *projections.Pack) {
	projections.List(p, &v.pools, packPool)
	var turn play // of the play before: a label is saved once
	projections.List(p, &v.plays, func(p *projections.Pack, x *play) {
		packPlay(p, x, &turn)
		turn = *x
	})
}

func packPool(p *projections.Pack, v *pool) {
	p.Text(&v.side)
	p.Text(&v.deck)
	projections.List(p, &v.began, packCount)
	projections.List(p, &v.added, packAddition)
	p.Uint(&v.hand.event)
	p.Int(&v.hand.drawn)
	projections.List(p, &v.hand.cards, packCard)
	projections.List(p, &v.secret, packSecret)
	projections.List(p, &v.revealed, packCount)
}

func packCount(p *projections.Pack, v *count) {
	p.Text(&v.card)
	p.Int(&v.number)
}

func packAddition(p *projections.Pack, v *addition) {
	p.Uint(&v.event)
	p.Text(&v.card)
	p.Bool(&v.disclosed)
	p.Uint(&v.corrects)
}

func packCard(p *projections.Pack, v *card) {
	p.Text(&v.slot)
	p.Text(&v.card)
	p.Bool(&v.disclosed)
	p.Uint(&v.play)
	p.Bool(&v.played)
	p.Bool(&v.negated)
}

func packSecret(p *projections.Pack, v *secret) {
	p.Uint(&v.event)
	p.Text(&v.cards)
	p.Bool(&v.disclosed)
}

func packPlay(p *projections.Pack, v *play, before *play) {
	p.Uint(&v.event)
	same := v.ordinal == before.ordinal && v.turn == before.turn
	if p.Bool(&same); same {
		v.ordinal, v.turn = before.ordinal, before.turn
	} else {
		p.Uint(&v.ordinal)
		p.Text(&v.turn)
	}
	p.Uint(&v.pool)
	p.Text(&v.card)
	p.Text(&v.as)
	p.Uint(&v.negatedBy)
	p.Bool(&v.negated)
	p.Uint(&v.corrects)
	p.Uint(&v.back)
}
