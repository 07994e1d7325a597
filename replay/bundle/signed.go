package bundle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// signers follows who has to sign what.
type signers struct {
	keys   map[string]seatKey // by seat
	seats  map[string]string  // of players, by their sides
	names  map[string]bool    // of all seats
	begun  bool               // the opening has ended
	proxy  bool
	all    bool         // no seat enters anything before it has a key
	latest time.Time    // that an event was recorded
	come   int64        // when the latest round came that stands in the record, in Unix seconds
	asked  asked        // the choice that was asked for last
	acts   []act        // by the first events of their commands, ascending
	odd    map[int]*act // those of commands whose first event has no request, likewise
	last   int          // the first event of the command of the newest; -1 for none
	// contests are the sides of contests of cards that were opened, and nobody was asked about: by their commands.
	contests map[uint32][2]string
	signed   map[uint64]bool        // events of what players signed
	sealed   map[events.Place]bound // commitments that players signed, and no event has yet
}

// asked is when a choice was asked for.
type asked struct {
	index uint64
	at    time.Time
}

// seatKey is the key of a player's seat. Of one that the umpire put in the place of another the event is named.
type seatKey struct {
	tree.WitnessVerifier
	byUmpire uint64
	from     int // place of the event by which the seat had its first key
}

// bound is a commitment of a command that a player signed.
type bound struct {
	hash  events.Hash
	event events.Event
}

func newSigners() *signers {
	return &signers{keys: map[string]seatKey{}, seats: map[string]string{}, names: map[string]bool{umpireSeat: true},
		odd: map[int]*act{}, last: -1, contests: map[uint32][2]string{}, signed: map[uint64]bool{},
		sealed: map[events.Place]bound{}}
}

// take notes who has a seat.
func (c *check) take(e *events.Event, p *events.SeatTaken) {
	s := c.signers
	if s.begun || e.Command != c.first.Command {
		c.wrong(e, CheckOrder, "type", e.Type, nil, "seats are taken when the campaign opens")
		return
	}
	if p.Role == umpireSeat && p.Seat != umpireSeat {
		c.wrong(e, CheckOrder, "payload.seat", p.Seat, umpireSeat, "the umpire's seat has another name")
		return
	}
	if s.names[p.Seat] && p.Seat != umpireSeat {
		c.wrong(e, CheckOrder, "payload.seat", p.Seat, nil, "the seat is taken already")
	}
	if s.names[p.Seat] = true; p.Seat == umpireSeat {
		return
	}
	if len(p.Sides) == 0 {
		c.wrong(e, CheckOrder, "payload.sides", nil, nil, "a player's seat holds a side")
	}
	for _, side := range p.Sides {
		if !slices.Contains(c.opened.Sides, side) {
			c.wrong(e, CheckOrder, "payload.sides", side, nil, "the campaign has no such side")
		}
		if of, held := s.seats[side]; held {
			c.wrong(e, CheckOrder, "payload.sides", side, of, "another seat holds that side")
			continue
		}
		s.seats[side] = p.Seat
	}
}

// enveloped checks the envelope of an event, and that there is one where a seat has a key.
func (c *check) enveloped(e *events.Event, p events.Payload) {
	s := c.signers
	s.begun = s.begun || e.Command != c.first.Command
	if e.Type == "choice_asked" {
		s.asked = asked{e.Index, e.Recorded.Truncate(time.Millisecond)}
	}
	if e.Recorded.After(s.latest) {
		s.latest = e.Recorded
	}
	switch p := p.(type) {
	case *events.CampaignOpened:
		if s.proxy, s.all = p.Proxy, p.Signed; s.proxy && s.all {
			c.wrong(e, CheckOrder, "payload.proxy", true, false, "all entries are signed here, and none is by proxy")
		}
	case *events.SeatTaken:
		c.take(e, p)
	}
	if e.Signed != "" {
		c.count(CheckEnvelopes)
		c.signedBy(e, p)
	} else if e.Type.OfPlayer() {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "the player of the seat did not sign this")
	}
	c.keySeat(e, p)
	c.acted(e, p)
	for _, k := range e.Commitments {
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		if b, signed := s.sealed[place]; signed {
			delete(s.sealed, place)
			if b.hash != k.Hash {
				c.wrong(e, CheckEnvelopes, "commitments."+k.Slot, k.Hash, b.hash,
					"the player signed another commitment in #%d", b.event.Index)
			}
		}
	}
}

// signedBy holds an event to the envelope in it.
func (c *check) signedBy(e *events.Event, p events.Payload) {
	x, err := c.envelopeIn(e, p)
	if err != nil {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "%v", err)
		return
	}
	if key, err := c.signers.keyFor(e, p); err != nil {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "%v", err)
	} else if err := x.Verify(key); err != nil {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "%v", err)
	}
	for _, f := range []struct {
		field            string
		recorded, signed any
	}{
		{"campaign", e.Campaign.String(), x.Campaign}, {"seat", e.Seat, x.Seat}, {"command", e.Command, x.ID},
		{"request", e.Request, string(x.Request)},
	} {
		if f.recorded != f.signed {
			c.wrong(e, CheckEnvelopes, f.field, f.recorded, f.signed, "the player signed another %s", f.field)
		}
	}
	if err := x.Says(e, p); err != nil {
		c.wrong(e, CheckEnvelopes, "payload", nil, nil, "%v", err)
	}
	switch {
	case c.signers.latest.After(x.NotAfter):
		c.wrong(e, CheckEnvelopes, "recorded", c.signers.latest, x.NotAfter, "the command was not to be heard any more")
	case x.Seen.Events > e.Index || x.Seen.Root != c.rootOf(x.Seen.Events):
		c.wrong(e, CheckEnvelopes, "signed", c.rootOf(min(x.Seen.Events, e.Index)), x.Seen.Root,
			"the player saw another record when he signed this")
	case !c.answers(p, e.Index, x.Question):
		c.wrong(e, CheckEnvelopes, "signed", nil, x.Question, "the player answered another question")
	case c.signers.act(c.commandAt(e)) != nil:
		c.wrong(e, CheckEnvelopes, "command", e.Command, nil, "a command that is signed once stands here twice")
	}
	if c.signers.come > x.NotAfter.Unix() {
		c.unable(1, "signed commands that were heard after their time, by the rounds of the beacon",
			"the host's clock was behind, or he kept them")
	}
	for _, k := range x.Commitments {
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		c.signers.sealed[place] = bound{k.Hash, *e}
	}
}

// envelopeIn gives what the player of an event signed: the command, or the standing order that answered for him.
func (c *check) envelopeIn(e *events.Event, p events.Payload) (envelope.Envelope, error) {
	if made, is := p.(*events.ChoiceMade); is && made.Asked < uint64(c.ties.len()) {
		if o, err := envelope.ParseOrder(e.Signed); err == nil {
			return o.Answers(c.hashAt(made.Asked), made.Asked)
		}
	}
	return envelope.Parse(e.Signed)
}

// keyFor is the key that has to have signed the envelope of an event.
func (s *signers) keyFor(e *events.Event, p events.Payload) (tree.WitnessVerifier, error) {
	switch p := p.(type) {
	case *events.SeatKeyed:
		return tree.ParseWitness(p.Key)
	case *events.SeatRekeyed:
		if p.ByUmpire {
			return tree.ParseWitness(p.Key)
		}
	}
	if key, keyed := s.keys[e.Seat]; keyed {
		return key.WitnessVerifier, nil
	}
	return tree.WitnessVerifier{}, fmt.Errorf("the seat %q has no key here", e.Seat)
}

// answers reports whether a command that led to an event answers the question of that hash, zero for none. Dice that
// are typed answer the declaration, or the last denial; a confirmation answers the last typing.
func (c *check) answers(p events.Payload, before uint64, question events.Hash) bool {
	asked := func(at uint64) bool {
		return at < before && at < uint64(c.ties.len()) && c.hashAt(at) == question
	}
	switch p := p.(type) {
	case *events.ChoiceMade:
		return asked(p.Asked)
	case *events.DiceTyped:
		at := p.Declared
		if t, typed := c.typed[at]; typed {
			at = t.denied
		}
		return asked(at)
	case *events.DiceDenied:
		t, typed := c.typed[p.Declared]
		return typed && asked(t.at)
	case *events.DiceRolled:
		if r := c.roll(p.Declared); r != nil && r.declared.Mode == contested {
			return asked(p.Declared)
		}
		t, typed := c.typed[p.Declared]
		return typed && asked(t.at)
	}
	return question.IsZero()
}

// SeatKey is a key that a seat had from an event on.
type SeatKey struct {
	Seat        string `json:"seat"`
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"` // of the key, for people to compare
	Event       uint64 `json:"event"`       // that gave it
	By          string `json:"by"`          // "invitation" for a seat's first key, "earlier key", or "umpire"
}

// KeyGiven finds the key that an event gives a seat.
func KeyGiven(e *events.Event, p events.Payload) (k SeatKey, is bool) {
	k.Event = e.Index
	switch p := p.(type) {
	case *events.SeatKeyed:
		k.Seat, k.Key, k.By = p.Seat, p.Key, "invitation"
	case *events.SeatRekeyed:
		k.Seat, k.Key, k.By = p.Seat, p.Key, "earlier key"
		if p.ByUmpire {
			k.By = "umpire"
		}
	}
	key, err := tree.ParseWitness(k.Key)
	k.Fingerprint = key.Fingerprint()
	return k, err == nil
}

// keySeat follows the keys of the seats.
func (c *check) keySeat(e *events.Event, p events.Payload) {
	seat, text, by, from, own := "", "", uint64(0), c.ties.len()-1, events.Anchor{}
	switch p := p.(type) {
	case *events.SeatKeyed:
		seat, text, own = p.Seat, p.Key, p.Chain
		if _, keyed := c.signers.keys[seat]; keyed {
			c.wrong(e, CheckEnvelopes, "payload.seat", seat, nil, "the seat has a key already")
		}
	case *events.SeatRekeyed:
		seat, text, own = p.Seat, p.Key, p.Chain
		if old, keyed := c.signers.keys[seat]; !keyed {
			c.wrong(e, CheckEnvelopes, "payload.seat", seat, nil, "the seat has no key that another could replace")
		} else if by, from = old.byUmpire, old.from; p.ByUmpire {
			by = e.Index
		}
	default:
		return
	}
	if seat != e.Seat || seat == umpireSeat || !c.signers.names[seat] {
		c.wrong(e, CheckEnvelopes, "payload.seat", seat, e.Seat, "a key is for the seat that signs with it")
	}
	if x, err := envelope.Parse(e.Signed); err != nil || !x.Brings(envelope.KeyEntry{Key: text, Chain: own}) {
		c.wrong(e, CheckEnvelopes, "payload.key", text, nil, "the player did not sign that he brings this key")
	}
	key, err := tree.ParseWitness(text)
	if err != nil || key.Name() != envelope.KeyName(seat, e.Campaign.String()) {
		c.wrong(e, CheckEnvelopes, "payload.key", text, nil, "this is no key of the seat %s of this campaign", seat)
	}
	if err := chance.CheckAnchor(own, envelope.ChainName(key.Fingerprint())); own != (events.Anchor{}) && err != nil {
		c.wrong(e, CheckEnvelopes, "payload.chain", own.Chain, nil, "%v", err)
	} else if own != (events.Anchor{}) {
		c.own[own.Chain] = &chain{Anchor: own, seat: seat}
	}
	if k, reads := KeyGiven(e, p); reads {
		c.keys = append(c.keys, k)
	}
	if c.signers.keys[seat] = (seatKey{key, by, from}); by == e.Index {
		c.unable(1, "what the seat "+seat+" signs from #"+fmt.Sprint(e.Index)+" on",
			"the umpire gave it another key: its signatures prove no more than his word")
	}
}

// unsealed finds commitments that players signed, and that no event has.
func (c *check) unsealed() {
	c.begins()
	places := slices.SortedFunc(maps.Keys(c.signers.sealed), func(a, b events.Place) int {
		return cmp.Or(cmp.Compare(a.Command, b.Command), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Epoch, b.Epoch))
	})
	for _, place := range places {
		b := c.signers.sealed[place]
		c.wrong(&b.event, CheckEnvelopes, "commitments."+place.Slot, nil, b.hash,
			"the player committed to that, and no event does")
	}
}
