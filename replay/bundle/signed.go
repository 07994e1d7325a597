package bundle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
)

// signers follows who has to sign what.
type signers struct {
	keys   map[string]seatKey // by seat
	seats  map[string]string  // of players, by their sides
	proxy  bool
	heard  map[string]bool        // ids of commands that were signed
	waits  map[string]bool        // and of those that wait for a ruling, and are heard again
	sealed map[events.Place]bound // commitments that players signed, and no event has yet
	act    act
}

// seatKey is the key of a player's seat. Of one that the umpire put in the place of another the event is named.
type seatKey struct {
	tree.WitnessVerifier
	byUmpire uint64
}

// bound is a commitment of a command that a player signed.
type bound struct {
	hash  events.Hash
	event events.Event
}

// act is a command, on its way to the event that says whose act it is.
type act struct {
	first  events.Event
	verb   string
	signed bool
	known  bool // whose it is
}

// umpireSeat is the seat that has no key but the ledger's.
const umpireSeat = "umpire"

func newSigners() *signers {
	return &signers{keys: map[string]seatKey{}, seats: map[string]string{}, heard: map[string]bool{},
		waits: map[string]bool{}, sealed: map[events.Place]bound{}}
}

// enveloped checks the envelope of an event, and that there is one where a seat has a key.
func (c *check) enveloped(e *events.Event, p events.Payload) {
	s := c.signers
	switch p := p.(type) {
	case *events.CampaignOpened:
		s.proxy = p.Proxy
	case *events.SeatTaken:
		if e.Command != c.first.Command {
			c.wrong(e, CheckOrder, "type", e.Type, nil, "seats are taken when the campaign opens")
			return
		}
		for _, side := range p.Sides {
			if p.Seat != umpireSeat {
				s.seats[side] = p.Seat
			}
		}
	}
	if e.Signed != "" {
		c.count(CheckEnvelopes)
		c.signedBy(e, p)
	} else if e.Type.KeysSeat() {
		c.wrong(e, CheckEnvelopes, "signed", nil, nil, "a key comes with a command that it signed")
	}
	c.keySeat(e, p)
	c.unsigned(e)
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
	x, err := envelope.Parse(e.Signed)
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
	switch {
	case e.Recorded.After(x.NotAfter):
		c.wrong(e, CheckEnvelopes, "recorded", e.Recorded, x.NotAfter, "the command was not to be heard any more")
	case x.Seen.Events > e.Index || x.Seen.Root != c.rootOf(x.Seen.Events):
		c.wrong(e, CheckEnvelopes, "signed", c.rootOf(min(x.Seen.Events, e.Index)), x.Seen.Root,
			"the player saw another record when he signed this")
	case !c.answers(p, e.Index, x.Question):
		c.wrong(e, CheckEnvelopes, "signed", nil, x.Question, "the player answered another question")
	case c.signers.heard[e.Command]:
		c.wrong(e, CheckEnvelopes, "command", e.Command, nil, "a command that is signed once stands here twice")
	}
	c.signers.heard[e.Command] = true
	for _, k := range x.Commitments {
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		c.signers.sealed[place] = bound{k.Hash, *e}
	}
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

// answers reports whether a command that led to an event answers the question of that hash, zero for none.
func (c *check) answers(p events.Payload, before uint64, question events.Hash) bool {
	asked := func(from, to uint64) bool {
		return from < to && to <= uint64(len(c.ties)) &&
			slices.ContainsFunc(c.ties[from:to], func(t tied) bool { return t.hash == question })
	}
	switch p := p.(type) {
	case *events.ChoiceMade:
		return asked(p.Asked, p.Asked+1)
	case *events.DiceTyped:
		return asked(p.Declared, before)
	case *events.DiceDenied:
		return asked(p.Declared, before)
	case *events.DiceRolled:
		return asked(p.Declared, before)
	}
	return question.IsZero()
}

// keySeat follows the keys of the seats.
func (c *check) keySeat(e *events.Event, p events.Payload) {
	seat, text, by := "", "", uint64(0)
	switch p := p.(type) {
	case *events.SeatKeyed:
		seat, text = p.Seat, p.Key
		if _, keyed := c.signers.keys[seat]; keyed {
			c.wrong(e, CheckEnvelopes, "payload.seat", seat, nil, "the seat has a key already")
		}
	case *events.SeatRekeyed:
		seat, text = p.Seat, p.Key
		if old, keyed := c.signers.keys[seat]; !keyed {
			c.wrong(e, CheckEnvelopes, "payload.seat", seat, nil, "the seat has no key that another could replace")
		} else if by = old.byUmpire; p.ByUmpire {
			by = e.Index
		}
	default:
		return
	}
	if seat != e.Seat || !slices.Contains(c.seated(), seat) {
		c.wrong(e, CheckEnvelopes, "payload.seat", seat, e.Seat, "a key is for the seat that signs with it")
	}
	key, err := tree.ParseWitness(text)
	if err != nil || key.Name() != envelope.KeyName(seat, e.Campaign.String()) {
		c.wrong(e, CheckEnvelopes, "payload.key", text, nil, "this is no key of the seat %s of this campaign", seat)
	}
	if c.signers.keys[seat] = (seatKey{key, by}); by == e.Index {
		c.unable(1, "what the seat "+seat+" signs from #"+fmt.Sprint(e.Index)+" on",
			"the umpire gave it another key: its signatures prove no more than his word")
	}
}

func (c *check) seated() (list []string) {
	for _, seat := range c.signers.seats {
		list = append(list, seat)
	}
	return list
}

// unsigned finds what a player's seat had to sign and did not.
func (c *check) unsigned(e *events.Event) {
	s := c.signers
	if e.Request != "" {
		var r struct {
			Verb string `json:"verb"`
		}
		_ = json.Unmarshal([]byte(e.Request), &r)
		s.act = act{first: *e, verb: r.Verb, signed: e.Signed != "" || s.waits[e.Command]}
		s.waits[e.Command] = s.act.signed && e.Type == "referred"
	}
	if s.act.known || e.Command != s.act.first.Command || e.Corrects != 0 || e.Replaces != 0 {
		return
	}
	seat, acting := s.act.first.Seat, envelope.ActingSide(s.act.verb, slices.Values([]string{e.Side}))
	switch of := s.seats[acting]; {
	case s.act.signed && acting != "" && of != seat:
		c.wrong(&s.act.first, CheckEnvelopes, "seat", seat, of, "the seat signed an act of %s, which another holds",
			acting)
	case seat == umpireSeat && acting == "":
		return // a later event may say whose act it is
	case seat == umpireSeat:
		seat = of
	}
	s.act.known = acting != "" || seat != umpireSeat && !s.act.signed
	if _, keyed := s.keys[seat]; !keyed || s.act.signed || e.Type.KeysSeat() {
		return
	}
	if s.proxy {
		c.unable(1, "entries of "+seat, "the umpire entered them: the campaign was opened so, and "+
			"nobody else vouches for them")
		return
	}
	c.wrong(&s.act.first, CheckEnvelopes, "signed", nil, nil, "%s has a key, and did not sign this", seat)
}

// unsealed finds commitments that players signed, and that no event has.
func (c *check) unsealed() {
	places := slices.SortedFunc(maps.Keys(c.signers.sealed), func(a, b events.Place) int {
		return cmp.Or(cmp.Compare(a.Command, b.Command), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.Epoch, b.Epoch))
	})
	for _, place := range places {
		b := c.signers.sealed[place]
		c.wrong(&b.event, CheckEnvelopes, "commitments."+place.Slot, nil, b.hash,
			"the player committed to that, and no event does")
	}
}
